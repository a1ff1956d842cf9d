import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { HdpError } from "../base/errors.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { type DatalakeEncoding, taskHash } from "../request/task-hash.js";
import { readRequest } from "./command.js";
import { terminalScreen } from "./ui/screen.js";

const ENCODINGS: readonly DatalakeEncoding[] = ["with-chain-id", "without-chain-id"];

const action: NewTaskActionFunction<{ file: string; encoding: string; json: boolean }> = async (args, hre) => {
  await atTheEdge(async () => {
    const datalakeEncoding = ENCODINGS.find((encoding) => encoding === args.encoding);
    if (datalakeEncoding === undefined) {
      throw new HdpError({
        code: "HDP-6003",
        path: "--encoding",
        message: `"${args.encoding}" is not a datalake encoding.`,
        hints: [`Allowed: ${ENCODINGS.join(", ")}`],
      });
    }
    const request = await readRequest(args.file, hre);
    const taskHashes = request.tasks.map((task) => taskHash(task, { datalakeEncoding }));
    const screen = terminalScreen(args.json);
    taskHashes.forEach((hash) => {
      screen.line(hash);
    });
    screen.document({ datalakeEncoding, taskHashes });
  });
};

export default action;

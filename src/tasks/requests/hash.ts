import { HdpError } from "../../base/errors.js";
import { type DatalakeEncoding, taskHash } from "../../request/task-hash.js";
import { file, text } from "../arguments.js";
import { command } from "../command.js";
import { readRequest } from "./read-request.js";

const ENCODINGS: readonly DatalakeEncoding[] = ["with-chain-id", "without-chain-id"];

export default command({
  name: "hash",
  description: "Print the task hashes of a task file, without any network",
  positional: { file },
  options: {
    encoding: text(
      "Datalake encoding: with-chain-id, or without-chain-id for stores before July 2024",
      "with-chain-id",
    ),
  },
  run: async (args, { hre, screen }) => {
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
    taskHashes.forEach((hash) => {
      screen.line(hash);
    });
    screen.document({ datalakeEncoding, taskHashes });
  },
});

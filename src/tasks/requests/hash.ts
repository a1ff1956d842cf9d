import { HdpError } from "../../errors/hdp-error.js";
import { type DatalakeEncoding, taskHash } from "../../request/task-hash.js";
import { file, more, text } from "../shared-options.js";
import { command } from "../command.js";
import { networkAtHand, readRequests } from "./read-requests.js";

const ENCODINGS: readonly DatalakeEncoding[] = ["with-chain-id", "without-chain-id"];

export default command({
  name: "hash",
  description: "Print the task hashes of task files, without any network",
  positional: { file, more },
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
    const files = (await readRequests([args.file, ...args.more], hre, undefined, networkAtHand(hre, screen))).map(
      ({ file, request }) => ({
        file,
        taskHashes: request.tasks.map((task) => taskHash(task, { datalakeEncoding })),
      }),
    );
    const [only, ...others] = files;
    for (const { file, taskHashes } of files) {
      for (const hash of taskHashes) screen.line(others.length === 0 ? hash : `${hash}  ${file}`);
    }
    screen.document(
      others.length === 0 ? { datalakeEncoding, taskHashes: only?.taskHashes } : { datalakeEncoding, files },
    );
  },
});

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { HdpError } from "../../errors/hdp-error.js";
import { defaultDestination } from "../../plugin/destination.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { Session } from "../../plugin/session.js";
import { parseTaskText, readTaskFile, readTaskStream, STANDARD_INPUT } from "../../plugin/task-input.js";
import { type BlockResolver, blockResolver, hasReference } from "../../plugin/block-ranges.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { FieldChoice } from "../../request/reader.js";
import type { TaskRequest } from "../../request/task.js";
import { grouped } from "../../base/text.js";
import type { Screen } from "../ui/screen.js";

/**
 * The request in a file, or on standard input for "-". Hardhat takes a bare "-" on its command line for an option, so
 * leaving the file out means the same (`-- -` also does). Classes that standard input names are relative to the
 * current folder.
 *
 * @param screen for commands that have a network at hand: blocks written as `latest-64` or dates are looked up there and
 *   shown; without it they are mistakes
 */
export async function readRequest(
  file: string,
  { config, network }: Pick<HardhatRuntimeEnvironment, "config" | "network">,
  fields?: FieldChoice,
  screen?: Pick<Screen, "line">,
): Promise<TaskRequest> {
  const programs = knownPrograms(config);
  const resolveBlocks: BlockResolver | undefined =
    screen === undefined
      ? undefined
      : async (document) => {
          // Only what has to be looked up needs a connection.
          if (!hasReference(document)) return document;
          const resolve = blockResolver(Session.of(await network.getOrCreate()), ({ path, text, block, timestamp }) => {
            const time = new Date(Number(timestamp) * 1000).toISOString().replace(".000Z", "Z");
            screen.line(`  ${path}  ${text} is block ${grouped(block)} of ${time}`);
          });
          return await resolve(document);
        };
  // A file of tasks alone names no destination: it is the connected chain.
  const destination = async (): Promise<ChainIdentifier> =>
    await defaultDestination(Session.of(await network.getOrCreate()));
  if (file !== "-")
    return await readTaskFile(file, { projectRoot: config.paths.root, programs, fields, resolveBlocks }, destination);
  if (process.stdin.isTTY) {
    throw new HdpError({
      code: "HDP-6016",
      path: "file",
      message: "no task file was given.",
      hints: ["Name a file, for instance tasks/fee.json, or pipe one in: npx hardhat hdp:submit < tasks/fee.json"],
    });
  }
  const text = await readTaskStream(process.stdin);
  return await parseTaskText(
    text,
    { folder: process.cwd(), source: STANDARD_INPUT, programs, fields, resolveBlocks },
    destination,
  );
}

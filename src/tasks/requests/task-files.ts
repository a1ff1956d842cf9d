import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { plural } from "../../base/text.js";
import type { Preflight } from "../../plugin/actions/preflight-action.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { FIELD_NAMES, type FieldKind, listFields } from "../../request/fields.js";
import { type DatalakeEncoding, taskHash } from "../../request/task-hash.js";
import { oneOf } from "../option-values.js";
import type { CommandAction } from "../run-command.js";
import { argumentsOf, preview } from "../ui/preview.js";
import { style } from "../ui/screen.js";
import { printPreflight, withoutRequest } from "./print-preflight.js";
import { type FileRequest, networkAtHand, readRequests } from "./read-requests.js";

interface Files {
  readonly file: string;
  readonly more: string[] | undefined;
}

export const check: CommandAction<Files> = async (args, { hre, screen }) => {
  const files = await readRequests([args.file, ...(args.more ?? [])], hre, undefined, networkAtHand(hre, screen));
  const programs = knownPrograms(hre.config);
  for (const { file, request } of files) {
    if (files.length > 1) {
      screen.line();
      screen.line(`  ${style.strong(file)}`);
    }
    preview(screen, request, programs);
    // With a network, the preflight prints it.
    if (!hre.globalOptions.network) screen.line(`  ${style.strong("Destination")}  ${request.destinationChainId}`);
  }
  screen.line();
  const preflights = await preflightsOf(files, hre);
  for (const preflight of preflights) {
    printPreflight(screen, preflight);
    screen.line();
  }
  const tasks = files.reduce((sum, { request }) => sum + request.tasks.length, 0);
  const where = files.length > 1 ? ` in ${plural(files.length, "file")}` : "";
  const missing = preflights.flatMap((one) => one.tasks).filter(({ lastBlock }) => lastBlock?.state === "missing");
  if (missing.length > 0) process.exitCode = 1;
  const verdict = missing.length > 0 ? `${plural(missing.length, "block")} not there yet` : "valid";
  const mark = missing.length > 0 ? style.bad("✘") : style.good("✔");
  screen.line(`  ${mark} ${plural(tasks, "task")}${where}, ${verdict}. Nothing was sent.`);
  const documents = files.map(({ file, request }, index) => ({
    ...(files.length > 1 ? { file } : {}),
    destinationChainId: request.destinationChainId,
    tasks: request.tasks.map((task) => ({
      ...describeTask(task),
      taskHash: taskHash(task),
      arguments: argumentsOf(task, programs),
    })),
    ...(preflights[index] === undefined ? {} : { preflight: withoutRequest(preflights[index]) }),
  }));
  return files.length === 1 ? documents[0] : { files: documents };
};

/** Connects only to a network that was named with the command. */
async function preflightsOf(
  files: readonly FileRequest[],
  { globalOptions, network }: HardhatRuntimeEnvironment,
): Promise<readonly Preflight[]> {
  // Without --network it is undefined, whatever its type says.
  if (!globalOptions.network) return [];
  const { hdp } = await network.getOrCreate();
  const preflights: Preflight[] = [];
  for (const { request } of files) preflights.push(await hdp.preflight(request));
  return preflights;
}

const ENCODINGS: readonly DatalakeEncoding[] = ["with-chain-id", "without-chain-id"];

export const hash: CommandAction<Files & { encoding: string }> = async (args, { hre, screen }) => {
  const what = "a datalake encoding";
  const datalakeEncoding = oneOf(args.encoding, ENCODINGS, { what, path: "--encoding" });
  const requests = await readRequests([args.file, ...(args.more ?? [])], hre, undefined, networkAtHand(hre, screen));
  const files = requests.map(({ file, request }) => ({
    file,
    taskHashes: request.tasks.map((task) => taskHash(task, { datalakeEncoding })),
  }));
  for (const { file, taskHashes } of files) {
    for (const one of taskHashes) screen.line(files.length === 1 ? one : `${one}  ${file}`);
  }
  return files.length === 1 ? { datalakeEncoding, taskHashes: files[0]?.taskHashes } : { datalakeEncoding, files };
};

const KINDS = Object.keys(FIELD_NAMES).filter((kind): kind is FieldKind => kind in FIELD_NAMES);

export const fields: CommandAction<{ kind: string | undefined }> = async ({ kind }, { screen }) => {
  const what = "a kind of sampled property with fields";
  const hints = ["A storage property names a slot: storage.{address}.{slot}."];
  const kinds = kind === undefined ? KINDS : [oneOf(kind, KINDS, { what, path: "kind", hints })];
  for (const one of kinds) {
    screen.line();
    screen.line(`  ${style.strong(one)}`);
    for (const { field, functions, note } of listFields(one)) {
      const allowed = functions.length === 0 ? "no function" : functions.join(", ");
      screen.line(`    ${field.padEnd(26)} ${allowed}${note === undefined ? "" : style.faint(`  (${note})`)}`);
    }
  }
  screen.line();
  screen.line(`  ${style.strong("storage")}   storage.{address}.{slot}: every function`);
  return Object.fromEntries(kinds.map((one) => [one, listFields(one)]));
};

import { keysOf } from "../../base/collections.js";
import { plural } from "../../base/text.js";
import { suggested } from "../../errors/suggested.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { describeTask } from "../../request/describe-task.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, type FieldSupport, listFields } from "../../request/fields.js";
import { type DatalakeEncoding, taskHash } from "../../request/task-hash.js";
import { command, networkOption, oneOf } from "../run-command.js";
import { argumentsOf, preview, printPreflight } from "../ui/preview.js";
import { mark, printBlock, style } from "../ui/screen.js";
import { readRequests } from "./read-requests.js";

interface Files {
  readonly file: string;
  readonly more: string[];
}

export const check = command(async (args: Files, { hre, screen }) => {
  // Without --network, the command does not connect and resolves no block.
  const connection = networkOption(hre) === undefined ? undefined : await hre.network.getOrCreate();
  const files = await readRequests([args.file, ...args.more], hre, connection && screen);
  const programs = knownPrograms(hre.config);
  const documents: object[] = [];
  let missing = 0;
  for (const { file, request } of files) {
    if (files.length > 1) printBlock(screen, `  ${style.strong(file)}`);
    preview(screen, request, programs);
    const preflight = await connection?.hdp.preflight(request);
    if (preflight === undefined) screen.line(`  ${style.strong("Destination")}  ${request.destinationChainId}`);
    else printPreflight(screen, preflight);
    missing +=
      preflight?.tasks.filter(
        ({ lastBlock, stateProblem }) => lastBlock?.state === "missing" || stateProblem !== undefined,
      ).length ?? 0;
    documents.push({
      ...(files.length > 1 ? { file } : {}),
      destinationChainId: request.destinationChainId,
      tasks: request.tasks.map((task) => {
        return { ...describeTask(task), taskHash: taskHash(task), arguments: argumentsOf(task, programs) };
      }),
      ...(preflight === undefined ? {} : { preflight: { ...preflight, request: undefined } }),
    });
  }
  const tasks = files.reduce((sum, { request }) => sum + request.tasks.length, 0);
  const where = files.length > 1 ? ` in ${plural(files.length, "file")}` : "";
  const verdict = missing > 0 ? `${plural(missing, "task")} with blocks or state that are not there` : "valid";
  printBlock(screen, `  ${mark(missing === 0)} ${plural(tasks, "task")}${where}, ${verdict}. Nothing was sent.`);
  if (missing > 0) process.exitCode = 1;
  else {
    const names = files.map(({ file }) => file);
    const again = suggested("hdp:submit", names, { network: networkOption(hre) });
    if (!names.includes("-")) screen.line(`  Submit: ${style.command(again)}`);
  }
  return files.length === 1 ? documents[0] : { files: documents };
});

export const hash = command(async (args: Files & { encoding: string }, { hre, screen }) => {
  const encodings: readonly DatalakeEncoding[] = ["with-chain-id", "without-chain-id"];
  const datalakeEncoding = oneOf(args.encoding, encodings, { what: "a datalake encoding", path: "--encoding" });
  const lookUp = networkOption(hre) === undefined ? undefined : screen;
  const requests = await readRequests([args.file, ...args.more], hre, lookUp);
  const files = requests.map(({ file, request }) => ({
    file,
    taskHashes: request.tasks.map((task) => taskHash(task, { datalakeEncoding })),
  }));
  for (const { file, taskHashes } of files) {
    for (const one of taskHashes) screen.line(files.length === 1 ? one : `${one}  ${file}`);
  }
  return files.length === 1 ? { datalakeEncoding, taskHashes: files[0]?.taskHashes } : { datalakeEncoding, files };
});

/** A slot has no fields: its property is its name. */
const STORAGE = {
  kind: "storage",
  field: "{address}.{slot}",
  functions: AGGREGATE_FUNCTIONS,
} as const;

export const fields = command(async ({ kind }: { kind: string | undefined }, { screen }) => {
  const what = "a kind of sampled property with fields";
  const all = [...keysOf(FIELD_NAMES), STORAGE.kind];
  const kinds = kind === undefined ? all : [oneOf(kind, all, { what, path: "kind" })];
  const listed = kinds.map((one) => {
    const found: readonly Omit<FieldSupport, "kind">[] = one === "storage" ? [STORAGE] : listFields(one);
    return [one, found] as const;
  });
  for (const [one, found] of listed) {
    const lines = found.map(({ field, functions, note }) => {
      const allowed = functions.length === 0 ? "no function" : functions.join(", ");
      return `    ${field.padEnd(26)} ${allowed}${note === undefined ? "" : style.faint(`  (${note})`)}`;
    });
    printBlock(screen, `  ${style.strong(one)}`, ...lines);
  }
  return Object.fromEntries(listed);
});

import { plural, printableLines, shellWord } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import { readLayout } from "../../plugin/actions/storage-of.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { requireOutput, writeOutput } from "../../plugin/project-files.js";
import { describeTask } from "../../request/describe-task.js";
import { taskHash } from "../../request/task-hash.js";
import { command, type CommandContext, type Optional } from "../run-command.js";
import { preview } from "../ui/preview.js";
import { printFields, style } from "../ui/screen.js";
import { type FileRequest, networkAtHand, readRequest, readRequests } from "./read-requests.js";
import { renderStorage, storageLibraries } from "./render-storage.js";
import { computeFixtures, fixtureFormat, renderFixtures } from "./task-fixtures.js";

interface Generated {
  readonly text: string;
  /** What it is made from: "task files". */
  readonly from: string;
  /** The command that writes it, without options. */
  readonly again: string;
}

interface Output {
  readonly out: string;
  readonly check: boolean;
}

export const types = command(async ({ files, ...output }: Output & { files: string[] }, context) => {
  const { hre, screen } = context;
  const requests = await readRequests(files, hre, networkAtHand(hre, screen));
  const again = suggested("hdp types", files, { after: `--out ${shellWord(output.out)}` });
  await writeOrCheck({ text: renderTaskTypes(requests), from: "task files", again }, output, context);
  for (const { file } of requests) screen.line(`    ${file}`);
  return { out: output.out, files: requests.map(({ file }) => file) };
});

export const storage = command(async ({ contracts, ...output }: Output & { contracts: string[] }, context) => {
  const { hre, screen } = context;
  // Tests may import the library before it exists; contracts do not.
  await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
  await hre.artifacts.clearCache();
  const layouts = await Promise.all(contracts.map(async (contract) => await readLayout(hre.artifacts, contract)));
  const libraries = storageLibraries(layouts);
  const again = suggested("hdp storage", contracts, { after: `--out ${shellWord(output.out)}` });
  const text = renderStorage(libraries, contracts);
  await writeOrCheck({ text, from: "compiler's layout", again }, output, context);
  for (const { library, functions, without } of libraries) {
    screen.line(`    ${library}  ${plural(functions.length, "function")}`);
    for (const { path, why } of without) screen.line(`      without ${path}: ${why}`);
  }
  const written = libraries.map(({ contract, library, functions, without }) => {
    return { contract, library, functions: functions.length, without };
  });
  return { out: output.out, libraries: written };
});

/** Writes a generated file, or with `--check` throws if the file is not what would be written. */
async function writeOrCheck(
  { text, from, again }: Generated,
  { out, check }: Output,
  { hre, screen }: CommandContext,
): Promise<void> {
  const { root } = hre.config.paths;
  if (check) await requireOutput(out, root, text, { from, again });
  else await writeOutput(out, root, text);
  screen.line(`  ${style.good("✔")} ${out}  ${check ? `matches the ${from}` : "written"}`);
}

export const fixtures = command(
  async ({ files, format, out }: { files: string[] } & Optional<"format" | "out">, { hre, screen }) => {
    const parsed = fixtureFormat(format ?? formatOf(out));
    const { root } = hre.config.paths;
    const connection = await hre.network.getOrCreate();
    const computed = await computeFixtures(
      files,
      { projectRoot: root, programs: knownPrograms(hre.config) },
      connection,
    );
    const text = renderFixtures(computed, parsed);
    if (out === undefined) {
      process.stdout.write(printableLines(text));
      return;
    }
    await writeOutput(out, root, text);
    printFields(screen, [["Fixtures", out]]);
    for (const { name, taskHash } of computed) screen.line(`  ${name}  ${taskHash}`);
  },
);

/** Returns the format of a file by its extension. */
function formatOf(out: string | undefined): string {
  const extension = out?.split(".").at(-1) ?? "";
  const formats: Readonly<Record<string, string>> = { sol: "solidity", ts: "typescript", json: "json", txt: "txt" };
  return formats[extension] ?? "cairo";
}

export const record = command(async ({ files, out }: { files: string[] } & Optional<"out">, { hre, screen }) => {
  if (out === undefined) {
    const example = "npx hardhat hdp record tasks/fee.json --out fixtures/fee.json";
    throw hdpError("HDP-6016", { what: "file for the recorded chain data", example }, { path: "--out" });
  }
  const requests = await Promise.all(files.map(async (file) => await readRequest(file, hre, screen)));
  const tasks = requests.flatMap((request) => request.tasks);
  const { hdp, networkName } = await hre.network.getOrCreate();
  preview(screen, { tasks }, knownPrograms(hre.config));
  screen.line(`  ${style.strong("Reading from")}  network "${networkName}", with proofs`);
  screen.line();
  const { taskHashes, chains } = await hdp.record(tasks, { to: out });
  for (const { chain, nodeChainId, blocks, nodes } of chains) {
    const read = `${plural(blocks.length, "block")} and ${plural(nodes.length, "proof node")}`;
    screen.line(`  ${style.good("✔")} ${chain} (the node's chain id is ${nodeChainId}): ${read}`);
  }
  screen.line(`  Written to ${out}. In a test: ${style.command(`await hdp.replay("${out}")`)}`);
  screen.line("  Block hashes in it come from this node; everything else is proven under them.");
  const recorded = chains.map(({ chain, nodeChainId, blocks, nodes }) => {
    return { chain, nodeChainId, blocks: blocks.length, nodes: nodes.length };
  });
  return { networkName, out, taskHashes, chains: recorded };
});

/**
 * Returns a TypeScript module with the requests of task files by name: `tasks.baseFee` of `tasks/base-fee.json` has the file, the
 * request with its literal types, and the task hashes; `hash` where the file has one task.
 *
 * @throws HdpError HDP-6086 where two files would have the same name
 */
export function renderTaskTypes(files: readonly FileRequest[]): string {
  const taken = new Map<string, string>();
  const entries = files.map(({ file, request }) => {
    const name = nameOf(file);
    const other = taken.get(name);
    if (other !== undefined) {
      const values = { what: "files", name: `tasks.${name}`, first: other, second: file };
      throw hdpError("HDP-6086", values, { path: "files" });
    }
    taken.set(name, file);
    const hashes = request.tasks.map((task) => taskHash(task));
    const [only, ...others] = hashes;
    const hash = only !== undefined && others.length === 0 ? { hash: only } : {};
    const titles = request.tasks.map((task) => describeTask(task).title).join("; ");
    const value = source({ file, ...hash, hashes, request }, "  ");
    return `  /** ${titles.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n  ${name}: ${value},\n`;
  });
  return `// The tasks of this project, written by \`npx hardhat hdp types\`. To change them, run it again.
import type { TaskRequest } from "hardhat-hdp/request";

interface TaskFile {
  readonly file: string;
  /** Where the file has one task. */
  readonly hash?: \`0x\${string}\`;
  readonly hashes: readonly \`0x\${string}\`[];
  readonly request: TaskRequest;
}

export const tasks = {
${entries.join("")}} as const satisfies Readonly<Record<string, TaskFile>>;
`;
}

/** Returns a file's name in camel case, without folders and extension. */
function nameOf(path: string): string {
  const stem = (path.split(/[/\\]/).at(-1) ?? "").replace(/\.[^.]*$/, "");
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  const name = joined.slice(0, 1).toLowerCase() + joined.slice(1);
  return /^[a-z]/.test(name) ? name : `task${name}`;
}

/** Writes a value as TypeScript; undefined members are left out. */
function source(value: unknown, indent: string): string {
  if (typeof value === "bigint") return `${value.toString()}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => source(one, inner))
    : Object.entries(value).flatMap(([key, one]) =>
        one === undefined ? [] : [`${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${source(one, inner)}`],
      );
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

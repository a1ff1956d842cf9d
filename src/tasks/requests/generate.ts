import { relative } from "node:path";

import { namedPath } from "../../base/files.js";
import { plural } from "../../base/text.js";
import { printableLines, shellWord } from "../../errors/printable.js";
import { hdpError, suggested } from "../../errors/hdp-error.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { pathFromHere, requireOutput, writeOutput } from "../../plugin/project-files.js";
import { type Flags, networkOption, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { preview } from "../ui/preview.js";
import { printFields, style } from "../ui/screen.js";
import { readRequest, readRequests } from "./task-files.js";
import { computeFixtures, fixtureFormat, renderFixtures } from "./task-fixtures.js";
import { renderTaskTypes } from "./task-types.js";

type Output = { out: string } & Flags<"check">;

/** Runs `hdp types`: writes task files as a TypeScript module. */
export const types = command(
  async ({ files, ...output }: Output & { files: string[] }, context) => {
    const { hre, screen } = context;
    const requests = await readRequests(
      files,
      hre,
      networkOption(hre) === undefined ? undefined : screen,
    );
    const again = suggested("hdp types", files, { after: `--out ${shellWord(output.out)}` });
    await writeOrCheck(renderTaskTypes(requests), { from: "task files", again }, output, context);
    for (const { file } of requests) screen.line(`    ${file}`);
    return { out: output.out, files: requests.map(({ file }) => file) };
  },
);

/** Runs `hdp storage`: writes a Solidity library with the slots of contracts' variables. */
export const storage = command(
  async ({ contracts, ...output }: Output & { contracts: string[] }, context) => {
    const { hre, screen } = context;
    const { readLayout } = await import("../../plugin/storage/read-layout.js");
    const { renderStorageLibraries, storageLibraries } = await import("./storage-library.js");
    // Tests may import the library before it exists; contracts do not.
    await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    await hre.artifacts.clearCache();
    const layouts = await Promise.all(
      contracts.map(async (contract) => await readLayout(hre.artifacts, contract)),
    );
    const libraries = storageLibraries(layouts);
    const again = suggested("hdp storage", contracts, { after: `--out ${shellWord(output.out)}` });
    await writeOrCheck(
      renderStorageLibraries(libraries, contracts),
      { from: "compiler's layout", again },
      output,
      context,
    );
    for (const { library, functions, without } of libraries) {
      screen.line(`    ${library}  ${plural(functions.length, "function")}`);
      for (const { path, why } of without) screen.line(`      without ${path}: ${why}`);
    }
    const written = libraries.map(({ contract, library, functions, without }) => {
      return { contract, library, functions: functions.length, without };
    });
    return { out: output.out, libraries: written };
  },
);

/** Writes a generated file; with `--check`, throws if it is out of date. `again` is the command that writes it. */
async function writeOrCheck(
  text: string,
  made: { from: string; again: string },
  { out, check }: Output,
  { hre, screen }: CommandContext,
): Promise<void> {
  const { root } = hre.config.paths;
  if (check) await requireOutput(out, root, text, made);
  else await writeOutput(out, root, text);
  screen.line(
    `  ${style.good("✔")} ${pathFromHere(out, root)}  ${check ? `matches the ${made.from}` : "written"}`,
  );
}

type FixtureArguments = { files: string[] } & Optional<"format" | "out" | "recording">;

/** Runs `hdp fixtures`: writes the hashes and results of task files as constants for tests. */
export const fixtures = command(
  async ({ files, format, out, recording }: FixtureArguments, { hre, screen }) => {
    const parsed = fixtureFormat(format ?? outputFormat(out));
    const { root } = hre.config.paths;
    const connection = await hre.network.getOrCreate();
    const paths = files.map((file) => relative(root, namedPath(file, root)));
    const replayed = recording && namedPath(recording, root);
    const computed = await computeFixtures(paths, hre.config, connection, { recording: replayed });
    const text = renderFixtures(computed, parsed);
    if (out === undefined) {
      process.stdout.write(printableLines(text));
      return;
    }
    await writeOutput(out, root, text);
    printFields(screen, [["Fixtures", pathFromHere(out, root)]]);
    for (const { name, taskHash } of computed) screen.line(`  ${name}  ${taskHash}`);
  },
);

function outputFormat(out: string | undefined): string {
  const extension = out?.split(".").at(-1) ?? "";
  const formats: Readonly<Record<string, string>> = {
    sol: "solidity",
    ts: "typescript",
    json: "json",
    txt: "txt",
  };
  return formats[extension] ?? "cairo";
}

/** Runs `hdp record`: writes the chain data that task files read to a recording. */
export const record = command(
  async ({ files, out }: { files: string[] } & Optional<"out">, { hre, screen }) => {
    if (out === undefined) {
      const example = "npx hardhat hdp record tasks/fee.json --out fixtures/fee.json";
      throw hdpError(
        "HDP-6016",
        { what: "file for the recorded chain data", example },
        { path: "--out" },
      );
    }
    const requests = await Promise.all(
      files.map(async (file) => await readRequest(file, hre, screen)),
    );
    const tasks = requests.flatMap((request) => request.tasks);
    const { hdp, networkName } = await hre.network.getOrCreate();
    preview(screen, tasks, knownPrograms(hre.config));
    screen.line(`  ${style.strong("Reading from")}  network "${networkName}", with proofs`);
    screen.line();
    const { taskHashes, chains, starknet = [] } = await hdp.record(tasks, { to: out });
    for (const { chain, nodeChainId, blocks, nodes } of chains) {
      const read = `${plural(blocks.length, "block")} and ${plural(nodes.length, "proof node")}`;
      screen.line(`  ${style.good("✔")} ${chain} (the node's chain id is ${nodeChainId}): ${read}`);
    }
    for (const { chain, headers, storage } of starknet)
      screen.line(
        `  ${style.good("✔")} ${chain}: ${plural(headers.length + storage.length, "value")}, unproven`,
      );
    const written = pathFromHere(out, hre.config.paths.root);
    screen.line(
      `  Written to ${written}. In a test: ${style.command(`await hdp.replay("${out}")`)}`,
    );
    screen.line(
      "  Block hashes in it, and Starknet's values, come from the nodes; all else is proven under the hashes.",
    );
    const recorded = chains.map(({ chain, nodeChainId, blocks, nodes }) => {
      return { chain, nodeChainId, blocks: blocks.length, nodes: nodes.length };
    });
    return {
      networkName,
      out,
      taskHashes,
      chains: recorded,
      starknet: starknet.map(({ chain }) => chain),
    };
  },
);

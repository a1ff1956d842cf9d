import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import type { HardhatConfig } from "hardhat/types/config";
import { z } from "zod";

import { hasPackage, shipped } from "../../base/files.js";
import { writeOutput } from "../../plugin/project-files.js";
import { parseChoice, type Optional } from "../options.js";
import { command } from "../run-command.js";
import { type Field, printBlock, printFields, type Screen, style } from "../ui/screen.js";

/** Lines to add to the project's `.gitignore`, besides the data folder. */
const IGNORED: readonly string[] = ["node_modules/", "artifacts/", "cache/", "coverage/", ".env"];

type Written = Readonly<{ path: string; change: "created" | "added to" | "kept" }>;

const MANIFEST = z.object({ devDependencies: z.record(z.string()) });

/** Folders that are left by running an example in place. */
const LEFT = new Set([
  "artifacts",
  "cache",
  "hdp",
  "types",
  "target",
  "node_modules",
  ".snfoundry_cache",
]);

/** Runs `hdp init`: writes the first files of a project, or those of an example. */
export const init = command(
  async ({ example }: Optional<"example">, { hre: { config }, screen }) => {
    const { root } = config.paths;
    const files: Written[] = [];
    const contents =
      example === undefined ? await filesFor(config) : await filesOfExample(example, root);
    for (const [path, content] of contents) files.push(await create(root, path, content));
    files.push(await ignore(config));
    const marked = ({ path, change }: Written): string =>
      `  ${change === "kept" ? " " : style.good("✔")} ${change.padEnd(8)}  ${path}`;
    printBlock(screen, ...files.map(marked));
    if (example === undefined) printNextSteps(screen, config);
    else printExampleSteps(example, screen, join(root, example));
    return { root, files };
  },
);

/** Returns the files of an example by their paths in a project. @throws HdpError HDP-6003 for an unknown one */
async function filesOfExample(name: string, root: string): Promise<ReadonlyMap<string, string>> {
  const examples = fileURLToPath(shipped("examples/"));
  const names = (await readdir(examples)).sort();
  const example = join(
    examples,
    parseChoice(name, names, { what: "an example", path: "--example" }),
  );
  const modules = findNodeModules(join(root, name));
  const cairoFolder = join(root, name, "tasks", modules, "hardhat-hdp", "contracts", "starknet");
  const files = new Map<string, string>();
  for (const entry of await readdir(example, { recursive: true, withFileTypes: true })) {
    const path = relative(examples, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    // npm packages have no .gitignore.
    if (
      !entry.isFile() ||
      entry.name === ".gitignore" ||
      path.split("/").some((part) => LEFT.has(part))
    )
      continue;
    const text = await readFile(join(examples, path), "utf8");
    const cairo = relative(dirname(join(root, path)), cairoFolder).replaceAll("\\", "/");
    const placed = text
      .replace('"../node_modules/hardhat-hdp/', `"${modules}/hardhat-hdp/`)
      .replaceAll(/"(?:\.\.\/)+contracts\/starknet\//g, `"${cairo}/`);
    files.set(path, placed);
  }
  return files;
}

const SKILL = "skills/hardhat-hdp/SKILL.md";

/** Folders below which coding assistants look for skills. Most read the first, also where they have one of their own. */
const ASSISTANTS = [".agents", ".claude"] as const;

/** Returns the paths of the skill: in the first folder, and in each other that the project has. */
function skillPaths(root: string): readonly string[] {
  const [first, ...others] = ASSISTANTS;
  const folders = [first, ...others.filter((folder) => existsSync(join(root, folder)))];
  return folders.map((folder) => `${folder}/${SKILL}`);
}

/** Plugins of Hardhat with a test template of their own, the preferred one first. */
const CLIENTS = ["viem", "ethers"] as const;

/** Returns the files of a first project by their paths in it; its tests use the configured plugins. */
async function filesFor({ paths, plugins }: HardhatConfig): Promise<ReadonlyMap<string, string>> {
  const has = (id: string): boolean => plugins.some((plugin) => plugin.id === id);
  const local = (path: string): string => relative(paths.root, path).replaceAll("\\", "/");
  const contracts = local(paths.sources.solidity[0] ?? join(paths.root, "contracts"));
  const isMocha = has("hardhat-mocha");
  const folders: Readonly<Record<string, unknown>> = { ...paths.tests };
  const folder = folders[isMocha ? "mocha" : "nodejs"];
  const tests = typeof folder === "string" ? local(folder) : "test";
  const client = CLIENTS.find((name) => has(`hardhat-${name}`)) ?? "task";
  const template = async (path: string) =>
    await readFile(shipped(`templates/project/${path}`), "utf8");
  const test = await template(`test/${client}.ts`);
  const skill = await readFile(shipped(SKILL), "utf8");
  return new Map([
    [
      "tasks/fee.json",
      (await template("tasks/fee.json")).replace("../node_modules", findNodeModules(paths.root)),
    ],
    [`${contracts}/FeeGate.sol`, await template("contracts/FeeGate.sol")],
    [`${contracts}/FeeGate.t.sol`, await template("contracts/FeeGate.t.sol")],
    // Mocha's functions are global.
    [
      `${tests}/FeeGate.ts`,
      isMocha ? test : test.replace("\n\n", '\nimport { describe, it } from "node:test";\n\n'),
    ],
    ["AGENTS.md", await template("AGENTS.md")],
    ...skillPaths(paths.root).map((path) => [path, skill] as const),
  ]);
}

/** Returns the `node_modules` with this package, as a task file names it. In a workspace it is above the project. */
function findNodeModules(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    if (existsSync(join(modules, "hardhat-hdp")))
      return relative(join(root, "tasks"), modules).replaceAll("\\", "/");
    if (dirname(folder) === folder) return "../node_modules";
  }
}

async function create(root: string, path: string, content: string): Promise<Written> {
  if (existsSync(join(root, path))) return { path, change: "kept" };
  await writeOutput(path, root, content, path);
  return { path, change: "created" };
}

async function ignore({ paths: { root }, hdp }: HardhatConfig): Promise<Written> {
  const path = ".gitignore";
  const data = relative(root, hdp.dataDir).replaceAll("\\", "/");
  // The leading slash limits the line to the project's folder, so that it does not match contracts/hdp/.
  const ignored = data.startsWith("..") || isAbsolute(data) ? IGNORED : [...IGNORED, `/${data}/`];
  const before = await readFile(join(root, path), "utf8").catch(() => undefined);
  const known = new Set(
    (before ?? "").split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")),
  );
  const missing = ignored.filter((line) => !known.has(line.replace(/^\/|\/$/g, "")));
  if (missing.length === 0) return { path, change: "kept" };
  const start =
    before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  await writeOutput(path, root, `${start}${missing.join("\n")}\n`, path);
  return { path, change: before === undefined ? "created" : "added to" };
}

const PAGES = "node_modules/hardhat-hdp/docs";
const RUNNER = `
  TypeScript tests need a runner:
    npm install --save-dev @nomicfoundation/hardhat-node-test-runner
  and in hardhat.config.ts:
    import hardhatNodeTest from "@nomicfoundation/hardhat-node-test-runner";
    plugins: [hardhatHdp, hardhatNodeTest]
`;

function printExampleSteps(example: string, screen: Screen, folder: string): void {
  const { devDependencies } = MANIFEST.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  const missing = Object.entries(devDependencies).filter(([name]) => !hasPackage(name, folder));
  // A compiler has the version that the configuration names.
  const packages = missing.map(([name, version]) =>
    /^\d/.test(version) ? `${name}@${version}` : name,
  );
  const install: Field = ["Install", style.command(`npm install --save-dev ${packages.join(" ")}`)];
  const test = existsSync(join(folder, "contracts")) ? "test" : "hdp module test";
  printFields(screen, [
    ...(missing.length === 0 ? [] : [install]),
    ["Test it", style.command(`cd ${example} && npx hardhat ${test}`)],
    ["Read", `${example}/README.md`],
  ]);
}

/** The line of configuration by which tests take and store tasks as the service of today. */
const AS_SHIPPED = 'hdp: { local: { edition: "module-tasks" } }';

function printNextSteps(screen: Screen, { plugins, hdp }: HardhatConfig): void {
  const hasRunner = plugins.some(
    ({ id }) => id === "hardhat-mocha" || id === "hardhat-node-test-runner",
  );
  const configure: readonly Field[] =
    hdp.local.edition === undefined
      ? [
          ["Configure", `add to hardhat.config.ts: ${AS_SHIPPED}`],
          ["", `so that what is green here can be sent: ${PAGES}/task-forms.md`],
        ]
      : [];
  printFields(screen, [
    ...configure,
    ["Test it", style.command("npx hardhat test")],
    ["Submit it", style.command("npx hardhat hdp:submit tasks/fee.json")],
    ["Examples", style.command("npx hardhat hdp:init --example gas-insurance")],
    ["", `others: ${PAGES}/recipes.md`],
    ["A service", `${PAGES}/configuration.md`],
  ]);
  if (!hasRunner) for (const line of RUNNER.split("\n")) screen.line(line);
}

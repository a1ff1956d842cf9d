// Runs contributing/ten-minutes.md from a packed package in an empty folder, and writes there how long each command took.
// Run after `npm run build`: npm run docs:paste
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { blocksOf } from "../test/support/markdown-blocks.js";
import { type RunningNode, runServer } from "../test/support/running-node.js";
import { root } from "./root.js";

const PAGE = "contributing/ten-minutes.md";
/** The compiler of the tests: the one that Hardhat would download. */
const SOLC = createRequire(import.meta.url).resolve("solc/soljson.js");
/** How the last word of each command begins, by a part of the command. */
const ENDINGS: Readonly<Record<string, string>> = {
  "hdp:check tasks/membership.json --network": "✔ 1 task, valid. Nothing was sent.",
  "hdp:check": "✔ 1 task, valid as written, blocks not looked at. Nothing was sent.",
  "hardhat test": "2 passing (2 mocha)",
  "hdp:submit": "Result  10,000 ether at least",
  "hdp deliver": "Delivered",
};
const SERVICE = `import hardhatHdp from "hardhat-hdp";
import { defineConfig } from "hardhat/config";

export default defineConfig({
  plugins: [hardhatHdp],
  hdp: {
    local: { edition: "module-tasks", finalize: "proven" },
    executionStore: { kind: "satellite" },
  },
});
`;

interface Typed {
  readonly command: string;
  readonly seconds: number;
  readonly ending: string;
}

const folder = mkdtempSync(join(tmpdir(), "hdp-paste-"));
const project = join(folder, "membership");
const typed: Typed[] = [];
const known = new Map<string, string>();
let service: RunningNode | undefined;

/** Runs a line as a shell does. @throws Error with what it printed where it fails */
function shell(line: string, cwd: string): string {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr, status } = spawnSync("sh", ["-c", line], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${line}\n${stdout}${stderr}`);
  return stdout;
}

/** Returns a text with the addresses that the service and the commands have printed. */
function filled(text: string): string {
  return text.replaceAll(
    /<(chain|service|store|address)>/g,
    (all, name: string) => known.get(name) ?? all,
  );
}

/** Starts the service in a folder beside the project, with its packages. */
async function startService(): Promise<void> {
  const cwd = join(folder, "service");
  mkdirSync(cwd);
  symlinkSync(join(project, "node_modules"), join(cwd, "node_modules"));
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
  writeFileSync(join(cwd, "hardhat.config.ts"), SERVICE);
  const ports = ["--hostname", "127.0.0.1", "--port", "0", "--hdp-port", "0"];
  service = await runServer(["hdp:node", ...ports], cwd, project);
  for (const [name, pattern] of [
    ["chain", /Chain +(http:\S+)/],
    ["service", /Data processor +(http:\S+)/],
    ["store", /Execution store +(0x[0-9a-fA-F]{40})/],
  ] as const)
    known.set(name, pattern.exec(service.output)?.[1] ?? "");
}

/** Makes a file of the page. */
async function paste(file: string, text: string): Promise<void> {
  if (text.includes("<service>")) await startService();
  const path = join(project, file);
  mkdirSync(dirname(path), { recursive: true });
  const offline = `solidity: { version: "0.8.28", path: ${JSON.stringify(SOLC)} }`;
  const withoutName = file.endsWith(".json") ? text.replace(/ \/\/ .*$/m, "") : text;
  writeFileSync(path, filled(withoutName).replace('solidity: "0.8.28"', offline));
}

/** Types a command of the page. @throws Error where it ends otherwise than expected */
function type(command: string, archive: string): void {
  const line = filled(command).replace(" hardhat-hdp ", ` '${archive}' `);
  const isFirst = command.startsWith("mkdir");
  const began = performance.now();
  const printed = shell(line, isFirst ? folder : project);
  const seconds = (performance.now() - began) / 1000;
  const expected = Object.entries(ENDINGS).find(([part]) => command.includes(part))?.[1] ?? "";
  const ending = printed.split("\n").find((text) => text.includes(expected));
  if (ending === undefined) throw new Error(`${command} does not print "${expected}"\n${printed}`);
  const address = /^0x[0-9a-fA-F]{40}$/m.exec(printed)?.[0];
  if (address !== undefined) known.set("address", address);
  typed.push({ command, seconds, ending: expected });
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${command}`);
}

/** Returns the table of the times. */
function table(files: number): string {
  const total = typed.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = typed.map(
    ({ command, seconds, ending }) => `| \`${command}\` | ${seconds.toFixed(1)} | ${ending} |`,
  );
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const compiler = "the compiler was on the disk, where Hardhat would download it once";
  return [
    `Measured on ${date} (${machine}; ${compiler}): ${files} files to paste and ${typed.length} commands, which took`,
    `**${Math.round(total)} seconds** together. The rest of the ten minutes is for reading.`,
    "",
    "| command | seconds | prints |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

try {
  const packed = JSON.parse(shell(`npm pack --json --pack-destination '${folder}'`, root)) as
    readonly { filename: string }[] | Readonly<Record<string, { filename: string }>>;
  const archive = join(folder, Object.values(packed)[0]?.filename ?? "");
  let files = 0;
  for (const { file, language, text } of blocksOf(PAGE)) {
    if (language === "") for (const line of text.trim().split("\n")) type(line, archive);
    else if (file !== undefined) {
      await paste(file, text);
      files += 1;
    }
  }
  const page = readFileSync(join(root, PAGE), "utf8");
  const times = /(?<=<!-- times -->\n)[\s\S]*(?=<!-- end of times -->)/;
  writeFileSync(join(root, PAGE), page.replace(times, `\n${table(files)}\n\n`));
  shell(`npx prettier --write ${PAGE}`, root);
} finally {
  await service?.interrupt();
  rmSync(folder, { recursive: true, force: true });
}

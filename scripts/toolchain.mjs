// Finds, or fetches, a Node that Hardhat 3 runs on, and runs commands under it.
// Plain JavaScript without dependencies: it runs before anything is installed, on any Node from 20 up.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Hardhat 3 refuses older ones, and npm under them silently leaves out Hardhat's native part. */
const OLDEST = [22, 13];
// Exact: what is fetched is what was tested.
const FETCHED = "24.21.0";
const toolchain = join(root, ".toolchain");
const fetchedBin = join(toolchain, "node_modules", "node", "bin");

function newEnough(version) {
  const [major, minor] = version.replace(/^v/, "").split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The line that puts the fetched Node first on a shell's PATH; undefined where the machine's own Node is new enough. */
export function shellLine() {
  return newEnough(process.version) ? undefined : `export PATH="${fetchedBin}${delimiter}$PATH"`;
}

/** Runs a command and ends this process with its exit code when it fails. */
export function run(command, args, env = process.env) {
  const result = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * The environment for Node commands: the machine's own when its Node is new enough, else one whose PATH starts with
 * a Node fetched as the npm package `node` into `.toolchain/`.
 */
export function nodeEnvironment({ fetch = true } = {}) {
  if (newEnough(process.version)) return process.env;
  const node = join(fetchedBin, process.platform === "win32" ? "node.exe" : "node");
  const works = () => existsSync(node) && spawnSync(node, ["--version"]).status === 0;
  if (!works()) {
    if (!fetch)
      throw new Error(
        `Node ${process.version} is older than ${OLDEST.join(".")}: run "npm run setup" first.`,
      );
    console.error(
      `Node ${process.version} is older than ${OLDEST.join(".")}: fetching Node ${FETCHED} into .toolchain/`,
    );
    mkdirSync(toolchain, { recursive: true });
    writeFileSync(join(toolchain, "package.json"), '{ "private": true }\n');
    run(
      "npm",
      [
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        `node@${FETCHED}`,
      ].concat("--prefix", toolchain),
    );
    if (!works()) throw new Error(`The fetched Node in ${fetchedBin} does not start.`);
  }
  const PATH = `${fetchedBin}${delimiter}${process.env.PATH ?? ""}`;
  return { ...process.env, PATH };
}

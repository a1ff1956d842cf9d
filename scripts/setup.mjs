// `npm run setup`: a new enough Node, the dependencies, the compiled package. Does nothing when all is in place.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { nodeEnvironment, root, run, shellLine } from "./toolchain.mjs";

const modules = join(root, "node_modules");
const stamp = join(modules, ".hardhat-hdp-setup");
/** What a build writes last. */
const built = join(root, "dist", ".metafile.json");

/** What the installed dependencies depend on: the lock file and the Node that installed them. */
function installKey(env) {
  const hash = createHash("sha256");
  hash.update(readFileSync(join(root, "package-lock.json")));
  hash.update(spawnSync("node", ["--version"], { env, encoding: "utf8" }).stdout);
  return hash.digest("hex");
}

/** Time of the newest file under a folder, in milliseconds. */
function newest(folder) {
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      // Node before 20.12 says `path` for the parent's path.
      .reduce(
        (latest, entry) =>
          Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
        0,
      )
  );
}

export function setup() {
  const env = nodeEnvironment();
  const key = installKey(env);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== key) {
    console.error("Installing the dependencies (npm ci)");
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], env);
    writeFileSync(stamp, key);
  }
  // The fixture project and the examples import the package by its name, as users do.
  const self = join(modules, "hardhat-hdp");
  if (lstatSync(self, { throwIfNoEntry: false }) === undefined) symlinkSync("..", self, "junction");
  const others = ["tsconfig.build.json", "package.json", "scripts/bundle.ts"].map((file) =>
    statSync(join(root, file)),
  );
  const sources = Math.max(
    newest(join(root, "src")),
    newest(join(root, "dashboard")),
    ...others.map(({ mtimeMs }) => mtimeMs),
  );
  if (!existsSync(built) || statSync(built).mtimeMs < sources) {
    console.error("Building the package");
    run("npm", ["run", "--silent", "build"], env);
  }
  return env;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setup();
  const line = shellLine();
  console.error(`Ready.${line === undefined ? "" : ` For Node 24 in this shell: ${line}`}`);
}

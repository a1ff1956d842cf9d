import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";

interface Manifest {
  readonly exports: Readonly<Record<string, object | string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Packages that a project has for its own TypeScript. */
const OWN = ["typescript", "@types/node", "@types/chai"];

/** Whether a line of the compiler's output is an error in a file of the package or of the project. */
function isOurs(line: string): boolean {
  return /^(all\.ts|node_modules\/\.pnpm\/hardhat-hdp@[^/]+\/node_modules\/hardhat-hdp\/)/.test(
    line,
  );
}

describe("the package under pnpm, where a package sees its own dependencies only", function () {
  this.timeout(400_000);
  let project: string;

  before(async () => {
    project = await mkdtemp(join(tmpdir(), "hardhat-hdp-strict-"));
    const packed = await command("npm", ["pack", "--json", "--pack-destination", project]);
    expect(packed.code, packed.stderr).to.equal(0);
    const [archive] = Object.values(
      JSON.parse(packed.stdout) as Record<string, { filename: string }>,
    );
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
    const { peerDependencies, devDependencies, exports } = manifest;
    const names = [...Object.keys(peerDependencies), ...OWN];
    const versions = names.map((name): [string, string | undefined] => [
      name,
      devDependencies[name] ?? peerDependencies[name],
    ]);
    const dependencies: Readonly<Record<string, string | undefined>> = {
      ...Object.fromEntries(versions),
      "hardhat-hdp": `file:./${archive?.filename ?? ""}`,
    };
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ type: "module", private: true, dependencies }),
    );
    const settings = ["node-linker=isolated", "hoist=false", "public-hoist-pattern="];
    await writeFile(join(project, ".npmrc"), `${settings.join("\n")}\n`);
    const pnpm = ["exec", "--yes", "--package", "pnpm@10", "--", "pnpm"];
    const install = ["install", "--ignore-scripts", "--prefer-offline", "--store-dir", ".store"];
    const installed = await command("npm", [...pnpm, ...install], { cwd: project });
    expect(installed.code, `${installed.stdout}${installed.stderr}`).to.equal(0);
    const entries = Object.entries(exports)
      .filter(([, target]) => typeof target === "object")
      .map(([path]) => path.replace(/^\./, "hardhat-hdp"));
    expect(entries).to.include.members(["hardhat-hdp", "hardhat-hdp/chai", "hardhat-hdp/ignition"]);
    const lines = entries.map((entry, at) => `export * as entry${at} from "${entry}";`);
    await writeFile(join(project, "all.ts"), `${lines.join("\n")}\n`);
  });

  after(async () => {
    await rm(project, { recursive: true, force: true });
  });

  for (const [module, moduleResolution] of [
    ["node16", "node16"],
    ["esnext", "bundler"],
  ] as const) {
    it(`compiles all entries with skipLibCheck false and moduleResolution ${moduleResolution}`, async () => {
      const options = ["--noEmit", "--strict", "--target", "es2023", "--types", "node"].concat(
        ["--module", module, "--moduleResolution", moduleResolution],
        ["--skipLibCheck", "false", "--traceResolution", "all.ts"],
      );
      const tsc = join("node_modules", "typescript", "bin", "tsc");
      const { stdout } = await command(process.execPath, [tsc, ...options], { cwd: project });
      // The declarations of ox and starknet.js have errors of their own.
      const lines = stdout.split("\n");
      expect(lines.filter((line) => line.includes("error TS") && isOurs(line))).to.deep.equal([]);
      expect(stdout).to.match(/Module name 'hardhat-hdp\/ignition' was successfully resolved/);
    });
  }
});

import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { Hex } from "viem";

import { HdpError } from "../../errors/hdp-error.js";
import { parseCompiledClassText } from "../../program/compiled-class.js";
import { programHash } from "../../program/program-hash.js";
import { COMPILED_SUFFIX, scarbBuild, type ScarbCommand, scarbFailed, scarbMissing } from "../../program/scarb.js";
import { flag, word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "module build",
  description: "Build a module's package with Scarb",
  positional: { dir: word("The package's folder", ".") },
  options: { release: flag("Build into target/release instead of target/dev") },
  run: async ({ dir, release }, { hre, screen }) => {
    const folder = resolve(hre.config.paths.root, dir);
    await requireManifest(folder, dir);
    const command = scarbBuild(folder, { scarb: process.env["SCARB"], release });
    screen.line(`  ${style.strong("Scarb")}  ${[command.program, ...command.arguments].join(" ")}  in ${folder}`);
    await runScarb(command);
    const classes = await builtClasses(join(folder, "target", release ? "release" : "dev"));
    for (const { file, programHash } of classes) {
      screen.line(`  ${style.good("✔")} ${file}`);
      screen.line(`    program hash ${programHash}`);
    }
    screen.document({ folder, classes });
  },
});

/** Runs Scarb to its end. @throws HdpError HDP-7031 where it is not installed, HDP-7032 where it fails */
async function runScarb({ program, arguments: args, folder }: ScarbCommand): Promise<void> {
  await new Promise<void>((done, fail) => {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => {
      fail(scarbMissing(program, error));
    });
    child.on("close", (code) => {
      if (code === 0) done();
      else fail(scarbFailed(folder, code, output));
    });
  });
}

interface BuiltClass {
  readonly file: string;
  readonly programHash: Hex;
}

async function builtClasses(folder: string): Promise<readonly BuiltClass[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(COMPILED_SUFFIX)).map((name) => join(folder, name));
  return await Promise.all(
    files.map(async (file) => ({
      file,
      programHash: programHash(parseCompiledClassText(await readFile(file, "utf8"), { file })),
    })),
  );
}

async function requireManifest(folder: string, shown: string): Promise<void> {
  const manifest = await stat(join(folder, "Scarb.toml")).catch(() => undefined);
  if (manifest?.isFile() === true) return;
  throw new HdpError({
    code: "HDP-6073",
    path: "dir",
    message: `"${shown}" is not a Scarb package: it has no Scarb.toml.`,
    hints: [`Looked in ${folder}. Name the package's folder; npx hardhat hdp:module:new <name> makes one.`],
  });
}

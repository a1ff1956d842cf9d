import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import type { Hex } from "viem";

import { systemErrorWord } from "../../base/files.js";
import { hdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import { parseCompiledClassText } from "../../program/compiled-class.js";
import { MODULE_TEMPLATES, scaffoldModule } from "../../program/scarb.js";
import { programHash } from "../../program/program-hash.js";
import { COMPILED_SUFFIX, scarbBuild, type ScarbCommand, scarbFailed, scarbMissing } from "../../program/scarb.js";
import { oneOf } from "../option-values.js";
import { command } from "../run-command.js";
import { style } from "../ui/screen.js";

export const newModule = command(async (args: { name: string; template: string }, { hre, screen }) => {
  const { name } = args;
  const template = oneOf(args.template, MODULE_TEMPLATES, { what: "a module template", path: "--template" });
  const files = scaffoldModule(name, template);
  const folder = resolve(hre.config.paths.root, name);
  // Fails where anything has that name, so that nothing is overwritten.
  await mkdir(folder).catch((cause: unknown) => {
    const hints = ["Nothing is overwritten: choose another name, or move what is there."];
    throw hdpError(
      "HDP-6207",
      { file: name, reason: systemErrorWord(cause), path: folder },
      { path: "name", hints, cause },
    );
  });
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  screen.line();
  screen.line(`  ${style.good("✔")} ${style.strong(`${name}/`)}`);
  for (const path of files.keys()) screen.line(`      ${path}`);
  screen.line();
  screen.line(`  Build it:  ${style.command(suggested("hdp module build", [name]))}`);
  const task = `tasks/${name}.json`;
  const run = files.has(task)
    ? suggested("hdp module run", [`${name}/${task}`])
    : 'npx hardhat hdp eth-call <contract> "<function>" …';
  screen.line(`  Run it:    ${style.command(run)}`);
  return { folder, files: [...files.keys()] };
});

export const build = command(async ({ dir, release }: { dir: string; release: boolean }, { hre, screen }) => {
  const folder = resolve(hre.config.paths.root, dir);
  const manifest = await stat(join(folder, "Scarb.toml")).catch(() => undefined);
  if (manifest?.isFile() !== true) throw hdpError("HDP-6073", { dir, folder }, { path: "dir" });
  const scarb = scarbBuild(folder, { scarb: process.env["SCARB"], release });
  screen.line(`  ${style.strong("Scarb")}  ${[scarb.program, ...scarb.arguments].join(" ")}  in ${folder}`);
  await runScarb(scarb);
  const classes = await builtClasses(join(folder, "target", release ? "release" : "dev"));
  for (const { file, programHash } of classes) {
    screen.line(`  ${style.good("✔")} ${file}`);
    screen.line(`    program hash ${programHash}`);
  }
  return { folder, classes };
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

import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Hex } from "viem";

import { namedPath, systemErrorWord } from "../../base/files.js";
import { plural } from "../../base/text.js";
import { hdpError, suggested } from "../../errors/hdp-error.js";
import type { UploadedClass } from "../../plugin/actions/program-actions.js";
import { cairoPathFrom } from "../../plugin/cairo-packages.js";
import { knownPrograms, programHashes } from "../../plugin/known-programs.js";
import { writeOutput } from "../../plugin/project-files.js";
import { parseCompiledClassText } from "../../program/compiled-class.js";
import {
  COMPILED_SUFFIX,
  MODULE_TEMPLATES,
  type ModuleTemplate,
  scaffoldModule,
  scarbFailed,
  scarbMissing,
} from "../../program/scarb.js";
import type { SubmissionRecord } from "../../submission/model.js";
import { parseChoice, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { requireBuildSettings } from "./build-settings.js";
import { findPackages, staleFiles } from "./class-sources.js";
import { printEarlier } from "../ui/confirm.js";
import { type Field, mark, printBlock, printFields, type Screen, style } from "../ui/screen.js";

/** Runs `hdp module new`: writes a Scarb package from a template. */
export const newModule = command(
  async (args: { name: string; template: string }, { hre, screen }) => {
    const { name } = args;
    const template = parseChoice(args.template, MODULE_TEMPLATES, {
      what: "a module template",
      path: "--template",
    });
    const folder = resolve(hre.config.paths.root, name);
    const cairoPath = await cairoPathFrom(folder, hre.config.paths.root);
    const files = scaffoldModule(name, template, cairoPath);
    // Throws if the folder exists, so that nothing is overwritten.
    await mkdir(folder).catch((cause: unknown) => {
      const hints = ["Nothing is overwritten: choose another name, or move what is there."];
      const values = { file: name, reason: systemErrorWord(cause), path: folder };
      throw hdpError("HDP-6207", values, { path: "name", hints, cause });
    });
    for (const [path, content] of files) await writeOutput(path, folder, content, "name");
    const paths = [...files.keys()];
    printBlock(
      screen,
      `  ${mark(true)} ${style.strong(`${name}/`)}`,
      ...paths.map((path) => `      ${path}`),
    );
    const next = Object.entries(nextCommands(name, template));
    printBlock(
      screen,
      ...next.map(([what, run]) => `  ${`${what}:`.padEnd(13)}${style.command(run)}`),
    );
    return { folder, files: paths };
  },
);

function nextCommands(name: string, template: ModuleTemplate): Readonly<Record<string, string>> {
  const build = suggested("hdp module build", [name]);
  if (template === "eth-call")
    return { "Build it": build, "Run it": 'npx hardhat hdp eth-call <address> "symbol()(string)"' };
  // A new development chain has no logs, and nothing of Starknet.
  const after =
    template === "events" || template === "bridge"
      ? `--recording ${name}/tests/${name}.recording.json`
      : undefined;
  return {
    "Build it": build,
    "Run it": suggested("hdp module run", [`${name}/tasks/${name}.json`], { after }),
    "Test it": suggested("hdp module test", [name]),
    "Unit tests": `cd ${name} && snforge test`,
  };
}

/** Runs `hdp module build`: compiles a Scarb package and prints the hashes of its modules. */
export const build = command(
  async (
    { dir, release, yes }: { dir: string; release: boolean; yes: boolean },
    { hre, screen, asker },
  ) => {
    const folder = namedPath(dir, hre.config.paths.root);
    const manifest = await stat(join(folder, "Scarb.toml")).catch(() => undefined);
    if (manifest?.isFile() !== true) throw hdpError("HDP-6073", { dir, folder }, { path: "dir" });
    await requireBuildSettings(folder, yes, { asker, screen });
    runScarb(folder, release, screen);
    const { programHash } = await import("../../program/program-hash.js");
    const target = join(folder, "target", release ? "release" : "dev");
    const classes: { readonly file: string; readonly programHash: Hex }[] = [];
    for (const name of await readdir(target).catch(() => [])) {
      if (!name.endsWith(COMPILED_SUFFIX)) continue;
      const file = join(target, name);
      const hash = programHash(parseCompiledClassText(await readFile(file, "utf8"), { file }));
      classes.push({ file, programHash: hash });
      screen.line(`  ${style.good("✔")} ${file}`);
      screen.line(`    program hash ${hash}`);
    }
    return { folder, classes };
  },
);

/** Builds a package with Scarb. @throws HdpError HDP-7031, HDP-7032 */
function runScarb(folder: string, release: boolean, screen: Screen): void {
  const program = process.env["SCARB"] ?? "scarb";
  const args = [...(release ? ["--release"] : []), "build"];
  screen.line(`  ${style.strong("Scarb")}  ${[program, ...args].join(" ")}  in ${folder}`);
  const scarb = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (scarb.error !== undefined) throw scarbMissing(program, scarb.error);
  if (scarb.status !== 0) throw scarbFailed(folder, scarb.status, scarb.stdout + scarb.stderr);
}

/** Builds the packages of the classes that are older than their sources, each into the profile of its class. */
export async function rebuild({ hre, screen }: CommandContext): Promise<void> {
  const stale = await staleFiles(knownPrograms(hre.config).files(), hre.config.paths.root);
  const builds = new Map(
    stale.flatMap((file) =>
      findPackages([file]).map(
        (folder) => [folder, basename(dirname(file)) === "release"] as const,
      ),
    ),
  );
  for (const [folder, release] of builds) runScarb(folder, release, screen);
}

/** Runs `hdp program hash`: prints the hashes of a compiled class. */
export const hash = command(async ({ file }: { file: string }, { hre, screen }) => {
  const hashes = await programHashes(file, hre.config.paths.root);
  printFields(screen, [
    ["Program hash", `${hashes.programHash}   (bytecode by segments: the registry's)`],
    ["Flat hash", `${hashes.flatProgramHash}   (bytecode as one list: the newer prover's)`],
  ]);
  return { file, ...hashes };
});

/** Runs `hdp program show`: prints what the registry has of a program. */
export const show = command(async ({ programHash }: { programHash: string }, { hre, screen }) => {
  const record = await hre.hdp.program.metadata(programHash);
  printFields(screen, [
    ["Program", programHash],
    ["Layout", record.layout],
    ["Cairo", String(record.version)],
  ]);
  return { programHash, ...record };
});

type UploadArguments = { file: string; force: boolean; classOnly: boolean } & Optional<
  "name" | "moduleVersion" | "changelog"
>;

function moduleFields({
  id,
  name,
  version,
  sources,
}: NonNullable<UploadedClass["module"]>): readonly Field[] {
  const shown = plural(sources.length, "source file");
  return [
    ["Module", `${name} ${version}`],
    ["Id", id],
    ...(sources.length === 0
      ? []
      : [["Sources", `${shown}, readable by everybody who knows the id`] satisfies Field]),
  ];
}

function formText({ form, module }: UploadedClass): string {
  if (module === undefined || form === undefined) return "";
  return form === "flat" ? "   (flat: the prover's)" : "   (by segments)";
}

/** Runs `hdp program upload`: uploads a compiled class to the registry. */
export const upload = command(
  async (
    { file, force, name, moduleVersion: version, changelog, classOnly }: UploadArguments,
    { hre, screen },
  ) => {
    const { root } = hre.config.paths;
    const before: SubmissionRecord[] = [];
    const onEarlier = (earlier: SubmissionRecord): void => {
      before.push(earlier);
      printEarlier(screen, earlier);
    };
    const uploaded = await hre.hdp.program.upload(relative(root, namedPath(file, root)), {
      force,
      onEarlier,
      name,
      version,
      changelog,
      classOnly,
    });
    const { module } = uploaded;
    const wasThere = before.length > 0 || module?.wasThere === true;
    if (!wasThere) printBlock(screen, `  ${mark(true)} Stored ${file}`);
    if (module?.wasThere === true)
      printBlock(
        screen,
        `  ${mark(true)} The registry has it: nothing was sent (another version: --module-version)`,
      );
    printFields(screen, [
      ...(module === undefined ? [] : moduleFields(module)),
      ["Program hash", `${uploaded.programHash}${formText(uploaded)}`],
    ]);
    if (uploaded.form === undefined) {
      screen.line(
        `  ${style.bad("!")} The registry answered another hash than was computed: ${uploaded.computedHash}`,
      );
      screen.line(
        module === undefined
          ? "    Tasks have to name the registry's hash. Check that the registry hashes compiled classes (CASM)."
          : "    It is neither of the class's two hashes (by segments, flat). Tasks are sent with the class itself; hdp:result compares the task's hash with the service's once it has ended.",
      );
    }
    return { file, ...uploaded };
  },
);

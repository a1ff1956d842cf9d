import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "viem";
import { z } from "zod";
import { getAllFilesMatching, writeJsonFile } from "@nomicfoundation/hardhat-utils/fs";
import type { HardhatConfig } from "hardhat/types/config";

import { memoized } from "../base/collections.js";
import { MAX_CLASS_BYTES, namedPath, readNamedFile, readTextFile } from "../base/files.js";
import type { ModuleProgram, NamedConvention, ProgramLimits } from "../compute/module-runner.js";
import { hdpError } from "../errors/hdp-error.js";
import type { Abi } from "../program/abi/abi.js";
import type { CompiledClass } from "../program/compiled-class.js";
import { COMPILED_SUFFIX, sierraPath } from "../program/scarb.js";
import { type StandardProgram, standardProgram } from "../request/standard-programs.js";
import { taskHash } from "../request/task-hash.js";
import type { ModuleTask } from "../request/task.js";
import type { HdpConfig } from "./config/config.js";

/** Text length below which a class is hashed within a moment. */
const MIN_CHARACTERS = 500_000;
/** Maximum number of kept hashes; the latest ones are kept. */
const MAX_HASHES = 64;
const MAX_BYTES = 64 * 1024;

const pairs = z.record(
  z.string().regex(/^[0-9a-f]{64}$/),
  z.string().regex(/^0x(?!0)[0-9a-f]{1,64}$/),
);

/**
 * Returns the program hash of the class in `text`. Hashing a large class takes seconds: its hash is kept in the
 * project's cache, by the SHA-256 of the text. An unreadable cache counts as empty, an unwritable one stays unchanged.
 */
async function rememberedHash(cache: string, text: string, compute: () => Hex): Promise<Hex> {
  if (text.length < MIN_CHARACTERS) return compute();
  const path = join(cache, "hdp", "program-hashes.json");
  const key = createHash("sha256").update(text).digest("hex");
  const known = await read(path);
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const hash = compute();
  // Another process may have written meanwhile.
  const latest = [...(await read(path)), [key, hash] as const].slice(-MAX_HASHES);
  await writeJsonFile(path, Object.fromEntries(latest)).catch(() => undefined);
  return hash;
}

async function read(path: string): Promise<ReadonlyMap<string, Hex>> {
  try {
    const parsed = pairs.parse(JSON.parse(await readTextFile(path, MAX_BYTES)));
    return new Map(Object.entries(parsed).map(([key, hash]) => [key, `0x${hash.slice(2)}`]));
  } catch {
    return new Map();
  }
}

/** Where programs of a network are. */
interface ProgramConfig {
  readonly local: HdpConfig["local"];
  readonly dataDir: HdpConfig["dataDir"];
}

/**
 * Compiled classes that modules can be run with locally, by program hash: the standard programs, classes named by task
 * files, classes under `hdp.local.programs`, and `programs/<hash>.json` in the data folder. A hash is of one bytecode: entries stay valid.
 */
export class KnownPrograms {
  readonly #programs = new Map<string, ModuleProgram>();
  readonly #folders = new Map<string, Promise<void>>();
  readonly #cache: string;

  /** @param cache folder of the project's cache, where hashes of large classes are remembered */
  public constructor(cache: string) {
    this.#cache = cache;
  }

  public add(programHash: Hex, program: ModuleProgram): void {
    this.#programs.set(key(programHash), program);
  }

  /** Returns a registered program. Reads no files. */
  public get(programHash: Hex): ModuleProgram | undefined {
    return this.#programs.get(key(programHash));
  }

  /** Returns the paths of the classes that task files named. */
  public files(): readonly string[] {
    return [...this.#programs.values()].flatMap(({ file }) => file ?? []);
  }

  /** Returns a program. @throws HdpError HDP-4411 where no class has the hash; the errors of `addClassFile` */
  public async find(programHash: Hex, config: ProgramConfig): Promise<ModuleProgram> {
    const found = await this.search(programHash, config);
    if (found !== undefined) return found;
    const { programs } = config.local;
    const looked = programs.length === 0 ? "nothing is configured" : programs.join(", ");
    const own = ownFile(programHash, config);
    throw hdpError("HDP-4411", { hash: programHash, looked, own }, { path: "programHash" });
  }

  /** Returns the program of a hash, searching the configured files too; undefined where no class has the hash. */
  public async search(programHash: Hex, config: ProgramConfig): Promise<ModuleProgram | undefined> {
    const known = this.get(programHash);
    if (known !== undefined) return known;
    const standard = standardProgram(programHash);
    if (standard !== undefined) return await this.#addStandard(standard);
    const own = ownFile(programHash, config);
    if (await isThere(own)) await this.addClassFile(own);
    for (const path of config.local.programs) await this.#addConfigured(path);
    return this.get(programHash);
  }

  /** Sets the limits of a known program's runs, where a run names none. */
  public limit(programHash: Hex, limits: ProgramLimits): void {
    const program = this.get(programHash);
    if (program !== undefined) this.add(programHash, { ...program, limits });
  }

  /**
   * Reads a compiled class, and the Sierra class beside it where there is one. Returns its program hash.
   * @throws HdpError HDP-6001 where it cannot be read, HDP-7001 and HDP-7002 where it is not a compiled class
   */
  public async addClassFile(path: string, convention: NamedConvention = {}): Promise<Hex> {
    const { parseCompiledClass, parseClassJson } = await import("../program/compiled-class.js");
    const { parseSierraAbi } = await import("../program/abi/abi.js");
    const { programHash } = await import("../program/program-hash.js");
    const text = await readClass(path);
    const compiledClassJson = parseClassJson(text, path);
    const compiled = parseCompiledClass(compiledClassJson, { file: path });
    const hash = await rememberedHash(this.#cache, text, () => programHash(compiled));
    const standard = standardProgram(hash);
    if (standard !== undefined) {
      await this.#addStandard(standard);
      return hash;
    }
    const sierra = sierraPath(path);
    if (sierra === undefined || !(await isThere(sierra))) {
      this.add(hash, { ...convention, compiledClassJson });
      return hash;
    }
    const { functionNames, withLines } = await import("../program/module-task.js");
    const sierraJson = parseClassJson(await readClass(sierra), sierra);
    const abi = parseSierraAbi(sierraJson, { file: sierra });
    this.add(hash, {
      ...convention,
      compiledClassJson,
      abi,
      functionNames: functionNames(compiled, sierraJson),
      sierraClassJson: withLines(sierraJson),
    });
    return hash;
  }

  async #addStandard(standard: StandardProgram): Promise<ModuleProgram> {
    const { standardAbi, standardClass } = await import("../program/standard-classes.js");
    const compiledClassJson = await standardClass(standard);
    const program = { compiledClassJson, abi: standardAbi(standard) };
    this.add(standard.programHash, program);
    return program;
  }

  async #addConfigured(path: string): Promise<void> {
    const reading = this.#folders.get(path) ?? this.#readConfigured(path);
    this.#folders.set(path, reading);
    // A file that could not be read is tried again the next time.
    reading.catch(() => this.#folders.delete(path));
    await reading;
  }

  async #readConfigured(path: string): Promise<void> {
    const entry = await stat(path).catch(() => undefined);
    const isFolder = entry?.isDirectory() === true;
    const files = isFolder
      ? await getAllFilesMatching(path, (file) => file.endsWith(COMPILED_SUFFIX))
      : [path];
    await Promise.all(files.map(async (file) => await this.addClassFile(file)));
  }
}

/** Returns the classes that a project knows: one collection for each configuration. */
export const knownPrograms = memoized(
  (config: HardhatConfig) => new KnownPrograms(config.paths.cache),
);

/** Normalizes a hash to the registry's form, regardless of leading zeros and letter case. */
function key(programHash: Hex): Hex {
  return `0x${BigInt(programHash).toString(16)}`;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function readClass(path: string, place = "hdp.local.programs"): Promise<string> {
  return await readNamedFile("the compiled class", path, {
    maxBytes: MAX_CLASS_BYTES,
    path: place,
  });
}

function ownFile(programHash: Hex, { dataDir }: ProgramConfig): string {
  return join(dataDir, "programs", `${key(programHash)}.json`);
}

/** The two hashes of a compiled class. */
export interface ProgramHashes {
  /** The hash that the program registry returns and module tasks name: the bytecode hashed by its segments. */
  readonly programHash: Hex;
  /** The hash that the newer prover computes: the bytecode hashed as one list. */
  readonly flatProgramHash: Hex;
}

/** Computes both hashes of a compiled class, whose path is relative to the project. Needs no network and no service. */
export async function programHashes(file: string, projectRoot: string): Promise<ProgramHashes> {
  const { flatProgramHash, programHash } = await import("../program/program-hash.js");
  const compiled = await parsedClass(namedPath(file, projectRoot), file);
  const own = programHash(compiled);
  // Without a list of segments there is nothing that a flat hash ignores.
  const isFlat = typeof compiled.bytecodeSegmentLengths !== "object";
  return { programHash: own, flatProgramHash: isFlat ? own : flatProgramHash(compiled) };
}

/**
 * Returns what names the arguments that the inputs of module tasks are of; undefined where no class that is known here says
 * those of the given tasks.
 */
export async function argumentNamer(
  tasks: readonly ModuleTask[],
  programs: KnownPrograms,
): Promise<((task: ModuleTask) => readonly string[] | undefined) | undefined> {
  const abiOf = ({ programHash }: ModuleTask): Abi | undefined => programs.get(programHash)?.abi;
  if (!tasks.some((task) => abiOf(task) !== undefined)) return undefined;
  const { argumentNames } = await import("../program/abi/arguments.js");
  return (task) => {
    const abi = abiOf(task);
    try {
      return abi && argumentNames(abi, task.inputs);
    } catch {
      // Other inputs than those of the class have no names.
      return undefined;
    }
  };
}

/** Returns a module's hash by the flat hash of its program; undefined where its class is not known here. */
export async function flatTaskHash(
  task: ModuleTask,
  programs: KnownPrograms,
  config: ProgramConfig,
): Promise<Hex | undefined> {
  const program = await programs.search(task.programHash, config);
  if (program === undefined) return undefined;
  const { rememberedClass } = await import("../program/compiled-class.js");
  const { flatProgramHash } = await import("../program/program-hash.js");
  const programHash = flatProgramHash(rememberedClass(program.compiledClassJson));
  return taskHash({ ...task, programHash });
}

/** Reads and parses a file with a compiled class. `file` names it in errors. */
export async function parsedClass(path: string, file: string): Promise<CompiledClass> {
  const { parseCompiledClassText } = await import("../program/compiled-class.js");
  return parseCompiledClassText(await readClass(path, file), { file });
}

import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Hex } from "viem";
import { z } from "zod";
import { getAllFilesMatching } from "@nomicfoundation/hardhat-utils/fs";
import type { HardhatConfig } from "hardhat/types/config";

import { MAX_CLASS_BYTES, namedPath, readTextFile, systemErrorWord } from "../base/files.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import { hdpError } from "../errors/hdp-error.js";
import type { CompiledClass } from "../program/compiled-class.js";
import type { HdpConfig } from "./config/config-types.js";

/** Classes below this size are hashed within a moment. */
const MIN_CHARACTERS = 500_000;
/** Hashes that are kept, the latest ones. */
const MAX_HASHES = 64;
const MAX_BYTES = 64 * 1024;

const pairs = z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string().regex(/^0x(?!0)[0-9a-f]{1,64}$/));

/**
 * The program hash of the class that `text` holds. That of a large class takes seconds: it is kept in Hardhat's cache, by
 * the SHA-256 of the text. A cache that cannot be read is empty, one that cannot be written stays as it is.
 *
 * @param cache folder of the project's cache
 */
export async function rememberedHash(cache: string, text: string, compute: () => Hex): Promise<Hex> {
  if (text.length < MIN_CHARACTERS) return compute();
  const path = join(cache, "hdp", "program-hashes.json");
  const key = createHash("sha256").update(text).digest("hex");
  const known = await read(path);
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const hash = compute();
  // Another process may have written meanwhile.
  const latest = [...(await read(path)), [key, hash] as const].slice(-MAX_HASHES);
  await write(path, JSON.stringify(Object.fromEntries(latest)));
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

/** In one step: who reads meanwhile sees the old file or the new one. */
async function write(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, path);
  } catch {
    // The hash is computed again the next time.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

const COMPILED_SUFFIX = ".compiled_contract_class.json";

/**
 * Compiled classes that modules can be run with here, by program hash: those that task files named, those under
 * `hdp.local.programs`, and `programs/<hash>.json` in the data folder. A hash stands for one bytecode, so what was
 * learned once stays true.
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

  /** What is known without looking into files. */
  public get(programHash: Hex): ModuleProgram | undefined {
    return this.#programs.get(key(programHash));
  }

  /** @throws HdpError HDP-4411 where no class has the hash; as `addClassFile` for a configured file that is none. */
  public async find(programHash: Hex, config: Pick<HdpConfig, "local" | "dataDir">): Promise<ModuleProgram> {
    const found = await this.search(programHash, config);
    if (found !== undefined) return found;
    const { programs } = config.local;
    const looked = programs.length === 0 ? "nothing is configured" : programs.join(", ");
    const own = ownFile(programHash, config);
    throw hdpError("HDP-4411", { hash: programHash, looked, own }, { path: "programHash" });
  }

  /** The class of a hash, looked for in the configured files too; undefined where none has it. */
  public async search(
    programHash: Hex,
    config: Pick<HdpConfig, "local" | "dataDir">,
  ): Promise<ModuleProgram | undefined> {
    const known = this.get(programHash);
    if (known !== undefined) return known;
    const own = ownFile(programHash, config);
    if (await isThere(own)) await this.addClassFile(own);
    for (const path of config.local.programs) await this.#addConfigured(path);
    return this.get(programHash);
  }

  /**
   * Reads a compiled class, and the Sierra class beside it where there is one.
   *
   * @returns its program hash
   * @throws HdpError HDP-6001 where it cannot be read, HDP-7001 to HDP-7004 where it is not a compiled class
   */
  public async addClassFile(path: string): Promise<Hex> {
    const { parseCompiledClass, parseClassJson } = await import("../program/compiled-class.js");
    const { parseSierraAbi } = await import("../program/abi/abi.js");
    const { programHash } = await import("../program/program-hash.js");
    const { sierraPathOf } = await import("../program/scarb.js");
    const text = await readClass(path);
    const compiledClassJson = parseClassJson(text, path);
    const compiled = parseCompiledClass(compiledClassJson, { file: path });
    const hash = await rememberedHash(this.#cache, text, () => programHash(compiled));
    const sierra = sierraPathOf(path);
    if (sierra === undefined || !(await isThere(sierra))) {
      this.add(hash, { compiledClassJson });
      return hash;
    }
    const { functionNames } = await import("../program/function-names.js");
    const sierraJson = parseClassJson(await readClass(sierra), sierra);
    const abi = parseSierraAbi(sierraJson, { file: sierra });
    this.add(hash, { compiledClassJson, abi, functionNames: functionNames(compiled, sierraJson) });
    return hash;
  }

  async #addConfigured(path: string): Promise<void> {
    const reading = this.#folders.get(path) ?? this.#readConfigured(path);
    this.#folders.set(path, reading);
    // What could not be read is tried again the next time.
    reading.catch(() => this.#folders.delete(path));
    await reading;
  }

  async #readConfigured(path: string): Promise<void> {
    const entry = await stat(path).catch(() => undefined);
    const files =
      entry?.isDirectory() === true
        ? await getAllFilesMatching(path, (file) => file.endsWith(COMPILED_SUFFIX))
        : [path];
    await Promise.all(files.map(async (file) => await this.addClassFile(file)));
  }
}

const libraries = new WeakMap<HardhatConfig, KnownPrograms>();

/** The programs of a Hardhat runtime environment. */
export function knownPrograms(config: HardhatConfig): KnownPrograms {
  const known = libraries.get(config);
  if (known !== undefined) return known;
  const library = new KnownPrograms(config.paths.cache);
  libraries.set(config, library);
  return library;
}

/** A hash as the registry prints it, whatever zeros and letter case it was written with. */
function key(programHash: Hex): Hex {
  return `0x${BigInt(programHash).toString(16)}`;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function readClass(path: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_CLASS_BYTES);
  } catch (error) {
    const values = { what: "the compiled class", reason: systemErrorWord(error), path };
    throw hdpError("HDP-6001", values, { path: "hdp.local.programs", cause: error });
  }
}

/** Where a class of the project itself is looked for. */
function ownFile(programHash: Hex, { dataDir }: Pick<HdpConfig, "dataDir">): string {
  return join(dataDir, "programs", `${key(programHash)}.json`);
}

/** Both hashes of a compiled class. */
export interface ProgramHashes {
  /** What the program registry returns and a module task names: the bytecode hashed by its segments. */
  readonly programHash: Hex;
  /** What the newer prover computes: the bytecode hashed as one list. */
  readonly flatProgramHash: Hex;
}

/** Hashes of a compiled class, whose path is relative to the project. Needs no network and no service. */
export async function programHashes(file: string, projectRoot: string): Promise<ProgramHashes> {
  const { flatProgramHash, programHash } = await import("../program/program-hash.js");
  const compiled = await parsedClass(namedPath(file, projectRoot), file);
  const own = programHash(compiled);
  // Without a list of segments there is nothing that a flat hash ignores.
  const isFlat = typeof compiled.bytecodeSegmentLengths !== "object";
  return { programHash: own, flatProgramHash: isFlat ? own : flatProgramHash(compiled) };
}

export async function parsedClass(path: string, file: string): Promise<CompiledClass> {
  const { parseCompiledClassText } = await import("../program/compiled-class.js");
  const text = await readTextFile(path, MAX_CLASS_BYTES).catch((cause: unknown) => {
    const values = { what: "the compiled class", reason: systemErrorWord(cause), path };
    throw hdpError("HDP-6001", values, { path: file, cause });
  });
  return parseCompiledClassText(text, { file });
}

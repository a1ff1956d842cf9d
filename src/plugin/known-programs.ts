import { stat } from "node:fs/promises";
import { join } from "node:path";

import { getAllFilesMatching } from "@nomicfoundation/hardhat-utils/fs";
import type { HardhatConfig } from "hardhat/types/config";
import type { Hex } from "viem";

import { MOST_CLASS_BYTES, readTextFile, systemErrorWord } from "../base/files.js";
import { HdpError } from "../errors/hdp-error.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import type { HdpConfig } from "./config/config-types.js";
import { rememberedHash } from "./remembered-hashes.js";

const COMPILED_SUFFIX = ".compiled_contract_class.json";

/**
 * Compiled classes that modules can be run with here, by program hash: those that task files named, those under
 * `hdp.local.programs`, and `programs/<hash>.json` in the journal's folder. A hash stands for one bytecode, so what was
 * learned once stays true.
 */
export class KnownPrograms {
  readonly #programs = new Map<string, ModuleProgram>();
  readonly #folders = new Map<string, Promise<void>>();
  readonly #cache: string | undefined;

  /** @param cache folder of the project's cache, where hashes of large classes are remembered */
  public constructor(cache?: string) {
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
  public async find(programHash: Hex, config: Pick<HdpConfig, "local" | "journal">): Promise<ModuleProgram> {
    return (await this.search(programHash, config)) ?? this.#unknown(programHash, config, ownFile(programHash, config));
  }

  /** The class of a hash, looked for in the configured files too; undefined where none has it. */
  public async search(
    programHash: Hex,
    config: Pick<HdpConfig, "local" | "journal">,
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
   * @throws HdpError HDP-6070 where it cannot be read, HDP-7001 to HDP-7004 where it is not a compiled class
   */
  public async addClassFile(path: string): Promise<Hex> {
    const { parseCompiledClass, parseClassJson } = await import("../program/compiled-class.js");
    const { parseSierraAbi } = await import("../program/abi/abi.js");
    const { programHash } = await import("../program/program-hash.js");
    const { sierraPathOf } = await import("../program/scarb.js");
    const text = await readClass(path);
    const compiledClassJson = parseClassJson(text, path);
    const compiled = parseCompiledClass(compiledClassJson, { file: path });
    const compute = (): Hex => programHash(compiled);
    const hash = this.#cache === undefined ? compute() : await rememberedHash(this.#cache, text, compute);
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
    const known = this.#folders.get(path);
    if (known !== undefined) {
      await known;
      return;
    }
    const reading = this.#readConfigured(path);
    this.#folders.set(path, reading);
    // What could not be read is tried again the next time.
    reading.catch(() => this.#folders.delete(path));
    await reading;
  }

  async #readConfigured(path: string): Promise<void> {
    const isFolder = await stat(path).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    const files = isFolder ? await getAllFilesMatching(path, (file) => file.endsWith(COMPILED_SUFFIX)) : [path];
    await Promise.all(files.map(async (file) => await this.addClassFile(file)));
  }

  #unknown(programHash: Hex, { local }: Pick<HdpConfig, "local">, own: string): never {
    const looked = local.programs.length === 0 ? "nothing is configured" : local.programs.join(", ");
    throw new HdpError({
      code: "HDP-4411",
      path: "programHash",
      message: `the compiled class of program ${programHash} is not known here, so it cannot be run locally.`,
      hints: [
        'Name the class in the task: "module": { "class": "path", "arguments": { … } }, in place of programHash.',
        `Or configure it: hdp.local.programs: ["path of a class or of a folder"] (now: ${looked}).`,
        `Or put the class there: ${own}`,
      ],
    });
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
  return await stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

async function readClass(path: string): Promise<string> {
  try {
    return await readTextFile(path, MOST_CLASS_BYTES);
  } catch (error) {
    throw new HdpError({
      code: "HDP-6070",
      path: "hdp.local.programs",
      message: `the class "${path}" can't be read (${systemErrorWord(error)}).`,
      hints: ["Name a compiled class or a folder of them, relative to the project. Build the module first."],
      cause: error,
    });
  }
}

/** Where a class of the project itself is looked for. */
function ownFile(programHash: Hex, { journal }: Pick<HdpConfig, "journal">): string {
  return join(journal, "programs", `${key(programHash)}.json`);
}

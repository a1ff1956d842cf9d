import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "viem";

import { nodeFs } from "../base/durable-fs.js";
import { type CompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
import type { HashedClass } from "./front-problem.js";
import { FRONT_LIMITS } from "./limits.js";
import { readClass } from "./read-class.js";

/** Builtins that each Cairo layout has, fewest trace columns first; of those that cover a program the first is meant. */
const LAYOUTS = [
  ["recursive_with_poseidon", ["output", "pedersen", "range_check", "bitwise", "poseidon"]],
  ["starknet", ["output", "pedersen", "range_check", "ecdsa", "bitwise", "ec_op", "poseidon"]],
] as const;

const EVERYTHING = "starknet_with_keccak";

/**
 * The layout that the published registry tells for a program: the smallest that has all builtins of its external entry
 * points. The registry's layout `recursive` never wins, because `recursive_with_poseidon` has all that it has.
 */
export function programLayout(compiled: CompiledClass): string {
  const builtins = new Set(compiled.entryPointsByType.EXTERNAL.flatMap((entryPoint) => entryPoint.builtins));
  const fitting = LAYOUTS.find(([, offered]) => {
    const names = new Set<string>(offered);
    return [...builtins].every((builtin) => names.has(builtin));
  });
  return fitting?.[0] ?? EVERYTHING;
}

/** A stored program with what the registry publishes of it. */
export class StoredProgram {
  /** Lower case, no leading zeros. */
  public readonly hash: Hex;
  /** The class as it was uploaded, byte for byte. */
  public readonly text: string;
  #compiled: CompiledClass | undefined;

  public constructor(hash: Hex, text: string) {
    this.hash = hash;
    this.text = text;
  }

  /** Read when it is first asked for: a folder may hold many programs that nobody asks for. */
  public get compiled(): CompiledClass {
    return (this.#compiled ??= parseCompiledClassText(this.text));
  }

  public get layout(): string {
    return programLayout(this.compiled);
  }

  /** Major version of its compiler. */
  public get version(): number {
    return Number.parseInt(this.compiled.compilerVersion, 10);
  }
}

/** Compiled classes by program hash, in memory and, with a folder, on disk: one file a program. */
export class ProgramStore {
  readonly #folder: string | undefined;
  readonly #programs = new Map<Hex, StoredProgram>();

  private constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Reads what the folder holds; a file that was cut off while it was written has another name and is passed over. */
  public static async open(dataDir: string | undefined): Promise<ProgramStore> {
    const folder = dataDir === undefined ? undefined : join(dataDir, "programs");
    const store = new ProgramStore(folder);
    if (folder === undefined) return store;
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const [, hash] = /^0x([0-9a-f]+)\.json$/.exec(name) ?? [];
      if (hash === undefined) continue;
      const text = await readFile(join(folder, name), "utf8");
      store.#programs.set(`0x${hash}`, new StoredProgram(`0x${hash}`, text));
    }
    return store;
  }

  /**
   * Stores a class; one that is stored already stays. When the promise resolves the file is on disk.
   *
   * @throws HdpError of area 7xxx where the text is no compiled class.
   */
  public async add(text: string): Promise<StoredProgram> {
    return await this.put(await readClass(text, FRONT_LIMITS));
  }

  /** The same with a class that is hashed already. */
  public async put({ hash, text }: HashedClass): Promise<StoredProgram> {
    const known = this.#programs.get(hash);
    if (known !== undefined) return known;
    if (this.#folder !== undefined) await writeDurably(this.#folder, `${hash}.json`, text);
    const program = new StoredProgram(hash, text);
    this.#programs.set(hash, program);
    return program;
  }

  public get(hash: string): StoredProgram | undefined {
    return /^0x[0-9a-fA-F]{1,64}$/.test(hash) ? this.#programs.get(`0x${BigInt(hash).toString(16)}`) : undefined;
  }

  /** The compiled class of a program, for a module runner. */
  public compiledClass(hash: string): CompiledClass | undefined {
    return this.get(hash)?.compiled;
  }
}

async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const partial = join(folder, `${name}.${process.pid}.partial`);
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // On a full disk it would take the room that others wait for.
    await rm(partial, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(partial, join(folder, name));
  await nodeFs.syncDirectory(folder);
}

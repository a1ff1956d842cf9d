import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

import type { Hex } from "viem";

import { type CompiledClass, parseCompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
import { programHash } from "../program/program-hash.js";
import { nodeFs } from "../base/durable-fs.js";

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
export interface StoredProgram {
  /** Lower case, no leading zeros. */
  readonly hash: Hex;
  /** The class as it was uploaded, byte for byte. */
  readonly text: string;
  readonly compiled: CompiledClass;
  readonly layout: string;
  /** Major version of its compiler. */
  readonly version: number;
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
      if (!/^0x[0-9a-f]+\.json$/.test(name)) continue;
      const program = readProgram(await readFile(join(folder, name), "utf8"));
      store.#programs.set(program.hash, program);
    }
    return store;
  }

  /**
   * Stores a class; one that is stored already stays. When the promise resolves the file is on disk.
   *
   * @throws HdpError of area 7xxx where the text is no compiled class.
   */
  public async add(text: string): Promise<StoredProgram> {
    const program = readProgram(text);
    const known = this.#programs.get(program.hash);
    if (known !== undefined) return known;
    if (this.#folder !== undefined) await writeDurably(this.#folder, `${program.hash}.json`, text);
    this.#programs.set(program.hash, program);
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

/** The hash of a class in a request, without storing it. @throws HdpError of area 7xxx where it is none. */
export function hashOfClass(json: unknown): Hex {
  return programHash(parseCompiledClass(json));
}

function readProgram(text: string): StoredProgram {
  const compiled = parseCompiledClassText(text);
  const version = Number.parseInt(compiled.compilerVersion, 10);
  return { hash: programHash(compiled), text, compiled, layout: programLayout(compiled), version };
}

async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const partial = join(folder, `${name}.${process.pid}.partial`);
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, join(folder, name));
  await nodeFs.syncDirectory(folder);
}

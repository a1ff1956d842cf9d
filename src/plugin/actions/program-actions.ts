import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import type { Hex } from "viem";

import { systemErrorWord } from "../../base/system-error.js";
import { HdpError } from "../../base/errors.js";
import type { ServiceCallOptions } from "../../service/http/http-client.js";
import type { ProgramRecord } from "../../service/program-registry/program-registry.js";
import { knownPrograms } from "../known-programs.js";
import type { Scope } from "../session.js";
import type { TaskInput } from "../task-input.js";
import type { DryRunOptions, ModuleDryRun } from "./module-runs.js";

/** Both hashes of a compiled class. */
export interface ProgramHashes {
  /** What the program registry returns and a module task names: the bytecode hashed by its segments. */
  readonly programHash: Hex;
  /** What the newer prover computes: the bytecode hashed as one list. */
  readonly flatProgramHash: Hex;
}

export interface UploadedClass {
  /** The registry's answer: the hash to name in module tasks. */
  readonly programHash: Hex;
  /** The hash computed here, before the upload. */
  readonly computedHash: Hex;
  /** Whether the two are the same. */
  readonly matches: boolean;
  /** The registry's reply as it came. */
  readonly raw: unknown;
}

/** `hdp.program`: compiled modules and the program registry. Paths are relative to the project. */
export interface ProgramActions {
  /** Hashes of a compiled class. Needs no network and no service. */
  readonly hash: (file: string) => Promise<ProgramHashes>;
  /** Stores a compiled class in the registry. The file is read and hashed first; a wrong file is never sent. */
  readonly upload: (file: string, options?: ServiceCallOptions) => Promise<UploadedClass>;
  /** What the registry knows of a program. */
  readonly metadata: (programHash: string, options?: ServiceCallOptions) => Promise<ProgramRecord>;
  /**
   * Makes a compiled class known here, so that tasks that name only its program hash can be run locally.
   *
   * @returns its program hash
   */
  readonly register: (file: string) => Promise<Hex>;
  /** Runs the module tasks of an input over the connected chains without submitting them, one run for each. */
  readonly run: (input: TaskInput, options?: DryRunOptions) => Promise<readonly ModuleDryRun[]>;
}

/** What a function does not need it does not load: a hash needs neither a client nor a chain. */
export function programActions({ project, session }: Scope): ProgramActions {
  const { config } = project;
  const absolute = (file: string): string => resolve(config.paths.root, file);

  const hash: ProgramActions["hash"] = async (file) => {
    const { parseCompiledClassText } = await import("../../program/compiled-class.js");
    const { flatProgramHash, programHash } = await import("../../program/program-hash.js");
    const compiled = parseCompiledClassText(await readClass(absolute(file), file), { file });
    return { programHash: programHash(compiled), flatProgramHash: flatProgramHash(compiled) };
  };

  return {
    hash,
    upload: async (file, options) => {
      const { programRegistry } = await import("../service-clients.js");
      const registry = await programRegistry(await session());
      const { programHash: computedHash } = await hash(file);
      const { programHash, raw } = await registry.upload({ path: absolute(file) }, options);
      return { programHash, computedHash, matches: BigInt(programHash) === BigInt(computedHash), raw };
    },
    metadata: async (programHash, options) => {
      const { programRegistry } = await import("../service-clients.js");
      return await (await programRegistry(await session())).metadata(programHash, options);
    },
    register: async (file) => await knownPrograms(config).addClassFile(absolute(file)),
    run: async (input, options) => {
      const { runModules } = await import("./module-runs.js");
      return await runModules(input, await session(), options);
    },
  };
}

async function readClass(absolute: string, shown: string): Promise<string> {
  try {
    return await readFile(absolute, "utf8");
  } catch (error) {
    throw new HdpError({
      code: "HDP-6043",
      path: shown,
      message: `the compiled class can't be read (${systemErrorWord(error)}).`,
      hints: [`Looked for ${absolute}. Paths are relative to the project. Nothing was sent.`],
      cause: error,
    });
  }
}

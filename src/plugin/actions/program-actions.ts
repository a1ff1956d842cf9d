import { resolve } from "node:path";

import type { Hex } from "viem";
import { isHex } from "viem/utils";

import type { ServiceCallOptions } from "../../service/http/http-client.js";
import type { ProgramRecord } from "../../service/program-registry.js";
import type { SendOptions } from "../services.js";
import { knownPrograms, parsedClass } from "../known-programs.js";
import type { Scope } from "../session.js";
import type { Taken } from "../task-input.js";
import type { DryRunOptions, ModuleDryRun } from "./module-runs.js";

export interface UploadedClass {
  /** The hash in the registry's answer: the one to name in module tasks. */
  readonly programHash: Hex;
  /** The hash that was computed locally before the upload. */
  readonly computedHash: Hex;
  /** Whether the two are the same. */
  readonly matches: boolean;
  /** The registry's unmodified reply. */
  readonly raw: unknown;
}

/** `hdp.program`: compiled modules and the program registry. Paths are relative to the project. */
export interface ProgramActions {
  /**
   * Stores a compiled class in the registry. The file is read and hashed first: an invalid file is never sent. Nor,
   * without `force`, is a class that the registry has accepted before and still knows.
   */
  readonly upload: (file: string, options?: ServiceCallOptions & SendOptions) => Promise<UploadedClass>;
  /** Returns the registry's record of a program. */
  readonly metadata: (programHash: string, options?: ServiceCallOptions) => Promise<ProgramRecord>;
  /** Registers a class, so that tasks that name only its program hash run locally. Returns the program hash. */
  readonly register: (file: string) => Promise<Hex>;
  /** Runs the module tasks of an input over the connected chains without submitting them, one run for each. */
  readonly run: <const T>(input: T & Taken<T>, options?: DryRunOptions) => Promise<readonly ModuleDryRun[]>;
}

/** Each function loads only what it needs: a hash needs neither a client nor a chain. */
export function programActions({ project, session }: Scope): ProgramActions {
  const { config } = project;
  const absolute = (file: string): string => resolve(config.paths.root, file);

  return {
    upload: async (file, options = {}) => {
      const path = absolute(file);
      const { programHash: hashOf } = await import("../../program/program-hash.js");
      const computedHash = hashOf(await parsedClass(path, file));
      const { programRegistry, sendOnce } = await import("../services.js");
      const own = await session();
      const { client, service } = await programRegistry(own);
      const { answer, earlier } = await sendOnce(own, service, {
        kind: "program",
        content: computedHash,
        options: { label: file, ...options },
        send: async (call) => await client.upload({ path }, call),
        idOf: ({ programHash }) => programHash,
        // A registry that fails may answer as one that does not know the program. To send it again is harmless: a
        // registry stores a class once, and answers a second upload with the same hash.
        look: async (hash) => await client.metadata(hash, { signal: options.signal, attempts: 1 }),
      });
      const raw = answer?.raw ?? earlier?.serviceId ?? computedHash;
      const programHash = answer?.programHash ?? (isHex(raw) ? raw : computedHash);
      return { programHash, computedHash, matches: BigInt(programHash) === BigInt(computedHash), raw };
    },
    metadata: async (programHash, options) => {
      const { programRegistry } = await import("../services.js");
      const { client } = await programRegistry(await session());
      return await client.metadata(programHash, options);
    },
    register: async (file) => await knownPrograms(config).addClassFile(absolute(file)),
    run: async (input: unknown, options) => {
      const { runModules } = await import("./module-runs.js");
      return await runModules(input, await session(), options);
    },
  };
}

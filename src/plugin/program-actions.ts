import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import { HdpError } from "../base/errors.js";
import type { ProgramActions, ProgramHashes } from "./action-types.js";
import { atTheEdge } from "./plugin-error.js";

/** `hdp.program`. Loads the hash function and the client where they are used. */
export class LazyProgramActions implements ProgramActions {
  readonly #context: Pick<HookContext, "config" | "network">;
  readonly #connection: () => Promise<NetworkConnection<string>>;

  public constructor(
    context: Pick<HookContext, "config" | "network">,
    connection: () => Promise<NetworkConnection<string>>,
  ) {
    this.#context = context;
    this.#connection = connection;
  }

  public readonly hash: ProgramActions["hash"] = async (file) => await atTheEdge(async () => await this.#hashes(file));

  public readonly upload: ProgramActions["upload"] = async (file, options) =>
    await atTheEdge(async () => {
      const { programRegistry } = await import("./service-clients.js");
      const registry = await programRegistry(await this.#connection());
      const { programHash: computedHash } = await this.#hashes(file);
      const { programHash, raw } = await registry.upload({ path: this.#resolve(file) }, options);
      return { programHash, computedHash, matches: BigInt(programHash) === BigInt(computedHash), raw };
    });

  public readonly metadata: ProgramActions["metadata"] = async (programHash, options) =>
    await atTheEdge(async () => {
      const { programRegistry } = await import("./service-clients.js");
      return await (await programRegistry(await this.#connection())).metadata(programHash, options);
    });

  public readonly register: ProgramActions["register"] = async (file) =>
    await atTheEdge(async () => {
      const { knownPrograms } = await import("./known-programs.js");
      return await knownPrograms(this.#context.config).addClassFile(this.#resolve(file));
    });

  public readonly run: ProgramActions["run"] = async (input, options) =>
    await atTheEdge(async () => {
      const { knownPrograms } = await import("./known-programs.js");
      const { defaultDestination } = await import("./destination.js");
      const { runModules } = await import("./module-runs.js");
      const { readTaskInput } = await import("./task-input.js");
      const { config } = this.#context;
      const connection = await this.#connection();
      const known = { projectRoot: config.paths.root, programs: knownPrograms(config) };
      const request = await readTaskInput(input, known, async () => await defaultDestination(connection));
      return await runModules(request, connection, this.#context, options);
    });

  #resolve(file: string): string {
    return resolve(this.#context.config.paths.root, file);
  }

  async #hashes(file: string): Promise<ProgramHashes> {
    const { parseCompiledClassText } = await import("../program/compiled-class.js");
    const { flatProgramHash, programHash } = await import("../program/program-hash.js");
    const compiled = parseCompiledClassText(await readClass(this.#resolve(file), file), { file });
    return { programHash: programHash(compiled), flatProgramHash: flatProgramHash(compiled) };
  }
}

async function readClass(absolute: string, shown: string): Promise<string> {
  try {
    return await readFile(absolute, "utf8");
  } catch (error) {
    throw new HdpError({
      code: "HDP-6043",
      path: shown,
      message: `the compiled class can't be read (${error instanceof Error && "code" in error ? String(error.code) : String(error)}).`,
      hints: [`Looked for ${absolute}. Paths are relative to the project. Nothing was sent.`],
      cause: error,
    });
  }
}

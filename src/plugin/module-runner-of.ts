import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { shownJson } from "../base/json.js";
import { providerSentence } from "../base/rpc.js";
import { learnAddress } from "../errors/secrets.js";
import type { StateServer } from "../cairo/injected-state.js";
import { createStarknetRpcReader } from "../chain/starknet-chain-reader.js";
import type { StarknetReader } from "../chain/chain-reader.js";
import type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import { hdpError, type HdpError, isHdpError } from "../errors/hdp-error.js";
import { chainIdentifierOf, findChainIdentifier } from "../request/chains.js";
import type { ModuleTask } from "../request/task.js";
import { boundedFetch } from "../store/starknet/starknet-js.js";
import type { HdpConfig } from "./config/config.js";
import { knownPrograms } from "./known-programs.js";
import type { Session } from "./session.js";

/** Returns readers of Starknet chains by `hdp.starknet.<chain>.rpcUrl`; undefined for a chain that is not configured. */
export function starknetReaders(
  { starknet, timeouts }: Pick<HdpConfig, "starknet" | "timeouts">,
  send: typeof fetch = fetch,
): (chainId: bigint) => Promise<StarknetReader | undefined> {
  const readers = new Map<bigint, StarknetReader>();
  const bounded = boundedFetch({ timeout: timeouts.rpc }, send);
  return async (chainId) => {
    const known = readers.get(chainId);
    if (known !== undefined) return known;
    const chain = chainIdentifierOf(chainId);
    const [, config] =
      Object.entries(starknet).find(([name]) => findChainIdentifier(name) === chain) ?? [];
    if (chain === undefined || config === undefined) return undefined;
    const url = learnAddress(await config.rpcUrl.getUrl());
    const reader = createStarknetRpcReader(async (method, params) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      const failed = (error: unknown): HdpError => {
        const advice = "Check the address, and that the node has the block that the module reads.";
        const values = { call: method, reason: providerSentence(error), whose: undefined, advice };
        return hdpError("HDP-4103", values, { path: `hdp.starknet.${chain}.rpcUrl` });
      };
      let answer: unknown;
      try {
        answer = await (await bounded(url, { method: "POST", headers, body })).json();
      } catch (error) {
        throw failed(error instanceof SyntaxError ? "the answer is not JSON" : error);
      }
      if (isRecord(answer) && "result" in answer) return answer["result"];
      throw failed(shownJson(isRecord(answer) && "error" in answer ? answer["error"] : answer));
    });
    readers.set(chainId, reader);
    return reader;
  };
}

/** Sources that are searched in addition to those of the project's configuration. */
export interface ModuleSources {
  readonly stored?: ((programHash: Hex) => ModuleProgram | undefined) | undefined;
  /** Returns the error for an unknown program, instead of the project's own error. */
  readonly unknown?: ((programHash: Hex) => Error) | undefined;
  readonly ownStateServer?: (() => StateServer | undefined) | undefined;
}

/**
 * Returns the module runner of a session, configured by its `hdp.local`. Programs are looked up in `stored` before the
 * project's known classes; tries of injected state in `ownStateServer` before `hdp.local.stateServer`.
 */
export function moduleRunnerOf(
  { config, project }: Session,
  { stored, unknown, ownStateServer }: ModuleSources = {},
): ModuleRunner {
  // The first module task loads the Cairo machine: most projects have no module tasks.
  let runner: Promise<ModuleRunner> | undefined;
  const programFor = async (programHash: Hex): Promise<ModuleProgram> => {
    const found = stored?.(programHash);
    if (found !== undefined) return found;
    try {
      return await knownPrograms(project.config).find(programHash, config);
    } catch (error) {
      throw isHdpError(error, "HDP-4411") ? (unknown?.(programHash) ?? error) : error;
    }
  };
  const run = async (task: ModuleTask, context: ModuleContext): Promise<ModuleOutcome> => {
    runner ??= import("../compute/module-runner.js").then(({ moduleRunner }) =>
      moduleRunner({
        programFor,
        generation: config.local.generation,
        result: config.local.moduleResult,
        starknetReaderFor: starknetReaders(config),
        stateServer: async () => {
          const { stateServer } = await import("./services.js");
          return ownStateServer?.() ?? (await stateServer(config));
        },
      }),
    );
    const compute = await runner;
    return await compute(task, context);
  };
  const requireProgram = async ({ programHash }: ModuleTask): Promise<void> => {
    await programFor(programHash);
  };
  return Object.assign(run, { requireProgram });
}

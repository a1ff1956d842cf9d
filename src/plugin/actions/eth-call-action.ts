import { resolve } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { Abi, Address, Hex } from "viem";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";

import { MAX_CLASS_BYTES, readTextFile } from "../../base/files.js";
import { ethCallAnswer, ethCallInputs } from "../../compute/module-values.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { TaskResult } from "../../request/lifecycle.js";
import { CHAIN_IDS } from "../../request/chains.js";
import { outputRoot } from "../../request/merkle.js";
import { defaultDestination } from "../destination.js";
import { knownPrograms, rememberedHash } from "../known-programs.js";
import { namedClasses } from "../module-classes.js";
import { parseDestination, type Scope, type Session } from "../session.js";
import { runModules } from "./module-runs.js";
import { type RunOptions, submissionActions } from "./submission-actions.js";

/** A call of a view function: its data, or the function by its ABI. */
export type EthCallRequest = {
  readonly to: Address;
  /** The caller, an existing account at that block. Default: the node's first account, else 0. */
  readonly from?: Address | undefined;
  /** State after this block, the latest by default. */
  readonly block?: bigint | undefined;
  /** Chain identifier of the contract's chain, by default the connection's own. */
  readonly chain?: string | undefined;
} & (
  | { readonly data: Hex; readonly abi?: undefined }
  | {
      readonly data?: undefined;
      readonly abi: Abi;
      readonly functionName: string;
      readonly args?: readonly unknown[] | undefined;
    }
);

/** A proven call: what it returned, and the finalized task behind it. */
export interface EthCallResult {
  /** False where the call reverted, or ran out of the 50,000,000 gas that it has. */
  readonly success: boolean;
  /** Return data, or the revert's data. */
  readonly data: Hex;
  readonly gasUsed: bigint;
  /** The decoded return value of a call by ABI that succeeded. */
  readonly value: unknown;
  readonly block: bigint;
  /** The task as any other: its hash, its stored word and its store. */
  readonly result: TaskResult;
}

export interface EthCallActions {
  /**
   * Runs an `eth_call` by a module with an EVM in it, over proven headers, accounts, storage and code, and finalizes it.
   * Contracts read the result by the task hash; the stored result is the root over what the module returned.
   *
   * @throws HdpError HDP-4424 without a module; a call that reverts is a result
   */
  readonly ethCall: (request: EthCallRequest, options?: RunOptions) => Promise<EthCallResult>;
}

export function ethCallActions(scope: Scope): EthCallActions {
  return {
    ethCall: async (request, options) => {
      const session = await scope.session();
      const { to } = request;
      const call =
        request.abi === undefined
          ? undefined
          : { abi: request.abi, functionName: request.functionName, args: request.args ?? [] };
      const data = call === undefined ? (request.data ?? "0x") : encodeFunctionData(call);
      const from = request.from ?? (await firstAccount(session));
      const chain = request.chain === undefined ? await defaultDestination(session) : parseDestination(request.chain);
      const block = request.block ?? (await session.head());
      const task = {
        type: "Module" as const,
        programHash: await ethCallProgram(session),
        inputs: [...ethCallInputs({ chainId: CHAIN_IDS[chain], block, from, to, data })],
      };
      const [result] = await submissionActions(scope).run(task, options);
      // A service tells the stored word only: the same run here says what it is the root of.
      const output = result.output ?? (await runModules(task, session))[0]?.run.retdata ?? [];
      if (outputRoot(output) !== result.word) throw notTheRoot(result.word);
      const answer = ethCallAnswer(output);
      const isDecoded = call !== undefined && answer.success;
      const value: unknown = isDecoded ? decodeFunctionResult({ ...call, data: answer.data }) : undefined;
      return { ...answer, value, block, result };
    },
  };
}

const NO_SENDER: Address = "0x0000000000000000000000000000000000000000";

/** Nodes may refuse to list accounts. */
async function firstAccount(session: Session): Promise<Address> {
  const [first = NO_SENDER] = await session.accounts().catch(() => []);
  return first;
}

function notTheRoot(word: Hex): Error {
  const reason = `the stored result ${word} is not the root over what it returned here`;
  const hints = ['hdp.local.moduleResult has to be "output-root", and the service has to run the same class.'];
  return hdpError("HDP-4425", { reason }, { path: "hdp.local.ethCallModule", hints });
}

/** The class that was last used in a project: consecutive calls use the same one. */
const lastUsed = new WeakMap<HardhatConfig, { readonly text: string; readonly hash: Hex }>();

/** Returns the program hash of the class of proven calls and adds it to the project's programs. @throws HdpError HDP-4424 */
async function ethCallProgram({ config, project, root }: Session): Promise<Hex> {
  const { file, text } = await readClass(config.local.ethCallModule, root);
  const last = lastUsed.get(project.config);
  if (last?.text === text) return last.hash;
  const { parsePlainJson } = await import("../../base/json.js");
  const { parseCompiledClass } = await import("../../program/compiled-class.js");
  const { programHash } = await import("../../program/program-hash.js");
  const json = parsePlainJson(text, { source: file });
  const hash = await rememberedHash(project.config.paths.cache, text, () =>
    programHash(parseCompiledClass(json, { file })),
  );
  // Without the calling convention, the module would be started six times to find it.
  knownPrograms(project.config).add(hash, { compiledClassJson: json, generation: "head", leadingFelts: 8 });
  lastUsed.set(project.config, { text, hash });
  return hash;
}

const CLASS_PATH = /[\\/]|\.json$/;

async function readClass(name: string, root: string): Promise<{ readonly file: string; readonly text: string }> {
  for (const file of CLASS_PATH.test(name) ? [resolve(root, name)] : await namedClasses(name, [root])) {
    const text = await readTextFile(file, MAX_CLASS_BYTES).catch(() => undefined);
    if (text !== undefined) return { file, text };
  }
  throw hdpError("HDP-4424", { name }, { path: "hdp.local.ethCallModule" });
}

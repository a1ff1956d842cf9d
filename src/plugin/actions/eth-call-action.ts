import { resolve } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { Abi, Address, Hex } from "viem";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";

import { MAX_CLASS_BYTES, readTextFile } from "../../base/files.js";
import {
  type EthCall,
  type EthCallAnswer,
  ethCallAnswer,
  ethCallInputs,
  expectedReads,
} from "../../compute/proven-call.js";
import type { ModuleRead } from "../../cairo/module-read.js";
import type { ModuleRun } from "../../compute/run-module.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { TaskResult } from "../../request/task-result.js";
import { CHAIN_IDS, type ChainIdentifier } from "../../request/chains.js";
import { ChainSources } from "../chain-sources.js";
import { defaultDestination } from "../destination.js";
import type { ProgramLimits } from "../../compute/module-runner.js";
import { knownPrograms } from "../known-programs.js";
import { namedClasses } from "../class-files.js";
import { accessList, type CallOutcome, likelyCause, NO_SENDER, nodeAnswer } from "../node-call.js";
import type { ConfiguredProject, Scope } from "../session.js";
import { parseDestination } from "../../request/chain-names.js";
import { checkedRequest, runChecked } from "../checked-request.js";
import { readTaskInput } from "../task-input.js";
import { runUnanchored } from "./program-actions.js";
import type { RunOptions } from "./submission-actions.js";

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

/** Options of `hdp.ethCall`. */
export interface EthCallOptions extends RunOptions {
  /** Finalize the module's answer even if the node answers otherwise or cannot be asked. */
  readonly evenIfDifferent?: boolean | undefined;
  /** Steps that the module may make, here and by the local data processor. Default 100 million. */
  readonly maxSteps?: number | undefined;
  /** Cells of memory of 8 bytes. Default 2^27, 1 GiB. */
  readonly maxMemoryCells?: number | undefined;
}

/** A proven call: the returned data, and the finalized task behind it. */
export interface EthCallResult extends EthCallAnswer {
  /** The decoded return value of a call by ABI that succeeded. */
  readonly value: unknown;
  readonly block: bigint;
  /** False only with `evenIfDifferent`: the node's own `eth_call` answers otherwise, or gave no answer. */
  readonly matchesNode: boolean;
  /** The finalized task: its hash, its stored value and its store. */
  readonly result: TaskResult;
}

/** The member of `hdp` that runs an `eth_call` in a module. */
export interface EthCallActions {
  /**
   * Runs an `eth_call` in a module that contains an EVM, over proven headers, accounts, storage and code, compares the
   * answer with the node's own at that block, and finalizes it. The stored word fixes the digest of the answer: a contract
   * takes the answer's bytes from anybody and checks them by `HdpResults.requireDigestOfBytes(store, taskHash, data)`.
   * That refuses the data of a failed call.
   *
   * @throws HdpError before anything is finalized: HDP-4424 without a module, HDP-4428 where the node answers
   * otherwise, HDP-4429 where the answer is empty or not of the function's types. A call that reverts is a result.
   */
  readonly ethCall: (request: EthCallRequest, options?: EthCallOptions) => Promise<EthCallResult>;
}

/** Returns the action over a connection. */
export function ethCallActions(scope: Scope): EthCallActions {
  return {
    ethCall: async (request, given = {}) => {
      const { evenIfDifferent = false, maxSteps, maxMemoryCells, ...options } = given;
      const limits = { maxSteps, maxMemoryCells };
      const session = await scope.session();
      const sources = session.part(ChainSources);
      const { to } = request;
      const data = request.abi === undefined ? request.data : encodeFunctionData(request);
      // Nodes may refuse to list accounts.
      const accounts = async (): Promise<Address[]> => await session.accounts().catch(() => []);
      const [from, chain, block] = await Promise.all([
        request.from ?? accounts().then(([first = NO_SENDER]) => first),
        request.chain === undefined ? defaultDestination(session) : parseDestination(request.chain),
        request.block ?? session.head(),
      ]);
      const call = { chainId: CHAIN_IDS[chain], block, from, to, data };
      const programHash = await ethCallProgram(session, limits);
      const task = { type: "Module" as const, programHash, inputs: [...ethCallInputs(call)] };
      const asking = theirAnswer(sources, chain, call);
      const checking = readTaskInput(task, session).then((request) =>
        checkedRequest(session, request),
      );
      // Both are awaited after the run, which may fail first.
      for (const one of [asking, checking]) one.catch(() => undefined);
      const expected = await expectReads(sources, chain, call);
      // It is only compared: the run that is finalized checks that its blocks are still there.
      const { signal } = options;
      const { runs } = await runUnanchored([task], session, { signal }, { expected });
      const [ran] = runs;
      if (ran === undefined) throw new TypeError("one module task was run, and no run came back");
      const { run } = ran;
      const ours = run.status === "panicked" ? { failure: run.message } : ethCallAnswer(run);
      const theirs = await asking;
      const matchesNode = await compare(sources, chain, { call, ours, theirs, evenIfDifferent });
      const answer = ethCallAnswer(run);
      const value = decodedValue(call, answer, run.reads, request);
      const [result] = await runChecked(session, await checking, options);
      if (run.outputRoot !== result.word) {
        const reason = `the stored result ${result.word} is not the root of the felt that it returned here`;
        const hints = [
          'hdp.local.moduleResult has to be "output-root", and the service has to run the same class.',
        ];
        throw hdpError("HDP-4425", { reason }, { path: "hdp.local.ethCallModule", hints });
      }
      return { ...answer, value, block, matchesNode, result };
    },
  };
}

/** Returns what the module is likely to read, by the node's access list; nothing where recorded data stand for the chain. */
async function expectReads(
  sources: ChainSources,
  chain: ChainIdentifier,
  call: EthCall,
): Promise<readonly ModuleRead[]> {
  if (sources.options.readerFor?.(chain) !== undefined) return [];
  return expectedReads(call, await accessList(await sources.providerFor(chain), call));
}

/** Returns what the node answers; a recording that stands for the chain answers nothing. */
async function theirAnswer(
  sources: ChainSources,
  chain: ChainIdentifier,
  call: EthCall,
): Promise<CallOutcome> {
  if (sources.options.readerFor?.(chain) !== undefined)
    return { failure: "recorded data stand for the chain" };
  return await nodeAnswer(await sources.providerFor(chain), call);
}

interface Compared {
  readonly call: EthCall;
  readonly ours: CallOutcome;
  readonly theirs: CallOutcome;
  readonly evenIfDifferent: boolean;
}

/** Returns whether the node gives the module's answer. @throws HdpError HDP-4428 unless it does or need not */
async function compare(
  sources: ChainSources,
  chain: ChainIdentifier,
  { call, ours, theirs, evenIfDifferent }: Compared,
): Promise<boolean> {
  const isEqual =
    !("failure" in ours) &&
    !("failure" in theirs) &&
    ours.success === theirs.success &&
    ours.data === theirs.data;
  if (isEqual || (evenIfDifferent && !("failure" in ours))) return isEqual;
  const isReplayed = sources.options.readerFor?.(chain) !== undefined;
  const cause = isReplayed
    ? "no node was asked"
    : await likelyCause(await sources.providerFor(chain), call, { ours, theirs });
  const values = {
    contract: call.to,
    block: call.block,
    ours: inWords(ours),
    theirs: inWords(theirs),
    cause,
  };
  const option =
    "For the module's answer all the same: --even-if-different (evenIfDifferent: true in TypeScript).";
  throw hdpError("HDP-4428", values, { hints: "failure" in ours ? [] : [option] });
}

function inWords(outcome: CallOutcome): string {
  if ("failure" in outcome) return `gives no answer (${outcome.failure})`;
  return `${outcome.success ? "returns" : "reverts with"} ${outcome.data}`;
}

/** @throws HdpError HDP-4429 for an empty answer, or one that is not of the function's types */
function decodedValue(
  { to, block }: EthCall,
  { success, data }: EthCallAnswer,
  reads: ModuleRun["reads"],
  request: EthCallRequest,
): unknown {
  if (!success) return undefined;
  const isCode = (read: ModuleRun["reads"][number]): boolean =>
    read.kind === "bytecode" &&
    BigInt(read.address) === BigInt(to) &&
    read.felts.some((felt) => felt !== 0n);
  if (data === "0x" && !reads.some(isCode)) {
    throw hdpError("HDP-4429", {
      contract: to,
      block,
      reason: "the account has no code, so there is nothing to call",
    });
  }
  if (request.abi === undefined) return undefined;
  try {
    return decodeFunctionResult({ ...request, data });
  } catch (cause) {
    const reason = `${data} is not what ${request.functionName} returns by the ABI`;
    throw hdpError("HDP-4429", { contract: to, block, reason }, { cause });
  }
}

/** The class that a project used last, so that consecutive calls use the same one. */
const lastUsed = new WeakMap<HardhatConfig, { readonly text: string; readonly hash: Hex }>();

/** Returns the program hash of the class of proven calls and adds it to the project's programs. @throws HdpError HDP-4424 */
async function ethCallProgram(
  { config, project }: ConfiguredProject,
  limits: ProgramLimits,
): Promise<Hex> {
  const { root } = project.config.paths;
  const name = config.local.ethCallModule;
  for (const file of /[\\/]|\.json$/.test(name)
    ? [resolve(root, name)]
    : await namedClasses(name, [root])) {
    const text = await readTextFile(file, MAX_CLASS_BYTES).catch(() => undefined);
    if (text === undefined) continue;
    const last = lastUsed.get(project.config);
    if (last?.text === text) {
      knownPrograms(project.config).limit(last.hash, limits);
      return last.hash;
    }
    // Without the calling convention, the runner would start the module six times to find it.
    const hash = await knownPrograms(project.config).addClassFile(file, {
      generation: "head",
      leadingFelts: 8,
    });
    knownPrograms(project.config).limit(hash, limits);
    lastUsed.set(project.config, { text, hash });
    return hash;
  }
  throw hdpError("HDP-4424", { name }, { path: "hdp.local.ethCallModule" });
}

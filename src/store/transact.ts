import { setTimeout as sleep } from "node:timers/promises";
import type { Abi, AbiFunction, AbiStateMutability, ContractFunctionArgs, ContractFunctionName, Hex } from "viem";
import { concatHex, decodeErrorResult, encodeAbiParameters, toFunctionSelector } from "viem/utils";

import {
  callProvider,
  type Eip1193Provider as Provider,
  isHardhatMistake,
  NoAnswerError,
  providerSentence,
} from "../base/rpc.js";
import { HdpError } from "../errors/hdp-error.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";

export type { Eip1193Provider as Provider } from "../base/rpc.js";

/** A mined transaction: the fields of the receipt that are used. */
export interface Receipt {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  /** Where a deployment put its code. */
  readonly contractAddress: Hex | undefined;
  readonly reverted: boolean;
}

export interface TransactionRequest {
  readonly from: Hex;
  readonly to?: Hex | undefined;
  readonly data: Hex;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for a transaction to be mined, in milliseconds. Default 120,000. */
  readonly timeout?: number | undefined;
}

const LONGEST_PAUSE = 1_000;

/** The node answered a request with an error, or not at all. */
export class StoreRpcError extends HdpError {
  public constructor(
    public readonly method: string,
    error: unknown,
  ) {
    super({
      code: "HDP-3006",
      message: `the node ${error instanceof NoAnswerError ? "did not answer" : "refused"} ${method}: ${providerSentence(error)}`,
      hints: [
        error instanceof NoAnswerError && method === "eth_sendTransaction"
          ? "It may have been sent all the same: look at the account's transactions before sending again."
          : "Check that the network's node is reachable and synchronised, then run the command again.",
      ],
    });
  }
}

/** The data of a reverted call, wherever the provider put it; undefined when the failure is no revert. */
export function revertData(error: unknown): Hex | undefined {
  for (let depth = 0, current = error; depth < 6 && typeof current === "object" && current !== null; depth++) {
    const data: unknown = Reflect.get(current, "data");
    if (isHex(data)) return data;
    if (typeof data === "object" && data !== null) {
      const inner: unknown = Reflect.get(data, "data");
      if (isHex(inner)) return inner;
    }
    current = Reflect.get(current, "cause") as unknown;
  }
  return undefined;
}

export function isHex(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value);
}

/** Sends a request; a failure becomes a `StoreRpcError`, but a revert and a mistake that Hardhat names. */
export async function request(
  provider: Provider,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
  deadline?: number,
): Promise<unknown> {
  try {
    return await callProvider(provider, method, params, { signal, deadline });
  } catch (error) {
    signal?.throwIfAborted();
    if (revertData(error) !== undefined || isHardhatMistake(error)) throw error;
    throw new StoreRpcError(method, error);
  }
}

/** Result of a call at the latest block; reverts pass through as the provider threw them. */
export async function ethCall(provider: Provider, to: Hex, data: Hex, signal?: AbortSignal): Promise<Hex> {
  const result = await request(provider, "eth_call", [{ to, data }, "latest"], signal);
  if (!isHex(result)) throw new StoreRpcError("eth_call", "the answer is not hexadecimal");
  return result;
}

/** The account transactions are sent from: the given one, else the node's first. */
export async function sender(provider: Provider, from: Hex | undefined, signal?: AbortSignal): Promise<Hex> {
  if (from !== undefined) return from;
  const accounts = await request(provider, "eth_accounts", [], signal);
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (!isHex(first)) {
    throw new HdpError({
      code: "HDP-3010",
      message: "the network has no account to send the transaction from.",
      hints: ["Configure `accounts` for the network in the Hardhat config, or pass `from`."],
    });
  }
  return first;
}

/** Sends a transaction and waits until it is mined. Reverts found before sending pass through. */
export async function transact(
  provider: Provider,
  transaction: TransactionRequest,
  options: WaitOptions = {},
): Promise<Receipt> {
  const { signal, timeout = 120_000 } = options;
  // A person may have to confirm it on a device first.
  const hash = await request(provider, "eth_sendTransaction", [transaction], signal, Math.max(timeout, 120_000));
  if (!isHex(hash)) throw new StoreRpcError("eth_sendTransaction", "the answer is no transaction hash");
  for (let waited = 0, pause = 10; ; waited += pause, pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const receipt = await request(provider, "eth_getTransactionReceipt", [hash], signal);
    if (receipt !== null && receipt !== undefined) return readReceipt(hash, receipt);
    if (waited >= timeout) {
      throw new HdpError({
        code: "HDP-3009",
        message: `transaction ${hash} was sent but not mined within ${(timeout / 1000).toString()} s.`,
        hints: [
          "It may still be mined: look it up before sending again. On a network without automining, mine a block.",
        ],
      });
    }
    await sleep(pause, undefined, { signal });
  }
}

function readReceipt(transactionHash: Hex, receipt: unknown): Receipt {
  const field = (name: string): unknown =>
    typeof receipt === "object" && receipt !== null ? Reflect.get(receipt, name) : undefined;
  const [blockNumber, gasUsed, contractAddress] = [field("blockNumber"), field("gasUsed"), field("contractAddress")];
  if (!isHex(blockNumber) || !isHex(gasUsed)) {
    throw new StoreRpcError("eth_getTransactionReceipt", "the receipt has no block number or gas");
  }
  return {
    transactionHash,
    blockNumber: BigInt(blockNumber),
    gasUsed: BigInt(gasUsed),
    contractAddress: isHex(contractAddress) ? contractAddress : undefined,
    reverted: field("status") === "0x0",
  };
}

/**
 * Calldata of one function of a contract, for calls that are made again and again: its signature is hashed once, where
 * viem's `encodeFunctionData` hashes it at every call.
 */
export function calldataOf<const A extends Abi, N extends ContractFunctionName<A>>(
  abi: A,
  name: N,
): (...args: Extract<ContractFunctionArgs<A, AbiStateMutability, N>, readonly unknown[]>) => Hex {
  let found: { readonly selector: Hex; readonly inputs: AbiFunction["inputs"] } | undefined;
  return (...args) => {
    found ??= functionIn(abi, name);
    return concatHex([found.selector, encodeAbiParameters(found.inputs, args)]);
  };
}

function functionIn(abi: Abi, name: string): { readonly selector: Hex; readonly inputs: AbiFunction["inputs"] } {
  const item = abi.find((entry): entry is AbiFunction => entry.type === "function" && entry.name === name);
  if (item === undefined) throw new TypeError(`the ABI has no function ${name}`);
  return { selector: toFunctionSelector(item), inputs: item.inputs };
}

/** A revert as its contract named it. */
export interface Revert {
  /** Name of the custom error, "Error" for a text reason, "Panic", or undefined when it is unknown. */
  readonly name: string | undefined;
  /** As a person reads it: `NotInBatch()`, `Error(half exceeds 128 bits)`, or the data. */
  readonly text: string;
}

/** What the caller knows about a refused call, for the message. */
export interface RefusedCall {
  readonly store: Hex;
  readonly from?: Hex | undefined;
}

/** Names a revert by the errors of the stores, of OpenZeppelin's AccessControl and of Solidity itself. */
export function decodeRevert(data: Hex): Revert {
  try {
    const { errorName, args } = decodeErrorResult({ abi: hdpExecutionStoreMockAbi, data });
    // Errors without parameters decode to no list at all, whatever the type says.
    return { name: errorName, text: `${errorName}(${Array.isArray(args) ? args.map(String).join(", ") : ""})` };
  } catch {
    return { name: undefined, text: data === "0x" ? "no reason given" : `unknown error ${data}` };
  }
}

/** What each published revert means for the caller, and the next step. */
const MEANINGS: Readonly<Record<string, string>> = {
  InvalidFact: "The facts registry does not know this execution: register its fact first, for the same program hash.",
  NotInBatch: "A task or its result is not under the batch's Merkle roots: build roots and proofs from the same pairs.",
  InvalidMmrRoot: "The store knows no root for one of the MMRs: cache or set it first.",
  UnauthorizedProgramHash: "The proving program is not authorized: the owner calls setDataProcessorProgramHash.",
  TaskAlreadyFinalized: "The task has a result already, and a satellite never replaces one.",
  MustBeContractOwner: "Only the account that deployed the store may change this.",
  MockPlainFinalizingDisabled: "The store accepts proven results only: use proveBatch instead of finalizeTasks.",
};

/** The error for a call that the store reverted. */
export function refusal(data: Hex, call: RefusedCall): HdpError {
  const { name, text } = decodeRevert(data);
  if (name === "Unauthorized" || name === "AccessControlUnauthorizedAccount") {
    return new HdpError({
      code: "HDP-3004",
      message: `account ${call.from ?? "of the call"} is not an operator of the store ${call.store}.`,
      hints: ["Send from an operator (`from`), or let an operator add the account: grantRole(OPERATOR_ROLE, account)."],
    });
  }
  if (name === "DoubleRegistration") {
    return new HdpError({
      code: "HDP-3005",
      message: `the task was requested before in the store ${call.store}.`,
      hints: ["Nothing was sent. Read its status, or await its result."],
    });
  }
  return new HdpError({
    code: "HDP-3007",
    message: `the store ${call.store} refused the call: ${text}.`,
    hints: [name === undefined ? undefined : MEANINGS[name]].filter((hint) => hint !== undefined),
  });
}

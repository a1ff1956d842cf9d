import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import { HdpError } from "../base/errors.js";
import {
  callProvider,
  type Eip1193Provider as Provider,
  isHardhatMistake,
  NoAnswerError,
  providerSentence,
} from "../base/rpc.js";

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

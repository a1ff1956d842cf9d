import type { Address, Hex } from "viem";
import { isHex } from "viem/utils";

import { type Clock, systemClock } from "../base/clock.js";
import { isRecord } from "../base/collections.js";
import { hdpError } from "../errors/hdp-error.js";
import { type Provider, request, StoreRpcError } from "./node-requests.js";
import { explainRevert, revertError } from "./reverts.js";

/** How long a transaction is awaited. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for a transaction to be mined, in milliseconds. Default 120,000. */
  readonly timeout?: number | undefined;
  /** Clock of the pauses between two polls of the receipt. */
  readonly clock?: Clock | undefined;
}

/** Options of a transaction to a mock. */
export interface MockTransactionOptions extends WaitOptions {
  readonly provider: Provider;
  readonly store: Address;
  /** An operator of the mock. Default: the node's first account. */
  readonly from?: Address | undefined;
}

/** A transaction and the block that has it. */
export interface MinedAt {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
}

/** A mined transaction. */
export interface StoreTransaction extends MinedAt {
  readonly gasUsed: bigint;
}

/** What is read of a transaction's receipt. */
interface Receipt extends StoreTransaction {
  /** Address of the deployed contract. */
  readonly contractAddress: Hex | undefined;
  readonly reverted: boolean;
}

/** Returns the account to send from: the given one, else the node's first. */
export async function sender(
  provider: Provider,
  from: Hex | undefined,
  signal?: AbortSignal,
): Promise<Hex> {
  if (from !== undefined) return from;
  const accounts = await request(provider, "eth_accounts", [], { signal });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (!isHex(first)) throw hdpError("HDP-3010", { network: "the network" });
  return first;
}

const DEFAULT_TIMEOUT = 120_000;
const MAX_PAUSE = 1_000;
/** Part of the timeout, by default 15 seconds, after which a node without automine counts as idle: intervals are shorter. */
const IDLE_PART = 1 / 8;

/** A transaction as a node is asked to send it. */
interface TransactionToSend {
  readonly from: Hex;
  readonly to?: Hex | undefined;
  readonly data: Hex;
  readonly nonce?: Hex | undefined;
}

/** Sends a transaction once and waits until it is mined. Rethrows a revert that the node finds before sending. */
export async function transact(
  provider: Provider,
  transaction: TransactionToSend,
  options: WaitOptions = {},
): Promise<Receipt> {
  const transactionHash = await send(provider, transaction, options);
  return await awaitReceipt(provider, transactionHash, options);
}

async function send(
  provider: Provider,
  transaction: TransactionToSend,
  { signal, timeout = DEFAULT_TIMEOUT }: WaitOptions,
): Promise<Hex> {
  // The user may have to confirm the transaction on a device first.
  const sending = { signal, timeout: Math.max(timeout, DEFAULT_TIMEOUT) };
  const transactionHash = await request(provider, "eth_sendTransaction", [transaction], sending);
  if (!isHex(transactionHash))
    throw new StoreRpcError("eth_sendTransaction", "the answer is not a transaction hash");
  return transactionHash;
}

/** @throws HdpError HDP-3009 at the timeout, and earlier on a node that mines nothing by itself and stands still */
async function awaitReceipt(
  provider: Provider,
  transactionHash: Hex,
  { signal, timeout = DEFAULT_TIMEOUT, clock = systemClock }: WaitOptions,
): Promise<Receipt> {
  const began = clock.monotonic();
  const idle = IDLE_PART * timeout;
  let head: unknown;
  // The head is read soon after sending, and compared that much later.
  let headReadAt = began - 0.9 * idle;
  for (let pause = 10; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
    const { receipt, failure } = await askForReceipt(provider, transactionHash, signal);
    if (receipt !== undefined) return readReceipt(transactionHash, receipt);
    const now = clock.monotonic();
    const isOver = now - began >= timeout;
    if (isOver || now - headReadAt >= idle) {
      const mining = await readMining(provider);
      const standsStill = mining.automine === "off" && mining.head === head;
      if (isOver || standsStill) {
        const seconds = Math.round(now - began) / 1000;
        const { automine } = mining;
        throw hdpError("HDP-3009", { transactionHash, seconds, automine }, { cause: failure });
      }
      head = mining.head;
      headReadAt = now;
    }
    await clock.sleep(pause, signal);
  }
}

/** Asks for the receipt of a transaction. It is sent, though a node does not answer now, or is indexing. */
async function askForReceipt(
  provider: Provider,
  transactionHash: Hex,
  signal: AbortSignal | undefined,
): Promise<{ readonly receipt?: unknown; readonly failure?: unknown }> {
  try {
    const options = { signal };
    const receipt = await request(
      provider,
      "eth_getTransactionReceipt",
      [transactionHash],
      options,
    );
    return { receipt: receipt ?? undefined };
  } catch (failure) {
    signal?.throwIfAborted();
    return { failure };
  }
}

/** Returns whether a node mines nothing by itself, as far as it says so, and its latest block. */
async function readMining(
  provider: Provider,
): Promise<{ readonly automine: "off" | undefined; readonly head: unknown }> {
  const ask = async (method: string): Promise<unknown> =>
    await provider.request({ method }).catch(() => undefined);
  const automine = (await ask("hardhat_getAutomine")) === false ? "off" : undefined;
  return { automine, head: await ask("eth_blockNumber") };
}

function readReceipt(transactionHash: Hex, receipt: unknown): Receipt {
  const { blockNumber, gasUsed, contractAddress, status } = isRecord(receipt) ? receipt : {};
  if (!isHex(blockNumber) || !isHex(gasUsed)) {
    throw new StoreRpcError("eth_getTransactionReceipt", "the receipt has no block number or gas");
  }
  return {
    transactionHash,
    blockNumber: BigInt(blockNumber),
    gasUsed: BigInt(gasUsed),
    contractAddress: isHex(contractAddress) ? contractAddress : undefined,
    reverted: status === "0x0",
  };
}

/** Sends a transaction to a store, or to a contract of it (`to`), and waits. Throws the error that explains a revert. */
export async function transactWithStore(
  provider: Provider,
  {
    store,
    to = store,
    from: given,
    data,
  }: { store: Address; to?: Address; from?: Address | undefined; data: Hex },
  options: WaitOptions = {},
): Promise<StoreTransaction> {
  const from = await sender(provider, given, options.signal);
  const transaction = { from, to, data };
  try {
    const { reverted, transactionHash, blockNumber, gasUsed } = await transact(
      provider,
      transaction,
      options,
    );
    if (!reverted) return { transactionHash, blockNumber, gasUsed };
    // The transaction was mined and reverted: repeating it as a call returns the reason, unless the call succeeds now.
    await request(provider, "eth_call", [transaction, "latest"], { signal: options.signal });
  } catch (error) {
    throw explainRevert(error, store, from);
  }
  throw revertError("0x", store, from);
}

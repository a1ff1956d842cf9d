import type { Abi, Address, Hex } from "viem";
import { decodeErrorResult, isHex } from "viem/utils";

import { type Clock, systemClock } from "../base/clock.js";
import { isRecord } from "../base/collections.js";
import type { Eip1193Provider as Provider } from "../base/rpc.js";
import { callProvider, isAnswer, isHardhatError, providerSentence } from "../base/rpc.js";
import { HdpError, hdpError, inWords } from "../errors/hdp-error.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";

export type { Eip1193Provider as Provider } from "../base/rpc.js";

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

/** The destination's node refused a request or did not answer it. */
export class StoreRpcError extends HdpError {
  /** Whether the node answered: then it did not do what it was asked. */
  public readonly isAnswer: boolean;

  public constructor(
    public readonly method: string,
    error: unknown,
  ) {
    const reason = providerSentence(error);
    super(
      inWords(
        "HDP-4103",
        { call: method, reason, whose: undefined },
        { hints: [nextStep(method, reason, error)] },
      ),
    );
    this.isAnswer = isAnswer(error);
  }
}

/** Advice on failures, by the messages of Hardhat's chain, geth, anvil and others. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /insufficient (?:funds|balance)|enough funds/i,
    "The account that sends can't pay: fund it, or send from another (hdp.executionStore.operator).",
  ],
  [
    /exceeds? .*gas ?limit|gas ?limit .*exceed|gas limit reached|intrinsic gas too high/i,
    "The transaction needs more gas than a block, or a transaction, may use: finalize fewer tasks at once, or raise the network's blockGasLimit.",
  ],
  [
    /hardfork/i,
    "Hardhat has to know the chain's hardforks: name them in chainDescriptors of hardhat.config.ts, by chain id.",
  ],
];

function nextStep(method: string, reason: string, error: unknown): string {
  const known = ADVICE.find(([words]) => words.test(reason));
  if (known !== undefined) return known[1];
  if (isAnswer(error))
    return "The node answered, and refused: the words after the colon are its own.";
  // The answer was lost, and the transaction may have been sent.
  if (method === "eth_sendTransaction") {
    return "The transaction may have been sent: look at the account's transactions before sending it again.";
  }
  return "Check that the network's node is reachable and synchronised, then try again.";
}

/** Sends a JSON-RPC request. Failures become `StoreRpcError`, except reverts and errors that Hardhat numbers. */
export async function request(
  provider: Provider,
  method: string,
  params: readonly unknown[],
  { signal, timeout }: WaitOptions = {},
): Promise<unknown> {
  try {
    return await callProvider(provider, method, params, { signal, timeout });
  } catch (error) {
    signal?.throwIfAborted();
    if (revertData(error) !== undefined || isHardhatError(error)) throw error;
    throw new StoreRpcError(method, error);
  }
}

/** Calls a contract at the latest block. Rethrows a revert as the provider threw it: see {@link revertData}. */
export async function ethCall(
  provider: Provider,
  to: Hex,
  data: Hex,
  signal?: AbortSignal,
): Promise<Hex> {
  const result = await request(provider, "eth_call", [{ to, data }, "latest"], { signal });
  if (!isHex(result) || result.length % 2 === 1) {
    throw new StoreRpcError("eth_call", "the answer is not hexadecimal bytes");
  }
  return result;
}

/** Calls a contract; undefined if it reverts, as contracts without the function do. */
export async function ethCallUnlessReverted(
  provider: Provider,
  to: Hex,
  data: Hex,
  signal?: AbortSignal,
): Promise<Hex | undefined> {
  try {
    return await ethCall(provider, to, data, signal);
  } catch (error) {
    if (revertData(error) === undefined) throw error;
    return undefined;
  }
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

/** Sends a transaction once and waits until it is mined. Rethrows a revert that the node finds before sending. */
export async function transact(
  provider: Provider,
  transaction: {
    readonly from: Hex;
    readonly to?: Hex | undefined;
    readonly data: Hex;
    readonly nonce?: Hex | undefined;
  },
  { signal, timeout = DEFAULT_TIMEOUT, clock = systemClock }: WaitOptions = {},
): Promise<Receipt> {
  // The user may have to confirm the transaction on a device first.
  const sending = { signal, timeout: Math.max(timeout, DEFAULT_TIMEOUT) };
  const transactionHash = await request(provider, "eth_sendTransaction", [transaction], sending);
  if (!isHex(transactionHash))
    throw new StoreRpcError("eth_sendTransaction", "the answer is not a transaction hash");
  const begin = clock.monotonic();
  let head: unknown;
  // The head is read soon after sending, and compared that much later.
  let idleSince = begin - 0.9 * IDLE_PART * timeout;
  for (let pause = 10; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
    let [receipt, cause]: unknown[] = [];
    try {
      receipt = await request(provider, "eth_getTransactionReceipt", [transactionHash], { signal });
    } catch (error) {
      signal?.throwIfAborted();
      // The transaction is sent: a node that does not answer now, or is indexing, does not change that.
      cause = error;
    }
    if (receipt !== null && receipt !== undefined) return readReceipt(transactionHash, receipt);
    const now = clock.monotonic();
    if (now - begin >= timeout || now - idleSince >= IDLE_PART * timeout) {
      const isOff =
        (await provider.request({ method: "hardhat_getAutomine" }).catch(() => undefined)) ===
        false;
      const block: unknown = await provider
        .request({ method: "eth_blockNumber" })
        .catch(() => undefined);
      if (now - begin >= timeout || (isOff && block === head)) {
        const seconds = Math.round(now - begin) / 1000;
        throw hdpError(
          "HDP-3009",
          { transactionHash, seconds, automine: isOff ? "off" : undefined },
          { cause },
        );
      }
      [head, idleSince] = [block, now];
    }
    await clock.sleep(pause, signal);
  }
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
  throw refusal("0x", store, from);
}

/** Returns the data of a reverted call, from any place where providers put it; undefined for another failure. */
export function revertData(error: unknown): Hex | undefined {
  for (
    let depth = 0, current = error;
    depth < 6 && isRecord(current);
    depth++, current = current["cause"]
  ) {
    const { data } = current;
    if (isHex(data)) return data;
    if (isRecord(data) && isHex(data["data"])) return data["data"];
  }
  return undefined;
}

/**
 * Returns a revert by a contract's errors and Solidity's; `text` includes the arguments.
 * @param abi default: the errors of the stores and AccessControl
 */
export function decodeRevert(
  data: Hex,
  abi: Abi = hdpExecutionStoreMockAbi,
): {
  readonly name: string | undefined;
  readonly text: string;
} {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data });
    // viem returns undefined for errors without parameters, although the type says a list.
    return {
      name: errorName,
      text: `${errorName}(${Array.isArray(args) ? args.map(String).join(", ") : ""})`,
    };
  } catch {
    return { name: undefined, text: data === "0x" ? "no reason given" : `unknown error ${data}` };
  }
}

/** Explanations of the published reverts for the caller, with the next step. */
const MEANINGS: Readonly<Record<string, string>> = {
  InvalidFact:
    "The facts registry does not know this execution: register its fact first, for the same program hash.",
  NotInBatch:
    "A task or its result is not under the batch's Merkle roots: build roots and proofs from the same pairs.",
  InvalidMmrRoot: "The store knows no root for one of the MMRs: cache or set it first.",
  UnauthorizedProgramHash:
    "The proving program is not authorized: the owner calls setDataProcessorProgramHash.",
  TaskAlreadyFinalized: "The task already has a result, and a satellite never replaces one.",
  MustBeContractOwner: "Only the account that deployed the store may change this.",
  MockPlainFinalizingDisabled:
    "The store accepts proven results only: use proveBatch instead of finalizeTasks.",
};

/** Returns the name of the error with which a call reverted; undefined for another failure, and for an unknown error. */
export function revertName(error: unknown): string | undefined {
  const data = revertData(error);
  return data === undefined ? undefined : decodeRevert(data).name;
}

/** Returns the error that explains a revert, other failures as they are; no `store` while a mock is being deployed. */
export function explainRevert(
  error: unknown,
  store: Hex | undefined,
  account: Hex | undefined,
): unknown {
  const data = revertData(error);
  return data === undefined ? error : refusal(data, store, account);
}

function refusal(data: Hex, store: Hex | undefined, account: Hex | undefined): HdpError {
  const { name, text } = decodeRevert(data);
  const isOperator = name !== "Unauthorized" && name !== "AccessControlUnauthorizedAccount";
  if (!isOperator && store !== undefined && account !== undefined)
    return hdpError("HDP-3004", { account, store });
  const contract = store === undefined ? "mock's constructor" : `execution store ${store}`;
  const hints = [name === undefined ? undefined : MEANINGS[name]].filter(
    (hint) => hint !== undefined,
  );
  return hdpError("HDP-3007", { contract, reason: text }, { hints });
}

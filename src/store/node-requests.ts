import type { Hex } from "viem";
import { isHex } from "viem/utils";

import type { Eip1193Provider as Provider } from "../base/rpc.js";
import { callProvider, isAnswer, isHardhatError, providerSentence } from "../base/rpc.js";
import { HdpError, inWords } from "../errors/hdp-error.js";
import { revertData } from "./reverts.js";

export type { Eip1193Provider as Provider } from "../base/rpc.js";

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

/** How long a request is awaited. */
interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

/** Sends a JSON-RPC request. Failures become `StoreRpcError`, except reverts and errors that Hardhat numbers. */
export async function request(
  provider: Provider,
  method: string,
  params: readonly unknown[],
  { signal, timeout }: RequestOptions = {},
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

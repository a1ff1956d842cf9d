import { setTimeout } from "node:timers/promises";

import type * as Starknet from "starknet";
import type { Hex } from "viem";

import { limitedSignal } from "../../base/clock.js";
import { isRecord } from "../../base/collections.js";
import { isFelt } from "../../base/felt.js";
import { readTextStream, UnreadableError } from "../../base/files.js";
import { excessOfValues, shownJson } from "../../base/json.js";
import { learnAddress } from "../../errors/secrets.js";
import { errorMessage } from "../../base/text.js";
import { type HdpError, hdpError, isHdpError } from "../../errors/hdp-error.js";
import { StoreRpcError } from "../transact.js";

/** starknet.js, typed by the package itself. */
export type StarknetJs = typeof Starknet;

/** Loads starknet.js, an optional peer. @throws HdpError HDP-8001 where it is missing or of another major version */
export async function loadStarknet(
  load: () => Promise<StarknetJs> = async () => await import("starknet"),
): Promise<StarknetJs> {
  try {
    return await load();
  } catch (cause) {
    throw hdpError("HDP-8001", {}, { cause });
  }
}

/** A Starknet node. */
export interface StarknetNode {
  readonly rpcUrl: string;
  /** Fetch function for the node. Default: the global fetch, limited to 30 s for an answer to a read, and to 32 MiB. */
  readonly baseFetch?: typeof fetch | undefined;
}

/** Returns a provider. starknet.js itself limits neither the wait for an answer nor its length. */
export async function starknetProvider({
  rpcUrl,
  baseFetch = boundedFetch(),
}: StarknetNode): Promise<Starknet.RpcProvider> {
  const { RpcProvider: Provider } = await loadStarknet();
  return new Provider({ nodeUrl: learnAddress(rpcUrl), baseFetch });
}

/** Prefix of methods that send a transaction: their caller sets the timeout. */
const SENDS = '"starknet_add';

/**
 * Returns a fetch for JSON-RPC that reads whole answers, within limits: `timeout` (milliseconds) of a call that reads,
 * by default 30,000, and `maxBytes`, by default 32 MiB.
 */
export function boundedFetch(
  {
    timeout = 30_000,
    maxBytes = 32 * 2 ** 20,
  }: { readonly timeout?: number; readonly maxBytes?: number } = {},
  send: typeof fetch = fetch,
): typeof fetch {
  return async (url, init) => {
    const isSending = typeof init?.body === "string" && init.body.includes(SENDS);
    const given = init?.signal ?? undefined;
    const limit = isSending ? undefined : limitedSignal(timeout, given);
    try {
      const reply = await send(url, { ...init, signal: limit?.signal ?? given ?? null });
      if (reply.body === null) return reply;
      const text = await readTextStream(reply.body, maxBytes);
      const excess = excessOfValues(text);
      if (excess !== undefined) throw new UnreadableError(excess);
      return new Response(text, {
        status: reply.status,
        statusText: reply.statusText,
        headers: reply.headers,
      });
    } catch (cause) {
      if (limit?.expired() === true)
        throw new Error(`no answer within ${timeout / 1000} s`, { cause });
      if (cause instanceof UnreadableError)
        throw new Error(`the answer was not read: ${cause.message}`, { cause });
      throw cause;
    } finally {
      limit?.release();
    }
  };
}

/** The contract's part of a failed call. `reason` is quoted from the contract or the node. */
interface StarknetFailure {
  readonly kind: "no-contract" | "no-entry-point" | "not-finalized" | "panic" | "node";
  readonly reason: string;
}

const CONTRACT_NOT_FOUND = 20;
const ENTRY_POINT_NOT_FOUND = 21;
const CONTRACT_ERROR = 40;

/**
 * Returns the failure in an error of starknet.js, by its JSON-RPC code. Nodes report a panic as text, as felts, or as
 * an object for each called contract: all of them are searched.
 */
export function starknetFailure(error: unknown): StarknetFailure {
  const rpc = isRecord(error) && isRecord(error["baseError"]) ? error["baseError"] : error;
  const { code, data, message } = isRecord(rpc) ? rpc : {};
  const reason = typeof message === "string" ? message : shownJson(rpc);
  if (code === CONTRACT_NOT_FOUND) return { kind: "no-contract", reason };
  if (code === ENTRY_POINT_NOT_FOUND) return { kind: "no-entry-point", reason };
  if (code !== CONTRACT_ERROR) return { kind: "node", reason };
  const text = shownJson(data ?? "");
  const panic =
    /\('([^']+)'\)/.exec(text)?.[1] ?? text.replace(/\b\w+:\/\/\S+/g, "<url>").slice(0, 300);
  if (mentions(text, "TASK_NOT_FINALIZED")) return { kind: "not-finalized", reason: panic };
  if (mentions(text, "ENTRYPOINT_NOT_FOUND") || /entry ?point\b.*\bnot found/i.test(text)) {
    return { kind: "no-entry-point", reason: panic };
  }
  return { kind: /not deployed/i.test(text) ? "no-contract" : "panic", reason: panic };
}

/** Returns whether a text contains a short string, as text or as its felt. */
function mentions(text: string, shortString: string): boolean {
  return (
    text.includes(shortString) ||
    text.toLowerCase().includes(Buffer.from(shortString).toString("hex"))
  );
}

/** Returns the error for a failed read by a JSON-RPC method; `functions` are entry points the contract should have. */
export function starknetReadError(
  { kind, reason }: StarknetFailure,
  method: string,
  address: Hex,
  functions: string,
): HdpError {
  if (kind === "node") return new StoreRpcError(method, reason);
  if (kind === "no-contract") return hdpError("HDP-3002", { address });
  if (kind === "panic")
    return hdpError("HDP-3007", { contract: `execution store ${address}`, reason });
  return hdpError("HDP-3003", { address, functions });
}

/** Returns the address with 64 digits. @throws HdpError HDP-1110 */
export function starknetAddress(address: string): Hex {
  if (/^0x[0-9a-fA-F]{1,64}$/.test(address) && BigInt(address) !== 0n && isFelt(BigInt(address))) {
    return `0x${BigInt(address).toString(16).padStart(64, "0")}`;
  }
  const reason =
    ": on Starknet it is 0x and up to 64 hexadecimal digits, smaller than the field's prime and not 0";
  throw hdpError("HDP-1110", {
    value: `"${address}"`,
    reason,
    digits: undefined,
    checksum: undefined,
  });
}

/** An account on the network of a node. */
export interface StarknetAccountAddress extends StarknetNode {
  readonly accountAddress: string;
}

/** What an account that signs and pays is made of, usually one of a devnet. */
export interface StarknetAccountParts extends StarknetAccountAddress {
  /** Called when a transaction is to be signed for the first time; the key is not stored elsewhere. */
  readonly privateKey: () => string | Promise<string>;
  /**
   * Signature that the account's contract checks: on Starknet's own curve (`stark`, the default: OpenZeppelin, Argent
   * and Ready without a guardian), or on Ethereum's (`ethereum`: OpenZeppelin's EthAccount).
   */
  readonly signer?: "stark" | "ethereum" | undefined;
  /** Guardian's key of an Argent or Ready account that has one; it signs after the owner. */
  readonly guardianKey?: (() => string | Promise<string>) | undefined;
  readonly account?: undefined;
}

/** An account of starknet.js 10, which reads and sends through its own provider. */
export interface StarknetJsAccount {
  readonly account: Starknet.Account;
}

/** An account that signs and pays for transactions: one of starknet.js, or its parts. */
export type StarknetAccountOptions = StarknetAccountParts | StarknetJsAccount;

/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   starknet.js declares its interfaces of signers and providers as classes, which its own implement and do not extend. */

/**
 * Returns the account of starknet.js. Sends nothing.
 * @throws HdpError HDP-8023 an option of the wrong type, HDP-1110 not an address, HDP-8022 not a key
 */
export async function openAccount(options: StarknetAccountOptions): Promise<Starknet.Account> {
  requireAccountOptions(options);
  if (options.account !== undefined) return options.account;
  const address = starknetAddress(options.accountAddress);
  const starknet = await loadStarknet();
  const provider = await starknetProvider(options);
  return new starknet.Account({ provider, address, signer: await makeSigner(options, starknet) });
}

/** Returns a signer of starknet.js, or a key alone, for which starknet.js makes one. */
async function makeSigner(
  { signer, privateKey, guardianKey }: StarknetAccountParts,
  { EthSigner, Signer, ec, stark }: StarknetJs,
): Promise<Starknet.AccountOptions["signer"]> {
  const key = await privateKey();
  if (signer === "ethereum") {
    await requireKey("private key", key, async () => await new EthSigner(key).getPubKey());
    return new EthSigner(key);
  }
  await requireKey("private key", key, () => ec.starkCurve.getStarkKey(key));
  const guardian = await guardianKey?.();
  if (guardian === undefined) return key;
  await requireKey("guardian's key", guardian, () => ec.starkCurve.getStarkKey(guardian));
  const keys = [key, guardian];
  class GuardedSigner extends Signer {
    protected override async signRaw(hash: string): Promise<string[]> {
      const signatures = keys.map((one) => stark.formatSignature(ec.starkCurve.sign(hash, one)));
      return await Promise.resolve(signatures.flat());
    }
  }
  return new GuardedSigner(key);
}

/* eslint-enable */

/** What an option must be, for callers without types: a check, the same in words, and an example. */
type OptionRule = readonly [
  isValid: (value: unknown) => boolean,
  expected: string,
  example: string,
];

/** Throws unless an option is of its type. The error tells the type that it has alone: the value may be a key. */
export function requireOption(name: string, value: unknown, rule: OptionRule): void {
  const [isValid, expected, example] = rule;
  if (isValid(value)) return;
  const found = value === null ? "null" : typeof value;
  throw hdpError("HDP-8023", { name, found, expected, example: `${name}: ${example}` });
}

/** Whether an option is a text. */
export const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isMissing = (value: unknown): boolean => value === undefined;

/** What the option of a node's URL takes. */
export const RPC_URL: OptionRule = [isText, "the URL of a node", '"http://127.0.0.1:5050"'];
const ACCOUNT: OptionRule = [isAccount, "an Account of starknet.js 10", "new Account({ … })"];
const PARTS: Readonly<Partial<Record<keyof StarknetAccountParts, OptionRule>>> = {
  rpcUrl: RPC_URL,
  accountAddress: [isText, "the address of an account, as text", '"0x…"'],
  privateKey: [isFunction, "a function that returns the key", "() => key"],
  signer: [
    (value) => isMissing(value) || value === "stark" || value === "ethereum",
    '"stark" or "ethereum"',
    '"ethereum"',
  ],
  guardianKey: [
    (value) => isMissing(value) || isFunction(value),
    "a function that returns the guardian's key",
    "() => key",
  ],
  baseFetch: [
    (value) => isMissing(value) || isFunction(value),
    "a function like fetch",
    "async (url, init) => await fetch(url, init)",
  ],
};

/** @throws HdpError HDP-8023 */
function requireAccountOptions(options: StarknetAccountOptions): void {
  requireOption("options", options, [isRecord, "an object", "{ account }"]);
  if (options.account !== undefined) {
    requireOption("account", options.account, ACCOUNT);
    return;
  }
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const [name, rule] of Object.entries(PARTS)) requireOption(name, given[name], rule);
}

/** Returns whether a value is an account of starknet.js, of whatever copy of it. */
function isAccount(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value["address"]) &&
    isRecord(value["provider"]) &&
    ["execute", "deploy", "declareIfNot"].every((name) => isFunction(value[name]))
  );
}

/**
 * Throws for a key that is invalid on a curve. Texts without 0x are refused: starknet.js reads them as decimal numbers.
 * Errors of starknet.js, which repeat the key, are dropped.
 * @throws HdpError HDP-8022
 */
async function requireKey(name: string, key: string, publicKey: () => unknown): Promise<void> {
  try {
    if (/^0x[0-9a-fA-F]{1,64}$/.test(key)) {
      await publicKey();
      return;
    }
  } catch {
    // The key is zero, or not below the curve's order.
  }
  const reason =
    "it is not 0x and up to 64 hexadecimal digits, or not a number that the curve has a key for";
  throw hdpError("HDP-8022", { name, reason });
}

/**
 * Transaction options. No tip: starknet.js would estimate it from the latest blocks, of which a devnet has too few. Fee
 * estimates include the account's validation, since an Ethereum signature costs more than the rest of a transaction.
 */
export const TRANSACTION: Starknet.UniversalDetails = { tip: 0n, skipValidate: false };

/** Runs work. Throws HDP-8008 with the network's reason if the network refuses it. */
export async function refused<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw hdpError("HDP-8008", { action, reason: panicReason(error) });
  }
}

/** Returns the reasons of panics that the network quotes as `0x… ('REASON')`, or else the end of the node's message. */
function panicReason(error: unknown): string {
  const node = isRecord(error) && isRecord(error["baseError"]) ? error["baseError"] : undefined;
  const { message, data } = node ?? { message: errorMessage(error) };
  const words = [message, data].flatMap((part) =>
    part === undefined ? [] : [typeof part === "string" ? part : shownJson(part)],
  );
  const text = words.join(": ");
  const panics = [...text.slice(-4000).matchAll(/\('([^']+)'\)/g)].map(([, reason = ""]) => reason);
  const reasons = [...new Set(panics)].filter((reason) => reason !== "ENTRYPOINT_FAILED");
  if (reasons.length > 0) return reasons.join(", ");
  const end = text.length > 300 ? text.slice(-300).replace(/^\S*\s+/, "") : text;
  return end.replace(/\b\w+:\/\/\S+/g, "<url>");
}

/** Messages of a node after another process used the account's nonce or wrote the class, the mock or the result. */
const MEANWHILE =
  /nonce|duplicate|same hash|already (?:declared|deployed|exists)|unavailable for deployment|AlreadyFinalized/i;
const ATTEMPTS = 20;
const PAUSE = 250;

/** Runs work that checks the state before it sends, again where another process sent from the account meanwhile. */
export async function untilAlone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (
        attempt === ATTEMPTS ||
        !isHdpError(error, "HDP-8008") ||
        !MEANWHILE.test(error.shortMessage)
      )
        throw error;
      // A random pause, so that two processes do not collide again.
      await setTimeout(PAUSE * (0.5 + Math.random()));
    }
  }
}

/** Waits until the network has executed a transaction, polling twice a second: devnets answer at once. */
export async function executed(
  account: Starknet.Account,
  transactionHash: string,
): Promise<Starknet.SuccessfulTransactionReceiptResponse> {
  const receipt = await account.provider.waitForTransaction(transactionHash, {
    retryInterval: 500,
  });
  if (receipt.isSuccess()) return receipt;
  throw new Error(receipt.isReverted() ? receipt.revert_reason : "it was not accepted");
}

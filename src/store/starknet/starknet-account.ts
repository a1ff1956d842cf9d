import type * as Starknet from "starknet";

import { isRecord } from "../../base/collections.js";
import { hdpError } from "../../errors/hdp-error.js";
import {
  loadStarknet,
  starknetAddress,
  type StarknetJs,
  type StarknetNode,
  starknetProvider,
} from "./starknet-js.js";
import { isFunction, isText, type OptionRule, requireOption, RPC_URL } from "./typed-options.js";

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

const isMissing = (value: unknown): boolean => value === undefined;
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

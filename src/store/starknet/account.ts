import type { Account, AccountOptions, SuccessfulTransactionReceiptResponse, UniversalDetails } from "starknet";
import type { Hex } from "viem";

import { hdpError } from "../../errors/hdp-error.js";
import { loadStarknet, nodeOptions, type StarknetJs, type StarknetNode } from "./node.js";
import { starknetAddress } from "./starknet-execution-store.js";

/** An account that pays for and signs transactions, on a devnet as a rule. */
export interface StarknetAccountOptions extends StarknetNode {
  readonly accountAddress: string;
  /** Called when a transaction is to be signed for the first time; the key is kept nowhere else. */
  readonly privateKey: () => string | Promise<string>;
  /**
   * The signature that the account's contract checks: on Starknet's own curve (`stark`, the default: OpenZeppelin,
   * Argent and Ready without a guardian), or on Ethereum's (`ethereum`: OpenZeppelin's EthAccount).
   */
  readonly signer?: "stark" | "ethereum" | undefined;
  /** The guardian's key of an Argent or Ready account that has one; it signs after the owner. */
  readonly guardianKey?: (() => string | Promise<string>) | undefined;
}

/**
 * Makes the account of starknet.js. Reads the keys, sends nothing.
 *
 * @throws HdpError HDP-3008 not an address, HDP-8022 not a key
 */
export async function openAccount(options: StarknetAccountOptions): Promise<Account> {
  const address = starknetAddress(options.accountAddress);
  const starknet = await loadStarknet();
  return new starknet.Account({ provider: nodeOptions(options), address, signer: await signerOf(options, starknet) });
}

/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   starknet.js declares its interface of signers as a class, which its own signers implement and do not extend. */

/** Returns a signer of starknet.js, or a key alone, for which starknet.js makes one. */
async function signerOf(
  { signer, privateKey, guardianKey }: StarknetAccountOptions,
  { EthSigner, Signer, ec, stark }: StarknetJs,
): Promise<AccountOptions["signer"]> {
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

/**
 * Checks that a curve takes a key. Texts without 0x are refused: starknet.js reads them as decimal numbers. Its errors
 * repeat the key, and are dropped.
 *
 * @throws HdpError HDP-8022
 */
async function requireKey(name: string, key: string, publicKey: () => unknown): Promise<void> {
  try {
    if (/^0x[0-9a-fA-F]{1,64}$/.test(key)) {
      await publicKey();
      return;
    }
  } catch {
    // Zero, or not below the curve's order.
  }
  throw hdpError("HDP-8022", { name });
}

/**
 * No tip: it would be estimated from the latest blocks, and a devnet has too few of them. Fees are estimated with the
 * account's validation, which costs an Ethereum signature more than all the rest.
 */
export const TRANSACTION: UniversalDetails = { tip: 0n, skipValidate: false };

/** Does the work. Throws HDP-8008 with the network's reason where it is refused. */
export async function refused<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw hdpError("HDP-8008", { action, reason: reasonOf(error) });
  }
}

/**
 * Returns the reasons of panics that the network quotes as `0x… ('REASON')`, or else the end of its text: starknet.js
 * quotes the whole request before it, class included.
 */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const panics = [...message.slice(-4000).matchAll(/\('([^']+)'\)/g)].map(([, reason = ""]) => reason);
  const reasons = [...new Set(panics)].filter((reason) => reason !== "ENTRYPOINT_FAILED");
  if (reasons.length > 0) return reasons.join(", ");
  const end = message.length > 300 ? message.slice(-300).replace(/^\S*\s+/, "") : message;
  return end.replace(/\b\w+:\/\/\S+/g, "<url>");
}

/** Returns a felt in hexadecimal without leading zeros. */
export function starknetHex(value: string): Hex {
  return `0x${BigInt(value).toString(16)}`;
}

/** Waits until the network has executed a transaction, polling twice a second: devnets answer at once. */
export async function executed(
  account: Account,
  transactionHash: string,
): Promise<SuccessfulTransactionReceiptResponse> {
  const receipt = await account.provider.waitForTransaction(transactionHash, { retryInterval: 500 });
  if (receipt.isSuccess()) return receipt;
  throw new Error(receipt.isReverted() ? receipt.revert_reason : "it was not accepted");
}

import type { Account, AccountOptions, SuccessfulTransactionReceiptResponse, UniversalDetails } from "starknet";
import type { Hex } from "viem";

import { HdpError } from "../../base/errors.js";
import { loadStarknet, type StarknetJs } from "./load-starknet.js";
import { starknetAddress } from "./starknet-execution-store.js";

/** An account that pays for and signs transactions, on a devnet as a rule. */
export interface StarknetAccountOptions {
  readonly rpcUrl: string;
  /** Sends the requests to `rpcUrl`. Default: the global fetch. */
  readonly baseFetch?: typeof fetch | undefined;
  readonly accountAddress: string;
  /** Called when a transaction is to be signed for the first time; the key is kept nowhere else. */
  readonly privateKey: () => string | Promise<string>;
  /**
   * What the account's contract checks: a signature on Starknet's own curve (`stark`, the default: OpenZeppelin, Argent
   * and Ready without a guardian), or on Ethereum's (`ethereum`: OpenZeppelin's EthAccount).
   */
  readonly signer?: StarknetSignerKind | undefined;
  /** The guardian's key of an Argent or Ready account that has one; it signs behind the owner. */
  readonly guardianKey?: (() => string | Promise<string>) | undefined;
}

export const STARKNET_SIGNERS = ["stark", "ethereum"] as const;

export type StarknetSignerKind = (typeof STARKNET_SIGNERS)[number];

/** The account of starknet.js; the key is asked for, nothing is sent. */
export async function openAccount(options: StarknetAccountOptions): Promise<Account> {
  const address = starknetAddress(options.accountAddress);
  const starknet = await loadStarknet();
  const { rpcUrl: nodeUrl, baseFetch } = options;
  const provider = baseFetch === undefined ? { nodeUrl } : { nodeUrl, baseFetch };
  return new starknet.Account({ provider, address, signer: await signerOf(options, starknet) });
}

/* eslint-disable @typescript-eslint/no-unsafe-class-instance-assignment --
   starknet.js declares its interface of signers as a class, which its own signers implement and do not extend. */

/** A key alone is signed with as starknet.js does; the signer's own classes do the rest. */
async function signerOf(
  { signer, privateKey, guardianKey }: StarknetAccountOptions,
  { EthSigner, Signer, ec, stark }: StarknetJs,
): Promise<AccountOptions["signer"]> {
  const key = await privateKey();
  if (signer === "ethereum") return new EthSigner(key);
  const guardian = await guardianKey?.();
  if (guardian === undefined) return key;
  class GuardedSigner extends Signer {
    protected override async signRaw(hash: string): Promise<string[]> {
      const signatures = [key, guardian ?? ""].map((one) => stark.formatSignature(ec.starkCurve.sign(hash, one)));
      return await Promise.resolve(signatures.flat());
    }
  }
  return new GuardedSigner(key);
}

/* eslint-enable */

/** No tip: the estimate would be made from the latest blocks, which a devnet has too few of. */
export const NO_TIP: UniversalDetails = { tip: 0n };

/** Does the work; what the network says against it becomes HDP-8008. */
export async function refused<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // starknet.js quotes the whole request, class included; its own sentence is the last line's end.
    const reason = message.slice(-300).replace(/\b\w+:\/\/\S+/g, "<url>");
    throw new HdpError({
      code: "HDP-8008",
      message: `the Starknet network refused to ${what}: ${reason}`,
      hints: ["Check that the node answers, that the account is deployed and funded there, and that it owns the mock."],
    });
  }
}

/** A felt as the hexadecimal number it is. */
export function starknetHex(value: string): Hex {
  return `0x${BigInt(value).toString(16)}`;
}

/** Waits until the network has executed a transaction, asking twice a second: devnets answer at once. */
export async function executed(
  account: Account,
  transactionHash: string,
): Promise<SuccessfulTransactionReceiptResponse> {
  const receipt = await account.provider.waitForTransaction(transactionHash, { retryInterval: 500 });
  if (receipt.isSuccess()) return receipt;
  throw new Error(receipt.isReverted() ? receipt.revert_reason : "it was not accepted");
}

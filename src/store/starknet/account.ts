import type { Account, SuccessfulTransactionReceiptResponse, UniversalDetails } from "starknet";
import type { Hex } from "viem";

import { HdpError } from "../../base/errors.js";
import { loadStarknet } from "./load-starknet.js";
import { starknetAddress } from "./starknet-execution-store.js";

/** An account that pays for and signs transactions, on a devnet as a rule. */
export interface StarknetAccountOptions {
  readonly rpcUrl: string;
  /** Sends the requests to `rpcUrl`. Default: the global fetch. */
  readonly baseFetch?: typeof fetch | undefined;
  readonly accountAddress: string;
  /** Called when a transaction is to be signed for the first time; the key is kept nowhere else. */
  readonly privateKey: () => string | Promise<string>;
}

/** The account of starknet.js; the key is asked for, nothing is sent. */
export async function openAccount(options: StarknetAccountOptions): Promise<Account> {
  const address = starknetAddress(options.accountAddress);
  const { Account: StarknetAccount } = await loadStarknet();
  const { rpcUrl: nodeUrl, baseFetch } = options;
  const provider = baseFetch === undefined ? { nodeUrl } : { nodeUrl, baseFetch };
  return new StarknetAccount({ provider, address, signer: await options.privateKey() });
}

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

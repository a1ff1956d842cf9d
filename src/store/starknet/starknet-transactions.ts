import { setTimeout } from "node:timers/promises";

import type * as Starknet from "starknet";

import { isRecord } from "../../base/collections.js";
import { shownJson } from "../../base/json.js";
import { errorMessage } from "../../base/text.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";

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

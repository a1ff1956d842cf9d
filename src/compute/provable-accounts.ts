import type { Address } from "viem";

import { DEFAULT_CONCURRENCY } from "../base/node-reads.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { visitedElements } from "../request/describe-task.js";
import { absentAccountError } from "../request/module-form.js";
import type { BlockProperty, Datalake, DatalakeComputeTask } from "../request/task.js";
import { requireLastBlock, type SampleOptions } from "./samples.js";

/** Options of {@link requireProvableAccounts}. */
export interface AccountOptions extends SampleOptions {
  /** The task's place in a request, which errors name: `tasks[0].`. */
  readonly place?: string | undefined;
}

type AddressedProperty = Extract<BlockProperty, { readonly address: Address }>;

function accountProperty({ sampledProperty: property }: Datalake): AddressedProperty | undefined {
  return "address" in property ? property : undefined;
}

/** Returns whether a task samples an account or a slot of one. */
export function hasAccount({ datalake }: DatalakeComputeTask): boolean {
  return accountProperty(datalake) !== undefined;
}

/**
 * Checks that the account of a task exists at each sampled block: the published prover proves neither fields nor slots of
 * one that does not. Reads the account at each block; nothing for a task without an account. Where a node gives no proof,
 * nothing is known and nothing refused.
 * @throws HdpError HDP-1129 with the first block at which it does not exist, HDP-4101 for blocks that do not exist, and the
 * errors of the reader
 */
export async function requireProvableAccounts(
  reader: ChainReader,
  { datalake }: DatalakeComputeTask,
  { concurrency = DEFAULT_CONCURRENCY, signal, place = "" }: AccountOptions = {},
): Promise<void> {
  const property = accountProperty(datalake);
  if (property === undefined) return;
  await requireLastBlock(reader, datalake, place === "" ? undefined : `${place}datalake`);
  const { first, last, step } = visitedElements(datalake);
  for (let start = first; start <= last; start += step * BigInt(concurrency)) {
    signal?.throwIfAborted();
    const ahead = Array.from({ length: concurrency }, (_, at) => start + step * BigInt(at));
    const reads = ahead
      .filter((block) => block <= last)
      .map(async (block) => ({ block, ...(await reader.account(block, property.address)) }));
    const absent = (await Promise.all(reads)).find(
      ({ value, proven }) => proven && BigInt(value.codeHash) === 0n,
    );
    if (absent === undefined) continue;
    throw absentAccountError(property.address, absent.block, place);
  }
}

import { DEFAULT_CONCURRENCY } from "../base/node-reads.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { visitedElements } from "../request/describe-task.js";
import { ABSENT_ACCOUNT, unprovableError } from "../request/module-form.js";
import type { DatalakeComputeTask } from "../request/task.js";
import type { SampleOptions } from "./samples.js";

/**
 * Checks that the account of a task exists at each sampled block: the published prover proves neither fields nor slots of
 * one that does not. Reads the account at each block; nothing for a task without an account.
 * @throws HdpError HDP-1129 with the first block at which it does not exist, and the errors of the reader
 */
export async function requireProvableAccounts(
  reader: ChainReader,
  { datalake }: DatalakeComputeTask,
  { concurrency = DEFAULT_CONCURRENCY, signal }: SampleOptions = {},
): Promise<void> {
  const property = datalake.sampledProperty;
  if (property.kind !== "account" && property.kind !== "storage") return;
  const { first, last, step } = visitedElements(datalake);
  for (let start = first; start <= last; start += step * BigInt(concurrency)) {
    signal?.throwIfAborted();
    const ahead = Array.from({ length: concurrency }, (_, at) => start + step * BigInt(at));
    const reads = ahead
      .filter((block) => block <= last)
      .map(async (block) => ({ block, ...(await reader.account(block, property.address)) }));
    const absent = (await Promise.all(reads)).find(({ value }) => BigInt(value.codeHash) === 0n);
    if (absent === undefined) continue;
    const problem = `the account ${property.address} does not exist at block ${absent.block}`;
    throw unprovableError({ ...ABSENT_ACCOUNT, problem });
  }
}

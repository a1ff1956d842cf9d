import { hash } from "starknet";

import { splitWord } from "../../src/base/hex.js";
import type { SatelliteExecution } from "../../src/store/prove-batch.js";

/** Program hash of SHARP's bootloader in Integrity 2.1.0, which the satellite's development branch is locked to. */
const SHARP_BOOTLOADER = 0x5ab580b04e3532b6b18f81cfa654a05e29dd8e2352d88df1e765a84072db07n;

/**
 * Returns the fact of an execution in a satellite on Starknet: Poseidon of the program hash and of the output's hash.
 * With Keccak MMRs, even none, it is that of the development branch, whose program SHARP's bootloader runs.
 */
export function starknetFact(execution: SatelliteExecution): bigint {
  const program = BigInt(execution.programHash);
  const output = outputWords(execution);
  if (execution.keccakMmrs === undefined) return poseidon([program, poseidon(output)]);
  const bootloaded = [1n, BigInt(output.length + 2), program, ...output];
  return poseidon([SHARP_BOOTLOADER, poseidon(bootloaded)]);
}

/** Returns the argument of `authenticateDataProcessorTaskExecution` as starknet.js encodes it by the ABI. */
export function taskData(execution: SatelliteExecution, moduleHash = 0n): Record<string, unknown> {
  const [task, result] = [splitWord(execution.taskHash), splitWord(execution.word)];
  const mmrs = (list: SatelliteExecution["poseidonMmrs"]): Record<string, bigint>[] =>
    list.map(({ chainId, id, size }) => ({ chain_id: chainId, mmr_id: id, mmr_size: size }));
  const { poseidonMmrs, keccakMmrs } = execution;
  return {
    ...(keccakMmrs === undefined
      ? { mmr_data: mmrs(poseidonMmrs), module_hash: moduleHash }
      : { mmr_collection: { poseidon_mmr: mmrs(poseidonMmrs), keccak_mmr: mmrs(keccakMmrs) } }),
    task_result_low: result.low,
    task_result_high: result.high,
    task_hash_low: task.low,
    task_hash_high: task.high,
    program_hash: execution.programHash,
  };
}

function outputWords({ taskHash, word, poseidonMmrs, keccakMmrs }: SatelliteExecution): bigint[] {
  const [task, result] = [splitWord(taskHash), splitWord(word)];
  const words = [task.low, task.high, result.low, result.high];
  if (keccakMmrs !== undefined) words.push(BigInt(poseidonMmrs.length), BigInt(keccakMmrs.length));
  for (const { id, size, chainId, root } of poseidonMmrs)
    words.push(id, size, chainId, BigInt(root));
  for (const { id, size, chainId, root } of keccakMmrs ?? []) {
    const { low, high } = splitWord(root);
    words.push(id, size, chainId, low, high);
  }
  return words;
}

function poseidon(words: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements([...words]));
}

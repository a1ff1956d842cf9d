import type { BlockProperty, DatalakeComputeTask } from "../src/request/task.js";
import {
  deployExecutionStoreMock,
  finalizeTasks,
  openExecutionStore,
} from "../src/entries/store.js";
import type { Eip1193Provider, ResultSink } from "../src/entries/local.js";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

/** A simulated chain of at least `blocks` executed blocks (hardhat_mine of 8 or more would leave most without state). */
export async function simulatedChain(blocks: number): Promise<Eip1193Provider> {
  const hre = await createHardhatRuntimeEnvironment({});
  const { provider } = await hre.network.create();
  for (let mined = 0; mined < blocks; mined += 7)
    await provider.request({ method: "hardhat_mine", params: ["0x7"] });
  return provider;
}

export interface BenchStore {
  readonly sink: ResultSink;
  readonly read: (taskHash: `0x${string}`) => Promise<bigint>;
}

export async function deployStore(provider: Eip1193Provider): Promise<BenchStore> {
  const { address, from } = await deployExecutionStoreMock({ provider });
  const store = await openExecutionStore({ provider, address });
  return {
    sink: {
      finalize: async (results) => ({
        store: address,
        ...(await finalizeTasks({ provider, store: address, from, results })),
      }),
    },
    read: async (taskHash) => (await store.readResult(taskHash)).value,
  };
}

/** Calls `work` for 0..count-1, at most `width` at once. */
export async function bounded(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** What a bench measured: a time or another figure, and what the same takes at least. */
export interface Row {
  readonly name: string;
  readonly value: number;
  /** Default "ms". */
  readonly unit?: string | undefined;
  /** The same without what is measured: bare reads, a bare transaction. */
  readonly floor?: number | undefined;
  /** The ratio to the floor that is aimed at; where there is no floor, the figure itself. */
  readonly aim: number;
}

/** What is aimed at, and compared: the ratio to the floor, or the figure where there is none. */
export function figure({ value, floor }: Row): number {
  return floor === undefined ? value : value / floor;
}

/** Prints a row, and hands it to `npm run bench` where that runs the script. */
export function row(measured: Row): void {
  const { name, value, unit = "ms", floor, aim } = measured;
  const ratio =
    floor === undefined
      ? ""
      : `, ${figure(measured).toFixed(2)} × the floor of ${floor.toFixed(1)} ${unit}`;
  line(
    name,
    `${value.toFixed(1)} ${unit}${ratio} (aim ${aim} ${floor === undefined ? unit : "×"})`,
  );
  process.send?.(measured);
}

export function line(name: string, value: string): void {
  console.log(`${name.padEnd(48)} ${value}`);
}

/** The largest value of a property over the first blocks of a chain: each of them is read and checked. */
export function sampledBlocks(
  samples: number,
  sampledProperty: BlockProperty,
): DatalakeComputeTask {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0n,
      blockRangeEnd: BigInt(samples) - 1n,
      increment: 1n,
      sampledProperty,
    },
    compute: { aggregateFnId: "max" },
  };
}

import type { Eip1193Provider } from "../../../src/base/rpc.js";
import type { DatalakeComputeTask } from "../../../src/request/task.js";

const FIELDS = {
  number: "number",
  timestamp: "timestamp",
  gas_limit: "gasLimit",
  base_fee_per_gas: "baseFeePerGas",
} as const;
const FIELD_NAMES = ["number", "timestamp", "gas_limit", "base_fee_per_gas"] as const;
const FUNCTIONS = ["sum", "min", "max", "avg"] as const;

/** Blocks that every task lies in; the chain must have them before anything is stored. */
export const BLOCKS = 48;

/** The `index`-th of 10,000 different tasks. */
export function chaosTask(index: number): DatalakeComputeTask {
  const fn = FUNCTIONS[index % 4] ?? "sum";
  const field = FIELD_NAMES[Math.floor(index / 4) % 4] ?? "number";
  const place = Math.floor(index / 16);
  const start = place % 25;
  const length = 1 + (Math.floor(place / 25) % 22);
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: BigInt(start),
      blockRangeEnd: BigInt(start + length),
      increment: 1n,
      sampledProperty: { kind: "header", field },
    },
    compute: { aggregateFnId: fn },
  };
}

/** What a chaos task comes to, from the node's own words and plain arithmetic. */
export class Oracle {
  readonly #blocks: readonly Readonly<Record<string, unknown>>[];

  private constructor(blocks: readonly Readonly<Record<string, unknown>>[]) {
    this.#blocks = blocks;
  }

  public static async of(provider: Eip1193Provider): Promise<Oracle> {
    const blocks: Readonly<Record<string, unknown>>[] = [];
    for (let number = 0; number < BLOCKS; number += 1) {
      const params = [`0x${number.toString(16)}`, false];
      blocks.push(
        (await provider.request({ method: "eth_getBlockByNumber", params })) as Record<
          string,
          unknown
        >,
      );
    }
    return new Oracle(blocks);
  }

  public valueOf({ datalake, compute }: DatalakeComputeTask): bigint {
    if (datalake.type !== "BlockSampled" || datalake.sampledProperty.kind !== "header")
      throw new Error("not chaos");
    const field = FIELDS[datalake.sampledProperty.field as keyof typeof FIELDS];
    const values = this.#blocks
      .slice(Number(datalake.blockRangeStart), Number(datalake.blockRangeEnd) + 1)
      .map((block) => BigInt(block[field] as string));
    const sum = values.reduce((total, value) => total + value, 0n);
    const count = BigInt(values.length);
    switch (compute.aggregateFnId) {
      case "min":
        return values.reduce((least, value) => (value < least ? value : least));
      case "max":
        return values.reduce((most, value) => (value > most ? value : most));
      case "avg":
        // Halves are rounded up.
        return (2n * sum + count) / (2n * count);
      case "sum":
      case "count":
        return sum;
    }
  }
}

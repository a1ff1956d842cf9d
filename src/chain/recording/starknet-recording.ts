import type { Hex } from "viem";

import { formatFelt } from "../../base/felt.js";
import { hdpError } from "../../errors/hdp-error.js";
import { type ChainIdentifier, chainIdentifierOf } from "../../request/chains.js";
import type { StarknetSource } from "../readers.js";
import type { StarknetReader } from "../starknet-chain-reader.js";
import type { RecordedStarknet, Recording } from "./recording.js";

type Kept = { -readonly [K in "headers" | "storage"]: RecordedStarknet[K][number][] };

/** Records the values that modules read from Starknet. They are not proven, by the node or by the fixture. */
export class StarknetRecorder {
  readonly #chains = new Map<ChainIdentifier, Kept>();

  public readonly source: StarknetSource = async (chainId, node) => {
    const [chain, reader] = [chainIdentifierOf(chainId), await node()];
    if (chain === undefined || reader === undefined) return reader;
    const kept = this.#chains.get(chain) ?? { headers: [], storage: [] };
    this.#chains.set(chain, kept);
    return {
      header: async (block, field) => {
        const read = await reader.header(block, field);
        kept.headers.push({ block: Number(block), field, value: formatFelt(read.value) });
        return read;
      },
      storage: async (block, address, key) => {
        const read = await reader.storage(block, address, key);
        kept.storage.push({ block: Number(block), ...slot(address, key), value: formatFelt(read.value) });
        return read;
      },
    };
  };

  /** Returns all values read so far, each once and sorted; an empty object if no module read Starknet. */
  public recorded(): Pick<Recording, "starknet"> {
    const starknet = [...this.#chains].map(([chain, { headers, storage }]) => {
      return { chain, headers: sortedOnce(headers), storage: sortedOnce(storage) };
    });
    return starknet.length === 0 ? {} : { starknet: starknet.sort((a, b) => (a.chain < b.chain ? -1 : 1)) };
  }
}

/** Returns a reader of one Starknet chain of a fixture. Reading a value that is not recorded is an error. */
export function recordedStarknet({ chain, headers, storage }: RecordedStarknet): StarknetReader {
  const read = (found: { readonly value: string } | undefined, block: bigint, subject: string) => {
    if (found === undefined) throw hdpError("HDP-4604", { subject, chain, block });
    return { value: BigInt(found.value), proven: false };
  };
  return {
    header: async (block, field) => {
      const found = headers.find((one) => BigInt(one.block) === block && one.field === field);
      return await Promise.resolve(read(found, block, `the header field ${field}`));
    },
    storage: async (block, address, key) => {
      const wanted = slot(address, key);
      const found = storage.find((one) => {
        return BigInt(one.block) === block && one.address === wanted.address && one.key === wanted.key;
      });
      return await Promise.resolve(read(found, block, `key ${wanted.key} of ${wanted.address}`));
    },
  };
}

function slot(address: Hex, key: Hex): { readonly address: Hex; readonly key: Hex } {
  return { address: formatFelt(BigInt(address)), key: formatFelt(BigInt(key)) };
}

function sortedOnce<T extends { readonly block: number }>(reads: readonly T[]): T[] {
  const once = new Map(reads.map((read) => [JSON.stringify(read), read]));
  return [...once]
    .sort(([a, { block: first }], [b, { block: second }]) => first - second || (a < b ? -1 : 1))
    .map(([, read]) => read);
}

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { isRecord } from "../base/collections.js";
import { askNode, type Eip1193Provider } from "../base/rpc.js";
import { bigIntOf, quantity, rpcObject } from "../chain/node-rpc.js";
import type { BlockReference, BlockTime, ResolvedBlock } from "../request/block-reference.js";
import {
  BLOCK_KEYS,
  firstBlockAtOrAfter,
  hasReference,
  parseBlockReference,
} from "../request/block-reference.js";
import { findChainIdentifier, isStarknet } from "../request/chains.js";
import type { ChainSources } from "./chain-sources.js";

/**
 * Returns a document with blocks in place of the references to them, over the chains that a session reads. All
 * references in it see the same latest block.
 */
export async function resolveBlocks(
  document: unknown,
  sources: ChainSources,
  onBlock?: (resolved: ResolvedBlock) => void,
): Promise<unknown> {
  const chains = new Map<string, ChainBlocks>();
  const blocksOf = async (name: unknown, path: string, text: string): Promise<ChainBlocks> => {
    const chain = typeof name === "string" ? findChainIdentifier(name) : undefined;
    if (chain === undefined || isStarknet(chain)) {
      const reason = `blocks of ${String(name)} are named by their numbers, others are looked up on EVM chains`;
      throw noBlock(path, text, reason);
    }
    const { providerFor } = sources.options;
    const blocks = chains.get(chain) ?? new ChainBlocks(await providerFor(chain));
    chains.set(chain, blocks);
    return blocks;
  };
  const resolveDatalake = async (datalake: object, path: string): Promise<object> => {
    const resolved: Record<string, unknown> = { ...datalake };
    for (const key of BLOCK_KEYS) {
      const text = resolved[key];
      const reference = parseBlockReference(text);
      if (reference === undefined) continue;
      const at = `${path}${key}`;
      const blocks = await blocksOf(resolved["chainId"], at, String(text));
      const { number, timestamp } = await blocks.find(
        reference,
        key === "blockRangeEnd",
        at,
        String(text),
      );
      resolved[key] = number;
      onBlock?.({ path: at, text: String(text), block: number, timestamp });
    }
    return resolved;
  };
  return await walk(document, "", resolveDatalake);
}

/** Returns the document with every datalake resolved; the same object if there is nothing to resolve. */
async function walk(
  value: unknown,
  path: string,
  resolve: (datalake: object, path: string) => Promise<object>,
): Promise<unknown> {
  if (!hasReference(value)) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const [index, one] of value.entries())
      list.push(await walk(one, `${path}[${index}]`, resolve));
    return list;
  }
  const prefix = path === "" ? "" : `${path}.`;
  if ("datalake" in value && isRecord(value.datalake)) {
    return { ...value, datalake: await resolve(value.datalake, `${prefix}datalake.`) };
  }
  return "tasks" in value
    ? { ...value, tasks: await walk(value.tasks, `${prefix}tasks`, resolve) }
    : value;
}

/** The blocks of one chain, each read once. */
class ChainBlocks {
  readonly #provider: Eip1193Provider;
  readonly #read = new Map<string, BlockTime>();

  public constructor(provider: Eip1193Provider) {
    this.#provider = provider;
  }

  public async find(
    reference: BlockReference,
    isEnd: boolean,
    path: string,
    text: string,
  ): Promise<BlockTime> {
    if (reference.kind === "tag") {
      const { number, timestamp } = await this.#block(reference.tag, path);
      if (reference.back === 0n) return { number, timestamp };
      if (reference.back > number) throw noBlock(path, text, `${reference.tag} is ${number}`);
      return await this.#block(quantity(number - reference.back), path);
    }
    const latest = await this.#block("latest", path);
    const read = async (number: bigint): Promise<BlockTime> =>
      await this.#block(quantity(number), path);
    const first = await firstBlockAtOrAfter(isEnd ? reference.until : reference.from, latest, read);
    if (!isEnd && first !== undefined) return first;
    const time = new Date(Number(latest.timestamp) * 1000).toISOString();
    if (first === undefined) {
      // A range may end today, after the latest block.
      if (isEnd && latest.timestamp >= reference.from) return latest;
      throw noBlock(path, text, `the latest is ${latest.number}, of ${time}`);
    }
    if (first.number === 0n) throw noBlock(path, text, "it is before the chain's first block");
    return await read(first.number - 1n);
  }

  async #block(tag: string, path: string): Promise<BlockTime> {
    const known = this.#read.get(tag);
    if (known !== undefined) return known;
    const found = await askNode(this.#provider, "eth_getBlockByNumber", [tag, false]);
    if (found === null) throw noBlock(path, tag, "the node does not have it");
    const block = rpcObject(found, `block ${tag}`);
    const read = { number: bigIntOf(block, "number"), timestamp: bigIntOf(block, "timestamp") };
    this.#read.set(tag, read);
    return read;
  }
}

function noBlock(path: string, block: string, reason: string): HdpError {
  return hdpError("HDP-6123", { block, reason }, { path });
}

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { isRecord } from "../base/collections.js";
import { askNode, type Eip1193Provider } from "../base/rpc.js";
import { bigIntField, quantity, rpcObject } from "../chain/node-rpc.js";
import type { BlockReference, BlockTime, ResolvedBlock } from "../request/block-reference.js";
import {
  BLOCK_KEYS,
  firstBlockAtOrAfter,
  hasReference,
  parseBlockReference,
} from "../request/block-reference.js";
import { type ChainIdentifier, findChainIdentifier, isStarknet } from "../request/chains.js";
import { type ChainSources, isSameReference } from "./chain-sources.js";

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
  const parseChain = (name: unknown, path: string, text: string): ChainIdentifier => {
    const chain = typeof name === "string" ? findChainIdentifier(name) : undefined;
    if (chain === undefined || isStarknet(chain)) {
      const reason = `blocks of ${String(name)} are named by their numbers, others are looked up on EVM chains`;
      throw noBlock(path, text, reason);
    }
    return chain;
  };
  const chainBlocks = async (chain: ChainIdentifier): Promise<ChainBlocks> => {
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
      const place = { path: `${path}${key}`, text: String(text), isEnd: key === "blockRangeEnd" };
      const chain = parseChain(resolved["chainId"], place.path, place.text);
      const { number, timestamp } =
        recordedBlock(sources, chain, place) ??
        (await (await chainBlocks(chain)).find(reference, place));
      const { isEnd } = place;
      const read = { block: Number(number), timestamp: Number(timestamp) };
      sources.remember({ text: spelled(place.text), isEnd, ...read }, chain);
      resolved[key] = number;
      onBlock?.({ path: place.path, text: place.text, block: number, timestamp });
    }
    return resolved;
  };
  return await walk(document, "", resolveDatalake);
}

/** A block that is named by place or date. */
interface NamedBlock {
  readonly path: string;
  readonly text: string;
  /** Whether it ends a range. */
  readonly isEnd: boolean;
}

function spelled(text: string): string {
  return text.replace(/\s/g, "");
}

/** Returns what a block was when the replayed data were recorded; undefined where none are replayed. @throws HDP-6123 */
function recordedBlock(
  sources: ChainSources,
  chain: ChainIdentifier,
  { path, text, isEnd }: NamedBlock,
): BlockTime | undefined {
  const references = sources.recordedReferences(chain);
  if (references === undefined) return undefined;
  const found = references.find((one) => isSameReference(one, { text: spelled(text), isEnd }));
  if (found === undefined)
    throw noBlock(path, text, "the recorded chain data have no task that names it");
  return { number: BigInt(found.block), timestamp: BigInt(found.timestamp) };
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
    { path, text, isEnd }: NamedBlock,
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
    const read = {
      number: bigIntField(block, "number"),
      timestamp: bigIntField(block, "timestamp"),
    };
    this.#read.set(tag, read);
    return read;
  }
}

function noBlock(path: string, block: string, reason: string): HdpError {
  return hdpError("HDP-6123", { block, reason }, { path });
}

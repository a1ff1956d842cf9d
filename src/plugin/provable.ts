import { isHdpError, hdpError, type HdpError } from "../errors/hdp-error.js";
import { poll } from "../base/polling.js";
import { type ChainIdentifier, numericChainId } from "../request/chains.js";
import type { AwaitOptions } from "../request/data-processor.js";
import {
  type ProvabilityReport,
  judgeProvability,
  provabilityText,
  type SourceBlocks,
  type SourceProvability,
} from "../request/provability.js";
import { isConnected } from "../request/satellites.js";
import { findDatalake } from "../request/task-form.js";
import type { Datalake, Task, TaskRequest } from "../request/task.js";
import { type BlockRanges, IndexerClient } from "../service/indexer.js";
import { HttpClient, type ServiceCallOptions } from "../service/http/http-client.js";
import { readAddress } from "./services.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** Returns the blocks that datalake tasks of a request read, a range for each chain; a module's are known after a run. */
export function sourceBlocks(tasks: readonly Task[]): readonly SourceBlocks[] {
  return joined(
    tasks.flatMap((task) => {
      const datalake = findDatalake(task)?.datalake;
      return datalake === undefined ? [] : [blocksToProve(datalake)];
    }),
  );
}

function blocksToProve(datalake: Datalake): SourceBlocks {
  const { chainId: source } = datalake;
  return datalake.type === "BlockSampled"
    ? { source, first: datalake.blockRangeStart, last: datalake.blockRangeEnd }
    : { source, first: datalake.targetBlock, last: datalake.targetBlock };
}

/** Returns one range for each chain, from the first to the last block of all. */
export function joined(blocks: readonly SourceBlocks[]): readonly SourceBlocks[] {
  const ranges = new Map<ChainIdentifier, SourceBlocks>();
  for (const { source, first, last } of blocks) {
    const known = ranges.get(source) ?? { source, first, last };
    ranges.set(source, {
      source,
      first: first < known.first ? first : known.first,
      last: last > known.last ? last : known.last,
    });
  }
  return [...ranges.values()];
}

/** Asks the indexer of a session's data processor whether a destination can prove blocks. Never throws for its failures. */
export async function provabilityReport(
  network: ConnectedNetwork,
  destination: ChainIdentifier,
  blocks: readonly SourceBlocks[],
  options?: ServiceCallOptions,
): Promise<ProvabilityReport> {
  try {
    const client = await connectIndexer(network);
    if (client === undefined)
      return { problem: "no indexer is configured (dataProcessor.indexerUrl)" };
    return { sources: judged(await client.ranges(options), destination, blocks) };
  } catch (error) {
    if (!isHdpError(error) || options?.signal?.aborted === true) throw error;
    return { problem: error.shortMessage };
  }
}

function judged(
  ranges: BlockRanges,
  destination: ChainIdentifier,
  blocks: readonly SourceBlocks[],
): readonly SourceProvability[] {
  return blocks.map(({ source, first, last }) => {
    const held = ranges(numericChainId(source), numericChainId(destination));
    const provability = judgeProvability({ first, last }, held, isConnected(source, destination));
    const text = provabilityText(provability, { source, destination });
    return { source, first, last, provability, text };
  });
}

/** Returns the errors of sources whose blocks nothing published brings to the destination. */
export function unconnected(
  { sources = [] }: ProvabilityReport,
  destination: ChainIdentifier,
): readonly HdpError[] {
  return sources
    .filter(({ provability }) => provability.kind === "unconnected")
    .map(({ source }) =>
      hdpError("HDP-2045", { source, destination }, { path: "destinationChainId" }),
    );
}

/**
 * Resolves when the destination can prove the blocks of a request's datalake tasks.
 * @throws HdpError HDP-2045 without a connection, HDP-2004 without an indexer, HDP-2081 at the timeout
 */
export async function awaitProvable(
  network: ConnectedNetwork,
  { destinationChainId: destination, tasks }: TaskRequest,
  options: AwaitOptions & { readonly onNew?: (sources: readonly SourceProvability[]) => void } = {},
): Promise<readonly SourceProvability[]> {
  const client = await connectIndexer(network);
  if (client === undefined) {
    const where = ` for network "${network.networkName}"`;
    const example = 'hdp: { dataProcessor: { url, indexerUrl: "https://…" } }';
    const path = network.configPath("dataProcessor.indexerUrl");
    throw hdpError("HDP-2004", { what: "indexer", where, example }, { path });
  }
  const blocks = sourceBlocks(tasks);
  const shownAs = (sources: readonly SourceProvability[]): string =>
    sources.map(({ source, text }) => `${source}: ${text}`).join(", ");
  return await poll({
    options: { ...options, timeout: options.timeout ?? network.config.timeouts.await },
    look: async (signal) => {
      const sources = judged(await client.ranges({ signal }), destination, blocks);
      const [first] = unconnected({ sources }, destination);
      if (first !== undefined) throw first;
      return sources;
    },
    onNew: options.onNew,
    shownAs,
    done: (sources) => sources.every(({ provability }) => provability.kind === "provable"),
    what: `the blocks that ${destination} is to prove`,
    describe: shownAs,
    comeBack: "Wait again: npx hardhat hdp:check <file> --await-provable --network <name>",
    passing: (error) =>
      isHdpError(error) && error.code !== "HDP-2045" ? { failure: error } : undefined,
  });
}

async function connectIndexer(network: ConnectedNetwork): Promise<IndexerClient | undefined> {
  const { dataProcessor: config, timeouts } = network.config;
  if (typeof config !== "object" || config.indexerUrl === undefined) return undefined;
  const service = "the indexer";
  const settings = { url: network.configPath("dataProcessor.indexerUrl") };
  const url = await readAddress(config.indexerUrl, settings.url, service);
  const { request } = timeouts;
  return new IndexerClient(
    new HttpClient({ service, settings, url, attemptTimeout: request, timeout: 3 * request }),
  );
}

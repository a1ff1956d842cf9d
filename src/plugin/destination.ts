import { hdpError } from "../errors/hdp-error.js";
import {
  type ChainIdentifier,
  identifyChain,
  numericChainId,
  isStarknet,
} from "../request/chains.js";
import { findDatalake } from "../request/task-form.js";
import type { Datalake, Task, TaskRequest } from "../request/task.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { ChainNode, ResolvedDestination } from "./connected-processor.js";
import { ChainSources } from "./chain-sources.js";
import type { Session } from "./session.js";
import { EvmStores } from "./stores/evm-stores.js";
import type { ResultStore } from "./stores/result-store.js";

/** Resolves the destination of a request on a connection. @throws HDP-2004 as {@link destinationStore} */
export async function resolveDestination(
  chain: ChainIdentifier,
  session: Session,
): Promise<ResolvedDestination> {
  return { chain, store: await destinationStore(chain, session), chainId: askedOnce() };
}

/** Returns a function that asks the node of each network for its chain's id once. */
export function askedOnce(): ResolvedDestination["chainId"] {
  const asked = new Map<string, Promise<bigint>>();
  return async (of: ChainNode) => {
    const id = asked.get(of.networkName) ?? of.chainId();
    asked.set(of.networkName, id);
    return await id;
  };
}

/**
 * Returns the destination of tasks without one: the connected chain. A development chain without an identifier stands
 * for Ethereum Sepolia, the specification's example; no hash depends on it.
 */
export async function defaultDestination(network: ConnectedNetwork): Promise<ChainIdentifier> {
  if (network.isSimulated) return "ETHEREUM_SEPOLIA";
  const id = await network.chainId();
  const name =
    identifyChain(id) ?? ((await network.isDevelopment()) ? "ETHEREUM_SEPOLIA" : undefined);
  if (name !== undefined) return name;
  throw hdpError("HDP-6014", { id, network: network.networkName }, { path: "destinationChainId" });
}

/**
 * Throws if a destination's results would not be read on its own chain: on another one they would be paid for and never
 * found. Chains in this process, and chains without an identifier, stand for any.
 * @throws HdpError HDP-6023
 */
export async function requireDestination(
  { chain, chainId }: ResolvedDestination,
  session: Session,
): Promise<void> {
  if (isStarknet(chain)) return;
  const { chains } = session.config;
  const own = await session.on(chains[chain] ?? session.networkName);
  if (own.isSimulated) return;
  const id = await chainId(own);
  const connected = identifyChain(id);
  if (connected === undefined || connected === chain) return;
  const values = { destination: chain, network: own.networkName, connected, id };
  throw hdpError("HDP-6023", values, { path: "destinationChainId" });
}

/** Throws if a range ends after the head of its chain, where a network is that chain. @throws HdpError HDP-4101 */
export async function requireBlocks(
  { tasks }: TaskRequest,
  { chainId }: ResolvedDestination,
  session: Session,
): Promise<void> {
  const heads = await readHeads(tasks, session, { chainId });
  for (const [position, task] of tasks.entries()) {
    const datalake = findDatalake(task)?.datalake;
    if (datalake === undefined) continue;
    const { key, number: last } = findLastBlock(datalake);
    const { chainId } = datalake;
    const head = heads.get(chainId);
    if (head === undefined || last <= head) continue;
    throw hdpError(
      "HDP-4101",
      { block: last, chain: chainId, head },
      { path: `tasks[${position}].datalake.${key}` },
    );
  }
}

/** Returns the last block that a datalake reads, and the key that sets it. */
export function findLastBlock(datalake: Datalake): {
  readonly key: string;
  readonly number: bigint;
} {
  return datalake.type === "BlockSampled"
    ? { key: "blockRangeEnd", number: datalake.blockRangeEnd }
    : { key: "targetBlock", number: datalake.targetBlock };
}

/** Options of {@link readHeads}. */
interface HeadOptions {
  /** Returns the id of a connection's chain. */
  readonly chainId: ResolvedDestination["chainId"];
  /** Whether the connected network stands for any chain. */
  readonly anyChain?: boolean;
}

/** Returns the heads of the chains that tasks read, where a network is the chain or stands for it; else undefined. */
export async function readHeads(
  tasks: readonly Task[],
  session: Session,
  { chainId, anyChain = false }: HeadOptions,
): Promise<ReadonlyMap<ChainIdentifier, bigint | undefined>> {
  const { sources, chains } = session.config;
  const heads = new Map<ChainIdentifier, bigint | undefined>();
  for (const chain of new Set(
    tasks.flatMap((task) => findDatalake(task)?.datalake.chainId ?? []),
  )) {
    const source = await session.on(sources[chain] ?? chains[chain] ?? session.networkName);
    // A service of this machine computes over the development chain that the connection is to.
    const isChain =
      anyChain ||
      sources[chain] !== undefined ||
      (await chainId(source)) === numericChainId(chain) ||
      (await session.part(ChainSources).isServedHere());
    heads.set(chain, isChain ? await source.head() : undefined);
  }
  return heads;
}

/**
 * Returns the store of a destination chain on a connection: the one on Starknet where `starknet.<chain>` is configured,
 * else the one on the network that `chains.<chain>` names, else the connection's own (as without a destination), whose
 * mock on a development chain stands for Starknet chains too.
 * @throws HDP-2004 for a Starknet chain that none of this applies to
 */
export async function destinationStore(
  destination: ChainIdentifier | undefined,
  session: Session,
): Promise<ResultStore> {
  if (destination === undefined) return session.part(EvmStores);
  const { chains, starknet } = session.config;
  if (starknet[destination] !== undefined) {
    const { StarknetStores } = await import("./stores/starknet-stores.js");
    return session.part(StarknetStores).on(destination, starknet[destination]);
  }
  const network = chains[destination];
  if (network !== undefined) return (await session.on(network)).part(EvmStores);
  if (isStarknet(destination) && !(await session.isDevelopment())) {
    const where = ` for results for ${destination} on network "${session.networkName}"`;
    const example = `hdp: { starknet: { ${destination}: { rpcUrl: configVariable("STARKNET_RPC_URL") } } }`;
    throw hdpError(
      "HDP-2004",
      { what: "Starknet node", where, example },
      { path: `hdp.starknet.${destination}` },
    );
  }
  return session.part(EvmStores);
}

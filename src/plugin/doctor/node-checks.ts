import type { Address, Hex } from "viem";

import { isRecord } from "../../base/collections.js";
import { askNode, providerSentence } from "../../base/rpc.js";
import { elapsed, grouped, plural } from "../../base/text.js";
import {
  bigIntField,
  data,
  listField,
  quantity,
  RpcClient,
  type RpcObject,
  rpcObject,
  UnsupportedReadError,
} from "../../chain/node-rpc.js";
import { ProvenChainReader } from "../../chain/proven-chain-reader.js";
import { EMPTY_TRIE_ROOT } from "../../chain/trie.js";
import { type HdpError, isHdpError } from "../../errors/hdp-error.js";
import { type ChainIdentifier, identifyChain, findChainIdentifier } from "../../request/chains.js";
import { type Check, asFinding, type Found, green, red, yellow } from "./finding.js";
import { findLast, type NodeIo } from "./node-io.js";

const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}`;
const ZERO_SLOT: Hex = `0x${"00".repeat(32)}`;

/** The checks of the connected node, in order. */
export const NODE_CHECKS: readonly Check<NodeIo>[] = [
  { name: "answers", isNeeded: true, run: answers },
  { name: "chain", run: chain },
  { name: "batches", run: batches },
  { name: "old state", run: oldState },
  { name: "proofs", run: proofs },
  { name: "block 0", run: blockZero },
  { name: "transactions", run: transactions },
  { name: "clock", run: clock },
];

async function answers(io: NodeIo): Promise<Found> {
  const head = await io.head();
  return green(`${await clientName(io)}, at block ${grouped(head)}`);
}

async function clientName({ provider, isSimulated }: NodeIo): Promise<string> {
  if (isSimulated) return "Hardhat, in this process";
  const client = await provider
    .request({ method: "web3_clientVersion", params: [] })
    .catch(() => undefined);
  return typeof client === "string" ? client : "a node that does not say its name";
}

async function chain(io: NodeIo): Promise<Found> {
  const { networkName, chainId, isDevelopment } = io;
  const id = await chainId();
  const found = identifyChain(id);
  const kind = (await isDevelopment()) ? "development chain" : "live chain";
  const named = chainNamed(networkName);
  const what = `${found ?? "none that is published"} (chain id ${id}), a ${kind}`;
  if (named === undefined || found === undefined || named === found) return green(what);
  const nextStep = `Give networks.${networkName} the url of a node of ${named}, or name the network after its chain.`;
  return red(`${what}, under the name of ${named}`, nextStep);
}

/** Returns the chain that a network is called after: `sepolia`, `ethereum-sepolia`, `ETHEREUM_SEPOLIA`. */
function chainNamed(network: string): ChainIdentifier | undefined {
  const name = network.replaceAll("-", "_").toUpperCase();
  return findChainIdentifier(name) ?? findChainIdentifier(`ETHEREUM_${name}`);
}

async function batches({ batchLimit }: NodeIo): Promise<Found | undefined> {
  const limit = await batchLimit().catch((error: unknown) => providerSentence(error));
  if (limit === undefined) return undefined;
  if (typeof limit === "string")
    return yellow(`not known: ${limit}`, "Run it again when the node is less busy.");
  const found = `${plural(limit, "call")} in one request`;
  if (limit >= FEW_CALLS) return green(found);
  return yellow(found, "Long ranges take many requests: raise the node's limit, or ask another.");
}

/** Calls in a batch from which on a range is read about as fast as with any number. */
const FEW_CALLS = 20;

async function oldState(io: NodeIo): Promise<Found | undefined> {
  const head = Number(await io.head());
  const client = new RpcClient(io.provider, { timeout: TIMEOUT });
  const holds = async (block: number): Promise<boolean> => await hasState(client, block);
  if (!(await holds(head))) {
    const nextStep = "Read accounts and slots from another node: hdp: { sources: { … } }.";
    return red("not even that of the latest block", nextStep);
  }
  const early = [Math.min(1, head), Math.floor(head / 2)];
  const kept = await Promise.all(early.map(holds));
  if (kept.every(Boolean)) return green("accounts and slots of every block");
  const depth = await stateDepth(head, holds);
  const found = `accounts and slots of the latest ${plural(depth, "block")} only, from block ${grouped(head - depth + 1)} on`;
  return yellow(found, await archiveHint(io));
}

/** Returns how many of the latest blocks have their state, of a head that has it. */
async function stateDepth(
  head: number,
  holds: (block: number) => Promise<boolean>,
): Promise<number> {
  let [good, behind] = [0, 1];
  while (behind <= head && (await holds(head - behind))) {
    good = behind;
    behind *= 2;
  }
  const missing = Math.min(behind, head + 1);
  return 1 + (await findLast(good, missing, async (distance) => await holds(head - distance)));
}

/** Milliseconds for one call of the search: each finds out about one block. */
const TIMEOUT = 20_000;

/** Returns whether a node proves state of a block, or has it where it gives no proofs at all. */
async function hasState(client: RpcClient, block: number): Promise<boolean> {
  const at = quantity(BigInt(block));
  const isThere = async (method: string, params: readonly unknown[]): Promise<boolean> => {
    try {
      await client.call(method, params);
      return true;
    } catch (error) {
      if (error instanceof UnsupportedReadError) {
        if (error.isOfState) return false;
        if (method === "eth_getProof") return await isThere("eth_getBalance", [ZERO_ADDRESS, at]);
      }
      throw error;
    }
  };
  return await isThere("eth_getProof", [ZERO_ADDRESS, [], at]);
}

async function archiveHint(io: NodeIo): Promise<string> {
  const chain = identifyChain(await io.chainId()) ?? "ETHEREUM_SEPOLIA";
  const isGeth = (await clientName(io)).startsWith("Geth/");
  const flags = isGeth ? "Start geth with --gcmode archive --state.scheme hash, or read" : "Read";
  return `${flags} earlier ones from an archive node: hdp: { sources: { ${chain}: "<network>" } }.`;
}

async function proofs(io: NodeIo): Promise<Found> {
  const head = await io.head();
  const reader = new ProvenChainReader(io.provider, { prove: "require", timeout: TIMEOUT });
  try {
    const beneficiary = data(await blockAt(io, quantity(head)), "miner", 20);
    await reader.account(head, beneficiary);
    await reader.storage(head, beneficiary, ZERO_SLOT);
    return green(`right, for an account and a slot in block ${grouped(head)}`);
  } catch (error) {
    if (!isHdpError(error)) throw error;
    return unproven(error, head, io);
  }
}

/** What each error of a proof says of the node. */
const PROOF_ERRORS: Readonly<Record<string, (error: HdpError, io: NodeIo) => Found>> = {
  // The header has no state root, or the node has no eth_getProof.
  "HDP-4204": ({ shortMessage }, { config }) => {
    const words = `none: ${shortMessage}`;
    return config.local.prove === "require"
      ? red(
          words,
          'Read from a node that proves, or set hdp: { local: { prove: "when-possible" } }.',
        )
      : yellow(words, "Accounts and slots are read unproven: for proven ones read another node.");
  },
  "HDP-4202": ({ shortMessage }) => red(`wrong: ${shortMessage}`, ANOTHER_NODE),
  "HDP-4201": ({ shortMessage }) => red(`wrong header: ${shortMessage}`, ANOTHER_NODE),
};
const ANOTHER_NODE =
  'Ask another node of the chain, and compare the two: hdp: { local: { secondNode: "<network>" } }.';

function unproven(error: HdpError, head: bigint, io: NodeIo): Found {
  const isEmpty = head === 0n && error.code === "HDP-4202";
  // Block 0 has a line of its own.
  if (isEmpty) return green("not checked before block 1");
  return PROOF_ERRORS[error.code]?.(error, io) ?? asFinding(error);
}

/** Checks whether accounts of the genesis block can be proven; anvil's header has the root of an empty state. */
async function blockZero(io: NodeIo): Promise<Found | undefined> {
  if (!(await io.isDevelopment())) return undefined;
  const root = data(await blockAt(io, "0x0"), "stateRoot", 32);
  if (root !== EMPTY_TRIE_ROOT) return green("its header has a state root");
  const found = "its header has the root of an empty state: its accounts can't be proven";
  return yellow(found, "Sample from block 1 on, as with every anvil.");
}

/** Latest blocks in which one with transactions is looked for. */
const LATEST = 32;

/** Checks whether transactions of a late block can be proven, one with blobs if there is any. */
async function transactions(io: NodeIo): Promise<Found | undefined> {
  const head = Number(await io.head());
  const numbers = Array.from({ length: Math.min(LATEST, head + 1) }, (_, at) => head - at);
  const blocks = await Promise.all(
    numbers.map(async (number) => await blockAt(io, quantity(BigInt(number)))),
  );
  const filled = blocks.filter((block) => listField(block, "transactions").length > 0);
  const block = filled.find(hasBlobs) ?? filled[0];
  if (block === undefined) return undefined;
  const number = bigIntField(block, "number");
  const blobs = hasBlobs(block) ? ", which has blobs," : "";
  const what = `of block ${grouped(number)}${blobs}`;
  const reader = new ProvenChainReader(io.provider, { prove: "require", timeout: TIMEOUT });
  try {
    await reader.transaction(number, 0);
    await reader.receipt(number, 0);
    return green(`those ${what} are proven`);
  } catch (error) {
    if (!isHdpError(error)) throw error;
    const nextStep = hasBlobs(block)
      ? "Leave blocks with blobs out of tasks about transactions, as with every anvil; other blocks are fine."
      : ANOTHER_NODE;
    const found = `those ${what} can't be proven: ${error.shortMessage}`;
    return hasBlobs(block) ? yellow(found, nextStep) : red(found, nextStep);
  }
}

function hasBlobs(block: RpcObject): boolean {
  return block.fields["blobGasUsed"] !== undefined && bigIntField(block, "blobGasUsed") > 0n;
}

/** Milliseconds that the latest block of a live chain may be behind, and any block before, this machine's clock. */
const MAX_BEHIND = 300_000;
const MAX_AHEAD = 60_000;

async function clock(io: NodeIo): Promise<Found> {
  const latest = await blockAt(io, "latest");
  const ahead = Number(bigIntField(latest, "timestamp")) * 1_000 - io.now();
  const found = `the latest block is ${elapsed(Math.abs(ahead))} ${ahead > 0 ? "ahead" : "old"}`;
  if (ahead > MAX_AHEAD) {
    const nextStep = (await io.isDevelopment())
      ? "Dates in tasks mean the chain's time: give blocks by number, or start the node again."
      : "Set this machine's clock, or ask another node.";
    return yellow(found, nextStep);
  }
  if (-ahead <= MAX_BEHIND || (await io.isDevelopment())) return green(found);
  const syncing = await io.provider
    .request({ method: "eth_syncing", params: [] })
    .catch(() => false);
  const why = isRecord(syncing) ? ": the node is still catching up" : "";
  return yellow(`${found}${why}`, "Wait until the node has caught up, or ask another node.");
}

async function blockAt({ provider }: NodeIo, at: string): Promise<RpcObject> {
  return rpcObject(await askNode(provider, "eth_getBlockByNumber", [at, false]), `block ${at}`);
}

import type { Hex } from "viem";

import { toWord, lowerCase } from "../base/hex.js";
import { provenHeader } from "../chain/blocks.js";
import {
  bigIntField,
  listField,
  quantity,
  type RpcClient,
  rpcObject,
  type RpcObject,
} from "../chain/node-rpc.js";
import { verifyAccount, verifySlot } from "../chain/state-proof.js";
import { hdpError } from "../errors/hdp-error.js";
import { type BlockTime, firstBlockAtOrAfter } from "../request/block-reference.js";
import type { ChainIdentifier } from "../request/chains.js";
import { FIELD_NAMES } from "../request/fields.js";
import { headerPosition } from "../service/storage-proof.js";
import type { ProofAccount, ProofQuery } from "./proof-queries.js";

/** An action for a query. Services do not document actions: the members are specific to this server. */
export type ProofAction = Readonly<Record<string, unknown>>;

const STATE_ROOT = FIELD_NAMES.header.indexOf("state_root");

/** Reads values and verifies them against the block's hash and state root. @throws HdpError of area 4xxx */
export async function proveQuery(
  rpc: RpcClient,
  chain: ChainIdentifier,
  query: ProofQuery,
): Promise<readonly ProofAction[]> {
  const number = await findBlock(rpc, chain, query.time);
  const block = await readBlock(rpc, number);
  const { items } = provenHeader(number, block);
  const common = {
    chain_id: query.chainId,
    block_number: number.toString(),
    block_hash: block.fields["hash"],
  };
  const actions: ProofAction[] = [];
  const { header, accounts } = query.selection;
  if (header.length > 0) {
    // Bytes as in the header; null if the block's header does not have the field.
    const fields = Object.fromEntries(
      header.map((name) => [name, items[headerPosition(name)] ?? null]),
    );
    actions.push({ kind: "header", ...common, header_rlp_items: items, fields, verified: true });
  }
  const proving = Object.entries(accounts).map(async ([address, account]) => {
    const proven = await proveAccount(rpc, number, items[STATE_ROOT] ?? "0x", address, account);
    return { kind: "account", ...common, ...proven, verified: true };
  });
  return [...actions, ...(await Promise.all(proving))];
}

/** Reads an account and its slots with proofs, and verifies them against the state root. @throws HdpError of area 4xxx */
async function proveAccount(
  rpc: RpcClient,
  number: bigint,
  stateRoot: Hex,
  given: string,
  { slots: named, props }: ProofAccount,
): Promise<ProofAction> {
  const address: Hex = lowerCase(given);
  const slots = named.map((slot): Hex => `0x${slot.slice(2).toLowerCase().padStart(64, "0")}`);
  const answer = await rpc.call("eth_getProof", [address, slots, quantity(number)]);
  const proof = rpcObject(answer, `account ${address} in block ${number}`);
  const account = verifyAccount(number, stateRoot, address, proof);
  const values = slots.map((slot, position) => {
    // The verifier requires an answer with this slot's proof only.
    const fields = { ...proof.fields, storageProof: [listField(proof, "storageProof")[position]] };
    return [
      slot,
      toWord(verifySlot(number, account, address, slot, { ...proof, fields })),
    ] as const;
  });
  const known: Readonly<Record<string, string>> = {
    NONCE: account.nonce.toString(),
    BALANCE: account.balance.toString(),
    STORAGE_ROOT: account.storageRoot,
    CODE_HASH: account.codeHash,
  };
  return {
    account: address,
    props: Object.fromEntries(props.map((name) => [name, known[name]])),
    slots: Object.fromEntries(values),
    proof: {
      accountProof: listField(proof, "accountProof"),
      storageProof: listField(proof, "storageProof"),
    },
  };
}

/** Returns the number of the query's block; for a time, the last block at or before it. */
async function findBlock(rpc: RpcClient, chain: ChainIdentifier, time: string): Promise<bigint> {
  const readTime = async (at: bigint | "latest"): Promise<BlockTime> => {
    const block = await readBlock(rpc, at);
    return { number: bigIntField(block, "number"), timestamp: bigIntField(block, "timestamp") };
  };
  const latest = await readTime("latest");
  const [kind, number = ""] = time.split(":");
  if (kind === "block") {
    const block = BigInt(number);
    if (block > latest.number) throw hdpError("HDP-4101", { block, chain, head: latest.number });
    return block;
  }
  const timestamp = BigInt(number);
  const next = await firstBlockAtOrAfter(timestamp + 1n, latest, readTime);
  if (next === undefined) return latest.number;
  if (next.number === 0n) throw hdpError("HDP-4530", { chain, timestamp });
  return next.number - 1n;
}

async function readBlock(rpc: RpcClient, at: bigint | "latest"): Promise<RpcObject> {
  const name = at === "latest" ? at : quantity(at);
  return rpcObject(await rpc.call("eth_getBlockByNumber", [name, false]), `block ${at}`);
}

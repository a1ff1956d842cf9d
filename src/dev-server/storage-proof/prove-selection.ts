import type { Hex } from "viem";

import type { Eip1193Provider } from "../../base/rpc.js";
import { provenHeader } from "../../chain/block-encoding.js";
import { bigIntOf, list, quantity, RpcClient, rpcObject, type RpcObject } from "../../chain/node-rpc.js";
import { verifyAccount, verifySlot } from "../../chain/state-proof.js";
import { HdpError } from "../../errors/hdp-error.js";
import { FIELD_NAMES } from "../../request/fields.js";
import { headerField, type ProofAction, type ProofQuery } from "./proof-record.js";

const STATE_ROOT = FIELD_NAMES.header.indexOf("state_root");

/**
 * Reads and proves what a query asks for: the header against its hash, accounts and slots against its state root.
 *
 * @throws HdpError of area 4xxx where a block does not exist, a proof does not hold or cannot be had.
 */
export async function proveSelection(
  provider: Eip1193Provider,
  query: ProofQuery,
  signal: AbortSignal,
): Promise<readonly ProofAction[]> {
  const rpc = new RpcClient(provider, { signal });
  const number = query.block === undefined ? await blockAt(rpc, BigInt(query.timestamp ?? 0)) : BigInt(query.block);
  const block = rpcObject(await readBlock(rpc, quantity(number)), `block ${number}`);
  const { items } = provenHeader(number, block);
  const common = { chain_id: query.chainId, block_number: number.toString(), block_hash: block.fields["hash"] };
  const actions: ProofAction[] = [];
  if (query.header !== undefined) {
    const fields = Object.fromEntries(query.header.map((name) => [name, headerField(name, items)]));
    actions.push({ kind: "header", ...common, header_rlp_items: items, fields, verified: true });
  }
  for (const { address, slots, props } of query.accounts) {
    const proof = rpcObject(
      await rpc.call("eth_getProof", [address, slots, quantity(number)]),
      `account ${address} in block ${number}`,
    );
    const account = verifyAccount(number, items[STATE_ROOT] ?? "0x", address, proof);
    const values: Record<string, Hex> = {};
    for (const [position, slot] of slots.entries()) {
      const word = verifySlot(number, account, address, slot, onlyProof(proof, position));
      values[slot] = `0x${word.toString(16).padStart(64, "0")}`;
    }
    const known: Readonly<Record<string, string>> = {
      NONCE: account.nonce.toString(),
      BALANCE: account.balance.toString(),
      STORAGE_ROOT: account.storageRoot,
      CODE_HASH: account.codeHash,
    };
    actions.push({
      kind: "account",
      ...common,
      account: address,
      props: Object.fromEntries(props.map((name) => [name, known[name]])),
      slots: values,
      proof: { accountProof: list(proof, "accountProof"), storageProof: list(proof, "storageProof") },
      verified: true,
    });
  }
  return actions;
}

/** An answer with one of its storage proofs, which is what the verifier takes. */
function onlyProof(proof: RpcObject, position: number): RpcObject {
  return { what: proof.what, fields: { ...proof.fields, storageProof: [list(proof, "storageProof")[position]] } };
}

/** The last block that is not later than a time, in unix seconds. */
async function blockAt(rpc: RpcClient, timestamp: bigint): Promise<bigint> {
  const timeOf = async (number: bigint): Promise<bigint> =>
    bigIntOf(rpcObject(await readBlock(rpc, quantity(number)), `block ${number}`), "timestamp");
  const latest = rpcObject(await readBlock(rpc, "latest"), "the latest block");
  let [low, high] = [0n, bigIntOf(latest, "number")];
  if ((await timeOf(0n)) > timestamp) throw noBlock(`at ${timestamp} (unix seconds): the first block is later`);
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if ((await timeOf(middle)) <= timestamp) low = middle;
    else high = middle - 1n;
  }
  return low;
}

async function readBlock(rpc: RpcClient, at: string): Promise<unknown> {
  const answer = await rpc.call("eth_getBlockByNumber", [at, false]);
  if (answer === null || answer === undefined) throw noBlock(at === "latest" ? at : BigInt(at).toString());
  return answer;
}

function noBlock(which: string): HdpError {
  return new HdpError({
    code: "HDP-4530",
    message: `there is no block ${which}.`,
    hints: ["Ask for a block that exists; on a simulated network, mine it first."],
  });
}

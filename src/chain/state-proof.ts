import type { Address, Hex } from "viem";

import { keccak256, keccakBytes } from "../base/keccak.js";
import { bytesToHex, hexToBytes, itemInteger, listStrings, stringAt } from "../base/rlp.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { AccountState, EmptyBecause, SlotRead } from "./chain-reader.js";
import type { RpcClient, RpcObject } from "./node-rpc.js";
import {
  asData,
  bigIntField,
  data,
  listField,
  quantity,
  rpcObject,
  UnsupportedReadError,
} from "./node-rpc.js";
import { EMPTY_TRIE_ROOT, HashedNodes, trieValue } from "./trie.js";

/** keccak256 of no code. */
const EMPTY_CODE_HASH: Hex = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
/** rlp(""), which hashes to the root of a trie without entries. */
const EMPTY_TRIE_NODE: Hex = "0x80";
const WORD_BYTES = 32;
const ZERO_WORD: Hex = `0x${"00".repeat(WORD_BYTES)}`;

/** State of an account that proofs show to be absent. */
export const ABSENT_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: ZERO_WORD,
  codeHash: ZERO_WORD,
};

/** Returns the account that an eth_getProof answer proves under a state root; zeros for a proven absence. */
export function verifyAccount(
  block: bigint,
  stateRoot: Hex,
  address: Address,
  proof: RpcObject,
  known = new HashedNodes(),
): AccountState {
  const mismatch = (subject: string, reason: string): HdpError =>
    hdpError("HDP-4202", { block, subject: `${subject} of ${address}`, reason });
  const unproven =
    stateRoot === EMPTY_TRIE_ROOT
      ? EMPTY_STATE
      : `the proof does not lead to the state root ${stateRoot}`;
  const failure = (): HdpError => mismatch("accountProof", unproven);
  const rlp = provenValue(stateRoot, address, proof, "accountProof", known, failure);
  const account = rlp === undefined ? ABSENT_ACCOUNT : decodeAccount(block, address, rlp);
  const requireEqual = (field: string, isEqual: boolean): void => {
    if (!isEqual) throw mismatch(`field "${field}"`, OTHER_VALUE);
  };
  requireEqual("nonce", bigIntField(proof, "nonce") === account.nonce);
  requireEqual("balance", bigIntField(proof, "balance") === account.balance);
  // For an absent account, nodes return the hashes of empty storage and empty code, or zeros.
  if (rlp === undefined) return account;
  requireEqual("storageHash", data(proof, "storageHash", 32) === account.storageRoot);
  requireEqual("codeHash", data(proof, "codeHash", 32) === account.codeHash);
  return account;
}

const EMPTY_STATE =
  "the block's header has the root of an empty state, as block 0 of anvil has: sample from block 1 on";
const OTHER_VALUE = "the node's value is not the one its proof proves";

/** Returns the word that an eth_getProof answer proves for a slot, by its position among the requested slots. */
export function verifySlot(
  block: bigint,
  account: AccountState,
  address: Address,
  slot: Hex,
  proof: RpcObject,
  position = 0,
  known = new HashedNodes(),
): bigint {
  const what = `slot ${slot} of ${address}`;
  const mismatch = (subject: string, reason: string): HdpError =>
    hdpError("HDP-4202", { block, subject: `${subject} of ${what}`, reason });
  const entry = rpcObject(
    listField(proof, "storageProof")[position],
    `storage proof of ${what}, ${proof.what}`,
  );
  const root = accountStorageRoot(account.storageRoot);
  const rlp = provenValue(root, slot, entry, "proof", known, () =>
    mismatch("storageProof", `the proof does not lead to the storage root ${root}`),
  );
  const value = rlp === undefined ? 0n : slotWord(block, what, rlp);
  if (bigIntField(entry, "value") !== value) throw mismatch("value", OTHER_VALUE);
  return value;
}

/** Returns the hash of an account's code, that of empty code for an absent account. */
export function accountCodeHash({ codeHash }: AccountState): Hex {
  return codeHash === ZERO_WORD ? EMPTY_CODE_HASH : codeHash;
}

/** Throws unless code hashes to the code hash of its account. */
export function verifyCode(
  block: bigint,
  address: Address,
  account: AccountState,
  code: Hex,
): void {
  const expected = accountCodeHash(account);
  const hash = keccak256(hexToBytes(code));
  if (hash === expected) return;
  const reason = `it hashes to ${hash}, the account's code hash is ${expected}`;
  throw hdpError("HDP-4202", { block, subject: `code of ${address}`, reason });
}

/** Returns the value under keccak256(key) by the proof in a field, `undefined` for a proven absence. */
function provenValue(
  root: Hex,
  key: Hex,
  object: RpcObject,
  field: string,
  known: HashedNodes,
  failure: () => Error,
) {
  const given = listField(object, field);
  try {
    return followed(root, key, given, known);
  } catch {
    // First reports nodes that are not hex, the more precise error.
    for (const node of given) asData(node, object.what, field);
    throw failure();
  }
}

function followed(
  root: Hex,
  key: Hex,
  nodes: readonly unknown[],
  known: HashedNodes,
): Uint8Array | undefined {
  // For an empty trie, Ethereum nodes return an empty proof, or the root node.
  if (root !== EMPTY_TRIE_ROOT || nodes.length > 1) {
    return trieValue(hexToBytes(root), keccakBytes(hexToBytes(key)), known.source(nodes));
  }
  if (nodes.length === 1 && nodes[0] !== EMPTY_TRIE_NODE)
    throw new Error("a node of an empty trie");
  return undefined;
}

/** Returns the proven word of an account's slot; of 0 with the reason. */
export function slotRead(account: AccountState, value: bigint): SlotRead {
  const read = { value, proven: true };
  return value === 0n ? { ...read, empty: emptyBecause(account) } : read;
}

function emptyBecause(account: AccountState): EmptyBecause {
  if (account.codeHash === ZERO_WORD) return "account";
  if (account.codeHash === EMPTY_CODE_HASH) return "code";
  return account.storageRoot === EMPTY_TRIE_ROOT ? "storage" : "slot";
}

/** Returns the root of an account's storage trie, that of the empty trie for an absent account. */
export function accountStorageRoot(storageRoot: Hex): Hex {
  return storageRoot === ZERO_WORD ? EMPTY_TRIE_ROOT : storageRoot;
}

/** Decodes an account from the RLP that its proof leads to. */
export function decodeAccount(block: bigint, address: Address, rlp: Uint8Array): AccountState {
  try {
    const [nonce, balance, storageRoot, codeHash, ...others] = listStrings(rlp).map(bytesToHex);
    if (nonce && balance && storageRoot && codeHash && others.length === 0) {
      return { nonce: itemInteger(nonce), balance: itemInteger(balance), storageRoot, codeHash };
    }
  } catch {
    // Not a list of byte strings.
  }
  const reason = `the proven value is not an account: ${bytesToHex(rlp)}`;
  throw hdpError("HDP-4202", { block, subject: `accountProof of ${address}`, reason });
}

/** Decodes the value of a storage slot from the RLP that its proof leads to. */
export function slotWord(block: bigint, what: string, rlp: Uint8Array): bigint {
  try {
    const word = stringAt(rlp, 0);
    if (word.length <= WORD_BYTES) return itemInteger(bytesToHex(word));
  } catch {
    // A list, or bytes that end early.
  }
  const reason = `the proven value is not a word: ${bytesToHex(rlp)}`;
  throw hdpError("HDP-4202", { block, subject: `storageProof of ${what}`, reason });
}

/** Maximum number of slots in a call: nodes limit them, and the length of answers. */
const MAX_SLOTS = 100;

interface ProofCall {
  readonly block: bigint;
  readonly address: Address;
  /** Slots with their positions in the answer. */
  readonly slots: Map<Hex, number>;
  /** `undefined` if the node cannot prove the values and no proof is required. */
  readonly answer: Promise<RpcObject | undefined>;
  /** Verified once, for all slots. */
  account?: AccountState;
}

/** Checks a value under a state root; `undefined` if the block has none and no proof is required. */
type Prove<T> = (stateRoot: Hex) => T | undefined;

/** Reads accounts and slots by eth_getProof. Reads of an account in a block share a call in each event loop turn. */
export class AccountProofs {
  readonly #rpc: RpcClient;
  readonly #isRequired: boolean;
  readonly #nodes = new HashedNodes();
  readonly #calls = new Map<string, ProofCall>();

  public constructor(rpc: RpcClient, isRequired: boolean) {
    this.#rpc = rpc;
    this.#isRequired = isRequired;
  }

  /** Returns a function that throws HDP-4202 for an invalid proof; `undefined` to read without a proof. */
  public async account(block: bigint, address: Address): Promise<Prove<AccountState> | undefined> {
    const call = this.#callFor(block, address);
    const proof = await call.answer;
    return proof && ((stateRoot) => this.#verified(call, stateRoot, proof));
  }

  /** Returns a slot's value as {@link account} returns an account: with the reason of a proven 0. */
  public async slot(
    block: bigint,
    address: Address,
    slot: Hex,
  ): Promise<Prove<SlotRead> | undefined> {
    const call = this.#callFor(block, address, slot);
    const proof = await call.answer;
    if (proof === undefined) return undefined;
    return (stateRoot) => {
      const account = this.#verified(call, stateRoot, proof);
      if (account === undefined) return undefined;
      const position = call.slots.get(slot);
      const value = verifySlot(block, account, address, slot, proof, position, this.#nodes);
      return slotRead(account, value);
    };
  }

  #verified(call: ProofCall, stateRoot: Hex, proof: RpcObject): AccountState | undefined {
    const { block, address } = call;
    // anvil mines blocks without a state root when it forks a chain.
    if (stateRoot === ZERO_WORD) {
      if (!this.#isRequired) return undefined;
      const reason = "the block was mined on a fork, and its header has no state root";
      throw hdpError("HDP-4204", { subject: `account ${address}`, block, reason });
    }
    return (call.account ??= verifyAccount(block, stateRoot, address, proof, this.#nodes));
  }

  #callFor(block: bigint, address: Address, slot?: Hex): ProofCall {
    const key = `${block}:${address}`;
    let call = this.#calls.get(key);
    if (
      call === undefined ||
      (call.slots.size === MAX_SLOTS && slot !== undefined && !call.slots.has(slot))
    ) {
      const slots = new Map<Hex, number>();
      call = { block, address, slots, answer: this.#read(key, block, address, slots) };
      this.#calls.set(key, call);
    }
    if (slot !== undefined && !call.slots.has(slot)) call.slots.set(slot, call.slots.size);
    return call;
  }

  /** Returns the node's proof for the slots asked for in this turn; undefined where it gives none and none is required. */
  async #read(
    key: string,
    block: bigint,
    address: Address,
    slots: ProofCall["slots"],
  ): Promise<RpcObject | undefined> {
    await new Promise(setImmediate);
    if (this.#calls.get(key)?.slots === slots) this.#calls.delete(key);
    try {
      const answer = await this.#rpc.call("eth_getProof", [
        address,
        [...slots.keys()],
        quantity(block),
      ]);
      return rpcObject(answer, `account ${address} in block ${block}`);
    } catch (cause) {
      if (!(cause instanceof UnsupportedReadError)) throw cause;
      if (!this.#isRequired) return undefined;
      if (cause.isOfState) throw cause;
      throw hdpError(
        "HDP-4204",
        { subject: `account ${address}`, block, reason: cause.words },
        { cause },
      );
    }
  }
}

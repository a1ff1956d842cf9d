import type { Address, Hex } from "viem";
import { bytesToHex } from "viem/utils";

import { keccak256, keccakBytes } from "../base/keccak.js";
import { hexToBytes, itemInteger, listStrings, stringAt } from "../base/rlp.js";
import { type AccountState, stateMismatch } from "./chain-reader.js";
import { asData, bigIntOf, data, list, type RpcObject, rpcObject } from "./rpc-json.js";
import { EMPTY_TRIE_ROOT, HashedNodes, trieValue } from "./trie.js";

/** keccak256 of no code. */
const EMPTY_CODE_HASH: Hex = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
/** rlp(""), which hashes to the root of a trie without entries. */
const EMPTY_TRIE_NODE: Hex = "0x80";
const WORD_BYTES = 32;
const ZERO_WORD: Hex = `0x${"00".repeat(WORD_BYTES)}`;

/** What an absent account reads as. */
export const ABSENT_ACCOUNT: AccountState = { nonce: 0n, balance: 0n, storageRoot: ZERO_WORD, codeHash: ZERO_WORD };

/**
 * The account that an eth_getProof answer proves under a state root; a proven absence reads as zeros.
 *
 * @throws HdpError HDP-4202 where the proof does not hold or the answer's own fields differ from what it proves.
 */
export function verifyAccount(
  block: bigint,
  stateRoot: Hex,
  address: Address,
  proof: RpcObject,
  known = new HashedNodes(),
): AccountState {
  const rlp = provenValue(stateRoot, address, proof, "accountProof", known, () =>
    stateMismatch(block, `accountProof of ${address}`, `the proof does not lead to the state root ${stateRoot}`),
  );
  const account = rlp === undefined ? ABSENT_ACCOUNT : decodeAccount(block, address, rlp);
  const differs = (field: string): Error =>
    stateMismatch(block, `field "${field}" of ${address}`, "the node's value is not the one its proof proves");
  if (bigIntOf(proof, "nonce") !== account.nonce) throw differs("nonce");
  if (bigIntOf(proof, "balance") !== account.balance) throw differs("balance");
  // Of an absent account, nodes give the hashes of no storage and of no code, or zeros.
  if (rlp === undefined) return account;
  if (data(proof, "storageHash", 32) !== account.storageRoot) throw differs("storageHash");
  if (data(proof, "codeHash", 32) !== account.codeHash) throw differs("codeHash");
  return account;
}

/**
 * The word that a storage proof of an eth_getProof answer proves for a slot of a verified account.
 *
 * @param position of the slot among those that were asked for
 * @throws HdpError HDP-4202 where the proof does not hold or the answer's value differs from what it proves.
 */
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
  const entry = rpcObject(list(proof, "storageProof")[position], `storage proof of ${what}, ${proof.what}`);
  const root = storageRootOf(account.storageRoot);
  const rlp = provenValue(root, slot, entry, "proof", known, () =>
    stateMismatch(block, `storageProof of ${what}`, `the proof does not lead to the storage root ${root}`),
  );
  const value = rlp === undefined ? 0n : slotWord(block, what, rlp);
  if (bigIntOf(entry, "value") !== value) {
    throw stateMismatch(block, `value of ${what}`, "the node's value is not the one its proof proves");
  }
  return value;
}

/** What an account's code hashes to: an absent account has none. */
export function codeHashOf({ codeHash }: AccountState): Hex {
  return codeHash === ZERO_WORD ? EMPTY_CODE_HASH : codeHash;
}

/**
 * Holds code to the code hash of a verified account; an absent account has none.
 *
 * @throws HdpError HDP-4202 where it hashes to something else.
 */
export function verifyCode(block: bigint, address: Address, account: AccountState, code: Hex): void {
  const expected = codeHashOf(account);
  const hash = keccak256(hexToBytes(code));
  if (hash === expected) return;
  throw stateMismatch(block, `code of ${address}`, `it hashes to ${hash}, the account's code hash is ${expected}`);
}

/** Value under keccak256(key) by the proof in a field, `undefined` for a proven absence. */
function provenValue(
  root: Hex,
  key: Hex,
  object: RpcObject,
  field: string,
  known: HashedNodes,
  failure: () => Error,
): Uint8Array | undefined {
  const given = list(object, field);
  try {
    return followed(root, key, given, known);
  } catch {
    // Written otherwise than nodes write, or wrong: what is no hex at all is the better reason.
    const nodes = given.map((node) => asData(node, object.what, field));
    try {
      return followed(root, key, nodes, known);
    } catch {
      throw failure();
    }
  }
}

/** @throws Error where the nodes do not lead to the root. */
function followed(root: Hex, key: Hex, nodes: readonly unknown[], known: HashedNodes): Uint8Array | undefined {
  // Nodes answer for an empty trie with no node at all, or with its root node; there is nothing to follow.
  if (root !== EMPTY_TRIE_ROOT || nodes.length > 1) {
    return trieValue(hexToBytes(root), keccakBytes(hexToBytes(key)), known.source(nodes));
  }
  if (nodes.length === 1 && nodes[0] !== EMPTY_TRIE_NODE) throw new Error("a node of an empty trie");
  return undefined;
}

/** The trie to look for slots in: an account that is absent has none. */
export function storageRootOf(storageRoot: Hex): Hex {
  return storageRoot === ZERO_WORD ? EMPTY_TRIE_ROOT : storageRoot;
}

/** An account as the state trie holds it. @throws HdpError HDP-4202 where the value is none. */
export function decodeAccount(block: bigint, address: Address, rlp: Uint8Array): AccountState {
  try {
    const strings = listStrings(rlp).map(hexOf);
    if (areFour(strings)) {
      const [nonce, balance, storageRoot, codeHash] = strings;
      return { nonce: itemInteger(nonce), balance: itemInteger(balance), storageRoot, codeHash };
    }
  } catch {
    // No list of byte strings: no account either.
  }
  throw stateMismatch(block, `accountProof of ${address}`, `the proven value is no account: ${bytesToHex(rlp)}`);
}

function areFour(strings: readonly Hex[]): strings is readonly [Hex, Hex, Hex, Hex] {
  return strings.length === 4;
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`;
}

/** The word of a slot as the storage trie holds it. @throws HdpError HDP-4202 where the value is none. */
export function slotWord(block: bigint, what: string, rlp: Uint8Array): bigint {
  try {
    const word = stringAt(rlp, 0);
    if (word.length <= WORD_BYTES) return itemInteger(hexOf(word));
  } catch {
    // A list, or bytes that end early: no word either.
  }
  throw stateMismatch(block, `storageProof of ${what}`, `the proven value is no word: ${bytesToHex(rlp)}`);
}

import { SimpleMerkleTree } from "@openzeppelin/merkle-tree";
import { bytesToHex, keccak256, type Hex } from "viem";

/** keccak256 of one zero byte: the result of a module that returns nothing. */
const EMPTY_ROOT: Hex = "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a";

/** A felt as a 32-byte little-endian word, the form in which results are hashed. */
function littleEndian(felt: bigint): Uint8Array {
  return Buffer.from(felt.toString(16).padStart(64, "0"), "hex").reverse();
}

/**
 * The result word of a module task: the root over the felts it returned.
 *
 * None: keccak256(0x00). One: its digest, bytes reversed. More: the Merkle tree of OpenZeppelin's StandardMerkleTree
 * shape over leaves keccak256(keccak256(word)) in the order returned, words little-endian.
 */
export function outputRoot(retdata: readonly bigint[]): Hex {
  const [first, ...more] = retdata;
  if (first === undefined) return EMPTY_ROOT;
  if (more.length === 0) return bytesToHex(keccak256(littleEndian(first), "bytes").toReversed());
  const leaves = retdata.map((felt) => keccak256(keccak256(littleEndian(felt))));
  const root = SimpleMerkleTree.of(leaves, { sortLeaves: false }).root;
  return `0x${root.slice(2)}`;
}

/**
 * The result word of the retired generations: one felt, or a u256 as low and high half.
 *
 * @returns undefined for data of another length, or halves above 128 bits: it had no value then
 */
export function rawValue(retdata: readonly bigint[]): bigint | undefined {
  const [low, high] = retdata;
  if (low === undefined || retdata.length > 2) return undefined;
  if (high === undefined) return low;
  return low >> 128n === 0n && high >> 128n === 0n ? low + (high << 128n) : undefined;
}

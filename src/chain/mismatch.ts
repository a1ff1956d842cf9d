import { HdpError } from "../base/errors.js";

/** One sentence for every way in which what a node says contradicts what its block commits to. */
const UNEXECUTED_BLOCKS =
  "On a simulated network, blocks skipped by one hardhat_mine of 8 or more have no state: mine at most 7 a call.";
const SETTERS =
  "hardhat_setBalance, hardhat_setStorageAt and the like change the latest block's state behind its header: mine one block and sample from there on.";
const NEVER = 'To read without checking, evaluate with prove: "never" (the result is then marked unproven).';

/** A header does not hash to its block hash, or is not the header that was asked for. */
export function headerMismatch(
  block: bigint,
  field: string,
  sentence: string,
  hints: readonly string[] = [],
): HdpError {
  return new HdpError({
    code: "HDP-4201",
    message: `header of block ${block}, field "${field}": ${sentence}`,
    hints: [...hints, NEVER],
  });
}

/** An account or slot is not what the block's state root commits to. */
export function stateMismatch(block: bigint, field: string, sentence: string): HdpError {
  return new HdpError({
    code: "HDP-4202",
    message: `state of block ${block}, ${field}: ${sentence}`,
    hints: [UNEXECUTED_BLOCKS, SETTERS, NEVER],
  });
}

/** The transactions or receipts of a block do not make up the root in its header. */
export function bodyMismatch(block: bigint, field: "transactionsRoot" | "receiptsRoot", rebuilt: string): HdpError {
  const things = field === "transactionsRoot" ? "transactions" : "receipts";
  return new HdpError({
    code: "HDP-4203",
    message: `block ${block}, field "${field}": the ${things} the node returned make up the root ${rebuilt}, not the header's`,
    hints: [NEVER],
  });
}

/** The node cannot prove a read and `prove` is "require". */
export function cannotProve(block: bigint, what: string, words: string, cause?: unknown): HdpError {
  return new HdpError({
    code: "HDP-4204",
    message: `${what} of block ${block} cannot be proven: ${words}`,
    hints: [
      'Allow unproven reads with prove: "when-possible" (the result is then marked unproven), or use a node that proves.',
    ],
    cause,
  });
}

import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";

/** A step of a trace: `structLogs` of `debug_traceCall` without storage and memory. */
interface Step {
  readonly op: string;
  readonly depth: number;
  /** Words, the top last. */
  readonly stack: readonly unknown[];
}

/** What a traced call was sent. */
export interface TracedInput {
  readonly input: Hex;
  /** Whether the input is the code of a contract that it makes. */
  readonly isCreation: boolean;
}

/** Bytes of memory that are followed: a call that uses more hashes no task. */
const MAX_MEMORY = 262_144;

/**
 * Returns the bytes of which the steps of a call take hashes. A trace with the memory of each step takes some ten times as
 * long, so the memory is followed from what the steps write: all but code of deployed contracts that is copied, and what
 * precompiles return.
 */
export function hashedBySteps(structLogs: unknown, { input, isCreation }: TracedInput): Hex[] {
  const bytes = bytesOf(input);
  const first = isCreation ? new Frame(NOTHING, bytes) : new Frame(bytes, NOTHING);
  const calls = new Calls(first);
  const steps: unknown[] = Array.isArray(structLogs) ? structLogs : [];
  for (const step of steps) if (isStep(step)) calls.take(step);
  return calls.hashed;
}

function isStep(step: unknown): step is Step {
  if (!isRecord(step)) return false;
  const { op, depth, stack } = step;
  return typeof op === "string" && typeof depth === "number" && Array.isArray(stack);
}

const NOTHING = Buffer.alloc(0);

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replace(/^0x/, ""), "hex");
}

/** The calls that are open at a step, the innermost last. */
class Calls {
  public readonly hashed: Hex[] = [];
  readonly #open: Frame[];
  #last: Step | undefined;

  public constructor(first: Frame) {
    this.#open = [first];
  }

  public take(step: Step): void {
    if (this.#last !== undefined) this.#enterOrLeave(this.#last, step.depth);
    const frame = this.#open.at(-1);
    if (frame === undefined) return;
    const hashed = frame.take(step);
    if (hashed !== undefined) this.hashed.push(`0x${hashed.toString("hex")}`);
    this.#last = step;
  }

  #enterOrLeave(last: Step, depth: number): void {
    const caller = this.#open.at(-1);
    if (caller === undefined || depth === last.depth) return;
    if (depth > last.depth) {
      this.#open.push(caller.callee(last));
      return;
    }
    const output = caller.output(last);
    this.#open.pop();
    this.#open.at(-1)?.returned(output);
  }
}

/** Where a call's output goes in its caller's memory. */
interface Place {
  readonly start: number;
  readonly length: number;
}

/** A call with its memory. */
class Frame {
  readonly #calldata: Buffer;
  readonly #code: Buffer;
  #memory: Buffer = NOTHING;
  #returned: Buffer = NOTHING;
  #place: Place | undefined;

  public constructor(calldata: Buffer, code: Buffer) {
    this.#calldata = calldata;
    this.#code = code;
  }

  /** Takes a step. @returns the bytes that it hashes; undefined for another step */
  public take({ op, stack }: Step): Buffer | undefined {
    const at = (place: number): number => numberOf(stack.at(-1 - place));
    const [first, second, third] = [at(0), at(1), at(2)];
    switch (op) {
      case "MSTORE":
        this.#write(first, wordOf(stack.at(-2)));
        return undefined;
      case "MSTORE8":
        this.#write(first, wordOf(stack.at(-2)).subarray(31));
        return undefined;
      case "MCOPY":
        this.#write(first, this.#read(second, third));
        return undefined;
      case "CALLDATACOPY":
        this.#write(first, slice(this.#calldata, second, third));
        return undefined;
      case "CODECOPY":
        this.#write(first, slice(this.#code, second, third));
        return undefined;
      case "RETURNDATACOPY":
        this.#write(first, slice(this.#returned, second, third));
        return undefined;
      case "KECCAK256":
      case "SHA3":
        return this.#read(first, second);
      default:
        return undefined;
    }
  }

  /** Returns the call, or the creation, that a step begins. */
  public callee({ op, stack }: Step): Frame {
    const at = (place: number): number => numberOf(stack.at(-1 - place));
    if (op.startsWith("CREATE")) {
      this.#place = undefined;
      return new Frame(NOTHING, this.#read(at(1), at(2)));
    }
    // DELEGATECALL and STATICCALL send no value, which the others have before their arguments.
    const start = op === "CALL" || op === "CALLCODE" ? 3 : 2;
    this.#place = { start: at(start + 2), length: at(start + 3) };
    return new Frame(this.#read(at(start), at(start + 1)), NOTHING);
  }

  /** Returns what the call returns with its last step. */
  public output({ op, stack }: Step): Buffer {
    if (op !== "RETURN" && op !== "REVERT") return NOTHING;
    return this.#read(numberOf(stack.at(-1)), numberOf(stack.at(-2)));
  }

  /** Takes what the call that it made returned. */
  public returned(output: Buffer): void {
    this.#returned = output;
    if (this.#place === undefined) return;
    const { start, length } = this.#place;
    this.#write(start, output.subarray(0, length));
  }

  #read(start: number, length: number): Buffer {
    return slice(this.#memory, start, length);
  }

  #write(start: number, bytes: Buffer): void {
    const end = start + bytes.length;
    if (!(end <= MAX_MEMORY)) return;
    if (end > this.#memory.length) {
      const grown = Buffer.alloc(Math.max(end, this.#memory.length * 2));
      this.#memory.copy(grown);
      this.#memory = grown;
    }
    bytes.copy(this.#memory, start);
  }
}

/** Returns a part of bytes, with zeros behind their end. */
function slice(bytes: Buffer, start: number, length: number): Buffer {
  if (!(length <= MAX_MEMORY)) return NOTHING;
  const part = Buffer.alloc(length);
  // A copy may begin behind the end of the bytes.
  bytes.copy(part, 0, Math.min(start, bytes.length), start + length);
  return part;
}

/** Returns a word of the stack as a number; larger ones are not exact, and beyond all memory. */
function numberOf(word: unknown): number {
  return typeof word === "string" ? Number(`0x${word.replace(/^0x/, "")}`) : NaN;
}

function wordOf(word: unknown): Buffer {
  const digits = typeof word === "string" ? word.replace(/^0x/, "") : "";
  return bytesOf(digits.padStart(64, "0"));
}

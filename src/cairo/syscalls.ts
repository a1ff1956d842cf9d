import type { Hex } from "viem";
import { hexToBytes } from "viem/utils";

import { keccakPermutation } from "../base/keccak.js";
import { isFelt, shortString, shortStringFelt } from "../base/felt.js";
import type {
  AnswerRead,
  Generation,
  HandlerCall,
  ModuleRead,
  ModuleValue,
} from "./module-read.js";
import { decodeCall, describeRead } from "./module-read.js";
import { InjectedState, type StateCalls } from "./module-state.js";
import { type MachineState, print } from "./machine-state.js";
import type { SyscallHandler } from "./run-contract.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { pointer, type Word } from "./words.js";

const WORDS_PER_BLOCK = 17;
const STATE_WORDS = 25;

/** Returns the first 256 bits, as two halves, of Keccak-256's sponge over padded blocks of 17 words of 64 bits. */
function absorbKeccak(words: readonly bigint[]): { readonly low: bigint; readonly high: bigint } {
  const state = new BigUint64Array(STATE_WORDS);
  for (let start = 0; start < words.length; start += WORDS_PER_BLOCK) {
    for (let index = 0; index < WORDS_PER_BLOCK; index += 1) {
      state[index] = (state[index] ?? 0n) ^ (words[start + index] ?? 0n);
    }
    keccakPermutation(state);
  }
  const [a = 0n, b = 0n, c = 0n, d = 0n] = state;
  return { low: (b << 64n) + a, high: (d << 64n) + c };
}

/** Cells of a request in front of its response: name, gas, arguments. */
const CALL_REQUEST = 6;
const KECCAK_REQUEST = 4;
const KECCAK = shortStringFelt("Keccak");
const CALL_CONTRACT = shortStringFelt("CallContract");
/** The handler that prints; its answer is empty. */
const DEBUG = shortStringFelt("debug");
const INJECTED_STATE = shortStringFelt("injected_state");
/** Felts that a call of injected state keeps: the nodes of its proof, for tries of some thousand leaves. */
const CALL_FELTS = 64;
const INVALID_INPUT_LENGTH = shortStringFelt("Invalid input length");
const HALF_MASK = (1n << 128n) - 1n;

/**
 * Returns the handler of the system calls that the data processor answers, without gas of their own: `call_contract`, by
 * which a module reads, and `keccak`. @throws HdpError HDP-7111 for any other call
 */
export function moduleSyscalls(
  generation: Generation,
  read: AnswerRead,
  onRead: (read: ModuleRead, felts: readonly bigint[]) => void,
  injectedState: StateCalls = new InjectedState({ roots: new Map() }),
  onUnpaddedKeccak: () => void = () => undefined,
): SyscallHandler {
  return (machine, at) => {
    const { memory } = machine;
    const name = memory.felt(memory.load(at), "a system call's name");
    if (name === KECCAK) return keccak(machine, at, onUnpaddedKeccak);
    if (name !== CALL_CONTRACT) throw hdpError("HDP-7111", { call: shortString(name) });
    const call: HandlerCall = {
      contract: memory.felt(memory.load(at - 2), "the called address"),
      selector: memory.felt(memory.load(at - 3), "the called selector"),
      calldata: memory.feltsBetween(memory.load(at - 4), memory.load(at - 5), "calldata"),
    };
    if (call.contract === DEBUG) {
      print(machine, call.calldata);
      return respond(machine, at, []);
    }
    if (call.contract === INJECTED_STATE && generation.injectedState) {
      machine.memory.chargeFelts(CALL_FELTS);
      return passedOn(injectedState.call(call.selector, call.calldata), (felts) =>
        respond(machine, at, felts),
      );
    }
    const wanted = decodeCall(call, generation);
    const use = { steps: machine.steps, cells: memory.segments.size };
    return passedOn(read(wanted, use), (value) => {
      const felts = encodeValue(wanted, value, generation);
      // The record of the read: its place, and what the module got.
      machine.memory.chargeFelts(felts.length + 4);
      onRead(wanted, felts);
      return respond(machine, at, felts);
    });
  };
}

/** Passes an answer on at once, unless it is awaited: a promise for each of many reads takes longer than the reads. */
function passedOn<T, U>(answer: T | Promise<T>, next: (answer: T) => U): U | Promise<U> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/** Returns a value as felts: one of Starknet; low and high half of others; of each word of a list the high half first. */
function encodeValue(
  read: ModuleRead,
  value: ModuleValue,
  generation: Generation,
): readonly bigint[] {
  if ((read.kind === "bytecode") !== (typeof value === "string"))
    throw badAnswer(read, String(value));
  if (typeof value === "string") return bytecodeFelts(value);
  const words = typeof value === "object" ? value : [value];
  const isStarknet = read.kind.startsWith("starknet");
  for (const word of words) {
    const fits = isStarknet
      ? isFelt(word)
      : typeof word === "bigint" && word >= 0n && word >> 256n === 0n;
    if (!fits) throw badAnswer(read, String(word));
  }
  if (typeof value === "bigint") return isStarknet ? [value] : [value & HALF_MASK, value >> 128n];
  if (!generation.longValues.includes(read.kind)) {
    throw hdpError("HDP-7120", { read: describeRead(read), generation: generation.name });
  }
  return words.flatMap((word) => [word >> 128n, word & HALF_MASK]);
}

const WORD_BYTES = 8;

/** Returns code as the data processor hands it over, and Cairo's keccak takes it: count, 64-bit words, rest, its bytes. */
function bytecodeFelts(code: Hex): readonly bigint[] {
  const bytes = hexToBytes(code);
  const whole = Math.floor(bytes.length / WORD_BYTES);
  const padded = new Uint8Array((whole + 1) * WORD_BYTES);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  const words = Array.from({ length: whole + 1 }, (_, index) =>
    view.getBigUint64(index * WORD_BYTES, true),
  );
  return [BigInt(whole), ...words, BigInt(bytes.length % WORD_BYTES)];
}

function badAnswer(read: ModuleRead, answer: string): HdpError {
  return hdpError("HDP-7113", { answer, read: describeRead(read) });
}

function respond(machine: MachineState, at: Word, felts: readonly bigint[]): Word {
  return writeResponse(machine, at - CALL_REQUEST, [
    machine.memory.load(at - 1),
    0,
    ...newSegment(machine, felts),
  ]);
}

/** Writes felts into a segment of their own. Returns the pointers to their start and end. */
function newSegment({ memory }: MachineState, felts: readonly bigint[]): readonly [Word, Word] {
  const start = pointer(memory.segments.add(), 0);
  return [start, memory.storeFelts(start, felts)];
}

/** Answers `keccak` of whole blocks of 64-bit words. Returns the pointer behind the response. */
function keccak(machine: MachineState, at: Word, onUnpadded: () => void): Word {
  const { memory } = machine;
  const words = memory.feltsBetween(
    memory.load(at - 2),
    memory.load(at - 3),
    "the input of keccak",
  );
  if (words.length % WORDS_PER_BLOCK !== 0) {
    onUnpadded();
    return writeResponse(machine, at - KECCAK_REQUEST, [
      0,
      1,
      ...newSegment(machine, [INVALID_INPUT_LENGTH]),
    ]);
  }
  const wrong = words.find((word) => word >> 64n !== 0n);
  if (wrong !== undefined)
    throw hdpError("HDP-7111", { call: `Keccak of ${wrong}, which exceeds 64 bits` });
  const { low, high } = absorbKeccak(words);
  return writeResponse(machine, at - KECCAK_REQUEST, [
    memory.load(at - 1),
    0,
    memory.word(low),
    memory.word(high),
  ]);
}

function writeResponse(machine: MachineState, at: Word, cells: readonly Word[]): Word {
  let next = at;
  for (const word of cells) {
    machine.memory.store(next, word);
    next -= 1;
  }
  return next;
}

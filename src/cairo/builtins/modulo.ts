import type { Memory } from "../memory.js";
import {
  builtinFailure,
  gcdWithInverse,
  inconsistent,
  isPointer,
  isUnset,
  pointer,
  type Word,
} from "../words.js";

/** An instance: the modulus in four limbs, then pointers to values and offsets, and how many instances are left. */
const CELLS = 7;
const VALUES = 4;
const OFFSETS = 5;
const LEFT = 6;
/** Offsets of a gate: its two inputs and its output, each the place of a value's first limb. */
const GATE = 3;
const LIMBS = 4;
const LIMB_BITS = 96n;
const LIMB_LIMIT = 1n << LIMB_BITS;

type Operation = "add_mod" | "mul_mod";
type Places = readonly [Word, Word, Word];

/** Returns the value at a pointer, lowest limb first; undefined while a limb is unset. */
function readValue(memory: Memory, at: Word): bigint | undefined {
  let value = 0n;
  for (let limb = LIMBS - 1; limb >= 0; limb -= 1) {
    const word = memory.load(memory.shift(at, limb));
    if (isUnset(word)) return undefined;
    value = (value << LIMB_BITS) + memory.felt(word, "a limb of a circuit's value");
  }
  return value;
}

function writeValue(memory: Memory, at: Word, value: bigint): void {
  const limbs = Array.from(
    { length: LIMBS },
    (_, limb) => (value >> (LIMB_BITS * BigInt(limb))) % LIMB_LIMIT,
  );
  memory.storeFelts(at, limbs);
}

function loadPlaces(memory: Memory, values: Word, offsets: Word): Places {
  const place = (index: number): Word =>
    memory.add(values, memory.load(memory.shift(offsets, index)));
  return [place(0), place(1), place(2)];
}

/** Operands of the hint EvalCircuit: how many gates of each kind, and where their instances start. */
interface Circuit {
  readonly additions: number;
  readonly additionsAt: Word;
  readonly multiplications: number;
  readonly multiplicationsAt: Word;
}

/**
 * Computes a circuit's values, and writes the instances of its gates. An addition gate whose first input is open is a
 * subtraction, a multiplication gate an inversion. Where a value has no inverse, what nullifies it takes its place, and
 * only the multiplications before that gate are claimed.
 */
export function* evaluateCircuit(memory: Memory, circuit: Circuit): Generator<undefined, void> {
  const start = circuit.multiplicationsAt;
  const modulus = readValue(memory, start);
  if (modulus === undefined || modulus === 0n) throw inconsistent("a circuit has no modulus");
  const values = memory.load(memory.shift(start, VALUES));
  const multiplicationOffsets = memory.load(memory.shift(start, OFFSETS));
  const additionOffsets =
    circuit.additions === 0
      ? multiplicationOffsets
      : memory.load(memory.shift(circuit.additionsAt, OFFSETS));

  let added = 0;
  let computed = circuit.multiplications;
  for (let multiplied = 0; ; multiplied += 1) {
    while (added < circuit.additions) {
      yield;
      if (
        !fillAddition(
          memory,
          loadPlaces(memory, values, memory.shift(additionOffsets, added * GATE)),
          modulus,
        )
      )
        break;
      added += 1;
    }
    if (multiplied === circuit.multiplications) break;
    yield;
    const places = loadPlaces(
      memory,
      values,
      memory.shift(multiplicationOffsets, multiplied * GATE),
    );
    if (!fillMultiplication(memory, places, modulus)) computed = Math.min(computed, multiplied);
  }
  yield* writeInstances(
    memory,
    circuit.additionsAt,
    circuit.additions,
    start,
    values,
    additionOffsets,
  );
  yield* writeInstances(memory, start, computed, start, values, multiplicationOffsets);
}

function fillAddition(memory: Memory, places: Places, modulus: bigint): boolean {
  const [left, right, sum] = places.map((place) => readValue(memory, place));
  if (right === undefined) return false;
  if (left !== undefined) writeValue(memory, places[2], (left + right) % modulus);
  else if (sum === undefined) return false;
  else writeValue(memory, places[0], (sum + modulus - right) % modulus);
  return true;
}

/** Returns false if the gate needs an inverse that does not exist. */
function fillMultiplication(memory: Memory, places: Places, modulus: bigint): boolean {
  const [left, right] = places.map((place) => readValue(memory, place));
  if (right === undefined) throw inconsistent("a multiplication of a circuit has an open input");
  if (left !== undefined) {
    writeValue(memory, places[2], (left * right) % modulus);
    return true;
  }
  const { gcd, inverse } = gcdWithInverse(right, modulus);
  writeValue(memory, places[0], gcd === 1n ? inverse : modulus / gcd);
  return gcd === 1n;
}

function* writeInstances(
  memory: Memory,
  at: Word,
  count: number,
  modulusAt: Word,
  values: Word,
  offsets: Word,
) {
  for (let index = 0; index < count; index += 1) {
    yield;
    const start = memory.shift(at, index * CELLS);
    for (let limb = 0; limb < LIMBS; limb += 1) {
      memory.store(memory.shift(start, limb), memory.load(memory.shift(modulusAt, limb)));
    }
    memory.store(memory.shift(start, VALUES), values);
    memory.store(memory.shift(start, OFFSETS), memory.shift(offsets, index * GATE));
    memory.store(memory.shift(start, LEFT), count - index);
  }
}

/** Largest multiple of the modulus that an operation's plain result may be above the value claimed for it. */
const MAX_MODULI: Readonly<Record<Operation, bigint>> = { add_mod: 1n, mul_mod: (1n << 384n) - 1n };

/** Throws unless every instance holds a modulus, places of values and what is left, and its gate's values fit its operation. */
export function* checkModulo(
  name: Operation,
  memory: Memory,
  segment: number,
  used: number,
): Generator<undefined> {
  let previous: { modulus: bigint; values: Word; offsets: Word; left: bigint } | undefined;
  for (let start = 0; start < used; start += CELLS) {
    yield;
    const number = start / CELLS;
    const cell = (index: number): Word => memory.load(pointer(segment, start + index));
    const modulus = readValue(memory, pointer(segment, start));
    const [values, offsets, leftWord] = [cell(VALUES), cell(OFFSETS), cell(LEFT)];
    if (modulus === undefined || !isPointer(values) || !isPointer(offsets) || isUnset(leftWord)) {
      throw builtinFailure(name, `instance ${number} is not complete`);
    }
    checkLimbs(memory, pointer(segment, start), name);
    const left = memory.felt(leftWord, "the number of gates left");
    if (left < 1n) throw builtinFailure(name, `instance ${number} counts ${left} gates`);
    if (previous !== undefined && previous.left > 1n) {
      const follows =
        left === previous.left - 1n &&
        modulus === previous.modulus &&
        values === previous.values &&
        offsets === memory.shift(previous.offsets, GATE);
      if (!follows)
        throw builtinFailure(name, `instance ${number} does not continue the one before it`);
    }
    checkGate(memory, loadPlaces(memory, values, offsets), modulus, name, number);
    previous = { modulus, values, offsets, left };
  }
  if (previous !== undefined && previous.left > 1n)
    throw builtinFailure(name, `${previous.left - 1n} gates are left open`);
}

function checkLimbs(memory: Memory, at: Word, name: Operation): void {
  for (let limb = 0; limb < LIMBS; limb += 1) {
    if (memory.felt(memory.load(memory.shift(at, limb)), "a limb") < LIMB_LIMIT) continue;
    throw builtinFailure(name, "a limb is not below 2^96");
  }
}

function checkGate(
  memory: Memory,
  places: Places,
  modulus: bigint,
  name: Operation,
  number: number,
): void {
  const [left, right, claimed] = places.map((place) => readValue(memory, place));
  if (left === undefined || right === undefined || claimed === undefined) {
    throw builtinFailure(name, `a value of instance ${number} is not known`);
  }
  for (const place of places) checkLimbs(memory, place, name);
  const difference = (name === "add_mod" ? left + right : left * right) - claimed;
  const fits =
    modulus === 0n
      ? difference === 0n
      : difference % modulus === 0n && difference >= 0n && difference / modulus <= MAX_MODULI[name];
  if (!fits)
    throw builtinFailure(
      name,
      `instance ${number} claims ${claimed} for ${left} and ${right} modulo ${modulus}`,
    );
}

import type { Hex } from "viem";

import type { ModuleRead } from "../cairo/module-read.js";

/** A read of which block, address and slot say all. */
type PlacedRead = Extract<
  ModuleRead,
  { readonly kind: "header" | "account" | "storage" | "starknetHeader" | "starknetStorage" }
>;

/** Block, address and slot of a read, or the distance between two; 0 where a read has none. */
type Place = readonly [block: bigint, address: bigint, slot: bigint];

/** A read of a loop's last turn, and how far from it the next turn's is. */
interface Step {
  readonly read: PlacedRead;
  readonly stride: Place;
}

/** Maximum number of reads in a turn of a loop. */
const MAX_TURN = 8;

/** Keeps the last reads of a run, and says which ones come next if they are of a loop. */
export class Strides {
  readonly #reads: PlacedRead[] = [];

  public add(read: ModuleRead): void {
    if (!isPlaced(read)) return;
    this.#reads.push(read);
    if (this.#reads.length > 3 * MAX_TURN) this.#reads.shift();
  }

  /** Returns at most `count` reads of the next turns; none if the last three turns are at no constant distance. */
  public next(count: number): readonly ModuleRead[] {
    for (let length = MAX_TURN; length > 0; length -= 1) {
      const turn = this.#findTurn(length);
      if (turn !== undefined) return nextTurns(turn, Math.ceil(count / length)).slice(0, count);
    }
    return [];
  }

  /** Returns the last turn if the last reads are of a loop with so many reads in a turn. */
  #findTurn(length: number): readonly Step[] | undefined {
    const turn: Step[] = [];
    for (let back = length; back > 0; back -= 1) {
      const [first, second, read] = [2, 1, 0].map((turns) =>
        this.#reads.at(-back - turns * length),
      );
      if (first === undefined || second === undefined || read === undefined) return undefined;
      const stride = measureStride(first, second, read);
      if (stride === undefined) return undefined;
      turn.push({ read, stride });
    }
    return turn.some(({ stride }) => stride.some((part) => part !== 0n)) ? turn : undefined;
  }
}

function isPlaced(read: ModuleRead): read is PlacedRead {
  return !["transaction", "receipt", "log", "bytecode"].includes(read.kind);
}

/** Returns the distance of three reads of one field; undefined if there is no one distance. */
function measureStride(
  first: PlacedRead,
  second: PlacedRead,
  third: PlacedRead,
): Place | undefined {
  const isOther = ({ kind, field, chainId }: PlacedRead): boolean =>
    kind !== third.kind || field !== third.field || chainId !== third.chainId;
  if (isOther(first) || isOther(second)) return undefined;
  const before = distance(first, second);
  const stride = distance(second, third);
  return stride.every((part, index) => part === before[index]) ? stride : undefined;
}

function distance(from: PlacedRead, to: PlacedRead): Place {
  const [block, address, slot] = readPlace(to);
  const [fromBlock, fromAddress, fromSlot] = readPlace(from);
  return [block - fromBlock, address - fromAddress, slot - fromSlot];
}

function readPlace(read: PlacedRead): Place {
  const address = "address" in read ? BigInt(read.address) : 0n;
  return [read.block, address, "slot" in read ? BigInt(read.slot) : 0n];
}

function nextTurns(turn: readonly Step[], turns: number): readonly ModuleRead[] {
  const numbers = Array.from({ length: turns }, (_, index) => BigInt(index + 1));
  return numbers.flatMap((number) => turn.flatMap((step) => moved(step, number) ?? []));
}

/** Returns a read so many turns later; undefined where no block, account or slot has the number. */
function moved({ read, stride }: Step, turns: bigint): ModuleRead | undefined {
  const [block, address, slot] = readPlace(read);
  const [blocks, addresses, slots] = stride;
  const place = { block: block + turns * blocks };
  if (place.block < 0n) return undefined;
  if (!("address" in read)) return { ...read, ...place };
  const nextAddress = fixedHex(address + turns * addresses, read.address.length);
  if (nextAddress === undefined) return undefined;
  if (!("slot" in read)) return { ...read, ...place, address: nextAddress };
  const nextSlot = fixedHex(slot + turns * slots, read.slot.length);
  return nextSlot && { ...read, ...place, address: nextAddress, slot: nextSlot };
}

/** Returns a number as hex of a length; undefined if it does not fit. */
function fixedHex(value: bigint, length: number): Hex | undefined {
  const digits = value.toString(16).padStart(length - 2, "0");
  return value < 0n || digits.length > length - 2 ? undefined : `0x${digits}`;
}

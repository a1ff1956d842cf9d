import { inverseFelt, PRIME, toFelt } from "../field.js";
import { failed } from "./failed.js";

/** The curve y² = x³ + x + BETA of Starknet. */
export const CURVE_BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;
/** Rounds of the builtin's ladder, whatever the scalar. */
const ROUNDS = 256;

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

function isOnCurve({ x, y }: Point): boolean {
  return toFelt(y * y - (x * x * x + x + CURVE_BETA)) === 0n;
}

function along(slope: bigint, from: Point, other: bigint): Point {
  const x = toFelt(slope * slope - from.x - other);
  return { x, y: toFelt(slope * (from.x - x) - from.y) };
}

function add(left: Point, right: Point): Point {
  const slope = ((left.y - right.y) * inverseFelt(toFelt(left.x - right.x))) % PRIME;
  return along(slope, left, right.x);
}

function double(point: Point): Point {
  const slope = ((3n * point.x * point.x + 1n) * inverseFelt(toFelt(2n * point.y))) % PRIME;
  return along(slope, point, point.x);
}

/**
 * P + m·Q as the builtin computes it: adding doublings of Q for the bits of m from the lowest up. It has no rule for
 * points of equal x coordinate, so that a run which meets them cannot be proven.
 */
export function ecOp([px = 0n, py = 0n, qx = 0n, qy = 0n, m = 0n]: readonly bigint[]): readonly bigint[] {
  let sum: Point = { x: px, y: py };
  let power: Point = { x: qx, y: qy };
  for (const point of [sum, power]) {
    if (!isOnCurve(point)) throw failed("ec_op", `(${point.x}, ${point.y}) is no point of the curve`);
  }
  for (let round = 0, rest = m; round < ROUNDS; round += 1, rest >>= 1n) {
    if (sum.x === power.x) throw failed("ec_op", "two points of the ladder have the same x coordinate");
    if ((rest & 1n) === 1n) sum = add(sum, power);
    power = double(power);
  }
  return [sum.x, sum.y];
}

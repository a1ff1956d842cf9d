import { FELT_PRIME } from "../../base/felt.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";

/** Values that one decoding may make: more than any list of inputs holds. */
const MAX_VALUES = 1_000_000;

/** HDP-7016: felts that are not a value of the ABI's type. */
export function undecodable(path: string, problem: string): HdpError {
  return hdpError("HDP-7016", { problem }, { path });
}

/** Takes felts off the front of a list. All methods throw HDP-7016, with the path of the value that is decoded. */
export class FeltReader {
  readonly #felts: readonly bigint[];
  #position = 0;
  #values = 0;

  public constructor(felts: readonly bigint[]) {
    this.#felts = felts;
  }

  public get position(): number {
    return this.#position;
  }

  /** Throws where felts are left. */
  public end(path: string): void {
    const left = this.#felts.length - this.#position;
    if (left > 0) throw undecodable(path, `${left} felts are left over`);
  }

  /** Throws where more values are decoded than any input has: types without felts may have endless ones. */
  public countValue(path: string): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw undecodable(path, `more than ${MAX_VALUES} values`);
  }

  public next(path: string): bigint {
    const felt = this.#felts[this.#position];
    if (felt === undefined) throw undecodable(path, `there are only ${this.#felts.length} felts`);
    this.#position += 1;
    return felt;
  }

  /** An integer from `min` to `max`; felts above `max` are those below 0, counted from the prime downwards. */
  public integer(path: string, typeName: string, min: bigint, max: bigint): bigint {
    const felt = this.next(path);
    const value = felt > max ? felt - FELT_PRIME : felt;
    if (value < min || value > max) throw undecodable(path, `the felt ${felt} is not a value of ${typeName}`);
    return value;
  }

  /** The length of a list whose items follow, each of at least one felt. */
  public length(path: string): number {
    const length = this.next(path);
    const left = this.#felts.length - this.#position;
    if (length > BigInt(left)) {
      throw undecodable(path, `its length is ${length}, but only ${left} felts follow`);
    }
    return Number(length);
  }
}

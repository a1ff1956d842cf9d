import { FELT_PRIME } from "../../base/felt.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { CairoValue } from "../../request/lifecycle.js";
import type { Place } from "../../request/reader.js";

/** Deepest nesting of values that is read. */
const MAX_DEPTH = 100;

/** How values of one Cairo type are encoded as felts, by Cairo's `Serde`, and decoded. */
export interface CairoType {
  /** Short name, for messages. */
  readonly name: string;
  /** Whether its bare value could be taken for the None of an `Option` around it, or for the Some. */
  readonly isLikeOption?: boolean;
  /** Returns the felts of a value, or null after reporting every mistake in it. */
  readonly encode: (value: unknown, place: Place, depth: number) => readonly bigint[] | null;
  /** Takes a value off the front of the felts. */
  readonly decode: (felts: FeltReader, path: string, depth: number) => CairoValue;
  /** Returns how many felts every value has, where all have the same number. */
  readonly size: (depth: number) => number | undefined;
}

/** Returns the type of a full Cairo name, or undefined where it has no encoding. */
export type FindType = (name: string) => CairoType | undefined;

/** A type that is looked up when it is used: types may contain themselves. */
export type Part = Omit<CairoType, "name" | "isLikeOption">;

/** The type of a full Cairo name as a part of another, or as that of an argument. */
export function partOf(find: FindType, name: string): Part {
  const required = (): CairoType => {
    const type = find(name);
    if (type === undefined) throw hdpError("HDP-7009", { type: name.slice(0, 200) });
    return type;
  };
  return {
    encode: (value, place, depth) => {
      const type = find(name);
      if (type === undefined) return place.report("HDP-7009", { type: name.slice(0, 200) });
      if (depth <= MAX_DEPTH) return type.encode(value, place, depth);
      return place.reportType(value, `a value of at most ${MAX_DEPTH} levels`, "deep structures as flat lists");
    },
    decode: (felts, path, depth) => {
      if (depth > MAX_DEPTH) throw undecodable(path, `the value is nested deeper than ${MAX_DEPTH} levels`);
      felts.countValue(path);
      return required().decode(felts, path, depth);
    },
    size: (depth) => (depth > MAX_DEPTH ? undefined : required().size(depth)),
  };
}

/** Last part of a full Cairo name without generic arguments: `hdp_cairo::HDP` to `HDP`. */
export function shortName(typeName: string): string {
  return typeName.replace(/[A-Za-z0-9_]+::(?=[A-Za-z0-9_])/g, "").replaceAll("::<", "<");
}

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

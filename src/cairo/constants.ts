import { CONSTANT_BASE, SMALL_LIMIT, type Word } from "./words.js";

const SMALL_LIMIT_BIGINT = BigInt(SMALL_LIMIT);

/** The large felts of a program's own text. They have one word in every run of the program. */
export class Constants {
  public readonly felts: bigint[] = [];

  /** The word of a felt in 0 … PRIME - 1. */
  public word(felt: bigint): Word {
    if (felt < SMALL_LIMIT_BIGINT) return Number(felt);
    return CONSTANT_BASE + this.felts.push(felt) - 1;
  }
}

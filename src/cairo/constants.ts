import { CONSTANT_BASE, signedWord, smallSigned, type Word } from "./words.js";

/** The large felts of a program's own text. They have one word in every run of the program. */
export class Constants {
  public readonly felts: bigint[] = [];

  /** The word of a felt in 0 … PRIME - 1. */
  public word(felt: bigint): Word {
    const small = smallSigned(felt);
    return small === undefined ? CONSTANT_BASE + this.felts.push(felt) - 1 : signedWord(small);
  }
}

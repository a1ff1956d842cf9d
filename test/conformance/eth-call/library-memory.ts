import { bytesToBigInt, bytesToHex, type Hex, numberToBytes } from "viem";

const CHUNK = 16;

/**
 * Memory as the EVM of the data processor's Cairo library keeps it: chunks of 16 bytes. A word stored at an offset that
 * is no multiple of 16 ends inside of a third chunk, whose last bytes have to stay. The library adds the chunk's first
 * bytes in their place (`w2 / mask` in `store_element` of its memory.cairo, where `w2 % mask` is meant).
 */
export class LibraryMemory {
  readonly #bytes: Uint8Array;

  public constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#bytes = new Uint8Array(256);
    this.#bytes.set(bytes);
  }

  /** MSTORE of a word at an offset below 208. */
  public store(offset: number, word: bigint): void {
    const ending = offset % CHUNK;
    const third = offset - ending + 2 * CHUNK;
    const w2 = bytesToBigInt(this.#bytes.slice(third, third + CHUNK));
    this.#bytes.set(numberToBytes(word, { size: 32 }), offset);
    if (ending === 0) return;
    const mask = 256n ** BigInt(CHUNK - ending);
    const written = word % 256n ** BigInt(ending);
    this.#bytes.set(numberToBytes(written * mask + w2 / mask, { size: CHUNK }), third);
  }

  public slice(offset: number, length: number): Hex {
    return bytesToHex(this.#bytes.slice(offset, offset + length));
  }
}

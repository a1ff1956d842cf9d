import type { Hash } from "node:crypto";

import type { ReadHandle } from "./durable-fs.js";

/** Of bytes that are read and not certain, how many are kept for the hash. */
const KEPT = 64 * 1024 * 1024;

/** Hashes the bytes that are read one after the other, as far as they are certain. */
export class PassedBytes {
  #hash: Hash | undefined;
  #hashed: number;
  #kept: Uint8Array[] = [];
  #keptLength = 0;

  public constructor({ hash, offset }: { readonly hash: Hash | undefined; readonly offset: number }) {
    this.#hash = hash?.copy();
    this.#hashed = offset;
  }

  public get hash(): Hash | undefined {
    return this.#hash;
  }

  /** The file, for one reader that begins where this does and goes on without gaps. */
  public of(file: ReadHandle): ReadHandle {
    return {
      ...file,
      readAt: async (position, length) => {
        const bytes = await file.readAt(position, length);
        this.#keptLength += bytes.length;
        if (this.#keptLength > KEPT) this.#hash = undefined;
        if (this.#hash === undefined) this.#kept = [];
        else this.#kept.push(bytes);
        return bytes;
      },
    };
  }

  public hashTo(offset: number): void {
    while (this.#hash !== undefined && this.#hashed < offset) {
      const [piece, ...others] = this.#kept;
      if (piece === undefined) throw new Error("bytes were passed over");
      const certain = piece.subarray(0, offset - this.#hashed);
      this.#hash.update(certain);
      this.#hashed += certain.length;
      this.#keptLength -= certain.length;
      this.#kept = certain.length < piece.length ? [piece.subarray(certain.length), ...others] : others;
    }
  }
}

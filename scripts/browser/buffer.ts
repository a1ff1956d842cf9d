// What `hardhat-hdp/request` uses of Node's Buffer, for its bundle for browsers: a tenth of the package `buffer`.
const HEX = /^(?:[0-9a-f]{2})*/i;

class Bytes extends Uint8Array {
  public compare(
    other: Uint8Array,
    start: number,
    end: number,
    ownStart: number,
    ownEnd: number,
  ): number {
    return compare(this.subarray(ownStart, ownEnd), other.subarray(start, end));
  }

  public write(text: string, at: number): number {
    const bytes = new TextEncoder().encode(text);
    this.set(bytes, at);
    return bytes.length;
  }

  public writeBigUInt64LE(value: bigint, at: number): void {
    new DataView(this.buffer, this.byteOffset).setBigUint64(at, value, true);
  }

  public override toString(encoding = "utf8", start = 0, end = this.length): string {
    const bytes = this.subarray(start, end);
    if (encoding === "hex")
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (encoding === "base64") return btoa(String.fromCharCode(...bytes));
    return new TextDecoder().decode(bytes);
  }
}

function from(source: string | ArrayBuffer, encoding?: string | number, length?: number): Bytes {
  if (typeof source !== "string") return new Bytes(source, Number(encoding ?? 0), length);
  if (encoding === "base64")
    return new Bytes(Array.from(atob(source), (character) => character.charCodeAt(0)));
  if (encoding !== "hex") return new Bytes(new TextEncoder().encode(source));
  const [digits = ""] = HEX.exec(source) ?? [];
  const byte = (at: number): number => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return new Bytes(Array.from({ length: digits.length / 2 }, (_, at) => byte(at)));
}

function concat(parts: readonly Uint8Array[]): Bytes {
  const joined = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function compare(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  if (at < 0) return Math.sign(one.length - other.length);
  return (one[at] ?? 0) < (other[at] ?? -1) ? -1 : 1;
}

export const Buffer = {
  alloc: (length: number): Uint8Array => new Bytes(length),
  compare,
  concat,
  from,
};

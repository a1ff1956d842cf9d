import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import fc from "fast-check";
import { keccak256 as reference, toHex } from "viem";

import { keccakModule } from "../../scripts/keccak-wasm.js";
import { INPUT_CAPACITY, keccak256, keccakBytes, keccakOfDigits } from "../../src/base/keccak.js";

describe("keccak256", () => {
  it("is viem's for every length up to three blocks", () => {
    for (let length = 0; length <= 3 * 136 + 1; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff);
      expect(keccak256(bytes), String(length)).to.equal(reference(bytes));
      expect(toHex(keccakBytes(bytes)), String(length)).to.equal(reference(bytes));
    }
  });

  it("is viem's where the module takes the bytes in several parts", () => {
    for (const length of [-1, 0, 1, 135, 136, 137].map((more) => INPUT_CAPACITY + more).concat(2 * INPUT_CAPACITY)) {
      const bytes = new Uint8Array(length).fill(0xa7);
      expect(keccak256(bytes), String(length)).to.equal(reference(bytes));
    }
  });

  it("does not depend on what was hashed before", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.uint8Array({ maxLength: 600 }), (one, other) => {
        keccak256(other);
        const first = keccakBytes(one);
        keccak256(other);
        expect(toHex(first)).to.equal(reference(one));
      }),
    );
  });

  it("is that of the bytes that digits stand for, of every length", () => {
    for (let length = 0; length <= 3 * 136 + 1; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff);
      keccakOfDigits("ff".repeat(500));
      expect(keccakOfDigits(toHex(bytes).slice(2)), String(length)).to.equal(reference(bytes));
    }
    const long = "5a".repeat(20_000);
    expect(keccakOfDigits(long)).to.equal(reference(`0x${long}`));
  });

  it("is not told of what is not lower-case hex, nor of half a byte, nor of more than fits", () => {
    const digits = "0123456789abcdef".repeat(9);
    for (const length of [2, 16, 34, digits.length]) {
      const good = digits.slice(0, length);
      // Every character of one byte, and some whose lowest byte or first bytes look like a digit.
      for (const code of [...Array.from({ length: 256 }, (_, at) => at), 0x130, 0x161, 0x3030, 0xff10]) {
        const character = String.fromCharCode(code);
        for (const at of [0, 1, length - 1]) {
          const changed = good.slice(0, at) + character + good.slice(at + 1);
          const expected = /^[0-9a-f]$/.test(character) ? reference(`0x${changed}`) : undefined;
          expect(keccakOfDigits(changed), JSON.stringify(changed)).to.equal(expected);
        }
      }
    }
    expect(keccakOfDigits("abc")).to.equal(undefined);
    expect(keccakOfDigits("ab".repeat(40_000))).to.equal(undefined);
  });

  it("comes from the module that scripts/keccak-wasm.ts assembles", () => {
    const shipped = readFileSync(join(import.meta.dirname, "../../src/base/keccak-wasm.ts"), "utf8");
    expect(shipped === keccakModule(), "run npm run keccak").to.equal(true);
  });
});

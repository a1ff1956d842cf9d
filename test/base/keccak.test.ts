import { readFile } from "node:fs/promises";

import { expect } from "chai";
import fc from "fast-check";
import { type Hex, hexToBytes, keccak256 as reference, toHex } from "viem";

import { generatedFile, generatedModule } from "../../scripts/wasm-modules.js";
import { hashedBytes, INPUT_CAPACITY, keccak256, keccakBytes, keccakOfHex } from "../../src/base/keccak.js";

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
      keccakOfHex(`0x${"ff".repeat(500)}`);
      expect(keccakOfHex(toHex(bytes)), String(length)).to.equal(reference(bytes));
      expect(hashedBytes(toHex(bytes), hexToBytes(reference(bytes))), String(length)).to.deep.equal(bytes);
      expect(hashedBytes(toHex(bytes), keccakBytes(Uint8Array.of(length & 0xff, 1, 2)))).to.equal(undefined);
    }
    const long: Hex = `0x${"5a".repeat(20_000)}`;
    expect(keccakOfHex(long)).to.equal(reference(long));
  });

  it("is not told of what is not lower-case hex, nor of half a byte, nor of more than fits", () => {
    const digits = "0123456789abcdef".repeat(9);
    for (const length of [2, 16, 34, digits.length]) {
      const good = digits.slice(0, length);
      // Every character of one byte, and some whose lowest byte or first bytes look like a digit.
      for (const code of [...Array.from({ length: 256 }, (_, at) => at), 0x130, 0x161, 0x3030, 0xff10]) {
        const character = String.fromCharCode(code);
        for (const at of [0, 1, length - 1]) {
          const changed: Hex = `0x${good.slice(0, at)}${character}${good.slice(at + 1)}`;
          const expected = /^[0-9a-f]$/.test(character) ? reference(changed) : undefined;
          expect(keccakOfHex(changed), JSON.stringify(changed)).to.equal(expected);
        }
      }
    }
    expect(keccakOfHex("0xabc")).to.equal(undefined);
    expect(keccakOfHex(`0x${"ab".repeat(40_000)}`)).to.equal(undefined);
    expect(["", "0", "00", "x0ab", "0Xab"].map((other) => keccakOfHex(other as Hex))).to.deep.equal(
      new Array(5).fill(undefined),
    );
  });

  it("is the module that scripts/wasm/keccak.wat assembles to", async () => {
    const shipped = await readFile(generatedFile("keccak"), "utf8");
    expect(shipped === (await generatedModule("keccak")), "run npm run wasm").to.equal(true);
  });
});

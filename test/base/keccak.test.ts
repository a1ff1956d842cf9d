import { readFile } from "node:fs/promises";

import { expect } from "chai";
import fc from "fast-check";
import { keccak256 as reference, toHex } from "viem";

import { generatedFile, generatedModule } from "../../scripts/wasm-modules.js";
import { INPUT_CAPACITY, keccak256, keccakBytes } from "../../src/base/keccak.js";

describe("keccak256", () => {
  it("returns viem's hash for every length up to three blocks", () => {
    for (let length = 0; length <= 3 * 136 + 1; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 0xff);
      expect(keccak256(bytes), String(length)).to.equal(reference(bytes));
      expect(toHex(keccakBytes(bytes)), String(length)).to.equal(reference(bytes));
    }
  });

  it("returns viem's hash where the module takes the bytes in several parts", () => {
    for (const length of [-1, 0, 1, 135, 136, 137]
      .map((more) => INPUT_CAPACITY + more)
      .concat(2 * INPUT_CAPACITY)) {
      const bytes = new Uint8Array(length).fill(0xa7);
      expect(keccak256(bytes), String(length)).to.equal(reference(bytes));
    }
  });

  it("returns the same hash whatever was hashed before", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600 }),
        fc.uint8Array({ maxLength: 600 }),
        (one, other) => {
          keccak256(other);
          const first = keccakBytes(one);
          keccak256(other);
          expect(toHex(first)).to.equal(reference(one));
        },
      ),
    );
  });

  it("ships the module that scripts/wasm/keccak.wat assembles to", async () => {
    const shipped = await readFile(generatedFile("keccak"), "utf8");
    expect(shipped === (await generatedModule("keccak")), "run npm run wasm").to.equal(true);
  });
});

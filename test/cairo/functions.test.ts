import { expect } from "chai";
import fc from "fast-check";
import { keccak256 } from "viem";
import { z } from "zod";

import { runModule } from "../../src/entries/local.js";
import { FELT_PRIME as PRIME } from "../../src/entries/request.js";
import {
  FUNCTIONS,
  callFunction,
  compiledFile,
  returnedBy,
  squareOfBlock,
} from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

const HALF = 2n ** 128n;
const WORD = 2n ** 256n;
const word = fc.bigInt({ min: 0n, max: WORD - 1n });
const felt = fc.bigInt({ min: 0n, max: PRIME - 1n });
const halves = (value: bigint): bigint[] => [value % HALF, value / HALF];

/** Functions compiled from test/cairo; expectations recorded from another machine by the build script. */
describe("compiled functions", () => {
  const recorded = z
    .array(
      z.object({
        name: z.string(),
        number: z.number(),
        inputs: z.array(z.string()),
        returned: z.array(z.string()),
      }),
    )
    .parse(compiledFile("functions.results.json"));
  for (const { name, number, inputs, returned } of recorded) {
    it(`${name}(${inputs.map((input) => input.slice(0, 12)).join(", ")}) returns what the other machine returns`, async () => {
      const result = await returnedBy(BigInt(number), inputs.map(BigInt));
      expect(result.map((value) => `0x${value.toString(16)}`)).to.deep.equal(returned);
    });
  }

  it("felt arithmetic agrees with BigInt", async () => {
    await fc.assert(
      fc.asyncProperty(felt, felt, async (x, y) => {
        const [sum, difference, product] = await returnedBy(FUNCTIONS.arithmetic, [
          x,
          y,
          1n,
          0n,
          1n,
          0n,
        ]);
        expect([sum, difference, product]).to.deep.equal([
          (x + y) % PRIME,
          (x - y + PRIME) % PRIME,
          (x * y) % PRIME,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it("u256 arithmetic agrees with BigInt", async () => {
    await fc.assert(
      fc.asyncProperty(word, fc.oneof(word, fc.bigInt({ min: 1n, max: HALF })), async (a, b) => {
        fc.pre(b > 0n);
        const result = await returnedBy(FUNCTIONS.arithmetic, [1n, 0n, ...halves(a), ...halves(b)]);
        // x + y, x - y, x · y, x as u256, then the wrapping sum and difference, the product, quotient and remainder.
        expect(result.slice(5, 17)).to.deep.equal([
          ...halves((a + b) % WORD),
          ...halves((a - b + WORD) % WORD),
          ...halves((a * b) % WORD),
          ...halves((a * b) / WORD),
          ...halves(a / b),
          ...halves(a % b),
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it("keccak agrees with viem", async () => {
    const [low = 0n, high = 0n] = await returnedBy(FUNCTIONS.keccak, [5n, 6n]);
    const digest = keccak256(
      `0x${5n.toString(16).padStart(64, "0")}${6n.toString(16).padStart(64, "0")}`,
    );
    // Cairo's keccak is the digest read little-endian.
    const reversed = Buffer.from(
      (low + (high << 128n)).toString(16).padStart(64, "0"),
      "hex",
    ).reverse();
    expect(`0x${reversed.toString("hex")}`).to.equal(digest);
  });

  it("panics are results with their text", async () => {
    const texts: [bigint[], string][] = [
      [[0n], "a message of 31 bytes and more, formatted with the value 0"],
      [[1n], "short text"],
      [[2n, 56n], "u8_add Overflow"],
      [[3n], "Index out of bounds"],
      [[4n, 0n], "Division by 0"],
      [[5n], "one, 0x2, three"],
      [[6n], "assertion on 6"],
      [[7n, 0n], "plain assertion"],
    ];
    for (const [inputs, text] of texts) {
      const run = await callFunction(FUNCTIONS.panics, inputs);
      expect([run.status, run.status === "panicked" ? run.message : ""]).to.deep.equal([
        "panicked",
        text,
      ]);
    }
  });

  it("sum storage over blocks, with every read on record", async () => {
    const run = await callFunction(FUNCTIONS.storageSum, [1n, 0xabcn, 100n, 103n]);
    expect(run.value).to.equal(undefined);
    expect(run.retdata).to.deep.equal([2n, 100n ** 2n + 101n ** 2n + 102n ** 2n + 18n, 0n]);
    expect(run.reads.map(({ block, felts }) => [block, felts])).to.deep.equal(
      [100n, 101n, 102n].map((block) => [block, [block * block + 6n, 0n]]),
    );
  });

  it("read through an asynchronous source and stop at an abort", async () => {
    const later = async (read: Parameters<typeof squareOfBlock>[0]): Promise<bigint> => {
      await new Promise((resolve) => setImmediate(resolve));
      return squareOfBlock(read);
    };
    expect(await returnedBy(FUNCTIONS.storageSum, [1n, 1n, 7n, 9n], later)).to.deep.equal([
      49n + 64n + 12n,
      0n,
    ]);
    const controller = new AbortController();
    const run = runModule(compiledFile("storage_sum.compiled_contract_class.json"), {
      inputs: [4n, 1n, 1n, 1n, 9n].map((value) => ({ visibility: "public", value })),
      leadingFelts: 8,
      signal: controller.signal,
      read: () => {
        controller.abort(new Error("enough"));
        return 1n;
      },
    });
    let thrown: unknown;
    await run.catch((error: unknown) => (thrown = error));
    expect(thrown).to.have.property("message", "enough");
  });

  it("system calls that the service lacks are refused by name", async () => {
    await expectHdpError(
      callFunction(FUNCTIONS.otherSyscalls, [0n]),
      "HDP-7111",
      /GetExecutionInfo/,
    );
    await expectHdpError(callFunction(FUNCTIONS.otherSyscalls, [1n]), "HDP-7111", /EmitEvent/);
  });
});

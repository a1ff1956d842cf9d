import { expect } from "chai";

import { unorderedRoot } from "../../src/entries/request.js";
import { runModule } from "../../src/entries/local.js";
import { shortStringFelt } from "../../src/base/felt.js";
import { PRIME } from "../../src/cairo/words.js";
import { decodeCall } from "../../src/cairo/module-read.js";
import { GENERATIONS, orderedInputs } from "../../src/cairo/generations.js";
import { rawValue } from "../../src/compute/run-module.js";
import { assemble, ret } from "../support/cairo-assembler.js";
import {
  callFunction,
  compiledFile,
  FUNCTIONS,
  returnedBy,
} from "../support/compiled-functions.js";
import { expectHdpError, hdpFailure } from "../support/failure.js";
import { untyped } from "../support/untyped.js";

const call = (contract: bigint, selector: bigint, ...rest: bigint[]) => ({
  contract,
  selector,
  calldata: [0n, 0n, ...rest],
});

describe("calls to data handlers", () => {
  it("names calls by the generation's tables", () => {
    const transaction = call(3n, 13n, 1n, 5n, 2n);
    expect(decodeCall(transaction, GENERATIONS["2024-10-17"]).field).to.equal(
      "blobVersionedHashes",
    );
    expect(decodeCall(transaction, GENERATIONS["2024-10-24"]).field).to.equal("maxFeePerBlobGas");
    expect(decodeCall(call(1n, 0n, 1n, 5n, 9n), GENERATIONS["2024-06"]).field).to.equal("balance");
    expect(decodeCall(call(1n, 0n, 1n, 5n, 9n), GENERATIONS["2024-07-16"]).field).to.equal("nonce");
    expect(decodeCall(call(2n, 0n, 1n, 5n, 9n, 1n, 2n), GENERATIONS.head)).to.deep.equal({
      kind: "storage",
      chainId: 1n,
      block: 5n,
      field: "slot",
      address: `0x${"9".padStart(40, "0")}`,
      slot: `0x${"1".padStart(32, "0")}${"2".padStart(32, "0")}`,
    });
    expect(decodeCall(call(5n, 6n, 1n, 5n, 9n, 3n), GENERATIONS.head)).to.deep.include({
      kind: "log",
      field: "data",
      logIndex: 3,
    });
    const labelled = call(3n, 17n, 1n, shortStringFelt("block_tx"), 5n, 9n);
    expect(decodeCall(labelled, GENERATIONS["2025-02"])).to.deep.include({
      field: "hash",
      block: 5n,
      index: 9,
    });
    const starknet = 393402133025997798000961n;
    expect(decodeCall(call(0n, 17n, starknet, 5n), GENERATIONS.head)).to.deep.include({
      kind: "starknetHeader",
      field: "protocolVersion",
    });
    expect(decodeCall(call(1n, 0n, starknet, 5n, 6n, 7n), GENERATIONS.head)).to.deep.include({
      kind: "starknetStorage",
    });
  });

  it("refuses a call by name where the generation has no such thing", () => {
    const { head } = GENERATIONS;
    const refusals: [Parameters<typeof decodeCall>, RegExp][] = [
      [[call(7n, 0n, 1n, 5n), head], /EVM handler 7/],
      [[call(0n, 30n, 1n, 5n), head], /field 30 of header/],
      [[call(0n, 0n, 1n), head], /has 0 arguments/],
      [[call(0n, 0n), head], /names no chain/],
      [[call(1n, 0n, 1n, 5n, 2n ** 170n), head], /does not fit 20 bytes/],
      [[call(2n, 0n, 1n, 5n, 1n, HALF, 0n), head], /exceeds 128 bits/],
      [[call(3n, 0n, 1n, 5n, 2n ** 40n), head], /out of range/],
      [[call(3n, 0n, 1n, 5n, 2n), GENERATIONS["2025-02"]], /lacks the label/],
      [
        [call(0n, 0n, 393402133025997798000961n, 5n), GENERATIONS["2024-07-17"]],
        /Starknet handler 0/,
      ],
      [[call(shortStringFelt("arbitrary_type"), 0n), head], /handler "arbitrary_type"/],
      [
        [call(shortStringFelt("unconstrained"), 0n), GENERATIONS["2024-10-24"]],
        /handler "unconstrained"/,
      ],
      [
        [call(shortStringFelt("unconstrained"), 1n, 1n, 5n, 9n), head],
        /field 1 of unconstrained data/,
      ],
      [[call(shortStringFelt("unconstrained"), 0n), head], /names no chain/],
      [[call(shortStringFelt("unconstrained"), 0n, 1n, 5n), head], /bytecode has 1 arguments/],
    ];
    for (const [args, text] of refusals)
      expect(() => decodeCall(...args))
        .to.throw(text)
        .with.property("code")
        .that.matches(/^HDP-711[456]$/);
  });

  it("hand words over low half first, and rows of words high half first", async () => {
    const raw = [0n, 6n, 0n, 0n, 1n, 5n];
    expect(
      await returnedBy(FUNCTIONS.rawCalls, [0n, 8n, 0n, 0n, 1n, 5n], () => 7n + (9n << 128n)),
    ).to.deep.equal([7n, 9n]);
    expect(await returnedBy(FUNCTIONS.rawCalls, raw, () => [7n + (9n << 128n), 1n])).to.deep.equal([
      9n,
      7n,
      0n,
      1n,
    ]);
    const starknet = [1n, 0n, 0n, 0n, 393402133025997798000961n, 5n, 6n, 7n];
    expect(await returnedBy(FUNCTIONS.rawCalls, starknet, () => 2n ** 200n)).to.deep.equal([
      2n ** 200n,
    ]);
    await expectHdpError(
      callFunction(FUNCTIONS.rawCalls, raw, () => -1n),
      "HDP-7113",
      /reads returned -1 for/,
    );
    for (const value of [PRIME, -1n, untyped(5)]) {
      await expectHdpError(
        callFunction(FUNCTIONS.rawCalls, starknet, () => value),
        "HDP-7113",
        new RegExp(`reads returned ${String(value)} for`),
      );
    }
    const printed = await callFunction(FUNCTIONS.rawCalls, [
      shortStringFelt("debug"),
      0n,
      shortStringFelt("hello"),
    ]);
    expect(printed.printed).to.deep.equal(["hello"]);
  });

  it("need a configured chain", async () => {
    const run = runModule(compiledFile("functions.compiled_contract_class.json"), {
      inputs: [FUNCTIONS.rawCalls, 6n, 0n, 8n, 0n, 0n, 10n, 5n].map((value) => ({
        visibility: "public",
        value,
      })),
      leadingFelts: 8,
      reader: () => undefined,
    });
    await expectHdpError(run, "HDP-2004", /header.number in block 5 of chain 10/);
  });
});

const HALF = 2n ** 128n;

describe("results and inputs", () => {
  it("refuses gas that is no felt", async () => {
    for (const gas of [-1n, PRIME]) {
      const run = runModule(compiledFile("functions.compiled_contract_class.json"), {
        inputs: [],
        leadingFelts: 8,
        read: () => 0n,
        limits: { gas },
      });
      const error = await hdpFailure(run);
      expect([error.code, error.path]).to.deep.equal(["HDP-1118", "limits.gas"]);
    }
  });

  it("computes the root and the value of results by their number of felts", () => {
    expect(unorderedRoot([])).to.equal(
      "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a",
    );
    expect(unorderedRoot([1n])).to.match(/^0x[0-9a-f]{64}$/);
    expect(unorderedRoot([1n, 2n])).to.not.equal(unorderedRoot([2n, 3n]));
    expect([
      rawValue([]),
      rawValue([5n]),
      rawValue([5n, 1n]),
      rawValue([HALF, 1n]),
      rawValue([1n, 2n, 3n]),
    ]).to.deep.equal([undefined, 5n, HALF + 5n, undefined, undefined]);
  });

  it("orders results and inputs as the generation says", () => {
    const inputs = [
      { visibility: "private", value: "0x1" },
      { visibility: "public", value: 2n },
      { visibility: "private", value: 3n },
    ] as const;
    expect(orderedInputs(inputs, "given")).to.deep.equal([1n, 2n, 3n]);
    expect(orderedInputs(inputs, "publicFirst")).to.deep.equal([2n, 1n, 3n]);
    expect(() => orderedInputs([{ visibility: "public", value: "12" }], "given")).to.throw(
      "HDP-1118 in inputs[0].value: 12 is not a felt.",
    );
    expect(() => orderedInputs([{ visibility: "public", value: PRIME }], "given")).to.throw(
      `HDP-1118 in inputs[0].value: ${PRIME} is not a felt.`,
    );
  });

  it("refuse what is no compiled class", async () => {
    const read = () => 0n;
    for (const [json, code, text] of [
      [{ sierra_program: [] }, "HDP-7002", /Sierra/],
      [{ program: {} }, "HDP-7001", /Cairo 0/],
      [{ prime: "0x1" }, "HDP-7001", /not a compiled contract class/],
    ] as const) {
      await expectHdpError(runModule(json, { inputs: [], read }), code, text);
    }
    const withoutMain = {
      ...assemble([ret]),
      entry_points_by_type: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
    };
    await expectHdpError(
      runModule(withoutMain, { inputs: [], leadingFelts: 0, read }),
      "HDP-7007",
      /no external function `main`/,
    );
  });
});

import { execFileSync } from "node:child_process";

import { expect } from "chai";

import type { GenerationName } from "../../src/entries/local.js";
import { generationFor, GENERATIONS } from "../../src/cairo/generations.js";
import { decodeCall } from "../../src/cairo/module-read.js";
import { camelCase } from "../../src/request/fields.js";
import { HEADER_LIST } from "../../src/request/rlp-lists.js";
import { expectThrown } from "../support/failure.js";

const HANDLE = [0n, 0n];
const HEADER_HANDLER = 0n;

const WITH_LOGS = [
  ["header", 20],
  ["account", 4],
  ["storage", 1],
  ["transaction", 18],
  ["receipt", 3],
  ["log", 7],
  ["starknetHeader", 18],
  ["starknetStorage", 1],
] as const;

/** The number of fields of each handler, in the order of the addresses: EVM, then Starknet. */
const LAYOUTS: Readonly<Record<GenerationName, readonly (readonly [string, number])[]>> = {
  "2024-06": [
    ["header", 1],
    ["account", 1],
  ],
  "2024-07-16": [
    ["header", 20],
    ["account", 4],
  ],
  "2024-07-17": [
    ["header", 20],
    ["account", 4],
    ["storage", 1],
  ],
  "2024-10-17": [
    ["header", 20],
    ["account", 4],
    ["storage", 1],
    ["transaction", 17],
  ],
  "2024-10-24": [
    ["header", 20],
    ["account", 4],
    ["storage", 1],
    ["transaction", 17],
    ["receipt", 4],
    ["starknetHeader", 18],
    ["starknetStorage", 1],
  ],
  "2025-02": [
    ["header", 20],
    ["account", 4],
    ["storage", 1],
    ["transaction", 18],
    ["receipt", 4],
    ["starknetHeader", 18],
    ["starknetStorage", 1],
  ],
  "2025-03-04": WITH_LOGS,
  "2025-03-17": WITH_LOGS,
  "2025-04": WITH_LOGS,
  "2025-09": WITH_LOGS,
  head: [
    ["header", 21],
    ["account", 4],
    ["storage", 1],
    ["transaction", 19],
    ["receipt", 3],
    ["log", 7],
    ["starknetHeader", 18],
    ["starknetStorage", 1],
  ],
};

function layoutOf({ evm, starknet }: (typeof GENERATIONS)[GenerationName]) {
  return [...evm, ...starknet].map(({ kind, fields }) => [kind, fields.length]);
}

describe("generations of modules", () => {
  for (const [name, generation] of Object.entries(GENERATIONS)) {
    it(`keeps the handlers and the number of selectors of ${name}`, () => {
      expect(layoutOf(generation)).to.deep.equal(LAYOUTS[generation.name]);
    });
  }

  it("keeps the selectors of every generation when a field is added to the table", () => {
    // The layouts are made when the module is loaded: another process adds a field before.
    const script = `
      import { FIELDS } from ${JSON.stringify(import.meta.resolve("../../src/request/fields.ts"))};
      FIELDS.header.slot_number = { type: "integer", rpc: "slotNumber", about: "Number of the slot" };
      FIELDS.account.code_size = { type: "integer", rpc: "codeSize", about: "Bytes of the code" };
      const { GENERATIONS } = await import(${JSON.stringify(import.meta.resolve("../../src/cairo/generations.ts"))});
      console.log(JSON.stringify([Object.keys(FIELDS.header).at(-1), GENERATIONS]));`;
    const hooks = import.meta.resolve("../support/typescript.mjs");
    const printed = execFileSync(
      process.execPath,
      ["--import", hooks, "--input-type=module", "--eval", script],
      { encoding: "utf8" },
    );
    expect(JSON.parse(printed)).to.deep.equal(["slot_number", GENERATIONS]);
  });

  it("reads type, sender and hash of transactions where each release of hdp_cairo numbers them", () => {
    const fieldsAt = (name: GenerationName): readonly (string | undefined)[] =>
      [15, 16, 17, 18].map((selector) => GENERATIONS[name].evm[3]?.fields[selector]);
    for (const name of ["2025-02", "2025-03-04", "2025-03-17", "2025-04", "2025-09"] as const)
      expect(fieldsAt(name), name).to.deep.equal(["type", "sender", "hash", undefined]);
    expect(fieldsAt("head")).to.deep.equal(["authorizationList", "type", "sender", "hash"]);
  });

  it("knows the handle, the order of inputs, the label and the stored value of each release", () => {
    const facts = Object.values(GENERATIONS).map(({ name, handle, inputOrder, result, evm }) => [
      name,
      handle,
      inputOrder,
      result,
      evm[3]?.label,
    ]);
    expect(facts).to.deep.equal([
      ["2024-06", 4, "given", "value", undefined],
      ["2024-07-16", 4, "given", "value", undefined],
      ["2024-07-17", 6, "given", "value", undefined],
      ["2024-10-17", 4, "given", "value", undefined],
      ["2024-10-24", 4, "given", "value", undefined],
      ["2025-02", 4, "given", "value", "block_tx"],
      ["2025-03-04", 4, "given", "value", undefined],
      ["2025-03-17", 4, "given", "output-root", undefined],
      ["2025-04", 4, "publicFirst", "output-root", undefined],
      ["2025-09", 6, "publicFirst", "output-root", undefined],
      ["head", 8, "publicFirst", "output-root", undefined],
    ]);
  });

  it("takes the one generation that has a handle, and refuses and names them where several have", () => {
    expect(generationFor(8).name).to.equal("head");
    expect(generationFor(0).name).to.equal("head");
    expectThrown(() => generationFor(6), "HDP-7121", undefined, "2024-07-17, 2025-09");
    expectThrown(() => generationFor(4), "HDP-7121", undefined, "2025-03-17, 2025-04 do");
  });

  it("reads the last field of 2024 by its selector, and refuses the one after it", () => {
    const calldata = [...HANDLE, 1n, 5n];
    const call = { contract: HEADER_HANDLER, selector: 19n, calldata };
    const header = { kind: "header", chainId: 1n, block: 5n };
    expect(decodeCall(call, GENERATIONS["2024-07-17"])).to.deep.equal({
      ...header,
      field: "parentBeaconBlockRoot",
    });
    const after = { ...call, selector: 20n };
    expectThrown(
      () => decodeCall(after, GENERATIONS["2024-07-17"]),
      "HDP-7114",
      undefined,
      "field 20 of header",
    );
    expect(decodeCall(after, GENERATIONS.head)).to.deep.equal({
      ...header,
      field: "requestsHash",
    });
  });

  it("offers every header field of the table to modules of the newest generation", () => {
    const missing = HEADER_LIST.map(camelCase).filter(
      (field) => !GENERATIONS.head.evm[0]?.fields.includes(field),
    );
    expect(
      missing,
      "the module library's selector of a new header field belongs in a new generation: src/cairo/generations.ts",
    ).to.deep.equal([]);
  });
});

import { expect } from "chai";

import {
  type DatalakeComputeTask,
  HdpError,
  inForm,
  batchTree,
  numericChainId,
  identifyChain,
  fieldSupport,
  supportedFunctions,
  isStarknet,
  leafHash,
  listFields,
  unorderedRoot,
  taskHash,
} from "../../src/entries/request.js";
import { AGGREGATE_FUNCTIONS } from "../../src/request/fields.js";

const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

describe("hashing", () => {
  it("refuses program hashes, inputs and returned values that are not felts", () => {
    const over = `0x${PRIME.toString(16)}` as const;
    expect(() => taskHash({ type: "Module", programHash: over, inputs: [] })).to.throw(
      HdpError,
      "HDP-1118 in programHash",
    );
    expect(() =>
      taskHash({
        type: "Module",
        programHash: "0x1",
        inputs: [{ visibility: "private", value: "0x" }],
      }),
    ).to.throw('HDP-1118 in inputs[0].value: "0x" is not a felt.');
    expect(() => unorderedRoot([1n, PRIME])).to.throw(HdpError, "HDP-1118 in felts[1]");
    expect(() => unorderedRoot([-1n])).to.throw("HDP-1118 in felts[0]: -1 is not a felt.");
    expect(unorderedRoot([PRIME - 1n])).to.match(/^0x[0-9a-f]{64}$/);
  });

  it("refuses names, addresses and slots of plain JavaScript that have no encoding, in both forms", () => {
    const task = (property: unknown, compute: unknown, other?: object): DatalakeComputeTask => {
      const range = { blockRangeStart: 0n, blockRangeEnd: 1n, increment: 1n };
      const datalake = { type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", ...range, ...other };
      const whole = { type: "DatalakeCompute", datalake, compute };
      return { ...whole, datalake: { ...datalake, sampledProperty: property } } as never;
    };
    const address = `0x${"ab".repeat(20)}`;
    const number = { kind: "header", field: "number" };
    const count = (operator: string): object => ({
      aggregateFnId: "count",
      aggregateFnCtx: { operator, valueToCompare: 1n },
    });
    const avg = { aggregateFnId: "avg" };
    for (const [wrong, message] of [
      [task(number, count("ne")), /HDP-1108 in compute.aggregateFnCtx.operator: "ne" is not an op/],
      [task(number, { aggregateFnId: "mean" }), /HDP-1108 in compute: "mean" is not an aggregate/],
      [task({ kind: "header", field: "gas" }, avg), /HDP-1108 in field: "gas" is not a field/],
      [task({ kind: "account", address: "0xab", field: "nonce" }, avg), /HDP-1110/],
      [
        task({ kind: "account", address: `${address.slice(0, -1)}g`, field: "nonce" }, avg),
        /HDP-1110/,
      ],
      [task({ kind: "storage", address, slot: "0x5" }, avg), /HDP-1111/],
      [task({ kind: "storage", address, slot: `0x${"g".repeat(64)}` }, avg), /HDP-1111/],
      [task({ kind: "block", field: "number" }, avg), /HDP-1108 in datalake.sampledProperty.kind/],
      // Kind 1 of the other datalake: hashed here, it would be header field 0.
      [task({ kind: "tx", field: "nonce" }, avg), /HDP-1108 .*"tx" is not a property of blocks/],
      [task(number, avg, { chainId: "SEPOLIA" }), /HDP-1108 in datalake.chainId: "SEPOLIA"/],
      [task(number, avg, { type: "Blocks" }), /HDP-1108 in datalake.type: "Blocks" is not/],
      [task(number, avg, { blockRangeStart: -1n }), /HDP-1113 in datalake: -1 is out of range/],
      [task(number, avg, { increment: 2n ** 256n }), /HDP-1113 in datalake/],
    ] as const) {
      expect(() => taskHash(wrong)).to.throw(HdpError, message);
      expect(() => taskHash(inForm(wrong, "module"))).to.throw(HdpError, message);
    }
  });

  it("refuses inputs of plain JavaScript that are neither public nor private, and tasks of no type", () => {
    const input = { visibility: "Public", value: "0x1" } as never;
    expect(() => taskHash({ type: "Module", programHash: "0x1", inputs: [input] })).to.throw(
      HdpError,
      'HDP-1108 in inputs[0].visibility: "Public" is not a visibility.',
    );
    expect(() => taskHash({ type: "module", programHash: "0x1", inputs: [] } as never)).to.throw(
      HdpError,
      'HDP-1108 in type: "module" is not the type of a task.',
    );
  });

  it("refuses batches without one result for each task", () => {
    const word = leafHash("0x01");
    expect(() => batchTree([], [])).to.throw(
      HdpError,
      "HDP-1123: 0 task hashes need one result each, not 0 in all.",
    );
    expect(() => batchTree([word, word], [word])).to.throw(
      "HDP-1123: 2 task hashes need one result each, not 1 in all.",
    );
  });
});

const HEADER_FIELDS_TO_CANCUN =
  "parent_hash ommers_hash beneficiary state_root transactions_root receipts_root difficulty number gas_limit " +
  "gas_used timestamp mix_hash nonce base_fee_per_gas withdrawals_root blob_gas_used excess_blob_gas " +
  "parent_beacon_block_root";

describe("fields", () => {
  it("lists fields with their functions and transaction types", () => {
    const supported = (kind: "header" | "account" | "tx" | "tx_receipt") =>
      listFields(kind)
        .filter(({ functions }) => functions.length > 0)
        .map(({ field }) => field)
        .join(" ");
    // A later fork appends its fields.
    expect(supported("header").startsWith(HEADER_FIELDS_TO_CANCUN)).to.equal(true);
    expect(supported("account")).to.equal("nonce balance storage_root code_hash");
    expect(supported("tx")).to.equal(
      "nonce gas_price gas_limit value v r s chain_id max_fee_per_gas max_priority_fee_per_gas max_fee_per_blob_gas",
    );
    expect(supported("tx_receipt")).to.equal("success cumulative_gas_used");
    expect(fieldSupport("tx", "gas_price").transactionTypes).to.deep.equal(["legacy", "eip2930"]);
    expect(fieldSupport("header", "base_fee_per_gas")).to.deep.equal({
      kind: "header",
      field: "base_fee_per_gas",
      functions: AGGREGATE_FUNCTIONS,
      note: "missing before the London fork",
    });
    const storage = {
      kind: "storage",
      address: `0x${"1".repeat(40)}`,
      slot: `0x${"0".repeat(64)}`,
    } as const;
    expect(supportedFunctions(storage)).to.deep.equal(AGGREGATE_FUNCTIONS);
    expect(supportedFunctions({ kind: "header", field: "logs_bloom" })).to.deep.equal([]);
  });

  it("notes where something restricts a field", () => {
    const all = AGGREGATE_FUNCTIONS;
    const types = ["legacy", "eip2930", "eip1559", "eip4844"];
    expect(fieldSupport("header", "number")).to.deep.equal({
      kind: "header",
      field: "number",
      functions: all,
    });
    expect(fieldSupport("account", "nonce")).to.deep.equal({
      kind: "account",
      field: "nonce",
      functions: all,
    });
    expect(fieldSupport("header", "extra_data")).to.deep.equal({
      kind: "header",
      field: "extra_data",
      functions: [],
    });
    expect(fieldSupport("tx_receipt", "success")).to.deep.equal({
      kind: "tx_receipt",
      field: "success",
      functions: all,
      transactionTypes: types,
    });
    expect(fieldSupport("tx", "gas_price")).to.deep.equal({
      kind: "tx",
      field: "gas_price",
      functions: all,
      transactionTypes: ["legacy", "eip2930"],
      note: "the price in the transaction, never the effective one",
    });
    const typesOf = (field: string) => fieldSupport("tx", field).transactionTypes;
    // A legacy transaction has its chain within `v`.
    expect([typesOf("chain_id"), typesOf("nonce")]).to.deep.equal([types, types]);
    expect([
      typesOf("access_list"),
      typesOf("max_fee_per_gas"),
      typesOf("max_fee_per_blob_gas"),
    ]).to.deep.equal([types.slice(1), types.slice(2), types.slice(3)]);
  });

  it("support nothing under an unknown name", () => {
    for (const field of ["base_fee", "toString", ""]) {
      expect(fieldSupport("header", field)).to.deep.equal({ kind: "header", field, functions: [] });
      for (const kind of ["tx", "tx_receipt"] as const) {
        expect(fieldSupport(kind, field)).to.deep.equal({ kind, field, functions: [] });
      }
    }
  });
});

describe("chains", () => {
  it("finds chains by identifier and by numeric id", () => {
    expect(numericChainId("STARKNET_SEPOLIA")).to.equal(393402133025997798000961n);
    expect(identifyChain(11155111n)).to.equal("ETHEREUM_SEPOLIA");
    expect(identifyChain(31337n)).to.equal(undefined);
    expect([isStarknet("STARKNET_MAINNET"), isStarknet("ETHEREUM_MAINNET")]).to.deep.equal([
      true,
      false,
    ]);
  });
});

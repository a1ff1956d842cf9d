import { expect } from "chai";
import type { Hex } from "viem";

import { parseEnvelopeType } from "../../src/chain/blocks.js";
import {
  accountValue,
  headerValue,
  receiptValue,
  transactionValue,
} from "../../src/compute/field-values.js";
import { encodeRlp } from "../../src/base/rlp.js";
import { expectThrown } from "../support/failure.js";

const HASH: Hex = `0x${"11".repeat(32)}`;
const ADDRESS: Hex = `0x${"22".repeat(20)}`;
const legacy = (v: Hex): Hex =>
  encodeRlp(["0x05", "0x0a", "0x5208", ADDRESS, "0x07", "0x", v, "0x03", "0x04"]);
const feeMarket: Hex = `0x02${encodeRlp(["0x01", "0x05", "0x02", "0x09", "0x5208", "0x", "0x07", "0x", [], "0x", "0x03", "0x04"]).slice(2)}`;
const blob: Hex = `0x03${encodeRlp(["0x01", "0x05", "0x02", "0x09", "0x5208", "0x", "0x07", "0x", [], "0x0b", [HASH], "0x01", "0x03", "0x04"]).slice(2)}`;
const setCode: Hex = `0x04${encodeRlp(["0x01"]).slice(2)}`;
const receipt = (status: Hex): Hex => encodeRlp([status, "0x5208", "0x", []]);

describe("field values", () => {
  it("returns the type of an envelope", () => {
    expect([legacy("0x1b"), feeMarket, blob, setCode].map(parseEnvelopeType)).to.deep.equal([
      0, 2, 3, 4,
    ]);
    // The first byte of an RLP list is 0xc0 at least.
    expect((["0xc0", "0xff", "0xbf01", "0x7fc0"] as const).map(parseEnvelopeType)).to.deep.equal([
      0, 0, 0xbf, 0x7f,
    ]);
  });

  it("reads legacy transactions with raw v and the chain id of EIP-155", () => {
    expect(transactionValue("tx", legacy("0xf4f5"), "v")).to.equal(0xf4f5n);
    expect(transactionValue("tx", legacy("0xf4f5"), "chain_id")).to.equal(31337n);
    expect(transactionValue("tx", legacy("0xf4f6"), "chain_id")).to.equal(31337n);
    expect(transactionValue("tx", legacy("0x23"), "chain_id")).to.equal(0n);
    expect(transactionValue("tx", legacy("0x1b"), "gas_price")).to.equal(10n);
    expectThrown(
      () => transactionValue("tx", legacy("0x22"), "chain_id"),
      "HDP-4303",
      undefined,
      "has no chain_id",
    );
    expect(() => transactionValue("transaction 3 of block 9", legacy("0x1b"), "chain_id")).to.throw(
      "HDP-4303: transaction 3 of block 9 has type 0 (legacy), which has no chain_id",
    );
  });

  it("reads every integer field of a fee market and a blob transaction", () => {
    const fields = [
      "chain_id",
      "nonce",
      "max_priority_fee_per_gas",
      "max_fee_per_gas",
      "gas_limit",
      "value",
      "v",
      "r",
      "s",
    ] as const;
    expect(fields.map((field) => transactionValue("tx", feeMarket, field))).to.deep.equal([
      1n,
      5n,
      2n,
      9n,
      21000n,
      7n,
      0n,
      3n,
      4n,
    ]);
    expect(fields.map((field) => transactionValue("tx", blob, field))).to.deep.equal([
      1n,
      5n,
      2n,
      9n,
      21000n,
      7n,
      1n,
      3n,
      4n,
    ]);
    expect(transactionValue("tx", blob, "max_fee_per_blob_gas")).to.equal(11n);
  });

  it("never takes an effective gas price and names the types to exclude", () => {
    expect(() => transactionValue("transaction 3 of block 9", feeMarket, "gas_price")).to.throw(
      "includedTypes with eip1559 false",
    );
    expect(() => transactionValue("tx", legacy("0x1b"), "max_fee_per_gas")).to.throw("HDP-4303");
    expect(() => transactionValue("tx", feeMarket, "max_fee_per_blob_gas")).to.throw("HDP-4303");
    expect(() => transactionValue("tx", setCode, "nonce")).to.throw(
      "has type 4, which has no nonce",
    );
    const later = `0x7f${encodeRlp(["0x01", "0x02"]).slice(2)}` as const;
    expectThrown(
      () => transactionValue("tx", later, "nonce"),
      ...([
        "HDP-4303",
        undefined,
        "tx has type 127, which has no nonce",
        "type 127 false",
      ] as const),
    );
  });

  it("refuses fields without an integer", () => {
    const refused = (call: () => bigint, property: string): void => {
      expectThrown(
        call,
        "HDP-4306",
        undefined,
        `${property} has no integer value, so it cannot be aggregated`,
      );
    };
    for (const field of ["to", "input", "access_list", "blob_versioned_hashes"] as const) {
      refused(() => transactionValue("tx", blob, field), `tx.${field}`);
    }
    for (const field of ["logs_bloom", "extra_data"] as const) {
      refused(() => headerValue(1n, [], field), `header.${field}`);
    }
    for (const field of ["logs", "bloom"] as const) {
      refused(() => receiptValue("receipt", receipt("0x01"), field), `tx_receipt.${field}`);
    }
  });

  it("reads receipts", () => {
    expect(receiptValue("receipt", receipt("0x01"), "success")).to.equal(1n);
    expect(receiptValue("receipt", receipt("0x"), "success")).to.equal(0n);
    expect(receiptValue("receipt", receipt(HASH), "cumulative_gas_used")).to.equal(21000n);
    expectThrown(
      () => receiptValue("receipt 0 of block 1", receipt(HASH), "success"),
      ...([
        "HDP-4304",
        undefined,
        "receipt 0 of block 1 has a state root in place of success",
      ] as const),
    );
  });

  it("reads headers by position, hashes as integers, and names a missing fork field", () => {
    const items: Hex[] = [
      HASH,
      ...Array.from({ length: 13 }, (): Hex => "0x"),
      "0x0000000000000102",
    ];
    expect(headerValue(4n, items, "parent_hash")).to.equal(BigInt(HASH));
    expect(headerValue(4n, items, "number")).to.equal(0n);
    expect(headerValue(4n, items, "nonce")).to.equal(258n);
    expect(() => headerValue(4n, items, "base_fee_per_gas")).to.throw(
      "HDP-4302: block 4 has no base_fee_per_gas",
    );
  });

  it("reads accounts", () => {
    const account = { nonce: 1n, balance: 2n, storageRoot: HASH, codeHash: "0x03" } as const;
    expect(accountValue(account, "nonce")).to.equal(1n);
    expect(accountValue(account, "balance")).to.equal(2n);
    expect(accountValue(account, "storage_root")).to.equal(BigInt(HASH));
    expect(accountValue(account, "code_hash")).to.equal(3n);
  });
});

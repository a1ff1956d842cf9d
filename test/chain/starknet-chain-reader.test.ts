import { expect } from "chai";

import type { StarknetReader } from "../../src/entries/local.js";
import { FELT_PRIME, formatFelt, type StarknetHeaderField } from "../../src/entries/request.js";
import { shortStringFelt } from "../../src/base/felt.js";
import { createStarknetRpcReader } from "../../src/chain/starknet-chain-reader.js";
import { STARKNET_HEADER_FIELDS } from "../../src/request/starknet-fields.js";
import { expectHdpError, failure } from "../support/failure.js";

const BLOCK = {
  block_number: 7,
  new_root: "0x1",
  sequencer_address: "0x2",
  timestamp: 99,
  parent_hash: "0x3",
  starknet_version: "0.13.2",
  l1_gas_price: { price_in_wei: "0x4", price_in_fri: "0x5" },
  l1_data_gas_price: { price_in_wei: "0x6", price_in_fri: "0x7" },
  l1_da_mode: "BLOB",
  transactions: ["0x8", "0x9"],
};

const over = (block: unknown): StarknetReader =>
  createStarknetRpcReader(() => Promise.resolve(block));

describe("the Starknet RPC reader", () => {
  it("gives every field that an answer has, unproven", async () => {
    const fields: Partial<Record<StarknetHeaderField, bigint>> = {
      blockNumber: 7n,
      stateRoot: 1n,
      sequencerAddress: 2n,
      blockTimestamp: 99n,
      transactionCount: 2n,
      parentBlockHash: 3n,
      l1GasPriceInWei: 4n,
      l1GasPriceInFri: 5n,
      l1DataGasPriceInWei: 6n,
      l1DataGasPriceInFri: 7n,
      l1DataMode: 1n,
      protocolVersion: shortStringFelt("0.13.2"),
    };
    for (const field of STARKNET_HEADER_FIELDS) {
      const value = fields[field];
      if (value === undefined)
        await expectHdpError(over(BLOCK).header(7n, field), "HDP-7119", new RegExp(field));
      else expect(await over(BLOCK).header(7n, field)).to.deep.equal({ value, proven: false });
    }
  });

  it("distinguishes calldata from blobs, and refuses what an older block's answer does not have", async () => {
    const calldata = over({ ...BLOCK, l1_da_mode: "CALLDATA" });
    expect(await calldata.header(7n, "l1DataMode")).to.deep.equal({ value: 0n, proven: false });
    const older = over({ ...BLOCK, l1_da_mode: undefined, l1_data_gas_price: undefined });
    for (const field of ["l1DataMode", "l1DataGasPriceInWei", "l1DataGasPriceInFri"] as const) {
      await expectHdpError(older.header(7n, field), "HDP-7119", new RegExp(`${field} of block 7`));
    }
    expect(await older.header(7n, "l1GasPriceInFri")).to.deep.equal({ value: 5n, proven: false });
  });

  it("asks for a block once, and writes felts without leading zeros", async () => {
    const asked: unknown[] = [];
    const reader = createStarknetRpcReader((method, params) => {
      asked.push([method, params]);
      return Promise.resolve(method === "starknet_getStorageAt" ? "0x2a" : BLOCK);
    });
    await Promise.all([reader.header(7n, "stateRoot"), reader.header(7n, "transactionCount")]);
    expect(await reader.storage(7n, "0x01", "0x002")).to.deep.equal({ value: 42n, proven: false });
    expect(asked).to.deep.equal([
      ["starknet_getBlockWithTxHashes", { block_id: { block_number: 7 } }],
      [
        "starknet_getStorageAt",
        { contract_address: "0x1", key: "0x2", block_id: { block_number: 7 } },
      ],
    ]);
  });

  it("asks again for a block whose reading failed", async () => {
    let calls = 0;
    const reader = createStarknetRpcReader(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error("busy")) : Promise.resolve(BLOCK);
    });
    expect(await failure(reader.header(7n, "stateRoot"))).to.equal("busy");
    expect((await reader.header(7n, "stateRoot")).value).to.equal(1n);
    expect(calls).to.equal(2);
  });

  it("refuses answers of another form, naming the place", async () => {
    await expectHdpError(
      over({}).header(7n, "stateRoot"),
      "HDP-4102",
      /^the node's answer has a bad field "block_number" of block 7: Required\.$/,
    );
    await expectHdpError(
      over({}).storage(7n, "0x1", "0x2"),
      "HDP-4102",
      /^the node's answer has a bad storage of 0x1: Expected string, received object\.$/,
    );
    const longest = `0x${"f".repeat(64)}`;
    const largest = formatFelt(FELT_PRIME - 1n);
    expect((await over({ ...BLOCK, new_root: largest }).header(7n, "stateRoot")).value).to.equal(
      FELT_PRIME - 1n,
    );
    for (const [key, value] of [
      ["new_root", "0x"],
      ["new_root", "1"],
      ["new_root", "0x1g"],
      ["new_root", "00x1"],
      ["new_root", `${longest}f`],
      ["new_root", longest],
      ["new_root", `0x${FELT_PRIME.toString(16)}`],
      ["block_number", -1],
      ["block_number", 1.5],
      ["timestamp", -1],
      ["timestamp", 0.5],
      ["l1_da_mode", "SKY"],
      ["starknet_version", 1],
      ["l1_gas_price", { price_in_wei: "0x1" }],
      ["transactions", {}],
    ] as const) {
      const reader = over({ ...BLOCK, [key]: value });
      await expectHdpError(
        reader.header(7n, "stateRoot"),
        "HDP-4102",
        new RegExp(`bad field "${key}[^"]*" of block 7`),
      );
    }
    expect(
      (await over({ ...BLOCK, block_number: 0, timestamp: 0 }).header(0n, "blockTimestamp")).value,
    ).to.equal(0n);
  });
});

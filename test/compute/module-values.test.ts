import { expect } from "chai";
import { parseGwei, serializeTransaction, toHex, toRlp, type Hex, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import {
  type AccountState,
  type ChainReader,
  type ModuleRead,
  runModule,
} from "../../src/entries/local.js";
import { HEADER_LIST } from "../../src/request/rlp-lists.js";
import { readChainValue } from "../../src/compute/module-values.js";
import type { ModuleValue } from "../../src/cairo/module-read.js";
import { compiledFile } from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const to = `0x${"22".repeat(20)}` as const;
const BLOOM: Hex = `0x${"01".repeat(256)}`;
const log = [to, [`0x${"33".repeat(32)}`], `0x${"44".repeat(64)}`] as const;
const shortLog = [to, [], "0x4455"] as const;
const receipt: Hex = `0x02${toRlp(["0x01", "0x5208", BLOOM, [log, shortLog].map(([a, t, d]) => [a, [...t], d])]).slice(2)}`;
const header: Hex[] = HEADER_LIST.slice(0, 17).map((field, index) =>
  field === "logs_bloom" ? BLOOM : toHex(index + 1),
);

const place = { chainId: 1n, block: 9n };

const ACCOUNT: AccountState = { nonce: 1n, balance: 2n, storageRoot: "0x03", codeHash: "0x04" };

async function valueOf(
  read: ModuleRead,
  transaction: Hex = "0xc0",
  state = ACCOUNT,
): Promise<ModuleValue> {
  const proven = true;
  const chain: ChainReader = {
    header: () => Promise.resolve({ value: header, proven }),
    account: () => Promise.resolve({ value: state, proven }),
    storage: () => Promise.resolve({ value: 5n, proven }),
    transaction: () => Promise.resolve({ value: transaction, proven }),
    receipt: () => Promise.resolve({ value: receipt, proven }),
  };
  const { value } = await readChainValue({ reader: () => chain }, read);
  return value;
}

const transactionRead = (field: string): ModuleRead => ({
  kind: "transaction",
  ...place,
  index: 0,
  field,
});

describe("values of chain readers", () => {
  it("reads fields of headers and accounts", async () => {
    expect(await valueOf({ kind: "header", ...place, field: "number" })).to.equal(9n);
    expect(await valueOf({ kind: "header", ...place, field: "logsBloom" })).to.have.length(8);
    expect(await valueOf({ kind: "account", ...place, address: to, field: "codeHash" })).to.equal(
      4n,
    );
    await expectHdpError(
      valueOf({ kind: "header", ...place, field: "requestsHash" }),
      "HDP-7112",
      /does not exist/,
    );
    await expectHdpError(
      valueOf({ kind: "header", ...place, field: "extraData" }),
      "HDP-7112",
      /of any length/,
    );
  });

  it("reads the nonce and the balance of accounts whose hashes are not known", async () => {
    const unknown = (): Hex => {
      throw new Error("the hash was read");
    };
    const state: AccountState = {
      nonce: 1n,
      balance: 2n,
      get storageRoot() {
        return unknown();
      },
      get codeHash() {
        return unknown();
      },
    };
    const read = { kind: "account", ...place, address: to } as const;
    expect(await valueOf({ ...read, field: "nonce" }, "0xc0", state)).to.equal(1n);
    expect(await valueOf({ ...read, field: "balance" }, "0xc0", state)).to.equal(2n);
  });

  it("reads fields of transactions of every type, with their sender and hash", async () => {
    const common = { chainId: 1, nonce: 7, gas: 21000n, to, value: 3n } as const;
    const fees = { maxFeePerGas: parseGwei("3"), maxPriorityFeePerGas: 1n };
    const address = account.address;
    const unsigned = [
      { ...common, type: "legacy", gasPrice: 5n },
      { ...common, type: "eip2930", gasPrice: 5n, accessList: [] },
      { ...common, ...fees, type: "eip1559" },
      {
        ...common,
        ...fees,
        type: "eip4844",
        maxFeePerBlobGas: 6n,
        blobVersionedHashes: [`0x01${"00".repeat(31)}`],
      },
      { ...common, ...fees, type: "eip7702", authorizationList: [] },
    ] as const;
    for (const [type, transaction] of unsigned.entries()) {
      const raw = await account.signTransaction(transaction, { serializer: serializeTransaction });
      const field = async (name: string) => await valueOf(transactionRead(name), raw);
      expect(await field("type")).to.equal(BigInt(type));
      expect(await field("nonce")).to.equal(7n);
      expect(await field("value")).to.equal(3n);
      expect(await field("to")).to.equal(BigInt(to));
      expect(await field("sender")).to.equal(BigInt(address));
      expect(await field("hash")).to.equal(BigInt(keccak256(raw)));
      await expectHdpError(field("input"), "HDP-7112", /of any length/);
      if (type === 0) await expectHdpError(field("chainId"), "HDP-7112", /does not exist/);
      if (type === 3) await expectHdpError(field("blobVersionedHashes"), "HDP-7112", /is a list/);
    }
    await expectHdpError(valueOf(transactionRead("nonce"), "0x7ec0"), "HDP-7112", /type 126/);
  });

  it("reads fields of receipts and logs", async () => {
    const receiptRead = (field: string): ModuleRead => ({
      kind: "receipt",
      ...place,
      index: 0,
      field,
    });
    const logRead = (logIndex: number, field: string): ModuleRead => ({
      kind: "log",
      ...place,
      index: 0,
      logIndex,
      field,
    });
    expect(await valueOf(receiptRead("cumulativeGasUsed"))).to.equal(21000n);
    expect(await valueOf(receiptRead("logsBloom"))).to.deep.equal(
      new Array(8).fill(BigInt(`0x${"01".repeat(32)}`)),
    );
    expect(await valueOf(logRead(0, "address"))).to.equal(BigInt(to));
    expect(await valueOf(logRead(0, "topic0"))).to.equal(BigInt(`0x${"33".repeat(32)}`));
    expect(await valueOf(logRead(0, "data"))).to.deep.equal([
      BigInt(`0x${"44".repeat(32)}`),
      BigInt(`0x${"44".repeat(32)}`),
    ]);
    await expectHdpError(valueOf(logRead(0, "topic1")), "HDP-7112", /does not exist/);
    await expectHdpError(valueOf(logRead(2, "address")), "HDP-7112", /does not exist/);
    await expectHdpError(valueOf(logRead(1, "data")), "HDP-7112", /not whole words of 32/);
    await expectHdpError(valueOf(receiptRead("logs")), "HDP-7112", /is a list/);
  });
});

describe("leading felts", () => {
  const sum = compiledFile("storage_sum.compiled_contract_class.json");
  const inputs = (...values: bigint[]) =>
    values.map((value) => ({ visibility: "public" as const, value }));

  it("finds the leading felts by trial", async () => {
    const run = await runModule(sum, { inputs: inputs(4n, 1n, 9n, 3n, 5n), read: () => 1n });
    expect([run.status, run.leadingFelts, run.generation, run.reads.length]).to.deep.equal([
      "returned",
      8,
      "head",
      2,
    ]);
  });

  it("refuses leading felts when several numbers fit: an array's length can be taken for a handle", async () => {
    const run = runModule(sum, { inputs: inputs(4n, 1n, 2n, 3n, 5n), read: () => 1n });
    await expectHdpError(run, "HDP-7117", /accepts its 5 inputs after 8 and 6 leading felts/);
  });

  it("refuses leading felts when no number fits", async () => {
    await expectHdpError(
      runModule(sum, { inputs: inputs(4n, 1n), read: () => 1n }),
      "HDP-7117",
      /no number of leading felts/,
    );
  });
});

import { expect } from "chai";
import { type Hex, serializeTransaction as serialize } from "viem";
import { serializeTransaction } from "viem/op-stack";

import { ProvenChainReader } from "../../src/entries/local.js";
import { takeSamples } from "../../src/compute/samples.js";
import { encodeRlp, type RlpItem } from "../../src/base/rlp.js";
import { receiptEnvelope, transactionEnvelope } from "../../src/chain/blocks.js";
import { failure, hdpThrown } from "../support/failure.js";
import { ALICE, BOB, SLOT } from "../support/simulated-chain.js";

const envelope = (fields: Record<string, unknown>): Hex =>
  transactionEnvelope({ what: "transaction 0 of block 1", fields });

describe("envelopes", () => {
  it("encode OP-stack deposits as viem does", () => {
    const sourceHash = `0x${"12".repeat(32)}` as const;
    const fields = {
      type: "0x7e",
      sourceHash,
      from: ALICE,
      to: BOB,
      mint: "0x5",
      value: "0x0",
      gas: "0x5208",
      isSystemTx: true,
      input: "0x0102",
    };
    expect(transactionEnvelope({ what: "transaction 0 of block 1", fields })).to.equal(
      serializeTransaction({
        type: "deposit",
        sourceHash,
        from: ALICE,
        to: BOB,
        mint: 5n,
        value: 0n,
        gas: 21000n,
        isSystemTx: true,
        data: "0x0102",
      }),
    );
  });

  it("encode a deposit without a recipient and without what it mints", () => {
    const sourceHash = `0x${"12".repeat(32)}` as const;
    const bare = {
      type: "0x7e",
      sourceHash,
      from: ALICE,
      to: null,
      value: "0x1",
      gas: "0x5208",
      isSystemTx: false,
    };
    expect(envelope({ ...bare, input: "0x" })).to.equal(
      serializeTransaction({
        type: "deposit",
        sourceHash,
        from: ALICE,
        mint: undefined,
        value: 1n,
        gas: 21000n,
        data: "0x",
        isSystemTx: false,
      } as const),
    );
  });

  it("encode every Ethereum type as viem does, whether the node says v or yParity", () => {
    const signature = {
      r: `0x${"a1".repeat(32)}`,
      s: `0x0b${"b2".repeat(31)}`,
      yParity: 1,
    } as const;
    const [r, s] = [signature.r, "0xb" + "b2".repeat(31)];
    const call = {
      to: BOB,
      input: "0x0102",
      gas: "0x5208",
      value: "0x7",
      nonce: "0x3",
      r,
      s,
    } as const;
    const request = {
      to: BOB,
      data: "0x0102",
      gas: 21000n,
      value: 7n,
      nonce: 3,
      chainId: 5,
    } as const;
    const accessList = [{ address: BOB, storageKeys: [SLOT] }] as const;
    const blobVersionedHashes = [`0x01${"cd".repeat(31)}`] as const;
    const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n } as const;
    const rpcFees = {
      maxFeePerGas: "0x9",
      maxPriorityFeePerGas: "0x2",
      chainId: "0x5",
      accessList,
    } as const;
    const authorization = { chainId: 5, address: ALICE, nonce: 4, ...signature } as const;
    const rpcAuthorization = { chainId: "0x5", address: ALICE, nonce: "0x4", r, s };
    const legacy = serialize(
      { ...request, type: "legacy", gasPrice: 9n },
      { r, s: signature.s, v: 46n },
    );
    const cases: readonly (readonly [Record<string, unknown>, Hex])[] = [
      [{ ...call, gasPrice: "0x9" }, legacy],
      [
        { ...call, type: "0x1", gasPrice: "0x9", chainId: "0x5", accessList },
        serialize({ ...request, type: "eip2930", gasPrice: 9n, accessList }, signature),
      ],
      [
        { ...call, type: "0x2", ...rpcFees },
        serialize({ ...request, type: "eip1559", ...fees, accessList }, signature),
      ],
      [
        { ...call, type: "0x3", ...rpcFees, maxFeePerBlobGas: "0x6", blobVersionedHashes },
        serialize(
          {
            ...request,
            type: "eip4844",
            ...fees,
            accessList,
            maxFeePerBlobGas: 6n,
            blobVersionedHashes,
          },
          signature,
        ),
      ],
      [
        {
          ...call,
          type: "0x4",
          ...rpcFees,
          authorizationList: [{ ...rpcAuthorization, yParity: "0x1" }],
        },
        serialize(
          { ...request, type: "eip7702", ...fees, accessList, authorizationList: [authorization] },
          signature,
        ),
      ],
      [
        {
          ...call,
          type: "0x4",
          ...rpcFees,
          authorizationList: [{ ...rpcAuthorization, v: "0x1" }],
        },
        serialize(
          { ...request, type: "eip7702", ...fees, accessList, authorizationList: [authorization] },
          signature,
        ),
      ],
    ];
    for (const [fields, expected] of cases) {
      if (expected === legacy) {
        // A legacy one says v only, and what else there may be is no part of it.
        expect(envelope({ ...fields, v: "0x2e" })).to.equal(expected);
        expect(envelope({ ...fields, v: "0x2e", type: "0x0", yParity: "0x1" })).to.equal(expected);
      } else {
        expect(envelope({ ...fields, v: "0x1" })).to.equal(expected);
        expect(envelope({ ...fields, v: "0x0", yParity: "0x1" })).to.equal(expected);
      }
    }
    const creation = serialize(
      { ...request, to: undefined, type: "legacy", gasPrice: 9n },
      { r, s: signature.s, v: 46n },
    );
    for (const to of [null, undefined]) {
      expect(envelope({ ...call, gasPrice: "0x9", v: "0x2e", to })).to.equal(creation);
    }
  });

  it("name a type that is not known, and a field that is malformed", () => {
    for (const type of [5, 0x7d, 0x7f]) {
      const error = hdpThrown(() => envelope({ type: `0x${type.toString(16)}` }));
      expect([error.code, error.shortMessage]).to.deep.equal([
        "HDP-4104",
        `transaction 0 of block 1 has type ${type}, which this version cannot encode.`,
      ]);
    }
    const good = {
      type: "0x1",
      chainId: "0x1",
      nonce: "0x0",
      gasPrice: "0x1",
      gas: "0x1",
      to: BOB,
      value: "0x0",
    };
    const rest = { input: "0x", accessList: [], v: "0x0", r: "0x1", s: "0x1" };
    for (const [change, words] of [
      [{ to: "0x12" }, 'field "to" of transaction 0 of block 1: "0x12", expected 20 bytes of hex'],
      [{ accessList: [7] }, "bad access list of transaction 0 of block 1: 7"],
      [
        { accessList: [{ address: BOB, storageKeys: ["0x01"] }] },
        'field "storageKeys" of access list of',
      ],
      [{ accessList: [{ address: "0x01", storageKeys: [] }] }, 'field "address" of access list of'],
      [
        { type: "0x4", maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1", authorizationList: [7] },
        "bad authorization list",
      ],
    ] as const) {
      const error = hdpThrown(() => envelope({ ...good, ...rest, ...change }));
      expect([error.code, error.message.includes(words)], error.message).to.deep.equal([
        "HDP-4102",
        true,
      ]);
    }
    const blobs = {
      type: "0x3",
      maxFeePerGas: "0x1",
      maxPriorityFeePerGas: "0x1",
      maxFeePerBlobGas: "0x1",
    };
    expect(() => envelope({ ...good, ...rest, ...blobs, blobVersionedHashes: ["0x01"] })).to.throw(
      "blobVersionedHashes",
    );
  });

  it("of receipts are those of before and after status, typed or not, and of deposits", () => {
    const root = `0x${"ab".repeat(32)}` as const;
    const logsBloom = `0x${"00".repeat(256)}` as const;
    const topic = `0x${"cd".repeat(32)}` as const;
    const logs = [{ address: ALICE, topics: [topic], data: "0x0102" }];
    const base = { cumulativeGasUsed: "0x5208", logsBloom, logs };
    const items = (first: Hex): RlpItem[] => [
      first,
      "0x5208",
      logsBloom,
      [[ALICE, [topic], "0x0102"]],
    ];
    const receipt = (fields: Record<string, unknown>): Hex =>
      receiptEnvelope({ what: "receipt 0", fields });
    expect(receipt({ ...base, status: "0x1" })).to.equal(encodeRlp(items("0x01")));
    expect(receipt({ ...base, status: "0x0", type: "0x0" })).to.equal(encodeRlp(items("0x")));
    expect(receipt({ ...base, root, status: null })).to.equal(encodeRlp(items(root)));
    expect(receipt({ ...base, status: "0x1", root })).to.equal(encodeRlp(items("0x01")));
    const extra = { depositNonce: "0x9", depositReceiptVersion: "0x1" };
    expect(receipt({ ...base, ...extra, status: "0x1", type: "0x2" })).to.equal(
      `0x02${encodeRlp(items("0x01")).slice(2)}`,
    );
    const deposit = (...more: Hex[]): Hex =>
      `0x7e${encodeRlp([...items("0x01"), ...more]).slice(2)}`;
    expect(receipt({ ...base, ...extra, status: "0x1", type: "0x7e" })).to.equal(
      deposit("0x09", "0x01"),
    );
    expect(receipt({ ...base, depositNonce: "0x9", status: "0x1", type: "0x7e" })).to.equal(
      deposit("0x09"),
    );
    expect(receipt({ ...base, status: "0x1", type: "0x7e" })).to.equal(deposit());
    expect(() => receipt({ ...base, status: "0x1", logs: [7] })).to.throw(
      "bad log of receipt 0: 7",
    );
    expect(() =>
      receipt({ ...base, status: "0x1", logs: [{ ...logs[0], topics: ["0x01"] }] }),
    ).to.throw('field "topics"');
    expect(() => receipt({ ...base, status: "0x1", logsBloom: "0x00" })).to.throw(
      'field "logsBloom"',
    );
    expect(() => receipt({ ...base, root: "0x01" })).to.throw('field "root"');
  });

  it("refuse indices that no block can have", async () => {
    const reader = new ProvenChainReader({ request: () => Promise.reject(new Error("not asked")) });
    const datalake = {
      type: "TransactionsInBlock",
      chainId: "ETHEREUM_SEPOLIA",
      targetBlock: 3n,
      startIndex: 1n << 32n,
      endIndex: (1n << 32n) + 1n,
      increment: 1n,
      includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: true },
      sampledProperty: { kind: "tx", field: "nonce" },
    } as const;
    expect(await failure(takeSamples(reader, datalake, {}, () => undefined))).to.contain(
      "HDP-4301: block 3 has no transaction 4294967296",
    );
  });
});

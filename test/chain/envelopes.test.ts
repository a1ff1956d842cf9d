import { expect } from "chai";
import { serializeTransaction } from "viem/op-stack";

import { sampleDatalake } from "../../src/compute/sample-datalake.js";
import { ProvenChainReader } from "../../src/chain/proven-chain-reader.js";
import { transactionEnvelope } from "../../src/chain/envelopes.js";
import { failure } from "../support/failure.js";
import { ALICE, BOB } from "../support/simulated-chain.js";

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

  it("refuse indices that no block can have", async () => {
    const reader = new ProvenChainReader({ request: () => Promise.reject(new Error("not asked")) });
    const samples = sampleDatalake(reader, {
      type: "TransactionsInBlock",
      chainId: "ETHEREUM_SEPOLIA",
      targetBlock: 3n,
      startIndex: 1n << 32n,
      endIndex: (1n << 32n) + 1n,
      increment: 1n,
      includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: true },
      sampledProperty: { kind: "tx", field: "nonce" },
    });
    expect(await failure(samples.next())).to.contain("HDP-4308: block 3 cannot have a transaction 4294967296");
  });
});

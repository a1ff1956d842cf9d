import { expect } from "chai";
import { z } from "zod";

import { recordedReader } from "../support/recorded-provider.js";
import { readFigures } from "../support/vectors.js";

const recording = z.object({ txs: z.record(z.string()), receipts: z.record(z.string()) });

describe("recorded transactions and receipts", () => {
  const json = readFigures("chain-data.json", z.unknown());
  const { txs, receipts } = recording.parse(json);
  const reader = recordedReader(json);

  function place(key: string): [bigint, number] {
    const [block, index] = key.split(":");
    return [BigInt(block ?? "0"), Number(index)];
  }

  it("encodes them from JSON to the bytes that were hashed, types 0 to 3", async () => {
    const types = new Set<string>();
    for (const [key, envelope] of Object.entries(txs)) {
      expect((await reader.transaction(...place(key))).value, key).to.equal(envelope);
      types.add(envelope.startsWith("0x0") ? envelope.slice(2, 4) : "legacy");
    }
    expect([...types].sort()).to.include.members(["02", "03", "legacy"]);
  });

  it("receipts too", async () => {
    for (const [key, envelope] of Object.entries(receipts)) {
      expect((await reader.receipt(...place(key))).value, key).to.equal(envelope);
    }
  });
});

import { isDeepStrictEqual } from "node:util";

import { expect } from "chai";
import { numberToHex } from "viem/utils";
import { z } from "zod";

import {
  CHAIN_IDS,
  type Compute,
  encodeCompute,
  encodeIncludedTypes,
  encodeSampledProperty,
  isChainIdentifier,
  parseTask,
  type SampledProperty,
} from "../../src/entries/request.js";
import { hex, readFigures } from "../support/vectors.js";

const types = z.object({
  legacy: z.boolean(),
  eip2930: z.boolean(),
  eip1559: z.boolean(),
  eip4844: z.boolean(),
});

function property(datalakeType: string, sampledProperty: string): SampledProperty {
  const range =
    datalakeType === "BlockSampled"
      ? { blockRangeStart: 0, blockRangeEnd: 0 }
      : {
          targetBlock: 0,
          startIndex: 0,
          endIndex: 1,
          includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: true },
        };
  const task = parseTask(
    {
      type: "DatalakeCompute",
      datalake: { type: datalakeType, chainId: "ETHEREUM_SEPOLIA", ...range, sampledProperty },
      compute: { aggregateFnId: "avg" },
    },
    { fields: "encodable" },
  );
  if (task.type !== "DatalakeCompute") throw new Error("not a datalake task");
  return task.datalake.sampledProperty;
}

function compute(json: unknown): Compute {
  const task = parseTask({
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0,
      blockRangeEnd: 0,
      sampledProperty: "header.number",
    },
    compute: json,
  });
  if (task.type !== "DatalakeCompute") throw new Error("not a datalake task");
  return task.compute;
}

describe("conformance: encodings", () => {
  it("encodes the 10 published sampled properties, 4 included types and 6 computes", () => {
    const vectors = readFigures(
      "encodings.json",
      z.object({
        sampledProperties: z.array(
          z.object({
            datalakeType: z.string(),
            sampledProperty: z.string(),
            expected: z.object({ bytes: hex }),
          }),
        ),
        includedTypes: z.array(
          z.object({ includedTypes: types, expected: z.object({ uint256: hex }) }),
        ),
        computeEncodings: z.array(
          z.object({ compute: z.unknown(), expected: z.object({ encodedCompute: hex }) }),
        ),
      }),
    );
    expect([
      vectors.sampledProperties.length,
      vectors.includedTypes.length,
      vectors.computeEncodings.length,
    ]).to.deep.equal([10, 4, 6]);
    for (const item of vectors.sampledProperties) {
      expect(encodeSampledProperty(property(item.datalakeType, item.sampledProperty))).to.equal(
        item.expected.bytes,
      );
    }
    for (const item of vectors.includedTypes) {
      expect(numberToHex(encodeIncludedTypes(item.includedTypes), { size: 32 })).to.equal(
        item.expected.uint256,
      );
    }
    for (const item of vectors.computeEncodings) {
      expect(encodeCompute(compute(item.compute))).to.equal(item.expected.encodedCompute);
    }
  });

  it("encodes all 44 properties, 16 combinations of types and 12 computes of the recomputed list", () => {
    const listed = z.array(z.object({ sampledProperty: z.string(), bytes: hex }));
    const vectors = readFigures(
      "recomputed.json",
      z.object({
        allSampledProperties: z.object({ BlockSampled: listed, TransactionsInBlock: listed }),
        allIncludedTypes: z.array(z.object({ includedTypes: types, uint256: hex })),
        computeEncodings: z.array(z.object({ compute: z.unknown(), encodedCompute: hex })),
        chainIds: z.record(z.string()),
      }),
    );
    const { BlockSampled, TransactionsInBlock } = vectors.allSampledProperties;
    expect([
      BlockSampled.length,
      TransactionsInBlock.length,
      vectors.allIncludedTypes.length,
      vectors.computeEncodings.length,
    ]).to.deep.equal([25, 19, 16, 12]);
    for (const item of BlockSampled) {
      expect(encodeSampledProperty(property("BlockSampled", item.sampledProperty))).to.equal(
        item.bytes,
      );
    }
    for (const item of TransactionsInBlock) {
      expect(encodeSampledProperty(property("TransactionsInBlock", item.sampledProperty))).to.equal(
        item.bytes,
      );
    }
    for (const item of vectors.allIncludedTypes) {
      expect(numberToHex(encodeIncludedTypes(item.includedTypes), { size: 32 })).to.equal(
        item.uint256,
      );
    }
    for (const item of vectors.computeEncodings) {
      // One item is a count without operator: it has an encoding, but no request may ask for it.
      const bare = isDeepStrictEqual(item.compute, { aggregateFnId: "count" });
      const parsed: Compute = bare ? { aggregateFnId: "count" } : compute(item.compute);
      expect(encodeCompute(parsed)).to.equal(item.encodedCompute);
    }
    for (const [name, id] of Object.entries(vectors.chainIds)) {
      expect(isChainIdentifier(name) && CHAIN_IDS[name].toString()).to.equal(id);
    }
  });
});

import { expect } from "chai";
import { z } from "zod";

import {
  batchTree,
  unorderedRoot,
  resultCommitment,
  resultWord,
  splitWord,
  wordTree,
} from "../../src/entries/request.js";
import { leafTree } from "../../src/request/merkle.js";
import { hex, readFigures } from "../support/vectors.js";

function readMerkle() {
  const item = z.object({
    id: z.string(),
    values: z.array(hex).optional(),
    leafHashes: z.array(hex).optional(),
    taskCommitment: hex.optional(),
    result: z.string().optional(),
    expected: z.object({
      root: hex.optional(),
      node01: hex.optional(),
      node23: hex.optional(),
      tasksRoot: hex.optional(),
      resultCommitment: hex.optional(),
      resultsRoot: hex.optional(),
    }),
    recomputed: z.object({ proofs: z.array(z.array(hex)) }).optional(),
  });
  const { merkle } = readFigures("merkle.json", z.object({ merkle: z.array(item).length(9) }));
  return merkle;
}

describe("conformance: Merkle roots", () => {
  // 7 of the file's 9 items: the two hash_pair items are about a hash inside the Cairo program.
  it("builds the 5 published trees with their proofs", () => {
    const items = readMerkle().filter(({ values }) => values !== undefined);
    expect(items).to.have.length(5);
    for (const { id, values = [], expected, recomputed } of items) {
      expect(wordTree(values), id).to.deep.equal({
        root: expected.root,
        proofs: recomputed?.proofs,
      });
    }
  });

  it("builds the published roots of one task and its result", () => {
    const items = readMerkle().filter(({ taskCommitment }) => taskCommitment !== undefined);
    expect(items).to.have.length(1);
    for (const { taskCommitment = "0x", result = "", expected } of items) {
      const word = resultWord(BigInt(result));
      expect(resultCommitment(taskCommitment, word)).to.equal(expected.resultCommitment);
      expect(batchTree([taskCommitment], [word])).to.deep.equal({
        tasksRoot: expected.tasksRoot,
        resultsRoot: expected.resultsRoot,
        taskProofs: [[]],
        resultProofs: [[]],
      });
    }
  });

  it("pairs neighbouring leaves as the published tree of 4 leaves does", () => {
    const items = readMerkle().filter(({ leafHashes }) => leafHashes !== undefined);
    expect(items).to.have.length(1);
    for (const { leafHashes = [], expected } of items) {
      const tree = leafTree(leafHashes);
      expect(tree.root).to.equal(expected.root);
      expect(tree.proofs[2]).to.deep.equal([leafHashes[3], expected.node01]);
      expect(tree.proofs[0]).to.deep.equal([leafHashes[1], expected.node23]);
    }
  });

  it("commits to the 3 published results", () => {
    const { resultCommitments } = readFigures(
      "merkle.json",
      z.object({
        resultCommitments: z.array(
          z.object({
            taskCommitment: hex,
            result: z.string(),
            expected: z.object({
              resultCommitment: hex,
              resultsRoot: hex,
              tasksRoot: hex.optional(),
            }),
          }),
        ),
      }),
    );
    expect(resultCommitments).to.have.length(3);
    for (const { taskCommitment, result, expected } of resultCommitments) {
      const word = resultWord(BigInt(result));
      expect(resultCommitment(taskCommitment, word)).to.equal(expected.resultCommitment);
      const batch = batchTree([taskCommitment], [word]);
      expect(batch.resultsRoot).to.equal(expected.resultsRoot);
      if (expected.tasksRoot !== undefined) expect(batch.tasksRoot).to.equal(expected.tasksRoot);
    }
  });

  it("reproduces the roots of every published datalake and module fixture", () => {
    let compared = 0;
    for (const file of ["datalake-tasks.json", "module-tasks.json"]) {
      const vectors = readFigures(
        file,
        z.array(
          z.object({
            id: z.string(),
            expected: z.object({
              taskCommitment: hex,
              resultWord: hex.optional(),
              tasksRoot: hex.optional(),
              resultCommitment: hex.optional(),
              resultsRoot: hex.optional(),
            }),
          }),
        ),
      );
      for (const { id, expected } of vectors) {
        if (expected.resultWord === undefined) continue;
        const batch = batchTree([expected.taskCommitment], [expected.resultWord]);
        expect(resultCommitment(expected.taskCommitment, expected.resultWord), id).to.equal(
          expected.resultCommitment,
        );
        expect(batch.resultsRoot, id).to.equal(expected.resultsRoot);
        if (expected.tasksRoot !== undefined)
          expect(batch.tasksRoot, id).to.equal(expected.tasksRoot);
        compared++;
      }
    }
    expect(compared).to.equal(155);
  });

  it("builds the batches of 1 to 5 tasks that a deployed store accepted", () => {
    const { contractFlows } = readFigures(
      "recomputed.json",
      z.object({
        contractFlows: z.object({
          hdpSolidityDevBatches: z.object({
            batches: z.array(
              z.object({
                taskCommitments: z.array(hex),
                results: z.array(hex),
                tasksRoot: hex,
                resultsRoot: hex,
                taskInclusionProofs: z.array(z.array(hex)),
                resultInclusionProofs: z.array(z.array(hex)),
              }),
            ),
          }),
        }),
      }),
    );
    const { batches } = contractFlows.hdpSolidityDevBatches;
    expect(batches.map(({ results }) => results.length)).to.deep.equal([1, 2, 3, 4, 5]);
    for (const batch of batches) {
      expect(batchTree(batch.taskCommitments, batch.results)).to.deep.equal({
        tasksRoot: batch.tasksRoot,
        resultsRoot: batch.resultsRoot,
        taskProofs: batch.taskInclusionProofs,
        resultProofs: batch.resultInclusionProofs,
      });
    }
  });

  it("computes the 7 recomputed output roots of modules", () => {
    const { moduleResultRoots } = readFigures(
      "recomputed.json",
      z.object({
        moduleResultRoots: z.object({
          items: z.array(
            z.object({
              returns: z.array(z.string()),
              resultWord: hex,
              low: z.string(),
              high: z.string(),
            }),
          ),
        }),
      }),
    );
    expect(moduleResultRoots.items).to.have.length(7);
    for (const { returns, resultWord: expected, low, high } of moduleResultRoots.items) {
      const root = unorderedRoot(returns.map(BigInt));
      expect(root).to.equal(expected);
      expect(splitWord(root)).to.deep.equal({ low: BigInt(low), high: BigInt(high) });
    }
  });
});

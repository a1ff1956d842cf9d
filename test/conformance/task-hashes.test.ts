import { expect } from "chai";
import { z } from "zod";

import {
  datalakeCommitment,
  type DatalakeComputeTask,
  encodeCompute,
  encodeDatalake,
  encodeSampledProperty,
  encodeTask,
  parseTask,
  taskHash,
} from "../../src/entries/request.js";
import { hex, readFigures } from "../support/vectors.js";

function datalakeTask(json: unknown): DatalakeComputeTask {
  const task = parseTask(json);
  if (task.type !== "DatalakeCompute") throw new Error("not a datalake task");
  return task;
}

const encodings = z.object({ encodedDatalake: hex, datalakeCommitment: hex, taskCommitment: hex });

describe("conformance: task hashes", () => {
  it("hashes the 104 published datalake tasks in the encoding each was published with", () => {
    const vectors = readFigures(
      "datalake-tasks.json",
      z.array(
        z.object({
          id: z.string(),
          encodingVersion: z.enum(["datalake-with-chainId", "datalake-without-chainId"]),
          task: z.unknown(),
          expected: encodings.extend({
            sampledProperty: hex,
            encodedCompute: hex,
            encodedTask: hex,
          }),
        }),
      ),
    );
    const counts = { "with-chain-id": 0, "without-chain-id": 0 };
    for (const { id, encodingVersion, task: json, expected } of vectors) {
      const datalakeEncoding =
        encodingVersion === "datalake-with-chainId" ? "with-chain-id" : "without-chain-id";
      counts[datalakeEncoding]++;
      const task = datalakeTask(json);
      expect(
        {
          sampledProperty: encodeSampledProperty(task.datalake.sampledProperty),
          encodedDatalake: encodeDatalake(task.datalake, { datalakeEncoding }),
          datalakeCommitment: datalakeCommitment(task.datalake, { datalakeEncoding }),
          encodedCompute: encodeCompute(task.compute),
          encodedTask: encodeTask(task, { datalakeEncoding }),
          taskCommitment: taskHash(task, { datalakeEncoding }),
        },
        id,
      ).to.deep.equal(expected);
    }
    expect(counts).to.deep.equal({ "with-chain-id": 24, "without-chain-id": 80 });
  });

  it("hashes the 5 recomputed datalake tasks in both encodings", () => {
    const { datalakeTasksAllEncodings: items } = readFigures(
      "recomputed.json",
      z.object({
        datalakeTasksAllEncodings: z.array(
          z.object({ task: z.unknown(), withChainId: encodings, withoutChainId: encodings }),
        ),
      }),
    );
    expect(items).to.have.length(5);
    for (const item of items) {
      const task = datalakeTask(item.task);
      for (const [datalakeEncoding, expected] of [
        ["with-chain-id", item.withChainId],
        ["without-chain-id", item.withoutChainId],
      ] as const) {
        expect(encodeDatalake(task.datalake, { datalakeEncoding })).to.equal(
          expected.encodedDatalake,
        );
        expect(datalakeCommitment(task.datalake, { datalakeEncoding })).to.equal(
          expected.datalakeCommitment,
        );
        expect(taskHash(task, { datalakeEncoding })).to.equal(expected.taskCommitment);
      }
      expect(taskHash(task)).to.equal(item.withChainId.taskCommitment);
    }
  });

  it("hashes the 59 published and 6 recomputed module tasks", () => {
    const published = readFigures(
      "module-tasks.json",
      z.array(
        z.object({
          id: z.string(),
          task: z.unknown(),
          expected: z.object({ encodedTask: hex, taskCommitment: hex }),
        }),
      ),
    );
    expect(published).to.have.length(59);
    for (const { id, task, expected } of published) {
      expect(encodeTask(parseTask(task)), id).to.equal(expected.encodedTask);
      expect(taskHash(parseTask(task)), id).to.equal(expected.taskCommitment);
    }
    const { moduleTasks } = readFigures(
      "recomputed.json",
      z.object({
        moduleTasks: z.array(
          z.object({ task: z.unknown(), encodedTask: hex, taskCommitment: hex }),
        ),
      }),
    );
    expect(moduleTasks).to.have.length(6);
    for (const { task, encodedTask, taskCommitment } of moduleTasks) {
      expect(encodeTask(parseTask(task))).to.equal(encodedTask);
      expect(taskHash(parseTask(task))).to.equal(taskCommitment);
    }
  });
});

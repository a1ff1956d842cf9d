import { expect } from "chai";

import { parseTaskRequest, taskHash, type TaskRequest } from "../../src/entries/request.js";
import { failsAt, FaultQueue, stuckAt } from "../../src/entries/faults.js";
import { fakeClock } from "../support/fake-clock.js";
import { awaitSubmission } from "../../src/entries/service.js";
import {
  BATCH_STATES,
  clients,
  headerTask,
  KEY,
  post,
  raw,
  served,
  testServer,
  type TestServer,
} from "./fixture.js";

const UNKNOWN = "01JPJ03YJT1A93D6NF56G4GVEQ";

describe("development server: tasks", () => {
  const shared = served();

  for (const edition of ["tasks", "batch"] as const) {
    it(`finalizes the tasks of a request of edition ${edition}`, async () => {
      const [sum] = parseTaskRequest(headerTask(8)).tasks;
      const [max] = parseTaskRequest(headerTask(7, "number", "max")).tasks;
      if (sum === undefined || max === undefined) throw new Error("no tasks");
      const request: TaskRequest = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [sum, max] };
      const processor = clients(shared.server.url)[edition];
      const submission = await processor.submit(request);
      expect(submission.taskHashes).to.deep.equal([taskHash(sum), taskHash(max)]);
      // The server computed the same hashes.
      expect(submission.serviceTaskHashes).to.equal(undefined);
      const status = await awaitSubmission(processor, submission, { timeout: 20_000 });
      expect(status.name).to.equal(edition === "tasks" ? "TaskDecommitmentCompleted" : "Finalized");
      expect(await shared.chain.read(taskHash(sum))).to.equal(36n);
      expect(await shared.chain.read(taskHash(max))).to.equal(7n);
    });

    it(`answers why a task failed, over edition ${edition} failed`, async () => {
      const processor = clients(shared.server.url)[edition];
      const submission = await processor.submit(parseTaskRequest(headerTask(9_999)));
      let failure: unknown;
      await awaitSubmission(processor, submission, { timeout: 20_000 }).catch(
        (error: unknown) => (failure = error),
      );
      expect(String(failure)).to.match(
        /block \d+ does not exist, the latest block of the chain is \d+/,
      );
    });
  }

  it("answers POST /tasks as published, with the hashes of the specification's retired shape", async () => {
    const reply = await post(`${shared.server.url}/tasks`, headerTask(3));
    expect(reply.status).to.equal(200);
    expect(reply.headers.get("content-type")).to.equal("application/json");
    const body = reply.json() as Record<string, unknown>;
    expect(Object.keys(body)).to.deep.equal(["message", "uuid", "status", "taskHashes"]);
    expect(body["status"]).to.equal("accepted");
    const [task] = parseTaskRequest(headerTask(3)).tasks;
    expect(task && body["taskHashes"]).to.deep.equal(task && [taskHash(task)]);
  });

  it("refuses a key __proto__ beside the tasks, as task files do", async () => {
    const text = JSON.stringify(headerTask(3)).replace("{", '{"__proto__":{"tasks":[]},');
    for (const path of ["tasks", `submit-batch?apiKey=${KEY}`]) {
      const reply = await post(`${shared.server.url}/${path}`, JSON.parse(text));
      const body = reply.json() as { errors: { path: string }[] };
      expect([reply.status, body.errors.map((error) => error.path)]).to.deep.equal([
        400,
        ["__proto__"],
      ]);
    }
  });

  it("names every error of a request with its path", async () => {
    const bad = headerTask(3, "base_fee", "median");
    for (const path of ["tasks", `submit-batch?apiKey=${KEY}`]) {
      const reply = await post(`${shared.server.url}/${path}`, bad);
      expect(reply.status).to.equal(400);
      const body = reply.json() as { code: string; errors: { code: string; path: string }[] };
      expect(body.code).to.equal("HDP-1100");
      expect(body.errors.map((error) => error.path)).to.deep.equal([
        "tasks[0].datalake.sampledProperty",
        "tasks[0].compute.aggregateFnId",
      ]);
    }
  });

  it("refuses a body that is not a task request", async () => {
    const reply = await post(`${shared.server.url}/tasks`, { tasks: "all" });
    expect(reply.status).to.equal(400);
    const { code, errors } = reply.json() as {
      code: string;
      errors: { code: string; path: string }[];
    };
    expect([code, errors.map((error) => [error.code, error.path])]).to.deep.equal([
      "HDP-1100",
      [
        ["HDP-1101", "destinationChainId"],
        ["HDP-1103", "tasks"],
      ],
    ]);
  });

  it("answers unknown ids with the published 404", async () => {
    const status = await raw(`${shared.server.url}/tasks/${UNKNOWN}/status`, {
      headers: { "X-API-KEY": KEY },
    });
    expect([status.status, status.json()]).to.deep.equal([
      404,
      { error: "Task not found", taskId: UNKNOWN },
    ]);
    const batch = await raw(`${shared.server.url}/batch-query/${UNKNOWN}`);
    expect([batch.status, batch.json()]).to.deep.equal([
      404,
      { error: `the server knows no batch ${UNKNOWN}.`, code: "HDP-4519" },
    ]);
  });

  it("wants the key for the status of a task in the specification's shape, and none for a batch", async () => {
    const { uuid } = (await post(`${shared.server.url}/tasks`, headerTask(2))).json() as {
      uuid: string;
    };
    expect((await raw(`${shared.server.url}/tasks/${uuid}/status`)).status).to.equal(401);
    expect(
      (await raw(`${shared.server.url}/tasks/${uuid}/status`, { headers: { "X-API-KEY": "any" } }))
        .status,
    ).to.equal(200);
    expect((await raw(`${shared.server.url}/batch-query/${uuid}`)).status).to.equal(200);
  });

  const submitBatch = async ({ url }: TestServer): Promise<string> => {
    const reply = await post(`${url}/submit-batch?apiKey=${KEY}`, headerTask(3));
    return (reply.json() as { batchId: string }).batchId;
  };
  const batchStatus = async (
    { url }: TestServer,
    id: string,
  ): Promise<{ status: string; errorMessage?: string }> =>
    (await raw(`${url}/batch-query/${id}`)).json() as { status: string; errorMessage?: string };

  it("plays all six states of a batch, with pauses between them", async () => {
    const clock = fakeClock();
    const slow = await testServer(shared.chain, { clock, latency: 1_000 });
    const id = await submitBatch(slow);
    for (let status = ""; status !== "TaskDecommitmentCompleted";) {
      const reply = await raw(`${slow.url}/tasks/${id}/status`);
      status = (reply.json() as { status: string }).status;
    }
    const seen: string[] = [];
    for (let step = 0; step < 7; step += 1) {
      const { status } = await batchStatus(slow, id);
      seen.push(status);
      clock.advance(999);
      expect((await batchStatus(slow, id)).status).to.equal(status);
      clock.advance(1);
    }
    expect(seen).to.deep.equal([...BATCH_STATES, "Finalized"]);
    await slow.close();
  });

  it("stops in any of the six states, or fails, where a fault is injected", async () => {
    const stuck = BATCH_STATES.filter((state) => state !== "Finalized");
    const faults = new FaultQueue(
      ...stuck.map((state) => stuckAt(state)),
      failsAt("PieSubmittedToProver", "no prover"),
    );
    const faulty = await testServer(shared.chain, { faults });
    for (const state of stuck) {
      expect(await batchStatus(faulty, await submitBatch(faulty))).to.deep.equal({ status: state });
    }
    const failed = await batchStatus(faulty, await submitBatch(faulty));
    expect(failed).to.deep.equal({ status: "FAILED", errorMessage: "no prover" });
    await faulty.close();
  });

  it("refuses module tasks clearly where no module runner is present", async () => {
    const body = {
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [{ type: "Module", programHash: "0x1", inputs: [] }],
    };
    const reply = await post(`${shared.server.url}/tasks`, body);
    expect(reply.status).to.equal(400);
    expect(reply.json()).to.include({ code: "HDP-4401", path: "tasks[0]" });
  });

  it("finalizes 300 tasks that are submitted at once", async () => {
    const request = headerTask(0, "gas_limit", "avg");
    const ids = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const edition = index % 2 === 0 ? "tasks" : `submit-batch?apiKey=${KEY}`;
        const reply = (await post(`${shared.server.url}/${edition}`, request)).json() as {
          uuid?: string;
          batchId?: string;
        };
        return reply.uuid ?? reply.batchId ?? "";
      }),
    );
    expect(new Set(ids).size).to.equal(300);
    for (const id of ids) {
      for (let status = ""; status !== "Finalized";) {
        ({ status } = (await raw(`${shared.server.url}/batch-query/${id}`)).json() as {
          status: string;
        });
        expect(status).to.be.oneOf(["Opened", "ProofsFetched", "Finalized"]);
        if (status !== "Finalized") await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  });
});

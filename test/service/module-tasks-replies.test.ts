import { expect } from "chai";

import { toWord } from "../../src/base/hex.js";
import { HttpClient, isServiceFailure, ModuleTasksClient } from "../../src/entries/service.js";
import { rejection } from "../support/failure.js";
import { httpServer, type OddServer, type SeenRequest, sendJson } from "../support/odd-servers.js";

const ID = "01JPJ03YJT1A93D6NF56G4GVEQ";
const AT = "2025-11-03T09:12:44.301Z";
const HASH = `0x${"1f".repeat(32)}`;

/** Members that the list and the details have in common, in the forms of the published pages. */
const RECORD = {
  ...{ status: "TaskDecommitmentCompleted", destinationChainId: "11155111" },
  ...{ scheduleMode: "onchain", scheduleTxHash: HASH, dataSourceChains: ["0xaa36a7"] },
  ...{ dataDestinationChain: "0xaa36a7", hdpCoreProgramHash: "0x1", taskHash: HASH },
  ...{ programHash: "0x2", programName: "average", outputTreeRoot: HASH },
  ...{ createdAt: AT, updatedAt: AT },
};
const EMPTY = {
  ...{ ...RECORD, status: "Received", scheduleMode: null, scheduleTxHash: null },
  ...{ dataSourceChains: null, dataDestinationChain: null, hdpCoreProgramHash: null },
  ...{ taskHash: null, programHash: null, programName: null, outputTreeRoot: null },
};
const MMR = {
  id: "0x1",
  root: "0x5",
  size: "10",
  chain_id: "0xaa36a7",
  hashing_function: "keccak",
};

/** Replies in the forms of the pages read on 2026-11-27, made up in their values: no call was made to the service. */
describe("replies of the published pages", () => {
  let server: OddServer;
  let answer: readonly [status: number, body: unknown];
  let client: ModuleTasksClient;

  before(async () => {
    server = await httpServer((_, response) => {
      sendJson(response, ...answer);
    });
  });
  after(async () => {
    await server.close();
  });
  beforeEach(() => {
    const apiKey = async (): Promise<string> => await Promise.resolve("key");
    const retry = { attempts: 1 };
    const http = new HttpClient({ service: "the data processor", url: server.url, apiKey, retry });
    client = new ModuleTasksClient(http);
  });
  const seen = (): SeenRequest => {
    const last = server.seen.at(-1);
    if (last === undefined) throw new Error("nothing was asked");
    return last;
  };

  it("are read as they are: list, details, MMRs, output and transitions, with and without values", async () => {
    const taskId = ID;
    const pagination = { page: 2, perPage: 5, total: 7, totalPages: 2 };
    const rows = [RECORD, EMPTY].map((one) => ({ uuid: ID, contractClassHash: null, ...one }));
    const transition = { id: "t", task_id: ID, created_at: AT };
    for (const [path, body, ask] of [
      [
        "/tasks?hdp_tasks_page=2&hdp_tasks_per_page=5&hdp_tasks_search=average",
        { tasks: rows, pagination },
        async () => await client.list({ page: 2, perPage: 5, search: "average" }),
      ],
      [
        `/tasks/${ID}/details`,
        { taskId, ...RECORD, outputTreeRootPreimage: ["0x7"], taskInputs: ["0x1"], mmrs: [MMR] },
        async () => await client.details(ID),
      ],
      [
        `/tasks/${ID}/details`,
        { taskId, ...EMPTY, outputTreeRootPreimage: null, taskInputs: null, mmrs: [] },
        async () => await client.details(ID),
      ],
      [`/tasks/${ID}/mmrs`, { taskId, mmrs: [MMR] }, async () => await client.mmrs(ID)],
      [
        `/tasks/${ID}/output_preimage`,
        { taskId, outputPreimage: ["0x7", "0x8"] },
        async () => await client.outputPreimage(ID),
      ],
      [
        `/tasks/${ID}/output_preimage`,
        { taskId, outputPreimage: null },
        async () => await client.outputPreimage(ID),
      ],
      [
        `/tasks/${ID}/state_transitions`,
        {
          taskId,
          state_transitions: [
            { ...transition, from_status: null, to_status: "Received" },
            { ...transition, from_status: "Received", to_status: "DryRunStarted" },
          ],
        },
        async () => await client.stateTransitions(ID),
      ],
    ] as const) {
      answer = [200, body];
      expect(await ask()).to.deep.equal(body);
      expect(seen().url).to.equal(path);
      expect(seen().headers).to.not.have.property("x-api-key");
    }
  });

  it("to a retry are its acceptance, an unknown task, and missing results", async () => {
    answer = [200, { message: "Task has been queued for retry", status: "accepted", uuid: ID }];
    expect(await client.retry(ID)).to.have.property("uuid", ID);
    expect(seen()).to.include({ method: "POST", url: `/tasks/${ID}/retry` });
    expect(seen().headers).to.have.property("x-api-key", "key");
    for (const [status, body, kind, words] of [
      [404, { error: "Task not found", uuid: ID }, "not-found", "Task not found"],
      [
        400,
        { error: "Cannot retry decommitment", details: "no results" },
        "validation",
        "Cannot retry decommitment: no results",
      ],
      [
        401,
        { error: "Missing Herodotus Cloud X-API-KEY header" },
        "authentication",
        "Missing Herodotus Cloud",
      ],
    ] as const) {
      answer = [status, body];
      const error = await rejection(client.retry(ID));
      expect(isServiceFailure(error, kind), String(error)).to.equal(true);
      expect(String(error)).to.include(words);
    }
  });

  it("to a read are an unknown task and a failure of the server", async () => {
    answer = [404, { error: "Task not found", taskId: ID }];
    expect(isServiceFailure(await rejection(client.mmrs(ID)), "not-found")).to.equal(true);
    answer = [500, { error: "Server error", message: "Failed to decode MMR metadata" }];
    const failed = await rejection(client.mmrs(ID));
    expect(isServiceFailure(failed, "service-error"), String(failed)).to.equal(true);
    expect(String(failed)).to.include("Failed to decode MMR metadata");
  });

  it("to a decommitment are not published: any is taken, with its id where it has one", async () => {
    const run = { destinationChainId: "ETHEREUM_SEPOLIA", queryId: ID } as const;
    answer = [200, { message: "queued" }];
    expect(await client.decommit(run)).to.deep.equal({ uuid: undefined, raw: answer[1] });
    const common = { destination_chain_id: "0xaa36a7", atlantic_query_id: ID };
    expect(JSON.parse(seen().body)).to.deep.equal(common);
    answer = [200, { uuid: "u" }];
    const mmr = { id: "0x1", size: 10n, chainId: 11155111n, root: "0x5" } as const;
    const [taskHash, root] = [toWord((1n << 128n) + 2n), toWord(3n)];
    const output = {
      ...{ taskHash, root },
      mmrs: [{ ...mmr, hash: "poseidon" }],
    } as const;
    expect(await client.decommit({ ...run, output, programHash: "0x9" })).to.include({ uuid: "u" });
    expect(JSON.parse(seen().body)).to.deep.equal({
      ...{ ...common, program_hash: "0x9" },
      hdp_output: {
        ...{ task_hash_low: "0x2", task_hash_high: "0x1" },
        ...{ output_tree_root_low: "0x3", output_tree_root_high: "0x0" },
        mmr_metas: [{ Poseidon: { id: "0x1", size: "0xa", chain_id: "0xaa36a7", root: "0x5" } }],
      },
    });
  });

  it("to the question of health are a healthy and an unhealthy service", async () => {
    const healthy = { status: "healthy", database: "operational", queues: "operational" };
    answer = [200, healthy];
    expect(await client.health()).to.deep.equal(healthy);
    answer = [503, { ...healthy, status: "unhealthy", queues: "down" }];
    expect(await client.health()).to.include({ status: "unhealthy", queues: "down" });
  });
});

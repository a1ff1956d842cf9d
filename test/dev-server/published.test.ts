import { expect } from "chai";
import type { Hex } from "viem";

import { awaitSubmission } from "../../src/entries/service.js";
import { parseTaskRequest, taskHash, type SubmissionPart } from "../../src/entries/request.js";
import { toWord } from "../../src/base/hex.js";
import { clients, headerTask, KEY, post, raw, served } from "./fixture.js";

const PROGRAM: Hex = "0xaf1333b8346c1ac941efe380f3122a71c1f7cbad19301543712e74f765bfca";
// No run of equal digits: a short key of another test may be part of it.
const KECCAK_ROOT: Hex = `0x${"5e71c0d9".repeat(8)}`;
const withKey = { headers: { "X-API-KEY": KEY } };

describe("development server, held against what is published", () => {
  const ends: (() => void)[] = [];
  let isHeld = false;
  const shared = served({
    runModule: async ({ inputs }) => {
      if (isHeld) await new Promise<void>((resolve) => ends.push(resolve));
      const word: Hex = `0x${BigInt(inputs.at(-1)?.value ?? "0x0")
        .toString(16)
        .padStart(64, "0")}`;
      return { word, proven: true, output: [BigInt(word)] };
    },
  });
  const moduleBody = (value: string, visibility = "private", more: object = {}): object => ({
    destination_chain_id: "0xaa36a7",
    program_hash: PROGRAM,
    task_inputs: [{ visibility, value }],
    input: { params: [], ...more },
  });
  const hashOf = (blocks: number): Hex => {
    const [task] = parseTaskRequest(headerTask(blocks)).tasks;
    return taskHash(task ?? { type: "Module", programHash: "0x1", inputs: [] });
  };
  const partOf = (id: string, hash: Hex): SubmissionPart => ({
    id,
    processor: "http",
    destinationChainId: "ETHEREUM_SEPOLIA",
    taskHashes: [hash],
  });
  const submitted = async (body: object): Promise<string> =>
    ((await post(`${shared.server.url}/tasks`, body)).json() as { uuid: string }).uuid;

  it("reads module tasks and the list without a key, and tasks in the specification's body with it", async () => {
    const id = await submitted(moduleBody("0x7", "public"));
    const own = await submitted(headerTask(1));
    expect((await raw(`${shared.server.url}/tasks`)).status).to.equal(200);
    for (const what of ["details", "mmrs", "output_preimage", "state_transitions", "status"]) {
      expect((await raw(`${shared.server.url}/tasks/${id}/${what}`)).status, what).to.equal(200);
      expect((await raw(`${shared.server.url}/tasks/${own}/${what}`)).status, what).to.equal(401);
      expect(
        (await raw(`${shared.server.url}/tasks/${own}/${what}`, withKey)).status,
        what,
      ).to.equal(200);
    }
  });

  it("reports each task of a request, and calls none of several the task", async () => {
    const [sum] = headerTask(2)["tasks"] as unknown[];
    const module = {
      type: "Module",
      programHash: PROGRAM,
      inputs: [{ visibility: "public", value: "0x9" }],
    };
    const body = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [sum, module] };
    const { tasks } = clients(shared.server.url);
    const submission = await tasks.submit(parseTaskRequest(body));
    await awaitSubmission(tasks, submission, { timeout: 20_000 });
    const details = (
      await raw(`${shared.server.url}/tasks/${submission.id}/details`, withKey)
    ).json();
    const nine = `0x${"0".repeat(63)}9`;
    expect(details).to.deep.include({
      taskHash: null,
      programHash: null,
      outputTreeRoot: null,
      taskInputs: null,
    });
    expect(details).to.deep.include({
      tasks: [
        {
          taskHash: submission.taskHashes[0],
          programHash: null,
          taskInputs: null,
          outputTreeRoot: `0x${"0".repeat(63)}3`,
          outputTreeRootPreimage: null,
        },
        {
          taskHash: submission.taskHashes[1],
          programHash: PROGRAM,
          taskInputs: module.inputs,
          outputTreeRoot: nine,
          outputTreeRootPreimage: ["0x9"],
        },
      ],
    });
    const preimage = (
      await raw(`${shared.server.url}/tasks/${submission.id}/output_preimage`, withKey)
    ).json();
    expect(preimage).to.deep.include({ outputPreimage: null });
    const { tasks: listed } = (
      await raw(`${shared.server.url}/tasks?hdp_tasks_search=${submission.id}`)
    ).json() as {
      tasks: { taskHash: unknown }[];
    };
    expect(listed.map((task) => task.taskHash)).to.deep.equal([null]);
  });

  it("answers an id of a chain with one error, as a number or as text", async () => {
    for (const path of ["tasks", `submit-batch?apiKey=${KEY}`]) {
      for (const destinationChainId of [11155111, "11155111"]) {
        const reply = await post(`${shared.server.url}/${path}`, {
          ...headerTask(1),
          destinationChainId,
        });
        expect(reply.status).to.equal(400);
        expect(reply.json()).to.include({ code: "HDP-1108", path: "destinationChainId" });
        expect(reply.text).to.include('Did you mean \\"ETHEREUM_SEPOLIA\\"?');
      }
    }
  });

  it("serves its description at the published address too, and answers HEAD with the headers alone", async () => {
    const [ours, published] = await Promise.all(
      ["/openapi.json", "/api-docs/openapi.json"].map(
        async (path) => await raw(shared.server.url + path),
      ),
    );
    expect(published?.text).to.equal(ours?.text);
    const head = await raw(`${shared.server.url}/api-docs/openapi.json`, { method: "HEAD" });
    expect([head.status, head.text, head.headers.get("content-length")]).to.deep.equal([
      200,
      "",
      String(Buffer.byteLength(ours?.text ?? "")),
    ]);
    expect(
      (await raw(`${shared.server.url}/tasks/none/details`, { method: "HEAD" })).status,
    ).to.equal(404);
    expect(
      (await raw(`${shared.server.url}/tasks/none/retry`, { method: "HEAD" })).status,
    ).to.equal(405);
    const { paths } = ours?.json() as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>;
    };
    const deprecated = Object.entries(paths).filter(([, operations]) =>
      Object.values(operations).some((operation) => operation.deprecated === true),
    );
    expect(deprecated.map(([path]) => path)).to.deep.equal([
      "/submit-batch",
      "/batch-query/{batchId}",
    ]);
  });

  it("delivers the output of a run made elsewhere, and shows its MMRs", async () => {
    const { modules, moduleTasks } = clients(shared.server.url);
    const hash = hashOf(7);
    const [poseidon, keccak] = [
      { id: "0x1", size: 10n, chainId: 11155111n, hash: "poseidon", root: "0x5" },
      { id: "0x2", size: 11n, chainId: 11155111n, hash: "keccak", root: KECCAK_ROOT },
    ] as const;
    const queryId = "01JPJ03YJT1A93D6NF56G4GVEQ";
    const { uuid = "" } = await moduleTasks.decommit({
      destinationChainId: "ETHEREUM_SEPOLIA",
      queryId,
      programHash: PROGRAM,
      output: { taskHash: hash, root: toWord((1n << 128n) + 2n), mmrs: [poseidon, keccak] },
    });
    await awaitSubmission(modules, partOf(uuid, hash), { timeout: 20_000 });
    expect(await shared.chain.read(hash)).to.equal((1n << 128n) + 2n);
    const mmrs = [
      { id: "0x1", root: "0x5", size: "0xa", chain_id: "0xaa36a7", hashing_function: "poseidon" },
      {
        id: "0x2",
        root: KECCAK_ROOT,
        size: "0xb",
        chain_id: "0xaa36a7",
        hashing_function: "keccak",
      },
    ];
    expect(await moduleTasks.details(uuid)).to.deep.include({
      taskHash: hash,
      programHash: PROGRAM,
      taskInputs: null,
      mmrs,
    });
    expect(await moduleTasks.mmrs(uuid)).to.deep.equal({ taskId: uuid, mmrs });
    const { state_transitions } = await moduleTasks.stateTransitions(uuid);
    expect(state_transitions.map(({ to_status }) => to_status)).to.deep.equal([
      "Received",
      "TaskDecommitmentStarted",
      "TaskDecommitmentCompleted",
    ]);
    const found = await moduleTasks.list({ search: queryId.toLowerCase() });
    expect(found.tasks.map((task) => task.uuid)).to.deep.equal([uuid]);
    expect(
      (await raw(`${shared.server.url}/tasks/decommitment`, { method: "POST" })).status,
    ).to.equal(401);
  });

  it("fetches an output that is left out by the run's id: of an earlier delivery, or of a task of its own", async () => {
    const { moduleTasks } = clients(shared.server.url);
    const earlier = { destinationChainId: "ETHEREUM_SEPOLIA", queryId: "run-1" } as const;
    const output = { taskHash: hashOf(8), root: toWord(9n) };
    await moduleTasks.decommit({ ...earlier, output });
    const { uuid = "" } = await moduleTasks.decommit(earlier);
    expect((await moduleTasks.details(uuid)).taskHash).to.equal(output.taskHash);

    const own = await submitted(moduleBody("0x77", "public"));
    const { modules } = clients(shared.server.url);
    const { taskHash: hash } = await moduleTasks.details(own);
    await awaitSubmission(modules, partOf(own, hash as Hex), { timeout: 20_000 });
    const again = await moduleTasks.decommit({ ...earlier, queryId: own });
    expect(await moduleTasks.details(again.uuid ?? "")).to.deep.include({
      taskHash: hash,
      programHash: PROGRAM,
    });

    const unknown = await post(`${shared.server.url}/tasks/decommitment`, {
      destination_chain_id: "0xaa36a7",
      atlantic_query_id: "run-2",
    });
    expect([unknown.status, (unknown.json() as { code: string }).code]).to.deep.equal([
      400,
      "HDP-4518",
    ]);
    expect(unknown.text).to.include("Send the output along, or name a task of this server");
  });

  it("refuses a task that has the hash of another one and differs from it, in a request and while that one is open", async () => {
    const module = (value: string): object => ({
      type: "Module",
      programHash: PROGRAM,
      inputs: [{ visibility: "private", value }],
    });
    const request = (...tasks: object[]): object => ({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks,
    });
    const both = await post(`${shared.server.url}/tasks`, request(module("0x1"), module("0x2")));
    expect([both.status, both.json()]).to.deep.equal([
      400,
      { ...(both.json() as object), code: "HDP-1125", path: "tasks[1].inputs" },
    ]);
    isHeld = true;
    const id = await submitted(moduleBody("0x1"));
    for (const other of [
      moduleBody("0x2"),
      moduleBody("0x1", "private", { injected_state: { "0x1": "0x0" } }),
    ]) {
      const reply = await post(`${shared.server.url}/tasks`, other);
      expect([reply.status, (reply.json() as { code: string }).code]).to.deep.equal([
        400,
        "HDP-1125",
      ]);
    }
    // The same task again is the same work.
    expect((await post(`${shared.server.url}/tasks`, moduleBody("0x1"))).status).to.equal(200);
    isHeld = false;
    while (ends.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const end of ends) end();
    const { modules, moduleTasks } = clients(shared.server.url);
    const { taskHash: hash } = await moduleTasks.details(id);
    await awaitSubmission(modules, partOf(id, hash as Hex), { timeout: 20_000 });
    expect(await shared.chain.read(hash as Hex)).to.equal(1n);
  });
});

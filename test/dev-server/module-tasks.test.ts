import { expect } from "chai";
import type { Hex } from "viem";

import type { ModuleRunner } from "../../src/entries/local.js";
import { moduleTasksEdition, awaitSubmission } from "../../src/entries/service.js";
import { parseTaskRequest, taskHash, type TaskRequest } from "../../src/entries/request.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";
import {
  clients,
  testChain,
  headerTask,
  KEY,
  post,
  raw,
  testServer,
  type TestServer,
} from "./fixture.js";

const WORD: Hex = `0x${"0".repeat(60)}beef`;
const PROGRAM: Hex = SMALL_CLASS_HASH;
const OTHER_PROGRAM: Hex = "0xaf1333b8346c1ac941efe380f3122a71c1f7cbad19301543712e74f765bfca";

describe("development server: module tasks", () => {
  let server: TestServer;
  /** What the runner does next. */
  let run: ModuleRunner;

  before(async () => {
    const outcome = { word: WORD, proven: true, output: [7n, 255n] };
    run = () => Promise.resolve(outcome);
    server = await testServer(await testChain(), {
      runModule: async (...given) => await run(...given),
    });
  });
  after(async () => {
    await server.close();
  });

  const request: TaskRequest = {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "Module",
        programHash: PROGRAM,
        inputs: [
          { visibility: "public", value: "0x2" },
          { visibility: "private", value: "0x3" },
        ],
      },
    ],
  };

  it("takes the published body, and answers everything that the client asks of a finished task", async () => {
    const { modules, moduleTasks } = clients(server.url);
    const submission = await modules.submit(request);
    await awaitSubmission(modules, submission, { timeout: 20_000 });
    const id = submission.id;
    const details = await moduleTasks.details(id);
    expect(details).to.deep.include({
      taskId: id,
      status: "TaskDecommitmentCompleted",
      destinationChainId: "11155111",
      dataDestinationChain: "0xaa36a7",
      dataSourceChains: null,
      taskHash: submission.taskHashes[0],
      programHash: PROGRAM,
      outputTreeRoot: WORD,
      taskInputs: request.tasks[0]?.type === "Module" ? request.tasks[0].inputs : [],
      mmrs: [],
    });
    expect(await moduleTasks.mmrs(id)).to.deep.equal({ taskId: id, mmrs: [] });
    expect((await moduleTasks.outputPreimage(id)).taskId).to.equal(id);
    const transitions = (await moduleTasks.stateTransitions(id)).state_transitions;
    expect(transitions.map(({ from_status, to_status }) => [from_status, to_status])).to.deep.equal(
      [
        [null, "Received"],
        ["Received", "DryRunStarted"],
        ["DryRunStarted", "DryRunCompleted"],
        ["DryRunCompleted", "TaskDecommitmentStarted"],
        ["TaskDecommitmentStarted", "TaskDecommitmentCompleted"],
      ],
    );
    expect(transitions.every(({ task_id }) => task_id === id)).to.equal(true);
  });

  it("takes every published form of chain, inputs and class", async () => {
    for (const destination_chain_id of ["0xaa36a7", 11155111, "11155111", "ETHEREUM_SEPOLIA"]) {
      const reply = await post(`${server.url}/tasks`, {
        destination_chain_id,
        input: { params: ["0x2", { visibility: "private", value: "0x3" }], compiled_class: {} },
        program_hash: PROGRAM,
      });
      expect(reply.status).to.equal(200);
      const body = reply.json() as { uuid: string };
      expect(body).to.have.all.keys("message", "status", "uuid");
      const details = await clients(server.url).moduleTasks.details(body.uuid);
      const [task] = request.tasks;
      expect(details.taskHash).to.equal(task && taskHash(task));
    }
  });

  it("reads arguments where the chosen source has them, and the client's task under each of them", async () => {
    const [task] = request.tasks;
    const hash = task && taskHash(task);
    const params = [{ visibility: "public", value: "0x9" }];
    const mixed = {
      ...{ destination_chain_id: "0xaa36a7", program_hash: PROGRAM, task_inputs: params },
      input: { params: ["0x5", "0x6"], compiled_class: SMALL_CLASS, injected_state: {} },
    };
    const objects = { ...mixed, input: { ...mixed.input, params } };
    for (const [inputsFrom, answers, first] of [
      ["params", [400, 200, 400, 400], undefined],
      ["task_inputs", [200, 200, 200, 200], "0x9"],
      [undefined, [200, 200, 200, 200], "0x5"],
    ] as const) {
      const own = await testServer(await testChain(), {
        inputsFrom,
        runModule: async (...given) => await run(...given),
      });
      const { modules, moduleTasks } = clients(own.url);
      const submission = await modules.submit(request);
      expect((await moduleTasks.details(submission.id)).taskHash).to.equal(hash);
      const bodies = [
        mixed,
        objects,
        { ...objects, input: { ...objects.input, compiled_class: {} } },
        { ...objects, input: { params, compiled_class: SMALL_CLASS } },
      ];
      const replies = [];
      for (const body of bodies) replies.push(await post(`${own.url}/tasks`, body));
      expect(
        replies.map(({ status }) => status),
        replies.map(({ text }) => text).join(),
      ).to.deep.equal(answers);
      const accepted = replies[1]?.json() as { uuid: string };
      expect("status" in accepted).to.equal(inputsFrom !== "task_inputs");
      if (first !== undefined) {
        const { uuid } = replies[0]?.json() as { uuid: string };
        const { taskInputs } = await moduleTasks.details(uuid);
        expect(taskInputs).to.have.nested.property("[0].value", first);
      }
      await own.close();
    }
  });

  it("stores a class that comes with the task, and runs it by its hash", async () => {
    const compiledClass = { ...SMALL_CLASS };
    const processor = clients(server.url).remote(
      moduleTasksEdition({ compiledClass: () => Promise.resolve(compiledClass) }),
    );
    const [task] = request.tasks;
    if (task?.type !== "Module") throw new Error("no module task");
    const own = { ...request, tasks: [{ ...task, programHash: SMALL_CLASS_HASH }] };
    await awaitSubmission(processor, await processor.submit(own), { timeout: 20_000 });
    const stored = server.programs.get(SMALL_CLASS_HASH);
    expect(stored && JSON.parse(stored.text)).to.deep.equal(compiledClass);

    const other = await post(`${server.url}/tasks`, {
      ...{ destination_chain_id: "0xaa36a7", program_hash: OTHER_PROGRAM },
      input: { compiled_class: compiledClass },
    });
    expect([other.status, (other.json() as { code: string }).code]).to.deep.equal([
      400,
      "HDP-4518",
    ]);
  });

  it("refuses what names no program, a wrong one, an unknown chain or bad inputs", async () => {
    const submit = async (change: object): Promise<[number, unknown]> => {
      const body = {
        destination_chain_id: "0xaa36a7",
        input: {},
        program_hash: PROGRAM,
        ...change,
      };
      const reply = await post(`${server.url}/tasks`, body);
      return [reply.status, (reply.json() as { code: string }).code];
    };
    expect(await submit({ program_hash: null })).to.deep.equal([400, "HDP-4518"]);
    expect(await submit({ input: { compiled_class: { prime: "0x1" } } })).to.deep.equal([
      400,
      "HDP-7001",
    ]);
    expect(await submit({ destination_chain_id: "0x7a69" })).to.deep.equal([400, "HDP-4518"]);
    expect(await submit({ task_inputs: [{ visibility: "secret", value: "0x1" }] })).to.deep.equal([
      400,
      "HDP-4518",
    ]);
    expect((await submit({ input: { params: ["seven"] } }))[0]).to.equal(400);
  });

  it("lists tasks newest first, in pages, and finds them by id, hash and program", async () => {
    const { moduleTasks, tasks } = clients(server.url);
    const datalake = await tasks.submit(parseTaskRequest(headerTask(1)));
    const first = await moduleTasks.list({ perPage: 2 });
    expect(first.tasks[0]?.uuid).to.equal(datalake.id);
    expect(first.tasks[0]?.dataSourceChains).to.deep.equal(["0xaa36a7"]);
    expect(first.pagination).to.deep.include({ page: 1, perPage: 2 });
    expect(first.pagination.totalPages).to.equal(Math.ceil(first.pagination.total / 2));
    const found = await moduleTasks.list({
      search: datalake.taskHashes[0]?.toUpperCase().slice(5) ?? "",
    });
    expect(found.tasks.map(({ uuid }) => uuid)).to.deep.equal([datalake.id]);
    // All but the datalake task.
    expect((await moduleTasks.list({ search: PROGRAM })).pagination.total).to.equal(
      first.pagination.total - 1,
    );
    const withKey = { headers: { "X-API-KEY": KEY } };
    expect((await raw(`${server.url}/tasks?hdp_tasks_per_page=101`, withKey)).status).to.equal(400);
    expect((await raw(`${server.url}/tasks?hdp_tasks_page=0`, withKey)).status).to.equal(400);
  });

  it("retries a failed task from the beginning, and no other", async () => {
    const { modules, moduleTasks } = clients(server.url);
    const good = run;
    run = () => Promise.reject(new Error("the module panicked and has no result: no luck"));
    const submission = await modules.submit(request);
    let failure: unknown;
    await awaitSubmission(modules, submission, { timeout: 20_000 }).catch(
      (error: unknown) => (failure = error),
    );
    expect(String(failure)).to.include("the module panicked and has no result: no luck");
    expect((await moduleTasks.details(submission.id)).status).to.equal("DryRunFailed");

    run = good;
    expect((await moduleTasks.retry(submission.id)).uuid).to.equal(submission.id);
    await awaitSubmission(modules, submission, { timeout: 20_000 });
    const { state_transitions: passed } = await moduleTasks.stateTransitions(submission.id);
    expect(passed.map(({ to_status }) => to_status)).to.include.members([
      "DryRunFailed",
      "TaskDecommitmentCompleted",
    ]);
    expect(passed.filter(({ to_status }) => to_status === "Received").length).to.equal(2);

    const again = await post(`${server.url}/tasks/${submission.id}/retry`, "");
    expect([again.status, (again.json() as { code: string }).code]).to.deep.equal([
      400,
      "HDP-4524",
    ]);
    const unknown = await post(`${server.url}/tasks/none/retry`, "");
    expect([unknown.status, unknown.json()]).to.deep.equal([
      404,
      { error: "Task not found", uuid: "none" },
    ]);
    expect(
      (await raw(`${server.url}/tasks/${submission.id}/retry`, { method: "POST" })).status,
    ).to.equal(401);
  });

  it("answers its health as both interfaces publish it, without a key", async () => {
    const { moduleTasks, storageProof } = clients(server.url);
    expect(await moduleTasks.health()).to.include({
      status: "healthy",
      database: "operational",
      queues: "operational",
    });
    expect((await storageProof.isAlive()).message).to.equal("Alive!");
  });

  it("answers unknown ids of every read as published", async () => {
    for (const what of ["details", "mmrs", "output_preimage", "state_transitions", "status"]) {
      const reply = await raw(`${server.url}/tasks/none/${what}`, {
        headers: { "X-API-KEY": KEY },
      });
      expect([reply.status, reply.json()]).to.deep.equal([
        404,
        { error: "Task not found", taskId: "none" },
      ]);
    }
  });
});

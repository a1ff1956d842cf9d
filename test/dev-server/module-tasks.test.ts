import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import type { Hex } from "viem";

import {
  type DevServer,
  LocalDataProcessor,
  type ModuleRunner,
  startDevServer,
} from "../../src/entries/local.js";
import { moduleTasksEdition, awaitSubmission } from "../../src/entries/service.js";
import {
  parseTaskRequest,
  STANDARD_PROGRAMS,
  taskHash,
  type TaskRequest,
} from "../../src/entries/request.js";
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
  /** What ends with the tests, whether they pass or not. */
  const ends: (() => Promise<void>)[] = [];
  after(async () => {
    await server.close();
    for (const end of ends) await end();
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
      destination_chain_id: "0xaa36a7",
      program_hash: PROGRAM,
      task_inputs: params,
      input: { params: ["0x5", "0x6"], compiled_class: SMALL_CLASS, injected_state: {} },
    };
    const objects = { ...mixed, input: { ...mixed.input, params } };
    for (const [inputsFrom, answers, first] of [
      ["params", [400, 200, 400, 400], undefined],
      ["task_inputs", [200, 200, 200, 200], "0x9"],
      [undefined, [200, 200, 200, 200], "0x5"],
    ] as const) {
      const own = await testServer(await testChain(), {
        published: { inputs: inputsFrom },
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
      expect(accepted).to.have.property("status", "accepted");
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
      destination_chain_id: "0xaa36a7",
      program_hash: OTHER_PROGRAM,
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

  it("repeats the decommitment alone where that failed, and refuses it where results are missing", async () => {
    let isFull = true;
    const chain = await testChain();
    let runs = 0;
    const processor = new LocalDataProcessor({
      providerFor: () => chain.provider,
      sink: {
        finalize: async (...given) => {
          if (isFull) throw new Error("the account cannot pay");
          return await chain.sink.finalize(...given);
        },
      },
      runModule: async (...given) => {
        runs += 1;
        // The server sees the state before the last one only where that takes a moment.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return await run(...given);
      },
    });
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-decommitment-"));
    const start = async (computed: boolean): Promise<DevServer> =>
      await startDevServer({
        providerFor: () => chain.provider,
        dataDir,
        processor: computed
          ? processor
          : {
              submit: async (...given) => await processor.submit(...given),
              wait: async (...given) => await processor.wait(...given),
              results: async (...given) => await processor.results(...given),
            },
      });
    let own = await start(true);
    ends.push(async () => {
      await own.close();
      processor.close();
      await rm(dataDir, { recursive: true });
    });
    const { modules, moduleTasks } = clients(own.url);
    const submission = await modules.submit(request);
    const failing = async (): Promise<void> => {
      const error: unknown = await awaitSubmission(modules, submission, { timeout: 20_000 }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(String(error)).to.include("cannot pay");
      expect((await moduleTasks.details(submission.id)).status).to.equal("TaskDecommitmentFailed");
    };
    await failing();
    expect((await moduleTasks.details(submission.id)).outputTreeRoot).to.equal(null);
    await moduleTasks.retry(submission.id);
    await failing();
    isFull = false;
    // What was computed survives the process.
    await own.close();
    own = await start(true);
    const later = clients(own.url);
    await later.moduleTasks.retry(submission.id);
    await awaitSubmission(later.modules, submission, { timeout: 20_000 });
    expect(runs).to.equal(1);
    const again = ["Received", "TaskDecommitmentStarted", "TaskDecommitmentFailed"];
    const passed = (await later.moduleTasks.stateTransitions(submission.id)).state_transitions;
    expect(passed.map(({ to_status }) => to_status)).to.deep.equal([
      "Received",
      "DryRunStarted",
      "DryRunCompleted",
      ...again.slice(1),
      ...again,
      "Received",
      "TaskDecommitmentStarted",
      "TaskDecommitmentCompleted",
    ]);
    expect(await later.moduleTasks.details(submission.id)).to.deep.include({
      outputTreeRoot: WORD,
      outputTreeRootPreimage: ["0x7", "0xff"],
    });
    await own.close();

    isFull = true;
    own = await start(false);
    const without = clients(own.url);
    const lost = await without.modules.submit({
      ...request,
      tasks: [{ type: "Module", programHash: PROGRAM, inputs: [] }],
    });
    await awaitSubmission(without.modules, lost, { timeout: 20_000 }).catch(() => undefined);
    const refused = await post(`${own.url}/tasks/${lost.id}/retry`, "");
    expect([refused.status, refused.json()]).to.deep.equal([
      400,
      {
        error: "Cannot retry decommitment",
        details: `the results of task ${lost.id}, which its decommitment would deliver, are missing.`,
      },
    ]);
  });

  it("returns the schedule that was sent, and finds tasks by the name of their program", async () => {
    const { moduleTasks } = clients(server.url);
    const transaction = `0x${"ab".repeat(32)}`;
    const reply = await post(`${server.url}/tasks`, {
      destination_chain_id: "0xaa36a7",
      program_hash: STANDARD_PROGRAMS[0]?.programHash,
      schedule_mode: "onchain",
      schedule_tx_hash: transaction,
      input: { params: [] },
    });
    const { uuid } = reply.json() as { uuid: string };
    expect(await moduleTasks.details(uuid)).to.deep.include({
      scheduleMode: "onchain",
      scheduleTxHash: transaction,
      programName: "blocks",
    });
    const found = await moduleTasks.list({ search: "BLOCK" });
    expect(found.tasks.map((one) => [one.uuid, one.programName])).to.deep.equal([[uuid, "blocks"]]);
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

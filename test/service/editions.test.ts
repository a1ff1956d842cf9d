import { expect } from "chai";
import { Agent } from "undici";
import { ZodError } from "zod";

import { ServiceFailure } from "../../src/service/http/service-errors.js";
import {
  batchEdition,
  moduleTasksEdition,
  tasksEdition,
  type WireEdition,
  ModuleTasksClient,
  RemoteDataProcessor,
  HttpClient,
  isServiceFailure,
} from "../../src/entries/service.js";
import {
  BATCH_STATES,
  EDITIONS,
  MODULE_TASK_STATES,
  moduleTaskSubmitSchema,
} from "../../src/service/data-processor/editions.js";
import { asModule, blockSampled, header, taskRequest } from "../../src/entries/request.js";
import { EDITION_NAMES } from "../../src/service/data-processor/edition.js";
import { fakeClock } from "../support/fake-clock.js";
import {
  type Answer,
  httpServer,
  type OddServer,
  sendJson,
  sendText,
} from "../support/odd-servers.js";
import {
  datalakeHash,
  datalakeRequest,
  KEY,
  moduleHash,
  moduleRequest,
} from "../support/service-requests.js";
import { hdpFailure, rejection } from "../support/failure.js";

/** A class with all members that the published prover's parser needs. */
const WHOLE_CLASS = {
  prime: "0x1",
  compiler_version: "2.12.2",
  bytecode: [],
  hints: [],
  entry_points_by_type: {},
};
const ID = "01JPJ03YJT1A93D6NF56G4GVEQ";
/** The specification's body of `datalakeRequest`. */
const datalakeBody = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 5858987,
        blockRangeEnd: 5858997,
        increment: 2,
        sampledProperty: "header.excess_blob_gas",
      },
      compute: {
        aggregateFnId: "count",
        aggregateFnCtx: { operator: "gt", valueToCompare: "10000000" },
      },
    },
  ],
};

/** Where each published state of a task leaves a wait. */
const PHASES = {
  Received: "pending",
  DryRunStarted: "pending",
  DryRunCompleted: "pending",
  DryRunFailed: "failed",
  ChainProofsFetchStarted: "pending",
  ChainProofsFetchCompleted: "pending",
  ChainProofsFetchFailed: "failed",
  TraceGenStarted: "pending",
  TraceGenCompleted: "pending",
  TraceGenFailed: "failed",
  AtlanticProvingStarted: "pending",
  AtlanticProvingCompleted: "pending",
  AtlanticProvingFailed: "failed",
  TaskDecommitmentStarted: "pending",
  TaskDecommitmentCompleted: "finalized",
  TaskDecommitmentFailed: "failed",
} as const;

it("wire editions are found by name", () => {
  expect(EDITION_NAMES.map((name) => EDITIONS[name]({}).name)).to.deep.equal([
    "tasks",
    "batch",
    "module-tasks",
  ]);
});

it("every edition refuses a state without a name", () => {
  const named = (edition: WireEdition, body: unknown): boolean => {
    try {
      return edition.parseStatus(body).name !== "";
    } catch (error) {
      expect(error).to.be.instanceOf(ZodError);
      return false;
    }
  };
  const editions = EDITION_NAMES.map((name) => EDITIONS[name]({}));
  for (const status of [undefined, null, "", 5, ["Finalized"]]) {
    const bodies = [{ status }, { dataProcessorQuery: { status } }];
    for (const edition of editions) {
      expect(
        bodies.map((body) => named(edition, body)),
        `${edition.name} ${String(status)}`,
      ).to.deep.equal([false, false]);
    }
    expect(named(batchEdition, status), String(status)).to.equal(false);
  }
  expect(editions.map((edition) => named(edition, { status: "DONE" }))).to.include(true);
});

it("every edition refuses an empty id of an accepted submission", () => {
  for (const name of EDITION_NAMES) {
    const edition = EDITIONS[name]({});
    const accepted = (id: unknown) =>
      edition.parseSubmit({ uuid: id, batchId: id, taskHashes: [] });
    expect(accepted("7").id, name).to.equal("7");
    for (const id of [undefined, null, "", 7])
      expect(() => accepted(id), `${name} ${String(id)}`).to.throw(ZodError);
  }
});

it("a service's task hash of 1 to 64 hexadecimal digits is read as 32 bytes", () => {
  const hashes = (hash: unknown) =>
    batchEdition.parseSubmit({ batchId: "7", taskHashes: [hash] }).taskHashes;
  expect(hashes(`0x${"aB".repeat(32)}`)).to.deep.equal([`0x${"ab".repeat(32)}`]);
  expect(hashes("0xF")).to.deep.equal([`0x${"f".padStart(64, "0")}`]);
  for (const wrong of ["", "0x", "1", "0xg", "x0x1", "0x1g", `0x${"1".repeat(65)}`, 1, null]) {
    expect(() => hashes(wrong), String(wrong)).to.throw(ZodError);
  }
});

describe("wire editions", () => {
  let server: OddServer;
  let dispatcher: Agent;
  let keyReads: number;

  beforeEach(() => {
    dispatcher = new Agent();
    keyReads = 0;
  });

  afterEach(async () => {
    await dispatcher.close();
    await server.close();
  });

  async function start(answer: Answer): Promise<HttpClient> {
    server = await httpServer(answer);
    return new HttpClient({
      service: "the data processor",
      url: `${server.url}/v1/`,
      apiKey: () => {
        keyReads++;
        return Promise.resolve(KEY);
      },
      dispatcher,
      clock: fakeClock(),
      random: () => 0,
    });
  }

  async function processor(edition: WireEdition, answer: Answer): Promise<RemoteDataProcessor> {
    return new RemoteDataProcessor({ http: await start(answer), edition });
  }

  describe("tasks", () => {
    it("submits the specification's body with the key in X-API-KEY", async () => {
      const remote = await processor(tasksEdition, (_request, response) => {
        sendJson(response, 200, { uuid: ID, message: "Task has been queued", queue: { place: 3 } });
      });
      const submission = await remote.submit(datalakeRequest);
      expect(submission).to.deep.equal({
        id: ID,
        processor: "tasks",
        destinationChainId: "ETHEREUM_SEPOLIA",
        taskHashes: [datalakeHash],
        raw: { uuid: ID, message: "Task has been queued", queue: { place: 3 } },
      });
      expect(server.seen).to.have.length(1);
      expect(server.seen[0]).to.include({ method: "POST", url: "/v1/tasks" });
      expect(server.seen[0]?.headers).to.include({
        "x-api-key": KEY,
        "content-type": "application/json",
      });
      expect(JSON.parse(server.seen[0]?.body ?? "")).to.deep.equal(datalakeBody);
    });

    it("names Starknet Sepolia as the specification does; the retired shape as its parsers do", async () => {
      const remote = await processor(tasksEdition, (_request, response) => {
        sendJson(response, 200, { uuid: ID });
      });
      await remote.submit(moduleRequest);
      const inputs = moduleRequest.tasks.flatMap((task) =>
        task.type === "Module" ? task.inputs : [],
      );
      const programHash = "0xaf1333b8346c1ac941efe380f3122a71c1f7cbad19301543712e74f765bfca";
      const tasks = [{ type: "Module", programHash, inputs }];
      expect(JSON.parse(server.seen[0]?.body ?? "")).to.deep.equal({
        destinationChainId: "SN_SEPOLIA",
        tasks,
      });
      const retired = await batchEdition.buildSubmit(moduleRequest);
      expect(retired.json).to.deep.equal({ destinationChainId: "STARKNET_SEPOLIA", tasks });
    });

    it("shows hashes of the service's only where they differ", async () => {
      const other = `0x${"ab".repeat(32)}`;
      const replies = [[datalakeHash.toUpperCase().replace("0X", "0x")], [other]];
      const remote = await processor(tasksEdition, (_request, response, index) => {
        sendJson(response, 201, { uuid: ID, taskHashes: replies[index] });
      });
      expect(await remote.submit(datalakeRequest)).not.to.have.property("serviceTaskHashes");
      const second = await remote.submit(datalakeRequest);
      expect(second.taskHashes).to.deep.equal([datalakeHash]);
      expect(second.serviceTaskHashes).to.deep.equal([other]);
    });

    it("reads the status with the key, once for all calls", async () => {
      const remote = await processor(tasksEdition, (_request, response) => {
        sendJson(response, 200, {
          taskId: ID,
          status: "DryRunFailed",
          errorMessage: "out of steps",
          note: 1,
        });
      });
      const expected = {
        name: "DryRunFailed",
        phase: "failed",
        detail: "out of steps",
        raw: { taskId: ID, status: "DryRunFailed", errorMessage: "out of steps", note: 1 },
      };
      expect(await remote.status({ id: ID })).to.deep.equal(expected);
      expect(await remote.status({ id: ID })).to.deep.equal(expected);
      expect(server.seen[0]).to.include({ method: "GET", url: `/v1/tasks/${ID}/status`, body: "" });
      expect(server.seen[1]?.headers["x-api-key"]).to.equal(KEY);
      expect(keyReads).to.equal(1);
    });

    it("knows the final names of the specification and of the published documents", () => {
      const phase = (status: string) => tasksEdition.parseStatus({ status }).phase;
      expect(phase("Finalized")).to.equal("finalized");
      expect(phase("TaskDecommitmentCompleted")).to.equal("finalized");
      expect(phase("TaskDecommitmentFailed")).to.equal("failed");
      expect(
        Object.fromEntries(MODULE_TASK_STATES.map((state) => [state, phase(state)])),
      ).to.deep.equal(PHASES);
      expect(phase("SomethingNewFailed")).to.equal("pending");
      expect(phase("Received")).to.equal("pending");
    });

    it("sends an id as one path segment and refuses a dot segment", async () => {
      const remote = await processor(tasksEdition, (_request, response) => {
        sendJson(response, 200, { status: "Received", errorMessage: null });
      });
      const status = await remote.status({ id: "a/../b?c" });
      expect(status).to.deep.equal({
        name: "Received",
        phase: "pending",
        raw: { status: "Received", errorMessage: null },
      });
      expect(server.seen[0]?.url).to.equal("/v1/tasks/a%2F..%2Fb%3Fc/status");
      const refused = await rejection(remote.status({ id: ".." }));
      expect(isServiceFailure(refused, "validation")).to.equal(true);
      expect(refused).to.include({ code: "HDP-2025", shortMessage: '".." is not an id.' });
      expect(server.seen).to.have.length(1);
    });
  });

  describe("batch", () => {
    it("submits with the key in the query and keeps the service's hashes", async () => {
      const remote = await processor(batchEdition, (_request, response) => {
        sendJson(response, 200, { batchId: ID, taskHashes: ["0x1"] });
      });
      const submission = await remote.submit(datalakeRequest);
      expect(submission.id).to.equal(ID);
      expect(submission.taskHashes).to.deep.equal([datalakeHash]);
      expect(submission.serviceTaskHashes).to.deep.equal([`0x${"1".padStart(64, "0")}`]);
      expect(server.seen[0]).to.include({ method: "POST", url: `/v1/submit-batch?apiKey=${KEY}` });
      expect(JSON.parse(server.seen[0]?.body ?? "")).to.deep.equal(datalakeBody);
      expect(server.seen[0]?.headers).not.to.have.property("x-api-key");
    });

    it("reads a state as the specification's word, bare or quoted or in an object", async () => {
      const bodies = [
        "ProofsFetched",
        '"Finalized"',
        '{"status":"CachedMmrRoot"}',
        '{"status":"FAILED","errorMessage":"no"}',
      ];
      const remote = await processor(batchEdition, (_request, response, index) => {
        sendText(response, 200, bodies[index] ?? "");
      });
      expect(await remote.status({ id: ID })).to.deep.equal({
        name: "ProofsFetched",
        phase: "pending",
        raw: "ProofsFetched",
      });
      expect(await remote.status({ id: ID })).to.include({ name: "Finalized", phase: "finalized" });
      expect(await remote.status({ id: ID })).to.include({
        name: "CachedMmrRoot",
        phase: "pending",
      });
      expect(await remote.status({ id: ID })).to.include({
        name: "FAILED",
        phase: "failed",
        detail: "no",
      });
      expect(server.seen[0]).to.include({ method: "GET", url: `/v1/batch-query/${ID}` });
      expect(keyReads).to.equal(0);
    });

    it("reads the published record and shows its step", async () => {
      const body = {
        dataProcessorQuery: {
          id: ID,
          status: "PROCESSING",
          stepState: "SHARP_REQUEST_SENT",
          tasks: [{}],
        },
      };
      const remote = await processor(batchEdition, (_request, response) => {
        sendJson(response, 200, body);
      });
      expect(await remote.status({ id: ID })).to.deep.equal({
        name: "PROCESSING",
        phase: "pending",
        detail: "SHARP_REQUEST_SENT",
        raw: body,
      });
    });

    it("ends on the final names only", () => {
      const phase = (name: string) => batchEdition.parseStatus(name).phase;
      expect(BATCH_STATES.map(phase)).to.deep.equal([
        ...Array<string>(5).fill("pending"),
        "finalized",
      ]);
      expect(["RECEIVED", "PROCESSING", "REJECTED", "DONE", "FAILED"].map(phase)).to.deep.equal([
        "pending",
        "pending",
        "failed",
        "finalized",
        "failed",
      ]);
      expect(phase("PAUSED")).to.equal("pending");
    });

    it("rejects a reply without hashes as an unknown outcome: the batch was accepted", async () => {
      const remote = await processor(batchEdition, (_request, response) => {
        sendJson(response, 200, { batchId: ID });
      });
      const error = await rejection(remote.submit(datalakeRequest));
      expect(error).to.have.property("code", "HDP-2090");
      expect(error)
        .to.have.property("cause")
        .that.is.instanceOf(ServiceFailure)
        .that.includes({ code: "HDP-2070", kind: "malformed-reply" });
    });
  });

  describe("module-tasks", () => {
    it("submits one module task in snake_case with the hexadecimal chain id", async () => {
      const edition = moduleTasksEdition({
        compiledClass: (hash) => Promise.resolve({ ...WHOLE_CLASS, hash }),
        extra: { webhook_url: "http://127.0.0.1/hook", schedule_mode: "offchain" },
      });
      const remote = await processor(edition, (_request, response) => {
        sendJson(response, 200, {
          message: "Task has been queued for processing",
          status: "accepted",
          uuid: ID,
        });
      });
      const submission = await remote.submit(moduleRequest);
      expect(submission).to.deep.equal({
        id: ID,
        processor: "module-tasks",
        destinationChainId: "STARKNET_SEPOLIA",
        taskHashes: [moduleHash],
        raw: { message: "Task has been queued for processing", status: "accepted", uuid: ID },
      });
      expect(server.seen[0]).to.include({ method: "POST", url: "/v1/tasks" });
      expect(server.seen[0]?.headers["x-api-key"]).to.equal(KEY);
      const programHash = "0xaf1333b8346c1ac941efe380f3122a71c1f7cbad19301543712e74f765bfca";
      const inputs = [
        { visibility: "public", value: "0x4f21e5" },
        { visibility: "public", value: "0x4f21e8" },
        { visibility: "private", value: "0x13cb6ae34a13a0977f4d7101ebc24b87bb23f0d5" },
      ];
      expect(JSON.parse(server.seen[0]?.body ?? "")).to.deep.equal({
        destination_chain_id: "0x534e5f5345504f4c4941",
        input: {
          params: inputs,
          compiled_class: { ...WHOLE_CLASS, hash: programHash },
          injected_state: {},
        },
        program_hash: programHash,
        task_inputs: inputs,
        webhook_url: "http://127.0.0.1/hook",
        schedule_mode: "offchain",
      });
    });

    it("sends the roots of a module's injected state along", async () => {
      const [task] = moduleRequest.tasks;
      if (task?.type !== "Module") throw new Error("the request has a module");
      const injectedState = { "0x1": "0x2a", "0xf": "0x0" } as const;
      const compiledClass = async () => await Promise.resolve(WHOLE_CLASS);
      const { json } = await moduleTasksEdition({ compiledClass }).buildSubmit({
        ...moduleRequest,
        tasks: [{ ...task, injectedState }],
      });
      expect(json).to.have.nested.property("input.injected_state").that.deep.equals(injectedState);
    });

    it("refuses a program without its whole class, before anything is sent or any key read", async () => {
      const classes = [
        [undefined, "its compiled class is not known here"],
        [{}, "has no prime, compiler_version, bytecode, hints, entry_points_by_type"],
        [{ ...WHOLE_CLASS, hints: undefined }, "its compiled class has no hints"],
      ] as const;
      for (const [compiledClass, reason] of classes) {
        const edition = moduleTasksEdition({
          compiledClass: async () => await Promise.resolve(compiledClass),
        });
        const error = await hdpFailure(Promise.resolve(edition.buildSubmit(moduleRequest)));
        expect(error).to.include({ code: "HDP-2023", path: "tasks[0].programHash" });
        expect(error.message).to.contain(reason).and.to.contain('"module": { "class"');
      }
    });

    it("knows the classes of the standard programs, and sends the task as the program runs with it", async () => {
      const task = asModule(
        blockSampled({ from: 1n, to: 3n, property: header("gas_limit") }).avg(),
      );
      const request = taskRequest({ tasks: [task] });
      const { json } = await moduleTasksEdition().buildSubmit(request);
      expect(json).to.have.nested.property("input.params").that.deep.equals(task.inputs);
      expect(json).to.have.nested.property("input.compiled_class.bytecode").that.is.an("array");
      expect(moduleTaskSubmitSchema.safeParse(json).success).to.equal(true);
    });

    it("refuses a datalake task before anything is sent or any key read", async () => {
      const remote = await processor(moduleTasksEdition(), (_request, response) => {
        sendJson(response, 200, { uuid: ID });
      });
      const error = await rejection(remote.submit(datalakeRequest));
      expect(isServiceFailure(error, "validation")).to.equal(true);
      expect(error).to.include({
        code: "HDP-2020",
        path: "tasks[0].type",
        shortMessage:
          'API version "module-tasks" carries Module tasks only; this request has a task of type DatalakeCompute.',
      });
      expect(error)
        .to.have.property("hints")
        .that.deep.equals([
          'Send its module form (asModule of hardhat-hdp/request), set hdp.dataProcessor.edition to "tasks", or run locally. Nothing was sent.',
        ]);
      const two = { ...moduleRequest, tasks: [...moduleRequest.tasks, ...moduleRequest.tasks] };
      expect(await rejection(remote.submit(two))).to.include({
        code: "HDP-2020",
        path: "tasks",
        shortMessage:
          'API version "module-tasks" carries one task per request; this request has 2 tasks.',
      });
      expect(server.seen).to.deep.equal([]);
      expect(keyReads).to.equal(0);
    });

    it("reads status without a key and knows all sixteen states", async () => {
      const remote = await processor(moduleTasksEdition(), (_request, response) => {
        sendJson(response, 200, {
          taskId: ID,
          status: "TraceGenFailed",
          errorMessage: "trace",
          updatedAt: "2024",
        });
      });
      expect(await remote.status({ id: ID })).to.include({
        name: "TraceGenFailed",
        phase: "failed",
        detail: "trace",
      });
      expect(server.seen[0]?.headers).not.to.have.property("x-api-key");
      const phases = MODULE_TASK_STATES.map(
        (status) => moduleTasksEdition().parseStatus({ status }).phase,
      );
      expect(
        Object.fromEntries(MODULE_TASK_STATES.map((state, at) => [state, phases[at]])),
      ).to.deep.equal(PHASES);
      expect(phases.filter((phase) => phase === "failed")).to.have.length(5);
      expect(MODULE_TASK_STATES[phases.indexOf("finalized")]).to.equal("TaskDecommitmentCompleted");
      expect(phases.filter((phase) => phase === "pending")).to.have.length(10);
      expect(moduleTasksEdition().parseStatus({ status: "PaymentFailed" }).phase).to.equal(
        "pending",
      );
    });

    it("sends the key with reads to a service that asks for it, and remembers that it does", async () => {
      const client = new ModuleTasksClient(
        await start((request, response) => {
          const isAllowed = request.headers["x-api-key"] === KEY;
          sendJson(
            response,
            isAllowed ? 200 : 401,
            isAllowed ? { taskId: ID, mmrs: [] } : { error: "Missing key" },
          );
        }),
      );
      expect(await client.mmrs(ID)).to.deep.equal({ taskId: ID, mmrs: [] });
      expect(await client.mmrs(ID)).to.deep.equal({ taskId: ID, mmrs: [] });
      expect(server.seen.map(({ headers }) => headers["x-api-key"])).to.deep.equal([
        undefined,
        KEY,
        KEY,
      ]);
    });

    it("sends no key after a refusal for another reason", async () => {
      for (const status of [403, 404]) {
        const client = new ModuleTasksClient(
          await start((_request, response) => {
            sendJson(response, status, { error: "no" });
          }),
        );
        await rejection(client.mmrs(ID));
        expect(server.seen.map(({ headers }) => headers["x-api-key"])).to.deep.equal([undefined]);
        if (status === 403) await server.close();
      }
    });

    it("sends no webhook unless one is given, and reads a detail where there is one", async () => {
      const edition = moduleTasksEdition({
        compiledClass: async () => await Promise.resolve(WHOLE_CLASS),
      });
      const { json } = await edition.buildSubmit(moduleRequest);
      expect(JSON.parse(JSON.stringify(json))).not.to.have.any.keys(
        ...["webhook_url", "injected_state_server", "is_mock", "schedule_mode"],
      );
      expect(edition.parseStatus({ status: "Received" })).to.have.all.keys("name", "phase");
      expect(edition.parseStatus({ status: "Received", errorMessage: null })).to.have.all.keys(
        "name",
        "phase",
      );
      expect(edition.parseStatus({ status: "DryRunFailed", errorMessage: "no" })).to.include({
        detail: "no",
      });
      server = await httpServer(() => undefined);
      const none = await rejection(
        Promise.resolve().then(
          async () => await moduleTasksEdition().buildSubmit({ ...moduleRequest, tasks: [] }),
        ),
      );
      expect(none).to.include({ code: "HDP-2020", path: "tasks" });
    });

    it("reads details, mmrs, preimage, transitions and the list", async () => {
      const record = {
        status: "Received",
        destinationChainId: "11155111",
        taskHash: null,
        createdAt: "2024-03-17T10:24:00Z",
        updatedAt: "2024-03-17T10:24:00Z",
      };
      const mmr = {
        id: "0x1",
        root: "0x2",
        size: "0x0a813",
        chain_id: "0xaa36a7",
        hashing_function: "poseidon",
      };
      const replies: Record<string, unknown> = {
        details: { taskId: ID, ...record, taskInputs: null, mmrs: [mmr], extra: true },
        mmrs: { taskId: ID, mmrs: [mmr] },
        output_preimage: { taskId: ID, outputPreimage: null },
        state_transitions: {
          taskId: ID,
          state_transitions: [
            { id: "a", task_id: ID, from_status: null, to_status: "Received", created_at: "2024" },
          ],
        },
        tasks: {
          tasks: [{ uuid: ID, ...record }],
          pagination: { page: 2, perPage: 5, total: 6, totalPages: 2 },
        },
      };
      const client = new ModuleTasksClient(
        await start((request, response) => {
          const name = new URL(request.url, "http://x").pathname.split("/").at(-1) ?? "";
          sendJson(response, 200, replies[name]);
        }),
      );
      expect(await client.details(ID)).to.deep.equal(replies["details"]);
      expect(await client.mmrs(ID)).to.deep.equal(replies["mmrs"]);
      expect(await client.outputPreimage(ID)).to.deep.equal(replies["output_preimage"]);
      expect(await client.stateTransitions(ID)).to.deep.equal(replies["state_transitions"]);
      expect(await client.list({ page: 2, perPage: 5, search: "a b" })).to.deep.equal(
        replies["tasks"],
      );
      expect(await client.list()).to.deep.equal(replies["tasks"]);
      expect(server.seen.map((request) => request.url)).to.deep.equal([
        `/v1/tasks/${ID}/details`,
        `/v1/tasks/${ID}/mmrs`,
        `/v1/tasks/${ID}/output_preimage`,
        `/v1/tasks/${ID}/state_transitions`,
        "/v1/tasks?hdp_tasks_page=2&hdp_tasks_per_page=5&hdp_tasks_search=a+b",
        "/v1/tasks",
      ]);
      expect(keyReads).to.equal(0);
    });

    it("retries a task once, with the key, and quotes a refusal", async () => {
      const client = new ModuleTasksClient(
        await start((_request, response, index) => {
          if (index === 0)
            sendJson(response, 200, { uuid: ID, status: "accepted", message: "queued" });
          else if (index === 1) sendJson(response, 404, { error: "Task not found", uuid: ID });
          else
            sendJson(response, 400, {
              error: "Cannot retry decommitment",
              details: "Task results are missing.",
            });
        }),
      );
      expect(await client.retry(ID)).to.deep.equal({
        uuid: ID,
        raw: { uuid: ID, status: "accepted", message: "queued" },
      });
      expect(server.seen[0]).to.include({ method: "POST", url: `/v1/tasks/${ID}/retry`, body: "" });
      expect(server.seen[0]?.headers["x-api-key"]).to.equal(KEY);
      const unknown = await rejection(client.retry(ID));
      expect(isServiceFailure(unknown, "not-found")).to.equal(true);
      expect(unknown).to.include({ code: "HDP-2040", serviceWords: "Task not found" });
      const refused = await rejection(client.retry(ID));
      expect(refused).to.include({
        code: "HDP-2022",
        serviceWords: "Cannot retry decommitment: Task results are missing.",
      });
    });

    it("accepts 503 with a record as the health of an unhealthy service", async () => {
      const unhealthy = { status: "unhealthy", database: "unavailable", queues: "operational" };
      const client = new ModuleTasksClient(
        await start((_request, response) => {
          sendJson(response, 503, unhealthy);
        }),
      );
      expect(await client.health()).to.deep.equal(unhealthy);
      expect(server.seen).to.have.length(1);
      expect(server.seen[0]?.url).to.equal("/v1/is-alive");
    });

    it("refuses a page or another status as a record of health", async () => {
      for (const [status, body] of [
        [503, "<h1>down</h1>"],
        [500, '{"status":"unhealthy"}'],
        [404, '{"status":"unhealthy"}'],
      ] as const) {
        const client = new ModuleTasksClient(
          await start((_request, response) => {
            sendText(response, status, body);
          }),
        );
        expect(await rejection(client.health())).to.include({ status });
        if (status !== 404) await server.close();
      }
    });
  });
});

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { NetworkConnection } from "hardhat/types/network";
import { getAddress, type Hex } from "viem";

import type { WireEditionName } from "../../src/types.js";
import { Session } from "../../src/plugin/session.js";
import { serviceAddress } from "../../src/submission/model.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import {
  moduleTask,
  type SubmitPlan,
  type HdpError,
  isHdpError,
  type TaskRequest,
  toTaskRequestJson,
  taskHash,
} from "../../src/entries/request.js";
import { root } from "../support/hardhat-cli.js";
import { closedAddress } from "../support/odd-servers.js";
import {
  KEY_VARIABLE,
  knowPrograms,
  removeProject,
  testProject,
  remoteNetwork,
  type TestProject,
} from "../support/remote-project.js";
import { type ServiceProject, serviceProject } from "../support/service-project.js";
import { type ServiceServer, valueOf } from "../support/service-server.js";
import { datalakeRequest, moduleRequest } from "../support/service-requests.js";
import { rejection } from "../support/failure.js";
import { runCommand } from "../support/run-command.js";

// The module vector, delivered to an EVM chain: the mock store is one.
const moduleToEvm: TaskRequest = { ...moduleRequest, destinationChainId: "ETHEREUM_SEPOLIA" };
const both: TaskRequest = {
  ...datalakeRequest,
  tasks: [...datalakeRequest.tasks, ...moduleToEvm.tasks],
};
const PROGRAMS: readonly Hex[] = [
  ...moduleRequest.tasks.flatMap((task) => (task.type === "Module" ? [task.programHash] : [])),
  "0x7",
];
const EXAMPLE_CLASS = "module_balance_Module.compiled_contract_class.json";
const hashesOf = (request: TaskRequest) => request.tasks.map((task) => taskHash(task));

describe("a connection with a service", () => {
  let opened: ServiceProject;
  let project: TestProject;
  let connection: NetworkConnection<string>;
  let server: ServiceServer;

  /** A network's connection, and a server that finalizes into that very chain. */
  async function start(edition: WireEditionName): Promise<void> {
    opened = await serviceProject(edition);
    ({ project, connection, server } = opened);
    if (edition === "module-tasks") await knowPrograms(project, ...PROGRAMS);
  }

  afterEach(async () => {
    await opened.close();
  });

  it("sends again what a chain that started anew has lost, whatever was recorded", async () => {
    await start("tasks");
    const { hdp, provider } = connection;
    const before: unknown = await provider.request({ method: "evm_snapshot" });
    const [first] = await hdp.run(datalakeRequest);
    expect((await hdp.submit(datalakeRequest)).parts).to.deep.equal([]);
    await provider.request({ method: "evm_revert", params: [before] });

    const plans: SubmitPlan[] = [];
    const [again] = await hdp.run(datalakeRequest, { onPlan: (plan) => plans.push(plan) });
    expect(again.word).to.equal(first.word);
    // Only a request of which something is not sent has a plan to tell of.
    expect(plans).to.deep.equal([]);
    expect(server.posts()).to.have.length(2);
  });

  const cases: readonly [WireEditionName, TaskRequest, string[]][] = [
    ["tasks", both, ["DryRunStarted", "TaskDecommitmentCompleted"]],
    ["batch", both, ["Opened", "Finalized"]],
    ["module-tasks", moduleToEvm, ["DryRunStarted", "TaskDecommitmentCompleted"]],
  ];
  for (const [edition, request, names] of cases) {
    it(`submits, awaits and reads results over API version ${edition}, and records it`, async () => {
      await start(edition);
      const { hdp } = connection;
      expect((await Session.of(connection).processor()).info).to.deep.equal({
        kind: "remote",
        description: `data processor at ${new URL(server.url).host}, API version ${edition}`,
      });
      // The class is another one's: it can be sent, and not run.
      const submission = await hdp.submit(request, { rehearsal: edition !== "module-tasks" });
      expect(submission.taskHashes).to.deep.equal(hashesOf(request));
      expect(submission.parts).to.have.length(1);
      expect(submission.parts[0]).to.deep.include({ id: submission.id, processor: edition });
      const seen: string[] = [];
      const finished = await hdp.await(submission, { onStatus: ({ name }) => seen.push(name) });
      expect(seen).to.deep.equal(names);
      expect(finished.status.phase).to.equal("finalized");
      const results = await Promise.all(
        finished.taskHashes.map(async (hash) => await hdp.readResult(hash)),
      );
      expect(results.map(({ value }) => value)).to.deep.equal(hashesOf(request).map(valueOf));
      expect(project.history()).to.deep.equal([
        "claimed",
        "sending",
        "accepted",
        ...names,
        "finalized",
        ...request.tasks.map(() => "result"),
      ]);
      const [record] = project.submissions();
      expect(record).to.include({
        serviceId: submission.id,
        network: "remote",
        state: "finalized",
      });
      expect(record?.parts.map(({ word }) => BigInt(word ?? 0))).to.deep.equal(
        hashesOf(request).map(valueOf),
      );
    });
  }

  it("names the transaction that finalized a result of the service, by the store's event", async () => {
    await start("tasks");
    const { hdp, provider } = connection;
    const results = await hdp.run(datalakeRequest);
    for (const { transactionHash, blockNumber, store, taskHash: hash } of results) {
      const receipt = (await provider.request({
        method: "eth_getTransactionReceipt",
        params: [transactionHash],
      })) as { blockNumber: Hex; logs: { address: string; topics: Hex[]; data: Hex }[] };
      expect(BigInt(receipt.blockNumber)).to.equal(blockNumber);
      expect(store).to.equal(getAddress(store));
      const logs = receipt.logs.filter(({ address }) => getAddress(address) === store);
      expect(
        logs.some(({ topics, data }) => [...topics, data].join().includes(hash.slice(2))),
      ).to.equal(true);
    }
  });

  it("looks for the hash of a task that nobody submitted in the connection's own store", async () => {
    await start("tasks");
    const chains = { networks: { elsewhere: { type: "edr-simulated" } } } as const;
    const { networks } = remoteNetwork(server.url, "tasks", {
      chains: { ETHEREUM_SEPOLIA: "elsewhere" },
    });
    const { hre } = await testProject(
      { networks: { ...networks, ...chains.networks } },
      project.root,
    );
    const { hdp } = await hre.network.create("remote");
    const [hash] = hashesOf(datalakeRequest);
    if (hash === undefined) throw new Error("the request has tasks");
    const { store } = await hdp.finalize(hash, 42n);
    expect(await hdp.status(hash)).to.include({ phase: "finalized" });
    const finished = await hdp.await(hash);
    expect((await finished.results()).map((result) => [result.value, result.store])).to.deep.equal([
      [42n, store],
    ]);
  });

  it("runs in one call, and reads the state by id and by task hash", async () => {
    await start("tasks");
    const [run] = await connection.hdp.run(datalakeRequest);
    const [hash] = hashesOf(datalakeRequest);
    expect(run.value).to.equal(valueOf(hash ?? "0x"));
    for (const name of ["task-1", hash ?? ""]) {
      expect(await connection.hdp.status(name)).to.deep.include({
        name: "TaskDecommitmentCompleted",
        phase: "finalized",
      });
    }
  });

  it("returns what is open instead of sending it again; force sends", async () => {
    await start("tasks");
    server.state.hold = true;
    const first = await connection.hdp.submit(datalakeRequest);
    const plans: SubmitPlan[] = [];
    const again = await connection.hdp.submit(datalakeRequest, {
      onPlan: (plan) => plans.push(plan),
    });
    expect(again.id).to.equal(first.id);
    expect(plans).to.have.length(1);
    expect(plans[0]?.send).to.deep.equal([]);
    expect(plans[0]?.reuse).to.deep.equal(hashesOf(datalakeRequest));
    expect(plans[0]?.sentences.join("\n")).to.match(
      /^0 of 1 task to send\.\n0x9316[0-9a-f]+ is not sent: submitted .* as task-1\.$/,
    );
    expect(server.posts()).to.have.length(1);
    const forced = await connection.hdp.submit(datalakeRequest, { force: true });
    expect(forced.id).to.equal("task-2");
    expect(server.posts()).to.have.length(2);
  });

  /** What a command says on the connection's network. */
  /** Of the command that was run last. */
  let exitCode: typeof process.exitCode;
  const said = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const { hre } = project;
    const network = Object.assign(Object.create(hre.network) as typeof hre.network, {
      getOrCreate: async () => await Promise.resolve(connection),
    });
    const run = await runCommand(
      name,
      given,
      Object.assign(Object.create(hre) as typeof hre, { network }),
    );
    exitCode = run.exitCode;
    return `${run.error instanceof Error ? run.error.message : ""}${run.stdout}`;
  };

  /** A count over a field that no published evaluator has a value for. */
  const blooms = () => {
    const [task] = toTaskRequestJson(datalakeRequest)["tasks"] as [
      { type: string; datalake: object; compute: object },
    ];
    const datalake = { ...task.datalake, sampledProperty: "header.logs_bloom" };
    return { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [{ ...task, datalake }] };
  };

  it("refuses a field without a value, by force too, and sends nothing; where it is asked for the service gets it", async () => {
    await start("tasks");
    for (const options of [{}, { force: true }]) {
      const error = await connection.hdp.submit(blooms(), options).catch(String);
      expect(error).to.contain(
        "count cannot run over header.logs_bloom: its 256 bytes are not an integer.",
      );
      expect(error).to.contain(
        "--unsupported-fields (unsupportedFields: true) sends the task all the same",
      );
    }
    expect(server.posts()).to.deep.equal([]);
    await connection.hdp.submit(blooms(), { unsupportedFields: true });
    expect(server.posts()[0]?.body).to.contain('"header.logs_bloom"');
  });

  it("sends a task with such a field once: again only by force", async () => {
    await start("tasks");
    server.state.hold = true;
    const unsupportedFields = true;
    const { id } = await connection.hdp.submit(blooms(), { unsupportedFields });
    expect((await connection.hdp.submit(blooms(), { unsupportedFields })).id).to.equal(id);
    expect(server.posts()).to.have.length(1);
    expect(
      (await connection.hdp.submit(blooms(), { unsupportedFields, force: true })).id,
    ).not.to.equal(id);
    expect(server.posts()).to.have.length(2);
  });

  it("hdp:submit keeps the two apart as well", async () => {
    await start("tasks");
    server.state.hold = true;
    await writeFile(join(project.root, "blooms.json"), JSON.stringify(blooms()));
    const submitted = async (flags: Record<string, boolean>): Promise<string> =>
      await said("submit", { file: "blooms.json", noWait: true, ...flags });
    expect(await submitted({ force: true })).to.match(/HDP-1106[^]*--unsupported-fields/);
    expect(server.posts()).to.have.length(0);
    expect(await submitted({ unsupportedFields: true })).to.contain("Submission  task-1");
    expect(await submitted({ unsupportedFields: true }))
      .to.contain("is not sent")
      .and.to.contain("task-1");
    expect(server.posts()).to.have.length(1);
    expect(await submitted({ unsupportedFields: true, force: true })).to.contain(
      "Submission  task-2",
    );
    expect(server.posts()).to.have.length(2);
  });

  it("computes no such field locally, whatever is asked for", async () => {
    await start("tasks");
    const { hdp } = await project.hre.network.create();
    const error = await hdp
      .submit(blooms(), { unsupportedFields: true, force: true })
      .catch(String);
    expect(error).to.contain("HDP-1106");
  });

  it("finds results under the service's own hashes where they are others, also in another process", async () => {
    await start("batch");
    const [ours = "0x"] = hashesOf(datalakeRequest);
    const theirs: Hex = `0x${"c9".repeat(32)}`;
    server.state.rehash = () => theirs;
    const [run] = await connection.hdp.run(datalakeRequest);
    expect(run).to.deep.include({ taskHash: ours, storedUnder: theirs, value: valueOf(theirs) });
    // A connection of its own knows only what is recorded.
    const other = await project.hre.network.create("remote");
    await other.hdp.finalize(theirs, 9n);
    expect(await other.hdp.readResult(ours)).to.deep.include({
      taskHash: ours,
      storedUnder: theirs,
      value: 9n,
    });
    const [record] = await other.hdp.submissions.list();
    expect(record?.parts[0]).to.include({ hash: ours, serviceHash: theirs });
    await other.close();
  });

  it("finds them under ours where the store has only that", async () => {
    await start("batch");
    const [ours = "0x"] = hashesOf(datalakeRequest);
    server.state.rehash = () => `0x${"c9".repeat(32)}`;
    server.state.hold = true;
    const submission = await connection.hdp.submit(datalakeRequest);
    await connection.hdp.finalize(ours, 7n);
    expect(await connection.hdp.readResult(ours)).to.deep.include({
      taskHash: ours,
      storedUnder: ours,
      value: 7n,
    });
    expect(submission.parts[0]?.serviceTaskHashes).to.have.length(1);
  });

  it("says that the service returned another hash, and ends with exit code 1", async () => {
    await start("batch");
    const [ours = "0x"] = hashesOf(datalakeRequest);
    const theirs: Hex = `0x${"c9".repeat(32)}`;
    server.state.rehash = () => theirs;
    await writeFile(
      join(project.root, "task.json"),
      JSON.stringify(toTaskRequestJson(datalakeRequest)),
    );
    const saidWithCode = async (name: string, given: Record<string, unknown>): Promise<string> => {
      const text = await said(name, given);
      expect(exitCode, text).to.equal(1);
      return text;
    };
    const submitted = await saidWithCode("submit", { file: "task.json" });
    expect(submitted).to.contain(
      `! the service returned ${theirs} for task ${ours}: it may compute another task.`,
    );
    const elsewhere = `! stored under ${theirs}, which the service returned`;
    expect(submitted).to.contain(elsewhere);
    expect(await saidWithCode("await", { ids: ["batch-1"] })).to.contain(elsewhere);
    expect(await saidWithCode("result", { taskHash: ours })).to.contain(elsewhere);
    await connection.hdp.finalize(ours, 7n);
    const own = await saidWithCode("result", { taskHash: ours });
    expect(own)
      .to.contain("Result  7 ")
      .and.to.contain("! stored under this hash; the service returned another one");
  });

  it("takes an id of the service as it is", async () => {
    await start("tasks");
    await writeFile(
      join(project.root, "task.json"),
      JSON.stringify(toTaskRequestJson(datalakeRequest)),
    );
    const submitted = async (): Promise<string> =>
      await said("submit", { file: "task.json", noWait: true });
    const line = "Waiting can be resumed: npx hardhat hdp:await finalized --network remote";
    const [hash = "0x"] = hashesOf(datalakeRequest);
    server.state.id = "finalized";
    server.state.hold = true;
    expect(await submitted()).to.contain(line);
    expect(await submitted())
      .to.contain("0 of 1 task to send")
      .and.to.contain(line);
    expect(await connection.hdp.status("finalized")).to.include({ phase: "pending" });
    server.state.hold = false;
    expect((await (await connection.hdp.await("finalized")).results())[0]?.value).to.equal(
      valueOf(hash),
    );
    expect(await submitted()).not.to.contain("can be resumed");
  });

  it("says that there is no submission to wait for", async () => {
    await start("tasks");
    const error = await rejection(connection.hdp.await("finalized"));
    expect(error).to.have.property("code", "HDP-5010");
    expect(String(error)).to.contain('there is no submission "finalized"');
  });

  it("looks again where the store is behind the service, until the wait's limit", async () => {
    await start("tasks");
    server.state.lag = 700;
    const [run] = await connection.hdp.run(datalakeRequest);
    expect(run.value).to.equal(valueOf(hashesOf(datalakeRequest)[0] ?? "0x"));
    expect(run).not.to.have.property("storedUnder");
    server.state.lag = 600_000;
    const late = await connection.hdp.submit(moduleToEvm);
    const error = await rejection(connection.hdp.await(late, { timeout: 1_300 }));
    expect(error).to.have.property("code", "HDP-2081");
    expect(String(error)).to.contain("the service says that it is finalized, the store has 0 of 1");
    // The wrong store would be waited for in vain.
    expect(String(error)).to.contain(
      "If they never come, the service stores results in another store: name that one in networks.remote.hdp.executionStore.address.",
    );
    // The chain may have been taken back since: this one's tasks can be sent again.
    expect(String(error)).to.contain(
      "give it up, so that its tasks can be sent again: npx hardhat hdp resume ",
    );
  });

  it("calls onTrouble for each look at a service that is gone, and goes on waiting", async () => {
    await start("tasks");
    server.state.hold = true;
    const { hdp } = connection;
    const submission = await hdp.submit(datalakeRequest);
    await server.close();
    const codes: string[] = [];
    const onTrouble = ({ code, shortMessage }: HdpError): void => {
      codes.push(code);
      expect(shortMessage).to.contain("no connection to the data processor");
    };
    const error = await rejection(hdp.await(submission, { timeout: 1_300, onTrouble }));
    expect(isHdpError(error, "HDP-2081")).to.equal(true);
    expect(new Set(codes)).to.deep.equal(new Set(["HDP-2063"]));

    const run = await runCommand("await", { ids: [submission.id], timeout: "0.2" }, project.hre);
    expect(run.stdout).to.match(
      /^ {2}! no connection since \d\d:\d\d, next try in 0\.\d s\n {4}no connection to the data/,
    );
  });

  it("says how a submission is given up that the service has forgotten, and sends its tasks again then", async () => {
    await start("tasks");
    server.state.hold = true;
    const submission = await connection.hdp.submit(datalakeRequest);
    const { id = "" } = (await connection.hdp.submissions.list())[0] ?? {};
    server.accepted.splice(0);
    const error = await rejection(connection.hdp.await(submission));
    expect(error).to.have.property("code", "HDP-2040");
    const givingUp = `npx hardhat hdp resume ${id} --lost --network remote`;
    expect(String(error)).to.contain(`Give it up, so that it can be sent again: ${givingUp}`);
    expect(String(error).split("no such task")).to.have.length(2);
    expect(await said("resume", { id, lost: true })).to.contain(
      `Submission  ${submission.parts[0]?.id ?? ""}\n  Given up.`,
    );
    server.state.hold = false;
    const [hash = "0x"] = hashesOf(datalakeRequest);
    expect((await connection.hdp.run(datalakeRequest))[0].value).to.equal(valueOf(hash));
    expect(server.posts()).to.have.length(2);
  });

  it("returns what the store has without asking the service", async () => {
    await start("tasks");
    const [hash] = hashesOf(datalakeRequest);
    await connection.hdp.finalize(hash ?? "0x", 5n);
    const [run] = await connection.hdp.run(datalakeRequest);
    expect(run.value).to.equal(5n);
    expect(server.seen).to.deep.equal([]);
  });

  it("sends of a batch only what is missing, and awaits all of it", async () => {
    await start("batch");
    await connection.hdp.submit(datalakeRequest);
    const submission = await connection.hdp.submit(both);
    expect(submission.parts.map(({ id }) => id)).to.deep.equal(["batch-2", "batch-1"]);
    expect(server.accepted.map(({ hashes }) => hashes)).to.deep.equal([
      hashesOf(datalakeRequest),
      hashesOf(moduleToEvm),
    ]);
    await connection.hdp.await(submission);
    for (const hash of submission.taskHashes)
      expect((await connection.hdp.readResult(hash)).value).to.equal(valueOf(hash));
  });

  it("awaits a task hash that was not submitted from here in the store", async () => {
    await start("tasks");
    const hash = `0x${"ab".repeat(32)}` as const;
    expect(await connection.hdp.status(hash)).to.deep.include({
      name: "Unknown",
      phase: "pending",
    });
    await connection.hdp.finalize(hash, 3n);
    expect((await connection.hdp.await(hash)).status).to.deep.equal({
      name: "Finalized",
      phase: "finalized",
    });
    expect(server.seen).to.deep.equal([]);
  });

  it("carries what the service says of a failure", async () => {
    await start("tasks");
    server.state.mishap = "fail";
    const error = await rejection(connection.hdp.run(datalakeRequest));
    expect(isHdpError(error, "HDP-2091"), String(error)).to.equal(true);
    expect(String(error)).to.contain("DryRunFailed").and.to.contain("the module panicked");
    // The service of this API version starts nothing again.
    expect(String(error)).to.not.contain("service-tasks");
    expect(project.submissions()[0]?.seen).to.include({ phase: "failed", name: "DryRunFailed" });
    server.state.mishap = "none";
    expect((await connection.hdp.submit(datalakeRequest)).id).to.equal("task-2");
  });

  it("records a refusal and sends again afterwards", async () => {
    await start("tasks");
    server.state.mishap = "refuse";
    const error = await rejection(connection.hdp.submit(datalakeRequest));
    expect(isHdpError(error)).to.equal(true);
    expect(project.history()).to.deep.equal(["claimed", "sending", "refused"]);
    server.state.mishap = "none";
    expect((await connection.hdp.submit(datalakeRequest)).id).to.equal("task-1");
  });

  it("sends the class of a module that it knows, in the API version that carries one", async () => {
    await start("module-tasks");
    const { hdp } = connection;
    const file = join(root, "examples", "module-balance", "compiled", EXAMPLE_CLASS);
    const programHash = await hdp.program.register(file);
    await hdp.submit(moduleTask({ programHash, inputs: [] }), { rehearsal: false });
    const [sent] = server.posts();
    const { input } = JSON.parse(sent?.body ?? "{}") as { input: { compiled_class: unknown } };
    expect(input.compiled_class).to.deep.equal(JSON.parse(await readFile(file, "utf8")));
  });

  it("sends the configured webhook, mock, schedule and state server along, and nothing where its variable is missing", async () => {
    await start("module-tasks");
    const service = {
      url: server.url,
      apiKey: configVariable(KEY_VARIABLE),
      edition: "module-tasks" as const,
    };
    const dataProcessor = {
      ...service,
      webhookUrl: configVariable("HDP_TEST_HOOK"),
      isMock: true,
      scheduleMode: "offchain",
      injectedStateServer: "https://tries.example.org",
    };
    const hooked = await testProject(remoteNetwork(server.url, "module-tasks", { dataProcessor }));
    await knowPrograms(hooked, ...PROGRAMS);
    const { hdp } = await hooked.hre.network.create("remote");
    const task = moduleTask({ programHash: "0x7", inputs: [] });
    const error = await rejection(hdp.submit(task));
    expect(isHdpError(error, "HDP-2003"), String(error)).to.equal(true);
    expect(String(error)).to.contain("HDP_TEST_HOOK").and.contain("dataProcessor.webhookUrl");
    expect(hooked.submissions()).to.deep.equal([]);
    process.env["HDP_TEST_HOOK"] = "https://hooks.example.org/done?token=5f2c";
    try {
      await hdp.submit(task, { rehearsal: false });
    } finally {
      Reflect.deleteProperty(process.env, "HDP_TEST_HOOK");
      await removeProject(hooked);
    }
    expect(JSON.parse(server.posts()[0]?.body ?? "{}")).to.include({
      webhook_url: "https://hooks.example.org/done?token=5f2c",
      is_mock: true,
      schedule_mode: "offchain",
      injected_state_server: "https://tries.example.org",
    });
  });

  it("sends and records blocks by reference as numbers", async () => {
    await start("tasks");
    await connection.hdp.store.current();
    const head = Number(await connection.provider.request({ method: "eth_blockNumber" }));
    const json = JSON.parse(JSON.stringify(toTaskRequestJson(datalakeRequest))) as {
      destinationChainId: string;
      tasks: { type: string; compute: unknown; datalake: Record<string, unknown> }[];
    };
    const [first] = json.tasks;
    if (first === undefined) throw new Error("the request has no task");
    Object.assign(first.datalake, { blockRangeStart: 0, blockRangeEnd: "latest" });
    await connection.hdp.submit(json);
    const sent = JSON.parse(server.posts()[0]?.body ?? "{}") as typeof json;
    expect(sent.tasks[0]?.datalake).to.include({ blockRangeStart: 0, blockRangeEnd: head });
    const [record] = project.submissions();
    expect(record).to.have.nested.property("request.tasks[0].datalake.blockRangeEnd", BigInt(head));
  });

  it("sends nothing twice after a dropped answer, explains it, and resumes with the service's id", async () => {
    await start("tasks");
    server.state.mishap = "drop";
    const lost = await rejection(connection.hdp.submit(datalakeRequest));
    expect(isHdpError(lost, "HDP-5008"), String(lost)).to.equal(true);
    server.state.mishap = "none";
    const again = await rejection(connection.hdp.submit(datalakeRequest));
    expect(isHdpError(again, "HDP-5005"), String(again)).to.equal(true);
    expect(server.posts()).to.have.length(1);
    const { refusals } = await connection.hdp.preflight(datalakeRequest);
    expect(refusals.map(({ code }) => code)).to.deep.equal(["HDP-5005"]);

    const [record] = await connection.hdp.submissions.list();
    expect(record?.state).to.equal("unknown");
    const id = record?.id ?? "";
    const [hash = ""] = hashesOf(datalakeRequest);
    const network = "--network remote";
    expect(record?.explanation.nextSteps).to.deep.equal([
      `Look whether the results arrived on ETHEREUM_SEPOLIA: npx hardhat hdp:result ${hash} ${network}`,
      `If the service shows it, name its id: npx hardhat hdp resume ${id} --accepted <service id> ${network}`,
      `Give it up, so that it can be sent again: npx hardhat hdp resume ${id} --lost ${network}`,
      `Send it again: npx hardhat hdp:submit <file> --force ${network} (if the first was accepted it is done, and charged, twice)`,
    ]);
    const undecided = await rejection(connection.hdp.submissions.resume(id));
    expect(isHdpError(undecided, "HDP-5009"), String(undecided)).to.equal(true);
    const resumed = await connection.hdp.submissions.resume(id, { accepted: "task-1" });
    expect(resumed.record.state).to.equal("finalized");
    expect(resumed.results.map(({ value }) => value)).to.deep.equal(
      hashesOf(datalakeRequest).map(valueOf),
    );
    expect(server.posts()).to.have.length(1);
  });

  it("prints the results of a submission by the beginning of its id, and what is unfinished alone", async () => {
    await start("tasks");
    const [record] =
      (await connection.hdp.run(datalakeRequest), await connection.hdp.submissions.list());
    const [hash = ""] = hashesOf(datalakeRequest);
    for (const name of ["task-1", record?.id ?? "", (record?.id ?? "").slice(0, 8), hash]) {
      expect(await said("result", { taskHash: name }), name).to.contain(`task ${hash}`);
      const [, first] = /Result(?: 1)? +(.*)/.exec(await said("result", { taskHash: name })) ?? [];
      expect(await said("await", { ids: [name] }), name).to.contain(first);
    }
    expect(await said("result", { taskHash: "task-2" })).to.contain(
      'HDP-3011 in taskHash: "task-2" is not a task hash, nor the id of a submission.',
    );
    expect(await said("list", { unfinished: true })).to.contain("Every submission is finished.");
    server.state.hold = true;
    await connection.hdp.submit(moduleToEvm);
    expect(await said("list", { unfinished: true }))
      .to.contain("task-2")
      .and.not.to.contain("task-1");
  });

  it("lists as much of an id as distinguishes it from the others", async () => {
    await start("tasks");
    const store = new SubmissionStore({
      path: join(project.root, "hdp", "submissions.db"),
      now: Date.now,
    });
    for (const end of ["a-long-rest", "b-long-rest"]) {
      store.insert({
        id: `01890000-${end}`,
        kind: "tasks",
        state: "sending",
        forced: false,
        network: "remote",
        processor: "tasks",
        destinationChainId: "ETHEREUM_SEPOLIA",
        parts: [],
      });
    }
    store.move("01890000-b-long-rest", ["sending"], "accepted", {
      serviceId: "01HXSAMESTARTOFTWO",
    });
    expect(await said("list", {}))
      .to.match(/^ +01890000-a +/m)
      .and.match(/^ +01HXSAMEST +/m);
    store.move("01890000-a-long-rest", ["sending"], "accepted", {
      serviceId: "01HXSAMESTARTOFONE",
    });
    store.close();
    expect(await said("list", {}))
      .to.match(/^ +01HXSAMESTARTOFT +/m)
      .and.match(/^ +01HXSAMESTARTOFO +/m);
  });

  it("records no id that the service does not know, or that is another submission's", async () => {
    await start("tasks");
    await connection.hdp.run(datalakeRequest);
    server.state.mishap = "drop";
    await rejection(connection.hdp.submit(moduleToEvm));
    server.state.mishap = "none";
    const [, lost] = await connection.hdp.submissions.list();
    const resumed = async (accepted: string): Promise<string> =>
      await said("resume", { id: lost?.id, accepted });
    expect(await resumed("task-1")).to.contain(
      "HDP-5017: task-1 is not the service's id of submission",
    );
    expect(await resumed("task-7")).to.contain("HDP-2040");
    expect((await connection.hdp.submissions.list())[1]).to.include({
      state: "unknown",
      serviceId: undefined,
    });
  });

  it("finds the results of a submission of unknown outcome in the store", async () => {
    await start("tasks");
    server.state.mishap = "drop";
    await rejection(connection.hdp.submit(datalakeRequest));
    const [hash] = hashesOf(datalakeRequest);
    await connection.hdp.finalize(hash ?? "0x", 8n);
    const { record, results } = await connection.hdp.submissions.resume(hash ?? "");
    expect(results.map(({ value }) => value)).to.deep.equal([8n]);
    expect(record.state).to.equal("finalized");
    expect(project.history().slice(-2)).to.deep.equal(["result", "finalized"]);
  });

  it("reads no result under a hash that another service had for the task", async () => {
    await start("tasks");
    const [ours = "0x"] = hashesOf(datalakeRequest);
    const theirs: Hex = `0x${"ab".repeat(32)}`;
    const store = new SubmissionStore({
      path: join(project.root, "hdp", "submissions.db"),
      now: Date.now,
    });
    store.insert({
      id: "other",
      kind: "tasks",
      state: "sending",
      forced: false,
      network: "other",
      processor: "tasks",
      destinationChainId: "ETHEREUM_SEPOLIA",
      parts: [{ hash: ours, identity: "elsewhere", live: true }],
      ...serviceAddress(new URL("/staging", server.url)),
    });
    store.move("other", ["sending"], "accepted", { serviceId: "task-1", serviceHashes: [theirs] });
    store.close();
    await connection.hdp.finalize(theirs, 99n);
    await connection.hdp.finalize(ours, 6n);
    const result = await connection.hdp.readResult(ours);
    expect(result)
      .to.deep.include({ taskHash: ours, value: 6n })
      .and.not.to.have.property("storedUnder");
    // Nor is it recorded as the other service's.
    expect(project.history()).to.deep.equal(["sending", "accepted"]);
  });

  it("gives a submission up, after which its tasks are sent", async () => {
    await start("tasks");
    server.state.mishap = "drop";
    await rejection(connection.hdp.submit(datalakeRequest));
    server.state.mishap = "none";
    const unfinished = await connection.hdp.submissions.list({ unfinished: true });
    expect(unfinished).to.have.length(1);
    const id = unfinished[0]?.id ?? "";
    const contradiction = await rejection(
      connection.hdp.submissions.resume(id, { lost: true, accepted: "x" }),
    );
    expect(isHdpError(contradiction, "HDP-6003")).to.equal(true);
    expect((await connection.hdp.submissions.resume(id, { lost: true })).record.state).to.equal(
      "lost",
    );
    expect(await connection.hdp.submissions.list({ unfinished: true })).to.deep.equal([]);
    expect((await connection.hdp.submit(datalakeRequest)).id).to.equal("task-2");
  });

  it("resumes on the network a submission was made on", async () => {
    await start("tasks");
    // The shared connection of the network is another chain than the one created above.
    const shared = await project.hre.network.getOrCreate("remote");
    const { id } = await shared.hdp.submit(datalakeRequest);
    const [hash] = hashesOf(datalakeRequest);
    await shared.hdp.finalize(hash ?? "0x", 6n);
    const { results } = await project.hre.hdp.submissions.resume(id);
    expect(results.map(({ value }) => value)).to.deep.equal([6n]);
  });

  it("does not ask another service for a submission", async () => {
    await start("tasks");
    await connection.hdp.submit(datalakeRequest);
    const moved = await testProject(remoteNetwork(await closedAddress(), "tasks"), project.root);
    const elsewhere = await moved.hre.network.create("remote");
    const error = await rejection(elsewhere.hdp.status("task-1"));
    expect(isHdpError(error, "HDP-6045"), String(error)).to.equal(true);
    await elsewhere.close();
  });

  it("sends nothing and records nothing without a key, and names the variable", async () => {
    await start("tasks");
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    const error = await rejection(connection.hdp.submit(datalakeRequest));
    expect(isHdpError(error, "HDP-2003"), String(error)).to.equal(true);
    expect(String(error))
      .to.contain(KEY_VARIABLE)
      .and.to.contain("networks.remote.hdp.dataProcessor.apiKey");
    expect(String(error))
      .to.contain(`Set the environment variable ${KEY_VARIABLE}.`)
      .and.to.contain(`npx hardhat keystore set ${KEY_VARIABLE}`);
    expect(server.seen).to.deep.equal([]);
    expect(project.submissions()).to.deep.equal([]);
  });

  it("suggests the keystore where the project has the plugin", async () => {
    await start("tasks");
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    const before = process.cwd();
    await mkdir(join(project.root, "node_modules", "@nomicfoundation", "hardhat-keystore"), {
      recursive: true,
    });
    process.chdir(project.root);
    try {
      const error = await rejection(connection.hdp.submit(datalakeRequest));
      expect(String(error)).to.contain(
        `Or keep it encrypted: npx hardhat keystore set ${KEY_VARIABLE}`,
      );
    } finally {
      process.chdir(before);
    }
  });

  it("reads neither key nor address in local mode", async () => {
    await start("tasks");
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    const dataProcessor = {
      url: configVariable("HDP_TEST_UNSET_URL"),
      apiKey: configVariable(KEY_VARIABLE),
    };
    const local = await testProject({ hdp: { dataProcessor } }, project.root);
    const own = await local.hre.network.create();
    expect((await Session.of(own).processor()).info).to.deep.equal({
      kind: "local",
      description: "local data processor",
    });
    const task = {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0,
      blockRangeEnd: 0,
    };
    const [run] = await own.hdp.run({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [
        {
          type: "DatalakeCompute",
          datalake: { ...task, sampledProperty: "header.number" },
          compute: { aggregateFnId: "sum" },
        },
      ],
    });
    expect(run.value).to.equal(0n);
    await own.close();
  });

  it("names an address that is not set", async () => {
    await start("tasks");
    const dataProcessor = {
      url: configVariable("HDP_TEST_UNSET_URL"),
      apiKey: configVariable(KEY_VARIABLE),
    };
    const unset = await testProject(
      { networks: { remote: { type: "edr-simulated", hdp: { dataProcessor } } } },
      project.root,
    );
    const own = await unset.hre.network.create("remote");
    const error = await rejection(own.hdp.submit(datalakeRequest));
    expect(isHdpError(error, "HDP-2003"), String(error)).to.equal(true);
    expect(String(error)).to.contain("HDP_TEST_UNSET_URL");
    await own.close();
  });

  it("checks the store before anything is sent", async () => {
    await start("tasks");
    const store = { executionStore: { address: `0x${"12".repeat(20)}` } };
    const wrong = await testProject(remoteNetwork(server.url, "tasks", store), project.root);
    const own = await wrong.hre.network.create("remote");
    const error = await rejection(own.hdp.submit(datalakeRequest));
    expect(
      isHdpError(error, "HDP-3002") ||
        isHdpError(error, "HDP-3003") ||
        isHdpError(error, "HDP-3001"),
      String(error),
    ).to.equal(true);
    expect(server.seen).to.deep.equal([]);
    await own.close();
  });

  for (const [edition, request] of cases) {
    it(`names a node at the address of a service of API version ${edition}, and leaves nothing unknown`, async () => {
      await start(edition);
      const node = await project.hre.network.createServer("default", "127.0.0.1", 0);
      const { address, port } = await node.listen();
      const url = `http://${address}:${port}`;
      const wrong = await testProject(remoteNetwork(url, edition), project.root);
      await knowPrograms(wrong, ...PROGRAMS);
      const own = await wrong.hre.network.create("remote");
      try {
        const error = await rejection(own.hdp.submit(request, { rehearsal: false }));
        expect(isHdpError(error, "HDP-2011"), String(error)).to.equal(true);
        expect(String(error)).to.contain(`a node of a chain answers at POST ${url}/`);
        expect(wrong.submissions().map(({ state }) => state)).to.deep.equal(["refused"]);
      } finally {
        await own.close();
        await node.close();
      }
    });
  }
});

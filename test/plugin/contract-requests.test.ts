import { expect } from "chai";
import { type Hex, encodeFunctionData, zeroHash } from "viem";

import { isHdpError, taskHash, type ModuleTask } from "../../src/entries/request.js";
import { hdpExecutionStoreMockAbi } from "../../src/entries/store.js";
import { rejection } from "../support/failure.js";
import { knowPrograms } from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";
import { type ServiceProject, serviceProject } from "../support/service-project.js";

const PROGRAM: Hex = "0x7";
const task = (input: Hex): ModuleTask => ({
  type: "Module",
  programHash: PROGRAM,
  inputs: [{ visibility: "public", value: input }],
});
const word = (felt: Hex): Hex => `0x${felt.slice(2).padStart(64, "0")}`;

describe("plugin: what contracts ask for", () => {
  let made: ServiceProject;
  let store: Hex;

  beforeEach(async () => {
    made = await serviceProject("module-tasks", {}, "remote");
    await knowPrograms(made.project, PROGRAM);
    ({ address: store } = await made.connection.hdp.deployExecutionStore());
  });
  afterEach(async () => {
    await made.close();
  });

  /** Asks for a task on chain. @returns the transaction */
  async function ask(input: Hex, programHash: Hex = PROGRAM, from = 0): Promise<Hex> {
    const data = encodeFunctionData({
      abi: hdpExecutionStoreMockAbi,
      functionName: "requestDataProcessorExecutionOfTask",
      args: [{ programHash: word(programHash), inputs: [word(input)] }],
    });
    const { provider } = made.connection;
    const accounts = (await provider.request({ method: "eth_accounts" })) as Hex[];
    const transaction = { from: accounts[from], to: store, data };
    return (await provider.request({
      method: "eth_sendTransaction",
      params: [transaction],
    })) as Hex;
  }
  const run = async (name: string, given: object): Promise<CommandRun> => {
    // The class that is known for the program stands for another's: it takes no such inputs.
    const usual = { json: true, ...(name === "submit" && { noRehearsal: true }) };
    return await runCommand(name, { ...usual, ...given }, made.project.hre);
  };
  const documentOf = async (name: string, given: object): Promise<unknown> => {
    const { stdout, error } = await run(name, given);
    if (error instanceof Error) throw error;
    return JSON.parse(stdout) as unknown;
  };
  const posted = (): Record<string, unknown>[] =>
    made.server.posts().map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  it("lists what has no result, with who asked and what became of it here", async () => {
    expect(await documentOf("list", { requests: store })).to.deep.equal([]);
    const [first, second] = [await ask("0x5"), await ask("0x6", PROGRAM, 1)];
    await made.connection.hdp.finalize(taskHash(task("0x6")), 1n);
    const third = await ask("0x9");
    const listed = (await documentOf("list", { requests: store })) as Record<string, unknown>[];
    expect(listed.map(({ transactionHash }) => transactionHash)).to.deep.equal([first, third]);
    expect(listed[0]).to.include({
      taskHash: taskHash(task("0x5")),
      programHash: word(PROGRAM),
      status: "scheduled",
      store: store.toLowerCase(),
      to: store.toLowerCase(),
    });
    const shown = await run("list", { requests: store, json: false });
    const asker = String(listed[0]?.["from"]);
    expect(shown.stdout).to.include(`${asker.slice(0, 6)}…${asker.slice(-4)}  not sent`);
    expect(listed[0]?.["inputs"]).to.deep.equal([word("0x5")]);
    expect(listed[0]).to.not.have.property("submission");
    await documentOf("submit", { request: first });
    made.server.state.hold = true;
    await documentOf("submit", { request: third, noWait: true });
    const [open, ...others] = (await documentOf("list", { requests: store })) as object[];
    expect(open).to.have.nested.property("submission.state", "accepted");
    expect(others).to.deep.equal([]);
    const block: unknown = await made.connection.provider.request({ method: "eth_blockNumber" });
    const since = String(Number(block) + 1);
    expect(await documentOf("list", { requests: store, since })).to.deep.equal([]);
    expect(second).to.not.equal(first);
  });

  it("submits a request with its transaction, and awaits the result", async () => {
    const transaction = await ask("0x5");
    const { stdout, error } = await run("submit", { request: transaction, json: false });
    expect(error).to.equal(undefined);
    expect(stdout)
      .to.match(/Submission +task-1\n/)
      .and.include("Result  ");
    const [body] = posted();
    expect(body).to.include({ schedule_tx_hash: transaction, schedule_mode: "onchain" });
    expect(body?.["program_hash"]).to.equal(PROGRAM);
    expect(body).to.have.nested.property("input.params[0].value", "0x5");
    expect(await made.connection.hdp.readResult(taskHash(task("0x5")))).to.have.property("word");
    const [record] = made.project.submissions();
    expect(record).to.include({ label: transaction, state: "finalized" });
  });

  it("sends a request once: again neither while it is open, nor after it failed, nor after its result", async () => {
    const transaction = await ask("0x5");
    made.server.state.hold = true;
    await documentOf("submit", { request: transaction, noWait: true });
    await documentOf("submit", { request: transaction, noWait: true });
    expect(posted().length).to.equal(1);
    made.server.state.hold = false;
    await documentOf("submit", { request: transaction });
    await documentOf("submit", { request: transaction });
    expect(posted().length).to.equal(1);

    const failing = await ask("0x6");
    made.server.state.mishap = "fail";
    const failed = await rejection(documentOf("submit", { request: failing }));
    expect(isHdpError(failed, "HDP-2091"), String(failed)).to.equal(true);
    expect(String(failed)).to.include(
      "\n  Start it again there: npx hardhat hdp service-tasks retry task-2 --network remote\n",
    );
    const again = await rejection(documentOf("submit", { request: failing }));
    expect(isHdpError(again, "HDP-5020"), String(again)).to.equal(true);
    expect(String(again)).to.include("service-tasks retry task-2").and.include("DryRunFailed");
    expect(posted().length).to.equal(2);
    made.server.state.mishap = "none";
    await documentOf("submit", { request: failing, force: true });
    expect(posted().length).to.equal(3);
  });

  it("shows the history of a failed task, and retries it once, after which it is open", async () => {
    const transaction = await ask("0x6");
    made.server.state.mishap = "fail";
    await rejection(documentOf("submit", { request: transaction }));
    const failed = (await documentOf("status", { id: "task-1" })) as { history: object[] };
    expect(failed).to.include({ name: "DryRunFailed", phase: "failed" });
    expect(failed.history).to.deep.equal([
      { id: "task-1", state: "Received", at: "2026-11-27T00:00:00.000Z" },
      { id: "task-1", state: "DryRunFailed", at: "2026-11-27T00:00:01.000Z" },
    ]);
    made.server.state.hold = true;
    const retry = { action: "retry", id: "task-1" };
    expect(await documentOf("service-tasks", retry)).to.have.property("uuid", "task-1");
    const again = await rejection(documentOf("service-tasks", retry));
    expect(isHdpError(again, "HDP-5021"), String(again)).to.equal(true);
    expect(String(again)).to.include("it is accepted");
    // The task is open again: neither the request nor the task itself is sent.
    await documentOf("submit", { request: transaction, noWait: true });
    const posts = made.server.posts().map(({ url }) => url);
    expect(posts).to.deep.equal(["/tasks", "/tasks/task-1/retry"]);
    made.server.state.hold = false;
    await documentOf("await", { ids: ["task-1"] });
    expect(made.project.submissions()[0]).to.include({ state: "finalized" });
    expect(made.project.history()).to.include.members(["DryRunFailed", "sending", "accepted"]);
  });

  it("refuses what is no request, before anything is sent", async () => {
    const { provider } = made.connection;
    const [from] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    const plain = (await provider.request({
      method: "eth_sendTransaction",
      params: [{ from, to: from, value: "0x1" }],
    })) as Hex;
    const asked = await ask("0x5");
    await made.connection.hdp.deployExecutionStore();
    for (const [request, code, words] of [
      ["0x12", "HDP-6003", "a transaction's hash"],
      [zeroHash, "HDP-3019", "it is not mined on this chain"],
      [plain, "HDP-3019", "it asked no store for a module task"],
      [asked, "HDP-3019", `it asked the store ${store.toLowerCase()}`],
    ] as const) {
      const error = await rejection(documentOf("submit", { request }));
      expect(isHdpError(error, code), String(error)).to.equal(true);
      expect(String(error)).to.include(words);
    }
    const both = await rejection(documentOf("submit", { request: asked, file: "task.json" }));
    expect(isHdpError(both, "HDP-6003"), String(both)).to.equal(true);
    expect(posted()).to.deep.equal([]);
  });

  it("refuses requests of contracts on Starknet by number, and says how they are submitted", async () => {
    const satellite = "0x00421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e";
    for (const [name, given, option] of [
      ["list", { requests: satellite }, "--requests"],
      ["list", { requests: satellite.replace("0x00", "0x") }, "--requests"],
      ["submit", { watch: satellite }, "--watch"],
      ["submit", { request: `0x${"1".repeat(63)}` }, "--request"],
    ] as const) {
      const error = await rejection(documentOf(name, given));
      expect(isHdpError(error, "HDP-3020"), String(error)).to.equal(true);
      expect(String(error)).to.include("ModuleTaskScheduled").and.include(option);
    }
    expect(posted()).to.deep.equal([]);
  });

  it("refuses to watch the store itself, which anybody asks for anything, before the question", async () => {
    await ask("0x5");
    const error = await rejection(documentOf("submit", { watch: store, timeout: "1" }));
    expect(isHdpError(error, "HDP-6003"), String(error)).to.equal(true);
    expect(String(error))
      .to.include(`in --watch: "${store}" is not an account or contract that asks`)
      .and.include("anybody may ask the execution store for anything, at your cost");
    expect(posted()).to.deep.equal([]);
  });

  it("watches an account, leaves what it cannot send, and submits the rest once", async () => {
    const before = await ask("0x5");
    // A program whose class is not known here, and another account's request of another contract.
    const unknown = await ask("0x5", "0x8");
    const [asker] = (await made.connection.provider.request({ method: "eth_accounts" })) as Hex[];
    const { stdout, error, exitCode } = await run("submit", { watch: asker, timeout: "1" });
    expect(error).to.equal(undefined);
    const document = JSON.parse(stdout) as { submitted: object[]; refused: object[] };
    expect(document.submitted.length).to.equal(1);
    expect(document.refused).to.have.nested.property("[0].error.code", "HDP-2023");
    expect(document.refused).to.have.nested.property("[0].transactionHash", unknown);
    expect(exitCode).to.equal(1);
    expect(posted().map((body) => body["schedule_tx_hash"])).to.deep.equal([before]);
    const again = await run("submit", { watch: asker, timeout: "1" });
    expect(JSON.parse(again.stdout)).to.have.property("submitted").with.length(1);
    expect(posted().length).to.equal(1);
    const other = await documentOf("submit", { watch: `0x${"12".repeat(20)}`, timeout: "1" });
    expect(other).to.deep.include({ submitted: [], refused: [] });
  });
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";
import { parseEther } from "viem";

import {
  markedFelts,
  moduleTask,
  type ModuleTask,
  type TaskResult,
  taskHash,
  unorderedRoot,
} from "../../src/entries/request.js";
import { flatProgramHash, parseCompiledClass } from "../../src/entries/program.js";
import type { HdpUserConfig } from "../../src/types.js";
import { printResults } from "../../src/tasks/ui/format.js";
import { hdpFailure } from "../support/failure.js";
import { root } from "../support/hardhat-cli.js";
import {
  knowPrograms,
  remoteNetwork,
  type TestProject,
  testProject,
} from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";
import { type ServiceProject, serviceProject } from "../support/service-project.js";
import type { ServiceServer } from "../support/service-server.js";
import { recordWarnings } from "../support/warnings.js";

/** The class of a module that returns a plain u256: `npm run cairo` makes it of the template `balance`. */
const CLASS = join(root, "test/plugin/compiled/plain_sum_Module.compiled_contract_class.json");
const ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BALANCE = parseEther("10000");
const SEPOLIA = 11155111n;
const SUM_OF = { chain: SEPOLIA, account: BigInt(ACCOUNT), first: 0n, last: 0n };
const SOURCES = { sources: { ETHEREUM_SEPOLIA: "remote" } };

describe("an output that a service publishes", () => {
  let opened: ServiceProject;
  let project: TestProject;
  let connection: NetworkConnection<string>;
  let server: ServiceServer;
  let sum: ModuleTask;

  async function start(hdp: HdpUserConfig = {}): Promise<void> {
    opened = await serviceProject("module-tasks", hdp);
    ({ project, connection, server } = opened);
    const programHash = await connection.hdp.program.register(CLASS);
    await knowPrograms(project, "0x7");
    sum = moduleTask({ programHash, inputs: Object.values(SUM_OF) });
  }

  /** The result of a module that returned some felts, of which the service publishes others. */
  async function resultOf(
    returned: readonly bigint[],
    published: readonly bigint[],
    task = sum,
  ): Promise<TaskResult> {
    server.state.returned = returned;
    server.state.published = published;
    const [result] = await connection.hdp.run(task, { rehearsal: false });
    expect(result.word).to.equal(unorderedRoot(returned));
    return result;
  }

  function shown(result: TaskResult): string {
    const lines: string[] = [];
    printResults({ line: (text = "") => lines.push(text) }, [result]);
    return lines.join("\n");
  }

  /** Runs a command on the connection's network. */
  async function run(name: string, given: Record<string, unknown>): Promise<CommandRun> {
    const { hre } = project;
    const network = Object.assign(Object.create(hre.network) as typeof hre.network, {
      getOrCreate: async () => await Promise.resolve(connection),
    });
    const { hdp } = connection;
    return await runCommand(
      name,
      given,
      Object.assign(Object.create(hre) as typeof hre, { network, hdp }),
    );
  }

  afterEach(async () => {
    await opened.close();
  });

  it("rejects an output where the halves of a u256 may be swapped: the root is the same", async () => {
    await start();
    const result = await resultOf([7n, 1n], [1n, 7n]);
    expect(result.preimage).to.deep.equal({ felts: [1n, 7n], matches: true, order: "unproven" });
    expect(shown(result))
      .to.contain(
        `! 0x1 0x7, in this order or another   (the word is the output root ${result.word}`,
      )
      .and.to.contain("! the order of the felts is only the service's word")
      .and.not.to.contain("checked")
      .and.not.to.contain("2,381,976,568,446,569,244,243,622,252,022,377,480,193");
    // Nor is the true order, as long as nothing tells it from the other.
    const { preimage } = await resultOf([7n, 1n], [7n, 1n], other());
    expect(preimage).to.deep.equal({ felts: [7n, 1n], matches: true, order: "unproven" });
  });

  /** The same task by another hash. */
  function other(): ModuleTask {
    return moduleTask({ programHash: sum.programHash, inputs: [1n] });
  }

  it("proves an output where no other order is a value of the return type", async () => {
    await start();
    const high = 1n << 127n;
    const result = await resultOf([high, high], [high, high]);
    expect(result.preimage).to.deep.equal({
      felts: [high, high],
      matches: true,
      order: "proven",
      decoded: high + (high << 128n),
    });
    expect(shown(result)).to.contain(
      `felts 0x${high.toString(16)} 0x${high.toString(16)}, from the service, checked against the output root`,
    );
  });

  it("proves one felt and marked felts, and rejects marked felts in another order", async () => {
    await start();
    const unknown = (input: bigint): ModuleTask =>
      moduleTask({ programHash: "0x7", inputs: [input] });
    const marked = markedFelts([5n, 7n, 9n]);
    const outputs = [[5n], [], marked] as const;
    for (const [index, felts] of outputs.entries()) {
      const { preimage } = await resultOf(felts, felts, unknown(BigInt(index)));
      expect(preimage).to.deep.equal({ felts, matches: true, order: "proven" });
    }
    const swapped = [marked[1] ?? 0n, marked[0] ?? 0n, marked[2] ?? 0n];
    const { preimage } = await resultOf(marked, swapped, unknown(9n));
    expect(preimage).to.deep.equal({ felts: swapped, matches: true, order: "unproven" });
  });

  it("shows an output with another root as what it is, and leaves out what is no list of felts", async () => {
    await start();
    const wrong = await resultOf([7n, 1n], [8n, 1n]);
    expect(wrong.preimage).to.deep.equal({ felts: [8n, 1n], matches: false });
    expect(shown(wrong))
      .to.contain("! the service says the word is made of the felts 0x8 0x1")
      .and.not.to.contain("returned;");
    for (const published of [[1n << 256n], undefined]) {
      server.state.published = published;
      const bare = await connection.hdp.readResult(wrong.taskHash);
      expect(bare.word).to.equal(wrong.word);
      expect(bare).not.to.have.property("preimage");
    }
  });

  it("settles an output by a run over the configured source that returns the same", async () => {
    await start(SOURCES);
    const result = await resultOf([BALANCE, 0n], [BALANCE, 0n]);
    expect(result.preimage).to.deep.equal({
      felts: [BALANCE, 0n],
      matches: true,
      order: "proven",
      decoded: BALANCE,
    });
  });

  it("throws with both outputs where a run over the configured source returns another order", async () => {
    await start(SOURCES);
    const error = await hdpFailure(resultOf([BALANCE, 0n], [0n, BALANCE]));
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4414",
      `the service says that the module returned the felts 0x0 0x${BALANCE.toString(16)}; run here, it returned 0x${BALANCE.toString(16)} 0x0.`,
    ]);
    expect(error.message).to.contain(`Both have the stored root ${unorderedRoot([BALANCE, 0n])}`);
    // The honest list is believed afterwards.
    server.state.published = [BALANCE, 0n];
    const { preimage } = await connection.hdp.readResult(taskHash(sum));
    expect(preimage?.order).to.equal("proven");
  });

  it("throws with both outputs where a run over the configured source has another root", async () => {
    await start(SOURCES);
    const error = await hdpFailure(resultOf([7n, 1n], [1n, 7n]));
    expect(error.message)
      .to.match(
        /^HDP-4414: the service says that the module returned the felts 0x1 0x7; run here, /,
      )
      .and.to.contain(`The root of the felts here is ${unorderedRoot([BALANCE, 0n])}`);
  });

  it("stays unproven where no run can be made: a chain without a source, private inputs, another class", async () => {
    await start({ sources: { ETHEREUM_MAINNET: "remote" } });
    const felts = [BALANCE, 0n];
    const unproven = { felts, matches: true, order: "unproven" };
    expect((await resultOf(felts, felts)).preimage).to.deep.equal(unproven);
    const inputs = Object.values(SUM_OF).map((value) => ({
      visibility: "private" as const,
      value,
    }));
    const hidden = moduleTask({ programHash: sum.programHash, inputs });
    expect((await resultOf(felts, felts, hidden)).preimage).to.deep.equal(unproven);
    const another = moduleTask({ programHash: "0x7", inputs: [] });
    expect((await resultOf(felts, felts, another)).preimage).to.deep.equal(unproven);
  });

  it("stays unproven where the run panics, or reads what nobody proved to it", async () => {
    await start({ ...SOURCES, local: { prove: "never" } });
    const felts = [BALANCE, 0n];
    const unproven = { felts, matches: true, order: "unproven" };
    expect((await resultOf(felts, felts)).preimage).to.deep.equal(unproven);
    expect((await resultOf(felts, felts, other())).preimage).to.deep.equal(unproven);
  });

  it("compares an output with the module's own run in hdp verify, which gives the value in its true order", async () => {
    await start();
    await resultOf([BALANCE, 0n], [0n, BALANCE]);
    const { hdp } = connection;
    const [verified] = await hdp.verify(taskHash(sum));
    expect(verified).to.deep.include({ agrees: true, output: [BALANCE, 0n], decoded: BALANCE });
    expect(verified.published).to.deep.equal({ felts: [0n, BALANCE], agrees: false });
    server.state.published = [BALANCE, 0n];
    const [honest] = await hdp.verify(taskHash(sum));
    expect(honest.published).to.deep.equal({ felts: [BALANCE, 0n], agrees: true });
    server.state.published = undefined;
    const [silent] = await hdp.verify(taskHash(sum));
    expect(silent).not.to.have.property("published");
  });

  it("belongs to the task where the service hashes the program flat, and to another task where neither hash fits", async () => {
    await start();
    const compiled = parseCompiledClass(JSON.parse(await readFile(CLASS, "utf8")));
    const flat = taskHash({ ...sum, programHash: flatProgramHash(compiled) });
    expect(flat).not.to.equal(taskHash(sum));
    server.state.rehash = () => flat;
    const result = await resultOf([7n, 1n], [7n, 1n]);
    expect(result).to.include({ taskHash: taskHash(sum), storedUnder: flat, storedForm: "flat" });
    expect(shown(result))
      .to.contain(`! stored under ${flat}: the service hashes the program as one list (flat)`)
      .and.to.contain("It is the same task")
      .and.not.to.contain("another task");
    const { stdout } = await run("result", { taskHash: taskHash(sum) });
    expect(stdout).to.contain("as one list (flat)");

    const foreign = `0x${"c9".repeat(32)}` as const;
    server.state.rehash = () => foreign;
    const warnings = recordWarnings();
    const submission = await connection.hdp.submit(other(), { rehearsal: false });
    await connection.hdp.finalize(taskHash(other()), 7n);
    await connection.hdp.await(submission.id);
    warnings.stop();
    expect(warnings.lines.join("\n")).to.contain(
      `is ${foreign}. None fits: its program's hash by segments gives`,
    );
  });

  it("asks for no output in hdp verify on a development chain, where the service computed nothing", async () => {
    await start();
    await resultOf([BALANCE, 0n], [0n, BALANCE]);
    const { networks } = remoteNetwork(server.url, "module-tasks");
    const hdp = networks?.["remote"]?.hdp ?? {};
    const { hre } = await testProject({ hdp }, project.root);
    const plain = await hre.network.create();
    await plain.hdp.program.register(CLASS);
    await plain.hdp.run(sum);
    const asked = server.seen.length;
    const [verified] = await plain.hdp.verify(sum);
    expect(verified).to.deep.include({ agrees: true, output: [BALANCE, 0n] });
    expect(verified).not.to.have.property("published");
    expect(server.seen).to.have.length(asked);
    await plain.close();
  });

  it("nowhere calls an output checked in hdp:result while its order is unproven, on the screen or in JSON", async () => {
    await start();
    const { taskHash: hash } = await resultOf([7n, 1n], [1n, 7n]);
    const { stdout } = await run("result", { taskHash: hash });
    expect(stdout)
      .to.contain("! 0x1 0x7, in this order or another")
      .and.to.contain(`Compute it again: npx hardhat hdp verify ${hash}`)
      .and.not.to.contain("checked");
    const json = await run("result", { taskHash: hash, json: true });
    expect(json.stdout)
      .to.contain('"order": "unproven"')
      .and.not.to.match(/checked|decoded/);
  });

  it("reports another order in hdp verify, with exit code 1, although the stored value agrees", async () => {
    await start();
    const { taskHash: hash } = await resultOf([BALANCE, 0n], [0n, BALANCE]);
    const { stdout, exitCode } = await run("verify", { task: hash });
    expect(exitCode).to.equal(1);
    expect(stdout)
      .to.contain("Returned  10,000,000,000,000,000,000,000")
      .and.to.contain("✔ The stored value is the one that chain data gives.")
      .and.to.contain(
        `✘ The service publishes other felts, or another order: 0x0 0x${BALANCE.toString(16)}`,
      );
    server.state.published = [BALANCE, 0n];
    const honest = await run("verify", { task: hash });
    expect(honest.exitCode).to.equal(undefined);
    expect(honest.stdout).to.contain("✔ The service publishes the same felts in the same order.");
  });

  it("does not call an output a finalized value in assertions, which compare the stored word", async () => {
    await start();
    const { taskHash: hash, value } = await resultOf([7n, 1n], [1n, 7n]);
    const { assertions } = connection.hdp;
    await assertions.finalized(hash, value);
    for (const claimed of [7n + (1n << 128n), 1n + (7n << 128n)]) {
      const wrong = await assertions.finalized(hash, claimed).catch(String);
      expect(wrong).to.contain(`is finalized with ${value}, not with ${claimed}.`);
    }
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import { parseCompiledClass, programHash } from "../../src/entries/program.js";
import {
  account,
  asModule,
  blockSampled,
  CHAIN_IDENTIFIERS,
  header,
  moduleTask,
  storage,
  type TaskRequest,
  taskRequest,
  toTaskRequestJson,
  STANDARD_PROGRAMS,
} from "../../src/entries/request.js";
import { SERVICE_REFUSALS } from "../../src/plugin/service-refusals.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { RESULT_CHAINS, findSatellite } from "../../src/request/satellites.js";
import type { HdpUserConfig, WireEditionName } from "../../src/types.js";
import { hdpFailure } from "../support/failure.js";
import {
  KEY_VARIABLE,
  remoteNetwork,
  removeProject,
  type TestProject,
  testProject,
} from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";
import { SERVICE_KEY, type ServiceServer, serviceServer } from "../support/service-server.js";

const range = { from: 0n, to: 2n };
const plain = blockSampled({ ...range, property: header("gas_limit") }).avg();

/** A class that no other test has: the standard one with another felt at the end. */
async function ownClass(): Promise<Record<string, unknown>> {
  const [blocks] = STANDARD_PROGRAMS;
  if (blocks === undefined) throw new TypeError("no standard program");
  const standard = (await standardClass(blocks)) as Record<string, unknown>;
  const bytecode = [...(standard["bytecode"] as string[])];
  bytecode[bytecode.length - 1] = "0x7";
  return { ...standard, bytecode };
}

interface Case {
  readonly what: (typeof SERVICE_REFUSALS)[number]["what"];
  readonly edition: WireEditionName;
  readonly request: TaskRequest;
  readonly code: string;
  readonly path: string;
  readonly says: string;
}

async function cases(): Promise<readonly Case[]> {
  const known = programHash(parseCompiledClass(await ownClass()));
  const unknown = moduleTask({ programHash: "0x1234", inputs: [1n] });
  const hidden = { visibility: "private", value: 1n } as const;
  const disordered = moduleTask({ programHash: known, inputs: [1n, hidden, 2n] });
  const stateful = {
    ...moduleTask({ programHash: known, inputs: [] }),
    injectedState: { a: "0x0" },
  } as const;
  // Tasks of a standard program that no datalake task is: it panics for a step of 0, and for an input more.
  const { programHash: standard, inputs } = asModule(plain);
  const stepless = moduleTask({
    programHash: standard,
    inputs: inputs.map(({ value }, at) => (at === 4 ? 0n : BigInt(value))),
  });
  const longer = moduleTask({ programHash: standard, inputs: [...inputs, hidden] });
  const one = (task: TaskRequest["tasks"][number]): TaskRequest => taskRequest({ tasks: [task] });
  const [destination, unproven, order, wholeClass, state] = SERVICE_REFUSALS.map(
    ({ what }) => what,
  );
  return [
    {
      what: destination ?? "",
      edition: "module-tasks",
      request: taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [plain] }),
      code: "HDP-2027",
      path: "destinationChainId",
      says: "has no data processor module",
    },
    {
      what: unproven ?? "",
      edition: "module-tasks",
      request: one(blockSampled({ ...range, property: header("blob_gas_used") }).sum()),
      code: "HDP-1129",
      path: "tasks[0].datalake.sampledProperty",
      says: "blob_gas_used",
    },
    {
      what: unproven ?? "",
      edition: "module-tasks",
      request: one(stepless),
      code: "HDP-1129",
      path: "tasks[0].inputs",
      says: "are those of no datalake task",
    },
    {
      what: unproven ?? "",
      edition: "module-tasks",
      request: one(longer),
      code: "HDP-1129",
      path: "tasks[0].inputs",
      says: "are those of no datalake task",
    },
    {
      what: order ?? "",
      edition: "module-tasks",
      request: one(disordered),
      code: "HDP-7014",
      path: "tasks[0].inputs[1]",
      says: "inputs[2]",
    },
    {
      what: wholeClass ?? "",
      edition: "module-tasks",
      request: one(unknown),
      code: "HDP-2023",
      path: "tasks[0].programHash",
      says: "is not known here",
    },
    ...(["tasks", "batch"] as const).map((edition) => ({
      what: state ?? "",
      edition,
      request: one(stateful),
      code: "HDP-2021",
      path: "tasks[0].injected_state",
      says: edition,
    })),
  ];
}

describe("what a service refuses", () => {
  let server: ServiceServer;
  let projects: TestProject[] = [];
  let connections: NetworkConnection<string>[] = [];

  beforeEach(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    server = await serviceServer({
      get hdp(): NetworkConnection<string>["hdp"] {
        throw new Error("nothing is finalized here");
      },
    });
  });
  afterEach(async () => {
    for (const connection of connections) await connection.close();
    for (const project of projects) await removeProject(project);
    [connections, projects] = [[], []];
    await server.close();
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
  });

  async function connect(
    config: Parameters<typeof testProject>[0],
    network: string,
  ): Promise<{ project: TestProject; connection: NetworkConnection<string> }> {
    const project = await testProject(config, undefined, network);
    projects.push(project);
    await writeFile(
      join(project.root, "own.compiled_contract_class.json"),
      JSON.stringify(await ownClass()),
    );
    const connection = await project.hre.network.getOrCreate();
    connections.push(connection);
    await connection.hdp.mine(3);
    return { project, connection };
  }
  const local: HdpUserConfig["local"] = { programs: ["own.compiled_contract_class.json"] };

  it("refuses the same at a service, in the strict local data processor and in hdp:check, row by row", async () => {
    const all = await cases();
    expect([...new Set(all.map(({ what }) => what))]).to.deep.equal(
      SERVICE_REFUSALS.map(({ what }) => what),
    );
    for (const { what, edition, request, code, path, says } of all) {
      const setups = [
        [remoteNetwork(server.url, edition, { local }), "remote"],
        [{ hdp: { local: { ...local, edition } } }, "default"],
      ] as const;
      for (const [config, network] of setups) {
        const { project, connection } = await connect(config, network);
        const { hdp } = connection;
        const place = `${what}, ${network}`;
        const error = await hdpFailure(hdp.submit(request));
        expect([error.code, error.path], place).to.deep.equal([code, path]);
        expect(error.message, place).to.contain(says);
        expect((await hdpFailure(hdp.run(request))).code, place).to.equal(code);
        const { refusals } = await hdp.preflight(request);
        expect(refusals, place).to.deep.equal([
          { code, path, message: error.shortMessage, hints: error.hints },
        ]);
        const file = join(project.root, "task.json");
        await writeFile(file, JSON.stringify(toTaskRequestJson(request)));
        const checked = await runCommand("check", { file }, project.hre);
        expect(checked.stdout, place).to.contain(`✘ ${code} in ${path}: ${error.shortMessage}`);
        expect(checked.stdout, place).to.contain("refused for 1 reason. Nothing was sent.");
        expect(checked.exitCode, place).to.equal(1);
        expect(project.submissions(), place).to.deep.equal([]);
      }
    }
    expect(server.posts()).to.deep.equal([]);
  });

  it("reports refusals in hdp:check without a network too", async () => {
    const project = await testProject({ hdp: { local: { edition: "module-tasks" } } });
    projects.push(project);
    const file = join(project.root, "task.json");
    const tasks = [blockSampled({ ...range, property: header("excess_blob_gas") }).max()];
    const request = taskRequest({ destinationChainId: "ARBITRUM_MAINNET", tasks });
    await writeFile(file, JSON.stringify(toTaskRequestJson(request)));
    const { stdout, exitCode } = await runCommand("check", { file }, project.hre);
    expect(stdout).to.contain("✘ HDP-2027 in destinationChainId").and.to.contain("✘ HDP-1129");
    expect(stdout).to.contain("refused for 2 reasons");
    expect(exitCode).to.equal(1);
  });

  it("reports what else stops hdp:submit: two tasks of one hash, a missing key", async () => {
    const { connection, project } = await connect(
      remoteNetwork(server.url, "module-tasks", { local }),
      "remote",
    );
    const known = programHash(parseCompiledClass(await ownClass()));
    const hidden = (value: bigint) =>
      moduleTask({ programHash: known, inputs: [{ visibility: "private", value }] });
    const request = [hidden(1n), hidden(2n)].map((task) => taskRequest({ tasks: [task] }));
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    const { refusals } = await connection.hdp.preflight(request);
    expect(refusals.map(({ code }) => code)).to.deep.equal(["HDP-1125", "HDP-2003"]);
    expect((await hdpFailure(connection.hdp.submit(request))).code).to.equal("HDP-1125");
    const files = ["one.json", "two.json"].map((name) => join(project.root, name));
    for (const [at, file] of files.entries())
      await writeFile(file, JSON.stringify(toTaskRequestJson(request[at] ?? expect.fail())));
    const [file, ...more] = files;
    for (const command of ["check", "submit"]) {
      const { error } = await runCommand(command, { file, more }, project.hre);
      expect(String(error), command).to.contain("HDP-1125");
    }
    expect(project.submissions()).to.deep.equal([]);
    expect(server.posts()).to.deep.equal([]);
  });

  it("refuses no task that the service takes, and nothing where no service is stood for", async () => {
    const request = taskRequest({ tasks: [plain] });
    const strict = await connect({ hdp: { local: { edition: "module-tasks" } } }, "default");
    expect((await strict.connection.hdp.preflight(request)).refusals).to.deep.equal([]);
    expect((await strict.connection.hdp.run(request))[0].value).to.equal(60_000_000n);
    const free = await connect({}, "default");
    const onBase = taskRequest({ destinationChainId: "BASE_MAINNET", tasks: [plain] });
    expect((await free.connection.hdp.preflight(onBase)).refusals).to.deep.equal([]);
    expect((await free.connection.hdp.run(onBase))[0].value).to.equal(60_000_000n);
  });

  it("refuses accounts that do not exist in the strict local data processor and in hdp:check, as the published prover fails for them", async () => {
    const { connection, project } = await connect(
      { hdp: { local: { edition: "module-tasks" } } },
      "default",
    );
    const { hdp } = connection;
    const nobody = `0x${"ab".repeat(20)}` as const;
    const slot = storage(nobody, 0n);
    for (const property of [account(nobody, "nonce"), slot]) {
      const tasks = [plain, blockSampled({ ...range, property }).sum()];
      const place = "tasks[1].datalake.sampledProperty";
      const error = await hdpFailure(hdp.run(tasks));
      expect([error.code, error.path]).to.deep.equal(["HDP-1129", place]);
      const { refusals } = await hdp.preflight(tasks);
      expect(refusals).to.deep.equal([
        { code: "HDP-1129", path: place, message: error.shortMessage, hints: error.hints },
      ]);
      expect((await hdp.preflight(tasks)).tasks[1]?.isFinalized).to.equal(false);
    }
    const later = blockSampled({ from: 0, to: 99, property: slot }).sum();
    expect(await hdpFailure(hdp.run(later)), "before it looks for accounts").to.include({
      code: "HDP-4101",
      path: "tasks[0].datalake.blockRangeEnd",
    });
    const file = join(project.root, "task.json");
    const tasks = [blockSampled({ ...range, property: slot }).sum()];
    await writeFile(file, JSON.stringify(toTaskRequestJson(taskRequest({ tasks }))));
    const submitted = await runCommand("submit", { file }, project.hre);
    expect(String(submitted.error)).to.contain("HDP-1129").and.contain(`the account ${nobody}`);
    const free = await connect({}, "default");
    expect((await free.connection.hdp.run(taskRequest({ tasks })))[0].value).to.equal(0n);
  });

  it("names each chain whose satellite takes results, and no other", () => {
    const chains = CHAIN_IDENTIFIERS.filter((chain) => findSatellite(chain)?.takesResults === true);
    expect(RESULT_CHAINS.toSorted()).to.deep.equal(chains.toSorted());
    expect(chains).to.deep.equal([
      "ETHEREUM_MAINNET",
      "ETHEREUM_SEPOLIA",
      "WORLD_MAINNET",
      "WORLD_SEPOLIA",
      "STARKNET_MAINNET",
      "STARKNET_SEPOLIA",
    ]);
  });
});

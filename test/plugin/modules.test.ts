import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { parseEther, type Hex } from "viem";

import { parseTaskRequest, rootOfValue, valueFelts } from "../../src/entries/request.js";
import type { HdpUserConfig } from "../../src/types.js";
import hardhatHdp from "../../src/index.js";
import { GENERATIONS } from "../../src/cairo/generations.js";
import { knownPrograms } from "../../src/plugin/known-programs.js";
import { hdpSchema } from "../../src/plugin/config/validate.js";
import { failure } from "../support/failure.js";
import { root } from "../support/hardhat-cli.js";

const EXAMPLE = join(root, "examples", "module-balance");
const CLASS = join(EXAMPLE, "compiled", "module_balance_Module.compiled_contract_class.json");
const SIERRA = join(EXAMPLE, "compiled", "module_balance_Module.contract_class.json");
const PROGRAM: Hex = "0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c";
const ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BALANCE = parseEther("10000");
const ROOT = rootOfValue(BALANCE);
const RETURNED = [...valueFelts(BALANCE)];

const byClass = (values: Readonly<Record<string, unknown>> = {}, file = CLASS) => ({
  type: "Module",
  module: {
    class: file,
    arguments: { chain_id: 11155111, account: ACCOUNT, first_block: 0, last_block: 0, ...values },
  },
});
const byHash = {
  type: "Module",
  programHash: PROGRAM,
  inputs: ["0xaa36a7", ACCOUNT, "0x0", "0x0"].map((value) => ({ visibility: "public", value })),
};
const request = (...tasks: unknown[]) => ({ destinationChainId: "ETHEREUM_SEPOLIA", tasks });
const datalake = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 0,
    sampledProperty: "header.number",
  },
  compute: { aggregateFnId: "sum" },
};

describe("module tasks in a Hardhat project", () => {
  const connections: NetworkConnection<string>[] = [];
  const folders: string[] = [];

  const project = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "hdp-modules-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    folders.push(folder);
    return folder;
  };

  async function connect(
    hdp: HdpUserConfig = {},
    folder = project(),
  ): Promise<NetworkConnection<string>> {
    const hre: HardhatRuntimeEnvironment = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp },
      {},
      folder,
    );
    const connection: NetworkConnection<string> = await hre.network.create();
    connections.push(connection);
    return connection;
  }

  afterEach(async () => {
    await Promise.all(connections.splice(0).map(async (connection) => await connection.close()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it("runs a module by its class, and keeps what it returned beside the word", async () => {
    const { hdp } = await connect();
    const [result] = await hdp.run(request(byClass()));
    expect(result.word).to.equal(ROOT);
    expect(result.output).to.deep.equal(RETURNED);
    expect(result.proven).to.equal(true);
    expect(result.module).to.deep.include({
      rule: "output-root",
      outputRoot: ROOT,
      decoded: RETURNED,
      generation: "head",
      reads: 1,
    });
  });

  it("gives the same task hash by class, by hash, bare and in a file beside the class", async () => {
    const folder = project();
    const { hdp } = await connect({}, folder);
    mkdirSync(join(folder, "modules", "tasks"), { recursive: true });
    copyFileSync(CLASS, join(folder, "modules", "balance.compiled_contract_class.json"));
    copyFileSync(SIERRA, join(folder, "modules", "balance.contract_class.json"));
    const file = request(byClass({}, "../balance.compiled_contract_class.json"));
    writeFileSync(join(folder, "modules", "tasks", "task.json"), JSON.stringify(file));

    const [first] = await hdp.run("modules/tasks/task.json");
    const [relative] = await hdp.run(
      request(byClass({}, "modules/balance.compiled_contract_class.json")),
    );
    const [bare] = await hdp.run(byClass());
    const [hash] = await hdp.run(parseTaskRequest(request(byHash)));
    expect([relative.taskHash, bare.taskHash, hash.taskHash]).to.deep.equal([
      first.taskHash,
      first.taskHash,
      first.taskHash,
    ]);
  });

  it("mixes modules and datalakes in one request", async () => {
    const { hdp } = await connect();
    const results = await hdp.run(request(datalake, byClass()));
    expect(results.map(({ word }) => word)).to.deep.equal([`0x${"0".repeat(64)}`, ROOT]);
    expect(results[0].output).to.equal(undefined);
  });

  it("refuses marked felts, which have no raw value, where a raw value is configured", async () => {
    const { hdp } = await connect({ local: { moduleResult: "value" } });
    expect(await failure(hdp.run(byClass()))).to.contain("HDP-4413");
  });

  it("says how to give a class that is known by its hash only", async () => {
    const { hdp } = await connect();
    const error = await failure(hdp.run(request(byHash)));
    expect(error).to.contain(`the compiled class of program ${PROGRAM} is not known here`);
  });

  for (const [where, config, place] of [
    [
      "a configured folder",
      { local: { programs: ["built"] } },
      ["built", "deep", "x.compiled_contract_class.json"],
    ],
    ["a configured file", { local: { programs: ["x.json"] } }, ["x.json"]],
    ["the data folder", {}, ["hdp", "programs", `${PROGRAM}.json`]],
  ] as const) {
    it(`finds a class by its hash in ${where}`, async () => {
      const folder = project();
      const file = join(folder, ...place);
      mkdirSync(join(file, ".."), { recursive: true });
      copyFileSync(CLASS, file);
      const user: HdpUserConfig =
        "local" in config ? { local: { programs: [...config.local.programs] } } : {};
      const { hdp } = await connect(user, folder);
      const [{ word, module }] = await hdp.run(request(byHash));
      expect(word).to.equal(ROOT);
      // Without the Sierra class beside it, the type of what is returned is not known.
      expect(module?.decoded).to.equal(undefined);
    });
  }

  it("finds a class that was registered, and runs without submitting", async () => {
    const { hdp } = await connect();
    expect(await hdp.program.register(CLASS)).to.equal(PROGRAM);
    const [run, ...others] = await hdp.program.run(request(datalake, byHash));
    expect(others).to.deep.equal([]);
    expect(run).to.deep.include({
      programHash: PROGRAM,
      rule: "output-root",
      decoded: RETURNED,
      proven: true,
    });
    expect(run?.run.outputRoot).to.equal(ROOT);
    expect(await failure(hdp.readResult(run?.taskHash ?? "0x"))).to.contain("not finalized");
    const stopped = await failure(hdp.program.run(request(byHash), { maxSteps: 100 }));
    expect(stopped).to.contain("HDP-7109");
    const [panic] = await hdp.program.run(byClass({ first_block: 1 }));
    expect(panic).to.include({ rule: undefined, decoded: undefined });
    expect(panic?.run).to.include({ status: "panicked", message: "no blocks in the range" });
  });

  it("computes the newer prover's hash when it is read", async () => {
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, project());
    const json: unknown = JSON.parse(readFileSync(CLASS, "utf8"));
    let looks = 0;
    knownPrograms(hre.config).add(PROGRAM, {
      leadingFelts: 8,
      get compiledClassJson() {
        looks += 1;
        return json;
      },
    });
    const connection: NetworkConnection<string> = await hre.network.create();
    connections.push(connection);
    const run = async () => (await connection.hdp.program.run(request(byHash)))[0];
    const [first, second] = [await run(), await run()];
    expect(looks, "two runs").to.equal(2);
    const flat = "0x20f06c04d67e1965e3b60df51e88a50ac6b1ab99deca6cffc6e9ca804a0768e";
    expect([first?.flatProgramHash, first?.flatProgramHash, second?.flatProgramHash]).to.deep.equal(
      [flat, flat, flat],
    );
  });

  it("runs over a fixture that is replayed, and over nothing else of its chain", async () => {
    const source = await connect();
    await source.provider.request({ method: "hardhat_setBalance", params: [ACCOUNT, "0x7b"] });
    await source.provider.request({ method: "hardhat_mine", params: ["0x3"] });
    const later = request(byClass({ first_block: 2, last_block: 2 }));
    const fixture = await source.hdp.record(later);

    // The chain has no block 2.
    const { hdp } = await connect();
    expect(await failure(hdp.program.run(later))).to.match(/^HDP-4/);
    const replay = await hdp.replay(fixture);
    const [run] = await hdp.program.run(later);
    expect(run).to.deep.include({ decoded: [...valueFelts(123n)], proven: true });
    expect(await failure(hdp.program.run(request(byClass())))).to.contain("HDP-4604");
    replay.stop();
    expect((await hdp.program.run(request(byClass())))[0]).to.deep.include({ decoded: RETURNED });
  });

  it("names a configured class that is not there", async () => {
    const { hdp } = await connect({ local: { programs: ["nowhere.json"] } });
    const error = await failure(hdp.run(request(byHash)));
    expect(error).to.contain("HDP-6001 in hdp.local.programs").and.to.contain("nowhere.json");
  });

  it("fails a task whose module panics, with the panic's text", async () => {
    const { hdp } = await connect();
    const error = await failure(hdp.run(byClass({ first_block: 1, last_block: 0 })));
    expect(error).to.contain("the module panicked and has no result: no blocks in the range");
  });

  it("reports all errors of a request at once, each with its place", async () => {
    const { hdp } = await connect();
    const bad = { ...datalake, compute: { aggregateFnId: "mean" } };
    const error = await failure(
      hdp.submit(
        request(
          byClass({ first_block: -1 }),
          bad,
          byClass({}, "nowhere.compiled_contract_class.json"),
        ),
      ),
    );
    expect(error).to.contain("3 errors");
    expect(error).to.contain("in tasks[0].module.arguments.first_block");
    expect(error).to.contain("in tasks[1].compute.aggregateFnId");
    expect(error).to.contain("HDP-7022 in tasks[2].module.class");
  });

  it("reports all errors of one module's arguments at once", async () => {
    const { hdp } = await connect();
    const error = await failure(hdp.submit(request(byClass({ first_block: -1, nowhere: 1 }))));
    expect(error).to.contain("HDP-1100: there are 2 errors to correct");
    expect(error).to.contain("HDP-1102 in tasks[0].module.arguments.nowhere");
    expect(error).to.contain("HDP-1113 in tasks[0].module.arguments.first_block");
  });

  it("takes a generation from the task, and refuses names that are none", async () => {
    const { hdp } = await connect();
    const task = byClass();
    const error = await failure(
      hdp.run({ ...task, module: { ...task.module, generation: "2023" } }),
    );
    expect(error).to.contain('"2023" is not a generation of modules');
  });

  it("names the machine's generations in the configuration", () => {
    const accepted = (generation: string): boolean =>
      hdpSchema([]).safeParse({ local: { generation } }).success;
    expect([...Object.keys(GENERATIONS), "auto"].filter((name) => !accepted(name))).to.deep.equal(
      [],
    );
    expect(Object.keys(GENERATIONS)).to.have.length(11);
    expect(accepted("2023")).to.equal(false);
  });
});

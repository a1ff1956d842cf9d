import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { parseEther, toHex } from "viem";

import { module } from "../../src/entries/program.js";
import {
  outputDigest,
  StateNodeMap,
  computeStateRoot,
  valueFelts,
  valueOfFelts,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { FullStateServerClient } from "../support/state-server-client.js";
import { clients, testChain, testServer } from "../dev-server/fixture.js";
import { failure } from "../support/failure.js";
import { root } from "../support/hardhat-cli.js";
import { runCommand } from "../support/run-command.js";

const EXAMPLE = join(root, "examples", "module-balance");
const STEM = "module_balance_Module";
const ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const VALUES = { chain_id: 11155111, account: ACCOUNT, first_block: 0, last_block: 0 };
const BALANCE = parseEther("10000");
const votes = (ending: string): string =>
  join(root, "test", "program", "templates", `m_injected_state_Module.${ending}_class.json`);

describe("modules by name", () => {
  let folder: string;
  let hre: HardhatRuntimeEnvironment;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "hdp-named-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, folder);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const build = (
    place: string,
    stem = STEM,
    [casm, sierra] = ["compiled_contract_class", "contract_class"],
  ): void => {
    mkdirSync(join(folder, place), { recursive: true });
    for (const [from, to] of [
      ["compiled_contract_class", casm],
      ["contract_class", sierra],
    ])
      copyFileSync(
        join(EXAMPLE, "compiled", `${STEM}.${from}.json`),
        join(folder, place, `${stem}.${to}.json`),
      );
  };

  it("runs a module by its contract, its package or its folder, and decodes what it returned", async () => {
    build("balances/target/dev", "balances_Balance");
    const { hdp } = await hre.network.create();
    for (const name of ["Balance", "balances_Balance", "balances", "balances/target/dev"]) {
      const [result] = await hdp.run(module(name).args(VALUES));
      expect(valueOfFelts(result.output ?? []), name).to.equal(BALANCE);
      expect(result.module?.decoded, name).to.deep.equal(result.output);
    }
    expect(await failure(hdp.run(module("Balance").args({ ...VALUES, acount: 1 })))).to.contain(
      "acount",
    );
  });

  it("takes folders of Sierra and CASM by both namings", async () => {
    build("artifacts", "Balance", ["casm", "sierra"]);
    const { hdp } = await hre.network.create();
    for (const name of ["artifacts", "artifacts/Balance.casm.json"]) {
      const [result] = await hdp.run(module(name).args(VALUES));
      expect(result.module?.decoded, name).to.deep.equal(valueFelts(BALANCE));
    }
  });

  it("says which classes fit where several do, and where it looked where none does", async () => {
    build("one/target/dev", "one_Balance");
    build("two/target/dev", "two_Balance");
    mkdirSync(join(folder, "empty"));
    const { hdp } = await hre.network.create();
    expect(await failure(hdp.run(module("Balance").args(VALUES))))
      .to.contain("HDP-7022")
      .and.contain("one_Balance")
      .and.contain("two_Balance");
    expect(await failure(hdp.run(module("empty").args(VALUES)))).to.contain(
      'the compiled class cannot be found: "empty" is a folder without one',
    );
    expect(await failure(hdp.run(module("Nothing").args(VALUES)))).to.contain("HDP-7022");
  });

  it("finalizes what a module made of injected state, and reports the roots", async () => {
    for (const ending of ["compiled_contract", "contract"]) {
      mkdirSync(join(folder, "votes"), { recursive: true });
      copyFileSync(votes(ending), join(folder, "votes", `votes_Module.${ending}_class.json`));
    }
    const { hdp } = await hre.network.create();
    const values = { chain_id: 11155111, block: 0, voter: ACCOUNT, choice: "'yes'" };
    const task = module("votes").args(values, { injectedState: { votes: 0n } });
    const [result] = await hdp.run(task);
    const [state] = result.module?.injectedState ?? [];
    expect(state).to.deep.include({ label: "0x766f746573", rootBefore: "0x0" });
    expect(state?.writes).to.deep.equal([
      { key: ACCOUNT, value: "0x796573" },
      { key: "0x796573", value: "0x1" },
    ]);
    expect(result.module?.decoded).to.equal(outputDigest([BigInt(state?.rootAfter ?? 0), 1n]));
    expect((await hdp.readResult(result.taskHash)).word).to.equal(result.word);

    writeFileSync(
      join(folder, "task.json"),
      JSON.stringify({ ...task, injected_state: { votes: state?.rootAfter } }),
    );
    writeFileSync(
      join(folder, "leaves.json"),
      JSON.stringify({ votes: { [ACCOUNT]: "0x796573", "0x796573": "0x1" } }),
    );
    const again = await runCommand(
      "module run",
      { file: "task.json", stateLeaves: "leaves.json" },
      hre,
    );
    expect(again.stdout).to.contain("voted already");
    const without = await runCommand("module run", { file: "task.json" }, hre);
    expect(String(without.error)).to.contain("HDP-4420").and.contain("hdp.local.stateServer");
    writeFileSync(join(folder, "other.json"), JSON.stringify({ votes: { "0x796573": "0x1" } }));
    const other = await runCommand(
      "module run",
      { file: "task.json", stateLeaves: "other.json" },
      hre,
    );
    expect(String(other.error)).to.contain("HDP-4422");
    writeFileSync(join(folder, "digits.json"), JSON.stringify({ votes: { "1": "7".repeat(79) } }));
    const digits = await runCommand(
      "module run",
      { file: "task.json", stateLeaves: "digits.json" },
      hre,
    );
    expect(String(digits.error)).to.contain("HDP-6001").and.contain("the value of 1 of");
    writeFileSync(join(folder, "stranger.json"), JSON.stringify({ others: {} }));
    const stranger = await runCommand(
      "module run",
      { file: "task.json", stateLeaves: "stranger.json" },
      hre,
    );
    expect(String(stranger.error)).to.contain("HDP-6001").and.contain('"others"');
  });

  it("starts from a root that only hdp.local.stateServer knows, and leaves it the root where a run ends", async () => {
    for (const ending of ["compiled_contract", "contract"]) {
      mkdirSync(join(folder, "votes"), { recursive: true });
      copyFileSync(votes(ending), join(folder, "votes", `votes_Module.${ending}_class.json`));
    }
    const devServer = await testServer(await testChain());
    try {
      const [label, yes] = [0x766f746573n, 0x796573n];
      const leaves: readonly (readonly [bigint, bigint])[] = [
        [0x11n, yes],
        [0x22n, 0x6e6fn],
        [yes, 1n],
      ];
      const server = new FullStateServerClient(clients(devServer.url).http);
      const rootBefore = await server.create(label, leaves);
      const project = await createHardhatRuntimeEnvironment(
        { plugins: [hardhatHdp], hdp: { local: { stateServer: devServer.url } } },
        {},
        folder,
      );
      const { hdp } = await project.network.create();
      const values = { chain_id: 11155111, block: 0, voter: ACCOUNT, choice: "'yes'" };
      const task = module("votes").args(values, { injectedState: { votes: rootBefore } });
      const [result] = await hdp.run(task);
      const [state] = result.module?.injectedState ?? [];
      const rootAfter = computeStateRoot(new StateNodeMap(), [
        [0x11n, yes],
        [0x22n, 0x6e6fn],
        [BigInt(ACCOUNT), yes],
        [yes, 2n],
      ]);
      expect(state).to.include({ rootBefore: toHex(rootBefore), rootAfter: toHex(rootAfter) });
      expect(result.module?.decoded).to.equal(outputDigest([rootAfter, 2n]));
      expect((await hdp.readResult(result.taskHash)).word).to.equal(result.word);
      expect(await server.read(label, rootAfter, yes), "kept by the server").to.equal(2n);
      expect(await server.read(label, rootBefore, yes), "beside the old root").to.equal(1n);

      const file = { ...task, injected_state: { votes: toHex(rootAfter) } };
      writeFileSync(join(folder, "task.json"), JSON.stringify(file));
      const twice = await runCommand("module run", { file: "task.json" }, project);
      expect(twice.error).to.equal(undefined);
      expect(twice.stdout).to.contain("voted already");
      writeFileSync(
        join(folder, "task.json"),
        JSON.stringify({ ...file, injected_state: { votes: "0x5" } }),
      );
      const unknown = await runCommand("module run", { file: "task.json" }, project);
      expect(String(unknown.error)).to.contain("knows no trie");
    } finally {
      await devServer.close();
    }
  });

  it("tests modules over recorded data, and says what is otherwise", async () => {
    cpSync(EXAMPLE, join(folder, "balance"), {
      recursive: true,
      filter: (path) => !/node_modules|cache|artifacts/.test(path.slice(EXAMPLE.length)),
    });
    const passing = await runCommand("module test", { dir: "balance" }, hre);
    expect(passing.error).to.equal(undefined);
    expect(passing.stdout).to.contain("2 tests passed, 0 failed");
    const file = join(folder, "balance", "tests", "balance.test.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace('"10000000000000000000000"', '"7"').replace("no blocks in the range", "nothing"),
    );
    const failing = await runCommand("module test", { dir: "balance" }, hre);
    expect(failing.stdout)
      .to.contain(
        'what it returned is ["10000000000000000000000","340282366920938463463374607431768211456"], expected ["7",',
      )
      .and.contain("panic: no blocks in the range")
      .and.contain("0 tests passed, 2 failed");
    writeFileSync(file, text.replace('"returned"', '"returns"'));
    expect(String((await runCommand("module test", { dir: "balance" }, hre)).error)).to.contain(
      "HDP-6079",
    );
    expect(String((await runCommand("module test", { dir: "." }, hre)).error)).to.contain(
      "HDP-6079",
    );
  });
});

import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { getAddress, isAddress } from "viem";

import { type Anvil, startAnvil } from "../support/anvil.js";
import { send } from "../support/clients.js";
import { compiledContract } from "../support/compiled-contract.js";
import { foundryOrSkip, solcProgram } from "../support/foundry.js";
import { type CliResult, command, root } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";
import { runServer } from "../support/running-node.js";

const PAGE = "docs/foundry.md";
const STORE = "0x396bF739f7b37D81f6CdD4571fDEF298150db88f";
const BLOCKS = blocksOf(PAGE);
const LINES = BLOCKS.filter(({ language }) => language === "sh").flatMap(({ text }) =>
  text.trim().split("\n"),
);

describe("the page With Foundry, under the real forge", function () {
  this.timeout(300_000);
  let forge: string;
  let folder: string;
  let solc: string;
  let project: string;
  const chains: Anvil[] = [];
  const stores: Record<string, string> = {};
  let sepolia: string;

  before(async function () {
    forge = foundryOrSkip(this, "forge");
    foundryOrSkip(this, "anvil");
    folder = await mkdtemp(join(tmpdir(), "hdp-foundry-"));
    solc = solcProgram(folder);
    chains.push(await startAnvil(), await startAnvil("--chain-id", "11155111"));
    sepolia = chains[1]?.url ?? "";
    project = join(folder, "npm");
    await mkdir(project);
    await writeFile(join(project, "package.json"), '{ "type": "module" }');
    // In the place of npm install: the package and what it needs, as npm puts them.
    await symlink(join(root, "node_modules"), join(project, "node_modules"));

    const hre = await createHardhatRuntimeEnvironment({
      networks: { fork: { type: "http", url: sepolia } },
    });
    const { provider } = await hre.network.create("fork");
    for (const name of ["RealSatellite", "RealExecutionStore", "HiddenStore"]) {
      stores[name] = (
        await send(provider, { data: compiledContract(name).bytecode })
      ).contractAddress;
    }
    const code: unknown = await provider.request({
      method: "eth_getCode",
      params: [stores["RealSatellite"], "latest"],
    });
    await provider.request({ method: "anvil_setCode", params: [STORE, code] });
  });
  after(async () => {
    await Promise.all(chains.map(async (chain) => await chain.stop()));
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Writes a block that is a file; false for others. */
  async function wrote(
    { file, language, text }: (typeof BLOCKS)[number],
    to: string,
  ): Promise<boolean> {
    const name = language === "toml" ? "foundry.toml" : file;
    if (name === undefined) return false;
    await mkdir(dirname(join(to, name)), { recursive: true });
    await writeFile(join(to, name), text.replace("http://127.0.0.1:8545", chains[0]?.url ?? ""));
    return true;
  }

  async function run(
    line: string,
    cwd = project,
    env: Readonly<Record<string, string>> = {},
  ): Promise<CliResult> {
    const [program = "", ...args] = line.replace("$SEPOLIA_RPC_URL", sepolia).split(" ");
    if (program !== "forge") return await command(program, args, { cwd, env });
    return await command(forge, args[0] === "test" ? [...args, "--use", solc, "--offline"] : args, {
      cwd,
      env,
    });
  }

  it("prints these lines", () => {
    expect(LINES.map((line) => line.split(" ").slice(0, 2).join(" "))).to.deep.equal([
      "mkdir fee-gate",
      "npm init",
      "npm install",
      "forge install",
      "forge test",
      "forge test",
      "npx hardhat",
      "forge test",
      "forge test",
      "npx hardhat",
    ]);
  });

  it("installs the contracts with forge, and maps their folder by itself", async () => {
    const repository = join(folder, "repository");
    await mkdir(join(repository, "contracts"), { recursive: true });
    for (const part of [
      "foundry.toml",
      "contracts/interfaces",
      "contracts/libraries",
      "contracts/mocks",
      "contracts/test",
    ]) {
      await cp(join(root, part), join(repository, part), { recursive: true });
    }
    const to = join(folder, "by-forge");
    for (const block of BLOCKS)
      if (block.language === "toml" || (block.file ?? "").includes("FeeGate."))
        await wrote(block, to);
    const me = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    for (const cwd of [repository, to]) {
      await command("git", ["init", "-q", "-b", "main"], { cwd });
      await command("git", ["add", "-A"], { cwd });
      expect((await command("git", [...me, "commit", "-q", "-m", "all"], { cwd })).code).to.equal(
        0,
      );
    }
    // The repository's address leads to this one.
    const git = {
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: "https://github.com/hardhat-hdp/hardhat-hdp",
      GIT_CONFIG_KEY_1: "protocol.file.allow",
      GIT_CONFIG_VALUE_1: "always",
    };
    const installed = await run(
      LINES.find((line) => line.startsWith("forge install")) ?? "",
      to,
      git,
    );
    expect(installed.code, installed.stdout + installed.stderr).to.equal(0);
    expect((await run("forge remappings", to)).stdout.split("\n")).to.include(
      "hardhat-hdp/=lib/hardhat-hdp/",
    );
    const { code, stdout, stderr } = await run("forge test --match-contract FeeGateTest", to);
    expect(code, stdout + stderr).to.equal(0);
  });

  it("runs every other block in turn, from npm's folder", async () => {
    const outputs: string[] = [];
    for (const block of BLOCKS) {
      if ((await wrote(block, project)) || /install|hdp:node/.test(block.text)) continue;
      const { code, stdout, stderr } = await run(block.text.trim());
      expect(code, `${block.text}\n${stdout}${stderr}`).to.equal(0);
      outputs.push(stdout);
    }
    const passed = outputs.map((text) => /(\d+) passed; 0 failed/.exec(text)?.[1]);
    expect(passed).to.deep.equal(["2", "1", undefined, "1", "1"]);
    expect((await run("forge remappings")).stdout.split("\n")).to.include(
      "hardhat-hdp/=node_modules/hardhat-hdp/",
    );
    // The mock is in no test's gas.
    const gas = Number(/test_opens\(\) \(gas: (\d+)\)/.exec(outputs[0] ?? "")?.[1]);
    expect(gas).to.be.greaterThan(0).and.lessThan(1_000_000);
  });

  it("puts the development server beside anvil", async () => {
    const [, , ...args] = (LINES.at(-1) ?? "").split(" ");
    const node = await runServer([...args, "--hdp-port", "0"], project);
    try {
      expect((await fetch(node.server)).status).to.equal(200);
    } finally {
      await node.interrupt();
    }
  });

  it("writes into satellites and execution stores, and names what is wrong", async () => {
    const file = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {HdpForge} from "hardhat-hdp/contracts/test/HdpForge.sol";
contract StoresTest is HdpForge {
    function kept(address at) private {
        finalizeOnFork(at, avgBaseFee(0, 9), 7);
        expectFinalized(at, avgBaseFee(0, 9), 7);
        finalizeOnFork(at, avgBaseFee(0, 9), 0);
        expectFinalized(at, avgBaseFee(0, 9), 0);
        finalizeOnFork(at, avgBaseFee(0, 8), 5);
        expectFinalized(at, avgBaseFee(0, 9), 0);
    }
    function test_satellite() public { kept(${checksummed(stores["RealSatellite"])}); }
    function test_execution_store() public { kept(${checksummed(stores["RealExecutionStore"])}); }
    function test_mock() public { finalize(avgBaseFee(0, 9), 7); expectFinalized(avgBaseFee(0, 9), 7); }
    function test_wrong_hidden() public { finalizeOnFork(${checksummed(stores["HiddenStore"])}, avgBaseFee(0, 9), 7); }
    function test_wrong_account() public { finalizeOnFork(address(0x1234), avgBaseFee(0, 9), 7); }
    function test_wrong_result() public { finalize(avgBaseFee(0, 9), 8); expectFinalized(avgBaseFee(0, 9), 7); }
    function test_wrong_none() public { expectFinalized(avgBaseFee(0, 9), 7); }
    function test_wrong_file() public { compute("tasks/none.json"); }
}
`;
    await writeFile(join(project, "test", "Stores.t.sol"), file);
    const { stdout } = await run(
      "forge test --match-contract StoresTest --fork-url $SEPOLIA_RPC_URL",
    );
    expect(stdout).to.contain("3 passed; 5 failed");
    const reasons = Object.fromEntries(
      [...stdout.matchAll(/\[FAIL: (.*?)\] (test_\w+)/g)].map(([, reason = "", name = ""]) => [
        name,
        reason,
      ]),
    );
    expect(reasons["test_wrong_hidden"]).to.match(/^UnknownStorage\(0x/);
    expect(reasons["test_wrong_account"]).to.match(/^NotAStore\(0x0+1234\)/);
    expect(reasons["test_wrong_result"]).to.match(/^NotTheResult\(0x\w+, true, 8, 7\)/);
    expect(reasons["test_wrong_none"]).to.match(/^NotTheResult\(0x\w+, false, 0, 7\)/);
    expect(reasons["test_wrong_file"])
      .to.contain("NotComputed(")
      .and.contain("HDP-6001")
      .and.contain("tasks/none.json");
  });

  it("runs one contract, unchanged, over a store of 2024 in the datalake form and over a satellite in the module form", async () => {
    const tests = [
      { name: "Datalake", store: stores["RealExecutionStore"] },
      { name: "Module", store: stores["RealSatellite"] },
    ].map(
      ({ name, store }) => `
contract ${name}Test is HdpForge {
    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.${name};
    }
    function test_fork() public { check(${checksummed(store)}); }
    function test_mock() public {
        PriceGate gate = new PriceGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), PRICE);
        expectFinalized(avgBaseFee(0, 9), PRICE);
        takesThePriceAlone(gate);
    }
    function check(address at) private {
        PriceGate gate = new PriceGate(at, avgBaseFee(0, 9));
        finalizeOnFork(at, avgBaseFee(0, 9), PRICE);
        expectFinalized(at, avgBaseFee(0, 9), PRICE);
        takesThePriceAlone(gate);
    }
    function takesThePriceAlone(PriceGate gate) private {
        try gate.update(PRICE << 128) {
            revert("halves swapped");
        } catch (bytes memory reason) {
            require(bytes4(reason) == HdpResults.WrongValue.selector);
        }
        gate.update(PRICE);
        require(gate.price() == PRICE);
    }
}`,
    );
    const file = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpForm, HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpForge} from "hardhat-hdp/contracts/test/HdpForge.sol";
uint256 constant PRICE = 2000e18;
contract PriceGate {
    address public immutable store;
    HdpTask public task;
    uint256 public price;
    constructor(address executionStore, HdpTask memory priceTask) {
        store = executionStore;
        task = priceTask;
    }
    function update(uint256 value) external {
        HdpResults.requireValue(store, task, value);
        price = value;
    }
}${tests.join("")}
`;
    await writeFile(join(project, "test", "Forms.t.sol"), file);
    const line = "forge test --match-path test/Forms.t.sol --fork-url $SEPOLIA_RPC_URL";
    const { code, stdout, stderr } = await run(line);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.contain("4 tests passed, 0 failed");
  });

  it("runs the contract of the README", async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    const gate =
      BLOCKS.find(({ file }) => file === "src/FeeGate.sol")
        ?.text.split("\n")
        .slice(1)
        .join("\n") ?? "none";
    expect(readme).to.contain(gate.trim());
  });
});

/** An address as Solidity takes it. */
function checksummed(address: string | undefined): string {
  if (address === undefined || !isAddress(address))
    throw new Error(`no address: ${String(address)}`);
  return getAddress(address);
}

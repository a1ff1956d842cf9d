/** Which of Hardhat's runners the TypeScript test is for: their test functions come from different places. */
export type TestRunner = "mocha" | "node:test";

/** The plugin that deploys contracts in TypeScript tests; with none of them the test has no contract. */
export type ContractClient = "viem" | "ethers" | "none";

export interface InitPlaces {
  /** Folder of contracts, relative to the project. */
  readonly contracts: string;
  /** Folder of TypeScript tests, relative to the project. */
  readonly tests: string;
  readonly runner: TestRunner;
  readonly client: ContractClient;
}

/**
 * A first task, a contract that acts on its result, and a test of both in TypeScript and in Solidity, by their paths
 * in the project. They need nothing but what the plugin needs.
 */
export function initFiles({ contracts, tests, runner, client }: InitPlaces): ReadonlyMap<string, string> {
  return new Map([
    ["tasks/fee.json", TASK],
    [`${contracts}/FeeGate.sol`, GATE],
    [`${contracts}/FeeGate.t.sol`, SOLIDITY_TEST],
    [`${tests}/FeeGate.ts`, typeScriptTest(runner, client)],
  ]);
}

/** What a repository does not keep. */
export const IGNORED = [
  "node_modules/",
  "artifacts/",
  "cache/",
  "coverage/",
  ".env",
  "hdp/journal.jsonl.lock*",
  "hdp/journal.jsonl.index*",
] as const;

const TASK = `{
  "$schema": "../node_modules/hardhat-hdp/task.schema.json",
  "destinationChainId": "ETHEREUM_SEPOLIA",
  "tasks": [
    {
      "type": "DatalakeCompute",
      "datalake": {
        "type": "BlockSampled",
        "chainId": "ETHEREUM_SEPOLIA",
        "blockRangeStart": 0,
        "blockRangeEnd": 0,
        "increment": 1,
        "sampledProperty": "header.base_fee_per_gas"
      },
      "compute": { "aggregateFnId": "avg" }
    }
  ]
}
`;

const GATE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IHdpExecutionStore} from "hardhat-hdp/contracts/interfaces/IHdpExecutionStore.sol";

/// @title Opens while gas has been cheap
/// @notice Acts on the average base fee of a range of blocks, computed off chain and read by task hash.
contract FeeGate {
    IHdpExecutionStore public immutable store;
    uint256 public constant MAX_AVERAGE_BASE_FEE = 100 gwei;

    constructor(IHdpExecutionStore executionStore) {
        store = executionStore;
    }

    /// @notice Whether the average base fee that \`taskHash\` computed is low enough; reverts while it is not finalized.
    function isOpen(bytes32 taskHash) external view returns (bool) {
        return uint256(store.getFinalizedTaskResult(taskHash)) <= MAX_AVERAGE_BASE_FEE;
    }
}
`;

const SOLIDITY_TEST = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

contract FeeGateTest is HdpTest {
    function test_opensWhileGasIsCheap() public {
        FeeGate gate = new FeeGate(store());
        require(gate.isOpen(finalize(avgBaseFee(0, 9), 7 gwei)), "cheap gas opens the gate");
    }

    function test_staysShutOverTheLimit() public {
        FeeGate gate = new FeeGate(store());
        require(!gate.isOpen(finalize(avgBaseFee(0, 9), 101 gwei)), "expensive gas shuts the gate");
    }
}
`;

function typeScriptTest(runner: TestRunner, client: ContractClient): string {
  const runnerImport = runner === "mocha" ? "" : 'import { describe, it } from "node:test";\n';
  return `import assert from "node:assert/strict";
${runnerImport}
import { network } from "hardhat";

${client === "none" ? TEST_OF_THE_TASK : testOfTheGate(client)}`;
}

function testOfTheGate(client: "viem" | "ethers"): string {
  const deploy = `const { hdp, ${client} } = await network.create();
    const store = await hdp.deployExecutionStore();
    const gate = await ${client}.deployContract("FeeGate", [store.address]);`;
  const isOpen = client === "viem" ? "gate.read.isOpen([taskHash])" : 'gate.getFunction("isOpen")(taskHash)';
  return `describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    ${deploy}
    const { taskHash } = await hdp.run("tasks/fee.json");
    assert.equal(await ${isOpen}, true);
  });

  it("stays shut over a value of our choice", async () => {
    ${deploy}
    const { taskHash } = await hdp.finalize(\`0x\${"11".repeat(32)}\`, 101n * 10n ** 9n);
    assert.equal(await ${isOpen}, false);
  });
});
`;
}

const TEST_OF_THE_TASK = `describe("the task in tasks/fee.json", () => {
  it("is computed over the blocks of this chain", async () => {
    const { hdp } = await network.create();
    const { taskHash, value } = await hdp.run("tasks/fee.json");
    assert.equal((await hdp.readResult(taskHash)).value, value);
  });

  it("has a value of our choice", async () => {
    const { hdp } = await network.create();
    const { taskHash } = await hdp.finalize(\`0x\${"11".repeat(32)}\`, 101n * 10n ** 9n);
    await hdp.assertions.finalized(taskHash, 101n * 10n ** 9n);
  });
});
`;

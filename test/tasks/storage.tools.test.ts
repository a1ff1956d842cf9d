import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { expect } from "chai";
import type { SolidityUserConfig } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
} from "viem";

import {
  blockSampled,
  type DatalakeComputeTask,
  isHdpError,
  rootOfValue,
  storage,
} from "../../src/entries/request.js";
import type { StorageKey } from "../../src/plugin/storage/layout.js";
import { ethCall } from "../../src/store/node-requests.js";
import { revertData } from "../../src/store/reverts.js";
import { transact } from "../../src/store/transact.js";
import { root } from "../support/hardhat-cli.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";

const require = createRequire(import.meta.url);

const LAYOUT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

interface IToken { function f() external; }
type Price is uint128;

contract Base { uint256 internal inherited = 3; }

contract Layout is Base {
    enum Kind { A, B, C }
    struct Inner { uint256 one; uint256[2] pair; }
    struct Account { uint128 low; uint128 high; uint256 balance; }
    struct Outer { address owner; Inner inner; Inner[] more; mapping(uint256 => Inner) byKey; string label; }
    struct Node { uint256 value; mapping(uint256 => Node) children; }

    uint256 total = 5;
    uint64 first = 1;
    uint64 second = 2;
    uint256[3] fixedWords = [uint256(11), 12, 13];
    uint256[] words;
    uint64[] packedWords;
    uint256[][] nested;
    Inner[2] pairOfInner;
    Outer outer;
    Node node;
    string text = "short";
    mapping(address => Account) accounts;
    mapping(address => mapping(address => uint256)) allowances;
    mapping(address => mapping(bool => uint256[])) lists;
    mapping(string => mapping(uint256 => uint256)) named;
    mapping(bytes => uint256) byBytes;
    mapping(bytes4 => uint256) bySelector;
    mapping(bytes20 => uint256) byBytes20;
    mapping(bytes32 => uint256) byWord;
    mapping(int64 => uint256) byInt;
    mapping(uint8 => uint256) bySmall;
    mapping(Kind => uint256) byKind;
    mapping(IToken => uint256) byToken;
    mapping(Price => uint256) byPrice;
    // Names that meet others: of a member, of parameters, of a length.
    uint256 outer_owner = 91;
    uint256 key = 92;
    uint256 index = 93;
    uint256 words_length = 94;

    constructor() {
        words.push(31); words.push(32);
        packedWords.push(1);
        nested.push(); nested.push(); nested[1].push(41); nested[1].push(42);
        pairOfInner[1].pair[1] = 45;
        outer.owner = address(5); outer.inner.one = 51; outer.inner.pair[1] = 52;
        outer.more.push(); outer.more.push(); outer.more[1].one = 61; outer.more[1].pair[1] = 63;
        outer.byKey[7].one = 70; outer.byKey[7].pair[1] = 71;
        node.value = 72;
        accounts[address(9)] = Account(1, 2, 77);
        allowances[address(9)][address(10)] = 78;
        lists[address(9)][true].push(81); lists[address(9)][true].push(82);
        named["Anna"][3] = 83;
        byBytes[hex"c0ffee"] = 84;
        bySelector[0x12345678] = 85;
        byBytes20[bytes20(address(9))] = 86;
        byWord[bytes32(uint256(4))] = 87;
        byInt[-7] = 88;
        bySmall[200] = 89;
        byKind[Kind.C] = 90;
        byToken[IToken(address(9))] = 95;
        byPrice[Price.wrap(6)] = 96;
    }
}
`;
const NINE = "0x0000000000000000000000000000000000000009";
const TEN = "0x000000000000000000000000000000000000000a";

/** A call of the library, the number that the contract wrote there, and the same for `hdp.storageOf`. */
const CASES: readonly (readonly [
  call: string,
  value: bigint,
  variable: string,
  ...keys: StorageKey[],
])[] = [
  ["inherited()", 3n, "inherited"],
  ["total()", 5n, "total"],
  ...[0n, 1n, 2n].map(
    (at) => [`fixedWords(${at.toString()})`, 11n + at, "fixedWords", at] as const,
  ),
  ["words_length()", 2n, "words", "length"],
  ["words(1)", 32n, "words", 1],
  ["words(type(uint256).max)", 0n, "words", maxUint256],
  ["packedWords_length()", 1n, "packedWords", "length"],
  ["nested_length()", 2n, "nested", "length"],
  ["nested_length(1)", 2n, "nested", 1, "length"],
  ["nested(1, 1)", 42n, "nested", 1, 1],
  ["pairOfInner_one(1)", 0n, "pairOfInner", 1, "one"],
  ["pairOfInner_pair(1, 1)", 45n, "pairOfInner", 1, "pair", 1],
  ["outer_owner()", 5n, "outer", "owner"],
  ["outer_inner_one()", 51n, "outer", "inner", "one"],
  ["outer_inner_pair(1)", 52n, "outer", "inner", "pair", 1],
  ["outer_more_length()", 2n, "outer", "more", "length"],
  ["outer_more_one(1)", 61n, "outer", "more", 1, "one"],
  ["outer_more_pair(1, 1)", 63n, "outer", "more", 1, "pair", 1],
  ["outer_byKey_one(7)", 70n, "outer", "byKey", 7n, "one"],
  ["outer_byKey_pair(7, 1)", 71n, "outer", "byKey", 7n, "pair", 1],
  ["node_value()", 72n, "node", "value"],
  ["accounts_balance(address(9))", 77n, "accounts", NINE, "balance"],
  ["allowances(address(9), address(10))", 78n, "allowances", NINE, TEN],
  ["lists_length(address(9), true)", 2n, "lists", NINE, true, "length"],
  ["lists(address(9), true, 1)", 82n, "lists", NINE, true, 1],
  ["lists(address(9), false, 1)", 0n, "lists", NINE, false, 1],
  ['named("Anna", 3)', 83n, "named", "Anna", 3n],
  ['byBytes(hex"c0ffee")', 84n, "byBytes", "0xc0ffee"],
  ["bySelector(0x12345678)", 85n, "bySelector", "0x12345678"],
  ["byBytes20(bytes20(address(9)))", 86n, "byBytes20", NINE],
  ["byWord(bytes32(uint256(4)))", 87n, "byWord", `0x${"4".padStart(64, "0")}`],
  ["byInt(-7)", 88n, "byInt", -7n],
  ["bySmall(200)", 89n, "bySmall", 200],
  ["byKind(2)", 90n, "byKind", 2],
  ["byToken(address(9))", 95n, "byToken", NINE],
  ["byPrice(bytes32(uint256(6)))", 96n, "byPrice", 6n],
  ["outer_owner_2()", 91n, "outer_owner"],
  ["key()", 92n, "key"],
  ["index()", 93n, "index"],
  ["words_length_2()", 94n, "words_length"],
];

/** An upgradeable token whose balances are in OpenZeppelin's namespace, and what it is deployed with. */
const UPGRADEABLE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
contract UpToken is ERC20Upgradeable {
    uint256 internal extra;
    function initialize(address holder) external initializer { _mint(holder, 1000); extra = 7; }
}
contract Deployments {
    address public implementation = address(new UpToken());
    function deploy(address holder) external returns (address[3] memory proxies) {
        bytes memory data = abi.encodeCall(UpToken.initialize, holder);
        address beacon = address(new UpgradeableBeacon(implementation, address(this)));
        address clone = Clones.clone(implementation);
        UpToken(clone).initialize(holder);
        return [address(new ERC1967Proxy(implementation, data)), address(new BeaconProxy(beacon, data)), clone];
    }
}
contract Slots {
    function slots(address holder) external pure returns (bytes32, bytes32) {
        return (StorageOfUpToken._balances(holder), StorageOfUpToken._totalSupply());
    }
}
`;

const HARNESS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {StorageOfLayout} from "./HdpStorage.sol";
import {HdpSampledProperty} from "hardhat-hdp/contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {AggregateFn, BlockSampledDatalake, ComputationalTask, HdpForm, Operator} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
contract Harness {
    function task(address layout, uint256 block_) external pure returns (bytes32) {
        bytes memory property = HdpSampledProperty.storageSlot(layout, StorageOfLayout.total());
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, block_, block_, 1, property);
        return HdpTaskHash.inForm(HdpForm.Module, datalake, ComputationalTask(AggregateFn.MAX, Operator.NONE, 0)).hash;
    }
    function slots() external pure returns (bytes32[] memory all) {
        all = new bytes32[](${CASES.length.toString()});
${CASES.map(([call], position) => `        all[${position.toString()}] = StorageOfLayout.${call};`).join("\n")}
    }
    function beyond() external pure returns (bytes32) { return StorageOfLayout.fixedWords(3); }
}
`;

const solidity = (settings: object): SolidityUserConfig => ({
  version: "0.8.28",
  path: require.resolve("solc/soljson.js"),
  settings,
});
const kept = solidity({ outputSelection: { "*": { "*": ["storageLayout"] } } });

describe("hdp storage", () => {
  let project: TestProject;
  const run = async (given: Record<string, unknown>): Promise<CommandRun> =>
    await runCommand("storage", given, project.hre);
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(join(project.root, file, ".."), { recursive: true });
    await writeFile(join(project.root, file), text);
  };
  const text = async (file = "contracts/HdpStorage.sol"): Promise<string> =>
    await readFile(join(project.root, file), "utf8");
  const open = async (compiler = kept): Promise<void> => {
    const hdp = { local: { edition: "module-tasks" } } as const;
    project = await testProject({ solidity: compiler, hdp });
    await mkdir(join(project.root, "node_modules"));
    await symlink(root, join(project.root, "node_modules", "hardhat-hdp"));
    await write("contracts/Layout.sol", LAYOUT);
  };

  afterEach(async () => await removeProject(project));

  async function deploy({ provider }: NetworkConnection, name: string): Promise<Hex> {
    const { bytecode } = await project.hre.artifacts.readArtifact(name);
    const [from] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    if (from === undefined) throw new Error("no account");
    const { contractAddress } = await transact(provider, { from, data: `0x${bytecode.slice(2)}` });
    if (contractAddress === undefined) throw new Error(`${name} was not deployed`);
    return contractAddress;
  }

  it("writes a function for each value, which returns the slot of hdp.storageOf that the contract wrote, and which a task in the module form samples", async () => {
    await open();
    const { error, stdout } = await run({ contracts: ["Layout"] });
    expect(error).to.equal(undefined);
    expect(stdout).to.contain("contracts/HdpStorage.sol  written");
    await write("contracts/Harness.sol", HARNESS);
    await project.hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    await project.hre.artifacts.clearCache();
    const connection = await project.hre.network.create();
    const { provider, hdp } = connection;
    const layout = await deploy(connection, "Layout");
    const harness = await deploy(connection, "Harness");
    const abi = parseAbi([
      "function slots() view returns (bytes32[])",
      "function beyond() view returns (bytes32)",
    ]);
    const data = await ethCall(
      provider,
      harness,
      encodeFunctionData({ abi, functionName: "slots" }),
    );
    const slots = decodeFunctionResult({ abi, functionName: "slots", data });
    for (const [position, [call, value, variable, ...keys]] of CASES.entries()) {
      const slot = slots[position];
      expect(slot, call).to.equal(await hdp.storageOf("Layout", variable, ...keys));
      const word: unknown = await provider.request({
        method: "eth_getStorageAt",
        params: [layout, slot, "latest"],
      });
      expect(BigInt(String(word)), call).to.equal(value);
    }
    const beyond = await ethCall(
      provider,
      harness,
      encodeFunctionData({ abi, functionName: "beyond" }),
    ).then(
      () => expect.fail("no error"),
      (error: unknown) => decodeErrorResult({ data: revertData(error) ?? "0x" }).args,
    );
    expect(beyond).to.deep.equal(["Layout.fixedWords[index]: index is not below 3"]);
    const block = BigInt(String(await provider.request({ method: "eth_blockNumber" })));
    const property = storage(layout, await hdp.storageOf("Layout", "total"));
    const [result] = await hdp.run(blockSampled({ from: block, to: block, property }).max());
    expect(result.value).to.equal(5n);
    const inSolidity = encodeFunctionData({
      abi: parseAbi(["function task(address layout, uint256 block) view returns (bytes32)"]),
      args: [layout, block],
    });
    expect(await ethCall(provider, harness, inSolidity)).to.equal(result.taskHash);
    expect(result.word).to.equal(rootOfValue(5n));
    await connection.close();

    const arity = (list = ""): string =>
      list
        .split(",")
        .filter((one) => one !== "")
        .length.toString();
    const written = [...(await text()).matchAll(/function (\w+)\((.*?)\) internal/g)];
    const called = CASES.map(([call]) => /^(\w+)\((.*)\)$/.exec(call));
    const signatures = (found: readonly (RegExpExecArray | null)[]): string[] =>
      [...new Set(found.map((one) => `${one?.[1] ?? ""}/${arity(one?.[2])}`))].toSorted();
    expect(signatures(called)).to.deep.equal(signatures(written));
    expect(stdout).to.contain(`StorageOfLayout  ${written.length.toString()} functions`);
  });

  it("types keys, lists values without a function, and compiles without a warning", async () => {
    await open();
    const { stdout } = await run({ contracts: ["contracts/Layout.sol:Layout"], json: true });
    const shares = "it shares its slot with others";
    const longer = "text and bytes are not values of one word";
    expect(JSON.parse(stdout)).to.deep.equal({
      out: "contracts/HdpStorage.sol",
      libraries: [
        {
          contract: "Layout",
          library: "StorageOfLayout",
          functions: 38,
          without: [
            { path: "Layout.first", why: shares },
            { path: "Layout.second", why: shares },
            { path: "Layout.packedWords[index]", why: shares },
            { path: "Layout.outer.label", why: longer },
            { path: "Layout.node.children[key]", why: "a struct inside itself" },
            { path: "Layout.text", why: longer },
            { path: "Layout.accounts[key].low", why: shares },
            { path: "Layout.accounts[key].high", why: shares },
          ],
        },
      ],
    });
    const library = await text();
    for (const signature of [
      "allowances(address _key, address _key2)",
      "lists(address _key, bool _key2, uint256 _index)",
      "named(string memory _key, uint256 _key2)",
      "byBytes(bytes memory _key)",
      "bySelector(bytes4 _key)",
      "byInt(int64 _key)",
      "byKind(uint8 _key)",
      "byToken(address _key)",
      "byPrice(bytes32 _key)",
    ]) {
      expect(library).to.contain(`    function ${signature} internal pure returns (bytes32) {\n`);
    }
    expect(library).to.contain("///   Layout.packedWords[index]: it shares its slot with others\n");
    const helpers = ["libraries/HdpSampledProperty.sol", "libraries/HdpTypes.sol"];
    const sources = await Promise.all(
      helpers.map(async (file) => {
        const content = await readFile(join(root, "contracts", file), "utf8");
        return [`hardhat-hdp/contracts/${file}`, { content }] as const;
      }),
    );
    const solc = require("solc") as { readonly compile: (input: string) => string };
    const input = {
      language: "Solidity",
      sources: { ...Object.fromEntries(sources), "HdpStorage.sol": { content: library } },
      settings: { outputSelection: { "*": { "*": ["abi"] } } },
    };
    const output = JSON.parse(solc.compile(JSON.stringify(input))) as Record<string, unknown>;
    expect(output["errors"]).to.equal(undefined);
    expect(output["contracts"]).to.have.property("HdpStorage.sol");
  });

  it("passes --check with an unchanged file, formatted or not, and fails with a changed or missing one", async () => {
    await open();
    const given = { contracts: ["Layout"], out: "test/Slots.sol" };
    const missing = await run({ ...given, check: true });
    expect(isHdpError(missing.error, "HDP-6087")).to.equal(true);
    expect(String(missing.error)).to.contain('"test/Slots.sol" is missing');
    expect((await run(given)).error).to.equal(undefined);
    const formatted = (await text("test/Slots.sol"))
      .replaceAll("    ", "\t")
      .replaceAll("\n", "\r\n");
    await write("test/Slots.sol", formatted);
    expect((await run({ ...given, check: true })).stdout).to.contain(
      "matches the compiler's layout",
    );
    // Compiled anew before it is compared.
    await write(
      "contracts/Layout.sol",
      LAYOUT.replace("uint256 total = 5;", "uint256 before; uint256 total = 5;"),
    );
    const { error } = await run({ ...given, check: true });
    expect(isHdpError(error, "HDP-6087")).to.equal(true);
    expect(String(error)).to.contain("npx hardhat hdp storage Layout --out test/Slots.sol");
    expect(await text("test/Slots.sol")).to.equal(formatted);
  });

  it("finds namespaced variables, which behind a proxy are at the proxy's address", async () => {
    await open();
    const packages = join(project.root, "node_modules", "@openzeppelin");
    await symlink(join(root, "node_modules", "@openzeppelin"), packages);
    const whole = UPGRADEABLE.replace(
      "contract Up",
      'import {StorageOfUpToken} from "./HdpStorage.sol";\ncontract Up',
    );
    await write(
      "contracts/UpToken.sol",
      UPGRADEABLE.slice(0, UPGRADEABLE.indexOf("contract Slots")),
    );
    const { error, stdout } = await run({ contracts: ["UpToken"], json: true });
    expect(error).to.equal(undefined);
    expect(stdout).to.contain(`"path": "UpToken._name"`);
    await write("contracts/UpToken.sol", whole);
    await project.hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    await project.hre.artifacts.clearCache();
    const connection = await project.hre.network.create();
    const { hdp, provider } = connection;
    const slot = await hdp.storageOf("UpToken", "_balances", NINE);
    const supply = await hdp.storageOf("UpToken", "_totalSupply");
    const data = encodeFunctionData({
      abi: parseAbi(["function slots(address holder)"]),
      args: [NINE],
    });
    const slots = await ethCall(provider, await deploy(connection, "Slots"), data);
    expect(slots).to.equal(`${slot}${supply.slice(2)}`);

    const deployments = await deploy(connection, "Deployments");
    const abi = parseAbi([
      "function deploy(address holder) returns (address[3])",
      "function implementation() view returns (address)",
    ]);
    const deploying = encodeFunctionData({ abi, functionName: "deploy", args: [NINE] });
    const answer = await ethCall(provider, deployments, deploying);
    const proxies = decodeFunctionResult({ abi, functionName: "deploy", data: answer });
    const [from] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    await transact(provider, { from: from ?? "0x", to: deployments, data: deploying });
    const block = BigInt(String(await provider.request({ method: "eth_blockNumber" })));
    const taskOf = (address: Hex): DatalakeComputeTask =>
      blockSampled({ from: block, to: block, property: storage(address, slot) }).max();
    for (const proxy of proxies) {
      const [{ value, warnings }] = await hdp.run(taskOf(proxy));
      expect({ value, warnings }).to.deep.equal({ value: 1000n, warnings: undefined });
    }
    const own = await ethCall(
      provider,
      deployments,
      encodeFunctionData({ abi, functionName: "implementation" }),
    );
    const implementation = decodeFunctionResult({ abi, functionName: "implementation", data: own });
    const [{ value, warnings = [] }] = await hdp.run(taskOf(implementation));
    expect(value).to.equal(0n);
    expect(warnings).to.deep.equal([
      `the contract ${implementation.toLowerCase()} has nothing in storage at block ${block}: where it is the implementation behind a proxy, sample the proxy's address`,
    ]);
    await connection.close();
  });

  it("refuses an unknown contract and two contracts of one name", async () => {
    await open();
    const unknown = await run({ contracts: ["Layuot"] });
    expect(String(unknown.error)).to.match(/"Layuot"[\s\S]*Did you mean "?Layout"?/);
    await write(
      "contracts/old/Layout.sol",
      "pragma solidity ^0.8.21;\ncontract Layout { uint256 total; }\n",
    );
    const twice = await run({
      contracts: ["contracts/Layout.sol:Layout", "contracts/old/Layout.sol:Layout"],
    });
    expect(isHdpError(twice.error, "HDP-6086")).to.equal(true);
    expect(String(twice.error)).to.contain(
      "two contracts would be StorageOfLayout: contracts/Layout.sol:Layout and contracts/old/Layout.sol:Layout",
    );
    expect(await rejection(text())).to.contain("ENOENT");
  });

  it("refuses a contract without a layout and says how to keep it", async () => {
    await open(solidity({}));
    const { error } = await run({ contracts: ["Layout"] });
    expect(isHdpError(error, "HDP-6125")).to.equal(true);
    expect(String(error)).to.contain('"storageLayout"');
    expect(await rejection(text())).to.contain("ENOENT");
  });
});

async function rejection(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => expect.fail("no error"),
    (error: unknown) => String(error),
  );
}

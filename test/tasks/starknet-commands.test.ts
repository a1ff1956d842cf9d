import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { declareStarknetMock, deployStarknetMock } from "../../src/entries/store.js";
import { scaffoldModule } from "../../src/entries/program.js";
import type { HdpConfig, StarknetConfig } from "../../src/types.js";
import { initSnforgeProject } from "../../src/tasks/starknet.js";
import { accountFor } from "../../src/plugin/stores/starknet-stores.js";
import { computeFixtures, fixtureFormat } from "../../src/tasks/requests/task-fixtures.js";
import hardhatHdp from "../../src/index.js";
import { blockSampled, header, outputDigest, taskHash } from "../../src/entries/request.js";
import { PlayedNode } from "../starknet/played-node.js";
import { fixtureProject, root } from "../support/hardhat-cli.js";
import { hdpFailure } from "../support/failure.js";
import { runCommand } from "../support/run-command.js";

const CLASS_HASH = "0x12aecbf03663e8ba5dde185034efe12d8f3b3cc9da562907c7e6620cbc72565";

async function configuration(
  starknet: Readonly<Record<string, { rpcUrl: string; key?: string }>>,
): Promise<HdpConfig> {
  const sections = Object.entries(starknet).map(([chain, { rpcUrl, key }]) => {
    const account = key === undefined ? {} : { account: { address: "0xacc", privateKey: key } };
    return [chain, { rpcUrl, ...account }] as const;
  });
  const hdp = { starknet: Object.fromEntries(sections) };
  return (await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp], hdp })).config.hdp;
}

const failureOf = async (pending: Promise<unknown>): Promise<string> =>
  await pending.then(
    () => "no error",
    (error: unknown) => String(error),
  );

describe("hdp starknet init", () => {
  let project: string;

  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), "hdp-snforge-"));
    await mkdir(join(project, "node_modules", "hardhat-hdp", "contracts", "starknet"), {
      recursive: true,
    });
  });
  afterEach(async () => {
    await rm(project, { recursive: true });
  });
  const text = async (path: string): Promise<string> => await readFile(join(project, path), "utf8");

  it("makes a folder a project, and changes nothing the second time", async () => {
    const changes = (await initSnforgeProject("my-gate", project)).map(
      ({ path, change }) => `${change} ${path}`,
    );
    expect(changes).to.deep.equal([
      "created Scarb.toml",
      "created snfoundry.toml",
      "created src/lib.cairo",
      "created tests/hdp_test.cairo",
    ]);
    expect(await text("my-gate/Scarb.toml"))
      .to.contain('name = "my_gate"')
      .and.contain(
        'hardhat_hdp = { path = "../node_modules/hardhat-hdp/contracts/starknet/hardhat_hdp" }',
      );
    expect(await text("my-gate/tests/hdp_test.cairo")).to.contain(
      "fn the_finalized_result_opens_the_gate()",
    );
    const again = await initSnforgeProject("my-gate", project);
    expect(again.map(({ change }) => change)).to.deep.equal(Array<string>(4).fill("unchanged"));
  });

  it("adds settings and overwrites no source", async () => {
    await mkdir(join(project, "tests"));
    await writeFile(join(project, "Scarb.toml"), '[package] # ours\nname = "x"\n');
    await writeFile(join(project, "tests", "hdp_test.cairo"), "// mine\n");
    const changes = (await initSnforgeProject(".", project)).map(({ change }) => change);
    expect(changes).to.deep.equal(["added to", "created", "created", "unchanged"]);
    expect(await text("Scarb.toml")).to.match(/^\[package\] # ours\nname = "x"\n/);
    expect(await text("tests/hdp_test.cairo")).to.equal("// mine\n");
  });

  it("writes nothing where one file can't be added to", async () => {
    await writeFile(
      join(project, "snfoundry.toml"),
      'sncast = { default = { network = "sepolia" } }\n',
    );
    expect((await hdpFailure(initSnforgeProject(".", project))).code).to.equal("HDP-8016");
    expect(await text("Scarb.toml").catch(() => "none")).to.equal("none");
  });

  it("uses the path of this package when it is not installed in the project", async () => {
    await rm(join(project, "node_modules"), { recursive: true });
    await initSnforgeProject(".", project);
    const path = relative(project, join(root, "contracts", "starknet"));
    expect(await text("Scarb.toml")).to.contain(`hardhat_hdp = { path = "${path}/hardhat_hdp" }`);
  });
});

describe("hdp fixtures", () => {
  it("computes tasks on the connected network, whatever their destination", async () => {
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp] },
      {},
      fixtureProject,
    );
    const connection = await hre.network.create();
    const { hdp } = connection;
    const fixtures = await computeFixtures(["tasks/fee.json"], hre.config, connection);
    const hash = taskHash(
      blockSampled({ from: 0, to: 0, property: header("base_fee_per_gas") }).avg(),
    );
    expect(fixtures).to.have.length(1);
    expect(fixtures[0]).to.include({
      name: "fee",
      title: "average of header.base_fee_per_gas",
      taskHash: hash,
    });
    expect(fixtures[0]?.result).to.equal((await hdp.readResult(hash)).value);
    expect(fixtures[0]?.form).to.equal("datalake");
  });

  it("writes a file by the format of its extension, with the folders on the way", async () => {
    const project = await mkdtemp(join(tmpdir(), "hdp-fixtures-"));
    try {
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      await copyFile(join(fixtureProject, "tasks", "fee.json"), join(project, "fee.json"));
      const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, project);
      const { error } = await runCommand(
        "fixtures",
        { files: ["fee.json"], out: "new/fixtures.txt" },
        hre,
      );
      expect(error).to.equal(undefined);
      expect(await readFile(join(project, "new", "fixtures.txt"), "utf8")).to.match(
        /^1\n(\d+\n){4}$/,
      );
    } finally {
      await rm(project, { recursive: true });
    }
  });

  describe("of a module", () => {
    let project: string;
    const recording = "tests/votes.recording.json";

    beforeEach(async () => {
      project = await mkdtemp(join(tmpdir(), "hdp-votes-"));
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      for (const [path, text] of scaffoldModule("votes", "injected-state")) {
        await mkdir(dirname(join(project, path)), { recursive: true });
        await writeFile(join(project, path), text);
      }
      await mkdir(join(project, "target", "dev"), { recursive: true });
      for (const kind of ["compiled_contract_class", "contract_class"]) {
        const built = new URL(
          `../program/templates/m_injected_state_Module.${kind}.json`,
          import.meta.url,
        );
        await copyFile(built, join(project, "target", "dev", `votes_Module.${kind}.json`));
      }
    });
    afterEach(async () => {
      await rm(project, { recursive: true });
    });

    it("computes fixtures over a recording, with inputs, output and proofs", async () => {
      const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, project);
      const args = { files: ["tasks/votes.json"], out: "votes.cairo", recording };
      expect((await runCommand("fixtures", args, hre)).error).to.equal(undefined);
      const text = await readFile(join(project, "votes.cairo"), "utf8");
      const names = [...text.matchAll(/^pub const (\w+): ([^=]+) =/gm)].map(
        ([, name, type]) => `${name}: ${type}`,
      );
      expect(names).to.deep.equal([
        "VOTES_TASK: u256",
        "VOTES_RESULT: u256",
        "VOTES: (u256, u256)",
        "VOTES_PROGRAM_HASH: felt252",
        "VOTES_INPUTS: [felt252; 4]",
        "VOTES_OUTPUT: [felt252; 1]",
        "VOTES_WRITE_1: [felt252; 4]",
        "VOTES_WRITE_1_NODES: [StateNode; 0]",
        "VOTES_WRITE_2: [felt252; 4]",
        "VOTES_WRITE_2_NODES: [StateNode; 1]",
        "VOTES_READ_1: [felt252; 3]",
        "VOTES_READ_1_NODES: [StateNode; 0]",
        "VOTES_READ_2: [felt252; 3]",
        "VOTES_READ_2_NODES: [StateNode; 1]",
      ]);
      const root = 0x52c899fc0953f3f1f67b5721af38ac2cba5b63ean;
      const digest = `0x${outputDigest([root, 1n]).toString(16)}`;
      expect(text)
        .to.contain(
          "VOTES_TASK: u256 = 0x11e3c17e13ddbfae0e7c1914deb6f15f4afcf9d9a20cea4d2dfb1ac8bcf22dcb;",
        )
        .and.match(new RegExp(`VOTES_OUTPUT: \\[felt252; 1\\] = \\[\\s*${digest},?\\s*\\];`));
      // The recording has no other block: nothing else was read.
      const other = join(project, "tasks", "votes.json");
      await writeFile(other, (await readFile(other, "utf8")).replace('"block": 0', '"block": 1'));
      expect(String((await runCommand("fixtures", args, hre)).error)).to.match(
        /recorded chain data/,
      );
    });

    it("that fail are one failed Cairo test each, and the file stays as it was", async () => {
      await writeFile(join(project, "kept.cairo"), "// kept");
      const fixtures = {
        tasks: ["tasks/votes.json", "tasks/none.json"],
        out: "kept.cairo",
        recording,
      };
      const run = async (changes: Partial<typeof fixtures>, snforge = "true"): Promise<unknown> => {
        const cairo = { package: ".", snforge, fixtures: { ...fixtures, ...changes } };
        const hre = await createHardhatRuntimeEnvironment(
          { plugins: [hardhatHdp], hdp: { cairo } },
          {},
          project,
        );
        const result: unknown = await hre.tasks.getTask(["test", "cairo"]).run({ testFiles: [] });
        return result;
      };
      const summary = { passed: 0, failed: 1, skipped: 0, todo: 0 };
      expect(await run({})).to.deep.equal({ success: false, error: { summary } });
      expect(await run({ recording: "none.json" })).to.deep.equal({
        success: false,
        error: { summary },
      });
      expect(await run({}, "false")).to.deep.equal({
        success: false,
        error: { summary: { ...summary, failed: 2 } },
      });
      expect(await readFile(join(project, "kept.cairo"), "utf8")).to.equal("// kept");
      const passed = { success: true, value: { summary: { ...summary, failed: 0 } } };
      expect(await run({ tasks: ["tasks/votes.json"] })).to.deep.equal(passed);
      expect(await readFile(join(project, "kept.cairo"), "utf8")).to.contain("VOTES_TASK");
    });
  });

  it("of a workspace are counted by its last line, and snforge's own arguments pass through", async () => {
    const project = await mkdtemp(join(tmpdir(), "hdp-workspace-"));
    try {
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      await writeFile(join(project, "Scarb.toml"), '[workspace]\nmembers = ["a", "b"]\n');
      // The lines of snforge 0.63 in a workspace of two packages.
      const lines = [
        "Tests: 2 passed, 0 failed, 0 ignored",
        "Tests: 1 passed, 1 failed, 3 ignored",
      ];
      const said = [...lines, "Tests summary: 3 passed, 1 failed, 3 ignored"].map(
        (line) => `${line}, 0 filtered out`,
      );
      const snforge = join(project, "snforge");
      await writeFile(
        snforge,
        `#!/bin/sh\necho "$@" > arguments.txt\necho "${said.join("\n")}"\nexit 1\n`,
        {
          mode: 0o755,
        },
      );
      const cairo = { package: ".", snforge, snforgeArgs: ["--workspace"] };
      const hre = await createHardhatRuntimeEnvironment(
        { plugins: [hardhatHdp], hdp: { cairo } },
        {},
        project,
      );
      const testFiles = ["fee", "--gas-report"];
      const result: unknown = await hre.tasks.getTask(["test", "cairo"]).run({ testFiles });
      const summary = { passed: 3, failed: 1, skipped: 3, todo: 0 };
      expect(result).to.deep.equal({ success: false, error: { summary } });
      const given = await readFile(join(project, "arguments.txt"), "utf8");
      expect(given).to.equal("test --workspace fee --gas-report\n");
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it("sends nothing to a service", async () => {
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: {
        served: {
          type: "edr-simulated",
          hdp: { dataProcessor: { url: "http://service.invalid" } },
        },
      },
    });
    const connection = await hre.network.create("served");
    const error = await hdpFailure(computeFixtures(["tasks/fee.json"], hre.config, connection));
    expect(error.code).to.equal("HDP-6060");
    expect(error.message).to.contain("service.invalid");
  });

  it("refuses unknown formats", async () => {
    const error = await hdpFailure(Promise.resolve().then(() => fixtureFormat("xml")));
    expect(error.code).to.equal("HDP-6003");
    expect(error.message).to.contain("cairo, solidity, typescript, json, txt");
  });
});

describe("hdp starknet deploy-mock", () => {
  const none = { rpcUrl: undefined, account: undefined, destination: undefined };
  const KEY = "0x5ec7e7";

  it("declares and deploys the mock on the configured chain", async () => {
    const node = new PlayedNode();
    const rpcUrl = await node.listen();
    try {
      const config = await configuration({ SN_SEPOLIA: { rpcUrl, key: KEY } });
      expect(await declareStarknetMock(await accountFor(none, config))).to.include({
        classHash: CLASS_HASH,
        transactionHash: "0xabc001",
      });
      expect(await declareStarknetMock(await accountFor(none, config))).to.include({
        classHash: CLASS_HASH,
        transactionHash: undefined,
      });
      const { address, transactionHash } = await deployStarknetMock(await accountFor(none, config));
      expect([...node.stores]).to.deep.equal([BigInt(address)]);
      expect(transactionHash).to.equal(undefined);
      expect(JSON.stringify(node.sent)).not.to.contain(KEY.slice(2));
    } finally {
      await node.close();
    }
  });

  it("uses the configured key for the configured account only, and else the environment's", async () => {
    const config = await configuration({ SN_SEPOLIA: { rpcUrl: "http://a.invalid", key: KEY } });
    const own = await accountFor(none, config, {});
    expect(own).to.include({ rpcUrl: "http://a.invalid", accountAddress: "0xacc" });
    expect(await own.privateKey()).to.equal(KEY);
    const other = { ...none, rpcUrl: "http://b.invalid", account: "0xb" };
    const given = await accountFor(other, config, { HDP_STARKNET_PRIVATE_KEY: "0xbb" });
    expect(given).to.include({ rpcUrl: "http://b.invalid", accountAddress: "0xb" });
    expect(await given.privateKey()).to.equal("0xbb");
    const error = await hdpFailure(accountFor(other, config, {}));
    expect(error.code).to.equal("HDP-6016");
    expect(error.path).to.equal("HDP_STARKNET_PRIVATE_KEY");
  });

  it("takes an account of sncast's by its name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hdp-accounts-"));
    try {
      const file = join(folder, "accounts.json");
      const accounts = { "alpha-sepolia": { me: { address: "0xacc", private_key: KEY } } };
      await writeFile(file, JSON.stringify(accounts));
      const of = async (account: string): Promise<HdpConfig> => {
        const hdp = {
          starknet: { SN_SEPOLIA: { rpcUrl: "http://a.invalid", account, accountsFile: file } },
        };
        return (await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp], hdp })).config.hdp;
      };
      const named = await accountFor(none, await of("me"));
      expect(named.accountAddress).to.equal("0xacc");
      expect(await named.privateKey()).to.equal(KEY);
      expect((await hdpFailure(accountFor(none, await of("you")))).message).to.contain(
        'HDP-8022: the account\'s name "you" cannot be used',
      );
      const devnet = accountFor({ ...none, account: "devnet-1" }, await of("me"));
      expect((await hdpFailure(devnet)).code).to.equal("HDP-8022");
      const empty = await failureOf(of(""));
      expect(empty).to.contain("starknet.SN_SEPOLIA.account");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("hints at the destination where a result may be on Starknet", async () => {
    const hdp = { starknet: { SN_SEPOLIA: { rpcUrl: "http://a.invalid" } } };
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp },
      {},
      fixtureProject,
    );
    const hint = "A result that went to Starknet is read with --destination STARKNET_SEPOLIA.";
    const read = async (given: object): Promise<string> =>
      String(
        (await runCommand("result", { taskHash: `0x${"12".repeat(32)}`, ...given }, hre)).error,
      );
    expect(await read({}))
      .to.contain("HDP-3001")
      .and.contain(hint);
    expect(await read({ destination: "ETHEREUM_SEPOLIA" }))
      .to.contain("HDP-3001")
      .and.not.contain(hint);
  });

  it("reports a missing node, account or key", async () => {
    const two = await configuration({
      SN_SEPOLIA: { rpcUrl: "http://a.invalid", key: KEY },
      SN_MAIN: { rpcUrl: "http://b.invalid", key: KEY },
    });
    expect((await hdpFailure(accountFor(none, two, {}))).path).to.equal("--rpc-url");
    const chosen: StarknetConfig | undefined = two.starknet["STARKNET_MAINNET"];
    expect(await chosen?.rpcUrl.getUrl()).to.equal("http://b.invalid");
    const named = await accountFor({ ...none, destination: "SN_MAIN" }, two, {});
    expect(named.rpcUrl).to.equal("http://b.invalid");
    const reading = await configuration({ SN_SEPOLIA: { rpcUrl: "http://a.invalid" } });
    const error = await hdpFailure(accountFor({ ...none, destination: "SN_SEPOLIA" }, reading, {}));
    expect(error.code).to.equal("HDP-6016");
    expect(error.path).to.equal("--account");
  });
});

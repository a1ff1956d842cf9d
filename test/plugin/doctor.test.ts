import { spawnSync } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { HardhatUserConfig } from "hardhat/types/config";

import type { Eip1193Provider } from "../../src/entries/local.js";
import { hdpError, notAllowed } from "../../src/errors/hdp-error.js";
import { encodeRlp } from "../../src/base/rlp.js";
import { isRecord } from "../../src/base/collections.js";
import { headerItems } from "../../src/chain/blocks.js";
import { rpcObject } from "../../src/chain/node-rpc.js";
import type { Finding } from "../../src/plugin/doctor/finding.js";
import { DATABASE_CHECKS } from "../../src/plugin/doctor/database-checks.js";
import { runChecks } from "../../src/plugin/doctor/finding.js";
import { batchLimit } from "../../src/plugin/doctor/node-io.js";
import { VERSION_CHECKS, type VersionsIo } from "../../src/plugin/doctor/version-checks.js";
import type { HdpUserConfig } from "../../src/types.js";
import { keccak256 } from "viem";
import { interfacesServer, type InterfacesServer } from "../support/interfaces-server.js";
import { closedAddress } from "../support/odd-servers.js";
import {
  KEY_VARIABLE,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { type RpcServer, serve } from "../support/rpc-server.js";
import { runCommand } from "../support/run-command.js";
import { SERVICE_KEY } from "../support/service-server.js";

type Networks = NonNullable<HardhatUserConfig["networks"]>;

/** A finding as one text: `red proofs: wrong …`, with the next step where it has one. */
function textOf(finding: Finding): string {
  const step = finding.light === "green" ? "" : ` -> ${finding.nextStep}`;
  return `${finding.light} ${finding.check}: ${finding.found}${step}`;
}

describe("hdp doctor", () => {
  let services: InterfacesServer;
  let project: TestProject;
  const nodes: RpcServer[] = [];

  before(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    services = await interfacesServer();
    project = await testProject({});
  });
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map(async (node) => await node.close()));
  });
  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await services.close();
    await removeProject(project);
  });

  /** Runs the command on the network `one` and returns its lines, its exit code and what it printed. */
  async function doctor(networks: Networks, config: HdpUserConfig = {}) {
    const { hre } = await testProject({ networks, hdp: config }, project.root, "one");
    const shown = await runCommand("doctor", {}, hre);
    expect(shown.error, String(shown.error)).to.equal(undefined);
    const asked = await runCommand("doctor", { json: true }, hre);
    const document = JSON.parse(asked.stdout) as { findings: Finding[]; red: number };
    expect(document.red).to.equal(document.findings.filter(({ light }) => light === "red").length);
    expect(shown.exitCode).to.equal(document.red > 0 ? 1 : undefined);
    return { lines: document.findings.map(textOf), screen: shown.stdout, exitCode: shown.exitCode };
  }

  /** Serves an in-process chain of three blocks as a node over HTTP, which answers as `change` says. */
  async function node(
    change: (method: string, answer: unknown) => unknown = (_, answer) => answer,
    chainId?: number,
  ): Promise<string> {
    const chain = await testProject(
      { networks: { chain: { type: "edr-simulated", ...(chainId && { chainId }) } } },
      project.root,
    );
    const { provider, hdp } = await chain.hre.network.create("chain");
    await hdp.mine(3);
    const changed: Eip1193Provider = {
      request: async ({ method, params = [] }) => {
        const answer: unknown = await provider.request({ method, params: [...params] });
        return change(method, answer);
      },
    };
    const server = await serve(changed);
    nodes.push(server);
    return server.url;
  }

  const http = (url: string, hdp: HdpUserConfig = {}): Networks => ({
    one: { type: "http", url, hdp },
  });
  const line = (lines: readonly string[], check: string): string =>
    lines.find((one) => one.includes(` ${check}: `)) ?? "";

  it("finds nothing red in a new project, and says what is not there yet", async () => {
    const { lines, screen } = await doctor({ one: { type: "edr-simulated" } });
    expect(lines.filter((one) => one.startsWith("red"))).to.deep.equal([]);
    expect(line(lines, "Node")).to.equal(`green Node: ${process.versions.node}`);
    expect(line(lines, "answers")).to.match(
      /^green answers: Hardhat, in this process, at block 0$/,
    );
    expect(line(lines, "old state")).to.equal("green old state: accounts and slots of every block");
    expect(line(lines, "contract")).to.contain("none yet: the first use deploys a mock");
    expect(line(lines, "file")).to.contain("none yet: the first submission makes it");
    expect(screen).to.match(/\d+ checks: \d+ green, \d+ yellow, 0 red/);
  });

  it("names an unreachable node, and checks nothing that needs it", async () => {
    const { lines } = await doctor(http(await closedAddress()));
    expect(line(lines, "answers")).to.match(/^red answers: HDP-4103: .*ECONNREFUSED/);
    expect(lines.some((one) => / (proofs: right|contract:)/.test(one))).to.equal(false);
  });

  it("names the chain that is another than configured, than its name says, and than its source is for", async () => {
    const url = await node(undefined, 1);
    const configured = await doctor({ one: { type: "http", url, chainId: 11155111 } });
    expect(line(configured.lines, "answers")).to.match(/^red answers: HHE\d+: .*"11155111", .*"1"/);
    const named = await testProject(
      { networks: { sepolia: { type: "http", url } } },
      project.root,
      "sepolia",
    );
    const shown = await runCommand("doctor", {}, named.hre);
    expect(shown.stdout).to.match(
      /✘ chain +ETHEREUM_MAINNET \(chain id 1\), a \w+ chain, under the name of ETHEREUM_SEPOLIA\n +Give networks\.sepolia the url of a node of ETHEREUM_SEPOLIA/,
    );
    const source = await doctor(
      { one: { type: "edr-simulated" }, other: { type: "http", url } },
      { sources: { ETHEREUM_SEPOLIA: "other" } },
    );
    expect(line(source.lines, "sources")).to.match(/^red sources: HDP-4605: .*ETHEREUM_MAINNET/);
  });

  it("names a false proof", async () => {
    const url = await node((method, answer) =>
      method === "eth_getProof" && isRecord(answer) ? { ...answer, balance: "0x7" } : answer,
    );
    const { lines } = await doctor(http(url));
    expect(lines.find((one) => one.includes(" proofs: wrong"))).to.match(
      /^red proofs: wrong: the state of block 3 does not match its root, field "balance" of 0x.* -> Ask another node of the chain/,
    );
  });

  it("names headers without a state root, and a node without proofs", async () => {
    const zero = await node((method, answer) => {
      if (method !== "eth_getBlockByNumber" || !isRecord(answer)) return answer;
      const block = { ...answer, stateRoot: `0x${"00".repeat(32)}` };
      return { ...block, hash: keccak256(encodeRlp(headerItems(rpcObject(block, "block")))) };
    });
    const { lines } = await doctor(http(zero));
    expect(lines.filter((one) => one.includes("proofs: none"))).to.have.length(1);
    expect(lines.join("\n")).to.match(/yellow proofs: none: .*its header has no state root/);
    const required = await doctor(http(zero, { local: { prove: "require" } }));
    expect(required.lines.join("\n")).to.match(/red proofs: none: .*its header has no state root/);
    const without = await node((method, answer) => {
      if (method !== "eth_getProof") return answer;
      throw Object.assign(new Error("the method eth_getProof does not exist"), { code: -32601 });
    });
    const { lines: plain } = await doctor(http(without));
    expect(plain.join("\n")).to.match(/yellow proofs: none: .*eth_getProof does not exist/);
    expect(line(plain, "old state")).to.contain("green");
  });

  it("names a clock that is ahead", async () => {
    const { lines } = await doctor({
      one: { type: "edr-simulated", initialDate: new Date(Date.now() + 7_200_000) },
    });
    expect(line(lines, "clock")).to.match(
      /^yellow clock: the latest block is (119 min \d+ s|2 h 0 min) ahead -> Dates in tasks/,
    );
  });

  const remote = (url: string, apiKey = KEY_VARIABLE): HdpUserConfig => ({
    dataProcessor: { url: `${url}/dp`, apiKey: configVariable(apiKey), edition: "module-tasks" },
    programRegistry: { submitUrl: url, apiKey: configVariable(apiKey) },
    storageProof: { url: `${url}/sp`, apiKey: configVariable(apiKey) },
  });

  it("checks each service and its key by free calls, and never prints a key", async () => {
    const { host } = new URL(services.url);
    const networks: Networks = { one: { type: "edr-simulated", hdp: remote(services.url) } };
    const { lines, screen } = await doctor(networks, { local: { edition: "module-tasks" } });
    expect(lines.filter((one) => !one.startsWith("green"))).to.satisfy((all: string[]) =>
      all.every((one) => one.includes("solc") || one.includes("git")),
    );
    expect(line(lines, "data processor")).to.equal(
      `green data processor: ${host} says "healthy, database operational", API version module-tasks`,
    );
    expect(line(lines, "its key")).to.equal(`green its key: accepted: variable ${KEY_VARIABLE}`);
    expect(line(lines, "proof key")).to.equal(
      `green proof key: accepted: variable ${KEY_VARIABLE}`,
    );
    expect(line(lines, "program registry")).to.contain(`green program registry: ${host} answers`);
    expect(line(lines, "secrets")).to.contain(KEY_VARIABLE);
    expect(screen).not.to.contain(SERVICE_KEY);
  });

  it("names a refused key and one that is not set, without sending anything that costs", async () => {
    process.env["HDP_TEST_WRONG_KEY"] = "wrong-key-0123456789";
    const before = services.seen.length;
    const wrong = await doctor({
      one: { type: "edr-simulated", hdp: remote(services.url, "HDP_TEST_WRONG_KEY") },
    });
    Reflect.deleteProperty(process.env, "HDP_TEST_WRONG_KEY");
    for (const key of ["its key", "proof key"])
      expect(line(wrong.lines, key)).to.match(
        /^red [a-z ]+: refused \(HTTP status 401\): variable HDP_TEST_WRONG_KEY -> Correct its value/,
      );
    expect(wrong.screen).not.to.contain("wrong-key-0123456789");
    expect(services.seen.slice(before).every(({ method }) => method === "GET")).to.equal(true);
    const unset = await doctor({
      one: { type: "edr-simulated", hdp: remote(services.url, "HDP_TEST_UNSET_KEY") },
    });
    expect(line(unset.lines, "its key")).to.match(
      /^red its key: not set: variable HDP_TEST_UNSET_KEY -> Set it in the environment/,
    );
    const { dataProcessor } = remote(services.url, "HDP_TEST_UNSET_KEY");
    const withLogin = typeof dataProcessor === "object" && {
      ...dataProcessor,
      loginUrl: services.url,
    };
    const hdp = withLogin ? { dataProcessor: withLogin } : {};
    const byLogin = await doctor({ one: { type: "edr-simulated", hdp } });
    expect(line(byLogin.lines, "its key")).to.include(
      "-> Log in by wallet: npx hardhat hdp login --network one",
    );
  });

  it("warns of tests that take other tasks than the service, and of a node's url that is the service's", async () => {
    const url = await node();
    const service = (edition: "tasks" | "module-tasks", at = services.url): HdpUserConfig => ({
      dataProcessor: { url: at, apiKey: configVariable(KEY_VARIABLE), edition },
    });
    const differ = await doctor(http(url, service("tasks")), {
      local: { edition: "module-tasks" },
    });
    expect(line(differ.lines, "tests")).to.equal(
      'yellow tests: take the tasks of API version module-tasks, and the service those of tasks: what is green there may be refused -> Set hdp: { local: { edition: "tasks" } }.',
    );
    const free = await doctor(http(url, service("module-tasks")));
    expect(line(free.lines, "tests")).to.contain("yellow tests: take every task, and the service");
    const same = await doctor(http(url, service("tasks")), { local: { edition: "tasks" } });
    expect(line(same.lines, "tests")).to.match(/^green/);
    const one = await doctor(http(services.url, service("module-tasks", services.url)));
    expect(line(one.lines, "data processor")).to.match(
      /^red data processor: HDP-6003: .* is not the address of both a node and a service\. -> Allowed: here the service's, and in networks\.one\.url that of a node/,
    );
  });

  it("prints every next step of an error, a line each", async () => {
    const failing = { name: "x", run: () => Promise.reject(hdpError("HDP-4402", { what: "y" })) };
    const [finding] = await runChecks("Group", [failing], undefined);
    const two = {
      name: "x",
      run: () => Promise.reject(notAllowed("y", "z", { allowed: "a", hints: ["Then b."] })),
    };
    const [both] = await runChecks("Group", [two], undefined);
    expect(finding && "nextStep" in finding && finding.nextStep).to.contain(
      "Submit the task again",
    );
    expect(both && "nextStep" in both && both.nextStep).to.equal("Allowed: a.\nThen b.");
  });

  it("names dead services, each in its line", async () => {
    const closed = await closedAddress();
    const { lines, exitCode } = await doctor({
      one: { type: "edr-simulated", hdp: remote(closed) },
    });
    for (const check of ["data processor", "program registry", "storage proof"])
      expect(line(lines, check)).to.match(/^red [a-z ]+: HDP-2063: .*ECONNREFUSED/);
    expect(lines.some((one) => one.includes("its key"))).to.equal(false);
    expect(exitCode).to.equal(1);
  });

  it("names a contract that is no store, and an account that may not finalize", async () => {
    const empty = "0x00000000000000000000000000000000000000aa";
    const none = await doctor({
      one: { type: "edr-simulated", hdp: { executionStore: { address: empty } } },
    });
    expect(line(none.lines, "contract")).to.match(/^red contract: HDP-3002: /);
    const url = await node();
    const deployer = await testProject({ networks: http(url) }, project.root);
    const { hdp } = await deployer.hre.network.create("one");
    const { address } = await hdp.deployExecutionStore();
    const operator = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    const other = await doctor(http(url, { executionStore: { address, operator } }));
    expect(line(other.lines, "contract")).to.equal(`green contract: satellite at ${address}`);
    expect(line(other.lines, "roles")).to.match(
      new RegExp(`^red roles: ${operator} may not finalize: it is not an operator -> Name one`),
    );
    const own = await doctor(http(url, { executionStore: { address } }));
    expect(line(own.lines, "roles")).to.match(/^green roles: 0x\w+ may finalize$/);
    const service = { ...remote(await closedAddress()), executionStore: { address, operator } };
    expect(line((await doctor(http(url, service))).lines, "roles")).to.equal(
      "green roles: the service finalizes: no account of this network has to",
    );
  });

  it("names a read-only folder, readable records and a folder that git would take", async function () {
    const dataDir = join(project.root, "own");
    await mkdir(dataDir, { recursive: true });
    const config: HdpUserConfig = { dataDir: "own" };
    const { hre } = await testProject(
      { networks: { one: { type: "edr-simulated", hdp: remote(services.url) } }, hdp: config },
      project.root,
    );
    const { hdp } = await hre.network.create("one");
    await hdp.storageProof.submitRequest({ data: {} });
    await chmod(join(dataDir, "submissions.db"), 0o644);
    spawnSync("git", ["init", "--quiet"], { cwd: project.root });
    const open = await doctor({ one: { type: "edr-simulated" } }, config);
    expect(line(open.lines, "file")).to.match(/^green file: opens, version \d+, 1 submission$/);
    expect(line(open.lines, "permissions")).to.match(
      /^yellow permissions: 644: .* -> chmod 600 own/,
    );
    expect(line(open.lines, "git")).to.match(/^yellow git: own\/ is not ignored -> Add own\//);
    await writeFile(join(project.root, ".gitignore"), "own/\n");
    expect(line((await doctor({ one: { type: "edr-simulated" } }, config)).lines, "git")).to.equal(
      "green git: own/ is ignored",
    );
    await rm(join(project.root, ".git"), { recursive: true });
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) await chmod(dataDir, 0o500);
    else if (
      spawnSync("mount", ["--bind", dataDir, dataDir]).status !== 0 ||
      spawnSync("mount", ["-o", "remount,ro,bind", dataDir]).status !== 0
    )
      this.skip();
    const closed = await doctor({ one: { type: "edr-simulated" } }, config);
    if (isRoot) spawnSync("umount", [dataDir]);
    else await chmod(dataDir, 0o700);
    expect(line(closed.lines, "folder")).to.match(
      /^red folder: own\/ is read-only \((EROFS|EACCES)\) -> Nothing can be sent from here/,
    );
  });

  it("says of a folder that cannot be tried why, and of a file that is no database", async () => {
    const findings = await runChecks("Database", DATABASE_CHECKS, {
      folder: "hdp",
      facts: () => undefined,
      readOnly: async () => await Promise.resolve("EROFS"),
      mode: async () => await Promise.resolve(0o600),
      isIgnored: async () => await Promise.resolve(undefined),
    });
    expect(findings.map(textOf)).to.deep.equal([
      "green file: none yet: the first submission makes it",
      "red folder: hdp/ is read-only (EROFS) -> Nothing can be sent from here: make it writable, or name another folder as hdp.dataDir.",
      "green permissions: 600: for its owner alone",
      "green git: the project is in no repository",
    ]);
    await mkdir(join(project.root, "broken"));
    await writeFile(join(project.root, "broken", "submissions.db"), "no database at all");
    const { lines } = await doctor({ one: { type: "edr-simulated" } }, { dataDir: "broken" });
    expect(line(lines, "file")).to.match(/^red file: HDP-5102: /);
  });

  const versions = (io: Partial<VersionsIo>): VersionsIo => ({
    node: "24.0.0",
    installed: async () => await Promise.resolve("24.0.0"),
    program: async () => await Promise.resolve(undefined),
    compilers: ["0.8.28"],
    scarb: "scarb",
    snforge: "snforge",
    hasCairo: false,
    range: async () => await Promise.resolve(">=22.13.0"),
    pragma: async () => await Promise.resolve(">=0.8.21 <0.9.0"),
    ...io,
  });

  it("names an old Node, an old or missing package, a missing program that is needed, and an old compiler", async () => {
    const findings = await runChecks(
      "Versions",
      VERSION_CHECKS,
      versions({
        node: "20.11.0",
        compilers: ["0.8.19"],
        hasCairo: true,
        installed: async (name) => await Promise.resolve(name === "viem" ? undefined : "2.22.0"),
        range: async (name) => await Promise.resolve(name === "node" ? ">=22.13.0" : "^3.8.0"),
      }),
    );
    expect(findings.map(({ light, check }) => `${light} ${check}`)).to.deep.equal([
      "red Node",
      "red Hardhat",
      "red viem",
      "red Scarb",
      "red snforge",
      "yellow solc",
    ]);
    expect(findings.map(textOf)[1]).to.equal(
      'red Hardhat: 2.22.0, and this package needs ^3.8.0 -> npm install --save-dev "hardhat@^3.8.0"',
    );
    const fine = await runChecks(
      "Versions",
      VERSION_CHECKS,
      versions({ program: async () => await Promise.resolve("scarb 2.13.1") }),
    );
    expect(fine.every(({ light }) => light === "green")).to.equal(true);
  });

  it("finds the most calls that a node takes in one batch, by at most eight requests", async () => {
    for (const limit of [1, 2, 7, 50, 99, 100, 1_000]) {
      let requests = 0;
      const found = await batchLimit(async (calls) => {
        requests += 1;
        const outcome =
          calls.length > limit ? { error: new Error("batch too large") } : { result: "0x1" };
        return await Promise.resolve(() => calls.map(() => outcome));
      });
      expect(found).to.equal(Math.min(limit, 100));
      expect(requests).to.be.at.most(8);
    }
  });
});

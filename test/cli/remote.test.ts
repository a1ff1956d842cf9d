import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import type { JsonRpcServer, NetworkConnection } from "hardhat/types/network";

import { parseTaskRequest } from "../../src/entries/request.js";
import { parseCompiledClass, programHash } from "../../src/entries/program.js";
import { hardhat, root, type CliResult } from "../support/hardhat-cli.js";
import {
  compiledClass,
  interfacesServer,
  type InterfacesServer,
} from "../support/interfaces-server.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import {
  SERVICE_KEY,
  serviceServer,
  valueOf,
  type ServiceServer,
} from "../support/service-server.js";

const cwd = join(root, "test", "fixture-remote");
const parsed = (text: string): Record<string, unknown> =>
  JSON.parse(text) as Record<string, unknown>;

describe("the command line with a service", function () {
  this.timeout(300_000);
  let folder: string;
  let chainProject: TestProject;
  let clientProject: TestProject;
  let rpc: JsonRpcServer;
  let chain: NetworkConnection<string>;
  let service: ServiceServer;
  let interfaces: InterfacesServer;
  let env: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-cli-"));
    chainProject = await testProject({});
    rpc = await chainProject.hre.network.createServer();
    const { address, port } = await rpc.listen();
    const url = `http://${address}:${String(port)}`;
    clientProject = await testProject({ networks: { chain: { type: "http", url } } });
    chain = await clientProject.hre.network.create("chain");
    const store = await chain.hdp.deployExecutionStore();
    service = await serviceServer(chain);
    interfaces = await interfacesServer();
    env = {
      FIXTURE_CHAIN: url,
      FIXTURE_SERVICE: service.url,
      FIXTURE_INTERFACES: interfaces.url,
      FIXTURE_STORE: store.address,
      FIXTURE_DATA: join(folder, "data"),
      FIXTURE_KEY: SERVICE_KEY,
      // Whatever a debug line may say, every output below is searched for the key.
      DEBUG: "hardhat:hdp:*",
    };
    await writeFile(
      join(folder, "sum.compiled_contract_class.json"),
      JSON.stringify(compiledClass),
    );
    await writeFile(
      join(folder, "body.json"),
      JSON.stringify({ destination_chain_id: "SN_SEPOLIA", data: {} }),
    );
  });
  after(async () => {
    await service.close();
    await interfaces.close();
    await chain.close();
    await rpc.close();
    await removeProject(chainProject);
    await removeProject(clientProject);
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (
    args: readonly string[],
    more: Record<string, string> = {},
  ): Promise<CliResult> => await hardhat([...args], { cwd, env: { ...env, ...more } });
  const succeeds = async (
    args: readonly string[],
    more?: Record<string, string>,
  ): Promise<string> => {
    const { code, stdout, stderr } = await run(args, more);
    expect(code, stderr).to.equal(0);
    expect(stdout + stderr).not.to.contain(SERVICE_KEY);
    return stdout;
  };
  const fails = async (
    code: string,
    args: readonly string[],
    more?: Record<string, string>,
  ): Promise<string> => {
    const result = await run(args, more);
    // An unknown outcome has another exit code than invalid input (docs/commands.md, exit codes).
    expect(result.code, result.stdout).to.equal(["HDP-5005", "HDP-5008"].includes(code) ? 4 : 1);
    expect(result.stderr)
      .to.contain(code)
      .and.not.to.match(/\n\s+at /);
    expect(result.stdout + result.stderr).not.to.contain(SERVICE_KEY);
    return result.stderr;
  };

  it("sends nothing on an unknown network, and nothing without a key", async () => {
    await fails("HHE705", ["hdp:submit", "tasks/fee.json", "--network", "nope"]);
    const keyless = Object.fromEntries(
      Object.entries(env).filter(([name]) => name !== "FIXTURE_KEY"),
    );
    const { code, stderr } = await hardhat(
      ["hdp:submit", "tasks/fee.json", "--network", "remote"],
      {
        cwd,
        env: keyless,
      },
    );
    expect(code).to.equal(1);
    expect(stderr).to.contain("HDP-2003").and.to.contain("FIXTURE_KEY");
    expect(service.seen).to.deep.equal([]);
  });

  it("explains at the next command what a lost answer left, and resumes it", async () => {
    service.state.mishap = "drop";
    await fails("HDP-5008", ["hdp:submit", "tasks/fee.json", "--network", "remote"]);
    service.state.mishap = "none";
    const stopped = await run(["hdp:submit", "tasks/fee.json", "--network", "remote"]);
    expect(stopped.stderr).to.contain("HDP-5005").and.to.contain("--lost");
    expect(
      (stopped.stdout + stopped.stderr).split("no answer says whether it was accepted"),
    ).to.have.length(2);
    const list = await succeeds(["hdp", "list"]);
    expect(list)
      .to.match(/ID +STATE +AGE/)
      .and.to.contain("no answer says whether it was accepted");
    const records = JSON.parse(await succeeds(["hdp", "list", "--json"])) as {
      id: string;
      state: string;
      ageMs: number;
      request: unknown;
    }[];
    expect(list).to.match(
      /^ +1 {2}[a-z]+ of header\.\w+\n +blocks? \S+ on \w+, \d+ samples?, step 1$/m,
    );
    const file = await readFile(join(cwd, "tasks", "fee.json"), "utf8");
    expect(parseTaskRequest(records[0]?.request)).to.deep.equal(parseTaskRequest(JSON.parse(file)));
    expect(records.map(({ state }) => state)).to.deep.equal(["unknown"]);
    expect(records[0]?.ageMs).to.be.greaterThan(0);
    const all = await run(["hdp", "resume"]);
    expect(all.code).to.equal(1);
    expect(all.stdout)
      .to.contain("1 submission of 1 could not be finished")
      .and.to.contain("--accepted");
    expect(all.stdout).to.match(
      /✘ HDP-5009: submission \S+ cannot be resumed: it is unknown, and the service's id/,
    );
    await fails("HDP-6016", ["hdp", "resume", "--lost"]);
    const resumed = parsed(
      await succeeds(["hdp", "resume", records[0]?.id ?? "", "--accepted", "task-1", "--json"]),
    );
    expect(resumed).to.have.nested.property("record.state", "finalized");
    expect(service.posts()).to.have.length(1);
  });

  it("returns what is finalized, submits with --force, and awaits from another process by id and hash", async () => {
    const again = await succeeds(["hdp:submit", "tasks/fee.json", "--network", "remote"]);
    expect(again).to.contain("0 of 1 task to send.").and.to.contain("is not sent: finalized in");
    expect(service.posts()).to.have.length(1);
    const forced = parsed(
      await succeeds([
        "hdp:submit",
        "tasks/fee.json",
        "--network",
        "remote",
        "--force",
        "--no-wait",
        "--json",
      ]),
    ) as { submission: { id: string; taskHashes: `0x${string}`[] } };
    const { id, taskHashes } = forced.submission;
    expect(id).to.equal("task-2");
    // Neither names the network: the database does.
    const byId = parsed(await succeeds(["hdp:await", id, "--json"])) as {
      results: { value: string }[];
    };
    expect(byId.results.map(({ value }) => value)).to.deep.equal([
      valueOf(taskHashes[0] ?? "0x").toString(),
    ]);
    expect(await succeeds(["hdp", "status", taskHashes[0] ?? ""])).to.contain(
      "TaskDecommitmentCompleted  finalized",
    );
    expect(await succeeds(["hdp", "resume"])).to.contain("Nothing was interrupted");
    expect(await readFile(join(folder, "data", "submissions.db"), "latin1")).not.to.contain(
      SERVICE_KEY,
    );
  });

  it("hashes, uploads and describes a program", async () => {
    const hash = programHash(parseCompiledClass(compiledClass));
    const file = join(folder, "sum.compiled_contract_class.json");
    expect(
      parsed(await succeeds(["hdp", "program", "hash", file, "--json", "--network", "nope"])),
    ).to.include({
      programHash: hash,
    });
    interfaces.state.answerHash = "0x99";
    expect(await succeeds(["hdp:program:upload", file]))
      .to.contain("Program hash  0x99")
      .and.to.contain(hash);
    interfaces.state.answerHash = undefined;
    expect(
      parsed(await succeeds(["hdp", "program", "upload", file, "--force", "--json"])),
    ).to.include({
      programHash: hash,
      form: "segments",
    });
    expect(await succeeds(["hdp", "program", "show", hash])).to.match(
      /Layout +recursive_with_poseidon\n +Cairo +2\n/,
    );
  });

  it("proves, and lists queries and actions", async () => {
    const body = join(folder, "body.json");
    expect(await succeeds(["hdp:proof:submit", body])).to.match(
      /Request {2}request-1[^]*query-1 +COMPLETED +accounts/,
    );
    expect(
      parsed(await succeeds(["hdp", "proof", "queries", "request-1", "--json"])),
    ).to.have.nested.property("queries[0].status", "COMPLETED");
    expect(await succeeds(["hdp", "proof", "actions", "query-1"])).to.contain('"step": "PROOF"');
    await fails("HDP-6001", ["hdp:proof:submit", "none.json"]);
  });

  it("asks before it creates or cancels a grow order, and does neither where nobody can answer", async () => {
    const body = join(folder, "body.json");
    await fails("HDP-6041", ["hdp", "grow-orders", "create", body]);
    expect(
      parsed(await succeeds(["hdp", "grow-orders", "create", body, "--yes", "--json"])),
    ).to.include({
      id: "order-1",
    });
    expect(await succeeds(["hdp", "grow-orders"])).to.contain('"id": "order-1"');
    expect(await succeeds(["hdp", "grow-orders", "list", "order-1", "--yes"])).to.contain(
      "Grow orders",
    );
    await fails("HDP-6041", ["hdp", "grow-orders", "cancel", "order-1"]);
    expect(
      parsed(await succeeds(["hdp", "grow-orders", "show", "order-1", "--json"])),
    ).not.to.have.property("cancelled");
    expect(await succeeds(["hdp", "grow-orders", "cancel", "order-1", "--yes"])).to.contain(
      '"cancelled": true',
    );
  });

  it("lists, shows and retries module tasks, and checks the interfaces", async () => {
    const on = ["--network", "modules"];
    expect(await succeeds(["hdp", "service-tasks", ...on])).to.match(
      /task-9 +TaskDecommitmentCompleted +sum/,
    );
    await fails("HDP-6003", ["hdp", "service-tasks", "--per-page", "101", ...on]);
    await fails("HDP-2006", ["hdp", "service-tasks", "--network", "remote"]);
    expect(await succeeds(["hdp", "service-tasks", "show", "task-9", ...on]))
      .to.contain("0x7   (the service's word, not checked: hdp:result and hdp verify do)")
      .and.to.match(/Task hash +0xabc/)
      .and.to.contain("mmr-1");
    expect(await succeeds(["hdp", "service-tasks", "retry", "task-9", ...on])).to.contain(
      "Task task-9 was started again.",
    );
    expect(await succeeds(["hdp", "doctor", ...on]))
      .to.match(/✔ data processor +127\.0\.0\.1:\d+ says "healthy, database operational"/)
      .and.to.match(/✔ its key +accepted: variable \w+/)
      .and.to.match(/✔ contract +[a-z-]+ at 0x/);
    // Nothing listens on port 1.
    const down = await run(["hdp", "doctor", ...on], { FIXTURE_INTERFACES: "http://127.0.0.1:1" });
    expect(down.code).to.equal(1);
    expect(down.stdout)
      .to.match(/✘ data processor +HDP-2063: .*127\.0\.0\.1:1/)
      .and.to.match(/✔ contract +[a-z-]+ at 0x/);
  });
});

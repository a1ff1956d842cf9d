import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { NetworkConnection } from "hardhat/types/network";

import { toWord } from "../../src/base/hex.js";
import { flatProgramHash, parseCompiledClass, programHash } from "../../src/entries/program.js";
import { KEY, served } from "../dev-server/fixture.js";
import { httpServer, sendJson } from "../support/odd-servers.js";
import { hdpFailure } from "../support/failure.js";
import {
  KEY_VARIABLE,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";

const CLASS = "sum/target/dev/sum_Sum.compiled_contract_class.json";
const COMPILED = new URL(
  "../cairo/compiled/builtins_Loops.compiled_contract_class.json",
  import.meta.url,
);
const SIERRA = new URL("../cairo/compiled/builtins_Calls.contract_class.json", import.meta.url);

/** Writes a Scarb package with a built class. */
async function writePackage(root: string, version = "1.2.0"): Promise<void> {
  const folder = join(root, "sum");
  await mkdir(join(folder, "target/dev"), { recursive: true });
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "Scarb.toml"), `[package]\nname = "sum"\nversion = "${version}"\n`);
  await writeFile(join(folder, "src/lib.cairo"), "mod a;\n");
  await writeFile(join(folder, "src/a.cairo"), "fn one() -> felt252 { 1 }\n");
  await cp(COMPILED, join(root, CLASS));
  await cp(SIERRA, join(root, CLASS.replace("compiled_", "")));
}

describe("the module registry and the decommitments of the connection's API version", () => {
  const shared = served();
  let project: TestProject;
  let connection: NetworkConnection<string>;

  before(async () => {
    process.env[KEY_VARIABLE] = KEY;
    const apiKey = configVariable(KEY_VARIABLE);
    project = await testProject(
      {
        networks: {
          remote: {
            type: "edr-simulated",
            hdp: { dataProcessor: { url: shared.server.url, apiKey, edition: "module-tasks" } },
          },
        },
      },
      undefined,
      "remote",
    );
    connection = await project.hre.network.create("remote");
    await writePackage(project.root);
  });
  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await connection.close();
    await removeProject(project);
  });

  const run = async (name: string, args: Record<string, unknown>) =>
    await runCommand(name, args, project.hre);

  it("stores a class with what its package says, once for a version, and shows and changes it by commands", async () => {
    const computed = programHash(parseCompiledClass(JSON.parse(await readFile(COMPILED, "utf8"))));
    const empty = await run("service-modules", {});
    expect(empty.stdout).to.match(
      /^\n {2}The registry has no module yet\.\n {2}Upload one: npx hardhat hdp program upload/,
    );
    const first = await run("program upload", { file: CLASS });
    expect([first.error, first.stdout]).to.deep.equal([undefined, first.stdout]);
    expect(first.stdout).to.match(/Module +sum 1\.2\.0/);
    expect(first.stdout).to.contain("2 source files, readable by everybody who knows the id");
    expect(first.stdout).to.contain(`${computed}   (by segments)`);
    const again = await connection.hdp.program.upload(CLASS);
    expect(again.module).to.include({ name: "sum", version: "1.2.0", wasThere: true });
    expect(again).to.include({ programHash: computed, computedHash: computed, form: "segments" });

    const client = await connection.hdp.clients.moduleRegistry();
    const [module, ...others] = await client.list();
    expect(others).to.deep.equal([]);
    const abi: unknown = (JSON.parse(await readFile(SIERRA, "utf8")) as { abi: unknown }).abi;
    expect(module).to.deep.include({
      name: "sum",
      latestModuleVersionProgramHash: computed,
      abi,
      sourceCode: { "src/a.cairo": "fn one() -> felt252 { 1 }\n", "src/lib.cairo": "mod a;\n" },
      // The line ends of a form's text fields.
      scarbToml: '[package]\r\nname = "sum"\r\nversion = "1.2.0"\r\n',
    });
    const id = module?.id ?? "";
    await writePackage(project.root, "1.3.0");
    expect((await connection.hdp.program.upload(CLASS)).module).to.include({ id, wasThere: false });
    expect((await client.versions(id)).map(({ version }) => version)).to.deep.equal([
      "1.2.0",
      "1.3.0",
    ]);
    await run("service-modules", { action: "update", id, description: "Sums", tags: "a, b" });
    expect(await client.get(id)).to.deep.include({ description: "Sums", tags: ["a", "b"] });
    expect((await run("service-modules", { action: "show", id })).stdout).to.match(
      /Description +Sums[^]*1\.3\.0/,
    );

    const onMarketplace = async (): Promise<number> =>
      (await client.list({ marketplace: true })).length;
    expect(await onMarketplace()).to.equal(0);
    await run("service-modules", { action: "publish", id });
    expect(await onMarketplace()).to.equal(1);
    await run("service-modules", { action: "unpublish", id });
    expect(await onMarketplace()).to.equal(0);
    expect((await run("service-modules", {})).stdout).to.match(/sum/);
  });

  it("refuses a class of no package without its name, an id that the registry has not, and a look-up by hash", async () => {
    await cp(COMPILED, join(project.root, "alone.json"));
    const nameless = await hdpFailure(connection.hdp.program.upload("alone.json"));
    expect(nameless.code).to.equal("HDP-2044");
    const named = { name: "alone", version: "0.1.0" };
    expect((await connection.hdp.program.upload("alone.json", named)).module).to.include(named);
    const client = await connection.hdp.clients.moduleRegistry();
    for (const call of [client.get("x"), client.versions("x"), client.publish("x")])
      expect((await hdpFailure(call)).code).to.equal("HDP-2042");
    const byHash = await hdpFailure(connection.hdp.program.metadata("0x1"));
    expect(byHash.code).to.equal("HDP-2043");
    const list = "npx hardhat hdp service-modules --network remote";
    expect(byHash.message).to.contain(list);
    expect((await hdpFailure(client.get("x"))).message).to.contain(`that it has: ${list}`);
    const twice = await hdpFailure(
      connection.hdp.program.upload("alone.json", { ...named, force: true }),
    );
    expect(twice.message).to.contain("Version 0.1.0 already exists for this module");
  });

  it("delivers a run once, with its output or by its id, and shows what became of it", async () => {
    const [taskHash, root] = [toWord(0xd1n), toWord((5n << 128n) + 7n)];
    const facts = { id: "0x1", size: "0xa", chain_id: "0x1" };
    const output = {
      task_hash_low: "0xd1",
      task_hash_high: "0x0",
      output_tree_root_low: "0x7",
      output_tree_root_high: "0x5",
      mmr_metas: [
        { hash: "poseidon", ...facts, root: "0x5" },
        { Keccak: { ...facts, root_low: "0x6", root_high: "0x1" } },
      ],
    };
    await writeFile(join(project.root, "output.json"), JSON.stringify(output));
    const given = { action: "decommit", id: "run-1", destination: "ETHEREUM_SEPOLIA" };
    const first = await run("service-tasks", { ...given, output: "output.json", json: true });
    const { uuid } = JSON.parse(first.stdout) as { uuid: string };
    const client = await connection.hdp.clients.moduleTasks();
    expect(await client.details(uuid)).to.include({ taskHash });
    expect(
      (await client.mmrs(uuid)).mmrs.map((mmr) => [mmr.hashing_function, mmr.root]),
    ).to.deep.equal([
      ["poseidon", "0x5"],
      ["keccak", toWord((1n << 128n) + 6n)],
    ]);
    while ((await client.details(uuid)).status !== "TaskDecommitmentCompleted")
      await setImmediate();
    expect(await shared.chain.read(taskHash)).to.equal(BigInt(root));

    const again = await run("service-tasks", given);
    expect(again.stdout)
      .to.match(/Nothing is sent: it was sent .* as /)
      .and.include(uuid);
    const forced = await run("service-tasks", { ...given, force: true, json: true });
    expect(JSON.parse(forced.stdout)).to.have.property("uuid").that.does.not.equal(uuid);
    // A task of the server is a run too, whose output the server has.
    const byId = await run("service-tasks", { ...given, id: uuid, json: true });
    const delivered = (JSON.parse(byId.stdout) as { uuid: string }).uuid;
    expect(await client.details(delivered)).to.include({ taskHash });

    const unlisted = await run("service-tasks", { search: "no such" });
    expect(unlisted.stdout).to.equal('\n  The service has no task with "no such".\n');
    const beyond = await run("service-tasks", { page: 99 });
    expect(beyond.stdout).to.equal("\n  No task on page 99: the last one is page 1.\n");

    const records = project.submissions().filter(({ kind }) => kind === "decommitment");
    expect(records.map(({ label, state, serviceId }) => [label, state, serviceId])).to.deep.include(
      ["run-1", "accepted", uuid],
    );
    const { error: noTasks } = await run("status", { id: uuid });
    expect(String(noTasks)).to.match(
      /HDP-5010: there is no submission of tasks "[^"]+"\.\n {2}It is a decommitment, accepted\. What became of it: npx hardhat hdp resume \S+ --network remote\n/,
    );
    const resumed = await run("resume", { id: uuid, json: true });
    expect(JSON.parse(resumed.stdout)).to.have.nested.property("order.taskHash", taskHash);
  });

  it("refuses a decommitment to a satellite without results, without a destination, or of another form", async () => {
    const run1 = { action: "decommit", id: "run-2", destination: "ETHEREUM_SEPOLIA" };
    await writeFile(join(project.root, "bad.json"), '{ "task_hash_low": "7" }');
    for (const [given, code, words] of [
      [{ ...run1, id: undefined }, "HDP-6016", "service-tasks decommit <query id>"],
      [{ ...run1, destination: undefined }, "HDP-6016", "destination chain"],
      [{ ...run1, destination: "ARBITRUM" }, "HDP-6003 in --destination", "ETHEREUM_SEPOLIA"],
      [
        { ...run1, destination: "ARBITRUM_SEPOLIA" },
        "HDP-2027 in --destination",
        "no data processor module",
      ],
      [{ ...run1, output: "bad.json" }, "HDP-6001", "task_hash_low: expected 0x"],
      [{ ...run1, programHash: "7" }, "HDP-6003", "--program-hash"],
      [run1, "HDP-2022", "no run run-2 is known here"],
    ] as const) {
      const { error } = await run("service-tasks", given);
      expect(String(error)).to.include(words).and.include(code);
    }
    const left = project.submissions().filter(({ label }) => label === "run-2");
    expect(left.map(({ state }) => state)).to.deep.equal(["refused"]);
  });

  for (const [form, hashOf] of [
    ["flat", flatProgramHash],
    [undefined, () => "0x1234"],
  ] as const)
    it(`says that a registry reports ${form ?? "neither"} hash of a class`, async () => {
      const compiled = parseCompiledClass(JSON.parse(await readFile(COMPILED, "utf8")));
      const programHashThere = hashOf(compiled);
      const registry = await httpServer((request, response) => {
        if (request.method === "GET") sendJson(response, 200, { modules: [] });
        else
          sendJson(response, 201, {
            id: "01J",
            programHash: programHashThere,
            compilerVersion: "2.12.3",
            createdAt: "2026-01-01T00:00:00Z",
            message: "Module uploaded successfully",
          });
      });
      const other = await testProject(
        {
          networks: {
            remote: {
              type: "edr-simulated",
              hdp: { dataProcessor: { url: registry.url, apiKey: KEY, edition: "module-tasks" } },
            },
          },
        },
        undefined,
        "remote",
      );
      await writePackage(other.root);
      const { stdout } = await runCommand("program upload", { file: CLASS }, other.hre);
      expect(stdout).to.contain(
        form === "flat" ? "(flat: the prover's)" : "neither of the class's two hashes",
      );
      await registry.close();
      await removeProject(other);
    });
});

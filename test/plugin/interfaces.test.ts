import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { NetworkConnection } from "hardhat/types/network";

import { isHdpError, type HdpErrorCode } from "../../src/entries/request.js";
import { programHashes } from "../../src/plugin/known-programs.js";
import { flatProgramHash, parseCompiledClass, programHash } from "../../src/entries/program.js";
import {
  compiledClass,
  interfacesServer,
  type InterfacesServer,
} from "../support/interfaces-server.js";
import {
  KEY_VARIABLE,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { SERVICE_KEY } from "../support/service-server.js";
import { closedAddress, httpServer, sendText } from "../support/odd-servers.js";
import { rejection } from "../support/failure.js";

const own = programHash(parseCompiledClass(compiledClass));

async function failsWith(code: HdpErrorCode, work: Promise<unknown>): Promise<string> {
  const error = await rejection(work);
  expect(isHdpError(error, code), String(error)).to.equal(true);
  return String(error);
}

describe("the interfaces beside the data processor", () => {
  let server: InterfacesServer;
  let project: TestProject;
  let connection: NetworkConnection<string>;
  /** With the program registry of 2024. */
  let retired: NetworkConnection<string>;

  before(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    server = await interfacesServer();
    const apiKey = configVariable(KEY_VARIABLE);
    project = await testProject({
      networks: {
        remote: {
          type: "edr-simulated",
          hdp: {
            dataProcessor: { url: `${server.url}/dp`, apiKey, edition: "module-tasks" },
            programRegistry: { submitUrl: server.url, apiKey },
            storageProof: { url: `${server.url}/sp`, apiKey },
          },
        },
        retired: {
          type: "edr-simulated",
          hdp: { programRegistry: { submitUrl: server.url, apiKey } },
        },
      },
    });
    connection = await project.hre.network.create("remote");
    retired = await project.hre.network.create("retired");
    await writeFile(
      join(project.root, "sum.compiled_contract_class.json"),
      JSON.stringify(compiledClass),
    );
  });
  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await connection.close();
    await retired.close();
    await server.close();
    await removeProject(project);
  });

  it("hashes a compiled class without any service", async () => {
    expect(await programHashes("sum.compiled_contract_class.json", project.root)).to.deep.equal({
      programHash: own,
      flatProgramHash: flatProgramHash(parseCompiledClass(compiledClass)),
    });
    for (const bytecode_segment_lengths of [undefined, compiledClass.bytecode.length]) {
      const whole = { ...compiledClass, bytecode_segment_lengths };
      await writeFile(join(project.root, "whole.json"), JSON.stringify(whole));
      const hash = programHash(parseCompiledClass(whole));
      expect(flatProgramHash(parseCompiledClass(whole))).to.equal(hash);
      expect(await programHashes("whole.json", project.root)).to.deep.equal({
        programHash: hash,
        flatProgramHash: hash,
      });
    }
    await failsWith("HDP-6001", programHashes("none.json", project.root));
  });

  it("uploads a compiled class and reads its metadata", async () => {
    await failsWith("HDP-2041", retired.hdp.program.metadata(own));
    const uploaded = await retired.hdp.program.upload("sum.compiled_contract_class.json");
    expect(uploaded).to.deep.equal({
      programHash: own,
      computedHash: own,
      form: "segments",
      raw: own,
    });
    expect(await retired.hdp.program.metadata(own)).to.deep.include({
      layout: "recursive_with_poseidon",
      version: 2,
    });
  });

  it("reports both hashes when the registry answers another one, which is the one to use", async () => {
    server.state.answerHash = "0x1234";
    const uploaded = await retired.hdp.program.upload("sum.compiled_contract_class.json", {
      force: true,
    });
    server.state.answerHash = undefined;
    expect(uploaded).to.deep.include({ programHash: "0x1234", computedHash: own, form: undefined });
  });

  it("never sends a file that is not a compiled class", async () => {
    await writeFile(join(project.root, "sierra.json"), JSON.stringify({ sierra_program: [] }));
    const before = server.seen.length;
    await failsWith("HDP-7002", retired.hdp.program.upload("sierra.json"));
    await failsWith("HDP-6001", retired.hdp.program.upload("none.json"));
    expect(server.seen.length).to.equal(before);
  });

  it("submits a storage proof request and awaits its queries", async () => {
    const { storageProof } = connection.hdp;
    const { request_id: id } = await storageProof.submitRequest({
      destination_chain_id: "SN_SEPOLIA",
      data: {},
    });
    const seen: string[][] = [];
    const queries = await storageProof.awaitRequest(id, {
      onQueries: (all) => seen.push(all.map((one) => one.status)),
    });
    expect(seen).to.deep.equal([["PENDING"], ["COMPLETED"]]);
    expect(queries[0]).to.include({ internal_id: "query-1", status: "COMPLETED" });
    const client = await connection.hdp.clients.storageProof();
    expect((await client.getQueries(id)).queries).to.have.length(1);
    expect((await client.getActions("query-1")).actions).to.deep.equal([
      { query: "query-1", step: "PROOF" },
    ]);
    expect(await client.isAlive()).to.deep.equal({ message: "Alive!" });
  });

  it("creates, lists, reads and cancels grow orders", async () => {
    const client = await connection.hdp.clients.storageProof();
    const order = { amount: 3, id: "order-1" };
    expect(await connection.hdp.storageProof.createGrowOrder({ amount: 3 })).to.deep.equal(order);
    expect(await client.growOrders()).to.deep.equal([order]);
    expect(await client.growOrder("order-1")).to.deep.equal(order);
    expect(await client.cancelGrowOrder("order-1")).to.deep.equal({ ...order, cancelled: true });
    await failsWith("HDP-2040", client.growOrder("order-9"));
  });

  it("names the setting that an error of a service is about, and what holds its key", async () => {
    let [status, body, location] = [200, "", ""];
    const odd = await httpServer((_request, response) => {
      sendText(response, status, body, { location });
    });
    const apiKey = configVariable(KEY_VARIABLE);
    const hosts = { live: odd.url, dead: await closedAddress() };
    const network = (url: string) => ({
      type: "edr-simulated" as const,
      hdp: {
        dataProcessor: { url, apiKey, edition: "module-tasks" as const, loginUrl: url },
        storageProof: { url, apiKey: "a-key-of-its-own" },
      },
    });
    const own = await testProject({
      networks: { live: network(hosts.live), dead: network(hosts.dead) },
    });
    const { hdp } = await own.hre.network.create("live");
    const tasks = await hdp.clients.moduleTasks();
    const failure = async (answer: [number, string, string?]): Promise<string> => {
      [status, body, location = ""] = answer;
      return String(await rejection(tasks.retry("task-9")));
    };
    const setting = "networks.live.hdp.dataProcessor";
    try {
      const refused = await failure([401, ""]);
      expect(refused).to.include(`HDP-2030 in ${setting}.apiKey: the data processor refused`);
      expect(refused).to.include(
        `  It is the environment variable ${KEY_VARIABLE}, which goes before a keystore.\n` +
          "  Log in by wallet for a new one: npx hardhat hdp login --force --network live\n",
      );
      const ofNode = '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}';
      expect(await failure([200, ofNode])).to.include(`HDP-2011 in ${setting}.url: a node`);
      expect(await failure([404, ""])).to.include(
        `Check the id, and that the configured address (${setting}.url) and API version`,
      );
      expect(await failure([400, ""])).to.include(
        `or choose the API version that the service speaks (${setting}.edition).`,
      );
      const gone = await own.hre.network.create("dead");
      const unreached = await failsWith(
        "HDP-2063",
        (await gone.hdp.clients.moduleTasks()).retry("task-9"),
      );
      expect(unreached).to.include("HDP-2063 in networks.dead.hdp.dataProcessor.url: no connec");
      // An interface with one version, a key that is written down, and no login.
      const proofs = await hdp.clients.storageProof();
      [status, body] = [403, ""];
      expect(String(await rejection(proofs.isAlive()))).to.match(
        /HDP-2030: the storage proof interface refused the key of this call, or asks for one \(403\) at GET \S+\n {2}No key was sent, as this call usually needs none\.\n/,
      );
      [status, location] = [302, "https://other.example"];
      expect(String(await rejection(proofs.growOrders()))).to.include(
        "HDP-2062 in networks.live.hdp.storageProof.url: the storage proof interface redirects",
      );
      [status, body] = [400, '{"error":"2 errors.","hints":["data: Required","id: Required"]}'];
      const invalid = String(await rejection(proofs.growOrders()));
      expect(invalid).to.include('The service said: "2 errors: data: Required; id: Required"');
      expect(invalid).to.include("  Nothing was accepted. Correct the request.");
    } finally {
      await odd.close();
      await removeProject(own);
    }
  });

  it("reads and retries module tasks", async () => {
    const moduleTasks = await connection.hdp.clients.moduleTasks();
    const list = await moduleTasks.list({ page: 2, perPage: 5 });
    expect(list.tasks[0]).to.include({ uuid: "task-9", programName: "sum" });
    expect(list.pagination).to.include({ page: 2, perPage: 5 });
    expect(await moduleTasks.details("task-9")).to.include({ taskId: "task-9", taskHash: "0xabc" });
    expect((await moduleTasks.mmrs("task-9")).mmrs[0]).to.include({ id: "mmr-1", size: "7" });
    expect((await moduleTasks.outputPreimage("task-9")).outputPreimage).to.deep.equal(["0x7"]);
    expect((await moduleTasks.stateTransitions("task-9")).state_transitions[0]).to.include({
      to_status: "Received",
    });
    expect((await moduleTasks.retry("task-9")).uuid).to.equal("task-9");
    expect(await moduleTasks.health()).to.deep.equal({
      status: "healthy",
      database: "operational",
    });
  });

  it("names the section of an interface that is not configured, or has no key", async () => {
    const other = await testProject(
      {
        networks: {
          keyless: { type: "edr-simulated", hdp: { storageProof: { url: server.url } } },
          bare: { type: "edr-simulated" },
        },
      },
      project.root,
    );
    const keyless = await other.hre.network.create("keyless");
    const bare = await other.hre.network.create("bare");
    await failsWith("HDP-2004", bare.hdp.program.metadata("0x1"));
    await failsWith("HDP-2004", bare.hdp.clients.storageProof());
    expect(await failsWith("HDP-2006", bare.hdp.clients.moduleTasks())).to.contain("has none");
    const client = await keyless.hdp.clients.storageProof();
    expect(await failsWith("HDP-2003", client.getQueries("1"))).to.contain("storageProof.apiKey");
    await Promise.all([keyless.close(), bare.close()]);
  });
});

import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { inspect } from "node:util";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { SubmissionRecord } from "../../src/types.js";
import { isHdpError } from "../../src/entries/request.js";
import { parseCompiledClassText, programHash } from "../../src/entries/program.js";
import {
  compiledClass,
  interfacesServer,
  type InterfacesServer,
} from "../support/interfaces-server.js";
import { httpServer, type OddServer, type SeenRequest } from "../support/odd-servers.js";
import {
  KEY_VARIABLE,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";
import { serve } from "../support/rpc-server.js";
import { SERVICE_KEY } from "../support/service-server.js";
import { rejection } from "../support/failure.js";

/** Ids that the service knows and does not know: of storage proof requests, of grow orders. */
const SERVICE_IDS = [
  ["request-8", "requets-8", "request-9"],
  ["order-1", "odrer-1", "order-2"],
] as const;

const CLASS_FILE = "sum.compiled_contract_class.json";

/** Answers a request for reading as another server does. */
async function answerAs(
  base: string,
  { url, headers }: SeenRequest,
  response: ServerResponse,
): Promise<void> {
  const key = headers["api-key"];
  const answer = await fetch(`${base}${url}`, {
    headers: typeof key === "string" ? { "api-key": key } : {},
  });
  response
    .writeHead(answer.status, { "content-type": "application/json" })
    .end(await answer.text());
}

/** Storage proof requests, uploads and grow orders: charged, and each sent once. */
describe("plugin: what is sent beside tasks is sent once", () => {
  let server: InterfacesServer;
  let cutting: OddServer;
  let failing: OddServer;
  let failure: readonly [status: number, body: string];
  let project: TestProject;

  before(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    server = await interfacesServer();
    // What is sent there is lost; what is asked of it is answered as by the other one.
    cutting = await httpServer((request, response) => {
      if (request.method !== "GET") response.destroy();
      else void answerAs(server.url, request, response);
    });
    failing = await httpServer((_, response) => {
      response.writeHead(failure[0]).end(failure[1]);
    });
  });
  after(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await Promise.all([server.close(), cutting.close(), failing.close()]);
  });
  beforeEach(async () => {
    const apiKey = configVariable(KEY_VARIABLE);
    const hdpAt = (submitUrl: string, metadataUrl: string) => ({
      programRegistry: { submitUrl, metadataUrl, apiKey },
      storageProof: { url: `${submitUrl}/sp`, apiKey },
    });
    project = await testProject({
      networks: {
        remote: { type: "edr-simulated", hdp: hdpAt(server.url, server.url) },
        cut: { type: "edr-simulated", hdp: hdpAt(cutting.url, server.url) },
        failing: { type: "edr-simulated", hdp: hdpAt(server.url, failing.url) },
      },
    });
    await writeFile(join(project.root, CLASS_FILE), JSON.stringify(compiledClass));
    await writeFile(
      join(project.root, "body.json"),
      '{ "destination_chain_id": "SN_SEPOLIA", "data": {} }',
    );
  });
  afterEach(async () => {
    await removeProject(project);
  });

  const posts = (path: string): number =>
    server.seen.filter(
      ({ method, url }) => method === "POST" && url.split("?", 1)[0]?.endsWith(path),
    ).length;
  const keysOf = (path: string): unknown[] =>
    server.seen.flatMap(({ method, url, headers }) =>
      method === "POST" && url.split("?", 1)[0]?.endsWith(path) ? [headers["idempotency-key"]] : [],
    );
  /** The same project as another process sees it, on a network. */
  const on = async (network: string): Promise<HardhatRuntimeEnvironment> => {
    const { hre } = project;
    const shared = await hre.network.getOrCreate(network);
    const getOrCreate = (name?: string) =>
      name === undefined ? shared : hre.network.getOrCreate(name);
    return Object.assign(Object.create(hre) as HardhatRuntimeEnvironment, {
      hdp: shared.hdp,
      network: Object.assign(Object.create(hre.network) as typeof hre.network, { getOrCreate }),
    });
  };
  const succeeds = async (
    name: string,
    given: Record<string, unknown>,
    network = "remote",
  ): Promise<CommandRun> => {
    const run = await runCommand(name, given, await on(network));
    expect(run.error, String(run.error)).to.equal(undefined);
    return run;
  };

  for (const { name, given, path, again } of [
    {
      name: "proof submit",
      given: { file: "body.json" },
      path: "/submit-request",
      again: /as request-1, finalized \(COMPLETED\)\./,
    },
    {
      name: "program upload",
      given: { file: CLASS_FILE },
      path: "/submit-program",
      again: /as 0x[0-9a-f]+, finalized\./,
    },
    {
      name: "grow-orders",
      given: { action: "create", target: "body.json", yes: true },
      path: "/grow-orders",
      again: /as order-\d+, accepted\./,
    },
  ]) {
    it(`${name} says what was sent, and sends again only with --force`, async () => {
      const before = posts(path);
      expect((await succeeds(name, given)).stdout).not.to.contain("Nothing is sent");
      const second = await succeeds(name, given);
      expect(second.stdout).to.match(
        /Nothing is sent: it was sent 20\d\d-\S+Z to 127\.0\.0\.1:\d+ \(network "remote"\) as /,
      );
      expect(second.stdout).to.match(again).and.to.contain("--force");
      expect(posts(path) - before).to.equal(1);
      expect((await succeeds(name, { ...given, force: true })).stdout).not.to.contain(
        "Nothing is sent",
      );
      expect(posts(path) - before).to.equal(2);
      const stored = project.submissions();
      expect(keysOf(path).slice(-2)).to.deep.equal(stored.map(({ id }) => id));
      expect(inspect(stored, { depth: null })).not.to.contain(SERVICE_KEY);
      const listed = await succeeds("list", {});
      expect(listed.stdout).to.match(/^ +ID +STATE +AGE +NETWORK +SENT TO$/m);
      expect(listed.stdout).to.contain(name === "program upload" ? CLASS_FILE : "body.json");
      const { stdout } = await succeeds("list", { json: true });
      expect(
        (JSON.parse(stdout) as { kind: string; network: string }[]).map(({ network }) => network),
      ).to.deep.equal(["remote", "remote"]);
    });

    it(`${name} of unknown outcome is listed, stops a repetition, and can be settled`, async () => {
      const lost = await runCommand(name, given, await on("cut"));
      expect(String(lost.error)).to.contain("HDP-5008");
      const attempts = cutting.seen.filter(({ method }) => method === "POST").length;
      const stopped = await runCommand(name, given, await on("cut"));
      expect(String(stopped.error)).to.contain("HDP-5005");
      expect(cutting.seen.filter(({ method }) => method === "POST").length).to.equal(attempts);
      const { stdout } = await succeeds("list", {});
      const [id = ""] = /hdp resume (\S+) --lost --network cut/.exec(stdout)?.slice(1) ?? [];
      expect(id).to.match(/^[0-9a-f-]{36}$/);
      expect(stdout).to.contain("no answer says whether it was accepted");
      const given2 = await succeeds("resume", { id, lost: true });
      expect(given2.stdout).to.contain("Given up");
      expect(String((await runCommand(name, given, await on("cut"))).error)).to.contain("HDP-5008");
      expect(cutting.seen.filter(({ method }) => method === "POST").length).to.equal(attempts + 1);
      const unknown = project.submissions().find(({ state }) => state === "unknown")?.id ?? "";
      // The service is asked first: nothing is recorded of an id that it does not know.
      const hash = programHash(parseCompiledClassText(JSON.stringify(compiledClass)));
      const isProgram = name === "program upload";
      const [own, typo, other] = isProgram
        ? [hash, "0x77", "0x78"]
        : SERVICE_IDS[path === "/grow-orders" ? 1 : 0];
      const { hdp } = project.hre;
      const mistyped = await rejection(
        hdp.submissions.resume(unknown, { accepted: typo, timeout: 200 }),
      );
      expect(isHdpError(mistyped, isProgram ? "HDP-5017" : "HDP-2040"), String(mistyped)).to.equal(
        true,
      );
      if (isProgram) {
        expect(String(mistyped)).to.contain(
          `0x77 is not the service's id of program upload ${CLASS_FILE}`,
        );
        const forced = await rejection(
          hdp.submissions.resume(unknown, { accepted: typo, force: true }),
        );
        expect(isHdpError(forced, "HDP-2041"), String(forced)).to.equal(true);
      }
      expect(project.submissions().find(({ id }) => id === unknown)).to.include({
        state: "unknown",
      });
      // What it is at the service cannot always be waited for there: the record stands.
      const recorded = async (accepted: string): Promise<unknown> => {
        await hdp.submissions.resume(unknown, { accepted, timeout: 200 }).catch(() => undefined);
        return project.submissions().find(({ id }) => id === unknown)?.serviceId;
      };
      expect(await recorded(own)).to.equal(own);
      if (isProgram) return;
      // A wrong id that the service knows can be corrected, and nobody takes the id of another submission.
      expect(await recorded(other)).to.equal(other);
      const second = await runCommand(name, { ...given, force: true }, await on("cut"));
      expect(String(second.error)).to.contain("HDP-5008");
      const last = project.submissions().findLast(({ state }) => state === "unknown")?.id ?? "";
      const taken = await rejection(hdp.submissions.resume(last, { accepted: other }));
      expect(String(taken)).to.contain("HDP-5017").and.contain("another submission has it");
    });
  }

  it("returns the earlier answer from the functions, and reports it", async () => {
    const { hdp } = await project.hre.network.create("remote");
    const told: SubmissionRecord[] = [];
    const onEarlier = (earlier: SubmissionRecord): number => told.push(earlier);
    const body = { destination_chain_id: "SN_SEPOLIA", data: {} };
    const { request_id: id } = await hdp.storageProof.submitRequest(body, { onEarlier });
    expect(await hdp.storageProof.submitRequest(body, { onEarlier })).to.deep.equal({
      request_id: id,
    });
    await hdp.storageProof.awaitRequest(id);
    expect(await hdp.storageProof.submitRequest(body, { onEarlier })).to.deep.equal({
      request_id: id,
      status: "COMPLETED",
    });
    const first = await hdp.program.upload(CLASS_FILE, { onEarlier });
    expect(await hdp.program.upload(CLASS_FILE, { onEarlier })).to.deep.equal(first);
    const order = await hdp.storageProof.createGrowOrder({ amount: 3 }, { onEarlier });
    expect(await hdp.storageProof.createGrowOrder({ amount: 3 }, { onEarlier })).to.deep.equal(
      order,
    );
    expect(told.map(({ kind, state }) => [kind, state])).to.deep.equal([
      ["storage-proof", "accepted"],
      ["storage-proof", "finalized"],
      ["program", "finalized"],
      ["grow-order", "accepted"],
    ]);
  });

  it("asks the registry what became of an upload whose answer was lost", async () => {
    const { hdp } = await project.hre.network.create("cut");
    await rejection(hdp.program.upload(CLASS_FILE));
    const [record] = await hdp.submissions.list();
    // The registry that the other network shares has the program from the tests before.
    const resumed = await hdp.submissions.resume(record?.id ?? "");
    expect(resumed.record).to.include({ state: "finalized", kind: "program" });
    expect(resumed.record.serviceId).to.equal(record?.parts[0]?.hash);
    expect(await hdp.program.upload(CLASS_FILE)).to.include({ form: "segments" });
  });

  for (const [status, body, uploads] of [
    // The published registry answers so for a class that it does not know, and where its database fails.
    [500, "", 2],
    [404, "", 2],
    [500, "the database does not answer", 1],
    [503, "", 1],
  ] as const) {
    const what = `a registry that answers ${status} ${body === "" ? "without a body" : "with a body"}`;
    it(`uploads a class ${uploads === 1 ? "once" : "again"} for ${what}, and it has the same hash`, async () => {
      failure = [status, body];
      const before = posts("/submit-program");
      const { hdp } = await project.hre.network.create("failing");
      const first = await hdp.program.upload(CLASS_FILE);
      expect(await hdp.program.upload(CLASS_FILE)).to.deep.equal(first);
      expect(posts("/submit-program") - before).to.equal(uploads);
      expect(project.submissions().map(({ state }) => state)).to.deep.equal(
        Array(uploads).fill("finalized"),
      );
    });
  }

  for (const [chain, isLive, posted] of [
    ["development", false, 2],
    ["live", true, 1],
  ] as const) {
    it(`sends what a service of a ${chain} chain has lost ${isLive ? "only by force" : "again"}`, async () => {
      const forgetful = await httpServer(({ method }, response, index) => {
        const [status, body] =
          method === "GET" ? [404, { error: "not found" }] : [200, { id: `id-${index}` }];
        response
          .writeHead(status)
          .end(JSON.stringify({ ...body, request_id: `id-${index}`, status: "PROCESSING" }));
      });
      const node = await serve((await project.hre.network.create("remote")).provider, { isLive });
      const storageProof = { url: forgetful.url, apiKey: configVariable(KEY_VARIABLE) };
      const networks = { there: { type: "http", url: node.url, hdp: { storageProof } } } as const;
      const { hdp } = await (
        await testProject({ networks }, project.root)
      ).hre.network.create("there");
      const posts = (path: string): number =>
        forgetful.seen.filter(({ method, url }) => method === "POST" && url === path).length;
      try {
        const first = await hdp.storageProof.submitRequest({ a: 1 });
        const { request_id: second } = await hdp.storageProof.submitRequest({ a: 1 });
        expect([posts("/submit-request"), second === first.request_id]).to.deep.equal([
          posted,
          isLive,
        ]);
        await hdp.storageProof.createGrowOrder({ a: 1 });
        const again = hdp.storageProof.createGrowOrder({ a: 1 });
        // An order that was sent before is read from the service, which does not know it.
        if (isLive) expect(isHdpError(await rejection(again), "HDP-2040")).to.equal(true);
        else await again;
        expect(posts("/grow-orders")).to.equal(posted);
        await hdp.storageProof.createGrowOrder({ a: 1 }, { force: true });
        expect(posts("/grow-orders")).to.equal(posted + 1);
      } finally {
        await Promise.all([forgetful.close(), node.close()]);
      }
    });
  }

  it("writes nothing down where the key is missing", async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    const { hdp } = await project.hre.network.create("remote");
    for (const work of [
      () => hdp.program.upload(CLASS_FILE),
      () => hdp.storageProof.submitRequest({ a: 1 }),
    ]) {
      expect(isHdpError(await rejection(work()), "HDP-2003")).to.equal(true);
    }
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    expect(project.submissions()).to.deep.equal([]);
  });
});

import { connect } from "node:net";

import { expect } from "chai";

import {
  FaultQueue,
  cutAfterAcceptance,
  failsAt,
  httpBurst,
  stuckAt,
  unknownState,
} from "../../src/entries/faults.js";
import { parseTaskRequest } from "../../src/entries/request.js";
import {
  clients,
  headerTask,
  KEY,
  post,
  raw,
  served,
  testServer,
  type TestServer,
} from "./fixture.js";
import { hdpFailure } from "../support/failure.js";

/** Writes bytes to a port and resolves with everything that comes back until the connection ends. */
async function talk(url: string, ...pieces: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  for (const piece of pieces) socket.write(piece);
  await new Promise((resolve) => socket.on("close", resolve).on("error", resolve));
  return heard;
}

describe("development server: HTTP", () => {
  const shared = served({ bodyTimeout: 200, apiKey: KEY });

  it("listens on 127.0.0.1 only", () => {
    expect(new URL(shared.server.url).hostname).to.equal("127.0.0.1");
  });

  it("takes the one key it was given, and never repeats another", async () => {
    const wrong = "sk_wrong-key-2b";
    const replies = [
      await post(`${shared.server.url}/tasks`, headerTask(1), { "X-API-KEY": wrong }),
      await post(`${shared.server.url}/submit-batch?apiKey=${wrong}`, headerTask(1)),
      await raw(`${shared.server.url}/grow-orders`, { headers: { "api-key": wrong } }),
      await raw(`${shared.server.url}/submit-program?apiKey=${wrong}`, { method: "POST" }),
    ];
    for (const reply of replies) {
      expect(reply.status).to.equal(403);
      expect(reply.text).to.not.include(wrong);
    }
    expect((await post(`${shared.server.url}/tasks`, headerTask(1))).status).to.equal(200);
    const missing = await post(`${shared.server.url}/tasks`, headerTask(1), { "X-API-KEY": "" });
    expect([missing.status, missing.json()]).to.deep.equal([
      401,
      { error: "Missing Herodotus Cloud X-API-KEY header" },
    ]);
    expect((await post(`${shared.server.url}/submit-batch`, headerTask(1))).status).to.equal(401);
  });

  it("answers unknown paths 404 and other methods 405 with what is allowed", async () => {
    expect((await raw(`${shared.server.url}/nothing`)).json()).to.include({ code: "HDP-4510" });
    expect((await raw(`${shared.server.url}/tasks/%E0%A4%A/status`)).status).to.equal(404);
    for (const [method, path, allow] of [
      ["DELETE", "/tasks", "POST, GET, HEAD, OPTIONS"],
      ["GET", "/submit-batch", "POST, OPTIONS"],
      ["PUT", "/get-metadata", "GET, HEAD, OPTIONS"],
      ["PATCH", "/grow-orders/1", "GET, HEAD, OPTIONS"],
    ] as const) {
      const reply = await raw(shared.server.url + path, { method });
      expect([reply.status, reply.headers.get("allow")]).to.deep.equal([405, allow]);
    }
  });

  it("refuses malformed JSON, other content types and text that is not UTF-8", async () => {
    const bad = await post(`${shared.server.url}/tasks`, '{"tasks": [');
    expect([bad.status, (bad.json() as { code: string }).code]).to.deep.equal([400, "HDP-4517"]);
    expect(bad.text).to.include("line 1");
    expect(
      (await post(`${shared.server.url}/tasks`, "{}", { "content-type": "text/plain" })).status,
    ).to.equal(415);
    const bytes = await raw(`${shared.server.url}/tasks`, {
      method: "POST",
      headers: { "X-API-KEY": KEY, "content-type": "application/json" },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect([bytes.status, (bytes.json() as { code: string }).code]).to.deep.equal([
      400,
      "HDP-4517",
    ]);
  });

  it("refuses bodies that are too long, announced or not", async () => {
    const head = `POST /submit-request HTTP/1.1\r\nhost: localhost\r\napi-key: ${KEY}\r\ncontent-type: application/json\r\n`;
    const announced = await talk(shared.server.url, `${head}content-length: 99999999\r\n\r\n`);
    expect(announced)
      .to.match(/^HTTP\/1\.1 413 /)
      .and.include("HDP-4529");
    const megabyte = "x".repeat(2 ** 20);
    const chunk = `${megabyte.length.toString(16)}\r\n${megabyte}\r\n`;
    const streamed = await talk(
      shared.server.url,
      `${head}transfer-encoding: chunked\r\n\r\n`,
      chunk,
      chunk,
    );
    expect(streamed).to.match(/^HTTP\/1\.1 413 /);
  });

  it("refuses bodies that do not arrive in time", async () => {
    const head = `POST /submit-request HTTP/1.1\r\nhost: localhost\r\napi-key: ${KEY}\r\n`;
    const answer = await talk(shared.server.url, `${head}content-length: 10\r\n\r\n{"a"`);
    expect(answer)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.include("HDP-4517");
  });

  it("goes on serving after connections that end in the middle of a request", async () => {
    const socket = connect(Number(new URL(shared.server.url).port), "127.0.0.1");
    socket.write(
      `POST /submit-request HTTP/1.1\r\nhost: localhost\r\napi-key: ${KEY}\r\ncontent-length: 10\r\n\r\n{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    expect(await talk(shared.server.url, "nonsense\r\n\r\n")).to.match(/^HTTP\/1\.1 400 /);
    expect((await raw(`${shared.server.url}/is-alive`)).status).to.equal(200);
  });

  it("answers its name, and where the chain and the store are", async () => {
    const told = await testServer(shared.chain, {
      info: { chainUrl: "http://127.0.0.1:8545", executionStore: shared.chain.store },
    });
    try {
      expect((await raw(`${told.url}/`)).json()).to.deep.equal({
        name: "hardhat-hdp development server",
        chainUrl: "http://127.0.0.1:8545",
        executionStore: shared.chain.store,
        swagger: "/swagger/",
        openapi: "/openapi.json",
      });
    } finally {
      await told.close();
    }
  });

  it("refuses a port that is taken", async () => {
    let failure: unknown;
    await testServer(shared.chain, { port: Number(new URL(shared.server.url).port) }).catch(
      (error: unknown) => (failure = error),
    );
    expect(String(failure)).to.include("HDP-4501").and.include("EADDRINUSE");
  });

  it("refuses an address that is none of this machine's, and asks for another address", async () => {
    const failure = await hdpFailure(testServer(shared.chain, { port: 0, host: "192.0.2.1" }));
    expect(failure).to.include({ code: "HDP-4501", path: "host" });
    expect(failure.message)
      .to.include("cannot listen for requests on the address 192.0.2.1")
      .and.include("(--host)");
  });

  it("answers 500 without details of a failure inside, and reports them to the operator", async () => {
    const seen: unknown[] = [];
    const broken = { submit: () => Promise.reject(new Error("secret path /home/x")) };
    const odd = await testServer(shared.chain, {
      processor: {
        ...broken,
        wait: () => new Promise(() => undefined),
        results: () => Promise.resolve([]),
      },
      onFailure: (error) => seen.push(error),
    });
    try {
      const reply = await post(`${odd.url}/tasks`, headerTask(1));
      expect([reply.status, reply.json()]).to.deep.equal([500, { error: "Internal Server Error" }]);
      expect(seen.map(String)).to.deep.equal(["Error: secret path /home/x"]);
    } finally {
      await odd.close();
    }
  });

  it("finishes what was asked when it is closed, and refuses connections afterwards", async () => {
    const closing = await testServer(shared.chain);
    const reply = post(`${closing.url}/tasks`, headerTask(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await closing.close();
    expect((await reply).status).to.equal(200);
    let failure: unknown;
    await raw(`${closing.url}/is-alive`).catch((error: unknown) => (failure = error));
    expect(failure).to.be.instanceOf(TypeError);
  });

  describe("faults", () => {
    const faults = new FaultQueue();
    let faulty: TestServer;

    before(async () => {
      faulty = await testServer(shared.chain, { faults });
    });
    after(async () => {
      await faulty.close();
    });

    it("answers bursts of statuses", async () => {
      faults.inject(httpBurst(503, 2), httpBurst(429, 1));
      const statuses = [];
      for (let call = 0; call < 4; call += 1)
        statuses.push((await raw(`${faulty.url}/is-alive`)).status);
      expect(statuses).to.deep.equal([503, 503, 429, 200]);
    });

    it("cuts the connection after it accepted, so that the client cannot know", async () => {
      faults.inject(cutAfterAcceptance());
      const { tasks, moduleTasks } = clients(faulty.url);
      let failure: unknown;
      await tasks
        .submit(parseTaskRequest(headerTask(5)))
        .catch((error: unknown) => (failure = error));
      expect(String(failure)).to.include("HDP-2090");
      expect((await moduleTasks.list()).pagination.total).to.equal(1);
    });

    it("keeps, fails and misnames the states of the next submissions", async () => {
      const { tasks } = clients(faulty.url);
      const request = parseTaskRequest(headerTask(1));
      faults.inject(stuckAt("TraceGenStarted"));
      expect((await tasks.status(await tasks.submit(request))).name).to.equal("TraceGenStarted");
      faults.inject(failsAt("AtlanticProvingFailed", "out of luck"));
      expect(await tasks.status(await tasks.submit(request))).to.deep.include({
        name: "AtlanticProvingFailed",
        phase: "failed",
        detail: "out of luck",
      });
      faults.inject(unknownState("Daydreaming", 2));
      const dreamer = await tasks.submit(request);
      const names = [];
      for (let poll = 0; poll < 3; poll += 1) names.push((await tasks.status(dreamer)).name);
      expect(names.slice(0, 2).every((name) => name.includes("Daydreaming"))).to.equal(true);
      expect(names[2]).to.not.include("Daydreaming");
    });
  });
});

import { request as httpRequest } from "node:http";

import { expect } from "chai";

import {
  testChain,
  headerTask,
  KEY,
  testServer,
  type TestChain,
  type TestServer,
} from "./fixture.js";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A request with headers that fetch does not let a program set. */
async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  { method = "GET", body }: { readonly method?: string; readonly body?: string } = {},
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk: Buffer) => (text += chunk.toString()));
      reply.on("end", () => {
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const codeOf = ({ text }: Answer): unknown => (JSON.parse(text) as { code: unknown }).code;

describe("development server: web pages", () => {
  let chain: TestChain;
  let server: TestServer;
  let port: string;

  before(async () => {
    chain = await testChain();
    server = await testServer(chain, { corsOrigins: ["http://localhost:3000"] });
    ({ port } = new URL(server.url));
  });
  after(async () => {
    await server.close();
  });

  const submission = {
    method: "POST",
    body: JSON.stringify(headerTask(1)),
  };
  const headers = { "X-API-KEY": KEY, "content-type": "application/json" };

  it("answers programs, which name no origin, without a word about origins", async () => {
    const reply = await ask(`${server.url}/tasks`, headers, submission);
    expect(reply.status).to.equal(200);
    expect(
      Object.keys(reply.headers).filter((name) => name.startsWith("access-control")),
    ).to.deep.equal([]);
    expect(reply.headers["cross-origin-resource-policy"]).to.equal("same-origin");
  });

  it("answers its own page, by each of its names", async () => {
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      `hdp.localhost:${port}`,
    ]) {
      const reply = await ask(
        `${server.url}/tasks`,
        { ...headers, host, origin: `http://${host}` },
        submission,
      );
      expect([host, reply.status]).to.deep.equal([host, 200]);
    }
  });

  it("refuses every other page before anything is done, and sends its browser nothing", async () => {
    const list = `${server.url}/tasks?hdp_tasks_per_page=1`;
    const before = JSON.parse((await ask(list, headers)).text) as { pagination: { total: number } };
    for (const origin of [
      "https://example.org",
      "null",
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1",
      "file://",
    ]) {
      for (const one of [submission, { method: "OPTIONS" }, {}]) {
        const reply = await ask(`${server.url}/tasks`, { ...headers, origin }, one);
        expect([origin, reply.status, codeOf(reply)]).to.deep.equal([origin, 403, "HDP-4528"]);
        expect(reply.headers["access-control-allow-origin"]).to.equal(undefined);
      }
    }
    const after = JSON.parse((await ask(list, headers)).text) as { pagination: { total: number } };
    expect(after.pagination.total).to.equal(before.pagination.total);
  });

  it("lets the pages of named origins use it", async () => {
    const origin = "http://localhost:3000";
    const asked = await ask(
      `${server.url}/tasks`,
      { origin, "access-control-request-method": "POST" },
      { method: "OPTIONS" },
    );
    expect(asked.status).to.equal(204);
    expect(asked.headers).to.include({ "access-control-allow-origin": origin, vary: "origin" });
    expect(String(asked.headers["access-control-allow-headers"]))
      .to.include("x-api-key")
      .and.include("api-key")
      .and.include("idempotency-key");
    const reply = await ask(`${server.url}/tasks`, { ...headers, origin }, submission);
    expect([reply.status, reply.headers["access-control-allow-origin"]]).to.deep.equal([
      200,
      origin,
    ]);
  });

  it("lets every page use it where * is given", async () => {
    const open = await testServer(chain, { corsOrigins: ["*"] });
    try {
      const reply = await ask(`${open.url}/is-alive`, { origin: "https://example.org" });
      expect([reply.status, reply.headers["access-control-allow-origin"]]).to.deep.equal([
        200,
        "https://example.org",
      ]);
    } finally {
      await open.close();
    }
  });

  it("refuses hosts that are not its own: a name was pointed at it", async () => {
    for (const host of [
      "rebind.example",
      `rebind.example:${port}`,
      "localhost.example.org",
      "127.0.0.1.example.org",
      "x",
      "a b",
    ]) {
      const reply = await ask(`${server.url}/swagger/`, { host, origin: `http://${host}` });
      expect([host, reply.status, codeOf(reply)]).to.deep.equal([host, 403, "HDP-4527"]);
    }
  });

  it("asks for the key wherever it shows what a task of the specification's body is", async () => {
    const { uuid } = JSON.parse((await ask(`${server.url}/tasks`, headers, submission)).text) as {
      uuid: string;
    };
    for (const path of [
      ...["status", "details", "mmrs", "output_preimage", "state_transitions"].map(
        (what) => `/tasks/${uuid}/${what}`,
      ),
      "/grow-orders",
      `/get_queries/${uuid}`,
      `/get_actions/${uuid}`,
    ]) {
      const reply = await ask(`${server.url}${path}`, {});
      expect([path, reply.status]).to.deep.equal([path, 401]);
      expect(reply.text).to.not.include("ETHEREUM_SEPOLIA").and.not.include("0x");
    }
  });
});

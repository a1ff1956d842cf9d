import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { Agent } from "undici";

import { isServiceFailure, HttpClient, ProgramRegistryClient } from "../../src/entries/service.js";
import { fakeClock } from "../support/fake-clock.js";
import {
  type Answer,
  httpServer,
  type OddServer,
  sendJson,
  sendText,
} from "../support/odd-servers.js";
import { KEY } from "../support/service-requests.js";
import { rejection } from "../support/failure.js";

const HASH = "0x343995a54cdd4b7f1fc7ca8bbe5c3a10f4e31e22c6bd1e2c6a3ac4b5d0a1b2c";

describe("program registry", () => {
  let server: OddServer;
  let folder: string;
  const dispatcher = new Agent();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-registry-"));
  });

  after(async () => {
    await dispatcher.close();
    await rm(folder, { recursive: true });
  });

  afterEach(async () => {
    await server.close();
  });

  async function registry(answer: Answer): Promise<ProgramRegistryClient> {
    server = await httpServer(answer);
    const http = new HttpClient({
      service: "the program registry",
      url: server.url,
      apiKey: () => Promise.resolve(KEY),
      dispatcher,
      clock: fakeClock(),
      random: () => 0,
    });
    return new ProgramRegistryClient({ submit: http });
  }

  it("uploads a file from disk as part programFile with the key in the query", async () => {
    const path = join(folder, "counter.compiled_contract_class.json");
    const content = JSON.stringify({
      bytecode: Array.from({ length: 60_000 }, (_, index) => `0x${index.toString(16)}`),
    });
    await writeFile(path, content);
    const client = await registry((_request, response) => {
      sendText(response, 200, `${HASH}\n`);
    });
    expect(await client.upload({ path })).to.deep.equal({ programHash: HASH, raw: HASH });
    const [seen] = server.seen;
    expect(seen).to.include({ method: "POST", url: `/submit-program?apiKey=${KEY}` });
    const boundary =
      /^multipart\/form-data; boundary=(.+)$/.exec(seen?.headers["content-type"] ?? "")?.[1] ?? "?";
    const [, part = ""] = (seen?.body ?? "").split(`--${boundary}`);
    const [head, body] = part.split("\r\n\r\n");
    expect(head?.split("\r\n").filter((line) => line !== "")).to.have.members([
      'Content-Disposition: form-data; name="programFile"; filename="counter.compiled_contract_class.json"',
      "Content-Type: application/json",
    ]);
    expect(body).to.equal(`${content}\r\n`);
  });

  it("accepts the hash as text, as JSON text and in an object, and makes it canonical", async () => {
    const replies = ["0x00AF13", '"0x00af13"', '{"programHash":"0x0aF13","size":7}'];
    const client = await registry((_request, response, index) => {
      sendText(response, 200, replies[index] ?? "");
    });
    const file = { name: "a.json", content: new TextEncoder().encode("{}") };
    expect(await client.upload(file)).to.deep.equal({ programHash: "0xaf13", raw: "0x00AF13" });
    expect(await client.upload(file)).to.deep.equal({ programHash: "0xaf13", raw: "0x00af13" });
    expect(await client.upload(file)).to.deep.equal({
      programHash: "0xaf13",
      raw: { programHash: "0x0aF13", size: 7 },
    });
    expect(server.seen[0]?.body).to.include('filename="a.json"').and.include("\r\n\r\n{}\r\n");
  });

  it("refuses other replies as a hash, and metadata without layout or version", async () => {
    const hashes = [
      "0x",
      "0xg",
      "x0x1",
      "0x1g",
      "1",
      `0x${"1".repeat(65)}`,
      { programHash: "0x" },
      {},
      1,
    ];
    const records = [
      {},
      { layout: "small" },
      { layout: "", version: 1 },
      { layout: "small", version: -1 },
      [],
    ];
    const replies: readonly unknown[] = [...hashes, ...records];
    const client = await registry((_request, response, index) => {
      sendJson(response, 200, replies[index]);
    });
    for (const reply of hashes) {
      const error = await rejection(client.upload({ name: "a.json", content: new Uint8Array() }));
      expect(error, JSON.stringify(reply)).to.include({ code: "HDP-2090" });
    }
    for (const reply of records) {
      expect(await rejection(client.metadata("0x1")), JSON.stringify(reply)).to.include({
        code: "HDP-2070",
      });
    }
    expect(server.seen).to.have.length(replies.length);
  });

  it("an upload with an empty answer has an unknown outcome and may be repeated", async () => {
    const client = await registry((_request, response) => {
      sendText(response, 200, "");
    });
    const error = await rejection(client.upload({ name: "a.json", content: new Uint8Array() }));
    expect(error).to.include({ code: "HDP-2090" });
    expect(error)
      .to.have.property("message")
      .that.includes("the same class gives the same program hash");
    expect(server.seen).to.have.length(1);
  });

  it("sends an upload again after 429, whole", async () => {
    const path = join(folder, "again.json");
    await writeFile(path, '{"again":true}');
    const client = await registry((_request, response, index) => {
      if (index === 0) sendText(response, 429, "");
      else sendText(response, 200, HASH);
    });
    expect((await client.upload({ path })).programHash).to.equal(HASH);
    expect(server.seen).to.have.length(2);
    for (const request of server.seen) expect(request.body).to.include('{"again":true}');
  });

  it("a file that cannot be read is refused before anything is sent", async () => {
    const client = await registry((_request, response) => {
      sendText(response, 200, HASH);
    });
    const path = join(folder, "missing.json");
    const error = await rejection(client.upload({ path }));
    expect(error).to.include({
      code: "HDP-6001",
      path,
      shortMessage: "the compiled class can't be read (ENOENT).",
    });
    expect(server.seen).to.deep.equal([]);
  });

  it("reads metadata without a key, by the canonical hash", async () => {
    const record = { layout: "recursive_with_poseidon", version: 2, builtins: ["poseidon"] };
    const client = await registry((_request, response) => {
      sendJson(response, 200, record);
    });
    expect(await client.metadata("0x00AF13")).to.deep.equal({
      layout: "recursive_with_poseidon",
      version: 2,
      raw: record,
    });
    expect(server.seen[0]).to.include({ method: "GET", url: "/get-metadata?program_hash=0xaf13" });
  });

  it("reads 500 with an empty body, and 404, as an unknown program", async () => {
    const client = await registry((_request, response, index) => {
      if (index === 0) response.writeHead(500).end();
      else if (index === 1) sendText(response, 404, "no such program");
      else sendText(response, 500, "database is gone");
    });
    const unknown = await rejection(client.metadata("0x1"));
    expect(isServiceFailure(unknown, "not-found")).to.equal(true);
    expect(unknown).to.include({ code: "HDP-2041", status: 500 });
    expect(unknown).to.have.property("message").that.includes("knows no program 0x1");
    expect(await rejection(client.metadata("0x1"))).to.include({ code: "HDP-2041", status: 404 });
    expect(server.seen).to.have.length(2);
    expect(await rejection(client.metadata("0x1"))).to.include({
      code: "HDP-2060",
      serviceWords: "database is gone",
    });
    expect(server.seen).to.have.length(6);
  });

  it("refuses an invalid hash before anything is sent", async () => {
    const client = await registry((_request, response) => {
      sendText(response, 200, "");
    });
    expect(await rejection(client.metadata("af13"))).to.include({
      code: "HDP-1118",
      path: "programHash",
    });
    expect(server.seen).to.deep.equal([]);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { FaultQueue, cutAfterAcceptance } from "../../src/entries/faults.js";
import { parseTaskRequest } from "../../src/entries/request.js";
import {
  clients,
  type TestChain,
  testChain,
  headerTask,
  KEY,
  post,
  raw,
  type RawReply,
  testServer,
} from "./fixture.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";

describe("development server: Idempotency-Key", () => {
  let chain: TestChain;
  let dataDir: string;

  before(async () => {
    chain = await testChain();
    dataDir = await mkdtemp(join(tmpdir(), "hdp-server-"));
  });
  after(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  async function submit(
    url: string,
    key: string,
    body: unknown,
    path = "/tasks",
  ): Promise<RawReply> {
    return await raw(`${url}${path}?apiKey=${KEY}`, {
      method: "POST",
      headers: { "X-API-KEY": KEY, "content-type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(body),
    });
  }
  const listed = async (url: string): Promise<number> =>
    (
      (await raw(`${url}/tasks`, { headers: { "X-API-KEY": KEY } })).json() as {
        pagination: { total: number };
      }
    ).pagination.total;

  it("gives the same key and body the first answer, at once, later and after a restart", async () => {
    const server = await testServer(chain, { dataDir });
    const both = await Promise.all([
      submit(server.url, "one", headerTask(3)),
      submit(server.url, "one", headerTask(3)),
    ]);
    const [first] = both.map(({ text }) => text);
    expect(both.map(({ status, text }) => [status, text])).to.deep.equal([
      [200, first],
      [200, first],
    ]);
    expect((await submit(server.url, "one", headerTask(3))).text).to.equal(first);
    expect(await listed(server.url)).to.equal(1);
    expect((await submit(server.url, "two", headerTask(3))).text).not.to.equal(first);
    await server.close();
    const again = await testServer(chain, { dataDir });
    expect((await submit(again.url, "one", headerTask(3))).text).to.equal(first);
    expect(await listed(again.url)).to.equal(2);
    await again.close();
  });

  it("refuses the same key with another body or at another endpoint, and accepts nothing", async () => {
    const server = await testServer(chain);
    await submit(server.url, "key", headerTask(2));
    for (const reply of [
      await submit(server.url, "key", headerTask(3)),
      await submit(server.url, "key", headerTask(2), "/submit-batch"),
    ]) {
      expect(reply.status).to.equal(422);
      expect(reply.json()).to.deep.include({
        code: "HDP-4526",
        error: 'the Idempotency-Key "key" cannot be used: it was sent before with another request.',
      });
    }
    expect((await submit(server.url, "k".repeat(256), headerTask(2))).status).to.equal(400);
    expect(await listed(server.url)).to.equal(1);
    await server.close();
  });

  it("frees the key of a request that was refused", async () => {
    const server = await testServer(chain);
    const module = {
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [{ type: "Module", programHash: "0x1", inputs: [] }],
    };
    expect((await submit(server.url, "key", module)).status).to.equal(400);
    expect((await submit(server.url, "key", headerTask(2))).status).to.equal(200);
    await server.close();
  });

  it("lets a client find out what became of a submission whose answer was lost", async () => {
    const server = await testServer(chain, { faults: new FaultQueue(cutAfterAcceptance()) });
    const { tasks } = clients(server.url);
    const request = parseTaskRequest(headerTask(4));
    let lost: unknown;
    await tasks
      .submit(request, { idempotencyKey: "mine" })
      .catch((error: unknown) => (lost = error));
    expect(lost).to.include({ kind: "outcome-unknown" });
    const { id } = await tasks.submit(request, { idempotencyKey: "mine" });
    expect(await listed(server.url)).to.equal(1);
    expect(
      (await raw(`${server.url}/tasks/${id}/details`, { headers: { "X-API-KEY": KEY } })).status,
    ).to.equal(200);
    await server.close();
  });

  const proof = {
    destination_chain_id: "SN_SEPOLIA",
    data: { "11155111": { "block:0": { header: ["STATE_ROOT"] } } },
  };
  for (const { path, first, other, members } of [
    {
      path: "/submit-request",
      first: proof,
      other: { ...proof, destination_chain_id: "SN_MAIN" },
      members: "request_id",
    },
    { path: "/grow-orders", first: { amount: 1 }, other: { amount: 2 }, members: "id" },
  ]) {
    it(`gives the first answer at ${path} too, at once, later and after a restart`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), "hdp-server-"));
      const send = async (url: string, key: string, body: unknown): Promise<RawReply> =>
        await post(`${url}${path}`, body, { "Idempotency-Key": key });
      const server = await testServer(chain, { dataDir });
      const both = await Promise.all([
        send(server.url, "one", first),
        send(server.url, "one", first),
      ]);
      const [{ text }] = both;
      expect(both.map((reply) => [reply.status, reply.text])).to.deep.equal([
        [200, text],
        [200, text],
      ]);
      expect(both[0].json()).to.have.property(members);
      expect((await send(server.url, "two", first)).text).not.to.equal(text);
      const refused = await send(server.url, "one", other);
      expect(refused.status).to.equal(422);
      expect(refused.json()).to.deep.include({ code: "HDP-4526" });
      await server.close();
      const again = await testServer(chain, { dataDir });
      expect((await send(again.url, "one", first)).text).to.equal(text);
      expect((await send(again.url, "one", other)).status).to.equal(422);
      await again.close();
      await rm(dataDir, { recursive: true, force: true });
    });
  }

  it("shows a grow order as it was created, whatever became of it since", async () => {
    const server = await testServer(chain);
    const send = async (): Promise<RawReply> =>
      await post(`${server.url}/grow-orders`, { a: 1 }, { "Idempotency-Key": "k" });
    const first = await send();
    const { id } = first.json() as { id: string };
    expect((await post(`${server.url}/grow-orders/${id}/cancel`, {})).json()).to.include({
      status: "CANCELLED",
    });
    expect((await send()).text).to.equal(first.text);
    await server.close();
  });

  it("knows an uploaded class by its content, whatever form is around it, and refuses another one", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-server-"));
    const upload = async (url: string, content: string): Promise<RawReply> => {
      const body = new FormData();
      body.append("programFile", new Blob([content]), "x.json");
      const headers = { "Idempotency-Key": "class" };
      return await raw(`${url}/submit-program?apiKey=${KEY}`, { method: "POST", body, headers });
    };
    const text = JSON.stringify(SMALL_CLASS);
    const other = JSON.stringify({ ...SMALL_CLASS, bytecode: [...SMALL_CLASS.bytecode, "0x1"] });
    const server = await testServer(chain, { dataDir });
    for (const reply of [await upload(server.url, text), await upload(server.url, text)]) {
      expect([reply.status, reply.text]).to.deep.equal([200, SMALL_CLASS_HASH]);
    }
    expect((await upload(server.url, other)).status).to.equal(422);
    await server.close();
    const again = await testServer(chain, { dataDir });
    expect((await upload(again.url, text)).text).to.equal(SMALL_CLASS_HASH);
    expect((await upload(again.url, other)).status).to.equal(422);
    await again.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

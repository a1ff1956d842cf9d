import { expect } from "chai";

import type { WebhookTargets } from "../../src/entries/local.js";
import { fakeClock } from "../support/fake-clock.js";
import { httpServer, sendText, type OddServer } from "../support/odd-servers.js";
import {
  testChain,
  headerTask,
  KEY,
  post,
  raw,
  testServer,
  type TestChain,
  type TestServer,
} from "./fixture.js";

describe("development server: webhooks", () => {
  let chain: TestChain;
  let receiver: OddServer;
  let answers: number[];

  before(async () => {
    chain = await testChain();
  });
  beforeEach(async () => {
    answers = [];
    receiver = await httpServer((_request, response) => {
      const status = answers.shift() ?? 200;
      sendText(
        response,
        status,
        "",
        status === 302 ? { location: `${receiver.url}/elsewhere` } : {},
      );
    });
  });
  afterEach(async () => {
    await receiver.close();
  });

  async function withServer(
    work: (server: TestServer) => Promise<void>,
    allowWebhooksTo?: WebhookTargets,
  ): Promise<void> {
    const server = await testServer(chain, { clock: fakeClock(), allowWebhooksTo });
    try {
      await work(server);
    } finally {
      await server.close();
    }
  }

  async function heard(count: number): Promise<void> {
    for (let look = 0; look < 500 && receiver.seen.length < count; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(receiver.seen.length).to.equal(count);
  }

  it("reports a finished task with its transaction, and a failed one with its error", async () => {
    await withServer(async (server) => {
      const good = { ...headerTask(2), webhook_url: `${receiver.url}/done` };
      const { uuid } = (await post(`${server.url}/tasks`, good)).json() as { uuid: string };
      await heard(1);
      const [call] = receiver.seen;
      expect(call).to.include({ method: "POST", url: "/done" });
      const told = JSON.parse(call?.body ?? "") as Record<string, string>;
      expect(Object.keys(told)).to.deep.equal([
        "status",
        "task_id",
        "timestamp",
        "transaction_hash",
      ]);
      expect(told).to.include({ status: "TaskDecommitmentCompleted", task_id: uuid });
      expect(told["transaction_hash"]).to.match(/^0x[0-9a-f]{64}$/);

      const named = receiver.url.replace("127.0.0.1", "localhost");
      await post(`${server.url}/tasks`, { ...headerTask(9_999), webhook_url: named });
      await heard(2);
      const failed = JSON.parse(receiver.seen[1]?.body ?? "") as Record<string, string>;
      expect(Object.keys(failed)).to.deep.equal(["status", "task_id", "timestamp", "error"]);
      expect(failed["status"]).to.equal("ChainProofsFetchFailed");
      expect(failed["error"]).to.include("HDP-4101");
    });
  });

  it("shows the address of a webhook, which may hold a key, in no reply", async () => {
    await withServer(async (server) => {
      const key = "sk_webhook-9Zq3hY8mK2w";
      const webhook_url = `${receiver.url}/${key}?token=${key}`;
      const { uuid } = (
        await post(`${server.url}/tasks`, { ...headerTask(2), webhook_url })
      ).json() as {
        uuid: string;
      };
      await heard(1);
      expect(receiver.seen[0]?.url).to.contain(key);
      const paths = [
        "/tasks",
        ...["status", "details", "state_transitions"].map((what) => `/tasks/${uuid}/${what}`),
      ];
      for (const path of [...paths, `/batch-query/${uuid}`]) {
        const { status, text } = await raw(server.url + path, { headers: { "X-API-KEY": KEY } });
        expect([status, text.includes(key)], path).to.deep.equal([200, false]);
      }
    });
  });

  it("tries three times, and follows no redirect", async () => {
    answers = [500, 302, 503];
    await withServer(async (server) => {
      await post(`${server.url}/tasks`, { ...headerTask(1), webhook_url: `${receiver.url}/done` });
      await heard(3);
    });
    expect(receiver.seen.map(({ url }) => url)).to.deep.equal(["/done", "/done", "/done"]);
  });

  it("refuses addresses of other machines, other protocols and invalid URLs, and accepts nothing", async () => {
    await withServer(async (server) => {
      for (const webhook_url of [
        "http://10.0.0.1/x",
        "http://169.254.169.254/latest",
        "http://[2001:db8::1]/",
        "http://0x0a000001/",
        "http://name.invalid/x",
        "ftp://127.0.0.1/x",
        "nowhere",
      ]) {
        const reply = await post(`${server.url}/tasks`, { ...headerTask(1), webhook_url });
        expect([webhook_url, reply.status]).to.deep.equal([webhook_url, 400]);
        expect((reply.json() as { code: string }).code).to.equal("HDP-4518");
      }
      const listed = await fetch(`${server.url}/tasks`, { headers: { "X-API-KEY": KEY } });
      expect(
        ((await listed.json()) as { pagination: { total: number } }).pagination.total,
      ).to.equal(0);
    });
  });

  it("accepts hosts that are allowed", async () => {
    const elsewhere = { ...headerTask(1), webhook_url: "http://name.invalid/x" };
    for (const targets of [["name.invalid"], "anywhere"] as const) {
      await withServer(async (server) => {
        expect((await post(`${server.url}/tasks`, elsewhere)).status).to.equal(200);
      }, targets);
    }
  });
});

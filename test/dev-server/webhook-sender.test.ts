import { expect } from "chai";

import type { WebhookTargets } from "../../src/entries/local.js";
import { HttpRefusal } from "../../src/dev-server/refusals.js";
import { WebhookSender } from "../../src/dev-server/webhooks.js";
import { fakeClock } from "../support/fake-clock.js";
import { httpServer, type OddServer, sendText } from "../support/odd-servers.js";

/** Returns the address that a sender accepts, or the status of its refusal. */
function checked(text: string, targets: WebhookTargets): string | number {
  try {
    return new WebhookSender(targets, fakeClock()).check(text);
  } catch (error) {
    if (error instanceof HttpRefusal) return error.reply.status;
    throw error;
  }
}

describe("development server: addresses of webhooks", () => {
  const own = [
    "http://127.0.0.1:8080/a?b",
    "https://localhost/",
    "http://[::1]:1/",
    "http://a.localhost/",
  ];
  for (const url of own) {
    it(`accepts ${url}, whatever hosts are allowed`, () => {
      expect(checked(url, "loopback")).to.equal(url);
      expect(checked(url, [])).to.equal(url);
      expect(checked(url, "anywhere")).to.equal(url);
    });
  }

  const others = [
    "http://example.org/",
    "http://notlocalhost/",
    "http://10.0.0.1/",
    "http://[::2]/",
  ];
  for (const url of [...others, "http://loopback/", "http://back/", "http://o/"]) {
    it(`refuses ${url} unless its host is allowed`, () => {
      const host = new URL(url).hostname.replace(/[[\]]/g, "");
      expect(checked(url, "loopback")).to.equal(400);
      expect(checked(url, [`${host}x`, `x${host}`])).to.equal(400);
      expect(checked(url, [host])).to.equal(url);
      expect(checked(url, "anywhere")).to.equal(url);
    });
  }

  for (const text of [
    "",
    "example.org",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "ws://localhost/",
  ]) {
    it(`refuses "${text}", even where any host is allowed`, () => {
      expect(checked(text, "anywhere")).to.equal(400);
    });
  }
});

describe("development server: delivery of webhooks", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function delivery(...statuses: number[]): Promise<OddServer> {
    const receiver = await httpServer((_request, response) => {
      sendText(response, statuses.shift() ?? 200, "");
    });
    const sender = new WebhookSender("loopback", fakeClock());
    open.push(sender, receiver);
    await sender.notify(receiver.url, '{"status":"x"}', new AbortController().signal);
    return receiver;
  }

  it("sends the body as JSON", async () => {
    const { seen } = await delivery();
    expect(seen.map(({ body }) => body)).to.deep.equal(['{"status":"x"}']);
    expect(seen[0]?.headers["content-type"]).to.equal("application/json");
  });

  const attempts = [
    [[200], 1],
    [[299], 1],
    [[300, 200], 2],
    [[500, 404, 200], 3],
    [[500, 500, 500, 200], 3],
  ] as const;
  for (const [statuses, count] of attempts) {
    it(`makes ${count} attempts where the answers are ${statuses.join(", ")}`, async () => {
      expect((await delivery(...statuses)).seen).to.have.length(count);
    });
  }

  it("makes three attempts where nobody listens, and resolves", async () => {
    const receiver = await httpServer(() => undefined);
    await receiver.close();
    const clock = fakeClock();
    const sender = new WebhookSender("loopback", clock);
    open.push(sender);
    const began = clock.now();
    const attempts = await sender.notify(receiver.url, "{}", new AbortController().signal);
    expect(clock.now() - began).to.equal(6_000);
    expect(attempts).to.have.length(3);
    for (const { answer } of attempts) expect(answer).to.contain("ECONNREFUSED");
  });

  it("ends an attempt as soon as the server closes", async () => {
    const closing = new AbortController();
    const receiver = await httpServer(() => closing.abort());
    const sender = new WebhookSender("loopback", fakeClock());
    open.push(sender, receiver);
    await sender.notify(receiver.url, "{}", closing.signal);
    expect(receiver.seen).to.have.length(1);
  });

  it("sends nothing once it is closed", async () => {
    const receiver = await httpServer((_request, response) => sendText(response, 200, ""));
    const sender = new WebhookSender("loopback", fakeClock());
    open.push(receiver);
    await sender.close();
    const attempts = await sender.notify(receiver.url, "{}", new AbortController().signal);
    expect(receiver.seen).to.deep.equal([]);
    expect(attempts.map(({ answer }) => answer)).to.deep.equal(
      Array.from({ length: 3 }, () => "The client is destroyed"),
    );
  });

  it("makes no attempt for what still waits for its turn when the server closes", async () => {
    const closing = new AbortController();
    let arrived = 0;
    const receiver = await httpServer(() => {
      arrived += 1;
      if (arrived === 32) closing.abort();
    });
    const sender = new WebhookSender("loopback", fakeClock());
    open.push(sender, receiver);
    const all = await Promise.all(
      Array.from(
        { length: 40 },
        async () => await sender.notify(receiver.url, "{}", closing.signal),
      ),
    );
    const made = all.map((attempts) => attempts.length);
    expect(made.filter((count) => count === 1)).to.have.length(32);
    expect(made.filter((count) => count === 0)).to.have.length(8);
  });
});

import { expect } from "chai";

import {
  FaultQueue,
  failsAt,
  httpBurst,
  lateFinalization,
  stuckAt,
  unknownState,
} from "../../src/entries/faults.js";
import { systemClock } from "../../src/base/clock.js";
import type { RunView, ServerView } from "../../src/request/views.js";
import { blockSampled, header, taskHash } from "../../src/entries/request.js";
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
import { SMALL_CLASS } from "./small-class.js";

const KEYED = { headers: { "X-API-KEY": KEY } };

/** Reads the stream of a server until a view passes a test. */
async function seen(
  { url }: { readonly url: string },
  wanted: (view: ServerView) => boolean = () => true,
  key = KEY,
): Promise<ServerView> {
  const gone = new AbortController();
  const reply = await fetch(`${url}/dashboard/events`, {
    headers: { "X-API-KEY": key },
    signal: gone.signal,
  });
  expect([reply.status, reply.headers.get("content-type")]).to.deep.equal([
    200,
    "text/event-stream",
  ]);
  let text = "";
  try {
    for await (const part of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events.filter((one) => one.startsWith("data: "))) {
        const view = JSON.parse(event.slice("data: ".length)) as ServerView;
        if (wanted(view)) return view;
      }
    }
  } finally {
    gone.abort();
  }
  throw new Error("the stream ended");
}

const submissionsOf = (view: ServerView): readonly unknown[] =>
  view.submissions.map(({ state, phase, held }) => [state, phase, held]);

async function submitted({ url }: TestServer, body: unknown = headerTask(3)): Promise<string> {
  return ((await post(`${url}/tasks`, body)).json() as { uuid: string }).uuid;
}

/** A server of its own for one test. */
async function using(
  shared: ReturnType<typeof served>,
  options: Parameters<typeof testServer>[1],
  use: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await testServer(shared.chain, options);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

describe("development server: dashboard", () => {
  const shared = served();

  it("answers a browser with a page that has no inline script, and programs with JSON", async () => {
    const page = await raw(`${shared.server.url}/`, {
      headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
    expect(page.headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(
      ([, address]) => address,
    );
    expect(addresses).to.deep.equal([
      "/dashboard/icon.svg",
      "/dashboard/page.css",
      "/dashboard/page.js",
    ]);
    expect(page.text)
      .to.match(/<script [^>]*src=[^>]*><\/script>/)
      .and.not.match(/<script>|<style|\son\w+=/);
    const script = await raw(`${shared.server.url}/dashboard/page.js`);
    expect(script.headers.get("content-type")).to.equal("text/javascript; charset=utf-8");
    expect(
      (await raw(`${shared.server.url}/dashboard/page.css`)).headers.get("content-type"),
    ).to.contain("text/css");
    expect((await raw(`${shared.server.url}/`)).json()).to.include({
      name: "hardhat-hdp development server",
    });
  });

  it("sends submissions as they move through their states, with results in units", async () => {
    await using(shared, { info: { chainUrl: "http://127.0.0.1:1" } }, async (server) => {
      expect(await seen(server)).to.deep.equal({
        chainUrl: "http://127.0.0.1:1",
        submissions: [],
        programs: [],
        proofs: [],
        totals: { submissions: 0, programs: 0, proofs: 0 },
      });
      const watched = seen(server, ({ submissions }) => submissions[0]?.phase === "finalized");
      const id = await submitted(server, headerTask(3, "gas_limit", "max"));
      const [submission] = (await watched).submissions;
      expect(submission?.transitions.map(({ state }) => state)).to.deep.equal([
        "Received",
        "ChainProofsFetchStarted",
        "ChainProofsFetchCompleted",
        "TaskDecommitmentStarted",
        "TaskDecommitmentCompleted",
      ]);
      expect(submission).to.include({ id, edition: "tasks", destination: "ETHEREUM_SEPOLIA" });
      const hash = taskHash(blockSampled({ from: 0, to: 3, property: header("gas_limit") }).max());
      const [task] = submission?.tasks ?? [];
      expect(task).to.include({ hash, title: "maximum of header.gas_limit" });
      expect(task?.lines).to.deep.equal(["blocks 0..3 on ETHEREUM_SEPOLIA, 4 samples, step 1"]);
      expect(task?.result?.spoken).to.match(/^[\d,]+ gas at most$/);
      expect(BigInt(task?.result?.word ?? 0)).to.equal(await shared.chain.read(hash));
      expect(task?.result?.transactionHash).to.match(/^0x[0-9a-f]{64}$/);
    });
  });

  it("sends failures with their words", async () => {
    const id = await submitted(shared.server, headerTask(99_999));
    const view = await seen(
      shared.server,
      ({ submissions: [first] }) => first?.id === id && first.phase === "failed",
    );
    expect(view.submissions[0]?.error).to.contain("block 99999 does not exist");
    expect(view.submissions[0]?.tasks[0]?.result).to.equal(undefined);
  });

  it("sends programs and storage proof requests", async () => {
    const { registry, storageProof } = clients(shared.server.url);
    const { programHash } = await registry.upload({
      name: "small.json",
      content: Buffer.from(JSON.stringify(SMALL_CLASS)),
    });
    const asked = {
      "block:1": {
        header: ["STATE_ROOT"],
        accounts: { [shared.chain.store]: { props: ["BALANCE"] } },
      },
    };
    await storageProof.submitRequest({
      destination_chain_id: "SN_SEPOLIA",
      data: { "11155111": asked },
    });
    const { programs, proofs, totals } = await seen(
      shared.server,
      (view) => view.proofs[0]?.completed !== undefined,
    );
    expect(programs.map((program) => program.hash)).to.deep.equal([programHash]);
    expect(programs[0]?.bytes).to.be.above(100);
    expect(totals).to.include({ programs: 1, proofs: 1 });
    expect(proofs[0]).to.include({ chainId: "11155111", time: "block:1", status: "COMPLETED" });
    expect(proofs[0]?.wanted).to.deep.equal([
      "header: STATE_ROOT",
      `${shared.chain.store}: BALANCE`,
    ]);
  });

  it("shows the states of a batch by its transitions, and with a latency also those to come", async () => {
    const batch = async (server: TestServer): Promise<void> => {
      await post(`${server.url}/submit-batch?apiKey=${KEY}`, headerTask(2));
    };
    await using(shared, {}, async (server) => {
      await batch(server);
      const view = await seen(server, ({ submissions: [first] }) => first?.phase === "finalized");
      const states = view.submissions[0]?.batch?.map(({ state }) => state);
      expect(states).to.deep.equal(["Opened", "ProofsFetched", "Finalized"]);
    });
    let now = 1_000_000;
    const clock = { ...systemClock, now: () => now };
    await using(shared, { latency: 1_000, clock }, async (server) => {
      await batch(server);
      const ended = await seen(server, ({ submissions: [first] }) => first?.phase === "finalized");
      expect(ended.submissions[0]?.batch?.map(({ at }) => at !== undefined)).to.deep.equal([
        true,
        ...Array<boolean>(5).fill(false),
      ]);
      now += 2_500;
      const view = await seen(server);
      expect(view.submissions[0]?.batch).to.deep.equal([
        { state: "Opened", at: "1970-01-01T00:16:40.000Z" },
        { state: "ProofsFetched", at: "1970-01-01T00:16:41.000Z" },
        { state: "CachedMmrRoot", at: "1970-01-01T00:16:42.000Z" },
        ...["PieSubmittedToProver", "FactRegisteredOnchain", "Finalized"].map((state) => ({
          state,
        })),
      ]);
    });
  });

  it("leaves bursts of statuses to those who submit", async () => {
    await using(shared, { faults: new FaultQueue(httpBurst(503, 1)) }, async (server) => {
      expect((await seen(server)).faults?.waiting).to.deep.equal(["http-burst:503:1"]);
      expect((await raw(`${server.url}/`, { headers: { accept: "text/html" } })).status).to.equal(
        200,
      );
      expect((await post(`${server.url}/tasks`, headerTask(1))).status).to.equal(503);
    });
  });

  it("shows the fault queue, injects into it and takes a fault out of it", async () => {
    await using(shared, { faults: new FaultQueue(stuckAt("Sampled")) }, async (server) => {
      const { faults } = await seen(server);
      expect(faults?.waiting).to.deep.equal(["stuck-at:Sampled"]);
      expect(faults?.kinds).to.deep.include({
        kind: "http-burst",
        form: "<429|500|502|503|504>:<calls>",
        moment: "call",
      });
      const injected = await post(`${server.url}/dashboard/faults`, {
        faults: "fails-at:Received:no: no,reorg:2",
      });
      expect(injected.status).to.equal(200);
      const all = ["stuck-at:Sampled", "fails-at:Received:no: no", "reorg:2"];
      expect((await seen(server)).faults?.waiting).to.deep.equal(all);
      const wrong = await post(`${server.url}/dashboard/faults`, { faults: "http-burst:200:1" });
      expect([wrong.status, (wrong.json() as { code: string }).code]).to.deep.equal([
        400,
        "HDP-6003",
      ]);
      for (const [position, fault] of [
        [1, "fails-at:Received:no: no"],
        // This one moved up meanwhile.
        [2, "reorg:2"],
      ] as const) {
        expect(
          (await post(`${server.url}/dashboard/faults/stop`, { position, fault })).status,
        ).to.equal(200);
      }
      expect((await seen(server)).faults?.waiting).to.deep.equal(["stuck-at:Sampled", "reorg:2"]);
    });
  });

  it("releases what a fault holds, and leaves alone what none holds", async () => {
    const faults = new FaultQueue(
      stuckAt("CachedMmrRoot"),
      unknownState("Migrating", 1_000),
      failsAt("Received", "no"),
    );
    await using(shared, { faults }, async (server) => {
      const [stuck, renamed] = [await submitted(server), await submitted(server)];
      const held = await seen(server, ({ submissions: [first] }) => first?.phase === "finalized");
      expect(submissionsOf(held)).to.deep.equal([
        ["TaskDecommitmentCompleted", "finalized", "Migrating"],
        ["CachedMmrRoot", "pending", "CachedMmrRoot"],
      ]);
      for (const id of [stuck, renamed, renamed]) {
        expect((await post(`${server.url}/dashboard/release`, { id })).status).to.equal(200);
      }
      const free = await seen(server, ({ submissions }) =>
        submissions.every(({ phase }) => phase === "finalized"),
      );
      expect(free.submissions.map((one) => one.held)).to.deep.equal([undefined, undefined]);
      await submitted(server);
      expect(submissionsOf(await seen(server))[0]).to.deep.equal([
        "ChainProofsFetchFailed",
        "failed",
        undefined,
      ]);
      const unknown = await post(`${server.url}/dashboard/release`, { id: "nobody" });
      expect([unknown.status, (unknown.json() as { code: string }).code]).to.deep.equal([
        404,
        "HDP-4519",
      ]);
    });
  });

  it("shows a late task as held until it was polled often enough", async () => {
    await using(shared, { faults: new FaultQueue(lateFinalization(1)) }, async (server) => {
      const id = await submitted(server);
      const view = await seen(server, ({ submissions: [first] }) => first?.phase === "finalized");
      expect(view.submissions[0]?.held).to.equal("Received");
      await raw(`${server.url}/tasks/${id}/status`, { headers: { "X-API-KEY": KEY } });
      expect((await seen(server)).submissions[0]?.held).to.equal(undefined);
    });
  });

  it("does nothing for a page from elsewhere, also where such a page may read, nor without a key", async () => {
    await using(shared, { faults: new FaultQueue(), corsOrigins: ["*"] }, async (server) => {
      const inject = async (headers: Record<string, string>): Promise<number> =>
        (await post(`${server.url}/dashboard/faults`, { faults: "reorg:1" }, headers)).status;
      expect(await inject({ origin: "https://example.org" })).to.equal(403);
      expect(await inject({ "sec-fetch-site": "cross-site" })).to.equal(403);
      expect(await inject({ "X-API-KEY": "" })).to.equal(401);
      expect(await inject({ origin: server.url, "sec-fetch-site": "same-origin" })).to.equal(200);
      expect((await seen(server)).faults?.waiting).to.deep.equal(["reorg:1"]);
      for (const headers of [
        { ...KEYED.headers, "sec-fetch-site": "cross-site" },
        { ...KEYED.headers, "sec-fetch-site": "same-site" },
        { ...KEYED.headers, origin: "https://example.org" },
      ]) {
        expect((await raw(`${server.url}/dashboard/events`, { headers })).status).to.equal(403);
        expect((await raw(`${server.url}/dashboard/tasks/1/0`, { headers })).status).to.equal(403);
      }
      // A frame of another page sends no header of its own.
      expect((await raw(`${server.url}/dashboard/events`)).status).to.equal(401);
    });
    const none = await post(`${shared.server.url}/dashboard/faults`, { faults: "reorg:1" });
    expect([none.status, (none.json() as { error: string }).error]).to.deep.equal([
      400,
      "the request cannot be accepted: this server was started without faults.",
    ]);
  });

  it("shows no data without the key of a server that has one, and shows the page all the same", async () => {
    await using(
      shared,
      { apiKey: KEY, explain: async () => await Promise.reject(new Error("asked")) },
      async (server) => {
        const id = await submitted(server);
        for (const path of ["/dashboard/events", `/dashboard/tasks/${id}/0`]) {
          expect((await raw(`${server.url}${path}`)).status).to.equal(401);
          expect(
            (await raw(`${server.url}${path}`, { headers: { "X-API-KEY": "other" } })).status,
          ).to.equal(403);
        }
        expect((await seen(server)).totals.submissions).to.equal(1);
        expect((await raw(`${server.url}/dashboard/page.js`)).status).to.equal(200);
      },
    );
  });

  it("computes a task again when it is asked what its value is made of", async () => {
    const view = { title: "what was computed" } as RunView;
    const asked: string[] = [];
    const explain = async (task: Parameters<typeof taskHash>[0]): Promise<RunView> => {
      asked.push(taskHash(task));
      return await Promise.resolve(view);
    };
    await using(shared, { explain }, async (server) => {
      const id = await submitted(server);
      expect((await raw(`${server.url}/dashboard/tasks/${id}/0`, KEYED)).json()).to.deep.equal(
        view,
      );
      expect(asked).to.deep.equal([
        taskHash(blockSampled({ from: 0, to: 3, property: header("number") }).sum()),
      ]);
      for (const path of [`${id}/1`, `${id}/x`, "nobody/0"]) {
        expect((await raw(`${server.url}/dashboard/tasks/${path}`, KEYED)).status).to.equal(404);
      }
    });
    const id = await submitted(shared.server);
    expect((await raw(`${shared.server.url}/dashboard/tasks/${id}/0`, KEYED)).status).to.equal(400);
  });

  it("shows the first fifty tasks of a submission and fifty values of a query, and says how many tasks there are", async () => {
    await using(shared, {}, async (server) => {
      const {
        tasks: [task],
        ...request
      } = headerTask(1) as { tasks: readonly unknown[] };
      await submitted(server, { ...request, tasks: Array.from({ length: 51 }, () => task) });
      const slots = Array.from({ length: 51 }, (_, at) => `0x${at.toString(16).padStart(64, "0")}`);
      const data = {
        "11155111": { "block:1": { accounts: { [`0x${"1".repeat(40)}`]: { slots } } } },
      };
      await post(`${server.url}/submit-request`, { destination_chain_id: "SN_SEPOLIA", data });
      const { submissions, proofs } = await seen(server, (view) => view.proofs.length > 0);
      expect(submissions[0]?.taskCount).to.equal(51);
      expect(submissions[0]?.tasks).to.have.length(50);
      expect(proofs[0]?.wanted).to.deep.equal([
        `0x${"1".repeat(40)}: ${slots.slice(0, 50).join(", ")}, …`,
      ]);
    });
  });

  it("makes the view once for pages that look at the same time", async () => {
    let views = 0;
    const faults = new (class extends FaultQueue {
      public override get waiting(): FaultQueue["waiting"] {
        views += 1;
        return super.waiting;
      }
    })();
    let wake = (): void => undefined;
    let asleep = 0;
    const awake = new Promise<void>((resolve) => (wake = resolve));
    const sleep: typeof systemClock.sleep = async (ms, signal) => {
      asleep += 1;
      await (asleep > 16 ? systemClock.sleep(ms, signal) : awake);
    };
    await using(shared, { faults, clock: { ...systemClock, sleep } }, async (server) => {
      const open = await Promise.all(
        Array.from(
          { length: 16 },
          async () => await fetch(`${server.url}/dashboard/events`, KEYED),
        ),
      );
      for (const reply of open) await reply.body?.getReader().read();
      expect(asleep).to.equal(16);
      views = 0;
      wake();
      await new Promise(setImmediate);
      expect(views).to.equal(1);
    });
  });

  it("keeps sixteen pages up to date and refuses more, and ends them all when it closes", async () => {
    const server = await testServer(shared.chain);
    const open = await Promise.all(
      Array.from({ length: 16 }, async () => await fetch(`${server.url}/dashboard/events`, KEYED)),
    );
    const readers = open.map((reply) => reply.body?.getReader());
    for (const reader of readers) await reader?.read();
    const refused = await raw(`${server.url}/dashboard/events`, KEYED);
    expect([refused.status, (refused.json() as { code: string }).code]).to.deep.equal([
      429,
      "HDP-4531",
    ]);
    const ended = Promise.all(readers.map(async (reader) => (await reader?.read())?.done));
    await server.close();
    expect(await ended).to.deep.equal(Array<boolean>(16).fill(true));
  });
});

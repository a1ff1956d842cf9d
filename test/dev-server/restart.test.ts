import { type ChildProcess, spawn } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { type FrontProcessor, startLocalFront } from "../../src/entries/local.js";
import { taskHash } from "../../src/request/task-hash.js";
import { childScript } from "../support/child-script.js";
import { frontChain, headerTask, KEY, post, raw, testFront } from "./fixture.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";

interface Child {
  readonly url: string;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

describe("local front: restarts", () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "hdp-front-"));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  async function child(delay: number): Promise<Child> {
    const script = await childScript(join(import.meta.dirname, "processes", "front-child.ts"));
    const env = { ...process.env, FRONT_DATA: dataDir, FRONT_DELAY: String(delay) };
    const started = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
    const url = await firstLine(started);
    return {
      url,
      kill: async (signal) => {
        const ended = new Promise((resolve) => started.once("close", resolve));
        started.kill(signal);
        await ended;
      },
    };
  }

  async function statusOf(url: string, uuid: string): Promise<string> {
    const reply = await raw(`${url}/tasks/${uuid}/status`, { headers: { "X-API-KEY": KEY } });
    expect(reply.status).to.equal(200);
    return (reply.json() as { status: string }).status;
  }

  async function completed(url: string, uuid: string): Promise<void> {
    for (let look = 0; look < 500; look += 1) {
      if ((await statusOf(url, uuid)) === "TaskDecommitmentCompleted") return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`task ${uuid} was not completed`);
  }

  it("loses nothing that was accepted, wherever it is killed", async () => {
    const accepted: string[] = [];
    const orders: string[] = [];
    // Killed at once after an answer, while many requests are under way, and while nothing is.
    for (const pause of [0, 3, 25]) {
      const front = await child(60_000);
      const working = Array.from({ length: 40 }, async () => {
        const reply = await post(`${front.url}/tasks`, headerTask(1)).catch(() => undefined);
        if (reply?.status === 200) accepted.push((reply.json() as { uuid: string }).uuid);
      });
      const order = post(`${front.url}/grow-orders`, { n: pause })
        .then((reply) => orders.push((reply.json() as { id: string }).id))
        .catch(() => undefined);
      await Promise.race(working);
      await new Promise((resolve) => setTimeout(resolve, pause));
      await front.kill("SIGKILL");
      await Promise.all([...working, order]);
    }
    expect(accepted.length).to.be.greaterThan(2);
    const front = await child(0);
    try {
      for (const uuid of accepted) await completed(front.url, uuid);
      for (const id of orders) {
        expect((await raw(`${front.url}/grow-orders/${id}`, { headers: { "api-key": KEY } })).status).to.equal(200);
      }
    } finally {
      await front.kill("SIGTERM");
    }
  }).timeout(60_000);

  it("keeps programs, and remembers how finished tasks ended", async () => {
    const first = await child(0);
    const form = new FormData();
    form.append("programFile", new Blob([JSON.stringify(SMALL_CLASS)]), "x.json");
    const stored = await raw(`${first.url}/submit-program?apiKey=${KEY}`, { method: "POST", body: form });
    expect(stored.text).to.equal(SMALL_CLASS_HASH);
    const { uuid } = (await post(`${first.url}/tasks`, headerTask(1))).json() as { uuid: string };
    await completed(first.url, uuid);
    const passed = (await raw(`${first.url}/tasks/${uuid}/state_transitions`)).json();
    await first.kill("SIGKILL");
    // What a kill in the middle of writing leaves behind.
    await appendFile(join(dataDir, "front.jsonl"), '{"type":"task","id":"half');
    await writeFile(join(dataDir, "programs", "0x1.json.7.partial"), "{");

    const second = await child(60_000);
    try {
      expect(await statusOf(second.url, uuid)).to.equal("TaskDecommitmentCompleted");
      expect((await raw(`${second.url}/tasks/${uuid}/state_transitions`)).json()).to.deep.equal(passed);
      const metadata = await raw(`${second.url}/get-metadata?program_hash=${SMALL_CLASS_HASH}`);
      expect(metadata.json()).to.deep.equal({ layout: "recursive_with_poseidon", version: 2 });
    } finally {
      await second.kill("SIGTERM");
    }
    const lines = (await readFile(join(dataDir, "front.jsonl"), "utf8")).trim().split("\n");
    for (const line of lines) expect(() => JSON.parse(line) as unknown).to.not.throw();
    expect(await readdir(dataDir)).to.not.include("lock");
  }).timeout(60_000);

  it("takes up retried tasks, and fails those that are refused now", async () => {
    const chain = await frontChain();
    const one = await testFront(chain, { dataDir });
    const { uuid } = (await post(`${one.url}/tasks`, headerTask(9_999))).json() as { uuid: string };
    while ((await statusOf(one.url, uuid)) !== "ChainProofsFetchFailed") continue;
    await one.close();

    const stuck: FrontProcessor = {
      submit: (request) =>
        Promise.resolve({
          ...{ id: "1", processor: "local", destinationChainId: request.destinationChainId },
          taskHashes: request.tasks.map((task) => taskHash(task)),
        }),
      wait: (_submission, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            reject(new Error("aborted"));
          });
        }),
      results: () => Promise.resolve([]),
    };
    const providerFor = () => chain.provider;
    const two = await startLocalFront({ processor: stuck, providerFor, dataDir });
    expect(await statusOf(two.url, uuid)).to.equal("ChainProofsFetchFailed");
    expect((await post(`${two.url}/tasks/${uuid}/retry`, "")).status).to.equal(200);
    await two.close();

    const refusing = { ...stuck, submit: () => Promise.reject(new Error("modules are not run here")) };
    const three = await startLocalFront({ processor: refusing, providerFor, dataDir });
    const status = await raw(`${three.url}/tasks/${uuid}/status`, { headers: { "X-API-KEY": KEY } });
    await three.close();
    expect(status.json()).to.deep.include({
      status: "ChainProofsFetchFailed",
      errorMessage: "modules are not run here",
    });
  });

  it("takes up storage proof requests that were under way, and keeps those that ended", async () => {
    const chain = await frontChain();
    const body = { destination_chain_id: "1", data: { "1": { "block:2": { header: ["BLOCK_NUMBER"] } } } };
    const silent = { request: () => new Promise<unknown>(() => undefined) };
    const headers = { "api-key": KEY };
    const one = await testFront({ ...chain, provider: silent }, { dataDir });
    const { request_id } = (await post(`${one.url}/submit-request`, body)).json() as { request_id: string };
    await expectClosed(one.close());
    for (let start = 0; start < 2; start += 1) {
      const two = await testFront(chain, { dataDir });
      let queries: { internal_id: string; status: string }[] = [];
      while (queries[0]?.status !== "COMPLETED") {
        const reply = await raw(`${two.url}/get_queries/${request_id}`, { headers });
        ({ queries } = reply.json() as { queries: typeof queries });
      }
      const actions = await raw(`${two.url}/get_actions/${queries[0].internal_id}`, { headers });
      expect(actions.text).to.include('"fields":{"BLOCK_NUMBER":"0x02"}');
      await two.close();
    }
  });

  it("refuses a folder in use, a damaged log and one of another program", async () => {
    const chain = await frontChain();
    const front = await testFront(chain, { dataDir });
    const attempt = async (): Promise<string> => {
      try {
        await (await testFront(chain, { dataDir })).close();
        return "started";
      } catch (error) {
        return String(error);
      }
    };
    expect(await attempt())
      .to.include("HDP-4503")
      .and.include(String(process.pid));
    await front.close();
    expect(await attempt()).to.equal("started");
    await writeFile(join(dataDir, "lock"), "99999999");
    expect(await attempt()).to.equal("started");
    for (const content of ["{broken\n{}\n", '{"type":"recipe"}\n']) {
      await writeFile(join(dataDir, "front.jsonl"), content);
      expect(await attempt())
        .to.include("HDP-4502")
        .and.include("line 1");
    }
  });
});

/** Closing does not wait for a node that never answers. */
async function expectClosed(closing: Promise<void>): Promise<void> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, 5_000, "late").unref());
  expect(await Promise.race([closing.then(() => "closed"), late])).to.equal("closed");
}

async function firstLine(started: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    started.once("close", (code) => {
      reject(new Error(`the front ended with ${code ?? "a signal"}`));
    });
    started.stdout?.once("data", (chunk: Buffer) => {
      resolve(chunk.toString().trim());
    });
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { parseTaskRequest, taskHash } from "../../src/entries/request.js";
import { type DevServerProcessor, startDevServer } from "../../src/entries/local.js";
import { systemClock } from "../../src/base/clock.js";
import { Database } from "../../src/base/sqlite.js";
import { childScript } from "../support/child-script.js";
import { hdpFailure } from "../support/failure.js";
import { httpServer, sendText } from "../support/odd-servers.js";
import { testChain, headerTask, KEY, post, raw, silentNode, testServer } from "./fixture.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "./small-class.js";

interface Child {
  readonly url: string;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

describe("development server: restarts", () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "hdp-server-"));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  async function child(delay: number): Promise<Child> {
    const script = await childScript(join(import.meta.dirname, "processes", "server-child.ts"));
    const env = { ...process.env, SERVER_DATA: dataDir, SERVER_DELAY: String(delay) };
    const started = spawn(process.execPath, [script], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
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
    const accepted = new Map<string, string>();
    const orders: string[] = [];
    // Killed at once after an answer, while many requests are under way, and while nothing is.
    for (const pause of [0, 3, 25]) {
      const server = await child(60_000);
      const working = Array.from({ length: 40 }, async (_, at) => {
        const key = `${pause}-${at}`;
        const reply = await post(`${server.url}/tasks`, headerTask(1), {
          "Idempotency-Key": key,
        }).catch(() => undefined);
        if (reply?.status === 200) accepted.set(key, (reply.json() as { uuid: string }).uuid);
      });
      const order = post(`${server.url}/grow-orders`, { n: pause })
        .then((reply) => orders.push((reply.json() as { id: string }).id))
        .catch(() => undefined);
      await Promise.race(working);
      await new Promise((resolve) => setTimeout(resolve, pause));
      await server.kill("SIGKILL");
      await Promise.all([...working, order]);
    }
    expect(accepted.size).to.be.greaterThan(2);
    const server = await child(0);
    try {
      for (const uuid of accepted.values()) await completed(server.url, uuid);
      // Whatever became of a request, the same key makes one task of it.
      const keys = [0, 3, 25].flatMap((pause) =>
        Array.from({ length: 40 }, (_, at) => `${pause}-${at}`),
      );
      for (const key of keys) {
        const reply = await post(`${server.url}/tasks`, headerTask(1), { "Idempotency-Key": key });
        const { uuid } = reply.json() as { uuid: string };
        expect(uuid).to.equal(accepted.get(key) ?? uuid);
      }
      const list = await raw(`${server.url}/tasks`, { headers: { "X-API-KEY": KEY } });
      expect((list.json() as { pagination: { total: number } }).pagination.total).to.equal(
        keys.length,
      );
      for (const id of orders) {
        expect(
          (await raw(`${server.url}/grow-orders/${id}`, { headers: { "api-key": KEY } })).status,
        ).to.equal(200);
      }
    } finally {
      await server.kill("SIGTERM");
    }
  });

  it("keeps programs, and remembers how finished tasks ended", async () => {
    const first = await child(0);
    const form = new FormData();
    form.append("programFile", new Blob([JSON.stringify(SMALL_CLASS)]), "x.json");
    const stored = await raw(`${first.url}/submit-program?apiKey=${KEY}`, {
      method: "POST",
      body: form,
    });
    expect(stored.text).to.equal(SMALL_CLASS_HASH);
    const { uuid } = (await post(`${first.url}/tasks`, headerTask(1))).json() as { uuid: string };
    await completed(first.url, uuid);
    const passed = (await raw(`${first.url}/tasks/${uuid}/state_transitions`)).json();
    await first.kill("SIGKILL");
    const second = await child(60_000);
    try {
      expect(await statusOf(second.url, uuid)).to.equal("TaskDecommitmentCompleted");
      expect((await raw(`${second.url}/tasks/${uuid}/state_transitions`)).json()).to.deep.equal(
        passed,
      );
      const metadata = await raw(`${second.url}/get-metadata?program_hash=${SMALL_CLASS_HASH}`);
      expect(metadata.json()).to.deep.equal({ layout: "recursive_with_poseidon", version: 2 });
    } finally {
      await second.kill("SIGTERM");
    }
    expect(await readdir(dataDir)).to.deep.equal(["dev-server.db"]);
  });

  it("begins retried tasks anew, and fails those that are refused now", async () => {
    const chain = await testChain();
    const one = await testServer(chain, { dataDir });
    const { uuid } = (await post(`${one.url}/tasks`, headerTask(9_999))).json() as { uuid: string };
    while ((await statusOf(one.url, uuid)) !== "ChainProofsFetchFailed") continue;
    await one.close();

    const stuck: DevServerProcessor = {
      submit: (request) =>
        Promise.resolve({
          id: "1",
          processor: "local",
          destinationChainId: request.destinationChainId,
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
    const two = await startDevServer({ processor: stuck, providerFor, dataDir });
    expect(await statusOf(two.url, uuid)).to.equal("ChainProofsFetchFailed");
    expect((await post(`${two.url}/tasks/${uuid}/retry`, "")).status).to.equal(200);
    await two.close();

    const refusing = {
      ...stuck,
      submit: () => Promise.reject(new Error("modules are not run here")),
    };
    const three = await startDevServer({ processor: refusing, providerFor, dataDir });
    const status = await raw(`${three.url}/tasks/${uuid}/status`, {
      headers: { "X-API-KEY": KEY },
    });
    await three.close();
    expect(status.json()).to.deep.include({
      status: "ChainProofsFetchFailed",
      errorMessage: "modules are not run here",
    });
  });

  it("begins storage proof requests anew that were under way, and keeps those that ended", async () => {
    const chain = await testChain();
    const body = {
      destination_chain_id: "1",
      data: { "1": { "block:2": { header: ["BLOCK_NUMBER"] } } },
    };
    const silent = silentNode();
    const headers = { "api-key": KEY };
    const one = await testServer({ ...chain, provider: silent }, { dataDir });
    const { request_id } = (await post(`${one.url}/submit-request`, body)).json() as {
      request_id: string;
    };
    await expectClosed(one.close());
    silent.end();
    for (let start = 0; start < 2; start += 1) {
      const two = await testServer(chain, { dataDir });
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

  it("finds tasks of earlier starts in their order, by id and by what is searched", async () => {
    const chain = await testChain();
    const list = async (url: string, query = ""): Promise<readonly string[]> => {
      const reply = await raw(`${url}/tasks?hdp_tasks_per_page=100${query}`, {
        headers: { "X-API-KEY": KEY },
      });
      return (reply.json() as { tasks: { uuid: string; status: string }[] }).tasks.map(
        ({ uuid }) => uuid,
      );
    };
    const one = await testServer(chain, { dataDir });
    const ids: string[] = [];
    for (let end = 0; end < 5; end += 1) {
      const { uuid } = (await post(`${one.url}/tasks`, headerTask(end))).json() as { uuid: string };
      await completed(one.url, uuid);
      ids.unshift(uuid);
    }
    await one.close();
    const two = await testServer(chain, { dataDir });
    try {
      expect(await list(two.url)).to.deep.equal(ids);
      const [task] = parseTaskRequest(headerTask(3)).tasks;
      if (task === undefined) throw new Error("no task");
      expect(await list(two.url, `&hdp_tasks_search=${taskHash(task)}`)).to.deep.equal([ids[1]]);
      expect(await statusOf(two.url, ids[2] ?? "")).to.equal("TaskDecommitmentCompleted");
    } finally {
      await two.close();
    }
  });

  it("delivers a webhook that was due when the server was killed", async () => {
    const chain = await testChain();
    const receiver = await httpServer((_request, response) => {
      sendText(response, 200, "");
    });
    try {
      const one = await testServer(chain, {
        dataDir,
        clock: {
          ...systemClock,
          sleep: async (_ms, signal) => await systemClock.sleep(Infinity, signal),
        },
      });
      const { uuid } = (
        await post(`${one.url}/tasks`, { ...headerTask(1), webhook_url: `${receiver.url}/done` })
      ).json() as { uuid: string };
      await completed(one.url, uuid);
      // Its first attempt waits until it is closed: what a killed server leaves is copied.
      const copy = await mkdtemp(join(tmpdir(), "hdp-server-"));
      await cp(dataDir, copy, { recursive: true });
      const two = await testServer(chain, { dataDir: copy });
      for (let look = 0; look < 200 && receiver.seen.length === 0; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(JSON.parse(receiver.seen[0]?.body ?? "")).to.include({
        task_id: uuid,
        status: "TaskDecommitmentCompleted",
      });
      await two.close();
      await one.close();
      await rm(copy, { recursive: true });
    } finally {
      await receiver.close();
    }
  });

  it("refuses a folder in use, a damaged file, one of another version and a folder that cannot be written", async () => {
    const chain = await testChain();
    const server = await testServer(chain, { dataDir });
    const attempt = async (folder = dataDir): Promise<string> => {
      try {
        await (await testServer(chain, { dataDir: folder })).close();
        return "started";
      } catch (error) {
        return String(error);
      }
    };
    const file = join(dataDir, "dev-server.db");
    expect(await attempt()).to.include(
      `HDP-5103 in ${file}: another process has held the database for 0.2 s or longer.`,
    );
    await server.close();
    expect(await attempt()).to.equal("started");
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    await writeFile(file, "no database ".repeat(1_000));
    expect(await attempt()).to.include(`HDP-5102 in ${file}`);
    await rm(file);
    new Database({ path: file, schema: "CREATE TABLE other (id TEXT)", version: 9 }).close();
    expect(await attempt())
      .to.include("HDP-5105")
      .and.include("version 9");
    await writeFile(join(dataDir, "file"), "");
    expect(await attempt(join(dataDir, "file", "folder"))).to.include("HDP-5101");
  });

  it("refuses a folder that another process uses, until that process is killed", async () => {
    const other = await child(0);
    const chain = await testChain();
    expect((await hdpFailure(testServer(chain, { dataDir }))).code).to.equal("HDP-5103");
    await other.kill("SIGKILL");
    await (await testServer(chain, { dataDir })).close();
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
      reject(new Error(`the server ended with ${code ?? "a signal"}`));
    });
    started.stdout?.once("data", (chunk: Buffer) => {
      resolve(chunk.toString().trim());
    });
  });
}

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { decodeJournal } from "../../src/journal/journal-lines.js";
import { nodeFs } from "../../src/base/durable-fs.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { Journal } from "../../src/journal/journal.js";
import { nodeProcessTable } from "../../src/base/process-table.js";
import type { RecordState } from "../../src/journal/journal-record.js";
import { recordAccepted } from "../../src/journal/settle-by-hand.js";
import { childScript } from "../support/child-script.js";
import type { ChildJob } from "./processes/child.js";
import { errorOf, hashOf, requestOf, taskHash } from "./support/fixtures.js";
import { outcomeOf, TestService } from "./support/test-service.js";

const CHILD = fileURLToPath(new URL("processes/child.ts", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(job: ChildJob): Promise<Ended> {
  const script = await childScript(CHILD);
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(job)]);
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
}

let directory = "";
let count = 0;

function freshPlace(): { readonly path: string; readonly sent: string } {
  const place = join(directory, String((count += 1)));
  return { path: join(place, "hdp", "journal.jsonl"), sent: join(directory, `${count}.sent`) };
}

function journalAt(path: string): Journal {
  const lock = {
    ...{ processes: nodeProcessTable(), patience: 5000 },
    sleep: async (milliseconds: number) => {
      await sleep(milliseconds);
    },
  };
  let id = 0;
  return new Journal({ path, fs: nodeFs, now: () => Date.now(), newId: () => `parent-${(id += 1)}`, lock });
}

const linesOf = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];

describe("journal: several processes", function () {
  this.timeout(90_000);

  before(() => {
    directory = mkdtempSync(join(tmpdir(), "hdp-journal-"));
  });
  after(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it("keeps every line whole when three processes append at once", async () => {
    const { path } = freshPlace();
    const ended = await Promise.all(["a", "b", "c"].map((id) => run({ path, append: { id, count: 60 } })));
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).to.deep.equal(Array(3).fill({ code: 0, stderr: "" }));
    const { entries, damage } = decodeJournal(readFileSync(path, "utf8"));
    expect(damage).to.deep.equal([]);
    for (const id of ["a", "b", "c"]) {
      const names = entries.flatMap((entry) => (entry.id === id && entry.event === "status" ? [entry.name] : []));
      expect(names).to.deep.equal(Array.from({ length: 60 }, (_, index) => `S${index}`));
    }
  });

  it("sends each task once when three processes submit the same ones", async () => {
    const { path, sent } = freshPlace();
    const blocks = [1, 2, 3, 4];
    const orders = [blocks, blocks.toReversed(), blocks];
    const ended = await Promise.all(orders.map((order) => run({ path, submit: { blocks: order, sent } })));
    expect(ended.map(({ stderr }) => stderr)).to.deep.equal(["", "", ""]);
    expect(linesOf(sent).toSorted()).to.deep.equal(blocks.map(hashOf));
    expect(ended[0]?.stdout).to.equal(ended[2]?.stdout);
    const { records, damage } = await journalAt(path).records();
    expect(damage).to.deep.equal([]);
    expect([...records.values()].map((record) => record.state)).to.deep.equal(["open", "open", "open", "open"]);
    expect(existsSync(`${path}.lock`)).to.equal(false);
  });

  /** Where the process is killed, how often the service was reached by then, and what the journal then says. */
  const kills: readonly (readonly [killAt: string, arrived: number, state: RecordState | undefined])[] = [
    ["write:1:before", 0, undefined],
    ["write:1:partial", 0, undefined],
    ["write:1:after", 0, "intent"],
    ["sync:2:after", 0, "intent"],
    ["send:1:before", 0, "intent"],
    ["send:1:after", 1, "intent"],
    ["write:2:partial", 1, "intent"],
    ["write:2:after", 1, "open"],
    ["sync:3:after", 1, "open"],
    // The lock is given up before the request is sent, the mark of what is being sent after the answer is recorded.
    ["remove:1:before", 0, "intent"],
    ["remove:2:before", 1, "open"],
  ];

  it("recovers from kill -9 at each point of a submission", async () => {
    for (const pair of [0, 2, 4, 6, 8, 10].map((index) => kills.slice(index, index + 2))) {
      await Promise.all(
        pair.map(async ([killAt, arrived, state]) => {
          await checkKill(killAt, arrived, state);
        }),
      );
    }
  });

  async function checkKill(killAt: string, arrived: number, state: RecordState | undefined): Promise<void> {
    const { path, sent } = freshPlace();
    const ended = await run({ path, killAt, submit: { blocks: [1], sent } });
    expect(ended.signal, `${killAt} ${ended.stderr}`).to.equal("SIGKILL");
    expect(linesOf(sent).length, killAt).to.equal(arrived);
    const journal = journalAt(path);
    const record = [...(await journal.records()).records.values()][0];
    expect(record?.state, killAt).to.equal(state);

    const service = new TestService();
    const processor = new JournaledDataProcessor({
      ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
      endpoint: new URL("https://hdp.example.org"),
    });
    if (state === undefined) {
      expect((await processor.submit(requestOf(1))).id).to.equal("task-1");
    } else if (state === "open") {
      expect((await processor.submit(requestOf(1))).id, killAt).to.equal("task-1");
      expect(service.arrivals, killAt).to.deep.equal([]);
    } else {
      const error = await errorOf(async () => await processor.submit(requestOf(1)));
      expect(error.code, killAt).to.equal("HDP-5005");
      await recordAccepted(journal, hashOf(1), "seen-at-the-service");
      expect((await processor.submit(requestOf(1))).id, killAt).to.equal("seen-at-the-service");
      expect(service.arrivals, killAt).to.deep.equal([]);
    }
    expect(existsSync(`${path}.lock`), killAt).to.equal(false);
    const { damage } = await journal.records();
    expect(damage.length, killAt).to.equal(killAt.endsWith("partial") ? 1 : 0);
  }
});

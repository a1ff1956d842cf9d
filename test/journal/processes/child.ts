/**
 * A process of its own for the tests of several processes. Arguments: a job as JSON. Prints what it did as JSON.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { z } from "zod";

import { type AppendHandle, type DurableFs, nodeFs } from "../../../src/base/durable-fs.js";
import { Journal } from "../../../src/journal/journal.js";
import { JournaledDataProcessor } from "../../../src/journal/journaled-data-processor.js";
import { nodeProcessTable } from "../../../src/base/process-table.js";
import type { DataProcessor } from "../../../src/request/lifecycle.js";
import { requestOf, taskHash } from "../support/fixtures.js";

const jobSchema = z.object({
  path: z.string(),
  /** Append this many entries of the submission `id`. */
  append: z.object({ id: z.string(), count: z.number() }).optional(),
  /** Submit each of these tasks, one request a task; each arrival is a line in `sent`. */
  submit: z.object({ blocks: z.array(z.number()), sent: z.string() }).optional(),
  /** Look at the journal this often, keeping an index beside it however short it is. */
  look: z.number().optional(),
  /** Kill this process (SIGKILL) at a point such as `write:2:partial`. */
  killAt: z.string().optional(),
});
export type ChildJob = z.input<typeof jobSchema>;

const job = jobSchema.parse(JSON.parse(process.argv[2] ?? ""));
const occurrences = new Map<string, number>();

function point(name: string): void {
  if (name === job.killAt) process.kill(process.pid, "SIGKILL");
}

async function step<T>(name: string, action: () => Promise<T>): Promise<T> {
  const occurrence = (occurrences.get(name) ?? 0) + 1;
  occurrences.set(name, occurrence);
  point(`${name}:${occurrence}:before`);
  const value = await action();
  point(`${name}:${occurrence}:after`);
  return value;
}

async function tornWrite(handle: AppendHandle, bytes: Uint8Array): Promise<number> {
  if (job.killAt === `write:${occurrences.get("write") ?? 0}:partial`) {
    await handle.write(bytes.subarray(0, bytes.length / 2));
    process.kill(process.pid, "SIGKILL");
  }
  return await handle.write(bytes);
}

const mortalFs: DurableFs = {
  ...nodeFs,
  remove: async (path) => {
    await step("remove", async () => {
      await nodeFs.remove(path);
    });
  },
  replace: async (path, by) => {
    await step("replace", async () => {
      await nodeFs.replace(path, by);
    });
  },
  openAppend: async (path, mode) => {
    const handle = await nodeFs.openAppend(path, mode);
    return {
      ...handle,
      write: async (bytes) => await step("write", async () => await tornWrite(handle, bytes)),
      sync: async () => {
        await step("sync", async () => {
          await handle.sync();
        });
      },
    };
  },
};

const journal = new Journal({
  path: job.path,
  fs: mortalFs,
  now: () => Date.now(),
  newId: () => randomUUID(),
  ...(job.look === undefined ? {} : { indexedFrom: 1 }),
  lock: {
    processes: nodeProcessTable(),
    patience: 30_000,
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal });
    },
  },
});

function serviceWriting(sent: string): DataProcessor {
  return {
    name: "tasks",
    submit: async (request) => {
      const hashes = request.tasks.map(taskHash);
      return await step("send", async () => {
        appendFileSync(sent, `${hashes.join(" ")}\n`);
        // Long enough for another process to arrive meanwhile.
        await sleep(20);
        const id = `task-${readFileSync(sent, "utf8").split("\n").length - 1}`;
        return { id, processor: "tasks", destinationChainId: request.destinationChainId, taskHashes: hashes };
      });
    },
    status: async () => await Promise.resolve({ name: "RECEIVED", phase: "pending" }),
  };
}

const ids: string[] = [];
if (job.append !== undefined) {
  for (let count = 0; count < job.append.count; count += 1) {
    // Lines of very different lengths, some beyond a page.
    const detail = "x".repeat((count * 1237) % 9000);
    await journal.append({ event: "status", id: job.append.id, name: `S${count}`, phase: "pending", detail });
  }
}
for (let looks = job.look ?? 0; looks > 0; looks -= 1) {
  const look = await journal.look();
  // The last line may be seen while another process is writing it.
  ids.push(`${look.size} ${look.damage.filter(({ kind }) => kind !== "torn").length}`);
}
if (job.submit !== undefined) {
  const processor = new JournaledDataProcessor({
    processor: serviceWriting(job.submit.sent),
    ...{ journal, taskHash, network: "sepolia", endpoint: new URL("https://hdp.example.org") },
    outcomeOf: () => "unknown",
  });
  for (const block of job.submit.blocks) ids.push((await processor.submit(requestOf(block))).id);
}
process.stdout.write(JSON.stringify(ids));

import type { Hex } from "viem";

import { Journal } from "../../../src/journal/journal.js";
import type { DurableFs } from "../../../src/base/durable-fs.js";
import {
  encodeEntry,
  type JournalEntry,
  type NewEntry,
  type SubmissionTarget,
} from "../../../src/journal/journal-entry.js";
import type { ProcessTable } from "../../../src/base/process-table.js";
import { type HdpError, isHdpError } from "../../../src/errors/hdp-error.js";
import type { Task, TaskRequest } from "../../../src/request/task.js";
import { MemoryDisk } from "../../support/memory-disk.js";

export const PATH = "/project/hdp/journal.jsonl";
export const STORE = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

/** A task told from others by its first block. */
export function taskOf(block: number): Task {
  return {
    type: "DatalakeCompute",
    datalake: {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: BigInt(block),
      blockRangeEnd: BigInt(block) + 10n,
      increment: 1n,
      sampledProperty: { kind: "header", field: "base_fee_per_gas" },
    },
    compute: { aggregateFnId: "avg" },
  };
}

export const hashOf = (block: number): Hex => `0x${block.toString(16).padStart(64, "0")}`;

/** Stands in for the task hash: the journal only needs that equal tasks have equal hashes. */
export function taskHash(task: Task): Hex {
  if (task.type === "Module") return task.programHash;
  const { datalake } = task;
  return hashOf(Number(datalake.type === "BlockSampled" ? datalake.blockRangeStart : datalake.targetBlock));
}

export function requestOf(...blocks: number[]): TaskRequest {
  return { destinationChainId: "ETHEREUM_SEPOLIA", tasks: blocks.map(taskOf) };
}

export const TARGET: SubmissionTarget = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  processor: "tasks",
  network: "sepolia",
  endpointHost: "hdp.example.org",
};

export interface TestJournalOptions {
  readonly fs: DurableFs;
  readonly path?: string;
  readonly processes?: ProcessTable;
  readonly patience?: number;
  readonly indexedFrom?: number;
}

let ids = 0;

/** A journal whose clock advances by a second a look, and by what is slept. */
export function journalOn({ fs, path = PATH, processes, patience = 1000, indexedFrom }: TestJournalOptions): Journal {
  let time = Date.parse("2026-01-01T00:00:00.000Z") - 1000;
  return new Journal({
    ...{ path, fs, indexedFrom },
    now: () => (time += 1000),
    newId: () => `id-${(ids += 1)}`,
    lock: {
      processes: processes ?? { self: { pid: 1, host: "here" }, mayBeAlive: () => true },
      sleep: async (milliseconds) => {
        time += milliseconds;
        await Promise.resolve();
      },
      patience,
    },
  });
}

/** A disk whose journal has these entries, each in a line of its own. */
export function diskOf(...entries: readonly (NewEntry | JournalEntry)[]): MemoryDisk {
  const disk = new MemoryDisk();
  const at = new Date("2026-01-01T00:00:00.000Z");
  const bytes = Buffer.from(entries.map((entry) => `${encodeEntry(entry, at)}\n`).join(""));
  disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
  return disk;
}

/** The HdpError that an action ends with. */
export async function errorOf(action: () => unknown): Promise<HdpError> {
  try {
    await action();
  } catch (error) {
    if (isHdpError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

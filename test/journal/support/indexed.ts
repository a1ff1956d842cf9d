import { expect } from "chai";

import type { DurableFs } from "../../../src/base/durable-fs.js";
import type { NewEntry } from "../../../src/journal/journal-entry.js";
import type { Journal } from "../../../src/journal/journal.js";
import { type MemoryDisk, memoryFs } from "../../support/memory-disk.js";
import { diskOf, hashOf, journalOn, PATH, TARGET } from "./fixtures.js";

export const INDEX = `${PATH}.index`;
export const AT = new Date("2026-01-01T00:00:00.000Z");
export const accepted = (block: number): NewEntry => ({
  ...{ event: "accepted", id: `id-${block}`, ...TARGET, taskHashes: [hashOf(block)] },
  ...{ serviceId: `service-${block}`, serviceProcessor: "tasks" },
});
const END: NewEntry = { event: "lost", id: "id-2", reason: "given up" };
export const ENTRIES: readonly NewEntry[] = [
  accepted(1),
  accepted(2),
  { event: "call", id: "k", kind: "program", network: "n", content: hashOf(4) },
  END,
];

export function put(disk: MemoryDisk, path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  disk.files.set(path, { bytes, synced: bytes.length, nameSynced: true });
}

export const bytesOf = (disk: MemoryDisk, path: string): Buffer => Buffer.from(disk.files.get(path)?.bytes ?? "");
export const indexing = (fs: DurableFs): Journal => journalOn({ fs, indexedFrom: 1 });

/** What a new process knows of a journal. */
export async function toldBy(journal: Journal): Promise<unknown> {
  const look = await journal.look();
  const records = await look.withTasks([1, 2, 3, 4].map(hashOf));
  return {
    ...{ size: look.size, calls: [...(await look.calls()).keys()], damage: look.damage },
    records: records.map(({ id, state, serviceId }) => [id, state, serviceId]),
  };
}

/** A disk with a journal and the index that a look left. */
export async function indexed(...more: NewEntry[]): Promise<MemoryDisk> {
  const disk = diskOf(...ENTRIES, ...more);
  await indexing(memoryFs(disk)).look();
  expect(disk.files.has(INDEX)).to.equal(true);
  return disk;
}

/** A file system that tells from where on lines of the journal were read one after the other. */
export function watched(disk: MemoryDisk): { readonly fs: DurableFs; readonly from: number[] } {
  const fs = memoryFs(disk);
  const from: number[] = [];
  const openRead: DurableFs["openRead"] = async (path) => {
    const file = await fs.openRead(path);
    if (file === undefined || path !== PATH) return file;
    const readAt: typeof file.readAt = async (position, length, into) => {
      if (into === undefined && length >= 64 * 1024) from.push(position);
      return await file.readAt(position, length);
    };
    return { ...file, readAt };
  };
  return { fs: { ...fs, openRead }, from };
}

import type { DurableFs } from "../../../src/base/durable-fs.js";
import type { Journal } from "../../../src/journal/journal.js";
import { JournaledDataProcessor, type JournaledOptions } from "../../../src/journal/journaled-data-processor.js";
import type { JournalRecord } from "../../../src/journal/journal-record.js";
import type { TaskResult } from "../../../src/request/lifecycle.js";
import { hashOf, journalOn, STORE, taskHash } from "./fixtures.js";
import { MemoryDisk, memoryFs } from "../../support/memory-disk.js";
import { outcomeOf, TestService } from "./test-service.js";

export interface Setup {
  readonly disk: MemoryDisk;
  readonly journal: Journal;
  readonly service: TestService;
  readonly processor: JournaledDataProcessor;
  readonly records: () => Promise<JournalRecord[]>;
}

/** A journalled test service on a disk in memory. */
export function setUp(
  options: Partial<JournaledOptions> = {},
  change: (fs: DurableFs) => DurableFs = (fs) => fs,
): Setup {
  const disk = new MemoryDisk();
  const journal = journalOn({ fs: change(memoryFs(disk)) });
  const service = new TestService();
  const processor = new JournaledDataProcessor({
    ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
    endpoint: new URL("https://user:pw@hdp.example.org/v1?apiKey=s3cret"),
    ...options,
  });
  return { disk, journal, service, processor, records: async () => [...(await journal.records()).records.values()] };
}

export const resultOf = (block: number, value = 7): TaskResult => ({
  ...{ taskHash: hashOf(block), word: hashOf(value), value: BigInt(value), store: STORE },
});

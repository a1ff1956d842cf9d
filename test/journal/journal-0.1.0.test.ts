import { readFileSync } from "node:fs";

import { expect } from "chai";

import { memoryFs } from "../support/memory-disk.js";
import { errorOf, hashOf, PATH, requestOf } from "./support/fixtures.js";
import { setUp, type Setup } from "./support/setup.js";

/**
 * Written by version 0.1.0: a datalake task and a module finalized with results, one task failed, one refused, one of
 * unknown outcome, one open, one given up.
 */
const TEXT = readFileSync(new URL("journal-0.1.0.jsonl", import.meta.url), "utf8");

function setUpOn(text: string): Setup {
  const setup = setUp();
  const bytes = Buffer.from(text);
  setup.disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
  return setup;
}

describe("journal: files of version 0.1.0", () => {
  it("are read whole", async () => {
    const { journal } = setUpOn(TEXT);
    const { records, damage } = await journal.records();
    expect(damage).to.deep.equal([]);
    expect([...records.values()].map(({ state, serviceId, reason }) => [state, serviceId, reason])).to.deep.equal([
      ["finalized", "01JPJ-1", undefined],
      ["failed", "01JPJ-2", undefined],
      ["refused", undefined, "RangeError"],
      ["unknown", undefined, "Error"],
      ["open", "01JPJ-5", undefined],
      ["lost", "01JPJ-6", "given up by the user"],
    ]);
    const [first] = records.values();
    expect(first?.states).to.deep.equal([
      { name: "RECEIVED", phase: "pending", at: first?.states[0]?.at, detail: undefined },
      { name: "DONE", phase: "finalized", at: first?.states[1]?.at, detail: "all of it" },
    ]);
    expect(first?.request?.tasks[1]).to.deep.equal({
      ...{ type: "Module", programHash: "0x1f" },
      inputs: [{ visibility: "public", value: "0x2" }, { visibility: "private" }],
    });
    expect([...(first?.results.values() ?? [])].map(({ word, blockNumber }) => [word, blockNumber])).to.deep.equal([
      [hashOf(7), 66n],
      [hashOf(7), 66n],
    ]);
  });

  it("keep tasks from being sent twice", async () => {
    const { processor, service } = setUpOn(TEXT);
    expect((await processor.submit(requestOf(1))).id).to.equal("finalized");
    expect((await processor.submit(requestOf(5))).id).to.equal("01JPJ-5");
    expect((await errorOf(async () => await processor.submit(requestOf(4)))).code).to.equal("HDP-5005");
    expect(service.arrivals).to.deep.equal([]);
    for (const block of [2, 3, 6]) await processor.submit(requestOf(block));
    expect(service.arrivals.length).to.equal(3);
  });

  it("may hold the line of a process that ended, on a line of its own", async () => {
    const [first = "", ...others] = TEXT.split("\n");
    const { processor, journal, disk } = setUpOn([first, first.slice(0, 100), ...others].join("\n"));
    expect((await processor.submit(requestOf(5))).id).to.equal("01JPJ-5");
    expect((await journal.records()).damage).to.deep.equal([{ line: 2, kind: "torn", reason: "not a JSON document" }]);
    await memoryFs(disk).remove(PATH);
  });
});

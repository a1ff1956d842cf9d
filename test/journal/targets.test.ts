import { expect } from "chai";

import { errorOf, hashOf, journalOn, PATH, requestOf, taskHash } from "./support/fixtures.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { resultOf, setUp } from "./support/setup.js";
import { outcomeOf, TestService } from "./support/test-service.js";

describe("journal: what is the same submission", () => {
  it("tells services on one host apart by their path, without writing it down", async () => {
    const disk = new MemoryDisk();
    const journal = journalOn({ fs: memoryFs(disk) });
    const service = new TestService();
    const at = (endpoint: string): JournaledDataProcessor =>
      new JournaledDataProcessor({
        ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia", endpoint: new URL(endpoint) },
      });
    expect((await at("https://h.example/staging").submit(requestOf(1))).id).to.equal("task-1");
    expect((await at("https://h.example/prod-s3cret").submit(requestOf(1))).id).to.equal("task-2");
    expect((await at("https://h.example/staging/?apiKey=k1").submit(requestOf(1))).id).to.equal("task-1");
    expect((await at("http://h.example/staging").submit(requestOf(1))).id).to.equal("task-3");
    expect(disk.text(PATH)).to.not.match(/staging|prod|s3cret|k1/);
  });

  it("knows a submission of 0.1.0 by its host", async () => {
    const setup = setUp();
    await setup.processor.submit(requestOf(1));
    const old = setup.disk.text(PATH).replaceAll(/"endpointId":"[^"]*",|,"sum":"[^"]*"/g, "");
    expect(old).to.not.match(/endpointId|sum/);
    const bytes = Buffer.from(old);
    setup.disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
    expect((await setup.processor.submit(requestOf(1))).id).to.equal("task-1");
    expect(setup.service.arrivals.length).to.equal(1);
  });

  for (const id of ["a,b", "finalized", "a%2Cb", ",", "task-1,task-2"]) {
    it(`takes "${id}" for the id that a service gave`, async () => {
      const { service, processor } = setUp();
      service.nextIds.push(id);
      const submission = await processor.submit(requestOf(1));
      expect(submission.id).to.equal(id);
      await processor.status(submission);
      expect(service.asked).to.deep.equal([id]);
      service.states.set(id, { name: "DONE", phase: "finalized" });
      expect(await processor.status(submission)).to.deep.equal({ name: "DONE", phase: "finalized" });
      const joined = await processor.submit(requestOf(2, 1));
      expect(joined.taskHashes).to.deep.equal([hashOf(2), hashOf(1)]);
      service.states.set(id, { name: "ERROR", phase: "failed" });
      await processor.status(joined);
      expect(service.asked.slice(2)).to.deep.equal(["task-2", id]);
    });
  }
});

describe("journal: a disk that is full while waiting", () => {
  it("keeps nobody from seeing states and results, and does not speak of sending", async () => {
    const told: unknown[] = [];
    let full = false;
    const { service, processor, records } = setUp({ onUnwritten: (error) => told.push(error) }, (fs) => ({
      ...fs,
      openAppend: async (path, mode) => {
        if (full) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
        return await fs.openAppend(path, mode);
      },
    }));
    const submission = await processor.submit(requestOf(1));
    full = true;
    expect(await processor.status(submission)).to.deep.equal({ name: "RECEIVED", phase: "pending" });
    await processor.recordResults([{ submission, result: resultOf(1) }]);
    expect(told.length).to.equal(2);
    for (const error of told) {
      expect(String(error))
        .to.contain("HDP-5001")
        .and.contain("(ENOSPC)")
        .and.not.match(/nothing (is|was) sent/i);
      expect(String(error)).to.contain("is seen again at the next look");
    }
    const error = await errorOf(async () => await processor.submit(requestOf(2)));
    expect(error.message).to.contain("Nothing is sent without it");
    full = false;
    service.states.set("task-1", { name: "RECEIVED", phase: "pending" });
    await processor.status(submission);
    await processor.recordResults([{ submission, result: resultOf(1) }]);
    expect((await records())[0]?.states.map(({ name }) => name)).to.deep.equal(["RECEIVED"]);
    expect((await records())[0]?.state).to.equal("finalized");
  });
});

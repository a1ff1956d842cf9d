import { expect } from "chai";

import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { markLost, recordAccepted } from "../../src/journal/settle-by-hand.js";
import type { SubmitPlan, TaskStatus } from "../../src/request/lifecycle.js";
import { errorOf, hashOf, PATH, requestOf, taskHash } from "./support/fixtures.js";
import { resultOf, setUp } from "./support/setup.js";
import { outcomeOf, Refusal } from "./support/test-service.js";

describe("journal: submitting", () => {
  it("records intent and acceptance without secrets", async () => {
    const { disk, processor, records } = setUp();
    expect(await processor.submit(requestOf(1, 2))).to.deep.equal({
      ...{ id: "task-1", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA" },
      taskHashes: [hashOf(1), hashOf(2)],
    });
    const [record] = await records();
    expect(record?.state).to.equal("open");
    expect(record?.endpointHost).to.equal("hdp.example.org");
    expect(record?.request).to.deep.equal(requestOf(1, 2));
    expect(disk.text(PATH)).to.not.match(/s3cret|pw@|user/);
  });

  it("returns an open submission instead of sending again", async () => {
    const { service, processor } = setUp();
    const first = await processor.submit(requestOf(1));
    expect(await processor.submit(requestOf(1))).to.deep.equal(first);
    expect(service.arrivals.length).to.equal(1);
  });

  it("sends again by force, and says so in the record", async () => {
    const { service, processor, records } = setUp();
    await processor.submit(requestOf(1));
    expect((await processor.submit(requestOf(1), { force: true })).id).to.equal("task-2");
    // The journal's own id names each sending to the service.
    expect(service.keys).to.deep.equal((await records()).map(({ id }) => id));
    expect(service.arrivals.length).to.equal(2);
    expect((await records()).map((record) => record.forced)).to.deep.equal([false, true]);
  });

  it("sends only what a batch is missing, and answers for all of it in order", async () => {
    const { service, processor } = setUp({
      finalizedInStore: async (hashes) =>
        await Promise.resolve(new Map(hashes.filter((h) => h === hashOf(9)).map((h) => [h, resultOf(9)]))),
    });
    await processor.submit(requestOf(1));
    const plans: SubmitPlan[] = [];
    const submission = await processor.submit(requestOf(9, 1, 3, 3), { onPlan: (plan) => plans.push(plan) });
    expect(submission.id).to.equal("task-2,task-1");
    expect(submission.taskHashes).to.deep.equal([9, 1, 3, 3].map(hashOf));
    expect(service.arrivals[1]?.hashes).to.deep.equal([hashOf(3)]);
    expect(plans[0]?.sentences[0]).to.equal("1 of 3 tasks to send.");
    service.states.set("task-2", { name: "DONE", phase: "finalized" });
    expect(await processor.status(submission)).to.deep.equal({
      ...{ name: "RECEIVED", phase: "pending", detail: "1 of 2 submissions finalized" },
    });
    service.states.set("task-1", { name: "PROVING", phase: "pending", detail: "40 %" });
    expect((await processor.status(submission)).detail).to.equal("40 % (1 of 2 submissions finalized)");
    service.states.set("task-1", { name: "ERROR", phase: "failed", detail: "no" });
    expect(await processor.status(submission)).to.deep.equal({ name: "ERROR", phase: "failed", detail: "no" });
    service.states.set("task-1", { name: "DONE", phase: "finalized" });
    expect(await processor.status(submission)).to.deep.equal({ name: "DONE", phase: "finalized" });
  });

  it("asks nobody when everything is finalized", async () => {
    const { service, processor } = setUp({
      finalizedInStore: async () => await Promise.resolve(new Map([[hashOf(1), resultOf(1)]])),
    });
    const submission = await processor.submit(requestOf(1));
    expect(submission).to.deep.equal({
      ...{ id: "finalized", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [hashOf(1)] },
    });
    expect(await processor.status(submission)).to.deep.equal({ name: "finalized", phase: "finalized" });
    expect(service.arrivals).to.deep.equal([]);
    expect(service.asked).to.deep.equal([]);
  });

  it("keeps the service's own hashes in their places", async () => {
    const { service, processor } = setUp();
    service.serviceTaskHashes = [hashOf(101)];
    await processor.submit(requestOf(1));
    service.serviceTaskHashes = undefined;
    const submission = await processor.submit(requestOf(2, 1));
    expect(submission.serviceTaskHashes).to.deep.equal([hashOf(2), hashOf(101)]);
  });

  it("passes a refusal on and sends the task again afterwards", async () => {
    const { service, processor, records } = setUp();
    service.answer = "refuse";
    const refusal = await processor.submit(requestOf(1)).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Refusal);
    service.answer = "accept";
    expect((await processor.submit(requestOf(1))).id).to.equal("task-2");
    expect((await records()).map((record) => record.state)).to.deep.equal(["refused", "open"]);
  });

  it("stops at an unknown outcome until it is settled", async () => {
    const { disk, journal, service, processor, records } = setUp();
    service.answer = "cut-after";
    const cut = await errorOf(async () => await processor.submit(requestOf(1)));
    expect(cut.code).to.equal("HDP-5008");
    expect(cut.cause).to.be.instanceOf(Error);
    expect(cut.message + disk.text(PATH)).to.not.contain("s3cret");
    service.answer = "accept";
    const again = await errorOf(async () => await processor.submit(requestOf(1, 2)));
    expect(again.code).to.equal("HDP-5005");
    expect(again.hints[0]).to.equal(`Task ${hashOf(1)}`);
    expect(again.message).to.match(/hdp:result[^]*--accepted[^]*--lost[^]*--force/);
    expect(service.arrivals.length).to.equal(1);

    expect((await recordAccepted(journal, hashOf(1), "task-1")).state).to.equal("open");
    expect((await processor.submit(requestOf(1, 2))).id).to.equal("task-2,task-1");
    expect((await records()).map((record) => record.state)).to.deep.equal(["open", "open"]);
  });

  it("counts several tasks of unknown outcome", async () => {
    const { service, processor } = setUp();
    service.answer = "cut-before";
    await errorOf(async () => await processor.submit(requestOf(1, 2)));
    const error = await errorOf(async () => await processor.submit(requestOf(2, 1)));
    expect(error.message).to.contain("whether 2 tasks of this request, sent before, was accepted");
    expect(error.hints.filter((hint) => hint.startsWith("Submission")).length).to.equal(1);
  });

  it("sends a lost task again, and settles only what is unsettled", async () => {
    const { journal, service, processor } = setUp();
    await processor.submit(requestOf(1));
    expect((await markLost(journal, "task-1", "gone")).reason).to.equal("gone");
    expect((await processor.submit(requestOf(1))).id).to.equal("task-2");
    service.states.set("task-2", { name: "DONE", phase: "finalized" });
    await processor.status({ ...(await processor.submit(requestOf(1))) });
    const lost = await errorOf(async () => await markLost(journal, "task-2"));
    expect(lost.code).to.equal("HDP-5011");
    expect(lost.message).to.contain("is finalized and cannot be marked as lost.");
    const accepted = await errorOf(async () => await recordAccepted(journal, "task-2", "x"));
    expect(accepted.message).to.contain("is finalized and cannot be recorded as accepted.");
    expect((await errorOf(async () => await markLost(journal, "nobody"))).code).to.equal("HDP-5010");
  });

  it("sends nothing when aborted before, and leaves no intent", async () => {
    const { disk, service, processor } = setUp();
    const signal = AbortSignal.abort(new RangeError("enough"));
    const error = await processor.submit(requestOf(1), { signal }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(service.arrivals).to.deep.equal([]);
    expect(disk.text(PATH)).to.equal("");
  });

  it("sends nothing when a newer version wrote the journal", async () => {
    const { disk, service, processor } = setUp();
    disk.files.set(PATH, { bytes: Buffer.from('{"v":2}\n'), synced: 8, nameSynced: true });
    const error = await errorOf(async () => await processor.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5006");
    expect(error.path).to.equal(`${PATH}:1`);
    expect(service.arrivals).to.deep.equal([]);
  });
});

describe("journal: watching", () => {
  it("writes each state once, failures with their words", async () => {
    const { service, processor, records } = setUp({ redact: (text) => text.replaceAll("k1", "***") });
    const submission = await processor.submit(requestOf(1));
    const states: TaskStatus[] = [
      { name: "RECEIVED", phase: "pending" },
      { name: "RECEIVED", phase: "pending", detail: "still" },
      { name: "PROVING", phase: "pending", detail: "key k1" },
      { name: "ERROR", phase: "failed", detail: "at https://h/p?apiKey=k2" },
    ];
    for (const state of states) {
      service.states.set("task-1", state);
      expect(await processor.status(submission)).to.deep.equal(state);
    }
    const [record] = await records();
    expect(record?.state).to.equal("failed");
    expect(record?.states.map(({ name, phase, detail }) => [name, phase, detail])).to.deep.equal([
      ["RECEIVED", "pending", undefined],
      ["PROVING", "pending", "key ***"],
      ["ERROR", "failed", "at https://h/p?***"],
    ]);
  });

  it("goes on from another process without repeating a state", async () => {
    const { journal, service, processor, records } = setUp();
    await processor.status(await processor.submit(requestOf(1)));
    const other = new JournaledDataProcessor({
      ...{ processor: service, journal, taskHash, outcomeOf, network: "sepolia" },
    });
    await other.status(await other.submit(requestOf(2)));
    await other.status({
      ...{ id: "task-1", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [] },
    });
    expect((await records()).map((record) => record.states.length)).to.deep.equal([1, 1]);
    expect((await records())[1]?.endpointHost).to.equal(undefined);
  });

  it("asks for a submission that it does not know, and writes nothing", async () => {
    const { disk, processor } = setUp();
    const foreign = { processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [] } as const;
    expect(await processor.status({ id: "elsewhere", ...foreign })).to.deep.equal({
      ...{ name: "UNHEARD_OF", phase: "pending" },
    });
    expect(disk.text(PATH)).to.equal("");
  });

  it("writes each result once and is finalized when all are there", async () => {
    const { processor, records } = setUp();
    const submission = await processor.submit(requestOf(1, 2));
    await processor.recordResult(submission, resultOf(1));
    await processor.recordResult(submission, resultOf(1));
    await processor.recordResult(submission, resultOf(3));
    expect((await records())[0]?.state).to.equal("open");
    await processor.recordResult(submission, { ...resultOf(2), transactionHash: hashOf(5), blockNumber: 66n });
    const [record] = await records();
    expect(record?.state).to.equal("finalized");
    expect(
      [...(record?.results.values() ?? [])].map(({ taskHash: hash, blockNumber }) => [hash, blockNumber]),
    ).to.deep.equal([
      [hashOf(1), undefined],
      [hashOf(2), 66n],
    ]);
    // Another word for the same task is news: both are kept in the file, the newest in the record.
    await processor.recordResult(submission, resultOf(1, 8));
    expect((await records())[0]?.results.get(hashOf(1))?.word).to.equal(hashOf(8));
    expect((await processor.submit(requestOf(1, 2))).id).to.equal("finalized");
  });
});

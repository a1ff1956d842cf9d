import { expect } from "chai";

import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { markLost, recordAccepted } from "../../src/journal/settle-by-hand.js";
import type { SubmitPlan, TaskStatus } from "../../src/request/lifecycle.js";
import { rejection } from "../support/failure.js";
import { memoryFs } from "../support/memory-disk.js";
import { errorOf, hashOf, journalOn, PATH, requestOf, taskHash } from "./support/fixtures.js";
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

  it("asks store and service with what they need, and for each part of a submission by itself", async () => {
    const signals: unknown[] = [];
    const { service, processor } = setUp({
      finalizedInStore: async (_hashes, options) => {
        signals.push(options.signal);
        return await Promise.resolve(new Map());
      },
    });
    const { signal } = new AbortController();
    await processor.submit(requestOf(1), { signal });
    expect(signals).to.deep.equal([signal]);
    service.serviceTaskHashes = [hashOf(102)];
    const joined = await processor.submit(requestOf(1, 2));
    const asked: unknown[] = [];
    const status = service.status.bind(service);
    service.status = async (submission) => {
      asked.push(submission);
      return await status(submission);
    };
    await processor.status(joined);
    const common = { processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA" };
    expect(asked).to.deep.equal([
      { ...common, id: "task-2", taskHashes: [hashOf(2)], serviceTaskHashes: [hashOf(102)] },
      { ...common, id: "task-1", taskHashes: [hashOf(1)] },
    ]);
  });

  it("writes a state down once, though another process saw an older one meanwhile", async () => {
    const { disk, service, processor, records } = setUp();
    const other = new JournaledDataProcessor({
      ...{ processor: service, journal: journalOn({ fs: memoryFs(disk) }), taskHash, outcomeOf, network: "sepolia" },
      endpoint: new URL("https://hdp.example.org/v1"),
    });
    const submission = await processor.submit(requestOf(1));
    for (const [name, who] of [["NEW", processor], ["OLD", other], ["NEW", processor], ["NEW", processor], ["OLD", other], ["NEWER", processor]] as const) {
      service.states.set("task-1", { name, phase: "pending" });
      await who.status(submission);
    } // prettier-ignore
    expect((await records())[0]?.states.map(({ name }) => name)).to.deep.equal(["NEW", "OLD", "NEWER"]);
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
    const [sent] = await records();
    expect([cut.shortMessage, cut.hints]).to.deep.equal([
      `it is not known whether the data processor accepted submission ${sent?.id} (Error).`,
      [
        "It is not sent again by itself, because it might then run twice.",
        `What can be done: npx hardhat hdp resume ${sent?.id} --network sepolia`,
      ],
    ]);
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
    await processor.recordResults([{ submission, result: resultOf(1) }]);
    await processor.recordResults([{ submission, result: resultOf(1) }]);
    await processor.recordResults([{ submission, result: resultOf(3) }]);
    expect((await records())[0]?.state).to.equal("open");
    await processor.recordResults([
      { submission, result: { ...resultOf(2), transactionHash: hashOf(5), blockNumber: 66n } },
    ]);
    const [record] = await records();
    expect(record?.state).to.equal("finalized");
    expect(
      [...(record?.results.values() ?? [])].map(({ taskHash: hash, blockNumber }) => [hash, blockNumber]),
    ).to.deep.equal([
      [hashOf(1), undefined],
      [hashOf(2), 66n],
    ]);
    // Another word for the same task is news: both are kept in the file, the newest in the record.
    await processor.recordResults([{ submission, result: resultOf(1, 8) }]);
    expect((await records())[0]?.results.get(hashOf(1))?.word).to.equal(hashOf(8));
    expect((await processor.submit(requestOf(1, 2))).id).to.equal("finalized");
  });
});

describe("journal: what is written and what is asked", () => {
  it("asks no store where everything is sent by force", async () => {
    let asked = 0;
    const { processor } = setUp({
      finalizedInStore: async () => {
        asked += 1;
        return await Promise.resolve(new Map());
      },
    });
    await processor.submit(requestOf(1), { force: true });
    expect(asked).to.equal(0);
    await processor.submit(requestOf(2));
    expect(asked).to.equal(1);
  });

  it("believes the store, where it was asked, before the journal", async () => {
    const asked = async () => await Promise.resolve(new Map());
    for (const [finalizedInStore, arrivals] of [[asked, 2], [undefined, 1]] as const) {
      const { processor, service } = setUp({ finalizedInStore, chain: { startsAnew: true } });
      const first = await processor.submit(requestOf(1));
      await processor.recordResults([{ submission: first, result: resultOf(1) }]);
      await processor.submit(requestOf(1));
      expect(service.arrivals.length).to.equal(arrivals);
    } // prettier-ignore
  });

  it("tells of a plan only where something is not sent", async () => {
    const { processor } = setUp();
    const plans: SubmitPlan[] = [];
    const onPlan = (plan: SubmitPlan) => plans.push(plan);
    await processor.submit(requestOf(1, 2), { onPlan });
    expect(plans).to.deep.equal([]);
    await processor.submit(requestOf(2, 3), { onPlan });
    expect(plans.map(({ send, reuse }) => ({ send, reuse }))).to.deep.equal([
      { send: [hashOf(3)], reuse: [hashOf(2)] },
    ]);
  });

  it("says that nothing was sent where the sending cannot begin", async () => {
    const { journal, processor, service, records } = setUp();
    journal.beginSending = () => Promise.reject(new Error("no more files"));
    expect(String(await rejection(processor.submit(requestOf(1))))).to.equal("Error: no more files");
    expect((await records()).map(({ state, reason }) => [state, reason])).to.deep.equal([
      ["refused", "nothing was sent"],
    ]);
    expect(service.arrivals).to.deep.equal([]);
    Reflect.deleteProperty(journal, "beginSending");
    await processor.submit(requestOf(1));
    expect(service.arrivals.length).to.equal(1);
  });

  it("writes a state down when its name or its phase is new, and a result when its word is", async () => {
    const { processor, service, records } = setUp();
    const submission = await processor.submit(requestOf(1, 2));
    for (const phase of ["pending", "pending", "finalized", "finalized"] as const) {
      service.states.set("task-1", { name: "DONE", phase });
      await processor.status(submission);
    }
    expect((await records())[0]?.states.map(({ name, phase }) => [name, phase])).to.deep.equal([
      ["DONE", "pending"],
      ["DONE", "finalized"],
    ]);
    const before = (await records())[0]?.lastAt;
    await processor.recordResults([{ submission, result: resultOf(9) }]);
    expect((await records())[0]?.lastAt).to.equal(before);
    await processor.recordResults([{ submission, result: resultOf(1) }]);
    const once = (await records())[0]?.lastAt;
    expect(once).to.not.equal(before);
    await processor.recordResults([{ submission, result: resultOf(1) }]);
    expect((await records())[0]?.lastAt).to.equal(once);
    await processor.recordResults([{ submission, result: resultOf(1, 8) }]);
    expect((await records())[0]?.results.get(hashOf(1))?.word).to.equal(hashOf(8));
  });

  it("tells of what it could not write, if anybody listens, and writes it when it is seen again", async () => {
    for (const listens of [true, false]) {
      const unwritten: unknown[] = [];
      const { journal, processor, service, records } = setUp(
        listens ? { onUnwritten: (error) => unwritten.push(error) } : {},
      );
      const submission = await processor.submit(requestOf(1));
      service.states.set("task-1", { name: "PROVING", phase: "pending" });
      const full = new Error("no space left");
      journal.append = () => Promise.reject(full);
      expect((await processor.status(submission)).name).to.equal("PROVING");
      await processor.recordResults([{ submission, result: resultOf(1) }]);
      expect(unwritten).to.deep.equal(listens ? [full, full] : []);
      Reflect.deleteProperty(journal, "append");
      await processor.status(submission);
      expect((await records())[0]?.states.map(({ name }) => name)).to.deep.equal(["PROVING"]);
    }
  });

  it("takes the submission of another data processor or address for one it does not know", async () => {
    const { journal, service, processor, records } = setUp();
    const submission = await processor.submit(requestOf(1));
    const other = (endpoint: string, name: string) =>
      new JournaledDataProcessor({
        ...{ journal, taskHash, outcomeOf, network: "sepolia", endpoint: new URL(endpoint) },
        processor: { name, submit: service.submit.bind(service), status: service.status.bind(service) },
      });
    service.states.set("task-1", { name: "PROVING", phase: "pending" });
    for (const stranger of [
      other("https://other.example.org/v1", "tasks"),
      other("https://hdp.example.org/staging", "tasks"),
      other("https://hdp.example.org/v1", "batch"),
    ]) {
      expect(await stranger.status(submission)).to.deep.equal({ name: "PROVING", phase: "pending" });
      await stranger.recordResults([{ submission, result: resultOf(1) }]);
    }
    const [record] = await records();
    expect([record?.states, record?.results]).to.deep.equal([[], new Map()]);
    await other("https://hdp.example.org/v1", "tasks").status(submission);
    expect((await records())[0]?.states.map(({ name }) => name)).to.deep.equal(["PROVING"]);
  });

  it("asks for a submission that it does not know by the id it was asked for", async () => {
    const { processor, service } = setUp();
    const stranger = { id: "s-1", processor: "tasks", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [] } as const;
    expect((await processor.status(stranger)).name).to.equal("UNHEARD_OF");
    expect(service.asked).to.deep.equal(["s-1"]);
  });

  it("writes down the chain that results go to where it is known", async () => {
    for (const genesis of [hashOf(77), undefined]) {
      const { processor, records } = setUp({ chain: { genesis, startsAnew: false } });
      await processor.submit(requestOf(1));
      expect((await records())[0]?.genesis).to.equal(genesis);
    }
  });

  it("counts tasks of unknown outcome in its sentence", async () => {
    const { processor, service } = setUp();
    service.answer = "cut-after";
    await rejection(processor.submit(requestOf(1, 2)));
    expect((await errorOf(() => processor.submit(requestOf(1)))).message).to.contain("whether a task of this request");
    expect((await errorOf(() => processor.submit(requestOf(1, 2)))).message).to.contain(
      "whether 2 tasks of this request",
    );
  });
});

import { copyFile, readFile, rename, rm } from "node:fs/promises";

import { expect } from "chai";
import type { Hex } from "viem";

import { ServiceFailure } from "../../src/service/http/service-errors.js";
import type { StoredSubmission } from "../../src/types.js";
import { isServiceFailure } from "../../src/entries/service.js";
import {
  asModule,
  type CallOptions,
  type HdpError,
  type SubmissionPart,
  type SubmitPlan,
  type TaskRequest,
  type TaskStatus,
  taskHash,
  isHdpError,
} from "../../src/entries/request.js";
import { Pipeline } from "../../src/submission/pipeline.js";
import { otherFormHash, recordedInOtherForm, requireRecord } from "../../src/submission/lookup.js";
import { settle } from "../../src/submission/settle.js";
import type { SubmissionStore } from "../../src/submission/submission-store.js";
import type { Submissions } from "../../src/submission/submissions.js";
import {
  errorOf,
  hashOf,
  InProcessService,
  moduleRequest,
  outcomeOf,
  readsOf,
  Refusal,
  requestOf,
  STORE,
  taskOf,
  TestStore,
  withWorld,
  World,
} from "./world.js";

const FOREIGN: Hex = `0x${"77".repeat(32)}`;
const OTHER: Hex = `0x${"78".repeat(32)}`;
/** Has a result before anything is sent. */
const STORED: Hex = `0x${"79".repeat(32)}`;
/** The service's hash of an earlier task. */
const EARLIER: Hex = `0x${"80".repeat(32)}`;

/** Expects that `hdp:check` reports what stops a submission, and nothing with --force. */
async function isInTheWay(
  submissions: Submissions,
  request: TaskRequest,
  error: HdpError,
): Promise<void> {
  const obstacle = await submissions.obstacle(request);
  expect([obstacle?.code, obstacle?.message]).to.deep.equal([error.code, error.message]);
  expect(await submissions.obstacle(request, { force: true })).to.equal(undefined);
}

const hashOfModule = taskHash(moduleRequest(undefined).tasks[0] ?? taskOf(0));

describe("submissions to a service", () => {
  let world: World;
  let submissions: Submissions;
  let rows: SubmissionStore;
  withWorld((made) => {
    world = made;
    submissions = world.process();
    rows = world.open();
  });

  it("records what is sent, and no key, path or query of the address", async () => {
    const submission = await submissions.submit(requestOf(1, 2));
    const part = {
      id: "task-1",
      processor: "tasks",
      destinationChainId: "ETHEREUM_SEPOLIA",
      taskHashes: [hashOf(1), hashOf(2)],
    };
    expect(submission).to.deep.equal({
      id: "task-1",
      destinationChainId: "ETHEREUM_SEPOLIA",
      taskHashes: part.taskHashes,
      parts: [part],
    });
    const [record] = rows.list();
    expect(record).to.include({
      state: "accepted",
      host: "hdp.example.org",
      serviceId: "task-1",
      network: "sepolia",
    });
    expect(record?.request).to.deep.equal(requestOf(1, 2));
    expect(/s3cret|pw@|user:|\/v1/.exec(await readFile(world.path, "latin1"))).to.equal(null);
  });

  it("records the submission on the disk as being sent before the request arrives", async () => {
    const seen: unknown[] = [];
    world.service.onArrival = () => {
      seen.push(...rows.list().map(({ state, sender }) => [state, sender]));
    };
    await submissions.submit(requestOf(1));
    expect(seen).to.deep.equal([["sending", "here:1"]]);
  });

  it("reads as often for forty tasks as for two", async () => {
    const read = async (numbers: readonly number[]): Promise<number> => {
      const submission = await submissions.submit(requestOf(...numbers));
      for (const number of numbers) world.store.put(hashOf(number), 7n);
      return (await readsOf(async () => await submissions.results(submission))).calls;
    };
    const few = await read([1, 2]);
    expect(few).to.be.greaterThan(0);
    expect(await read(Array.from({ length: 40 }, (_, index) => 100 + index))).to.equal(few);
  });

  it("reads as much of a task that was sent once as of one that was sent 20 times", async () => {
    const send = async (): Promise<void> => {
      const submission = await submissions.submit(requestOf(1), { force: true });
      world.store.put(hashOf(1), 7n);
      await submissions.results(submission);
    };
    await send();
    const read = async (): Promise<void> => {
      await submissions.readAll(world.store.opened, [hashOf(1)], "ETHEREUM_SEPOLIA");
      submissions.findDestination(hashOf(1));
    };
    const once = await readsOf(read);
    for (let sent = 1; sent < 20; sent += 1) await send();
    expect(await readsOf(read)).to.deep.equal(once);
    expect(rows.list().map(({ state }) => state)).to.deep.equal(Array(20).fill("finalized"));
  });

  it("returns an open submission instead of sending its tasks again", async () => {
    const first = await submissions.submit(requestOf(1));
    expect(await submissions.submit(requestOf(1))).to.deep.equal(first);
    expect(await world.process(2).submit(requestOf(1))).to.deep.equal(first);
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("sends again by force, under another idempotency key", async () => {
    await submissions.submit(requestOf(1));
    expect((await submissions.submit(requestOf(1), { force: true })).id).to.equal("task-2");
    expect(world.service.arrivals.map(({ key }) => key)).to.deep.equal(
      rows.list().map(({ id }) => id),
    );
    expect(rows.list().map(({ forced }) => forced)).to.deep.equal([false, true]);
    expect(
      (await submissions.submit(requestOf(1))).id,
      "the newer one stands for the task",
    ).to.equal("task-2");
  });

  it("sends only what a request is missing, and answers for all of it in order", async () => {
    world.store.put(hashOf(9), 7n);
    await submissions.submit(requestOf(1));
    const plans: SubmitPlan[] = [];
    const submission = await submissions.submit(requestOf(9, 1, 3, 3), {
      onPlan: (plan) => plans.push(plan),
    });
    expect(submission.taskHashes).to.deep.equal([9, 1, 3, 3].map(hashOf));
    expect(submission.parts.map(({ id }) => id)).to.deep.equal(["task-2", "task-1"]);
    expect(world.service.arrivals[1]?.hashes).to.deep.equal([hashOf(3)]);
    expect(plans).to.deep.equal([
      {
        send: [hashOf(3)],
        reuse: [hashOf(9), hashOf(1)],
        sentences: [
          "1 of 3 tasks to send.",
          `${hashOf(9)} is not sent: finalized in 0x5FbDB2315678afecb367f032d93F642f64180aa3.`,
          `${hashOf(1)} is not sent: submitted 2026-01-01T00:00:00.000Z as task-1.`,
        ],
      },
    ]);
  });

  it("joins the states of several parts", async () => {
    await submissions.submit(requestOf(1));
    const submission = await submissions.submit(requestOf(1, 2));
    const { states } = world.service;
    states.set("task-2", { name: "DONE", phase: "finalized" });
    const now = async (): Promise<unknown> => await submissions.status(submission);
    expect(await now()).to.deep.equal({
      name: "RECEIVED",
      phase: "pending",
      detail: "1 of 2 submissions finalized",
    });
    states.set("task-1", { name: "PROVING", phase: "pending", detail: "40 %" });
    expect(await now()).to.include({ detail: "40 % (1 of 2 submissions finalized)" });
    states.set("task-1", { name: "ERROR", phase: "failed", detail: "no" });
    expect(await now()).to.deep.equal({ name: "ERROR", phase: "failed", detail: "no" });
    states.set("task-1", { name: "DONE", phase: "finalized" });
    expect(await now()).to.deep.equal({ name: "DONE", phase: "finalized" });
  });

  it("sends nothing where the store has every result, and names the submission by its first task", async () => {
    world.store.put(hashOf(1), 7n);
    const submission = await submissions.submit(requestOf(1));
    expect(submission).to.deep.include({ id: hashOf(1), parts: [] });
    expect(world.service.arrivals).to.deep.equal([]);
    expect(rows.list()).to.deep.equal([]);
    const { status, results } = await submissions.finish(submission);
    expect(status).to.deep.equal({ name: "Finalized", phase: "finalized" });
    expect((await results()).map(({ value }) => value)).to.deep.equal([7n]);
    expect(world.service.asked).to.deep.equal([]);
  });

  it("passes a refusal on, and sends the task the next time", async () => {
    world.service.answer = "refuse";
    let refused: unknown;
    await submissions.submit(requestOf(1)).catch((error: unknown) => (refused = error));
    expect(refused).to.be.instanceOf(Refusal);
    expect(rows.list()[0]).to.include({ state: "refused", reason: "Error" });
    world.service.answer = "accept";
    expect((await submissions.submit(requestOf(1))).id).to.equal("task-1");
  });

  for (const answer of ["cut-before", "cut-after"] as const) {
    it(`stops at an unknown outcome (${answer}), and sends nothing of a request with the task`, async () => {
      world.service.answer = answer;
      const cut = await errorOf(async () => await submissions.submit(requestOf(1)));
      expect(cut.message).to.equal(
        "HDP-5008: it is not known whether 1 task (id-1) was accepted (Error).\n" +
          "  It is not sent again by itself: it might be done, and charged, twice.\n" +
          "  What can be done: npx hardhat hdp resume id-1 --network sepolia",
      );
      const sent = world.service.arrivals.length;
      world.service.answer = "accept";
      const again = await errorOf(async () => await submissions.submit(requestOf(2, 1)));
      expect(again.code).to.equal("HDP-5005");
      await isInTheWay(submissions, requestOf(2, 1), again);
      expect(again.hints.slice(0, 2)).to.deep.equal([
        `Task ${hashOf(1)}`,
        "Submission id-1: Was sent to hdp.example.org at 2026-01-01T00:00:00.000Z, and no answer says whether it was accepted (Error).",
      ]);
      expect(world.service.arrivals.length).to.equal(sent);
    });
  }

  for (const replaced of ["deleted", "replaced by an older copy"] as const) {
    it(`says so where the database is ${replaced} while a request is under way, and sends nothing again`, async () => {
      await submissions.submit(requestOf(2));
      const copy = `${world.path}.copy`;
      await copyFile(world.path, copy);
      world.service.onArrival = async () => {
        await rm(world.path);
        if (replaced !== "deleted") await rename(copy, world.path);
      };
      const error = await errorOf(async () => await submissions.submit(requestOf(1)));
      expect(error.message).to.equal(
        "HDP-5007: the service accepted 1 task as task-2, but its record was gone: the database was deleted or replaced while it was sent.\n" +
          "  What else the file recorded may be sent again: put it back. This one was recorded anew, wait for it: npx hardhat hdp resume id-2 --network sepolia\n" +
          `  Task ${hashOf(1)}`,
      );
      const [record] = world.open().withHashes([hashOf(1)]);
      expect(record).to.include({ id: "id-2", state: "accepted", serviceId: "task-2" });
      expect(record?.request).to.deep.equal(requestOf(1));
      for (const again of [submissions, world.process(2)])
        expect((await again.submit(requestOf(1))).id).to.equal("task-2");
      expect(world.service.arrivals.length).to.equal(2);
    });
  }

  it("records anew as unknown what was under way without an answer when the database was deleted", async () => {
    world.service.answer = "cut-after";
    world.service.onArrival = async () => await rm(world.path);
    const cut = await errorOf(async () => await submissions.submit(requestOf(1)));
    expect(cut.code).to.equal("HDP-5008");
    expect(world.open().byId("id-1")).to.include({ state: "unknown", reason: "Error" });
    const again = await errorOf(async () => await submissions.submit(requestOf(1)));
    expect(again.code).to.equal("HDP-5005");
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("treats a task whose sender ended before the answer as undecided", async () => {
    world.service.onArrival = async () => await new Promise(() => undefined);
    void world.process(7).submit(requestOf(1));
    while (world.service.arrivals.length === 0) await new Promise(setImmediate);
    world.ended.add(7);
    const error = await errorOf(async () => await submissions.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5005");
    expect(error.hints[1]).to.equal(
      "Submission id-1: Was about to be sent to hdp.example.org at 2026-01-01T00:00:00.000Z; no answer was recorded, so it may have been accepted.",
    );
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("sends nothing when it is aborted before, and leaves nothing open", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));
    const wrong = await submissions
      .submit(requestOf(1), { signal: aborted })
      .catch((error: unknown) => error);
    expect(wrong).to.have.property("message", "enough");
    expect(rows.list()[0]).to.include({ state: "refused", reason: "nothing was sent" });
    expect((await submissions.submit(requestOf(1))).id).to.equal("task-1");
  });

  it("takes over what another process claimed and did not send", async () => {
    await submissions.submit(requestOf(1));
    const [claimed] = rows.list();
    rows.release(claimed?.id ?? "");
    rows.insert({
      id: "other",
      kind: "tasks",
      state: "claimed",
      forced: false,
      network: "sepolia",
      processor: "tasks",
      parts: [{ hash: hashOf(2), identity: "x", live: true }],
    });
    rows.insert({
      id: "claimed",
      kind: "tasks",
      state: "claimed",
      forced: false,
      network: "sepolia",
      processor: "tasks",
      parts: (claimed?.parts ?? []).map(({ hash, identity }) => ({ hash, identity, live: true })),
    });
    world.store.chain = { ...world.store.chain, startsAnew: false };
    const again = await submissions.submit(requestOf(1), { force: true });
    expect(again.id).to.equal("task-2");
    expect(rows.byId("claimed")).to.include({ state: "refused", reason: "nothing was sent" });
    expect(
      rows.move("claimed", ["claimed"], "sending"),
      "who claimed it does not send any more",
    ).to.equal(false);
  });

  it("records each state once, whoever saw an older one meanwhile, and an end is not undone", async () => {
    const other = world.process(2);
    const submission = await submissions.submit(requestOf(1));
    const see = async (
      name: string,
      who = submissions,
      phase: "pending" | "finalized" = "pending",
    ): Promise<string> => {
      world.service.states.set("task-1", { name, phase });
      await who.status(submission);
      return `${String(rows.list()[0]?.seen?.name)} ${String(rows.list()[0]?.state)}`;
    };
    expect(await see("NEW")).to.equal("NEW accepted");
    expect(await see("OLD", other)).to.equal("OLD accepted");
    expect(await see("DONE", submissions, "finalized")).to.equal("DONE finalized");
    expect(await see("OLD", other)).to.equal("OLD finalized");
  });

  it("keeps secrets of a state's words out of the database", async () => {
    const submission = await submissions.submit(requestOf(1));
    world.service.states.set("task-1", {
      name: "ERROR",
      phase: "failed",
      detail: "https://key@node.example.org/v2/key?apiKey=s3cret is down\u001b[2J",
    });
    await submissions.status(submission);
    expect(rows.list()[0]?.seen?.detail).to.equal("https://node.example.org is down [2J");
  });

  it("goes on where a state cannot be recorded, and says so", async () => {
    const submission = await submissions.submit(requestOf(1));
    const full = new Error("the disk is full");
    const locked = world.open();
    locked.observe = () => {
      throw full;
    };
    world.store.put(hashOf(1), 7n);
    world.service.states.set("task-1", { name: "DONE", phase: "finalized" });
    const { results } = await world.process(3, { store: locked }).finish(submission);
    expect(world.warnings).to.deep.equal([full]);
    expect((await results())[0]).to.include({ value: 7n, taskHash: hashOf(1) });
    expect(rows.list()[0]).to.include({ state: "finalized", seen: undefined });
  });

  it("waits until the store has the results, and reads them", async () => {
    const submission = await submissions.submit(requestOf(1));
    world.service.states.set("task-1", { name: "DONE", phase: "finalized" });
    const seen: unknown[] = [];
    const late = submissions.finish(submission, {
      onStatus: ({ phase, detail }) => seen.push([phase, detail]),
      onPause: () => {
        world.store.put(hashOf(1), 9n);
      },
    });
    expect((await (await late).results()).map(({ value }) => value)).to.deep.equal([9n]);
    expect(seen).to.deep.equal([
      ["finalized", undefined],
      ["finalized", `so far store ${STORE} has 0 of 1`],
    ]);
  });

  it("awaits and reads again a task whose answer was lost and whose result was read all the same", async () => {
    world.service.answer = "cut-after";
    await errorOf(async () => await submissions.submit(requestOf(1)));
    const result = world.store.put(hashOf(1), 7n);
    await submissions.submit(requestOf(1));
    for (const name of [hashOf(1), "id-1"]) {
      const finished = await submissions.finish(submissions.find(name));
      expect(await finished.results()).to.deep.equal([result]);
    }
    expect(world.service.asked, "the service knows no id of it that we know").to.deep.equal([]);
  });

  it("awaits the submission of a task that has its result, also where another one failed", async () => {
    world.service.answer = "cut-after";
    await errorOf(async () => await submissions.submit(requestOf(1)));
    world.service.answer = "accept";
    const failed = await submissions.submit(requestOf(1), { force: true });
    world.service.states.set(failed.id, { name: "Failed", phase: "failed" });
    await errorOf(async () => await submissions.finish(failed));
    const result = world.store.put(hashOf(1), 7n);
    await submissions.submit(requestOf(1));
    const finished = await submissions.finish(submissions.find(hashOf(1)));
    expect(await finished.results()).to.deep.equal([result]);
  });

  it("keeps the service's own hashes where a person names the id that was in the answer already", async () => {
    world.service.serviceTaskHashes = [hashOf(8), hashOf(9)];
    const submission = await submissions.submit(requestOf(1, 2));
    const store = world.open();
    expect(store.move("id-1", ["accepted"], "accepted", { serviceId: submission.id })).to.equal(
      true,
    );
    const hashes = (): unknown => store.byId("id-1")?.parts.map(({ serviceHash }) => serviceHash);
    expect(hashes()).to.deep.equal([hashOf(8), hashOf(9)]);
    store.move("id-1", ["accepted"], "accepted", { serviceId: "another" });
    expect(hashes(), "of another id").to.deep.equal([undefined, undefined]);
  });

  it("says which results are missing when the store does not get them in time", async () => {
    const submission = await submissions.submit(requestOf(1, 2));
    world.store.put(hashOf(1), 7n);
    world.service.states.set("task-1", { name: "DONE", phase: "finalized" });
    const said: unknown[] = [];
    const onStatus = ({ detail }: TaskStatus): number => said.push(detail);
    const error = await errorOf(
      async () => await submissions.finish(submission, { timeout: 20_000, onStatus }),
    );
    expect(error.code).to.equal("HDP-2081");
    expect(error.message).to.contain("the service says that it is finalized, the store has 1 of 2");
    const commands = [1, 2].map(
      (block) => `npx hardhat hdp:result ${hashOf(block)} --network sepolia`,
    );
    expect(error.message)
      .to.contain(`Read them later: ${commands.join(", ")}`)
      .and.not.contain("--lost");
    expect(said, "once").to.deep.equal([undefined, `so far store ${STORE} has 1 of 2`]);
    world.store.chain = { startsAnew: true };
    const again = await errorOf(
      async () => await submissions.finish(submission, { timeout: 20_000 }),
    );
    expect(again.message)
      .to.contain("give it up")
      .and.contain("npx hardhat hdp resume task-1 --lost --network sepolia");
  });

  it("finds results under the service's own hash, and under ours first", async () => {
    const theirs = `0x${"77".repeat(32)}` as const;
    world.service.serviceTaskHashes = [theirs];
    const submission = await submissions.submit(requestOf(1));
    expect(submission.parts[0]?.serviceTaskHashes).to.deep.equal([theirs]);
    world.store.put(theirs, 5n);
    expect(await submissions.results(submission)).to.deep.equal([
      { ...world.store.put(theirs, 5n), taskHash: hashOf(1), storedUnder: theirs },
    ]);
    world.store.put(hashOf(1), 6n);
    expect((await submissions.results(submission))[0]).to.include({
      value: 6n,
      storedUnder: hashOf(1),
    });
  });

  it("never takes the result of another task of the project, whose hash the service returned", async () => {
    const other = await submissions.submit(requestOf(2));
    world.service.serviceTaskHashes = [hashOf(2), hashOf(3)];
    const error = await errorOf(async () => await submissions.submit(requestOf(1, 3)));
    expect(error.shortMessage).to.equal(
      `the service accepted 2 tasks as task-2, and returned the hash ${hashOf(2)} for two tasks. Its hashes are not used.`,
    );
    const submission = submissions.find("task-2");
    world.store.put(hashOf(2), 5n);
    world.store.put(hashOf(3), 8n);
    expect((await submissions.results(other))[0]).to.deep.equal(world.store.put(hashOf(2), 5n));
    expect((await errorOf(async () => await submissions.results(submission))).code).to.equal(
      "HDP-3001",
    );
    world.store.put(hashOf(1), 6n);
    expect(await submissions.results(submission)).to.deep.equal([
      world.store.put(hashOf(1), 6n),
      world.store.put(hashOf(3), 8n),
    ]);
  });

  for (const [what, theirs, fault] of [
    ["one hash for two tasks", [FOREIGN, FOREIGN], `the hash ${FOREIGN} for two tasks`],
    ["fewer hashes than tasks", [FOREIGN], "1 hashes for 2 tasks"],
    ["more hashes than tasks", [FOREIGN, OTHER, STORED], "3 hashes for 2 tasks"],
    ["no hashes", [], "0 hashes for 2 tasks"],
    [
      "a hash that was finalized before",
      [FOREIGN, STORED],
      `the hash ${STORED}, whose result was finalized before`,
    ],
    [
      "the hash of another task of the request",
      [hashOf(2), FOREIGN],
      `the hash ${hashOf(2)} for two tasks`,
    ],
    [
      "a hash that it returned for an earlier task",
      [EARLIER, FOREIGN],
      `the hash ${EARLIER} for two tasks`,
    ],
  ] as const) {
    it(`takes nothing as a result where the service returns ${what}, and keeps what it accepted`, async () => {
      world.service.serviceTaskHashes = [EARLIER];
      await submissions.submit(requestOf(9));
      world.store.put(STORED, 5n);
      world.service.serviceTaskHashes = [...theirs];
      const error = await errorOf(async () => await submissions.submit(requestOf(1, 2)));
      expect(error.message).to.equal(
        `HDP-5018: the service accepted 2 tasks as task-2, and returned ${fault}. Its hashes are not used.\n` +
          "  It is not sent again. Look at it in the service's console, or wait for results under the tasks' own hashes: npx hardhat hdp resume id-2 --network sepolia",
      );
      expect(rows.byId("id-2")).to.include({ state: "accepted", serviceId: "task-2" });
      for (const hash of [FOREIGN, OTHER, EARLIER]) world.store.put(hash, 6n);
      const submission = await submissions.submit(requestOf(1, 2));
      expect(submission.id).to.equal("task-2");
      expect(world.service.arrivals.length).to.equal(2);
      const missing = await errorOf(async () => await submissions.results(submission));
      expect(missing.code).to.equal("HDP-3001");
    });
  }

  it("warns of a result that is stored under a hash that the service returned", async () => {
    world.service.serviceTaskHashes = [FOREIGN];
    const submission = await submissions.submit(requestOf(1));
    world.store.put(FOREIGN, 6n);
    await submissions.results(submission);
    expect(world.warnings).to.deep.equal([
      `The result of task ${hashOf(1)} is stored under ${FOREIGN}, which the service returned: it may be of another task, and contracts that read this task's hash do not find it.`,
    ]);
  });

  it("finds results under the service's own hash also where a newer submission's answer with it was lost", async () => {
    const theirs = [`0x${"71".repeat(32)}`, `0x${"72".repeat(32)}`] as const;
    world.service.serviceTaskHashes = theirs;
    const submission = await submissions.submit(requestOf(1, 2));
    world.service.answer = "cut-after";
    await errorOf(async () => await submissions.submit(requestOf(2, 3), { force: true }));
    await settle(
      rows,
      new Pipeline({ store: rows, system: world.system(), outcomeOf }),
      requireRecord(rows, "id-2"),
      {
        as: "accepted",
        serviceId: "task-2",
      },
    );
    world.service.states.set("task-1", { name: "DONE", phase: "finalized" });
    const expected = theirs.map((hash) => world.store.put(hash, 7n).value);
    const { results } = await submissions.finish(submission);
    expect((await results()).map(({ value }) => value)).to.deep.equal(expected);
    expect((await results()).map(({ storedUnder }) => storedUnder)).to.deep.equal(theirs);
  });

  it("ends no submission for another chain, and none by a result of another store", async () => {
    const elsewhere = new TestStore();
    const chains = { ETHEREUM_SEPOLIA: world.store, BASE_SEPOLIA: elsewhere };
    const both = world.process(1, {
      destination: async (chain) => {
        const at = chain === "BASE_SEPOLIA" ? chains[chain] : world.store;
        return await Promise.resolve({
          chain: async () => await Promise.resolve(at.chain),
          openForReading: async () => await Promise.resolve(at.opened),
        });
      },
    });
    const first = await both.submit(requestOf(1));
    const second = await both.submit({ ...requestOf(1), destinationChainId: "BASE_SEPOLIA" });
    expect([first.id, second.id]).to.deep.equal(["task-1", "task-2"]);
    world.store.put(hashOf(1), 7n);
    await both.readAll(world.store.opened, [hashOf(1)], undefined);
    expect(rows.list().map(({ state }) => state)).to.deep.equal(["accepted", "accepted"]);
    await both.results(first);
    expect(rows.list().map(({ state }) => state)).to.deep.equal(["finalized", "accepted"]);
  });

  it("takes a failed task that its service works on again for an open one", async () => {
    const submission = await submissions.submit(requestOf(1));
    for (const [name, phase] of [
      ["FAILED", "failed"],
      ["RETRIED", "pending"],
    ] as const) {
      world.service.states.set("task-1", { name, phase });
      await submissions.status(submission);
    }
    expect((await submissions.submit(requestOf(1))).id).to.equal("task-1");
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("lists submissions in the order in which they were recorded, whatever the clock says", async () => {
    await submissions.submit(requestOf(1));
    world.clock.advance(-86_400_000);
    await submissions.submit(requestOf(2));
    expect(rows.list().map(({ serviceId }) => serviceId)).to.deep.equal(["task-1", "task-2"]);
  });

  it("sends a task again that a development chain has lost, and none that a live chain may still get", async () => {
    const read = async (): Promise<void> => {
      const submission = await submissions.submit(requestOf(1));
      world.store.put(hashOf(1), 7n);
      await submissions.results(submission);
      world.store.words.clear();
    };
    await read();
    expect((await submissions.submit(requestOf(1))).id, "a live chain").to.equal("task-1");
    world.store.chain = { ...world.store.chain, startsAnew: true };
    await read();
    expect(
      (await submissions.submit(requestOf(1))).id,
      "a development chain that went back",
    ).to.equal("task-3");
    world.store.chain = { genesis: `0x${"02".repeat(32)}`, startsAnew: true };
    expect((await submissions.submit(requestOf(1))).id, "another chain").to.equal("task-4");
  });

  it("refuses a task while another one of its hash is open, and where the stored result may be of another one", async () => {
    const one = moduleRequest({ "0x1": "0x0" });
    await submissions.submit(one);
    for (const other of [
      moduleRequest({ "0x1": "0x5" }),
      moduleRequest(undefined),
      moduleRequest({ "0x1": "0x0" }, "0x8"),
    ]) {
      const open = await errorOf(async () => await submissions.submit(other));
      await isInTheWay(submissions, other, open);
      expect(open.message).to.equal(
        "HDP-1125: this task has the task hash of submission task-1 (accepted) and different private inputs or injected state.\n" +
          "  The hash covers the program and the public inputs: only one of the two results could be stored.\n" +
          "  Make what differs, or a hash of it, a public input, so that each task has its own hash.\n" +
          `  Task ${hashOfModule}. Nothing was sent.\n` +
          "  Submission task-1: Accepted as task-1, last seen as accepted.\n" +
          "  Wait for it: npx hardhat hdp resume task-1 --network sepolia\n" +
          "  --force sends the task all the same.",
      );
    }
    expect((await world.process(2).submit(one)).id).to.equal("task-1");
    world.store.put(hashOfModule, 7n);
    expect((await submissions.submit(one)).parts).to.deep.equal([]);
    for (const other of [moduleRequest(undefined), moduleRequest({ "0x1": "0x0" }, "0x8")]) {
      const error = await errorOf(async () => await submissions.submit(other));
      expect(error.code).to.equal("HDP-5014");
      await isInTheWay(submissions, other, error);
    }
    expect(world.service.arrivals.length).to.equal(1);
    expect((await submissions.submit(moduleRequest(undefined), { force: true })).id).to.equal(
      "task-2",
    );
  });

  it("refuses two tasks of one hash in a request that differ, and sends equal ones once", async () => {
    const [one] = moduleRequest(undefined, "0x7").tasks;
    const [other] = moduleRequest(undefined, "0x8").tasks;
    const [state] = moduleRequest({ "0x1": "0x0" }, "0x7").tasks;
    if (one === undefined || other === undefined || state === undefined)
      throw new Error("no tasks");
    for (const tasks of [
      [one, other],
      [taskOf(1), one, state],
    ]) {
      const request = { ...requestOf(), tasks };
      const error = await errorOf(async () => await submissions.submit(request, { force: true }));
      expect(error).to.include({
        code: "HDP-1125",
        path: `tasks[${tasks.length - 1}].${tasks.includes(state) ? "injected_state" : "inputs"}`,
        shortMessage: `this task has the task hash of tasks[${tasks.length - 2}] and different private inputs or injected state.`,
      });
    }
    await submissions.submit({ ...requestOf(), tasks: [one, one] });
    expect(world.service.arrivals.map(({ hashes }) => hashes)).to.deep.equal([[hashOfModule]]);
  });

  it("stores no value of a private input", async () => {
    await submissions.submit(moduleRequest(undefined, "0xdeadbeef"));
    const [record] = rows.list();
    const [task] = record?.request?.tasks ?? [];
    expect(task?.type === "Module" && task.inputs.map(({ value }) => value)).to.deep.equal([
      "0x1",
      "0x0",
    ]);
    expect((await readFile(world.path, "latin1")).includes("deadbeef")).to.equal(false);
  });

  it("finds a submission by its ids, their beginnings and its task hashes", async () => {
    await submissions.submit(requestOf(1));
    await submissions.submit(requestOf(2, 3));
    for (const name of ["task-2", "id-2", hashOf(2), hashOf(3).toUpperCase().replace("0X", "0x")]) {
      expect(submissions.find(name).parts[0]?.id, name).to.equal("task-2");
    }
    const unknown = `0x${"12".repeat(32)}` as const;
    expect(submissions.find(unknown)).to.deep.equal({
      id: unknown,
      taskHashes: [unknown],
      parts: [],
    });
    const error = await errorOf(() => submissions.find("task"));
    expect(error.message).to.equal(
      'HDP-5010: there is no submission "task".\n' +
        "  Give an id, the beginning of one (4 characters or more), or a task hash: npx hardhat hdp list shows them.\n" +
        "  2 ids begin so: give more.",
    );
  });

  it("refuses to ask another service for a submission", async () => {
    await submissions.submit(requestOf(1));
    const elsewhere = world.process(1, { url: "https://other.example.org" });
    const error = await errorOf(() => elsewhere.find("task-1"));
    expect(error.message).to.contain(
      'submission task-1 was made at hdp.example.org, but network "sepolia" uses other.example.org.',
    );
    const path = world.process(1, { url: "https://hdp.example.org/v2" });
    expect((await errorOf(() => path.find("task-1"))).message).to.contain(
      'network "sepolia" uses another address there',
    );
    const local = world.local(1, new InProcessService());
    const ofLocal = await errorOf(() => local.find("task-1"));
    expect(ofLocal.code).to.equal("HDP-6045");
    expect(ofLocal.message).to.include('network "sepolia" uses the local data processor.');
  });

  it("asks the service for an id, and compares the hash of its task with a submission's", async () => {
    await submissions.submit(requestOf(1));
    await submissions.submit(requestOf(2));
    const record = requireRecord(rows, "id-2");
    const check = async (serviceId: string, hash?: Hex, force?: boolean): Promise<string> => {
      const asked = world.process(1, { serviceHash: async () => await Promise.resolve(hash) });
      const refusal = await asked
        .requireAccepted(record, serviceId, { force })
        .catch((error: unknown) => {
          if (isHdpError(error, "HDP-5017")) return error;
          throw error;
        });
      return refusal?.shortMessage ?? "accepted";
    };
    expect(await check("task-9", hashOf(2))).to.equal("accepted");
    expect(await check("task-9"), "it does not say").to.equal("accepted");
    expect(await check("task-2", hashOf(2)), "its own id").to.equal("accepted");
    const old = taskHash(taskOf(2), { datalakeEncoding: "without-chain-id" });
    expect(await check("task-9", old), "an older hash of the task").to.equal("accepted");
    expect(await check("task-1", hashOf(2))).to.equal(
      "task-1 is not the service's id of submission task-2: another submission has it. Nothing was recorded.",
    );
    expect(await check("task-9", hashOf(4))).to.equal(
      `task-9 is not the service's id of submission task-2: the service says that its task hash is ${hashOf(4)}, the submission's is ${hashOf(2)}. Nothing was recorded.`,
    );
    expect(await check("task-9", hashOf(4), true)).to.equal("accepted");
    await submissions.submit(requestOf(5, 6));
    const two = world.process(1, { serviceHash: async () => await Promise.resolve(hashOf(4)) });
    await two.requireAccepted(requireRecord(rows, "id-3"), "task-9");
    world.service.status = async () => await Promise.reject(new Error("no such task"));
    await world
      .process()
      .requireAccepted(record, "task-9", { force: true })
      .then(
        () => expect.fail("an unknown id was taken"),
        (error: unknown) => expect(error).to.have.property("message", "no such task"),
      );
  });

  it("explains how to give up what the service has forgotten", async () => {
    const submission = await submissions.submit(requestOf(1));
    const failure = {
      endpoint: "GET https://hdp.example.org/v1/task-1",
      status: 404,
      serviceWords: "no such task",
    };
    const hints = ['The service said: "no such task"', "Check the id."];
    world.service.status = async () =>
      await Promise.reject(
        new ServiceFailure({ code: "HDP-2040", message: "no such task.", hints, ...failure }),
      );
    const error = await errorOf(async () => await submissions.status(submission));
    expect(isServiceFailure(error, "not-found")).to.equal(true);
    expect(error).to.include({ code: "HDP-2040", kind: "not-found", transient: false, ...failure });
    expect(error.hints).to.deep.equal([
      'The service said: "no such task"',
      "Check the id.",
      "The service may have forgotten the submission.",
      "Give it up, so that it can be sent again: npx hardhat hdp resume id-1 --lost --network sepolia",
    ]);
  });
});

describe("a submission that is resumed", () => {
  let world: World;
  const cut = async (...blocks: number[]): Promise<void> => {
    world.service.answer = "cut-after";
    await errorOf(async () => await world.process().submit(requestOf(...blocks)));
    world.service.answer = "accept";
  };
  const named = (id: string): StoredSubmission => requireRecord(world.open(), id);
  withWorld((made) => {
    world = made;
  });

  it("finishes with its results, which the service is asked for under its own id", async () => {
    await world.process().submit(requestOf(1, 2));
    world.service.states.set("task-1", { name: "FINALIZED", phase: "finalized" });
    world.store.put(hashOf(1), 7n);
    world.store.put(hashOf(2), 8n);
    const results = await world.process(2).resume(named("id-1"));
    expect(results.map(({ value }) => value)).to.deep.equal([7n, 8n]);
    expect(world.service.asked.map(({ id }) => id)).to.deep.equal(["task-1"]);
    expect(named("id-1").parts.map(({ word }) => BigInt(word ?? 0))).to.deep.equal([7n, 8n]);
  });

  it("reads the results that arrived although no answer says that it was accepted", async () => {
    await cut(1, 2);
    world.store.put(hashOf(1), 7n);
    const early = await errorOf(async () => await world.process().resume(named("id-1")));
    expect(early).to.include({ code: "HDP-5009" });
    expect(named("id-1").state).to.equal("unknown");
    world.store.put(hashOf(2), 8n);
    const results = await world.process().resume(named("id-1"));
    expect(results.map(({ value }) => value)).to.deep.equal([7n, 8n]);
    expect(named("id-1").state).to.equal("finalized");
  });

  it("asks once for the service's own hash of a single task, and finds the result under it", async () => {
    const theirs: Hex = `0x${"ee".repeat(32)}`;
    const asked: (readonly [string, AbortSignal | undefined])[] = [];
    const { signal } = new AbortController();
    const process = world.process(1, {
      serviceHash: async ({ id }, options) => {
        asked.push([id, options.signal ?? undefined]);
        return await Promise.resolve(theirs);
      },
    });
    await cut(1);
    await cut(2, 3);
    for (const [id, serviceId] of [
      ["id-1", "task-1"],
      ["id-2", "task-2"],
    ] as const) {
      world.open().move(id, ["unknown"], "accepted", { serviceId });
      world.service.states.set(serviceId, { name: "FINALIZED", phase: "finalized" });
    }
    for (const block of [2, 3]) world.store.put(hashOf(block), 9n);
    world.store.put(theirs, 7n);
    const [result] = await process.resume(named("id-1"), { signal });
    expect(result).to.include({ taskHash: hashOf(1), storedUnder: theirs, value: 7n });
    await process.resume(named("id-1"), { signal });
    await process.resume(named("id-2"), { signal });
    expect(asked).to.deep.equal([["task-1", signal]]);
    expect(named("id-1").parts[0]?.serviceHash).to.equal(theirs);
    expect(named("id-2").parts.map(({ serviceHash }) => serviceHash)).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it("takes no other hash than its own of a standard program's task, which is an error that names both", async () => {
    const task = taskOf(1);
    if (task.type !== "DatalakeCompute") throw new TypeError("not a datalake task");
    const module = asModule(task);
    const own = taskHash(module);
    const theirs: Hex = `0x${"ee".repeat(32)}`;
    await world.process().submit({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [module] });
    world.service.states.set("task-1", { name: "FINALIZED", phase: "finalized" });
    world.store.put(theirs, 7n);
    const other = world.process(1, { serviceHash: async () => await Promise.resolve(theirs) });
    const error = await errorOf(async () => await other.resume(named("id-1")));
    expect(error).to.include({ code: "HDP-5019" });
    expect(error.message).to.contain(theirs).and.to.contain(own);
    expect(named("id-1").parts[0]?.serviceHash).to.equal(undefined);
    const finish = async () => await other.finish(other.find("task-1"));
    expect(await errorOf(finish)).to.include({ code: "HDP-5019" });
    world.store.put(own, 8n);
    for (const serviceHash of [
      async () => await Promise.resolve(own),
      async () => await Promise.reject(new Error("not found")),
    ]) {
      const [result] = await world.process(1, { serviceHash }).resume(named("id-1"));
      expect([result?.value, result?.storedUnder]).to.deep.equal([8n, undefined]);
    }
  });

  describe("of a module of one's own, once it has ended", () => {
    const theirs: Hex = `0x${"ee".repeat(32)}`;
    const flat: Hex = `0x${"fa".repeat(32)}`;

    /** Sends a module, has it end with a value under a hash, and awaits it. */
    async function ended(says: Hex | undefined, known: Hex | undefined, under: Hex) {
      const process = world.process(1, {
        serviceHash: async () => await Promise.resolve(says),
        flatHash: async () => await Promise.resolve(known),
      });
      const { id } = await process.submit(moduleRequest(undefined));
      world.service.states.set(id, { name: "FINALIZED", phase: "finalized" });
      world.store.put(under, 7n);
      const finished = await process.finish(process.find(id), { timeout: 1_000 });
      const [result] = await finished.results();
      return { result, kept: named("id-1").parts[0]?.serviceHash };
    }

    it("finds the result under the hash that the flat hash of its program gives", async () => {
      const { result, kept } = await ended(flat, flat, flat);
      expect(kept).to.equal(flat);
      expect(result).to.include({ taskHash: hashOfModule, storedUnder: flat, value: 7n });
    });

    it("finds it under another hash where the class is not known here, and says whose it may be", async () => {
      const { result } = await ended(theirs, undefined, theirs);
      expect(result).to.include({ storedUnder: theirs, value: 7n });
      expect(world.warnings.join()).to.contain("it may be of another task");
    });

    it("says plainly where neither hash of its program gives the service's, and reads nothing under that", async () => {
      const { result, kept } = await ended(theirs, flat, hashOfModule);
      expect(kept).to.equal(undefined);
      expect(result).to.include({ taskHash: hashOfModule, value: 7n });
      expect(result?.storedUnder).to.equal(undefined);
      expect(world.warnings).to.deep.equal([
        `The service says that the hash of task ${hashOfModule} is ${theirs}. None fits: its program's hash by segments gives ${hashOfModule}, the flat one ${flat}. It may have computed another task, and no result is read under ${theirs}.`,
      ]);
    });

    it("asks for nothing more where the hash is the task's own, or is not reported", async () => {
      for (const says of [hashOfModule, undefined]) {
        const { result, kept } = await ended(says, flat, hashOfModule);
        expect([result?.storedUnder, kept, world.warnings]).to.deep.equal([
          undefined,
          undefined,
          [],
        ]);
      }
    });
  });

  it("uses no other hash that a service returns for a standard program's task when it accepts it", async () => {
    const task = taskOf(1);
    if (task.type !== "DatalakeCompute") throw new TypeError("not a datalake task");
    const theirs: Hex = `0x${"ee".repeat(32)}`;
    const submit = world.service.submit.bind(world.service);
    world.service.submit = async (request) => ({
      ...(await submit(request)),
      serviceTaskHashes: [theirs],
    });
    const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [asModule(task)] } as const;
    const error = await errorOf(async () => await world.process().submit(request));
    expect(error).to.include({ code: "HDP-5018" });
    expect(error.message).to.contain("a task of a standard program, which has one hash");
    expect(named("id-1").parts[0]?.serviceHash).to.equal(undefined);
  });

  it("records no hash that is the project's own, and goes on where the service does not return one", async () => {
    await world.process().submit(requestOf(1));
    world.service.states.set("task-1", { name: "FINALIZED", phase: "finalized" });
    world.store.put(hashOf(1), 7n);
    for (const serviceHash of [
      async () => await Promise.resolve(hashOf(1)),
      async () => await Promise.resolve(undefined),
      async () => await Promise.reject(new Error("not found")),
    ]) {
      const [result] = await world.process(1, { serviceHash }).resume(named("id-1"));
      expect([result?.value, result?.storedUnder]).to.deep.equal([7n, undefined]);
      expect(named("id-1").parts[0]?.serviceHash).to.equal(undefined);
    }
  });

  it("ends where its development chain has started anew, and on no other chain", async () => {
    await world.process().submit(requestOf(1));
    world.service.states.set("task-1", { name: "FINALIZED", phase: "finalized" });
    world.store.put(hashOf(1), 7n);
    const other: Hex = `0x${"02".repeat(32)}`;
    world.store.chain = { genesis: other, startsAnew: true };
    const error = await errorOf(async () => await world.process().resume(named("id-1")));
    expect(error).to.include({ code: "HDP-5009" });
    expect(error.message)
      .to.contain("its chain has started anew since")
      .and.contain("hdp resume id-1 --lost");
    world.store.chain = { genesis: other, startsAnew: false };
    expect(await world.process().resume(named("id-1"))).to.have.length(1);
    world.store.chain = { genesis: other, startsAnew: true };
    const ended = await errorOf(async () => await world.process().resume(named("id-1")));
    expect(ended.message, "what is finalized cannot be given up")
      .to.match(/Submit it again: npx hardhat hdp:submit <file> --network \w+$/)
      .and.not.contain("--lost");
    world.store.chain = { startsAnew: true };
    await world.process().submit(requestOf(2));
    world.service.states.set("task-2", { name: "FINALIZED", phase: "finalized" });
    world.store.put(hashOf(2), 7n);
    world.store.chain = { genesis: other, startsAnew: true };
    expect(
      await world.process().resume(named("id-2")),
      "nobody knows for which chain it was sent",
    ).to.have.length(1);
  });
});

describe("results that are read", () => {
  let world: World;
  withWorld((made) => {
    world = made;
  });

  it("adds what the service adds to those that were submitted", async () => {
    await world.process().submit(requestOf(1));
    world.store.put(hashOf(1), 7n);
    world.store.put(hashOf(2), 8n);
    const read = world.process(1, {
      annotate: async (result, { serviceId }) =>
        await Promise.resolve({
          ...result,
          preimage: { felts: [BigInt(serviceId?.length ?? 0)], matches: true },
        }),
    });
    const results = await read.readAll(
      world.store.opened,
      [hashOf(1), hashOf(2)],
      "ETHEREUM_SEPOLIA",
    );
    expect(results.map(({ preimage }) => preimage?.felts)).to.deep.equal([[6n], undefined]);
  });

  it("looks for transactions that are not known, for all of a request at once", async () => {
    await world.process().submit(requestOf(1, 2));
    for (const block of [1, 2]) world.store.put(hashOf(block), 7n);
    const read = async (): Promise<unknown> =>
      await world.process().readAll(world.store.opened, [hashOf(1), hashOf(2)], "ETHEREUM_SEPOLIA");
    const looked: unknown[] = [];
    const { opened } = world.store;
    const readResults = opened.readResults.bind(opened);
    opened.readResults = async (hashes, options) => {
      looked.push(options?.withTransaction);
      return await readResults(hashes, options);
    };
    await read();
    const known = (...blocks: number[]): void => {
      const results = blocks.map((block) => ({
        ...world.store.put(hashOf(block), 7n),
        transactionHash: "0x01" as const,
      }));
      world.open().recordResults(
        "id-1",
        results.map((result) => ({ ...result, store: "0x02" })),
      );
      world.open().recordResults("id-1", results);
    };
    known(1);
    await read();
    known(1, 2);
    await read();
    expect(looked).to.deep.equal([true, true, false]);
  });
});

describe("what is known of submissions", () => {
  let world: World;
  withWorld((made) => {
    world = made;
  });

  it("tells of the newest accepted one of each task, also where a newer one has other tasks besides", async () => {
    await world.process().submit(requestOf(1));
    world.service.answer = "cut-after";
    await errorOf(async () => await world.process().submit(requestOf(1, 2), { force: true }));
    for (const block of [1, 2]) world.store.put(hashOf(block), 7n);
    const annotated: unknown[] = [];
    const process = world.process(1, {
      annotate: async (result, { id }) => {
        annotated.push([result.taskHash, id]);
        return await Promise.resolve(result);
      },
    });
    await process.readAll(world.store.opened, [hashOf(1), hashOf(2)], "ETHEREUM_SEPOLIA");
    expect(annotated).to.deep.equal([
      [hashOf(1), "id-1"],
      [hashOf(2), "id-2"],
    ]);
    world.service.answer = "accept";
    await world.process().submit(requestOf(3, 4));
    await world.process().submit(requestOf(3), { force: true });
    for (const block of [3, 4]) world.store.put(hashOf(block), 7n);
    annotated.length = 0;
    await process.readAll(world.store.opened, [hashOf(3), hashOf(4)], "ETHEREUM_SEPOLIA");
    expect(annotated).to.deep.equal([
      [hashOf(3), "id-4"],
      [hashOf(4), "id-3"],
    ]);
  });

  it("ends by the results of its own private inputs and injected state alone", async () => {
    const request = {
      ...requestOf(1),
      tasks: [...moduleRequest({ "0x1": "0x0" }).tasks, ...requestOf(1).tasks],
    };
    await world.process().submit(request);
    await world.process().submit(moduleRequest(undefined), { force: true });
    world.store.put(hashOfModule, 7n);
    world.store.put(hashOf(1), 8n);
    await world
      .process()
      .readAll(world.store.opened, [hashOfModule, hashOf(1)], "ETHEREUM_SEPOLIA");
    const read = (id: string): boolean[] =>
      requireRecord(world.open(), id).parts.map(({ word }) => word !== undefined);
    expect([read("id-1"), read("id-2")]).to.deep.equal([[false, true], [true]]);
  });

  it("lists what can be awaited: the parts that the service knows, none where the results were read all the same", async () => {
    await world.process().submit(requestOf(1));
    world.store.put(hashOf(1), 7n);
    await world.process().readAll(world.store.opened, [hashOf(1)], "ETHEREUM_SEPOLIA");
    expect(world.process().find("id-1").parts).to.have.length(1);
    world.service.answer = "cut-after";
    await errorOf(async () => await world.process().submit(requestOf(2)));
    expect((await errorOf(() => world.process().find(hashOf(2)))).code).to.equal("HDP-5009");
    world.store.put(hashOf(2), 7n);
    await world.process().readAll(world.store.opened, [hashOf(2)], "ETHEREUM_SEPOLIA");
    expect(world.process().find(hashOf(2))).to.deep.include({ id: "id-2", parts: [] });
  });

  it("asks with the signal of the caller", async () => {
    const { signal } = new AbortController();
    const signals: unknown[] = [];
    const { opened } = world.store;
    const statuses = opened.statuses.bind(opened);
    opened.statuses = async (hashes, options) => {
      signals.push(options?.signal);
      return await statuses(hashes);
    };
    for (const name of ["submit", "status"] as const) {
      const own = world.service[name].bind(world.service) as (...args: unknown[]) => unknown;
      Object.assign(world.service, {
        [name]: (asked: unknown, options?: CallOptions): unknown => {
          signals.push(options?.signal);
          return own(asked, options);
        },
      });
    }
    const process = world.process(1, {
      serviceHash: async (_, options) => {
        signals.push(options.signal);
        await Promise.resolve(undefined);
      },
    });
    await process.submit(requestOf(1), { signal });
    await process.requireAccepted(requireRecord(world.open(), "id-1"), "task-1", { signal });
    expect(signals).to.deep.equal([signal, signal, signal, signal]);
  });

  it("finds the chain of a task, wherever it was sent", async () => {
    const there = world.process(2, { url: "https://other.example" });
    await world.process().submit(requestOf(1));
    await there.submit({ ...requestOf(1), destinationChainId: "BASE_SEPOLIA" });
    await there.submit({ ...requestOf(2), destinationChainId: "BASE_SEPOLIA" });
    const chains = [1, 2, 3].map((block) => world.process().findDestination(hashOf(block)));
    expect(chains).to.deep.equal(["ETHEREUM_SEPOLIA", "BASE_SEPOLIA", undefined]);
    expect(world.process().find(hashOf(1)).id, "the one made here").to.equal("task-1");
    expect(there.find(hashOf(1)).id).to.equal("task-2");
    const error = await errorOf(() => world.process().find("task-3"));
    expect([error.code, error.path]).to.deep.equal(["HDP-6045", "id"]);
    expect(error.message).to.contain("other.example").and.contain("hdp.example.org");
  });

  it("takes a task that another service refused for one that was not submitted", async () => {
    world.service.answer = "refuse";
    const there = world.process(2, { url: "https://other.example" });
    await there.submit(requestOf(1)).catch(() => undefined);
    const [record] = world.open().withHashes([hashOf(1)]);
    expect(record?.state).to.equal("refused");
    expect(world.process().find(hashOf(1)).parts).to.deep.equal([]);
    const [task] = requestOf(1).tasks;
    const other = task && otherFormHash(task);
    expect(recordedInOtherForm(world.open(), other?.taskHash ?? "")).to.equal(undefined);
    world.service.answer = "accept";
    await there.submit(requestOf(1));
    expect(recordedInOtherForm(world.open(), other?.taskHash ?? "")?.task).to.not.equal(undefined);
  });

  it("finds the service's own hashes of tasks that were sent before", async () => {
    world.service.serviceTaskHashes = [hashOf(8), hashOf(9)];
    await world.process().submit(requestOf(1, 2));
    const [part] = (await world.process(2).submit(requestOf(2))).parts;
    expect(part?.serviceTaskHashes).to.deep.equal([hashOf(8), hashOf(9)]);
    world.service.serviceTaskHashes = undefined;
    await world.process().submit(requestOf(3));
    expect((await world.process(2).submit(requestOf(3))).parts[0]).not.to.have.property(
      "serviceTaskHashes",
    );
  });

  it("fails where one part failed, and records a name that comes to mean an end", async () => {
    await world.process().submit(requestOf(1));
    const submission = await world.process().submit(requestOf(1, 2));
    world.service.states.set("task-2", { name: "REJECTED", phase: "failed" });
    expect((await world.process().status(submission)).name).to.equal("REJECTED");
    world.service.states.set("task-1", { name: "RECEIVED", phase: "finalized" });
    await world.process().status(submission);
    expect(world.open().withServiceId("task-1")[0]?.state).to.equal("finalized");
    const part = { ...submission.parts[0], id: "foreign" } as SubmissionPart;
    expect(await world.process().status({ ...submission, parts: [part] })).to.include({
      name: "UNHEARD_OF",
    });
  });

  it("asks the service until every result was read, and the store then", async () => {
    const submission = await world.process().submit(requestOf(1, 2));
    world.service.states.set("task-1", { name: "FINALIZED", phase: "finalized" });
    const results = [1, 2].map((block) => world.store.put(hashOf(block), 7n));
    world.open().recordResults("id-1", results.slice(0, 1));
    await (await world.process().finish(submission)).results();
    expect(world.service.asked).to.have.length(1);
    await world.process().finish(submission);
    expect(world.service.asked).to.have.length(1);
  });

  it("ignores a result while the submission is being sent, and finds its id afterwards", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
    world.service.onArrival = async () => {
      arrive(undefined);
      await answered;
    };
    const sending = world.process(3).submit(requestOf(1));
    await arrived;
    world.store.put(hashOf(1), 7n);
    await world.process(2).readAll(world.store.opened, [hashOf(1)], "ETHEREUM_SEPOLIA");
    expect(world.open().byId("id-1")).to.include({ state: "sending" });
    answer(undefined);
    await sending;
    expect(world.open().byId("id-1")).to.include({ state: "accepted", serviceId: "task-1" });
    await world.process(2).readAll(world.store.opened, [hashOf(1)], "ETHEREUM_SEPOLIA");
    expect(world.open().byId("id-1")).to.include({ state: "finalized", serviceId: "task-1" });
  });

  it("reads the store of its chain, and asks for no other hash where there is one alone", async () => {
    const chains: unknown[] = [];
    const asked: (readonly Hex[])[] = [];
    const { opened } = world.store;
    const statuses = opened.statuses.bind(opened);
    opened.statuses = async (hashes) => {
      asked.push(hashes);
      return await statuses(hashes);
    };
    const process = world.process(1, {
      destination: async (chain) => {
        chains.push(chain);
        const stores = { chain: async () => await Promise.resolve(world.store.chain) };
        return await Promise.resolve({
          ...stores,
          openForReading: async () => await Promise.resolve(opened),
        });
      },
    });
    await process.submit(requestOf(1), { force: true });
    expect(asked, "by force, nothing is asked").to.deep.equal([]);
    world.store.put(hashOf(1), 7n);
    await process.results(process.find(hashOf(1)));
    expect(asked).to.deep.equal([]);
    world.service.serviceTaskHashes = [hashOf(8)];
    await process.submit(requestOf(2), { force: true });
    world.store.put(hashOf(8), 8n);
    const both = await process.readAll(opened, [hashOf(1), hashOf(2)], "ETHEREUM_SEPOLIA");
    expect(both.map(({ value }) => value)).to.deep.equal([7n, 8n]);
    const whether = "whether it was finalized before";
    expect(asked, whether).to.deep.equal([[hashOf(8)], [hashOf(1), hashOf(2), hashOf(8)]]);
    world.service.status = async () =>
      await Promise.reject(
        new ServiceFailure({ code: "HDP-2040", message: "no such task.", hints: [], endpoint: "" }),
      );
    expect(await process.status(process.find("task-1"))).to.deep.equal({
      name: "Finalized",
      phase: "finalized",
    });
    expect(new Set(chains)).to.deep.equal(new Set(["ETHEREUM_SEPOLIA"]));
  });
});

describe("two services on one host", () => {
  it("takes two services on one host for two by their path, and says so before it sends the same task to the second", async () => {
    const world = await World.create();
    try {
      await world.process(1, { url: "https://h.example/staging" }).submit(requestOf(1));
      const second = world.process(1, { url: "https://h.example/prod-s3cret" });
      expect((await second.submit(requestOf(1))).id).to.equal("task-2");
      expect(world.warnings).to.deep.equal([
        `${hashOf(1)} is sent although it is open at another address of the same host, h.example, as task-1.`,
      ]);
      expect(/staging|prod/.exec(await readFile(world.path, "latin1"))).to.equal(null);
    } finally {
      await world.remove();
    }
  });

  for (const url of [
    "http://hdp.example.org/v1",
    "https://hdp.example.org:443/v1/",
    "https://hdp.example.org./v1",
    "https://hdp.example.org//%761",
    "https://HDP.example.org/v1?apiKey=other",
  ]) {
    it(`takes ${url} for the address https://hdp.example.org/v1`, async () => {
      const world = await World.create();
      try {
        await world.process(1, { url: "https://hdp.example.org/v1" }).submit(requestOf(1));
        expect((await world.process(2, { url }).submit(requestOf(1))).id).to.equal("task-1");
        expect(world.service.arrivals.length).to.equal(1);
      } finally {
        await world.remove();
      }
    });
  }

  it("refuses a task that is open at the same address under another API version", async () => {
    const world = await World.create();
    try {
      await world.process().submit(requestOf(1));
      const batch = Object.assign(Object.create(world.service) as typeof world.service, {
        name: "batch",
      });
      const error = await errorOf(
        async () => await world.process(1, { processor: batch }).submit(requestOf(1)),
      );
      await isInTheWay(world.process(1, { processor: batch }), requestOf(1), error);
      expect(error.message).to.contain(
        `HDP-5015: task ${hashOf(1)} is open at hdp.example.org as task-1, where it was sent in the API version tasks.`,
      );
      expect(world.service.arrivals.length).to.equal(1);
      expect(
        (await world.process(1, { processor: batch }).submit(requestOf(1), { force: true })).id,
      ).to.equal("task-2");
    } finally {
      await world.remove();
    }
  });
});

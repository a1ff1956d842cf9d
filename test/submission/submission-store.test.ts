import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect } from "chai";

import type { SubmissionState } from "../../src/types.js";
import { Database } from "../../src/base/sqlite.js";
import { type NewSubmission, SubmissionStore } from "../../src/submission/submission-store.js";
import {
  errorOf,
  hashOf,
  moduleRequest,
  requestOf,
  STORE,
  withWorld,
  type World,
} from "./world.js";
import { VERSION } from "../../src/submission/schema.js";
import { type Sought, STATES } from "../../src/submission/model.js";

const GENESIS = `0x${"01".repeat(32)}` as const;
const OTHER_GENESIS = `0x${"02".repeat(32)}` as const;

describe("the database of submissions", () => {
  let world: World;
  let store: SubmissionStore;
  withWorld((made) => {
    world = made;
    store = world.open();
  });

  function add(id: string): void {
    store.insert({
      id,
      kind: "tasks",
      state: "sending",
      forced: false,
      network: "n",
      processor: "tasks",
      label: "a file",
      parts: [{ hash: hashOf(1), identity: id, live: true }],
    });
  }

  it("keeps what happened to a submission, in order, and says where it stands", () => {
    add("one");
    store.move("one", ["sending"], "accepted", { serviceId: "task-1" });
    world.clock.advance(1_000);
    store.observe("one", { name: "PROVING", phase: "pending", detail: "40 %" });
    store.observe("one", { name: "PROVING", phase: "pending", detail: "50 %" });
    store.observe("one", { name: "ERROR", phase: "failed" });
    const record = store.byId("one");
    const at = Date.parse("2026-01-01T00:00:00.000Z");
    expect(record?.history).to.deep.equal([
      { at, what: "sending", detail: "a file" },
      { at, what: "accepted", detail: "task-1" },
      { at: at + 1_000, what: "PROVING", detail: "40 %" },
      { at: at + 1_000, what: "ERROR" },
      { at: at + 1_000, what: "failed" },
    ]);
    expect(record?.explanation.summary).to.equal('Failed in state "ERROR".');
    expect(record?.seen).to.deep.equal({ name: "ERROR", phase: "failed", at: at + 1_000 });
    store.observe("one", { name: "REJECTED", phase: "failed" });
    expect(
      store
        .byId("one")
        ?.history.map(({ what }) => what)
        .slice(-3),
    ).to.deep.equal(["ERROR", "failed", "REJECTED"]);
    expect(store.move("nobody", ["sending"], "accepted", { serviceId: "task-1" })).to.equal(false);
    expect(record).to.include({ createdAt: at, updatedAt: at + 1_000 });
    store.insert({
      id: "two",
      kind: "tasks",
      state: "claimed",
      forced: false,
      network: "n",
      processor: "tasks",
      parts: [{ hash: hashOf(1), identity: "one", live: true }],
    });
    expect(store.byId("two")?.state, "a failed task may be sent again").to.equal("claimed");
  });

  it("keeps what a run computed, with integers of any size", () => {
    add("one");
    const computed = {
      word: "0x07",
      store: STORE,
      transactionHash: "0x02",
      blockNumber: 2n ** 70n,
      gasUsed: 5n,
      output: [1n, -2n],
      proven: true,
    } as never;
    store.recordComputed("one", [computed]);
    expect(store.byId("one")?.parts[0]).to.deep.include({
      transactionHash: "0x02",
      computed,
      word: undefined,
    });
  });

  it("ends a submission with its last result, and notes each result once", () => {
    add("one");
    const result = {
      taskHash: hashOf(1),
      word: "0x07",
      value: 7n,
      store: STORE,
      blockNumber: 12n,
    } as const;
    store.recordResults("one", [result]);
    store.recordResults("one", [result]);
    expect(store.byId("one")?.parts[0]).to.include({
      word: "0x07",
      store: STORE,
      blockNumber: 12n,
    });
    expect(store.byId("one")?.history.map(({ what }) => what)).to.deep.equal([
      "sending",
      "result",
      "finalized",
    ]);
  });

  it("knows the newest accepted submission of a hash, else the newest of unknown outcome, of a place and a chain", () => {
    const insert = (id: string, state: SubmissionState, more: Partial<NewSubmission>): void => {
      store.insert({
        id,
        kind: "tasks",
        state,
        forced: false,
        network: "n",
        processor: "tasks",
        endpoint: "here",
        parts: [{ hash: hashOf(1), identity: id, live: false }],
        ...more,
      });
    };
    const newest = (sought: Sought): string[] =>
      store.newest([hashOf(1), hashOf(2)], sought).map(({ id }) => id);
    const here = { endpoint: "here" };
    insert("given up", "lost", {});
    insert("refused", "refused", {});
    expect(newest(here)).to.deep.equal([]);
    insert("undecided", "unknown", { destinationChainId: "BASE_SEPOLIA" });
    insert("being sent", "sending", { destinationChainId: "ETHEREUM_SEPOLIA" });
    expect(newest(here)).to.deep.equal(["being sent"]);
    expect(newest({ ...here, destinationChainId: "BASE_SEPOLIA" })).to.deep.equal(["undecided"]);
    insert("accepted", "accepted", { serviceId: "task-1", destinationChainId: "ETHEREUM_SEPOLIA" });
    insert("failed", "failed", { serviceId: "task-2", destinationChainId: "BASE_SEPOLIA" });
    insert("later", "unknown", {});
    expect(newest(here)).to.deep.equal(["failed"]);
    expect(newest({ ...here, destinationChainId: "ETHEREUM_SEPOLIA" })).to.deep.equal(["accepted"]);
    expect(newest({ endpoint: "there" })).to.deep.equal([]);
    const other = [{ hash: hashOf(2), identity: "other", live: false }];
    insert("other", "accepted", { serviceId: "task-3", parts: other });
    expect(newest(here), "one of each hash").to.deep.equal(["failed", "other"]);
    expect(newest({})).to.deep.equal([]);
    insert("local", "finalized", { serviceId: "local", endpoint: undefined, processor: "local" });
    expect(newest({})).to.deep.equal(["local"]);
  });

  it("finalizes a submission with its last result only, and a failed one that its service finalizes later", () => {
    const parts = [1, 2].map((block) => ({
      hash: hashOf(block),
      identity: `${block}`,
      live: true,
    }));
    const kept = {
      kind: "tasks",
      state: "accepted",
      forced: false,
      network: "n",
      processor: "tasks",
    } as const;
    store.insert({ ...kept, id: "two", serviceId: "task-1", parts });
    const result = { word: "0x07", value: 7n, store: STORE } as const;
    store.recordResults("two", [{ ...result, taskHash: hashOf(1) }]);
    expect(store.byId("two")?.state).to.equal("accepted");
    store.observe("two", { name: "ERROR", phase: "failed" });
    store.observe("two", { name: "DONE", phase: "finalized" });
    expect(store.byId("two")?.state).to.equal("finalized");
    store.insert({ ...kept, id: "refused", state: "refused", parts: [] });
    const ids = (unfinished: boolean): string[] => store.list({ unfinished }).map(({ id }) => id);
    expect([ids(true), ids(false)]).to.deep.equal([["two"], ["two", "refused"]]);
  });

  it("keeps the service's own hash of a task until another id is recorded", () => {
    add("one");
    store.move("one", ["sending"], "accepted", { serviceId: "task-1" });
    store.recordServiceHash("one", hashOf(9));
    expect(store.byId("one")?.parts[0]?.serviceHash).to.equal(hashOf(9));
    store.move("one", ["accepted"], "accepted", { serviceId: "task-2" });
    expect(store.byId("one")?.parts[0]?.serviceHash).to.equal(undefined);
  });

  it("keeps private inputs in memory only", () => {
    const memory = new SubmissionStore({ now: () => 0 });
    for (const [one, value] of [
      [memory, "0xbeef"],
      [store, "0x0"],
    ] as const) {
      expect(one.holdsPrivateInputs).to.equal(one === memory);
      one.insert({
        id: "one",
        kind: "tasks",
        state: "claimed",
        forced: false,
        network: "n",
        processor: "local",
        request: moduleRequest(undefined, "0xbeef"),
        parts: [],
      });
      const [task] = one.byId("one")?.request?.tasks ?? [];
      expect(task?.type === "Module" && task.inputs.map((input) => input.value)).to.deep.equal([
        "0x1",
        value,
      ]);
    }
    memory.close();
  });

  it("reads as empty without a file, and after its file was deleted", async () => {
    expect([store.list(), store.mocks.of(GENESIS)]).to.deep.equal([[], undefined]);
    expect(existsSync(world.path)).to.equal(false);
    add("one");
    expect(store.list()).to.have.lengthOf(1);
    const [before] = store.list();
    await rm(world.path);
    expect([store.list(), before?.history]).to.deep.equal([[], []]);
    add("one");
    expect(store.list()).to.have.lengthOf(1);
  });

  it("says why a file cannot be looked at (HDP-5101), and takes a file in place of its folder for none", async () => {
    await mkdir(dirname(world.path), { recursive: true });
    await symlink(world.path, world.path);
    const error = await errorOf(() => store.list());
    expect(error.code).to.equal("HDP-5101");
    expect(error.shortMessage).to.match(/^the database cannot be written: ELOOP\b/);
    await rm(world.path);
    await writeFile(world.path, "");
    const below = new SubmissionStore({
      path: join(world.path, "hdp", "submissions.db"),
      now: () => 0,
    });
    expect(below.list()).to.deep.equal([]);
  });

  it("writes to the file that is there, also where another one took the place of the open one", async () => {
    add("one");
    await rename(world.path, `${world.path}.old`);
    const other = world.open();
    other.insert({
      id: "two",
      kind: "tasks",
      state: "claimed",
      forced: false,
      network: "n",
      processor: "p",
      parts: [],
    });
    expect(store.list().map(({ id }) => id)).to.deep.equal(["two"]);
    add("three");
    expect(other.list().map(({ id }) => id)).to.deep.equal(["two", "three"]);
  });

  it("notices damage of a task hash wherever the file has it", async () => {
    const hash = hashOf(1);
    store.insert({
      id: "one",
      kind: "tasks",
      state: "accepted",
      forced: false,
      network: "n",
      processor: "p",
      parts: [{ hash, identity: `tasks ${hash} #`, live: true }],
    });
    store.close();
    const whole = await readFile(world.path);
    let places = 0;
    for (let at = whole.indexOf(hash); at !== -1; at = whole.indexOf(hash, at + 1)) {
      places += 1;
      const damaged = Buffer.from(whole);
      damaged.write("e0", at + 10);
      await writeFile(world.path, damaged);
      const opened = world.open();
      expect((await errorOf(() => opened.withHashes([hash]))).code, `at ${at}`).to.equal(
        "HDP-5102",
      );
    }
    expect(places, "in the table, its identity, and their indexes").to.equal(5);
  });

  for (const [what, altered, use] of [
    ["a network", "a network", (opened) => opened.byId("one")],
    ["a request", "base_fee_per_gas", (opened) => opened.list()],
    ["a result", "0x7e57", (opened) => opened.withServiceId("task-1")],
    ["an event", "40 %", (opened) => opened.byId("one")?.history],
    ["a mock", "0xcccc", (opened) => opened.mocks.of(GENESIS)],
    [
      "who deploys a mock",
      "here:77",
      (opened) => opened.mocks.claimDeployment(OTHER_GENESIS, "here:2"),
    ],
    [
      "a network that is about to be recorded anew",
      "a network",
      (opened) => opened.move("one", ["accepted"], "failed"),
    ],
    [
      "a result that is read anew",
      "0x7e57",
      (opened) => opened.recordServiceHash("one", hashOf(9)),
    ],
    ["a mock that is replaced", "0xcccc", (opened) => opened.mocks.setDeployer(GENESIS, "here:2")],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (opened: SubmissionStore) => unknown,
  ])[]) {
    it(`refuses an altered byte of ${what}, which no index has`, async () => {
      store.insert({
        id: "one",
        kind: "tasks",
        state: "sending",
        forced: false,
        network: "a network",
        processor: "tasks",
        request: requestOf(1),
        parts: [{ hash: hashOf(1), identity: "one", live: true }],
      });
      store.move("one", ["sending"], "accepted", { serviceId: "task-1" });
      store.observe("one", { name: "PROVING", phase: "pending", detail: "40 %" });
      store.observe("one", { name: "STORING", phase: "pending" });
      const read = {
        word: `0x${"07".repeat(32)}`,
        value: 7n,
        store: STORE,
        transactionHash: "0x7e57",
      } as const;
      store.recordResults("one", [{ taskHash: hashOf(1), ...read }]);
      store.move("one", ["finalized"], "accepted");
      store.mocks.remember(GENESIS, { address: STORE, codeHash: "0xcccc" });
      store.mocks.claimDeployment(OTHER_GENESIS, "here:77");
      store.close();
      const bytes = await readFile(world.path);
      expect(bytes.includes(altered)).to.equal(true);
      // Earlier versions of a row may be left in unused parts of the file.
      for (let at = bytes.indexOf(altered); at !== -1; at = bytes.indexOf(altered, at))
        bytes.writeUInt8(0x2a, at + 2);
      await writeFile(world.path, bytes);
      expect((await errorOf(() => use(world.open()))).shortMessage).to.equal(
        "the database cannot be read: a row has another checksum.",
      );
    });
  }

  it("says of a large file with a damaged index, each time before something is sent, that it is damaged", async () => {
    const hashes = Array.from({ length: 1_200 }, (_, index) => hashOf(index + 1));
    store.transaction(() => {
      for (const [index, hash] of hashes.entries()) {
        store.insert({
          id: `id-${index}`,
          kind: "tasks",
          state: "accepted",
          forced: false,
          network: "n",
          processor: "p",
          request: requestOf(1),
          parts: [{ hash, identity: `tasks ${hash} #`, live: true }],
        });
      }
    });
    store.check();
    store.close();
    const bytes = await readFile(world.path);
    expect(bytes.length).to.be.greaterThan(2 ** 20);
    const [first = "", second = ""] = hashes;
    // Where the two are in one order, the table has them; the index of hashes has them in the order of their texts.
    for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
      bytes.write("f", at + 2);
    await writeFile(world.path, bytes);
    const opened = world.open();
    expect(opened.withHashes([second]).map(({ id }) => id)).to.deep.equal(["id-1"]);
    for (const time of [1, 2])
      expect((await errorOf(() => opened.check())).code, `time ${time}`).to.equal("HDP-5102");
  });

  it("keeps a request over a field that a data processor does not compute", () => {
    const [task] = requestOf(1).tasks;
    if (task?.type !== "DatalakeCompute") throw new TypeError("it is no datalake");
    const sampledProperty = { kind: "header", field: "logs_bloom" } as const;
    const request = {
      ...requestOf(),
      tasks: [{ ...task, datalake: { ...task.datalake, sampledProperty } as never }],
    };
    store.insert({
      id: "one",
      kind: "tasks",
      state: "accepted",
      forced: false,
      network: "n",
      processor: "p",
      request,
      parts: [],
    });
    expect(store.byId("one")?.request).to.deep.equal(request);
  });

  it("remembers the mock of a chain, and who deploys it", () => {
    expect(store.mocks.claimDeployment(GENESIS, "here:1")).to.equal(undefined);
    expect(store.mocks.claimDeployment(GENESIS, "here:2")).to.equal("here:1");
    expect(store.mocks.of(GENESIS)).to.equal(undefined);
    store.mocks.setDeployer(GENESIS, undefined);
    expect(store.mocks.claimDeployment(GENESIS, "here:2")).to.equal(undefined);
    store.mocks.remember(GENESIS, { address: STORE, codeHash: "0xcc" });
    expect(store.mocks.of(GENESIS)).to.deep.equal({ address: STORE, codeHash: "0xcc" });
    expect(store.mocks.claimDeployment(GENESIS, "here:3"), "whoever deployed it is done").to.equal(
      undefined,
    );
  });

  for (const deleted of [
    "DELETE FROM part WHERE position = 1",
    "DELETE FROM part",
    "PRAGMA foreign_keys = OFF; DELETE FROM submission",
  ]) {
    it(`sends nothing where another program has deleted rows: ${deleted}`, async () => {
      const submissions = world.process();
      await submissions.submit(requestOf(1, 2));
      const other = new DatabaseSync(world.path);
      other.function("checksum", { varargs: true }, () => 0);
      other.exec(deleted);
      other.close();
      for (const asked of [world.process(2), submissions]) {
        const error = await errorOf(async () => await asked.submit(requestOf(2)));
        expect([error.code, error.shortMessage]).to.deep.equal([
          "HDP-5102",
          "the database cannot be read: rows of submission id-1 were deleted.",
        ]);
      }
      expect(world.service.arrivals.length).to.equal(1);
    });
  }

  it("refuses values that others changed", async () => {
    add("one");
    const other = new Database({ path: world.path, schema: "", version: VERSION });
    other.run("UPDATE part SET block = 'many'");
    expect((await errorOf(() => store.byId("one"))).shortMessage).to.equal(
      "the database cannot be read: Cannot convert many to a BigInt.",
    );
    expect((await errorOf(() => store.byId("one"))).cause).to.be.instanceOf(SyntaxError);
    other.run("UPDATE part SET block = NULL");
    for (const computed of ["null", "7", "{}", '[{"word":null}]']) {
      other.run("UPDATE part SET computed = ?", computed);
      expect(store.byId("one")?.parts[0]?.computed, computed).to.equal(undefined);
    }
    other.run("UPDATE submission SET state = 'gone'");
    expect((await errorOf(() => store.byId("one"))).shortMessage).to.equal(
      `the database cannot be read: "gone" where one of ${Object.keys(STATES).join(", ")} belongs.`,
    );
    other.close();
  });
});

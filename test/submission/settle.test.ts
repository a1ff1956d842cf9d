import { expect } from "chai";

import { keysOf } from "../../src/base/collections.js";
import type { SubmissionKind, SubmissionState } from "../../src/types.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { STATES } from "../../src/submission/model.js";
import { Pipeline } from "../../src/submission/pipeline.js";
import { recordNamed, requireRecord } from "../../src/submission/lookup.js";
import {
  forgotten,
  notItsId,
  notResumable,
  settle,
  settleByRegistry,
} from "../../src/submission/settle.js";
import type { SubmissionStore } from "../../src/submission/submission-store.js";
import { errorOf, hashOf, outcomeOf, withWorld, type World } from "./world.js";

describe("the name of a submission", () => {
  let world: World;
  let store: SubmissionStore;
  withWorld((made) => {
    world = made;
    store = world.open();
  });

  function add(id: string, serviceId?: string, endpoint = "here", hash: string = hashOf(1)): void {
    const parts = [{ hash, identity: id, live: false }];
    const state: SubmissionState = serviceId === undefined ? "unknown" : "accepted";
    store.insert({
      id,
      kind: "tasks",
      state,
      forced: false,
      network: "n",
      processor: "tasks",
      endpoint,
      serviceId,
      parts,
    });
  }
  const named = (name: string, ...here: [endpoint?: string]): string | undefined =>
    (here.length === 0
      ? recordNamed(store, name)
      : recordNamed(store, name, ({ endpoint }) => endpoint === here[0])
    )?.id;

  it("means our id before all others, then an id of the service in full", () => {
    add("first", "task-1");
    add("task-1", "task-10");
    add("third", "task-2");
    add("fourth", "task-20");
    expect(named("task-1")).to.equal("task-1");
    expect(named("task-2")).to.equal("third");
  });

  it("accepts the beginning of one id, of four characters at least", () => {
    add("abcdef", "service-1");
    add("xyz", "wxyz-2");
    expect([named("abcd"), named("wxyz"), named("servi")]).to.deep.equal([
      "abcdef",
      "xyz",
      "abcdef",
    ]);
    expect([named("abc"), named("wxy"), named("bcde")]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    add("abcdeg");
    expect([named("abcde"), named("abcdeg")]).to.deep.equal([undefined, "abcdeg"]);
    add("ab", "s");
    expect(named("s"), "a whole id may be shorter").to.equal("ab");
  });

  it("accepts a task hash for the submission here, that was accepted, that is newest", () => {
    add("accepted", "task-1");
    add("newer", "task-2");
    add("unknown");
    add("there", "task-3", "there");
    expect(named(hashOf(1), "here")).to.equal("newer");
    expect(named(hashOf(1), "there")).to.equal("there");
    expect(named(hashOf(1), "nowhere"), "one of another service rather than none").to.equal(
      "there",
    );
    expect(named(hashOf(1))).to.equal("there");
    add("one", undefined, "here", hashOf(2));
    add("two", undefined, "here", hashOf(2));
    add("three", undefined, "here", hashOf(2));
    expect(named(hashOf(2)), "none was accepted").to.equal("three");
    expect(named(hashOf(3))).to.equal(undefined);
  });

  it("refuses a name that fits no submission", async () => {
    add("id-1");
    const error = await errorOf(() => requireRecord(store, "nobody"));
    expect(error.code).to.equal("HDP-5010");
    expect(
      error.hints,
      "no number: a chain in the process has submissions of its own",
    ).to.have.lengthOf(1);
    expect(error.hints[0]).to.include("npx hardhat hdp list");
  });

  it("refuses a name with how many submissions it fits, of four characters at least", async () => {
    add("id-10");
    add("id-11");
    const hints = async (name: string): Promise<readonly string[]> =>
      (await errorOf(() => requireRecord(store, name))).hints;
    expect((await hints("id-1"))[1]).to.equal("2 ids begin so: give more.");
    expect(await hints("id-")).to.have.lengthOf(1);
  });

  it("says what can be done where the submission cannot be waited for", () => {
    add("id-1");
    add("id-2", "task-2");
    expect(
      notResumable(requireRecord(store, "id-1")).message.split("\n").slice(0, 2),
    ).to.deep.equal([
      "HDP-5009: submission id-1 cannot be resumed: it is unknown, and the service's id for it is not known.",
      "  Submission id-1: Was sent to the tasks data processor at 2026-01-01T00:00:00.000Z, and no answer says whether it was accepted.",
    ]);
    void store.move("id-1", ["unknown"], "lost");
    expect(notResumable(requireRecord(store, "id-1")).message.split("\n")).to.deep.equal([
      "HDP-5009: submission id-1 cannot be resumed: it is given up, and the service's id for it is not known.",
      "  Submission id-1: Given up.",
      "  Send it again: npx hardhat hdp:submit <file> --network n",
      "  If the service shows it, name its id: npx hardhat hdp resume id-1 --accepted <service id> --network n",
    ]);
    expect(notResumable(requireRecord(store, "id-2")).shortMessage).to.equal(
      "submission task-2 cannot be resumed: it is accepted.",
    );
  });

  it("prefers the service's id where another id was given for it, of a call what it is", () => {
    add("id-1");
    add("id-2", "task-2");
    const parts = [{ hash: "0x1", identity: "call", live: true }];
    const call = {
      id: "id-3",
      kind: "storage-proof",
      state: "accepted",
      serviceId: "proof-1",
      parts,
    } as const;
    store.insert({ ...call, forced: false, network: "n", processor: "storage-proof" });
    const said = (id: string): string =>
      notItsId(requireRecord(store, id), "task-9", "it is of another task").message;
    expect(["id-1", "id-2", "id-3"].map((id) => said(id).split("\n")[0])).to.deep.equal([
      "HDP-5017: task-9 is not the service's id of submission id-1: it is of another task. Nothing was recorded.",
      "HDP-5017: task-9 is not the service's id of submission task-2: it is of another task. Nothing was recorded.",
      "HDP-5017: task-9 is not the service's id of storage proof request: it is of another task. Nothing was recorded.",
    ]);
  });

  it("suggests a command to give up a submission that its service may have forgotten and that has no end", () => {
    const unknown = hdpError("HDP-2040", {
      service: "the service",
      endpoint: "GET /tasks/task-2",
      setting: "",
      status: 404,
    });
    const other = hdpError("HDP-2004", {
      what: "a registry",
      where: undefined,
      example: undefined,
    });
    add("id-1");
    add("id-2", "task-2");
    const live = requireRecord(store, "id-2");
    const told = forgotten(unknown, live);
    expect(told).to.be.instanceOf(Error).with.property("code", "HDP-2040");
    expect(String(told)).to.include("The service may have forgotten the submission.");
    expect(String(told)).to.include("npx hardhat hdp resume id-2 --lost --network n");
    expect(forgotten(other, live)).to.equal(other);
    expect(forgotten(unknown, undefined)).to.equal(unknown);
    expect(forgotten(unknown, requireRecord(store, "id-1")), "it was not accepted").to.equal(
      unknown,
    );
    store.move("id-2", ["accepted"], "finalized");
    store.recordResults("id-2", [{ taskHash: hashOf(1), word: "0x07", value: 7n, store: "0x05" }]);
    expect(forgotten(unknown, requireRecord(store, "id-2")), "its result was read").to.equal(
      unknown,
    );
  });
});

describe("what a person finds out of a submission", () => {
  let world: World;
  let store: SubmissionStore;
  let pipeline: Pipeline;
  withWorld((made) => {
    world = made;
    store = world.open();
    pipeline = new Pipeline({ store, system: world.system(), outcomeOf });
  });

  function add(state: SubmissionState, kind: SubmissionKind = "tasks"): string {
    const id = `${kind} ${state}`;
    const parts = [{ hash: "0x1", identity: id, live: true }];
    store.insert({ id, kind, state, forced: false, network: "n", processor: "tasks", parts });
    return id;
  }

  for (const [as, allowed] of [
    ["lost", ["claimed", "sending", "unknown", "accepted", "finalized"]],
    ["accepted", ["sending", "unknown", "accepted", "finalized", "failed", "lost"]],
  ] as const) {
    it(`records ${as} of a submission that is ${allowed.join(", ")}, and of no other`, async () => {
      const taken: string[] = [];
      for (const state of keysOf(STATES)) {
        const record = requireRecord(store, add(state));
        const now = await settle(store, pipeline, record, { as, reason: "so" }).catch(
          () => undefined,
        );
        if (now === undefined) continue;
        taken.push(state);
        expect(now).to.include({ state: as, reason: "so" });
      }
      expect(taken).to.deep.equal(allowed);
    });
  }

  it("records no submission as lost whose results were read", async () => {
    const record = requireRecord(store, add("finalized"));
    store.recordResults(record.id, [{ taskHash: "0x1", word: "0x07", value: 7n, store: "0x05" }]);
    const error = await errorOf(
      async () => await settle(store, pipeline, requireRecord(store, record.id), { as: "lost" }),
    );
    expect(error.code).to.equal("HDP-5011");
  });

  it("records an upload of unknown outcome as lost, and no finished one", async () => {
    const finished = requireRecord(store, add("finalized", "program"));
    const error = await errorOf(
      async () => await settle(store, pipeline, finished, { as: "lost" }),
    );
    expect(error.code).to.equal("HDP-5011");
    const open = requireRecord(store, add("unknown", "program"));
    expect((await settle(store, pipeline, open, { as: "lost" })).state).to.equal("lost");
  });

  it("awaits what is left where an id is named of one of whose results one was read", async () => {
    const parts = [1, 2].map((one) => ({ hash: `0x${one}`, identity: `two ${one}`, live: true }));
    store.insert({
      id: "two",
      kind: "tasks",
      state: "finalized",
      forced: false,
      network: "n",
      processor: "tasks",
      parts,
    });
    store.recordResults("two", [{ taskHash: "0x1", word: "0x07", value: 7n, store: "0x05" }]);
    const named = await settle(store, pipeline, requireRecord(store, "two"), {
      as: "accepted",
      serviceId: "task-1",
    });
    expect(named).to.include({ state: "accepted", serviceId: "task-1" });
  });

  it("waits for the answer to what is being sent: an id is recorded after it, a loss is not", async () => {
    for (const as of ["accepted", "lost"] as const) {
      store.insert({
        id: as,
        kind: "tasks",
        state: "sending",
        forced: false,
        network: "n",
        processor: "tasks",
        sender: "here:9",
        parts: [{ hash: "0x1", identity: as, live: true }],
      });
      world.clock.sleep = async () => {
        store.move(as, ["sending"], "unknown");
        await Promise.resolve();
      };
      const ended = settle(store, pipeline, requireRecord(store, as), { as, serviceId: "task-1" });
      if (as === "accepted")
        expect(await ended).to.include({ state: "accepted", serviceId: "task-1" });
      else {
        const error = await errorOf(async () => await ended);
        expect(error.code).to.equal("HDP-5011");
        expect(error.hints.at(-1)).to.match(/^It was being sent when this was said\. /);
        expect(store.byId(as)?.state).to.equal("unknown");
      }
    }
  });

  it("gives up nothing that became accepted since it was looked at", async () => {
    const record = requireRecord(store, add("unknown"));
    store.move(record.id, ["unknown"], "accepted", { serviceId: "task-1" });
    const error = await errorOf(async () => await settle(store, pipeline, record, { as: "lost" }));
    expect(error.code).to.equal("HDP-5011");
    expect(store.byId(record.id)?.state).to.equal("accepted");
  });

  it("ends by what the service says again where its own id is named of one that had ended", async () => {
    const id = add("unknown", "storage-proof");
    store.move(id, ["unknown"], "accepted", { serviceId: "proof-1" });
    store.observe(id, { name: "DONE", phase: "finalized" });
    await settle(store, pipeline, requireRecord(store, id), {
      as: "accepted",
      serviceId: "proof-1",
    });
    expect(store.byId(id)).to.include({ state: "accepted", seen: undefined });
    store.observe(id, { name: "DONE", phase: "finalized" });
    expect(store.byId(id)?.state).to.equal("finalized");
  });

  it("stays finalized where an id is named of one whose results were read", async () => {
    const id = add("finalized");
    const word = `0x${"01".repeat(32)}` as const;
    store.recordResults(id, [
      { taskHash: "0x1", word, value: BigInt(word), store: `0x${"aa".repeat(20)}` },
    ]);
    const named = await settle(store, pipeline, requireRecord(store, id), {
      as: "accepted",
      serviceId: "task-1",
    });
    expect(named).to.include({ state: "finalized", serviceId: "task-1" });
  });

  it("finalizes a program that was accepted, and awaits a storage proof request", async () => {
    for (const [kind, expected] of [
      ["program", "finalized"],
      ["storage-proof", "accepted"],
    ] as const) {
      const record = requireRecord(store, add("unknown", kind));
      expect((await settle(store, pipeline, record, { as: "accepted" })).state).to.equal(expected);
    }
  });

  it("finalizes a program that the registry has", async () => {
    const asked: string[] = [];
    const metadata = async (hash: string): Promise<void> => {
      asked.push(hash);
      await Promise.resolve();
    };
    for (const state of ["unknown", "sending"] as const) {
      const record = requireRecord(store, add(state, "program"));
      await settleByRegistry(store, pipeline, record, metadata);
      expect(store.byId(record.id)).to.include({ state: "finalized", serviceId: "0x1" });
    }
    expect(asked).to.deep.equal(["0x1", "0x1"]);
  });

  for (const [failure, message] of [
    [
      hdpError("HDP-2041", { hash: "0x1" }),
      "HDP-5009: program upload program STATE cannot be resumed: it is unknown, and the registry does not know the program.",
    ],
    [
      hdpError("HDP-2004", { what: "a registry", where: undefined, example: undefined }),
      "HDP-5009: program upload program STATE cannot be resumed: it is unknown, and the service's id for it is not known.",
    ],
    [new Error("the registry does not answer"), "the registry does not answer"],
  ] as const) {
    it(`leaves an upload undecided where the registry answers: ${failure.message.split("\n")[0]}`, async () => {
      for (const state of ["unknown", "sending"] as const) {
        const record = requireRecord(store, add(state, "program"));
        const error: unknown = await settleByRegistry(
          store,
          pipeline,
          record,
          async () => await Promise.reject(failure),
        ).catch((cause: unknown) => cause);
        expect(error instanceof Error ? error.message.split("\n")[0] : error).to.equal(
          message.replaceAll("STATE", state),
        );
        expect(store.byId(record.id)?.state).to.equal(state);
      }
    });
  }

  it("records nothing where the wait for the sender was broken off", async () => {
    store.insert({
      id: "one",
      kind: "tasks",
      state: "sending",
      forced: false,
      network: "n",
      processor: "tasks",
      sender: "here:9",
      parts: [{ hash: "0x1", identity: "i", live: true }],
    });
    world.clock.sleep = async () => await Promise.reject(new Error("broken off"));
    const ended = await settle(store, pipeline, requireRecord(store, "one"), { as: "lost" }).catch(
      (error: unknown) => error,
    );
    expect(ended).to.have.property("message", "broken off");
    expect(store.byId("one")?.state).to.equal("sending");
  });
});

import { expect } from "chai";

import { Pipeline } from "../../src/submission/pipeline.js";
import { requireRecord } from "../../src/submission/lookup.js";
import { settle } from "../../src/submission/settle.js";
import { errorOf, hashOf, outcomeOf, requestOf, World } from "./world.js";

describe("submissions of several processes at once", () => {
  let world: World;
  /** Lets the requests that have arrived be answered. */
  let answer: () => void;
  beforeEach(async () => {
    world = await World.create();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    answer = () => {
      resolve(undefined);
    };
    world.service.onArrival = async () => {
      await promise;
    };
  });
  afterEach(async () => {
    await world.remove();
  });

  async function untilArrived(count = 1): Promise<void> {
    while (world.service.arrivals.length < count) await new Promise(setImmediate);
  }

  const pipeline = (pid: number): Pipeline =>
    new Pipeline({ store: world.open(), system: world.system(pid), outcomeOf });

  it("send one task once, and all take the answer", async () => {
    world.clock.sleep = async () => {
      await new Promise(setImmediate);
    };
    const all = [1, 2, 3, 4].map(async (pid) => await world.process(pid).submit(requestOf(7)));
    await untilArrived();
    answer();
    expect((await Promise.all(all)).map(({ id }) => id)).to.deep.equal([
      "task-1",
      "task-1",
      "task-1",
      "task-1",
    ]);
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("send different tasks side by side", async () => {
    const all = [1, 2, 3].map(async (block) => await world.process(block).submit(requestOf(block)));
    await untilArrived(3);
    answer();
    expect((await Promise.all(all)).map(({ taskHashes }) => taskHashes[0])).to.deep.equal(
      [1, 2, 3].map(hashOf),
    );
  });

  it("send the task themselves when the one who was sending it was refused", async () => {
    world.service.answer = "refuse";
    world.service.onArrival = () => undefined;
    const ended = await Promise.allSettled(
      [1, 2].map(async (pid) => await world.process(pid).submit(requestOf(7))),
    );
    expect(ended.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    expect(
      world
        .open()
        .list()
        .map(({ state }) => state),
    ).to.deep.equal(["refused", "refused"]);
  });

  it("name the process that is sending for longer than their patience, and send nothing", async () => {
    const first = world.process(4711).submit(requestOf(7));
    await untilArrived();
    const error = await errorOf(async () => await world.process(2).submit(requestOf(7)));
    expect(error.message).to.equal(
      "HDP-5003: process here:4711 has been sending submission id-1 for longer than 90 s. Nothing was sent.\n" +
        "  Wait until it has its answer, or end it, and run the command again.\n" +
        "  Where the service shows it, name its id: npx hardhat hdp resume id-1 --accepted <service id> --network sepolia\n" +
        "  Where it has ended, on another machine, and the service does not show it, give the submission up: npx hardhat hdp resume id-1 --lost --network sepolia",
    );
    answer();
    expect((await first).id).to.equal("task-1");
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("wait for an answer before a submission is given up, and give up nothing that it accepted", async () => {
    world.clock.sleep = async () => {
      answer();
      await new Promise(setImmediate);
    };
    const sending = world.process(3).submit(requestOf(7));
    await untilArrived();
    const store = world.open();
    const giveUp = async () =>
      await settle(store, pipeline(2), requireRecord(store, "id-1"), { as: "lost" });
    expect((await errorOf(giveUp)).message).to.equal(
      "HDP-5011: submission task-1 is accepted and cannot be recorded as lost. Nothing was changed.\n" +
        "  npx hardhat hdp list shows where each submission stands.\n" +
        "  It was being sent when this was said. Accepted as task-1, last seen as accepted.",
    );
    expect((await sending).id).to.equal("task-1");
    expect(await giveUp(), "of one that was seen to be accepted").to.include({
      state: "lost",
      serviceId: "task-1",
    });
  });

  it("takes a submission as lost or accepted where it is unknown whether the sender still runs", async () => {
    const store = world.open();
    const record = {
      kind: "tasks",
      state: "sending",
      forced: false,
      network: "n",
      processor: "tasks",
    } as const;
    for (const id of ["one", "other"]) {
      store.insert({
        ...record,
        id,
        sender: "elsewhere:1",
        parts: [{ hash: "0x1", identity: id, live: true }],
      });
    }
    expect(
      (await settle(store, pipeline(2), requireRecord(store, "one"), { as: "lost" })).state,
    ).to.equal("lost");
    const found = { as: "accepted", serviceId: "task-9" } as const;
    expect(
      (await settle(store, pipeline(2), requireRecord(store, "other"), found)).serviceId,
    ).to.equal("task-9");
  });

  it("keep the service's id where a person named another one before the answer came", async () => {
    const sending = world.process(3).submit(requestOf(7));
    await untilArrived();
    const store = world.open();
    await settle(store, pipeline(2), requireRecord(store, "id-1"), {
      as: "accepted",
      serviceId: "mistyped",
    });
    answer();
    await sending;
    expect(store.byId("id-1")).to.include({ state: "accepted", serviceId: "task-1" });
  });

  it("sends nothing that was given up before it left", async () => {
    const store = world.open();
    const record = {
      kind: "tasks",
      state: "claimed",
      forced: false,
      network: "n",
      processor: "tasks",
    } as const;
    store.insert({ ...record, id: "c", parts: [{ hash: "0x1", identity: "i", live: true }] });
    await settle(store, pipeline(2), requireRecord(store, "c"), { as: "lost" });
    expect(store.move("c", ["claimed"], "sending")).to.equal(false);
  });
});

describe("a submission that a person settles", () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
    world.service.answer = "cut-after";
    await errorOf(async () => await world.process().submit(requestOf(1)));
    world.service.answer = "accept";
  });
  afterEach(async () => {
    await world.remove();
  });

  const settled = async (finding: Parameters<typeof settle>[3]): Promise<string> => {
    const store = world.open();
    const pipeline = new Pipeline({ store, system: world.system(), outcomeOf });
    return (await settle(store, pipeline, requireRecord(store, "id-1"), finding)).state;
  };

  it("opens it again under the id that the service shows", async () => {
    expect(await settled({ as: "accepted", serviceId: "task-1" })).to.equal("accepted");
    expect((await world.process().submit(requestOf(1))).id).to.equal("task-1");
    expect(world.service.arrivals.length).to.equal(1);
  });

  it("sends it again when it is given up, and may still find it accepted", async () => {
    expect(await settled({ as: "lost", reason: "given up by the user" })).to.equal("lost");
    expect((await world.process().submit(requestOf(1))).id).to.equal("task-2");
    expect(await settled({ as: "accepted", serviceId: "task-1" })).to.equal("accepted");
  });

  it("corrects a wrong id that was recorded, of which nothing stays", async () => {
    await settled({ as: "accepted", serviceId: "task-9" });
    world.open().observe("id-1", { name: "ERROR", phase: "failed" });
    expect(await settled({ as: "accepted", serviceId: "task-1" })).to.equal("accepted");
    expect(world.open().byId("id-1")).to.include({ serviceId: "task-1", seen: undefined });
  });

  it("stays what it is where its state does not allow the change", async () => {
    await settled({ as: "lost", reason: "given up by the user" });
    const error = await errorOf(async () => await settled({ as: "lost" }));
    expect(error.message).to.equal(
      "HDP-5011: submission id-1 is lost and cannot be recorded as lost. Nothing was changed.\n" +
        "  npx hardhat hdp list shows where each submission stands.",
    );
    expect(world.open().byId("id-1")?.reason).to.equal("given up by the user");
  });
});

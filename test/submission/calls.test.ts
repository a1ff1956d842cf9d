import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { expect } from "chai";
import type { Hex } from "viem";

import { HttpClient, isServiceFailure } from "../../src/entries/service.js";
import type { SubmissionKind } from "../../src/types.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { outcomeOfCall } from "../../src/plugin/charged-calls.js";
import { serviceFailure } from "../../src/service/http/service-errors.js";
import type { Target } from "../../src/submission/model.js";
import { Pipeline, type PipelineOptions } from "../../src/submission/pipeline.js";
import type { Call, Sent, SentOnce, Work } from "../../src/submission/work.js";
import { workIdentity } from "../../src/submission/plan.js";
import type { SubmissionStore } from "../../src/submission/submission-store.js";
import { nodeSystem } from "../../src/submission/system.js";
import { rejection } from "../support/failure.js";
import { httpServer, sendText } from "../support/odd-servers.js";
import {
  errorOf,
  hashOf,
  moduleRequest,
  outcomeOf,
  Refusal,
  requestOf,
  STORE,
  withWorld,
  World,
} from "./world.js";

const TARGET: Target = {
  network: "sepolia",
  processor: "program",
  host: "hdp.example.org",
  endpoint: "e1",
};
const CONTENT = "sha256:aa";

describe("a call that costs", () => {
  let world: World;
  let store: SubmissionStore;
  withWorld((made) => {
    world = made;
    store = world.open();
  });

  const pipeline = (options: Partial<PipelineOptions> = {}): Pipeline =>
    new Pipeline({ store, system: world.system(), outcomeOf, ...options });

  function work(more: Partial<Work<string>> = {}): Work<string> {
    const { kind = "program", target = TARGET } = more;
    return {
      kind,
      target,
      items: [{ hash: CONTENT, identity: workIdentity(kind, CONTENT, target) }],
      label: "main.json",
      send: async () => await Promise.resolve({ answer: "yes", serviceId: "p-1" }),
      ...more,
    };
  }

  it("sends a call once, records it under its name, and finalizes it where nothing is left to wait for", async () => {
    const keys: string[] = [];
    const send = async (_: unknown, once: SentOnce): Promise<Sent<string>> => {
      keys.push(once.idempotencyKey);
      return await Promise.resolve({ answer: "yes", serviceId: "p-1", isDone: true });
    };
    const first = await pipeline().submit(work({ send }));
    expect(first.sent).to.deep.equal({ id: "id-1", answer: "yes" });
    const again = await pipeline().submit(work({ send }));
    expect(again.sent).to.equal(undefined);
    expect(again.plan.decisions[0]).to.have.nested.property("record.id", "id-1");
    expect(keys).to.deep.equal(["id-1"]);
    expect(store.byId("id-1")).to.include({
      kind: "program",
      label: "main.json",
      state: "finalized",
      serviceId: "p-1",
      forced: false,
      request: undefined,
    });
  });

  it("stays accepted where something is left to wait for", async () => {
    await pipeline().submit(work());
    expect(store.byId("id-1")?.state).to.equal("accepted");
  });

  it("keeps the same from being recorded a second time while it is open", async () => {
    await pipeline().submit(work());
    const { identity } = work().items[0] ?? { identity: "" };
    const parts = [{ hash: CONTENT, identity, live: true }];
    const second = {
      id: "second",
      kind: "program",
      state: "claimed",
      forced: false,
      ...TARGET,
      parts,
    } as const;
    expect(() => {
      store.insert(second);
    }).to.throw("UNIQUE constraint failed: part.identity");
    store.release("id-1");
    store.insert(second);
    expect(store.byId("second")?.state).to.equal("claimed");
  });

  it("reports what is not sent, and nothing where all is sent", async () => {
    const plans: string[][] = [];
    const onPlan: Work<string>["onPlan"] = ({ decisions }) =>
      plans.push(decisions.map(({ kind }) => kind));
    await pipeline().submit(work({ onPlan }));
    expect(plans).to.deep.equal([]);
    await pipeline().submit(work({ onPlan }));
    expect(plans).to.deep.equal([["reuse"]]);
    const other = { ...TARGET, endpoint: "e2" };
    await pipeline().submit(work({ onPlan, target: other }));
    expect(plans).to.deep.equal([["reuse"], ["send"]]);
  });

  it("ends with the reason of an abort, also where nothing was to be sent", async () => {
    await pipeline().submit(work());
    const signal = AbortSignal.abort(new Error("enough"));
    const ended = await pipeline()
      .submit(work({ signal }))
      .catch((error: unknown) => error);
    expect(ended).to.have.property("message", "enough");
    expect(store.byId("id-1")?.state).to.equal("accepted");
  });

  it("names what is of unknown outcome, and sends it no more", async () => {
    const lost = new Error("cut");
    const send = async (): Promise<never> => await Promise.reject(lost);
    const error = await errorOf(async () => await pipeline().submit(work({ send })));
    expect(error.shortMessage).to.equal(
      "it is not known whether program upload main.json (id-1) was accepted (Error).",
    );
    expect(error.cause).to.equal(lost);
    const again = await errorOf(async () => await pipeline().submit(work()));
    expect(again.message).to.equal(
      "HDP-5005: it is not known whether the service accepted program upload main.json, sent before. Nothing was sent.\n" +
        "  Program upload main.json id-1: Was sent to hdp.example.org at 2026-01-01T00:00:00.000Z, and no answer says whether it was accepted (Error).\n" +
        "  Ask the registry for it: npx hardhat hdp resume id-1 --network sepolia\n" +
        "  If the service shows it, name its id: npx hardhat hdp resume id-1 --accepted <service id> --network sepolia\n" +
        "  Give it up, so that it can be sent again: npx hardhat hdp resume id-1 --lost --network sepolia\n" +
        "  Send it again: npx hardhat hdp:program:upload <file> --force --network sepolia (if the first was accepted it is done, and charged, twice)",
    );
  });

  it("calls it undecided where no process is known to send it", async () => {
    const { identity } = work().items[0] ?? { identity: "" };
    const parts = [{ hash: CONTENT, identity, live: true }];
    store.insert({
      id: "alone",
      kind: "program",
      state: "sending",
      forced: false,
      ...TARGET,
      parts,
    });
    expect((await errorOf(async () => await pipeline().submit(work()))).code).to.equal("HDP-5005");
  });

  it("refuses a call that is open under another API version", async () => {
    await pipeline().submit(work());
    const target = { ...TARGET, processor: "program-2" };
    const error = await errorOf(async () => await pipeline().submit(work({ target })));
    expect(error.shortMessage).to.equal(
      "program upload main.json is open at hdp.example.org as p-1, where it was sent in the API version program. Nothing was sent.",
    );
  });

  it("keeps the error of a refusal that cannot be recorded", async () => {
    const send = async (): Promise<never> => {
      store.close();
      await world.remove();
      await writeFile(world.folder, "in the way");
      throw new Refusal("no");
    };
    const ended = await pipeline()
      .submit(work({ send }))
      .catch((error: unknown) => error);
    expect(ended).to.be.instanceOf(Refusal);
  });

  it("waits in longer and longer pauses for another process, up to its patience", async () => {
    const { identity } = work().items[0] ?? { identity: "" };
    const parts = [{ hash: CONTENT, identity, live: true }];
    const record = { kind: "program", state: "sending", forced: false, ...TARGET } as const;
    store.insert({ ...record, id: "busy", sender: "here:9", parts });
    const error = await errorOf(async () => await pipeline({ patience: 510 }).submit(work()));
    expect([error.code, world.clock.pauses]).to.deep.equal([
      "HDP-5003",
      [10, 20, 40, 80, 160, 200],
    ]);
  });

  for (const [what, more, message, hints] of [
    [
      "a program that was accepted",
      { send: { answer: "yes", serviceId: "it's" } },
      "the service accepted program upload main.json as it's, but the answer could not be recorded.",
      [
        "Once the database can be written again: npx hardhat hdp resume id-1 --accepted 'it'\\''s' --network sepolia",
      ],
    ],
    [
      "a grow order without an id",
      { kind: "grow-order", send: { answer: "yes" } },
      "the service accepted grow order main.json, but the answer could not be recorded.",
      [
        "Once the database can be written again: npx hardhat hdp resume id-1 --accepted <service id> --network sepolia",
      ],
    ],
    [
      "tasks",
      { kind: "tasks", send: { answer: "yes", serviceId: "task-1" } },
      "the service accepted 1 task as task-1, but the answer could not be recorded.",
      [
        `Task ${CONTENT}`,
        "Once the database can be written again: npx hardhat hdp resume id-1 --accepted task-1 --network sepolia",
      ],
    ],
  ] as const satisfies readonly [
    string,
    { kind?: SubmissionKind; send: Sent<string> },
    string,
    string[],
  ][]) {
    it(`says how ${what} is recorded later, where the answer cannot be recorded`, async () => {
      const send = async (): Promise<Sent<string>> => {
        store.close();
        await world.remove();
        await writeFile(world.folder, "in the way");
        return more.send;
      };
      const error = await errorOf(async () => await pipeline().submit(work({ ...more, send })));
      expect([error.code, error.shortMessage]).to.deep.equal(["HDP-5007", message]);
      expect([...error.hints].sort()).to.deep.equal([...hints].sort());
      expect(error.cause)
        .to.have.property("code")
        .that.matches(/^HDP-51/);
    });
  }

  it("records it by the next submission of a process that could not record its answer", async () => {
    const move = store.move.bind(store);
    store.move = (...args) => {
      if (args[2] === "accepted") throw hdpError("HDP-5101", { reason: "the disk is full" });
      return move(...args);
    };
    const send = async (): Promise<Sent<string>> =>
      await Promise.resolve({ answer: "yes", serviceId: "order-1" });
    const submit = async (more: Partial<Work<string>> = {}): Promise<unknown> =>
      await pipeline({ patience: 0 }).submit(work({ kind: "grow-order", send, ...more }));
    const sent = async (): Promise<never> => await Promise.reject(new Error("it is sent again"));
    const first = await errorOf(submit);
    const again = await errorOf(async () => await submit({ send: sent }));
    for (const { code, hints } of [first, again])
      expect([code, ...hints]).to.deep.equal([
        "HDP-5007",
        "Once the database can be written again: npx hardhat hdp resume id-1 --accepted order-1 --network sepolia",
      ]);
    store.move = move;
    const { plan } = await pipeline({ patience: 0 }).submit(
      work({ kind: "grow-order", send: sent }),
    );
    expect(plan.decisions).to.have.nested.property("[0].kind", "reuse");
    expect(store.byId("id-1")).to.include({ state: "accepted", serviceId: "order-1" });
  });

  it("sends nothing where the database is damaged", async () => {
    await mkdir(dirname(world.path), { recursive: true });
    await writeFile(world.path, "no database at all, and long enough to be read as one".repeat(40));
    const error = await errorOf(async () => await pipeline().submit(work()));
    expect([error.code, error.hints.at(-1)]).to.deep.equal(["HDP-5102", "Nothing was sent."]);
    expect(error.hints.length).to.equal(2);
    expect(error).to.include({ path: world.path });
    expect(error.cause).to.be.instanceOf(Error);
  });
});

describe("a body that may have been sent before", () => {
  const unknown = serviceFailure(
    "HDP-2040",
    { service: "the service", endpoint: "GET /requests/1", setting: "", status: 404 },
    { status: 404 },
  );
  let store: SubmissionStore;
  let pipeline: Pipeline;
  let asked: string[];
  let sent: string[];
  withWorld((world) => {
    store = world.open();
    pipeline = new Pipeline({ store, system: world.system(), outcomeOf });
    [asked, sent] = [[], []];
  });

  /** Calls the service, which knows the earlier requests unless `error` says otherwise. */
  async function call(more: Partial<Call<string>> = {}, error?: Error): Promise<string> {
    const { answer, earlier } = await pipeline.call({
      kind: "storage-proof",
      content: CONTENT,
      target: TARGET,
      send: async ({ idempotencyKey }) => {
        sent.push(idempotencyKey);
        return await Promise.resolve(`proof-${sent.length}`);
      },
      idOf: (id) => id,
      look: async (serviceId) => {
        asked.push(serviceId);
        if (error !== undefined) throw error;
        await Promise.resolve();
      },
      ...more,
    });
    return earlier === undefined ? answer : `earlier ${earlier.serviceId ?? ""}`;
  }

  it("sends a body once: the second call asks the service for the first, and returns its record", async () => {
    expect([await call(), await call(), await call()]).to.deep.equal([
      "proof-1",
      "earlier proof-1",
      "earlier proof-1",
    ]);
    expect([sent, asked]).to.deep.equal([["id-1"], ["proof-1", "proof-1"]]);
    expect(store.byId("id-1")?.state, "it is awaited").to.equal("accepted");
  });

  it("sends a body again where the service does not know the first any more", async () => {
    await call();
    expect(await call({}, unknown)).to.equal("proof-2");
    expect([sent, asked]).to.deep.equal([["id-1", "id-2"], ["proof-1"]]);
  });

  it("sends no body again where the service does not answer whether it knows the first", async () => {
    await call();
    expect(await call({}, new Error("no route to host"))).to.equal("earlier proof-1");
  });

  it("repeats a body after a rate limit, unless the same was sent by force meanwhile", async () => {
    const forced: Promise<string>[] = [];
    const server = await httpServer((_request, response, index) => {
      const isForced = index === 3;
      if (index === 2) forced.push(call({ content: "sha256:bb", send, force: true }));
      if (index === 0) sendText(response, 429, "");
      else if (index === 2) void forced[0]?.then(() => sendText(response, 429, ""));
      else sendText(response, 200, isForced ? "by force" : "repeated");
    });
    const retry = { attempts: 4, firstPause: 1, maxPause: 1 };
    const http = new HttpClient({ service: "it", url: server.url, retry });
    const parts = { method: "POST", path: ["x"], json: {}, once: "look" } as const;
    const send: Call<string>["send"] = async (once) =>
      await http.call(parts, ({ text }) => text, once);
    pipeline = new Pipeline({ store, system: nodeSystem, outcomeOf: outcomeOfCall });
    try {
      expect(await call({ send })).to.equal("repeated");
      const limited = await rejection(call({ content: "sha256:bb", send }));
      expect(isServiceFailure(limited, "rate-limited"), String(limited)).to.equal(true);
      expect(String(limited)).to.include("the same was sent by force meanwhile");
      expect(await forced[0]).to.equal("by force");
      expect(server.seen).to.have.length(4);
      const states = store.withHashes(["sha256:bb"]).map(({ state }) => state);
      expect(states.sort()).to.deep.equal(["accepted", "refused"]);
    } finally {
      await server.close();
    }
  });

  it("sends a body with force, without asking for the first", async () => {
    await call();
    expect(await call({ force: true })).to.equal("proof-2");
    expect(asked).to.deep.equal([]);
  });

  it("sends a body to another address, without asking it for what was sent elsewhere", async () => {
    await call();
    expect(await call({ target: { ...TARGET, endpoint: "e2" } })).to.equal("proof-2");
    expect(asked).to.deep.equal([]);
  });

  it("sends a body once where the service gave it no id to ask for", async () => {
    expect([await call({ idOf: () => undefined }), await call()]).to.deep.equal([
      "proof-1",
      "earlier ",
    ]);
    expect([sent, asked]).to.deep.equal([["id-1"], []]);
  });

  it("sends a body again after it was refused, without asking for it", async () => {
    const refused = await call({ send: async () => await Promise.reject(new Refusal("no")) }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(Refusal);
    expect(await call()).to.equal("proof-1");
    expect([sent, asked]).to.deep.equal([["id-2"], []]);
  });

  it("finalizes a program as soon as it is accepted", async () => {
    await call({ kind: "program" });
    expect(store.byId("id-1")?.state).to.equal("finalized");
  });
});

describe("tasks of injected state", () => {
  it("refuses tasks with the store and the hash where the stored result may be of another state", async () => {
    const world = await World.create();
    try {
      const submissions = world.process();
      const { taskHashes } = await submissions.submit(moduleRequest({ "0x1": "0x0" }));
      const [hash = "0x"]: readonly Hex[] = taskHashes;
      world.store.put(hash, 7n);
      const error = await errorOf(async () => await submissions.submit(moduleRequest(undefined)));
      expect(error.message).to.equal(
        `HDP-5014: the execution store ${STORE} has a result for the task hash ${hash} that may be of other private inputs or injected state. Nothing was sent.\n` +
          "  The task hash covers the program and its public inputs only: make what differs, or a hash of it, a public input, so that each task has its own hash.\n" +
          "  --force sends the task all the same.",
      );
    } finally {
      await world.remove();
    }
  });

  it("counts the tasks of unknown outcome of a request", async () => {
    const world = await World.create();
    try {
      world.service.answer = "cut-after";
      await errorOf(async () => await world.process().submit(requestOf(1, 2)));
      const error = await errorOf(async () => await world.process().submit(requestOf(1, 2, 3)));
      expect(error.shortMessage).to.equal(
        "it is not known whether the service accepted 2 tasks of this request, sent before. Nothing was sent.",
      );
      expect(error.hints.slice(0, 2)).to.deep.equal([`Task ${hashOf(1)}`, `Task ${hashOf(2)}`]);
      expect(error.hints.filter((hint) => hint.startsWith("Submission"))).to.have.length(1);
    } finally {
      await world.remove();
    }
  });
});

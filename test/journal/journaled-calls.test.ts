import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import type { DurableFs } from "../../src/base/durable-fs.js";
import { contentOf, JournaledCalls, type CallToSend, type SentCall } from "../../src/journal/journaled-calls.js";
import type { CallRecord } from "../../src/journal/call-record.js";
import { explainCall, sentBefore } from "../../src/journal/call-standing.js";
import { callNamed, markCallLost, recordCallAccepted, recordCallRefused } from "../../src/journal/settle-by-hand.js";
import { Journal } from "../../src/journal/journal.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";
import { errorOf, PATH } from "./support/fixtures.js";
import { outcomeOf, Refusal } from "./support/test-service.js";

const ENDPOINT = new URL("https://user:pw@sp.example.org/v1?apiKey=s3cret");
const CONTENT = contentOf({ a: 1 });

/** A service that answers with ids, and what reached it. */
function world(change: (fs: DurableFs) => DurableFs = (fs) => fs) {
  const disk = new MemoryDisk();
  let ids = 0;
  let tokens = 0;
  const journal = new Journal({
    ...{ path: PATH, fs: change(memoryFs(disk)), now: Date.now, newId: () => `token-${(tokens += 1)}` },
    lock: {
      processes: { self: { pid: 1, host: "here" }, mayBeAlive: () => true },
      sleep: async (time) => {
        await sleep(time);
      },
      patience: 5_000,
    },
  });
  journal.newId = () => `id-${(ids += 1)}`;
  const keys: string[] = [];
  const unwritten: unknown[] = [];
  const state: { answer: string | Error; milliseconds: number } = { answer: "req-1", milliseconds: 0 };
  const calls = (endpoint = ENDPOINT): JournaledCalls =>
    new JournaledCalls({
      ...{ journal, network: "sepolia", endpoint, outcomeOf, redact: (text: string) => text },
      onUnwritten: (error) => unwritten.push(error),
    });
  const send = async (given: Partial<CallToSend<string>> = {}, endpoint = ENDPOINT): Promise<SentCall<string>> =>
    await calls(endpoint).send({
      ...{ kind: "storage-proof", content: CONTENT, label: "proof.json" },
      send: async (key) => {
        keys.push(key);
        await sleep(state.milliseconds);
        if (state.answer instanceof Error) throw state.answer;
        return state.answer;
      },
      idOf: (answer) => (answer === "" ? undefined : answer),
      ...given,
    });
  const records = async (): Promise<CallRecord[]> => [...(await journal.records()).calls.values()];
  return { disk, journal, keys, unwritten, state, calls, send, records };
}

describe("journal: what is sent beside tasks", () => {
  it("is not sent again wherever one of its lines is flipped, cut or zeroed", async () => {
    const first = world();
    await first.send();
    const lines = first.disk.text(PATH).split("\n").slice(0, -1);
    expect(lines).to.have.length(2);
    for (const [index, line] of lines.entries()) {
      const damaged = ["\0".repeat(line.length), ""];
      for (let at = 0; at < line.length; at += 1) {
        const flipped = String.fromCharCode(line.charCodeAt(at) ^ (1 << (at % 6)));
        damaged.push(`${line.slice(0, at)}${flipped}${line.slice(at + 1)}`, line.slice(0, at), line.slice(at + 1));
      }
      for (const text of damaged) {
        const { disk, send, keys } = world();
        const bytes = Buffer.from(`${lines.with(index, text).join("\n")}\n`);
        disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
        const outcome = await send().catch((error: unknown) => error);
        expect(keys, text).to.deep.equal([]);
        if (outcome instanceof Error)
          expect(outcome, text)
            .to.have.property("code")
            .that.matches(/^HDP-50(?:05|06|12)$/);
        else expect(outcome, text).to.have.nested.property("earlier.serviceId", "req-1");
      }
    }
  }).timeout(60_000);

  it("is claimed before it is sent, and recorded after, without its body and the address's secrets", async () => {
    const { send, disk, keys, records } = world();
    let before = "";
    const sent = await send({
      send: async (key) => {
        before = disk.text(PATH);
        keys.push(key);
        return await Promise.resolve("req-1");
      },
    });
    expect(sent).to.deep.equal({ answer: "req-1" });
    expect(JSON.parse(before)).to.deep.include({
      ...{ v: 1, event: "call", id: "id-1", kind: "storage-proof", network: "sepolia", label: "proof.json" },
      ...{ endpointHost: "sp.example.org", content: CONTENT },
    });
    expect(keys).to.deep.equal(["id-1"]);
    expect(await records()).to.have.length(1);
    expect((await records())[0]).to.deep.include({ state: "open", serviceId: "req-1", forced: false });
    expect(disk.text(PATH)).not.to.match(/s3cret|pw@|"a"/);
  });

  it("is not sent again: what was sent is told, in whatever order its members stand", async () => {
    const { send, keys } = world();
    expect(contentOf({ b: [1, { d: 2, c: 3 }], a: 1 })).to.equal(contentOf({ a: 1, b: [1, { c: 3, d: 2 }] }));
    expect(contentOf({ a: [1, 2] })).not.to.equal(contentOf({ a: [2, 1] }));
    await send();
    const again = await send();
    if (!("earlier" in again)) throw new Error("it was sent again");
    expect(sentBefore(again.earlier)).to.match(
      /^sent 20\d\d-[^ ]+Z to sp\.example\.org \(network "sepolia"\) as req-1, accepted$/,
    );
    expect(keys).to.deep.equal(["id-1"]);
    expect(await send({ force: true })).to.deep.equal({ answer: "req-1" });
    expect(keys).to.deep.equal(["id-1", "id-2"]);
  });

  it("is told apart by the SHA-256 of its members in their order by name, as in every version", () => {
    // Of the text {"body":{"a":[null,{"c":"x","d":2}],"b":1}}.
    const content = "sha256:2b8542047ac3c572e0740cc7bac2ca611193ed05810e8a04e2eedf14608b3044";
    expect(contentOf({ b: 1, a: [null, { d: 2, c: "x" }] })).to.equal(content);
    expect(contentOf({ a: [null, { c: "x", d: 2, e: undefined }], b: 1 })).to.equal(content);
    for (const other of [null, [], {}, "", 0, { a: [null, { c: "x", d: 2 }] }]) {
      expect(contentOf(other))
        .to.match(/^sha256:[0-9a-f]{64}$/)
        .and.not.equal(content);
    }
  });

  it("has a name of 300 characters at most, or none", async () => {
    const { send, records } = world();
    await send({ label: "x".repeat(400) });
    await send({ label: "y".repeat(300), content: contentOf(2) });
    await send({ label: undefined, content: contentOf(3) });
    expect((await records()).map(({ label }) => label)).to.deep.equal(["x".repeat(300), "y".repeat(300), undefined]);
    expect((await records())[2]).not.to.have.property("label");
  });

  it("is sent again by force, which the record says, and nothing is asked of the service before", async () => {
    const { send, keys, records } = world();
    await send();
    const isGone = (): never => expect.fail("asked");
    expect(await send({ force: true, isGone })).to.deep.equal({ answer: "req-1" });
    expect(keys).to.deep.equal(["id-1", "id-2"]);
    expect((await records()).map(({ forced }) => forced)).to.deep.equal([false, true]);
  });

  it("that was accepted is told while another is being sent by force", async () => {
    const { send, keys } = world();
    await send();
    let answer: (id: string) => void = () => undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const forced = send({
      force: true,
      send: async () =>
        await new Promise((resolve) => {
          answer = resolve;
          begin();
        }),
    });
    await begun;
    expect(await send()).to.have.nested.property("earlier.id", "id-1");
    answer("req-2");
    expect(await forced).to.deep.equal({ answer: "req-2" });
    // The newest of those that were accepted.
    expect(await send()).to.have.nested.property("earlier.id", "id-2");
    expect(keys).to.deep.equal(["id-1"]);
  });

  it("that is done with its acceptance is not sent again", async () => {
    const { send, keys } = world();
    await send({ kind: "program" });
    expect(await send({ kind: "program" })).to.have.nested.property("earlier.state", "finalized");
    expect(keys).to.deep.equal(["id-1"]);
  });

  it("is another with another body, of another kind, or at another address", async () => {
    const { send, keys } = world();
    await send();
    await send({ content: contentOf({ a: 2 }) });
    await send({ kind: "grow-order" });
    await send({}, new URL("https://sp.example.org/v2"));
    await send({}, new URL("https://other.example.org/v1"));
    expect(keys).to.have.length(5);
  });

  it("of unknown outcome is not sent again until somebody says what became of it", async () => {
    const { send, keys, state, journal, records } = world();
    state.answer = new Error("socket hang up https://key@host/?apiKey=s3cret");
    const unknown = await errorOf(send);
    expect(unknown.code).to.equal("HDP-5008");
    expect(unknown.message).to.contain("npx hardhat hdp resume id-1 --network sepolia").and.not.contain("s3cret");
    state.answer = "req-1";
    const stopped = await errorOf(send);
    expect(stopped.code).to.equal("HDP-5005");
    expect(stopped.hints.join("\n")).to.contain("npx hardhat hdp resume id-1 --lost --network sepolia");
    expect(keys).to.have.length(1);
    expect((await recordCallAccepted(journal, "id-1", "req-9")).state).to.equal("open");
    expect(await send()).to.have.nested.property("earlier.serviceId", "req-9");
    expect((await markCallLost(journal, "req-9", "given up")).state).to.equal("lost");
    expect(await send()).to.deep.equal({ answer: "req-1" });
    expect((await records()).map(({ state: one }) => one)).to.deep.equal(["lost", "open"]);
    expect((await errorOf(async () => await recordCallAccepted(journal, "id-2", "x"))).code).to.equal("HDP-5011");
    expect((await errorOf(async () => await callNamed(journal, "none"))).code).to.equal("HDP-5010");
  });

  it("whose process ended before the answer is of unknown outcome too, for every kind", async () => {
    for (const kind of ["storage-proof", "program", "grow-order"] as const) {
      const { send, disk, journal } = world();
      await send({ kind });
      const [intent = ""] = disk.text(PATH).split("\n");
      const bytes = Buffer.from(`${intent}\n`);
      disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
      expect((await errorOf(async () => await send({ kind }))).code, kind).to.equal("HDP-5005");
      const record = await callNamed(journal, "id-1");
      expect(explainCall(record).waysOut.map((way) => way.kind)).to.deep.equal([
        ...["look-up", "attach", "mark-lost", "send-again"],
      ]);
      expect((await recordCallRefused(journal, "id-1", "it is not there")).state).to.equal("refused");
      expect(await send({ kind })).to.deep.equal({ answer: "req-1" });
    }
  });

  it("that was refused or has failed may be sent again", async () => {
    const { send, keys, state, calls, records } = world();
    state.answer = new Refusal("no");
    expect(await send().catch((error: unknown) => error)).to.equal(state.answer);
    state.answer = "req-1";
    await send();
    await calls().observe("req-1", { name: "PENDING", phase: "pending" });
    await calls().observe("req-1", { name: "PENDING", phase: "pending" });
    await calls().observe("req-1", { name: "FAILED", phase: "failed" });
    await calls().observe("unheard-of", { name: "FAILED", phase: "failed" });
    expect((await records()).map((one) => [one.state, one.states.map(({ name }) => name)])).to.deep.equal([
      ["refused", []],
      ["failed", ["PENDING", "FAILED"]],
    ]);
    await send();
    expect(keys).to.have.length(3);
  });

  it("that the service has lost is sent again, and recorded as lost", async () => {
    const { send, keys, records } = world();
    await send();
    expect(await send({ isGone: async () => await Promise.resolve(true) })).to.deep.equal({ answer: "req-1" });
    expect(await send({ isGone: async () => await Promise.resolve(false) })).to.have.property("earlier");
    expect(keys).to.have.length(2);
    expect((await records()).map(({ state }) => state)).to.deep.equal(["lost", "open"]);
  });

  it("is asked for at the service only as long as it is accepted there", async () => {
    const { send, calls, state } = world();
    const asked: string[] = [];
    const isGone = async ({ id }: CallRecord): Promise<boolean> => {
      asked.push(id);
      return await Promise.resolve(false);
    };
    state.answer = new Refusal("no");
    await send({ isGone }).catch(() => undefined);
    state.answer = "req-1";
    await send({ isGone });
    expect(asked).to.deep.equal([]);
    await send({ isGone });
    expect(asked).to.deep.equal(["id-2"]);
    await calls().observe("req-1", { name: "FAILED", phase: "failed" });
    await send({ isGone });
    expect(asked).to.deep.equal(["id-2"]);
  });

  it("is observed where it was sent, each state and phase once", async () => {
    const elsewhere = new URL("https://sp.example.org/v2");
    const { send, calls, records } = world();
    await send();
    await send({}, elsewhere);
    const seen = async (name: string, phase: "pending" | "finalized", endpoint?: URL): Promise<void> => {
      await calls(endpoint).observe("req-1", { name, phase });
    };
    await seen("X", "pending");
    await seen("X", "pending");
    await seen("X", "finalized");
    await seen("X", "finalized");
    await seen("Y", "pending", elsewhere);
    await seen("Z", "pending", new URL("https://nobody.example.org"));
    const states = (await records()).map((one) => one.states.map(({ name, phase }) => `${name} ${phase}`));
    expect(states).to.deep.equal([["X pending", "X finalized"], ["Y pending"]]);
  });

  it("is sent once by callers at the same time, also when that takes long", async () => {
    const { send, keys, state } = world();
    state.milliseconds = 100;
    const sent = await Promise.all([send(), send(), send(), send({ content: contentOf({ a: 2 }) })]);
    expect(keys).to.have.length(2);
    expect(sent.filter((one) => "earlier" in one)).to.have.length(2);
  });

  it("is not sent again when the answer is recorded between reading the journal and asking who is sending", async () => {
    const { send, keys, state, journal } = world();
    state.milliseconds = 20;
    const first = send();
    while (keys.length === 0) await sleep(1);
    const beingSent = journal.beingSent.bind(journal);
    journal.beingSent = async (ids) => {
      await first;
      return await beingSent(ids);
    };
    const { earlier } = (await send()) as { earlier?: CallRecord };
    expect(earlier).to.include({ state: "open", serviceId: "req-1" });
    expect(keys).to.have.length(1);
  });

  it("is not sent while a line cannot be read, or when the intent cannot be written", async () => {
    const { send, keys, disk } = world();
    await send();
    const text = disk.text(PATH).replace('"req-1"', '"req-2"');
    disk.files.set(PATH, { bytes: Buffer.from(text), synced: text.length, nameSynced: true });
    expect((await errorOf(async () => await send({ content: contentOf({ a: 2 }) }))).code).to.equal("HDP-5012");
    const full = world((fs) => ({
      ...fs,
      openAppend: async () => await Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
    }));
    const error = await errorOf(full.send);
    expect(error.code).to.equal("HDP-5001");
    expect(error.hints.join()).to.contain("Nothing is sent without it");
    expect([keys.length, full.keys.length]).to.deep.equal([1, 0]);
  });

  it("that was accepted and could not be recorded names the command that records it", async () => {
    let isFull = false;
    const { send } = world((fs) => ({
      ...fs,
      openAppend: async (path, mode) => {
        if (isFull) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        return await fs.openAppend(path, mode);
      },
    }));
    const error = await errorOf(
      async () =>
        await send({
          send: async () => {
            isFull = true;
            return await Promise.resolve("req $(x)");
          },
        }),
    );
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-5007",
      "storage proof request proof.json was accepted as req $(x), but the journal could not record it.",
    ]);
    expect(error.hints).to.deep.equal([
      "Once the journal can be written again: npx hardhat hdp resume id-1 --accepted 'req $(x)' --network sepolia",
    ]);
    const unnamed = world((fs) => ({
      ...fs,
      openAppend: async (path, mode) => {
        if (unnamed.keys.length > 0) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        return await fs.openAppend(path, mode);
      },
    }));
    unnamed.state.answer = "";
    const told = await errorOf(async () => await unnamed.send({ kind: "grow-order", label: undefined }));
    expect([told.code, told.shortMessage, told.hints]).to.deep.equal([
      "HDP-5007",
      "grow order was accepted, but the journal could not record it.",
      ["Once the journal can be written again: npx hardhat hdp resume id-1 --accepted <service id> --network sepolia"],
    ]);
  });
});

import { expect } from "chai";

import type { Eip1193Provider } from "../../src/entries/local.js";
import { systemClock } from "../../src/base/clock.js";
import { boundedReads, NodeReads, type Send } from "../../src/base/node-reads.js";
import { NoAnswerError, type RpcCall } from "../../src/base/rpc.js";
import { rejection } from "../support/failure.js";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const turn = (): Promise<unknown> => new Promise(setImmediate);
const turns = async (): Promise<void> => {
  for (let left = 5; left > 0; left -= 1) await turn();
};
const ask = (reads: Eip1193Provider, count: number): Promise<unknown[]> =>
  Promise.all(upTo(count).map((n) => reads.request({ method: "echo", params: [n] })));
const echo = ({ params }: RpcCall): { result: unknown } => ({ result: params?.[0] });
const failing = (error: object) => Object.assign(new Error("not now"), error);

describe("NodeReads", () => {
  const pauses: number[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: () => () => undefined,
    sleep: async (ms: number) => {
      pauses.push(ms);
      await turn();
    },
  };
  let sizes: number[];
  beforeEach(() => {
    pauses.length = 0;
    sizes = [];
  });

  /** Reads whose batches are answered by a function. */
  function reads(
    answer: (calls: readonly RpcCall[]) => ReturnType<Awaited<ReturnType<Send>>>,
    maxCalls = 10,
    width = 6,
  ) {
    const send: Send = async (calls) => {
      sizes.push(calls.length);
      return await Promise.resolve(() => answer(calls));
    };
    return new NodeReads(send, { width, maxCalls, clock });
  }

  it("sends the calls of a turn in batches of at most maxCalls", async () => {
    const echoing = reads((calls) => calls.map(echo));
    expect(await ask(echoing, 25)).to.deep.equal(upTo(25));
    expect(sizes).to.deep.equal([10, 10, 5]);
  });

  it("gives empty params to a call without them", async () => {
    const seen: RpcCall[] = [];
    const noting = reads((calls) => calls.map((call) => (seen.push(call), { result: null })));
    expect(await noting.request({ method: "a" })).to.equal(null);
    expect(seen).to.have.length(1);
    expect(seen[0]).to.include({ method: "a" }).and.to.have.deep.property("params", []);
  });

  it("wakes the event loop once for all calls of a turn", async () => {
    const echoing = reads((calls) => calls.map(echo), 100);
    const { setImmediate } = globalThis;
    let woken = 0;
    globalThis.setImmediate = Object.assign(
      (act: () => void) => ((woken += 1), setImmediate(act)),
      setImmediate,
    );
    const asked = ask(echoing, 50);
    globalThis.setImmediate = setImmediate;
    expect(await asked).to.deep.equal(upTo(50));
    expect([woken, sizes]).to.deep.equal([1, [50]]);
  });

  it("sends at most `width` requests at a time, and lets the others make the next batch larger", async () => {
    const answers: (() => void)[] = [];
    const send: Send = async (calls) => {
      sizes.push(calls.length);
      await new Promise<void>((resolve) => answers.push(resolve));
      return () => calls.map(echo);
    };
    const slow = new NodeReads(send, { width: 2, maxCalls: 4 });
    const asked: Promise<unknown>[] = [];
    for (const n of upTo(5)) {
      asked.push(slow.request({ method: "echo", params: [n] }));
      await turn();
    }
    expect(sizes).to.deep.equal([1, 1]);
    answers[0]?.();
    expect(await asked[0]).to.equal(0);
    expect(sizes).to.deep.equal([1, 1, 3]);
    for (const answer of answers) answer();
    expect(await Promise.all(asked)).to.deep.equal(upTo(5));
  });

  it("lets the next batch leave before an answer is read", async () => {
    const events: string[] = [];
    const send: Send = async (calls) => {
      events.push(`send ${calls.length}`);
      await turn();
      return () => {
        events.push("read");
        return calls.map(echo);
      };
    };
    await ask(new NodeReads(send, { width: 1, maxCalls: 2 }), 4);
    expect(events).to.deep.equal(["send 2", "send 2", "read", "read"]);
  });

  it("says how many calls may usefully wait", () => {
    const readAhead = (width: number, maxCalls: number): number =>
      reads(() => [], maxCalls, width).readAhead;
    expect([
      readAhead(6, 100),
      readAhead(2.9, 3),
      readAhead(0.5, 3),
      readAhead(16, 1),
    ]).to.deep.equal([1200, 12, 6, 16]);
  });

  it("sends a batch that the node refuses in halves, and later batches no larger", async () => {
    const error = failing({ isOfBatch: true });
    const small = reads(
      (calls) => calls.map((call) => (calls.length > 3 ? { error } : echo(call))),
      20,
    );
    expect(await ask(small, 20)).to.deep.equal(upTo(20));
    sizes.length = 0;
    expect(await ask(small, 20)).to.deep.equal(upTo(20));
    expect(sizes).to.deep.equal([3, 3, 3, 3, 3, 3, 2]);
  });

  it("sends the refused calls of a batch again, not the answered ones", async () => {
    const error = failing({ isOfBatch: true });
    const partial = reads((calls) =>
      calls.map((call, at) => (calls.length > 2 && at > 0 ? { error } : echo(call))),
    );
    expect(await ask(partial, 6)).to.deep.equal(upTo(6));
    expect(sizes.slice(0, 2)).to.deep.equal([6, 3]);
  });

  it("fails a call that is refused alone, or for another reason", async () => {
    for (const [count, error] of [
      [1, failing({ isOfBatch: true })],
      [4, failing({ code: -32000 })],
      [4, failing({ isOfBatch: false })],
    ] as const) {
      sizes.length = 0;
      const refusing = reads((calls) => calls.map(() => ({ error })));
      for (const one of await Promise.allSettled(
        upTo(count).map(() => refusing.request({ method: "a" })),
      )) {
        expect(one).to.deep.equal({ status: "rejected", reason: error });
      }
      expect(sizes).to.deep.equal([count]);
    }
  });

  it("fails the calls of a batch that cannot be sent", async () => {
    const error = new Error("no connection");
    const broken = new NodeReads(async () => await Promise.reject(error), {
      width: 1,
      maxCalls: 4,
    });
    const results = await Promise.allSettled(upTo(5).map(() => broken.request({ method: "a" })));
    expect(results).to.deep.equal(upTo(5).map(() => ({ status: "rejected", reason: error })));
  });

  /** Fails with each error once, then answers. */
  function busy(...errors: readonly object[]): { reads: NodeReads; made: () => number } {
    let made = 0;
    const failingReads = reads((calls) =>
      calls.map((call) => {
        const error = errors[made++];
        return error === undefined ? echo(call) : { error: failing(error) };
      }),
    );
    return { reads: failingReads, made: () => made };
  }

  it("repeats a call after pauses that double, between a half and the whole", async () => {
    const { reads: five, made } = busy(...upTo(5).map(() => ({ code: -32005 })));
    expect(await five.request({ method: "echo", params: [7] })).to.equal(7);
    expect(made()).to.equal(6);
    for (const [index, longest] of [100, 200, 400, 800, 1_600].entries()) {
      expect(pauses[index]).to.be.within(longest / 2, longest);
    }
  });

  it("makes a call six times at most, and then fails with the last error", async () => {
    const { reads: six, made } = busy(...upTo(9).map((index) => ({ code: -32005, index })));
    expect(await rejection(six.request({ method: "a" }))).to.include({ index: 5 });
    expect([made(), pauses.length]).to.deep.equal([6, 5]);
  });

  it("keeps to the node's Retry-After, a minute at most", async () => {
    const asked = busy({ statusCode: 429, retryAfter: 3 }, { statusCode: 429, retryAfter: 3600 });
    await asked.reads.request({ method: "a" });
    expect(pauses).to.deep.equal([3_000, 60_000]);
  });

  it("does not repeat a call for an error that will not change", async () => {
    for (const error of [
      { code: -32000 },
      { code: -32601 },
      { statusCode: 400 },
      { code: "ECONNREFUSED" },
      {},
    ]) {
      const { reads: once, made } = busy(error);
      await rejection(once.request({ method: "a" }));
      expect(made(), JSON.stringify(error)).to.equal(1);
    }
  });

  it("repeats a call for limits, busy nodes and broken connections, also as causes", async () => {
    const codes = [
      -32005,
      429,
      503,
      "ECONNRESET",
      "EPIPE",
      "ETIMEDOUT",
      "EAI_AGAIN",
      "UND_ERR_SOCKET",
    ];
    const errors = [
      ...codes.map((code) => ({ code })),
      ...[429, 502, 503, 504].map((statusCode) => ({ statusCode })),
      { cause: { cause: { code: "UND_ERR_CONNECT_TIMEOUT" } } },
    ];
    for (const error of errors) {
      const { reads: twice, made } = busy(error);
      await twice.request({ method: "a" });
      expect(made(), JSON.stringify(error)).to.equal(2);
    }
  });

  it("sends nothing while it pauses, and then the failed calls first", async () => {
    const sent: unknown[][] = [];
    let resume = (): void => undefined;
    let isBusy = true;
    const send: Send = async (calls) => {
      sent.push(calls.map(({ params }) => params[0]));
      const wasBusy = isBusy;
      isBusy = false;
      await turn();
      return () =>
        calls.map((call) => (wasBusy ? { error: failing({ statusCode: 503 }) } : echo(call)));
    };
    const pausing = new NodeReads(send, {
      width: 1,
      maxCalls: 2,
      clock: {
        ...systemClock,
        now: () => 0,
        monotonic: () => 0,
        sleep: () => new Promise((resolve) => (resume = resolve)),
      },
    });
    const first = ask(pausing, 2);
    await turns();
    const later = pausing.request({ method: "echo", params: [2] });
    await turns();
    expect(sent).to.deep.equal([[0, 1]]);
    resume();
    expect([await first, await later]).to.deep.equal([[0, 1], 2]);
    expect(sent).to.deep.equal([[0, 1], [0, 1], [2]]);
  });
});

describe("boundedReads", () => {
  it("gives a provider that bounds its calls itself", () => {
    const bounded = { readAhead: 3, request: async () => await Promise.resolve(1) };
    expect(boundedReads(bounded)).to.equal(bounded);
  });

  it("lets so many calls of another provider be in flight, the first ones first", async () => {
    let [now, most] = [0, 0];
    const order: unknown[] = [];
    const provider: Eip1193Provider = {
      request: async ({ params }) => {
        order.push(params?.[0]);
        most = Math.max(most, (now += 1));
        await turn();
        now -= 1;
        return params?.[0];
      },
    };
    const bounded = boundedReads(provider, { concurrency: 3 });
    expect(bounded.readAhead).to.equal(3);
    expect(await ask(bounded, 2_000)).to.deep.equal(upTo(2_000));
    expect([most, order]).to.deep.equal([3, upTo(2_000)]);
    expect(boundedReads(provider).readAhead).to.equal(16);
  });

  it("ends a call without an answer after its timeout, and frees its place", async () => {
    const silent = boundedReads(
      { request: async () => await new Promise(() => undefined) },
      { concurrency: 1, timeout: 5 },
    );
    for (const method of ["a", "b"]) {
      const error = await rejection(silent.request({ method }));
      expect(error).to.be.instanceOf(NoAnswerError);
      expect(String(error)).to.equal(`Error: no answer to ${method} within 0.005 s`);
    }
  });

  it("fails as the provider does", async () => {
    const error = new RangeError("no");
    const refusing = boundedReads({ request: async () => await Promise.reject(error) });
    expect(await rejection(refusing.request({ method: "a" }))).to.equal(error);
  });
});

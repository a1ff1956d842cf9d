import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import dns from "node:dns";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import { type BatchingProvider, RpcClient } from "../../src/base/rpc.js";
import { BatchProvider, type BatchProviderOptions, NodeAnswerError } from "../../src/chain/batch-provider.js";
import { hdpFailure, rejection } from "../support/failure.js";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
type Answer = (calls: readonly Call[], response: ServerResponse, headers: IncomingHttpHeaders) => unknown;

const echo = ({ id, params }: Call): object => ({ jsonrpc: "2.0", id, result: params[0] });
const refusal = (id: number | null, code: number, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

function withStatus(response: ServerResponse, status: number): string {
  response.statusCode = status;
  return "not now";
}

describe("reads in batches", () => {
  let server: Server | undefined;
  /** How many calls each HTTP request had; a call that is no batch counts as 0. */
  let sizes: number[];

  afterEach(stop);

  async function stop(): Promise<void> {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    closing.closeAllConnections();
    await new Promise((resolve) => closing.close(resolve));
  }

  /** A node that answers what `answer` returns, as JSON unless it is text; nothing where it has ended the response. */
  async function node(answer: Answer, options: Omit<BatchProviderOptions, "url"> = {}): Promise<BatchProvider> {
    await stop();
    sizes = [];
    server = createServer((request, response) => {
      void (async () => {
        const body = JSON.parse(await text(request)) as Call | Call[];
        sizes.push(Array.isArray(body) ? body.length : 0);
        const reply = await answer(Array.isArray(body) ? body : [body], response, request.headers);
        if (response.writableEnded || response.destroyed) return;
        response.end(
          typeof reply === "string" ? reply : JSON.stringify(Array.isArray(body) ? reply : (reply as unknown[])[0]),
        );
      })();
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return new BatchProvider({ url: `http://127.0.0.1:${port}`, ...options });
  }

  const ask = (provider: BatchProvider, count: number): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => provider.request({ method: "echo", params: [index] })));
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  it("go together as far as a batch may hold, one call alone without one", async () => {
    const provider = await node((calls) => calls.map(echo), { maxCalls: 10 });
    expect(await ask(provider, 25)).to.deep.equal(upTo(25));
    expect(sizes).to.have.members([10, 10, 5]);
    expect(await ask(provider, 1)).to.deep.equal([0]);
    expect(sizes.at(-1)).to.equal(0);
    expect(provider.callsAtOnce).to.equal(60);
    // All were answered: the next batches are as large.
    sizes = [];
    expect(await ask(provider, 25)).to.deep.equal(upTo(25));
    expect(sizes).to.have.members([10, 10, 5]);
  });

  it("may be 100 in a batch and 6 batches at once, or as many whole ones as are set, one at least", () => {
    const atOnce = (options: Omit<BatchProviderOptions, "url">): number =>
      new BatchProvider({ url: "http://127.0.0.1:1", ...options }).callsAtOnce;
    expect(atOnce({})).to.equal(600);
    expect(atOnce({ width: 2.9, maxCalls: 3.9 })).to.equal(6);
    expect(atOnce({ width: 0.5, maxCalls: 3 })).to.equal(3);
    expect(atOnce({ width: 2, maxCalls: 0 })).to.equal(2);
  });

  it("are JSON-RPC requests, numbered from 1 on, with empty params where there are none", async () => {
    const seen: unknown[] = [];
    const provider = await node((calls, _response, headers) => {
      seen.push([headers["content-type"], ...calls]);
      return calls.map(({ id }) => ({ id, result: null, error: null }));
    });
    expect(await Promise.all([provider.request({ method: "a" }), provider.request({ method: "b", params: [[7]] })]))
      .to.deep.equal([null, null]); // prettier-ignore
    expect(await provider.request({ method: "c", params: [] })).to.equal(null);
    expect(seen).to.deep.equal([
      [
        "application/json",
        { jsonrpc: "2.0", id: 1, method: "a", params: [] },
        { jsonrpc: "2.0", id: 2, method: "b", params: [[7]] },
      ],
      ["application/json", { jsonrpc: "2.0", id: 3, method: "c", params: [] }],
    ]);
  });

  it("wake the event loop once for all that are asked for in a turn", async () => {
    const provider = await node((calls) => calls.map(echo));
    const { setImmediate } = globalThis;
    let woken = 0;
    globalThis.setImmediate = Object.assign((act: () => void) => ((woken += 1), setImmediate(act)), setImmediate);
    const asked = ask(provider, 50);
    globalThis.setImmediate = setImmediate;
    expect(await asked).to.deep.equal(upTo(50));
    expect([woken, sizes]).to.deep.equal([1, [50]]);
  });

  it("send the configured headers, and take answers in any order", async () => {
    let key: unknown;
    const provider = await node(
      (calls, _response, headers) => {
        key = headers["x-key"];
        return calls.map(echo).reverse();
      },
      { headers: { "x-key": "k" } },
    );
    expect(await ask(provider, 9)).to.deep.equal(upTo(9));
    expect(key).to.equal("k");
  });

  it("are at most so many requests at a time", async () => {
    let [now, most] = [0, 0];
    const provider = await node(
      async (calls) => {
        most = Math.max(most, (now += 1));
        await sleep(20);
        now -= 1;
        return calls.map(echo);
      },
      { maxCalls: 2, width: 3 },
    );
    expect(await ask(provider, 40)).to.deep.equal(upTo(40));
    expect(most).to.equal(3);
  });

  it("are so many while batches are sent again in parts, too", async () => {
    let [now, most] = [0, 0];
    const provider = await node(
      async (calls, response) => {
        most = Math.max(most, (now += 1));
        await sleep(10);
        now -= 1;
        return calls.length > 1 ? withStatus(response, 413) : calls.map(echo);
      },
      { maxCalls: 4, width: 2 },
    );
    expect(await ask(provider, 21)).to.deep.equal(upTo(21));
    expect(most).to.equal(2);
  });

  it("are asked for ahead: the next ones wait where a reply is awaited", async () => {
    const provider = await node((calls) => calls.map(echo), { maxCalls: 3, width: 2 });
    let [waiting, most] = [0, 0];
    const counting: BatchingProvider = {
      callsAtOnce: provider.callsAtOnce,
      request: async (call) => {
        most = Math.max(most, (waiting += 1));
        return await provider.request(call).finally(() => (waiting -= 1));
      },
    };
    const client = new RpcClient(counting);
    expect(await Promise.all(upTo(40).map((n) => client.call("echo", [n])))).to.deep.equal(upTo(40));
    expect(most).to.equal(12);
    expect(sizes.slice(0, 4)).to.deep.equal([3, 3, 3, 3]);
  });

  it("wait while as many requests are in flight as may be, and make the next batch larger", async () => {
    const provider = await node(
      async (calls) => {
        await sleep(20);
        return calls.map(echo);
      },
      { width: 1 },
    );
    // However many were answered before.
    for (const n of upTo(9)) await provider.request({ method: "echo", params: [n] });
    sizes = [];
    const asked: Promise<unknown>[] = [];
    for (const n of upTo(4)) {
      asked.push(provider.request({ method: "echo", params: [n] }));
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    }
    expect(await Promise.all(asked)).to.deep.equal(upTo(4));
    expect(sizes).to.deep.equal([0, 3]);
  });

  it("are bounded in bytes", async () => {
    const provider = await node((calls) => calls.map(echo));
    const long = "ab".repeat(50_000);
    await Promise.all(upTo(10).map(() => provider.request({ method: "echo", params: [long] })));
    expect(sizes).to.deep.equal([2, 2, 2, 2, 2]);
    // A batch may have 256 KiB, of which each call takes 64 bytes beside its method and its params.
    const exact = "x".repeat(128 * 1024 - 64 - "echo".length - '[""]'.length);
    for (const [texts, expected] of [
      [[exact, exact], [2]],
      [
        [exact, `${exact}x`],
        [0, 0],
      ],
      // One that is larger goes by itself.
      [
        ["", exact + exact + exact, ""],
        [0, 0, 0],
      ],
    ] as const) {
      sizes = [];
      const asked = texts.map(async (one) => await provider.request({ method: "echo", params: [one] }));
      expect(await Promise.all(asked)).to.deep.equal(texts);
      expect(sizes).to.deep.equal(expected);
    }
  });

  it("are split until the node takes them, and stay that small", async () => {
    const provider = await node((calls, response) => {
      if (calls.length <= 3) return calls.map(echo);
      return withStatus(response, 413);
    });
    expect(await ask(provider, 20)).to.deep.equal(upTo(20));
    const learned = sizes.length;
    expect(await ask(provider, 20)).to.deep.equal(upTo(20));
    expect(sizes.slice(learned)).to.deep.equal([3, 3, 3, 3, 3, 3, 2]);
  });

  for (const [how, refuse] of [
    ["an error in place of the list", (): unknown => JSON.stringify(refusal(null, -32600, "batch is not supported"))],
    ["something that is no JSON", (): unknown => "<html>"],
    ["status 400", (_: unknown, response: ServerResponse): unknown => withStatus(response, 400)],
    ["an empty list", (): unknown => "[]"],
    ["null", (): unknown => "null"],
    ["a list of something else", (): unknown => '[null, 7, ["id"], {}]'],
  ] as const) {
    it(`become single calls for a node that answers batches with ${how}`, async () => {
      const provider = await node((calls, response) =>
        sizes.at(-1) === 0 ? calls.map(echo) : refuse(calls, response),
      );
      expect(await ask(provider, 6)).to.deep.equal(upTo(6));
      const learned = sizes.length;
      await ask(provider, 4);
      expect(sizes.slice(learned)).to.deep.equal([0, 0, 0, 0]);
    });
  }

  it("ask again for what the answer leaves out or calls too large together", async () => {
    const provider = await node((calls) =>
      calls.length > 2
        ? [
            ...calls.slice(0, 1).map(echo),
            ...calls.slice(1, 2).map(({ id }) => refusal(id, -32003, "response too large")),
          ]
        : calls.map(echo),
    );
    expect(await ask(provider, 6)).to.deep.equal(upTo(6));
  });

  it("fail one by one, each with its own error", async () => {
    const provider = await node((calls) =>
      calls.map((call) => (call.params[0] === 1 ? refusal(call.id, -32000, "no such thing") : echo(call))),
    );
    const [good, bad] = await Promise.allSettled([0, 1].map((n) => provider.request({ method: "echo", params: [n] })));
    expect(good).to.deep.equal({ status: "fulfilled", value: 0 });
    expect(bad?.status === "rejected" && { ...(bad.reason as object) }).to.deep.include({ code: -32000 });
    expect(sizes).to.deep.equal([2]);
  });

  it("are asked for again one by one where the node says so of the batch, in whatever words", async () => {
    for (const [code, message, again] of [
      [-32003, "refused", true],
      [-32000, "Response is TOO LARGE", true],
      [-32000, "too big", true],
      [-32000, "response size exceeded", true],
      [-32000, "over the size limit", true],
      [-32000, "no batch of eth_getProof", true],
      [-32000, "size matters", false],
      [-32002, "refused", false],
    ] as const) {
      const provider = await node((calls) =>
        calls.map((call) => (calls.length > 1 && call.params[0] === 1 ? refusal(call.id, code, message) : echo(call))),
      );
      const answers = await Promise.allSettled(upTo(2).map((n) => provider.request({ method: "echo", params: [n] })));
      expect([answers.map(({ status }) => status), sizes], message).to.deep.equal(
        again ? [["fulfilled", "fulfilled"], [2, 0]] : [["fulfilled", "rejected"], [2]], // prettier-ignore
      );
    }
  });

  it("fail with what the node says, in whatever form", async () => {
    for (const [error, message, code, data] of [
      [{ code: 3, message: "execution reverted", data: "0x08c3" }, "execution reverted", 3, "0x08c3"],
      [{ code: "3", message: 7 }, "no reason given", undefined, undefined],
      ["overloaded", '"overloaded"', undefined, undefined],
      [7, "7", undefined, undefined],
      [["a", "b"], '["a","b"]', undefined, undefined],
    ] as const) {
      const provider = await node((calls) => calls.map(({ id }) => ({ jsonrpc: "2.0", id, error })));
      const failure = (await rejection(provider.request({ method: "echo", params: [0] }))) as NodeAnswerError;
      expect([failure.message, failure.code, failure.data]).to.deep.equal([message, code, data]);
      expect(failure).to.be.instanceOf(NodeAnswerError);
    }
  });

  it("fail with the status, and with what the node says beside it", async () => {
    const failed = async (status: number, body: string, retryAfter?: string): Promise<readonly unknown[]> => {
      const provider = await node((_calls, response) => {
        response.statusCode = status;
        if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
        return body;
      });
      const { message, ...rest } = (await rejection(provider.request({ method: "echo" }))) as NodeAnswerError;
      return [message, rest.code, rest.data, rest.statusCode, rest.retryAfter];
    };
    const words = (status: number): string => `the node answered with HTTP status ${status}`;
    expect(await failed(418, "a teapot")).to.deep.equal([words(418), undefined, undefined, 418, undefined]);
    expect(await failed(201, "[]", "soon")).to.deep.equal([words(201), undefined, undefined, 201, undefined]);
    expect(await failed(429, "{}", "7")).to.deep.equal([words(429), undefined, undefined, 429, 7]);
    const said = { error: { code: -32005, message: "slow down", data: { see: "docs" } } };
    expect(await failed(429, JSON.stringify(said), "0")).to.deep.equal([
      ...["slow down", -32005, { see: "docs" }],
      ...[429, 0],
    ]);
  });

  it("fail where one call is answered with no JSON or no JSON-RPC", async () => {
    for (const [reply, message] of [
      ["<html>", "the answer is no JSON"],
      ["[]", "the answer is no JSON-RPC"],
      ["null", "the node left the call out of its answer"],
    ] as const) {
      const provider = await node(() => reply);
      const failure = (await rejection(provider.request({ method: "echo" }))) as NodeAnswerError;
      expect([failure.message, failure.code, sizes]).to.deep.equal([message, undefined, [0]]);
    }
  });

  it("fail together where the node is busy or silent, and are not asked for in parts", async () => {
    for (const [answer, words, options] of [
      [(_: unknown, response: ServerResponse) => withStatus(response, 503), "HTTP status 503", {}],
      [() => JSON.stringify(refusal(null, -32005, "limit exceeded")), "limit exceeded", {}],
      [() => new Promise(() => undefined), "no answer in time", { timeout: 50 }],
      [(_: unknown, response: ServerResponse) => response.destroy(), "the connection failed: other side closed", {}],
    ] as const) {
      const provider = await node(answer, options);
      for (const one of await Promise.allSettled(
        upTo(4).map((n) => provider.request({ method: "echo", params: [n] })),
      )) {
        expect(one.status === "rejected" && String(one.reason)).to.contain(words);
      }
      expect(sizes).to.deep.equal([4]);
    }
  });

  it("fail where the node's error is nested deeper than can be written", async () => {
    const error = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const provider = await node((calls) => `[${calls.map(({ id }) => `{"id":${id},"error":${error}}`).join(",")}]`);
    const asked = [0, 1].map(async (n) => await provider.request({ method: "echo", params: [n] }));
    for (const one of await Promise.allSettled(asked)) {
      expect(one.status === "rejected" && String(one.reason)).to.contain("nested deeper than 500 levels");
    }
  });

  it("do not take an answer to another call for theirs", async () => {
    const provider = await node((calls) => calls.map(({ id }) => ({ jsonrpc: "2.0", id: id + 1_000, result: "0x1" })));
    expect(String(await rejection(provider.request({ method: "echo", params: [0] })))).to.contain("left the call out");
  });

  it("end at their time limit where the node is silent", async () => {
    const provider = await node(() => new Promise(() => undefined), { timeout: 50 });
    expect(String(await rejection(provider.request({ method: "echo", params: [0] })))).to.contain("no answer in time");
  });

  it("leave no timer behind that would keep the process from ending", async () => {
    const provider = await node((calls) => calls.map(echo));
    const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
    const before = timers();
    expect(await ask(provider, 3)).to.deep.equal(upTo(3));
    expect(timers()).to.equal(before);
  });

  it("do not read an answer without an end; a batch whose answer is too long is asked for in parts", async () => {
    const filler = "x".repeat(4_000);
    const provider = await node((calls) => calls.map(({ id, params }) => ({ id, result: params[0], filler })), {
      maxAnswerBytes: 10_000,
    });
    expect(await ask(provider, 8)).to.deep.equal(upTo(8));
    expect(Math.max(...sizes.slice(1))).to.be.at.most(4);
    const endless = await node(() => [{ id: 1, result: "x".repeat(20_000) }], { maxAnswerBytes: 10_000 });
    expect(String(await rejection(endless.request({ method: "echo", params: [] })))).to.contain("longer than is read");
  });

  it("say that a node is not there", async () => {
    const provider = new BatchProvider({ url: "http://127.0.0.1:1" });
    expect(String(await rejection(provider.request({ method: "echo" })))).to.contain("ECONNREFUSED");
    // Of several addresses the system tells a code and no words.
    const several = new BatchProvider({ url: "http://localhost:1" });
    expect(String(await rejection(several.request({ method: "echo" })))).to.match(
      /^Error: the connection failed: .*ECONNREFUSED/,
    );
  });

  it("say why no address of a node answers, though the system has no words for it", async () => {
    const { lookup } = dns;
    const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    dns.lookup = Object.assign((...args: readonly unknown[]) => {
      (args.at(-1) as (error: null, found: unknown) => void)(null, addresses);
    }, lookup);
    try {
      const provider = new BatchProvider({ url: "http://two-addresses.test:1" });
      const failure = await rejection(provider.request({ method: "echo" }));
      expect(String(failure)).to.equal("Error: the connection failed: ECONNREFUSED");
      expect(failure).to.have.property("cause").that.is.instanceOf(AggregateError);
    } finally {
      dns.lookup = lookup;
    }
  });

  describe("whose number at a time follows the node", () => {
    /** A node that is busy where it is asked "busy", and otherwise fails or answers. */
    async function following(width: number) {
      let now = 0;
      let most = 0;
      const provider = await node(
        async ([call], response) => {
          most = Math.max(most, (now += 1));
          await sleep(20);
          now -= 1;
          if (call?.method === "busy") return withStatus(response, 503);
          if (call?.method === "limited") return [refusal(call.id, -32005, "limit exceeded")];
          if (call?.method === "refused") return withStatus(response, 400);
          return call?.method === "failed"
            ? [refusal(call.id, -32000, "no such thing")]
            : [{ id: call?.id, result: 1 }];
        },
        { maxCalls: 1, width },
      );
      const times = async (count: number, method = "fine"): Promise<void> => {
        for (let time = 0; time < count; time += 1) await provider.request({ method }).catch(() => undefined);
      };
      /** How many of so many are in flight at once. */
      const together = async (count: number): Promise<number> => {
        most = 0;
        await Promise.all(upTo(count).map(async () => await provider.request({ method: "fine" })));
        return most;
      };
      return { times, together };
    }

    it("is halved when it is busy, and one more after eight answers, up to what it was", async () => {
      for (const [width, mishap, answers, expected] of [
        [5, "busy", 0, 2],
        [5, "limited", 0, 2],
        [5, "refused", 0, 5],
        [5, "failed", 0, 5],
        [5, "busy", 7, 2],
        [5, "busy", 8, 3],
        [5, "busy", 15, 3],
        [5, "busy", 16, 4],
        [1, "busy", 0, 1],
        [2, "fine", 30, 2],
      ] as const) {
        const { times, together } = await following(width);
        await times(1, mishap);
        await times(answers);
        // No more than these, so that what they are answered themselves comes too late to count.
        expect(await together(expected + 1), `${width} ${mishap} ${answers}`).to.equal(expected);
      }
    });

    it("counts answers from the last time that it was busy", async () => {
      const { times, together } = await following(4);
      for (const answers of [0, 7, 7]) {
        await times(answers);
        await times(1, "busy");
      }
      expect(await together(2)).to.equal(1);
    });
  });

  it("are fewer at a time for a node that was busy, and one more again after each eight answers", async () => {
    let [now, requests] = [0, 0];
    const together: number[] = [];
    const provider = await node(
      async (calls, response) => {
        const isBusy = (requests += 1) === 4;
        together.push((now += 1));
        await sleep(isBusy ? 100 : 20);
        now -= 1;
        return isBusy ? withStatus(response, 503) : calls.map(echo);
      },
      { maxCalls: 1, width: 4 },
    );
    const most = async (count: number): Promise<number> => {
      together.length = 0;
      await Promise.allSettled(upTo(count).map(async (n) => await provider.request({ method: "echo", params: [n] })));
      return Math.max(...together);
    };
    expect(await most(4)).to.equal(4);
    expect(await most(6)).to.equal(2);
    await most(2);
    expect(await most(6)).to.equal(3);
    await most(16);
    expect(await most(40)).to.equal(4);
  });

  it("are repeated where the node is busy or the connection breaks", async () => {
    let requests = 0;
    const provider = await node((calls, response) => {
      requests += 1;
      if (requests === 1) return withStatus(response, 503);
      if (requests === 2) return withStatus(response, 429);
      if (requests === 3) return calls.map(({ id }) => refusal(id, -32005, "limit exceeded"));
      if (requests === 4) return response.destroy();
      return calls.map(echo);
    });
    const client = new RpcClient(provider);
    expect(await Promise.all(upTo(5).map((n) => client.call("echo", [n])))).to.deep.equal(upTo(5));
  }).timeout(20_000);

  it("fail with the node's own words when it stays busy", async () => {
    const provider = await node((calls) => calls.map(({ id }) => refusal(id, -32005, "limit exceeded")));
    const error = await hdpFailure(new RpcClient(provider).call("echo", [0]));
    expect(error.code).to.equal("HDP-4103");
    expect(error.message).to.contain("limit exceeded");
  }).timeout(20_000);

  it("waits for a deadline that no timer holds", async () => {
    const provider = await node((calls) => calls.map(echo), { timeout: 2 ** 31 + 1 });
    expect(await provider.request({ method: "eth_a", params: [1] })).to.equal(1);
  });
});

import dns from "node:dns";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { expect } from "chai";

import { httpReads, type HttpReadsOptions } from "../../src/base/http-reads.js";
import type { NodeError } from "../../src/base/node-errors.js";
import type { NodeReads } from "../../src/base/node-reads.js";
import { RpcClient } from "../../src/chain/node-rpc.js";
import { hdpFailure, rejection } from "../support/failure.js";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
type Answer = (
  calls: readonly Call[],
  response: ServerResponse,
  headers: IncomingHttpHeaders,
) => unknown;

const echo = ({ id, params }: Call): object => ({ jsonrpc: "2.0", id, result: params[0] });
const refusal = (id: number | null, code: number, message: string): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function withStatus(response: ServerResponse, status: number): string {
  response.statusCode = status;
  return "not now";
}

describe("httpReads", () => {
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

  /** A node that answers what `answer` returns, as JSON unless it is text; nothing where it has ended the response, or answers itself. */
  async function node(
    answer: Answer,
    options: Omit<HttpReadsOptions, "url"> = {},
  ): Promise<NodeReads> {
    await stop();
    sizes = [];
    server = createServer((request, response) => {
      void (async () => {
        const body = JSON.parse(await text(request)) as Call | Call[];
        sizes.push(Array.isArray(body) ? body.length : 0);
        const reply = await answer(Array.isArray(body) ? body : [body], response, request.headers);
        if (reply === undefined || response.writableEnded || response.destroyed) return;
        response.end(
          typeof reply === "string"
            ? reply
            : JSON.stringify(Array.isArray(body) ? reply : (reply as unknown[])[0]),
        );
      })();
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return at(`http://127.0.0.1:${port}`, options);
  }

  const at = (url: string, options: Omit<HttpReadsOptions, "url"> = {}): NodeReads =>
    httpReads({ url: async () => await Promise.resolve(url), ...options });
  const ask = (reads: NodeReads, count: number): Promise<unknown[]> =>
    Promise.all(upTo(count).map((n) => reads.request({ method: "echo", params: [n] })));

  it("sends 100 calls in a batch at most, and one call alone without a batch", async () => {
    const reads = await node((calls) => calls.map(echo));
    expect(await ask(reads, 250)).to.deep.equal(upTo(250));
    expect(sizes).to.have.members([100, 100, 50]);
    expect(await ask(reads, 1)).to.deep.equal([0]);
    expect(sizes.at(-1)).to.equal(0);
    expect([reads.readAhead, at("http://127.0.0.1:1", { width: 2 }).readAhead]).to.deep.equal([
      1200, 400,
    ]);
  });

  it("sends user and password of the address, as Hardhat does", async () => {
    const seen: unknown[] = [];
    await node((calls, _response, { authorization }) => {
      seen.push(authorization);
      return calls.map(echo);
    });
    const { port } = server?.address() as AddressInfo;
    for (const user of ["user:pass%2Fword@", "user@", ""])
      await ask(at(`http://${user}127.0.0.1:${port}`), 1);
    const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;
    expect(seen).to.deep.equal([basic("user:pass/word"), basic("user:"), undefined]);
  });

  it("reaches a node of this machine without the proxy of the environment, and others through it", async () => {
    const connected: unknown[] = [];
    const proxy = createServer().on("connect", ({ url }, socket) => {
      connected.push(url);
      socket.end("HTTP/1.1 407 no\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const names = ["http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"];
    const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    for (const name of names) Reflect.deleteProperty(process.env, name);
    process.env["HTTP_PROXY"] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    try {
      expect(await ask(await node((calls) => calls.map(echo)), 1)).to.deep.equal([0]);
      expect(connected).to.deep.equal([]);
      expect(await rejection(ask(at("http://node.example"), 1))).to.be.instanceOf(Error);
      expect(connected).to.deep.equal(["node.example:80"]);
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
      proxy.close();
    }
  });

  it("sends JSON-RPC with the configured headers, and empty params where there are none", async () => {
    const seen: unknown[] = [];
    const reads = await node(
      (calls, _response, headers) => {
        seen.push([headers["content-type"], headers["x-key"], ...calls]);
        return calls.map(({ id }) => ({ id, result: null, error: null }));
      },
      { headers: { "x-key": "k" } },
    );
    await Promise.all([
      reads.request({ method: "a" }),
      reads.request({ method: "b", params: [[7]] }),
    ]);
    expect(await reads.request({ method: "c", params: [] })).to.equal(null);
    expect(seen).to.deep.equal([
      [
        "application/json",
        "k",
        { jsonrpc: "2.0", id: 1, method: "a", params: [] },
        { jsonrpc: "2.0", id: 2, method: "b", params: [[7]] },
      ],
      ["application/json", "k", { jsonrpc: "2.0", id: 1, method: "c", params: [] }],
    ]);
  });

  it("takes answers in any order, and not those to other calls", async () => {
    const reads = await node((calls) => calls.map(echo).reverse());
    expect(await ask(reads, 9)).to.deep.equal(upTo(9));
    const other = await node((calls) =>
      calls.map(({ id }) => ({ jsonrpc: "2.0", id: id + 1_000, result: "0x1" })),
    );
    expect(String(await rejection(other.request({ method: "echo" })))).to.contain(
      "left the call out of its answer",
    );
  });

  for (const [how, refuse] of [
    [
      "an error in place of the list",
      (): unknown => JSON.stringify(refusal(null, -32600, "batch is not supported")),
    ],
    ["something that is no JSON", (): unknown => "<html>"],
    ["status 400", (_: unknown, response: ServerResponse): unknown => withStatus(response, 400)],
    ["an empty list", (): unknown => "[]"],
    ["null", (): unknown => "null"],
    ["a list of something else", (): unknown => '[null, 7, ["id"], {}]'],
  ] as const) {
    it(`sends single calls to a node that answers batches with ${how}`, async () => {
      const reads = await node((calls, response) =>
        sizes.at(-1) === 0 ? calls.map(echo) : refuse(calls, response),
      );
      expect(await ask(reads, 6)).to.deep.equal(upTo(6));
      sizes.length = 0;
      await ask(reads, 4);
      expect(sizes).to.deep.equal([0, 0, 0, 0]);
    });
  }

  it("asks again for calls that the answer leaves out or calls too large together", async () => {
    const reads = await node((calls) =>
      calls.length > 2
        ? [
            ...calls.slice(0, 1).map(echo),
            ...calls.slice(1, 2).map(({ id }) => refusal(id, -32003, "response too large")),
          ]
        : calls.map(echo),
    );
    expect(await ask(reads, 6)).to.deep.equal(upTo(6));
  });

  it("fails one call of a batch with its own error", async () => {
    const reads = await node((calls) =>
      calls.map((call) =>
        call.params[0] === 1 ? refusal(call.id, -32000, "no such thing") : echo(call),
      ),
    );
    const [good, bad] = await Promise.allSettled(
      [0, 1].map((n) => reads.request({ method: "echo", params: [n] })),
    );
    expect(good).to.deep.equal({ status: "fulfilled", value: 0 });
    expect(bad?.status === "rejected" && { ...(bad.reason as object) }).to.deep.include({
      code: -32000,
    });
    expect(sizes).to.deep.equal([2]);
  });

  it("asks again where the node's words mean the batch", async () => {
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
      const reads = await node((calls) =>
        calls.map((call) =>
          calls.length > 1 && call.params[0] === 1 ? refusal(call.id, code, message) : echo(call),
        ),
      );
      const answers = await Promise.allSettled(
        upTo(2).map((n) => reads.request({ method: "echo", params: [n] })),
      );
      const [statuses, expected] = again
        ? [["fulfilled", "fulfilled"], [2, 0]] // prettier-ignore
        : [["fulfilled", "rejected"], [2]]; // prettier-ignore
      expect([answers.map(({ status }) => status), sizes], message).to.deep.equal([
        statuses,
        expected,
      ]);
    }
  });

  it("fails with the node's error in any form", async () => {
    for (const [error, message, code, data] of [
      [
        { code: 3, message: "execution reverted", data: "0x08c3" },
        "execution reverted",
        3,
        "0x08c3",
      ],
      [{ code: "3", message: 7 }, "no reason given", undefined, undefined],
      ["overloaded", '"overloaded"', undefined, undefined],
      [7, "7", undefined, undefined],
      [["a", "b"], '["a","b"]', undefined, undefined],
    ] as const) {
      const reads = await node((calls) => calls.map(({ id }) => ({ jsonrpc: "2.0", id, error })));
      const failure = (await rejection(
        reads.request({ method: "echo", params: [0] }),
      )) as NodeError;
      expect([failure.message, failure.code, failure.data]).to.deep.equal([message, code, data]);
    }
  });

  it("fails with the HTTP status and the node's words", async () => {
    const failed = async (
      status: number,
      body: string,
      retryAfter?: string,
    ): Promise<readonly unknown[]> => {
      const reads = await node((_calls, response) => {
        response.statusCode = status;
        if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
        return body;
      });
      const failure = (await rejection(reads.request({ method: "echo" }))) as NodeError;
      return [failure.message, failure.code, failure.data, failure.statusCode, failure.retryAfter];
    };
    const words = (status: number): string => `the node answered with HTTP status ${status}`;
    expect(await failed(418, "a teapot")).to.deep.equal([
      words(418),
      undefined,
      undefined,
      418,
      undefined,
    ]);
    expect(await failed(201, "[]", "soon")).to.deep.equal([
      words(201),
      undefined,
      undefined,
      201,
      undefined,
    ]);
    expect(await failed(500, "{}", "7")).to.deep.equal([words(500), undefined, undefined, 500, 7]);
    const said = { error: { code: -32000, message: "slow down", data: { see: "docs" } } };
    expect(await failed(403, JSON.stringify(said))).to.deep.equal([
      "slow down",
      -32000,
      { see: "docs" },
      403,
      undefined,
    ]);
  });

  it("fails where one call is answered with no JSON or no JSON-RPC", async () => {
    for (const [reply, message] of [
      ["<html>", "the answer is no JSON-RPC"],
      ["[]", "the answer is no JSON-RPC"],
      ["null", "the node left the call out of its answer"],
      [
        `{"id":1,"result":[${"{},".repeat(500_000)}0]}`,
        "the answer is not read: it has more than 1,000,000 values",
      ],
      ["[".repeat(1_000_001), "the answer is not read: it has more than 1,000,000 values"],
    ] as const) {
      const reads = await node(() => reply);
      const failure = (await rejection(reads.request({ method: "echo" }))) as NodeError;
      expect([failure.message, failure.code, sizes]).to.deep.equal([message, undefined, [0]]);
    }
  });

  it("shows an error that is nested too deeply to be written", async () => {
    const error = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const reads = await node(
      (calls) => `[${calls.map(({ id }) => `{"id":${id},"error":${error}}`).join(",")}]`,
    );
    const asked = [0, 1].map(async (n) => await reads.request({ method: "echo", params: [n] }));
    for (const one of await Promise.allSettled(asked)) {
      expect(one.status === "rejected" && String(one.reason)).to.contain(
        "nested deeper than 500 levels",
      );
    }
  });

  it("ends a request that is not answered in time, for all of its calls", async () => {
    const reads = await node(() => new Promise(() => undefined), { timeout: 50 });
    for (const one of await Promise.allSettled(
      upTo(3).map(() => reads.request({ method: "eth_a" })),
    )) {
      expect(one.status === "rejected" && String(one.reason)).to.equal(
        "Error: no answer to eth_a within 0.05 s",
      );
    }
    expect(sizes).to.deep.equal([3]);
  });

  it("ends a request whose answer stops arriving", async () => {
    const reads = await node((_calls, response) => void response.write("["), { timeout: 50 });
    expect(String(await rejection(reads.request({ method: "eth_a" })))).to.contain(
      "no answer to eth_a",
    );
  });

  it("takes a timeout that no timer holds", async () => {
    const reads = await node((calls) => calls.map(echo), { timeout: 2 ** 31 + 1 });
    expect(await reads.request({ method: "eth_a", params: [1] })).to.equal(1);
  });

  it("leaves no timer behind that would keep the process from ending", async () => {
    const reads = await node((calls) => calls.map(echo));
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
    const before = timers();
    expect(await ask(reads, 3)).to.deep.equal(upTo(3));
    expect(timers()).to.equal(before);
  });

  it("does not read an answer without an end; a batch with too long an answer is sent in parts", async () => {
    const filler = "x".repeat(4_000);
    const reads = await node(
      (calls) => calls.map(({ id, params }) => ({ id, result: params[0], filler })),
      {
        maxAnswerBytes: 10_000,
      },
    );
    expect(await ask(reads, 8)).to.deep.equal(upTo(8));
    expect(Math.max(...sizes.slice(1))).to.be.at.most(4);
    const endless = await node(() => [{ id: 1, result: "x".repeat(20_000) }], {
      maxAnswerBytes: 10_000,
    });
    expect(String(await rejection(endless.request({ method: "echo" })))).to.contain(
      "longer than is read",
    );
  });

  it("says that a node is not there, without its address", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(String(await rejection(at(`http://${host}:1`).request({ method: "echo" })))).to.equal(
        "Error: the connection failed: ECONNREFUSED",
      );
    }
  });

  it("says why none of a node's addresses answers, though the system has no words for it", async () => {
    const { lookup } = dns;
    const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    dns.lookup = Object.assign((...args: readonly unknown[]) => {
      (args.at(-1) as (error: null, found: unknown) => void)(null, addresses);
    }, lookup);
    try {
      const failure = await rejection(
        at("http://two-addresses.test:1").request({ method: "echo" }),
      );
      expect(String(failure)).to.equal("Error: the connection failed: ECONNREFUSED");
      expect(failure).to.have.property("cause").that.is.instanceOf(AggregateError);
    } finally {
      dns.lookup = lookup;
    }
  });

  it("repeats calls where the node is busy or the connection breaks", async () => {
    let requests = 0;
    const reads = await node((calls, response) => {
      requests += 1;
      if (requests === 1) return withStatus(response, 503);
      if (requests === 2) return withStatus(response, 429);
      if (requests === 3) return calls.map(({ id }) => refusal(id, -32005, "limit exceeded"));
      if (requests === 4) return response.destroy();
      return calls.map(echo);
    });
    expect(await ask(reads, 5)).to.deep.equal(upTo(5));
    // Smaller ones after each failure.
    expect([sizes[0], sizes[1]]).to.deep.equal([5, 3]);
  });

  it("fails with the node's own words where it stays busy", async () => {
    const reads = await node((calls) =>
      calls.map(({ id }) => refusal(id, -32005, "limit exceeded")),
    );
    const error = await hdpFailure(new RpcClient(reads).call("echo", [0]));
    expect([error.code, error.shortMessage]).to.deep.equal([
      "HDP-4103",
      "the node failed to answer echo(0): limit exceeded.",
    ]);
    expect(sizes).to.have.length(6);
  });
});

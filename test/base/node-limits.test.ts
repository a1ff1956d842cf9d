import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { expect } from "chai";

import { httpReads } from "../../src/base/http-reads.js";
import { NODE_LIMITS, type NodeLimit, nodeLimit } from "../../src/base/node-limits.js";
import { rejection } from "../support/failure.js";

interface Call {
  readonly id: number;
  readonly params: readonly unknown[];
}
type Play = (
  calls: readonly Call[],
  response: ServerResponse,
  request: number,
) => object | readonly object[] | undefined;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const echo = ({ id, params }: Call): object => ({ jsonrpc: "2.0", id, result: params[0] });
const refused = (error: object, id: number | null = null): object => ({
  jsonrpc: "2.0",
  id,
  error,
});

/** What a node of a row answers: its code, or one without a meaning of its own, and words that fit. */
const WORDS: Readonly<Record<string, string>> = {
  "Infura and others": "query returned more than 10000 results",
  geth: "batch too large",
  nethermind: "Batch size limit exceeded",
  jsonrpsee: "The batch request was too large",
  erigon: "batch limit 100 exceeded (can increase by --rpc.batch.limit)",
  OpenEthereum: "Payload Too Large, size limit 5 MB",
  "Infura (EIP-1474)": "daily request count exceeded, request rate limited",
  Alchemy: "Your app has exceeded its compute units per second capacity.",
  QuickNode: "credits limited to 6000/sec",
  Base: "over rate limit",
  "Tenderly and others": "429 Too Many Requests: retry later",
};
const errorOf = ([node, , sign]: NodeLimit): object =>
  typeof sign === "number" ? { code: sign, message: "no" } : { code: -32000, message: WORDS[node] };

describe("limits of nodes", () => {
  let sizes: number[];

  /** Asks a node that plays something for 60 answers. */
  async function ask(play: Play, count = 60): Promise<unknown[]> {
    sizes = [];
    const server = createServer((request, response) => {
      void (async () => {
        const body = JSON.parse(await text(request)) as Call | Call[];
        const calls = [body].flat();
        sizes.push(calls.length);
        const reply = play(calls, response, sizes.length);
        if (reply === undefined || response.destroyed) return;
        response.end(
          JSON.stringify(Array.isArray(reply) && !Array.isArray(body) ? reply[0] : reply),
        );
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reads = httpReads({ url: async () => await Promise.resolve(url), width: 2 });
    try {
      return await Promise.all(
        upTo(count).map((n) => reads.request({ method: "echo", params: [n] })),
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  for (const limit of NODE_LIMITS) {
    const [node, of, sign, source] = limit;
    const error = errorOf(limit);
    it(`of ${node}, ${of} (${typeof sign === "number" ? sign : WORDS[node]}), are kept to`, async () => {
      expect(source).to.match(/^[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$|^test\//);
      if (of === "query") {
        expect(nodeLimit(-32005, WORDS[node] ?? "")).to.equal("query");
        const failed = await rejection(
          ask((calls) => calls.map(({ id }) => refused({ ...error, code: -32005 }, id)), 3),
        );
        expect(failed).to.have.property("message", WORDS[node]);
        expect(sizes).to.have.length(1);
      } else if (of === "batch") {
        expect(
          await ask((calls) => (calls.length > 7 ? refused(error) : calls.map(echo))),
        ).to.deep.equal(upTo(60));
        expect(sizes.slice(-5).every((size) => size <= 7)).to.equal(true);
      } else {
        expect(
          await ask((calls, _, at) =>
            at === 1 ? calls.map(({ id }) => refused(error, id)) : calls.map(echo),
          ),
        ).to.deep.equal(upTo(60));
        expect(
          await ask((calls, _, at) => (at === 1 ? refused(error) : calls.map(echo))),
        ).to.deep.equal(upTo(60));
      }
    });
  }

  const withStatus = (response: ServerResponse, status: number, header?: string): object => {
    response.statusCode = status;
    if (header !== undefined) response.setHeader("retry-after", header);
    return {};
  };
  const plays: readonly (readonly [string, Play])[] = [
    [
      "HTTP 413 for large batches",
      (calls, response) => (calls.length > 7 ? withStatus(response, 413) : calls.map(echo)),
    ],
    [
      "HTTP 429 without Retry-After",
      (calls, response, at) => (at < 3 ? withStatus(response, 429) : calls.map(echo)),
    ],
    [
      "HTTP 429 for large batches",
      (calls, response) => (calls.length > 7 ? withStatus(response, 429) : calls.map(echo)),
    ],
    [
      "a connection that is dropped for large batches",
      (calls, response) => {
        if (calls.length <= 7) return calls.map(echo);
        response.destroy();
        return undefined;
      },
    ],
    ["answers out of order", (calls) => calls.map(echo).reverse()],
    [
      "every second call refused",
      (calls) =>
        calls.map((call, at) =>
          at % 2 === 1 ? refused({ code: -32005, message: "limit exceeded" }, call.id) : echo(call),
        ),
    ],
    ["answers that are left out", (calls) => calls.filter((_, at) => at % 2 === 0).map(echo)],
  ];
  for (const [what, play] of plays) {
    it(`do not keep calls from being answered: ${what}`, async () => {
      expect(await ask(play)).to.deep.equal(upTo(60));
    });
  }

  for (const [what, header, data] of [
    ["Retry-After in seconds", "1", undefined],
    ["Retry-After as a date", () => new Date(Date.now() + 2_000).toUTCString(), undefined],
    ["Infura's backoff_seconds", undefined, { rate: { backoff_seconds: 1 } }],
    ["Chainstack's try_again_in", undefined, { try_again_in: "1.0s" }],
  ] as const) {
    it(`that say when to come back are kept to: ${what}`, async () => {
      const times: number[] = [];
      await ask((calls, response, at) => {
        times.push(performance.now());
        if (at > 1) return calls.map(echo);
        if (header !== undefined)
          withStatus(response, 429, typeof header === "string" ? header : header());
        return refused({ code: -32005, message: "limit exceeded", data });
      }, 3);
      // At least: how much longer it takes depends on the machine.
      expect((times[1] ?? 0) - (times[0] ?? 0)).to.be.greaterThan(900);
    });
  }
});

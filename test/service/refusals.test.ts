import { type AddressInfo, createServer, type Server } from "node:net";

import { expect } from "chai";
import { Agent } from "undici";

import {
  HttpClient,
  ProgramRegistryClient,
  StorageProofClient,
  isServiceFailure,
} from "../../src/entries/service.js";
import { fakeClock } from "../support/fake-clock.js";
import { closedAddress } from "../support/odd-servers.js";

/** How far an answer comes before the connection ends. */
const MOMENTS = ["whole", "whole, Retry-After: 0", "cut in its body", "cut in its head"] as const;
type Moment = (typeof MOMENTS)[number];

const BODY = '{"id":"1","request_id":"1","programHash":"0x1"}';
/** The end of a JSON body, of a chunked one, and of a form. */
const ENDS = ['{"a":1}', "0\r\n\r\n", "--\r\n"];

function answerOf(status: number, moment: Moment): string {
  const head = `HTTP/1.1 ${status} Some words\r\n`;
  if (moment === "cut in its head") return head;
  const retryAfter = moment === "whole, Retry-After: 0" ? "retry-after: 0\r\n" : "";
  const length = moment === "cut in its body" ? BODY.length + 10 : BODY.length;
  return `${head}content-type: application/json\r\n${retryAfter}content-length: ${length}\r\nconnection: close\r\n\r\n${BODY}`;
}

/** Rows of a table: statuses that follow each other with the same outcome are one. */
function ranges(outcomes: ReadonlyMap<number, string>): string[] {
  const rows: { first: number; last: number; outcome: string }[] = [];
  for (const [status, outcome] of outcomes) {
    const row = rows.at(-1);
    if (row?.outcome === outcome) row.last = status;
    else rows.push({ first: status, last: status, outcome });
  }
  return rows.map(
    ({ first, last, outcome }) => `${first === last ? first : `${first}-${last}`}: ${outcome}`,
  );
}

describe("a request that may cost money, for every status and moment of failure", () => {
  let server: Server;
  let url: string;
  let posts = 0;
  const agent = new Agent({ pipelining: 0 });

  before(async () => {
    server = createServer((socket) => {
      socket.on("error", () => undefined);
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (!ENDS.some((end) => text.endsWith(end))) return;
        posts += 1;
        const [, status, moment] = /^POST \/(\d+)\/(\d+)/.exec(text) ?? [];
        socket.end(answerOf(Number(status), MOMENTS[Number(moment)] ?? "whole"));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await agent.destroy();
    server.close();
  });

  type Send = (client: HttpClient) => Promise<unknown>;
  const anyCall: Send = async (client) =>
    await client.call(
      { method: "POST", path: [], json: { a: 1 }, once: "Check the list." },
      (reply) => reply.json(),
    );

  async function outcomeOf(base: string, send: Send = anyCall): Promise<string> {
    posts = 0;
    const client = new HttpClient({
      service: "the data processor",
      url: base,
      dispatcher: agent,
      clock: fakeClock(),
      random: () => 0,
      attemptTimeout: 5_000,
      apiKey: () => Promise.resolve("key"),
    });
    const outcome = await send(client).then(
      () => "accepted",
      (error: unknown) => {
        if (!isServiceFailure(error)) throw error;
        return error.kind === "outcome-unknown" ? "unknown" : "refused";
      },
    );
    return `${outcome}, ${posts} POST${posts === 1 ? "" : "s"}`;
  }

  const refusals = (posts429: string): string[] => [
    "100-199: unknown, 1 POST",
    "200-299: accepted, 1 POST",
    "300-399: unknown, 1 POST",
    "400-401: refused, 1 POST",
    "402: unknown, 1 POST",
    "403-404: refused, 1 POST",
    "405-412: unknown, 1 POST",
    "413: refused, 1 POST",
    "414: unknown, 1 POST",
    "415: refused, 1 POST",
    "416-421: unknown, 1 POST",
    "422: refused, 1 POST",
    "423-428: unknown, 1 POST",
    `429: refused, ${posts429}`,
    "430-599: unknown, 1 POST",
  ];
  /** 204 and 304 have no body whatever their head says: nothing tells what was accepted. */
  const withoutBody = (rows: readonly string[]): string[] =>
    rows.flatMap((row) =>
      row === "200-299: accepted, 1 POST"
        ? ["200-203: accepted, 1 POST", "204: unknown, 1 POST", "205-299: accepted, 1 POST"]
        : [row],
    );
  const expected: Readonly<Record<Moment, readonly string[]>> = {
    whole: withoutBody(refusals("4 POSTs")),
    "whole, Retry-After: 0": withoutBody(refusals("4 POSTs")),
    "cut in its body": ["100-599: unknown, 1 POST"],
    "cut in its head": ["100-599: unknown, 1 POST"],
  };

  for (const [index, moment] of MOMENTS.entries()) {
    it(`sends once, and reports each status as refused or unknown, where the answer is ${moment}`, async () => {
      const outcomes = new Map<number, string>();
      for (let status = 100; status < 600; status += 1) {
        outcomes.set(status, await outcomeOf(`${url}/${status}/${index}`));
      }
      expect(ranges(outcomes)).to.deep.equal(expected[moment]);
    });
  }

  const siblings: readonly (readonly [string, Send])[] = [
    [
      "a storage proof request",
      async (client) => await new StorageProofClient(client).submitRequest({ a: 1 }),
    ],
    [
      "a grow order",
      async (client) => await new StorageProofClient(client).createGrowOrder({ a: 1 }),
    ],
    [
      "an uploaded program",
      async (client) =>
        await new ProgramRegistryClient({ submit: client }).upload({
          name: "x.json",
          content: new TextEncoder().encode("{}"),
        }),
    ],
  ];
  /** The first and the last status of each row; all with HDP_STATUSES=all. */
  const edges = new Set(
    expected.whole.flatMap((row) => row.split(":", 1).join("").split("-").map(Number)),
  );
  const statuses = Array.from({ length: 500 }, (_, index) => 100 + index).filter(
    (status) => process.env["HDP_STATUSES"] === "all" || edges.has(status),
  );
  for (const [name, send] of siblings) {
    for (const moment of ["whole", "cut in its body"] as const) {
      it(`${name} sends once, and reports each status so, where the answer is ${moment}`, async () => {
        const outcomes = new Map<number, string>();
        const index = MOMENTS.indexOf(moment);
        for (const status of statuses)
          outcomes.set(status, await outcomeOf(`${url}/${status}/${index}`, send));
        expect(ranges(outcomes)).to.deep.equal(expected[moment]);
      });
    }
  }

  it("sends no POST where the connection is refused", async () => {
    expect(await outcomeOf(await closedAddress())).to.equal("refused, 0 POSTs");
  });
});

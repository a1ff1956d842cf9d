import type { Socket } from "node:net";

import { expect } from "chai";
import { Agent } from "undici";
import { z } from "zod";

import {
  isServiceFailure,
  HttpClient,
  type HttpClientOptions,
  type HttpRequestParts,
} from "../../src/entries/service.js";
import { systemClock } from "../../src/base/clock.js";
import { serviceFailure, ServiceFailure } from "../../src/service/http/service-errors.js";
import { type FakeClock, fakeClock } from "../support/fake-clock.js";
import {
  closedAddress,
  httpServer,
  type OddServer,
  rawServer,
  sendJson,
  sendText,
} from "../support/odd-servers.js";
import { KEY } from "../support/service-requests.js";
import { rejection } from "../support/failure.js";

const READ: HttpRequestParts = {
  method: "GET",
  path: ["thing"],
  key: { in: "header", name: "X-API-KEY" },
};
const ONCE: HttpRequestParts = {
  method: "POST",
  path: ["thing"],
  json: { a: 1 },
  key: { in: "query", name: "apiKey" },
  once: "Check the list.",
};
const OK = z.object({ ok: z.literal(true) }).passthrough();

describe("HTTP client", () => {
  const servers: OddServer[] = [];
  let dispatcher: Agent;
  let clock: FakeClock;

  beforeEach(() => {
    dispatcher = new Agent();
    clock = fakeClock();
  });

  afterEach(async () => {
    await dispatcher.destroy();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  function client(url: string, options: Partial<HttpClientOptions> = {}): HttpClient {
    return new HttpClient({
      service: "the data processor",
      url,
      apiKey: () => Promise.resolve(KEY),
      dispatcher,
      clock,
      random: () => 0,
      ...options,
    });
  }

  async function serving(...answer: Parameters<typeof httpServer>): Promise<OddServer> {
    const server = await httpServer(...answer);
    servers.push(server);
    return server;
  }

  async function raw(
    ...react: Parameters<typeof rawServer>
  ): Promise<Awaited<ReturnType<typeof rawServer>>> {
    const server = await rawServer(...react);
    servers.push(server);
    return server;
  }

  async function failing(
    url: string,
    parts: HttpRequestParts = READ,
    options: Partial<HttpClientOptions> = {},
  ): Promise<ServiceFailure> {
    const error = await rejection(
      client(url, options).call(parts, (reply) => OK.parse(reply.json())),
    );
    if (!isServiceFailure(error)) throw error;
    return error;
  }

  describe("statuses", () => {
    const cases = [
      { status: 400, kind: "validation", code: "HDP-2022", calls: 1 },
      { status: 401, kind: "authentication", code: "HDP-2030", calls: 1 },
      { status: 402, kind: "service-error", code: "HDP-2032", calls: 1 },
      { status: 403, kind: "authentication", code: "HDP-2030", calls: 1 },
      { status: 404, kind: "not-found", code: "HDP-2040", calls: 1 },
      { status: 409, kind: "service-error", code: "HDP-2061", calls: 1 },
      { status: 410, kind: "not-found", code: "HDP-2040", calls: 1 },
      { status: 422, kind: "validation", code: "HDP-2022", calls: 1 },
      { status: 429, kind: "rate-limited", code: "HDP-2050", calls: 4 },
      { status: 500, kind: "service-error", code: "HDP-2060", calls: 4 },
      { status: 502, kind: "service-error", code: "HDP-2060", calls: 4 },
    ];
    for (const { status, kind, code, calls } of cases) {
      it(`reads: ${status} is ${kind} after ${calls} calls, with and without a body`, async () => {
        const words = "Missing X-API-KEY header";
        const told = await serving((_request, response) => {
          sendJson(response, status, { error: words });
        });
        const silent = await serving((_request, response) => {
          response.writeHead(status).end();
        });
        const error = await failing(told.url);
        expect(error).to.include({
          kind,
          code,
          status,
          serviceWords: words,
          endpoint: `GET ${told.url}/thing`,
        });
        expect(error.message).to.include(`The service said: "${words}"`);
        expect(told.seen).to.have.length(calls);
        const wordless = await failing(silent.url);
        expect(wordless).to.include({ kind, code, status, serviceWords: undefined });
        expect(wordless.message).not.to.include("The service said");
        expect(silent.seen).to.have.length(calls);
      });
    }

    it("a refused key is reported with the place where it was sent, or that it was not sent", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 401, "");
      });
      const keys =
        "The cloud console of the service creates keys, and shows what a key's project may do.";
      for (const [parts, sent] of [
        [
          READ,
          "The key was sent as header X-API-KEY: check that it is the key of this service and has not expired.",
        ],
        [
          ONCE,
          "The key was sent as query apiKey: check that it is the key of this service and has not expired.",
        ],
        [{ method: "GET", path: ["thing"] }, "No key was sent, as this call usually needs none."],
      ] as const) {
        expect((await failing(server.url, parts)).hints).to.deep.equal([sent, keys]);
      }
    });

    it("quotes the service's words first among the hints", () => {
      const hints = (serviceWords?: string) =>
        serviceFailure(
          "HDP-2091",
          { what: "it", reason: "no", tasks: undefined },
          { serviceWords, hints: ["Look."] },
        ).hints;
      expect(hints()).to.deep.equal(["Look."]);
      expect(hints("")).to.deep.equal(["Look."]);
      expect(hints("no")).to.deep.equal(['The service said: "no"', "Look."]);
    });

    it("gives no hints where the answer gives none", () => {
      expect(new ServiceFailure({ code: "HDP-2060", message: "it." }).hints).to.deep.equal([]);
    });

    it("recognizes a failure by its kind, also one of another copy of the package", () => {
      const error = serviceFailure("HDP-2041", { hash: "0x1" }, { status: 404 });
      expect(error).to.include({
        name: "ServiceFailure",
        kind: "not-found",
        transient: false,
        status: 404,
      });
      expect(isServiceFailure(error)).to.equal(true);
      expect(isServiceFailure(error, "not-found")).to.equal(true);
      expect(isServiceFailure(error, "timeout")).to.equal(false);
      const foreign = (code: unknown) =>
        Object.assign(new Error("x"), { kind: "not-found", code, transient: false });
      expect(isServiceFailure(foreign("HDP-2041"), "not-found")).to.equal(true);
      for (const code of ["HDP-4101", "E", undefined, 2041])
        expect(isServiceFailure(foreign(code))).to.equal(false);
      for (const one of [
        new Error("HDP-2041"),
        "HDP-2041",
        undefined,
        { kind: "not-found", code: "HDP-2041", transient: false },
      ]) {
        expect(isServiceFailure(one)).to.equal(false);
      }
    });
  });

  describe("retries of reads", () => {
    it("pause with doubling, capped, jittered backoff", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 500, "");
      });
      await failing(server.url, READ, {
        random: () => 0.5,
        retry: { attempts: 6, firstPause: 100, maxPause: 500 },
      });
      expect(clock.pauses).to.deep.equal([75, 150, 300, 375, 375]);
    });

    it("succeed once the service does", async () => {
      const server = await serving((_request, response, index) => {
        if (index < 2) sendText(response, 503, "busy");
        else sendJson(response, 200, { ok: true, more: [1] });
      });
      const reply = await client(server.url).call(READ, (body) => OK.parse(body.json()));
      expect(reply).to.deep.equal({ ok: true, more: [1] });
      expect(server.seen).to.have.length(3);
    });

    it("wait as long as Retry-After says, in seconds or as a date", async () => {
      const date = new Date(clock.now() + 30_000 + 7_000).toUTCString();
      const server = await serving((_request, response, index) => {
        const header = ["7", date, "soon"][index];
        if (header === undefined) sendJson(response, 200, { ok: true });
        else sendText(response, 429, "slow down", { "retry-after": header });
      });
      await client(server.url).call(READ, (body) => OK.parse(body.json()));
      expect(clock.pauses).to.deep.equal([7_000, 30_000, 500]);
    });

    it("stop at once when Retry-After is longer than the time left, and say how long", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 429, "", { "retry-after": "120" });
      });
      const error = await failing(server.url);
      expect(error).to.include({ kind: "rate-limited", retryAfter: 120_000 });
      expect(error.message).to.include("It asks to wait 120 s");
      expect(server.seen).to.have.length(1);
      expect(clock.pauses).to.deep.equal([]);
    });

    it("accept only seconds and HTTP dates in Retry-After", async () => {
      let header = "";
      const server = await serving((_request, response) => {
        sendText(response, 429, "", { "retry-after": header });
      });
      const past = new Date(clock.now() - 60_000).toUTCString();
      for (const [said, retryAfter] of [
        ["0", 0],
        [" 3 ", 3_000],
        ["999999999", 999_999_999_000],
        ["1000000000", undefined],
        ["-1", undefined],
        ["1.5", undefined],
        ["2 Jan 2090 00:00:00 GMT", undefined],
        ["Ja 2 2090", undefined],
        ["Z 2 Jan 2090 00:00:00 GMT", undefined],
        ["soon", undefined],
        [past, 0],
      ] as const) {
        header = said;
        expect(await failing(server.url, READ, { retry: { attempts: 1 } }), said).to.include({
          retryAfter,
        });
      }
    });

    it("stop at the timeout", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 500, "");
      });
      await failing(server.url, READ, {
        timeout: 1_000,
        retry: { attempts: 100, firstPause: 800 },
      });
      expect(clock.pauses).to.deep.equal([400]);
      expect(server.seen).to.have.length(2);
    });

    it("stop at the timeout although the machine's clock is set back during each pause", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 500, "");
      });
      let [wall, monotonic] = [clock.now(), 0];
      const setBack = {
        now: () => wall,
        monotonic: () => monotonic,
        after: (ms: number, act: () => void) => systemClock.after(ms, act),
        sleep: async (ms: number) => {
          monotonic += ms;
          wall -= 600_000;
          await Promise.resolve();
        },
      };
      const retry = { attempts: 100, firstPause: 800 };
      await failing(server.url, READ, { clock: setBack, timeout: 1_000, retry });
      expect(server.seen).to.have.length(2);
    });

    it("repeat after a connection that broke, in every way it can", async () => {
      const ways: ((socket: Socket) => void)[] = [
        (socket) => socket.destroy(),
        (socket) => socket.end(),
        (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-le"),
        (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"ok":'),
        (socket) =>
          socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"ok\r\n'),
      ];
      for (const way of ways) {
        const server = await raw(way);
        const error = await failing(server.url);
        expect(error).to.include({ kind: "unreachable", code: "HDP-2064", transient: true });
        expect(server.requests()).to.equal(4);
      }
    });

    it("repeat after a refused connection and an unknown host name", async () => {
      const url = await closedAddress();
      const refused = await failing(url);
      expect(refused).to.include({ kind: "unreachable", code: "HDP-2063" });
      expect(refused.message).to.include("ECONNREFUSED");
      expect(clock.pauses).to.deep.equal([125, 250, 500]);
      const nowhere = await failing("http://no-such-host.invalid");
      expect(nowhere).to.include({ kind: "unreachable", code: "HDP-2063" });
    });
  });

  describe("replies that cannot be used", () => {
    it("truncated JSON and other content are quoted", async () => {
      const truncated = await serving((_request, response) => {
        sendText(response, 200, '{"ok":tr', { "content-type": "application/json" });
      });
      const error = await failing(truncated.url);
      expect(error).to.include({
        kind: "malformed-reply",
        code: "HDP-2070",
        serviceWords: '{"ok":tr',
      });
      expect(error.message).to.include("(application/json, 8 characters)");
      expect(truncated.seen).to.have.length(1);
      const page = await serving((_request, response) => {
        response.writeHead(200).end("<html>Welcome</html>");
      });
      expect((await failing(page.url)).message).to.include("(no content type, 20 characters)");
    });

    it("JSON under a wrong content type is accepted", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 200, '{"ok":true}', { "content-type": "text/html" });
      });
      expect(await client(server.url).call(READ, (reply) => OK.parse(reply.json()))).to.deep.equal({
        ok: true,
      });
    });

    it("another shape names every difference", async () => {
      const server = await serving((_request, response) => {
        sendJson(response, 200, [1]);
      });
      const error = await failing(server.url);
      expect(error).to.include({ kind: "malformed-reply", code: "HDP-2070", serviceWords: "[1]" });
      expect(error.message).to.include("the body: Expected object, received array");
    });

    it("a huge body is not read to its end", async () => {
      let written = 0;
      const server = await serving((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const chunk = Buffer.alloc(64 * 1024, 0x20);
        const more = (): void => {
          if (response.destroyed || written > 256 * 1024 * 1024) return;
          written += chunk.length;
          response.write(chunk, more);
        };
        more();
      });
      const error = await failing(server.url, READ, { maxReplyBytes: 100_000 });
      expect(error).to.include({ kind: "malformed-reply", code: "HDP-2070" });
      expect(error.message).to.include("it has more than 100000 bytes (maxReplyBytes)");
      expect(written).to.be.lessThan(64 * 1024 * 1024);
    });

    it("a huge error body is quoted in part", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 404, `gone\n\n${"x".repeat(1_000_000)}`);
      });
      const error = await failing(server.url);
      expect(error.serviceWords).to.equal(`gone ${"x".repeat(295)}…`);
    });

    it("an error body is quoted however deep it is", async () => {
      const server = await serving((request, response) => {
        sendText(
          response,
          request.method === "POST" ? 503 : 404,
          `{"error":${"[".repeat(8_000)}${"]".repeat(8_000)}}`,
        );
      });
      const words = `${"[".repeat(300)}…`;
      expect(await failing(server.url)).to.include({ kind: "not-found", serviceWords: words });
      // What was sent once must not be taken for refused.
      expect(await failing(server.url, ONCE)).to.include({
        kind: "outcome-unknown",
        serviceWords: words,
      });
    });

    it("a reply that is nested too deeply is an error, and of an unknown outcome where it was sent once", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 200, `${"[".repeat(100_000)}"${KEY}"${"]".repeat(100_000)}`);
      });
      const error = await failing(server.url);
      expect(error).to.include({ kind: "malformed-reply", code: "HDP-2070" });
      expect(error.message).to.include("it is nested too deeply (").and.not.include(KEY);
      expect(await failing(server.url, ONCE)).to.include({
        kind: "outcome-unknown",
        code: "HDP-2090",
      });
    });

    it("a reply of too many values is an error before it is parsed, and names the first three wrong ones at most", async () => {
      const server = await serving(({ url }, response) => {
        sendText(
          response,
          200,
          url === "/thing" ? `[${"{},".repeat(100_000)}0]` : JSON.stringify([1, 2, 3, 4]),
        );
      });
      const { code, shortMessage } = await failing(server.url, READ);
      expect(code).to.equal("HDP-2070");
      expect(shortMessage).to.contain("cannot be used: it has more than 200,000 values.");
      const wrong = client(server.url).call({ ...READ, path: ["list"] }, (reply) =>
        z.array(z.string()).parse(reply.json()),
      );
      expect(String(await rejection(wrong)).match(/Expected string/g)).to.have.length(3);
    });

    it("an error page is quoted without its markup", async () => {
      const server = await serving((_request, response) => {
        sendText(
          response,
          404,
          "<!doctype html><style>\np { color: red }\n</style><SCRIPT>let a = 1 < 2;\n</SCRIPT><h1>Not&nbsp;here</h1>\n<p>Sorry</p>",
        );
      });
      expect((await failing(server.url)).serviceWords).to.equal("Not&nbsp;here Sorry");
    });

    it("an answer that is not HTTP is an error of its own kind", async () => {
      const server = await raw((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
      const error = await failing(server.url);
      expect(error).to.include({
        kind: "malformed-reply",
        code: "HDP-2070",
        endpoint: `GET ${server.url}/thing`,
      });
      expect(error.message).to.include("cannot be used: it is not HTTP (");
      expect(server.requests()).to.equal(1);
    });

    it("a redirect without an address is reported by its status alone", async () => {
      const server = await serving((_request, response) => {
        response.writeHead(302).end();
      });
      expect((await failing(server.url)).shortMessage).to.match(
        /^the data processor redirects the call GET http:\S+ \(302\), which is not followed\.$/,
      );
    });

    it("a lost connection is reported once, by the system's own code", async () => {
      const url = await closedAddress();
      const { shortMessage } = await failing(url);
      expect(shortMessage).to.match(
        /^no connection to the data processor for GET \S+ \((?:connect )?[^()]*ECONNREFUSED[^()]*\)\.$/,
      );
      expect(shortMessage.split("ECONNREFUSED")).to.have.length(2);
    });

    it("a broken connection is reported with the library's code and words", async () => {
      const server = await raw((socket) => {
        socket.destroy();
      });
      const { code, shortMessage } = await failing(server.url);
      expect(code).to.equal("HDP-2064");
      expect(shortMessage).to.match(/\(UND_ERR_SOCKET, other side closed\)\.$/);
    });

    it("a redirect is explained and not followed", async () => {
      const elsewhere = await serving((_request, response) => {
        sendJson(response, 200, { ok: true });
      });
      for (const status of [301, 307]) {
        const server = await serving((_request, response) => {
          response.writeHead(status, { location: `${elsewhere.url}/new?x=1` }).end();
        });
        const thrown = await failing(server.url, status === 301 ? READ : ONCE);
        const error = status === 301 ? thrown : (thrown.cause as ServiceFailure);
        if (status === 307) expect(thrown).to.include({ kind: "outcome-unknown" });
        expect(error).to.include({ kind: "service-error", code: "HDP-2062", status });
        expect(error.message).to.include(
          `(${status}) to ${elsewhere.url}/new, which is not followed.`,
        );
      }
      expect(elsewhere.seen).to.deep.equal([]);
    });
  });

  describe("timeouts and aborts", () => {
    it("an attempt ends by its own timeout, before the head and within the body, and is repeated", async () => {
      const silent = await raw(() => undefined);
      const slow = await serving((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"ok"');
      });
      for (const server of [silent, slow]) {
        const error = await failing(server.url, READ, {
          attemptTimeout: 250,
          retry: { attempts: 2 },
        });
        expect(error).to.include({ kind: "timeout", code: "HDP-2080", transient: true });
        expect(error.message).to.include("no answer in 250 ms");
      }
      expect(silent.requests()).to.equal(2);
      expect(slow.seen).to.have.length(2);
    });

    it("an abort before, during and between attempts ends the call", async () => {
      const silent = await raw(() => undefined);
      const reason = AbortSignal.abort();
      const before = await rejection(client(silent.url).call(READ, () => 1, { signal: reason }));
      expect(before).to.include({ kind: "aborted", code: "HDP-2082" });
      expect(silent.requests()).to.equal(0);

      const during = new AbortController();
      const waiting = await raw(() => {
        during.abort();
      });
      const error = await rejection(
        client(waiting.url).call(READ, () => 1, { signal: during.signal }),
      );
      expect(error).to.include({ kind: "aborted", code: "HDP-2082" });

      const between = new AbortController();
      const failingServer = await serving((_request, response) => {
        sendText(response, 500, "");
      });
      const sleeping = {
        now: () => 0,
        monotonic: () => 0,
        after: (ms: number, act: () => void) => systemClock.after(ms, act),
        sleep: async () => {
          between.abort();
          await Promise.resolve();
        },
      };
      const call = client(failingServer.url, { clock: sleeping }).call(READ, () => 1, {
        signal: between.signal,
      });
      expect(await rejection(call)).to.include({
        kind: "aborted",
        endpoint: `GET ${failingServer.url}/thing`,
      });
      expect(failingServer.seen).to.have.length(1);
    });

    it("an abort names the call that it ended, before it began and while its key is read", async () => {
      const url = "http://127.0.0.1:1";
      const endpoint = `GET ${url}/thing`;
      const call = async (
        signal: AbortSignal,
        parts: HttpRequestParts,
        apiKey?: () => Promise<string>,
      ): Promise<unknown> => {
        const options = apiKey === undefined ? {} : { apiKey };
        return await rejection(client(url, options).call(parts, () => undefined, { signal }));
      };
      const open: HttpRequestParts = { method: "GET", path: ["thing"] };
      for (const parts of [READ, open]) {
        expect(await call(AbortSignal.abort(), parts)).to.include({
          code: "HDP-2082",
          endpoint,
          shortMessage: `${endpoint} was stopped by the caller.`,
        });
      }
      const controller = new AbortController();
      const key = async (): Promise<string> => {
        controller.abort();
        return await new Promise<string>(() => undefined);
      };
      expect(await call(controller.signal, READ, key)).to.include({ code: "HDP-2082", endpoint });
    });

    it("an idempotency key is sent where one is given", async () => {
      const server = await serving((_request, response) => {
        sendJson(response, 200, { ok: true });
      });
      const parse = (): undefined => undefined;
      await client(server.url).call(READ, parse);
      await client(server.url).call(READ, parse, { idempotencyKey: "j1" });
      expect(server.seen.map(({ headers }) => headers["idempotency-key"])).to.deep.equal([
        undefined,
        "j1",
      ]);
    });

    it("an abort while the key is being read sends nothing", async () => {
      const server = await serving((_request, response) => {
        sendJson(response, 200, { ok: true });
      });
      const stop = new AbortController();
      const asking = client(server.url, {
        apiKey: () => {
          stop.abort();
          return new Promise<string>(() => undefined);
        },
      });
      expect(await rejection(asking.call(READ, () => 1, { signal: stop.signal }))).to.include({
        kind: "aborted",
      });
      expect(server.seen).to.deep.equal([]);
    });
  });

  describe("requests that must not be sent twice", () => {
    it("repeats such a request after a rate limit only, when its delay is over", async () => {
      const server = await serving((_request, response, index) => {
        if (index === 0) sendText(response, 429, "");
        else if (index === 1) sendText(response, 429, "", { "retry-after": "2" });
        else sendJson(response, 200, { ok: true });
      });
      const reply = await client(server.url).call(ONCE, (body) => OK.parse(body.json()));
      expect(reply).to.deep.equal({ ok: true });
      expect(clock.pauses).to.deep.equal([125, 2_000]);
      expect(server.seen.map((request) => request.body)).to.deep.equal(Array(3).fill('{"a":1}'));
      const refused = await failing(await closedAddress(), ONCE);
      expect(refused).to.include({ kind: "unreachable", code: "HDP-2063" });
      expect(clock.pauses).to.deep.equal([125, 2_000]);
    });

    it("end as refused where the service keeps asking to wait", async () => {
      const server = await serving((_request, response) => {
        sendText(response, 429, "maintenance", { "retry-after": "1" });
      });
      expect(await failing(server.url, ONCE)).to.include({
        kind: "rate-limited",
        retryAfter: 1_000,
      });
      expect(server.seen).to.have.length(4);
    });

    it("keep a definite refusal definite", async () => {
      for (const [status, kind] of [
        [400, "validation"],
        [401, "authentication"],
        [404, "not-found"],
      ] as const) {
        const server = await serving((_request, response) => {
          sendJson(response, status, { error: "no" });
        });
        expect(await failing(server.url, ONCE)).to.include({ kind, status });
        expect(server.seen).to.have.length(1);
      }
    });

    it("end in an unknown outcome where it may have been accepted, and say what to check", async () => {
      const dropped = await raw((socket) => socket.destroy());
      const silent = await raw(() => undefined);
      const broken = await serving((_request, response) => {
        sendText(response, 500, "database is gone");
      });
      const busy = await serving((_request, response) => {
        sendText(response, 503, "busy");
      });
      const garbled = await serving((_request, response) => {
        sendText(response, 200, "Accepted!");
      });
      const huge = await serving((_request, response) => {
        sendText(response, 200, " ".repeat(5_000));
      });
      const cases = [
        { server: dropped, cause: "HDP-2064", status: undefined },
        { server: silent, cause: "HDP-2080", status: undefined },
        { server: broken, cause: "HDP-2060", status: 500 },
        { server: busy, cause: "HDP-2060", status: 503 },
        { server: garbled, cause: "HDP-2070", status: 200 },
        { server: huge, cause: "HDP-2070", status: undefined },
      ];
      for (const { server, cause, status } of cases) {
        const error = await failing(server.url, ONCE, {
          attemptTimeout: 200,
          maxReplyBytes: 1_000,
        });
        expect(error).to.include({
          kind: "outcome-unknown",
          code: "HDP-2090",
          status,
          transient: false,
        });
        expect(error.cause).to.have.property("code", cause);
        expect(error.message)
          .to.include("it is unknown whether the data processor accepted POST")
          .and.include("Check the list.");
        // One address, one full stop.
        expect(error.message.split(server.url)).to.have.length(2);
        expect(error.message).not.to.match(/\.\.(?!\.)/);
      }
      for (const [server, words] of [
        [broken, "database is gone"],
        [busy, "busy"],
      ] as const) {
        expect((await failing(server.url, ONCE)).message).to.include(
          `The service said: "${words}"`,
        );
      }
      const unpaid = await serving((_request, response) => {
        sendJson(response, 402, { error: "No credit left." });
      });
      const { message } = await failing(unpaid.url, ONCE);
      expect(message)
        .to.include("asks for payment before it takes this call (402).")
        .and.include('"No credit left."');
      expect(dropped.requests()).to.equal(1);
      expect(silent.requests()).to.equal(1);
      for (const { seen } of [garbled, huge]) expect(seen).to.have.length(1);
      for (const { seen } of [broken, busy]) expect(seen).to.have.length(2);
    });

    it("stay unknown when the caller aborts after sending", async () => {
      const stop = new AbortController();
      const server = await raw(() => {
        stop.abort();
      });
      const error = await rejection(
        client(server.url).call(ONCE, () => 1, { signal: stop.signal }),
      );
      expect(error).to.include({ kind: "outcome-unknown" });
      expect(error).to.have.property("cause").that.includes({ kind: "aborted" });
    });
  });

  describe("configuration", () => {
    it("refuses addresses that cannot be used without repeating them", () => {
      const faults = [
        ["not an address", "it is not an address"],
        ["ftp://host/", "its scheme is ftp:"],
        ["https://user:hunter2@host/", "it holds a user name or password"],
        ["https://host/?apiKey=hunter2", "it holds a query or a fragment"],
        ["https://host/#hunter2", "it holds a query or a fragment"],
      ] as const;
      for (const [url, fault] of faults) {
        expect(() => client(url))
          .to.throw(ServiceFailure, fault)
          .that.includes({ code: "HDP-2010", kind: "configuration" });
        expect(() => client(url)).not.to.throw(/hunter2/);
      }
    });

    it("reads no key for a call without one, and distinguishes a missing, unusable or unreadable key", async () => {
      const server = await serving((_request, response) => {
        sendJson(response, 200, { ok: true });
      });
      const never = client(server.url, {
        apiKey: () => Promise.reject(new Error("must not be read")),
      });
      expect(await never.call({ method: "GET", path: ["open"] }, (reply) => reply.status)).to.equal(
        200,
      );
      expect(await failing(server.url, READ, { apiKey: undefined })).to.include({
        kind: "configuration",
        code: "HDP-2003",
      });
      for (const [key, fault] of [
        ["", "it is empty"],
        [" padded-key", "white space"],
        ["with space", "not printable ASCII"],
        ["schlüssel", "not printable ASCII"],
      ] as const) {
        const error = await failing(server.url, READ, { apiKey: () => Promise.resolve(key) });
        expect(error).to.include({ kind: "configuration", code: "HDP-2010" });
        expect(error.message).to.include(fault);
        if (key !== "") expect(error.message).not.to.include(key);
      }
      const notText = await failing(server.url, READ, {
        apiKey: () => Promise.resolve(5 as unknown as string),
      });
      expect(notText.message).to.include(
        "the API key for the data processor cannot be used: it is not text.",
      );
      const locked = new Error("wrong password");
      const error = await failing(server.url, READ, { apiKey: () => Promise.reject(locked) });
      expect(error.message).to.equal(
        "HDP-2003: there is no API key for the data processor: it could not be read.\n  Its cause is attached. Nothing was sent.",
      );
      expect((await failing(server.url, READ, { apiKey: undefined })).message).to.equal(
        "HDP-2003: there is no API key for the data processor.\n  This call needs one: configure apiKey. Nothing was sent.",
      );
      expect(error).to.include({ kind: "configuration", code: "HDP-2003", cause: locked });
      expect(server.seen).to.have.length(1);
    });

    it("asks again for a key after a failed reading, and keeps a good one", async () => {
      let reads = 0;
      const server = await serving((_request, response) => {
        sendJson(response, 200, { ok: true });
      });
      const patient = client(server.url, {
        apiKey: () => (++reads === 1 ? Promise.reject(new Error("locked")) : Promise.resolve(KEY)),
      });
      await rejection(patient.call(READ, () => 1));
      await patient.call(READ, () => 1);
      await patient.call(READ, () => 1);
      expect(reads).to.equal(2);
      expect(server.seen.map((request) => request.headers["x-api-key"])).to.deep.equal([KEY, KEY]);
    });

    it("throws an error of this package unchanged", async () => {
      const values = {
        what: "API key",
        service: "it",
        reason: undefined,
        variable: "HDP_API_KEY",
        keystore: undefined,
        login: undefined,
      };
      const own = serviceFailure("HDP-2003", values);
      const error = await failing("http://127.0.0.1:1", READ, {
        apiKey: () => Promise.reject(own),
      });
      expect(error).to.equal(own);
    });
  });
});

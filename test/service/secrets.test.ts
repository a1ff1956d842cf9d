import { inspect } from "node:util";

import { expect } from "chai";
import fc from "fast-check";
import { Agent } from "undici";

import { awaitSubmission, RemoteDataProcessor } from "../../src/service/data-processor/remote-data-processor.js";
import { batchEdition, tasksEdition } from "../../src/service/data-processor/editions.js";
import { HttpClient } from "../../src/service/http/http-client.js";
import { ProgramRegistryClient } from "../../src/service/program-registry.js";
import { Redactor, Secret, serviceWords } from "../../src/service/http/secrets.js";
import { StorageProofClient } from "../../src/service/storage-proof.js";
import { fakeClock } from "../support/fake-clock.js";
import { httpServer, type OddServer, rawServer } from "../support/odd-servers.js";
import { datalakeRequest, KEY } from "../support/service-requests.js";

/** Printable ASCII without spaces: what may be a key. */
const keys = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 12,
    maxLength: 48,
  })
  // Random, not a run of one character, of which every text has pieces.
  .filter((key) => new Set(key.toLowerCase()).size >= 8);

const percent = (text: string) => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string) =>
  Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const html = (text: string) => Array.from(text, (c) => `&#${c.charCodeAt(0)};`).join("");
const every = (encode: (text: string) => string, n: number) => (text: string) =>
  Array.from(text, (c, i) => (i % n === 0 ? encode(c) : c)).join("");

/** Ways in which a service may echo a key. */
const echoes: Record<string, (key: string) => string> = {
  plain: (key) => key,
  upperCase: (key) => key.toUpperCase(),
  query: (key) => new URLSearchParams({ apiKey: key }).toString(),
  component: encodeURIComponent,
  percent,
  percentTwice: (key) => percent(percent(key)),
  percentInPart: every(percent, 3),
  json: (key) => JSON.stringify({ apiKey: key }),
  jsonTwice: (key) => JSON.stringify(JSON.stringify(key)),
  unicode,
  unicodeInPart: every(unicode, 2),
  html,
  htmlNamed: (key) =>
    key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  hex: (key) => Buffer.from(key).toString("hex"),
  base64: (key) => Buffer.from(key).toString("base64"),
  base64Basic: (key) => `Basic ${Buffer.from(`u:${key}:x`).toString("base64")}`,
  base64Url: (key) => Buffer.from(`ab${key}`).toString("base64url"),
  firstHalf: (key) => `${key.slice(0, Math.ceil(key.length / 2))}…`,
  lastHalf: (key) => `***${key.slice(Math.floor(key.length / 2))}`,
};

/** What `--json` output would hold of a value. */
function toJson(value: unknown): string {
  return JSON.stringify({ value });
}

/** Everything a person or a log could see of a value. */
function everything(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, getters: true, maxStringLength: null }), String(value)];
  for (let error = value, depth = 0; error !== undefined && depth < 10; depth++) {
    parts.push(toJson(error));
    if (!(error instanceof Error)) break;
    parts.push(JSON.stringify(error, Object.getOwnPropertyNames(error)));
    parts.push(error.message, error.stack ?? "");
    error = error.cause;
  }
  return parts.join("\n");
}

/** All forms in which the key itself could be read off a text. */
function visible(text: string, key: string): string[] {
  const forms = [key, encodeURIComponent(key), new URLSearchParams({ k: key }).toString().slice(2), percent(key)];
  forms.push(JSON.stringify(key).slice(1, -1), Buffer.from(key).toString("hex"), unicode(key), html(key));
  // The base64 of the key at each offset, without the characters it shares with its neighbours.
  for (const pad of ["", "x", "xx"])
    forms.push(
      Buffer.from(pad + key)
        .toString("base64")
        .slice(pad === "" ? 0 : 4, -4),
    );
  const halves = [key.slice(0, Math.ceil(key.length / 2)), key.slice(Math.floor(key.length / 2))];
  const lower = text.toLowerCase();
  return [...forms, ...halves].filter((form) => form.length > 5 && lower.includes(form.toLowerCase()));
}

describe("secrets", () => {
  it("a secret prints as [redacted] however it is turned into text", () => {
    const secret = new Secret(KEY);
    expect([String(secret), JSON.stringify({ secret }), inspect({ secret }), secret.toString()]).to.deep.equal([
      "[redacted]",
      '{"secret":"[redacted]"}',
      "{ secret: [redacted] }",
      "[redacted]",
    ]);
    expect(inspect(secret, { showHidden: true, customInspect: false })).not.to.include(KEY);
    expect(secret.expose()).to.equal(KEY);
  });

  it("the redactor leaves the rest of a text as it was", () => {
    const redactor = new Redactor();
    expect(redactor.redact(`wrong key ${KEY}!`)).to.equal(`wrong key ${KEY}!`);
    redactor.learn(new Secret(KEY));
    expect(redactor.redact(`wrong key ${KEY}, %20 ${percent(KEY)}; twice.`)).to.equal(
      "wrong key [redacted], %20 [redacted]; twice.",
    );
    expect(redactor.redactValue({ [KEY]: [KEY, 1, null, { a: `x${KEY}y` }], b: true })).to.deep.equal({
      "[redacted]": ["[redacted]", 1, null, { a: "x[redacted]y" }],
      b: true,
    });
    expect(redactor.redactValue({ hash: KEY.slice(0, 10) })).to.deep.equal({ hash: KEY.slice(0, 10) });
    expect(redactor.redact(KEY.slice(0, 10))).to.equal("[redacted]");
  });

  it("a key that was encoded more than once is covered where it stands, and nothing else", () => {
    const redactor = new Redactor();
    redactor.learn(new Secret(KEY));
    for (const encode of [percent, unicode, html]) {
      for (const twice of [percent(encode(KEY)), percent(percent(encode(KEY)))]) {
        expect(redactor.redact(`a%20b ${twice} c`)).to.equal("a%20b [redacted] c");
        expect(redactor.redactText(`${twice}${twice}`)).to.equal("[redacted]");
      }
    }
  });

  it("a whole key in base64 is covered at every offset, without its neighbours' characters", () => {
    for (const key of [KEY, "abcdef", `${KEY}x`, `${KEY}xy`]) {
      const redactor = new Redactor();
      redactor.learn(new Secret(key));
      for (const before of ["", "u", "u:", "usr"]) {
        for (const after of ["", "x", "yz"]) {
          const text = Buffer.from(`${before}${key}${after}`).toString("base64");
          // Characters that also hold bits of what stands beside the key stay.
          const first = Math.ceil((before.length * 8) / 6);
          const last = Math.floor(((before.length + key.length) * 8) / 6);
          const expected = `${text.slice(0, first)}[redacted]${text.slice(last)}`;
          expect(redactor.redactText(text), `${before} ${key} ${after}`).to.equal(expected);
        }
      }
    }
  });

  it("what a service says is the sentences of its reply, or all of it", () => {
    const words = (body: string) => serviceWords(body, new Redactor());
    for (const [body, expected] of [
      ['"no such key"', "no such key"],
      ["null", "null"],
      ["true", "true"],
      ["17", "17"],
      ["{}", "{}"],
      ["[]", "[]"],
      ["", ""],
      ['{"code": 7}', '{"code": 7}'],
      ['{"error": null, "message": "m"}', "m"],
      ['{"error": 7}', '{"error": 7}'],
      ['{"error": "e", "details": {"a": [1]}, "message": "m"}', 'e: m: {"a":[1]}'],
      ['{"reason": "r", "detail": "d", "errorMessage": "w"}', "w: d: r"],
      ["<p>no page</p>", "<p>no page</p>"],
    ] as const) {
      expect(words(body), body).to.equal(expected);
    }
  });

  it("a short key is taken out where it stands alone", () => {
    const redactor = new Redactor();
    redactor.learn(new Secret("abc"));
    expect(redactor.redact('abc "abc" abcd xabc apiKey=abc')).to.equal(
      '[redacted] "[redacted]" abcd xabc apiKey=[redacted]',
    );
  });

  it("property: no echo of a key passes the redactor", () => {
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom(...Object.keys(echoes)),
        fc.string(),
        fc.string(),
        (key, way, before, after) => {
          const redactor = new Redactor();
          redactor.learn(new Secret(key));
          const echo = echoes[way]?.(key) ?? "";
          const shown = redactor.redact(`${before} ${echo} ${after}`);
          expect(visible(shown, key), shown).to.deep.equal([]);
        },
      ),
      { numRuns: 600 },
    );
  });

  describe("through every failure path", () => {
    let echo = "";
    let answer = 0;
    let server: OddServer;
    let broken: OddServer;
    let dispatcher: Agent;

    /** Every status and body with the echo in it; also in headers, where it can stand in one. */
    const statuses = [200, 301, 400, 401, 402, 403, 404, 409, 410, 429, 500, 503];
    const bodies: ((text: string) => string)[] = [
      (text) => text,
      (text) => JSON.stringify({ error: `bad key ${text}`, details: { [text]: [text] } }),
      (text) =>
        JSON.stringify({ uuid: 1, queries: [{ internal_id: text }], status: `odd ${text}`, errorMessage: text }),
      (text) => `{"error": "cut off ${text}`,
      (text) => `<html><a href="?apiKey=${text}">${text}</a></html>`,
      (text) => `${"x".repeat(285)} ${text}`,
    ];

    before(async () => {
      dispatcher = new Agent();
      server = await httpServer((_request, response) => {
        const status = statuses[answer % statuses.length] ?? 200;
        const body = bodies[Math.floor(answer / statuses.length) % bodies.length]?.(echo) ?? "";
        const location = /^[\x21-\x7e]*$/.test(echo) ? { location: `http://127.0.0.1/${echo}?k=${echo}` } : {};
        response
          .writeHead(status, { "content-type": `text/plain; x=${encodeURIComponent(echo)}`, ...location })
          .end(body);
      });
      broken = await rawServer((socket) => socket.end(`HTTP/1.1 ${echo}\r\n${echo}`));
    });

    after(async () => {
      await dispatcher.destroy();
      await server.close();
      await broken.close();
    });

    function calls(key: string, url: string): (() => Promise<unknown>)[] {
      const http = new HttpClient({
        service: "the service",
        url,
        apiKey: () => Promise.resolve(key),
        dispatcher,
        clock: fakeClock(),
        random: () => 0,
        retry: { attempts: 2 },
      });
      const submission = { id: "1", processor: "x", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [] } as const;
      const tasks = new RemoteDataProcessor({ http, edition: tasksEdition });
      const batch = new RemoteDataProcessor({ http, edition: batchEdition });
      const registry = new ProgramRegistryClient({ submit: http, metadata: http });
      const proofs = new StorageProofClient(http);
      return [
        () => tasks.submit(datalakeRequest),
        () => tasks.status(submission),
        () => awaitSubmission(tasks, submission, { clock: fakeClock(), timeoutMs: 5_000 }),
        () => batch.submit(datalakeRequest),
        () => batch.status(submission),
        () => registry.upload({ name: "a.json", content: new Uint8Array([0x7b, 0x7d]) }),
        () => registry.metadata("0x1"),
        () => proofs.submitRequest({}),
        () => proofs.getQueries("1"),
        () => proofs.growOrders(),
        () => proofs.cancelGrowOrder("1"),
        () => proofs.awaitRequest("1", { clock: fakeClock(), timeoutMs: 5_000 }),
      ];
    }

    it("property: no key is in what is thrown, nor in what is returned", async function () {
      // Some thousand calls over real sockets.
      this.timeout(120_000);
      const seen = new Set<string>();
      const search = async (key: string, way: string, url: string): Promise<void> => {
        echo = echoes[way]?.(key) ?? "";
        for (const call of calls(key, url)) {
          let thrown = true;
          const outcome = await call().then(
            (value) => {
              thrown = false;
              return value;
            },
            (error: unknown) => error,
          );
          if (outcome instanceof Error && "code" in outcome) seen.add(String(outcome.code));
          const shown = everything(outcome);
          // Of a reply only the whole key is taken out, so that values which happen to hold a piece stay whole.
          const found = visible(shown, key).filter((form) => thrown || form.length >= key.length);
          expect(found, shown).to.deep.equal([]);
        }
      };
      const ways = fc.constantFrom(...Object.keys(echoes));
      for (answer = 0; answer < statuses.length * bodies.length; answer++) {
        await fc.assert(
          fc.asyncProperty(keys, ways, async (key, way) => {
            await search(key, way, server.url);
          }),
          { numRuns: 2 },
        );
      }
      await fc.assert(
        fc.asyncProperty(keys, ways, async (key, way) => {
          await search(key, way, broken.url);
        }),
        { numRuns: 20 },
      );
      const codes = [
        "2022",
        "2030",
        "2031",
        "2032",
        "2040",
        "2041",
        "2042",
        "2050",
        "2060",
        "2061",
        "2062",
        "2070",
        "2071",
      ];
      expect([...seen]).to.include.members([...codes, "2073", "2081", "2090"].map((code) => `HDP-${code}`));
    });
  });
});

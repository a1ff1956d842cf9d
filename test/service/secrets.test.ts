import { inspect } from "node:util";

import { expect } from "chai";
import fc from "fast-check";
import { Agent } from "undici";

import {
  awaitSubmission,
  RemoteDataProcessor,
  batchEdition,
  tasksEdition,
  HttpClient,
  ProgramRegistryClient,
  StorageProofClient,
} from "../../src/entries/service.js";
import { Redactor, SECRETS } from "../../src/errors/secrets.js";
import { quoted, serviceWords } from "../../src/service/http/service-errors.js";
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

const percentEncoded = (letter: string): string =>
  `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;
const unicodeEscaped = (text: string): string =>
  text.replace(/\W/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
const HTML_NAMES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "+": "plus",
  "=": "equals",
};

/** Ways in which a service may echo a key. */
const echoes: Record<string, (key: string) => string> = {
  plain: (key) => key,
  upperCase: (key) => key.toUpperCase(),
  query: (key) => new URLSearchParams({ apiKey: key }).toString(),
  component: encodeURIComponent,
  lowerCaseComponent: (key) => encodeURIComponent(key).toLowerCase(),
  json: (key) => JSON.stringify({ apiKey: key }),
  base64: (key) => Buffer.from(key).toString("base64"),
  jsonWithEscapedSlashes: (key) => JSON.stringify({ apiKey: key }).replaceAll("/", "\\/"),
  jsonInUnicode: (key) => unicodeEscaped(key),
  partialPercent: (key) => key.replace(/[/+=a-f]/g, percentEncoded),
  doublePercent: (key) => encodeURIComponent(encodeURIComponent(key)),
  htmlNames: (key) => key.replace(/[&<>"'/+=]/g, (letter) => `&${HTML_NAMES[letter] ?? ""};`),
  htmlNumbers: (key) => key.replace(/\W/g, (letter) => `&#${letter.charCodeAt(0)};`),
  htmlHex: (key) => key.replace(/\W/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`),
  base64Url: (key) => Buffer.from(key).toString("base64url"),
};

/** What `--json` output would hold of a value. */
function toJson(value: unknown): string {
  return JSON.stringify({ value });
}

/** Everything a person or a log could see of a value. */
function everything(value: unknown): string {
  const parts = [
    inspect(value, { depth: 20, showHidden: true, getters: true, maxStringLength: null }),
    String(value),
  ];
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
  const forms = [key, encodeURIComponent(key), new URLSearchParams({ k: key }).toString().slice(2)];
  forms.push(JSON.stringify(key).slice(1, -1), Buffer.from(key).toString("base64url"));
  forms.push(Buffer.from(key).toString("base64").replaceAll("=", ""));
  const lower = text.toLowerCase();
  return forms.filter((form) => lower.includes(form.toLowerCase()));
}

function knowing(key: string): Redactor {
  const redactor = new Redactor();
  redactor.learn(key);
  return redactor;
}

describe("the redactor", () => {
  it("leaves a text as it is until it knows a key", () => {
    const redactor = new Redactor();
    expect(redactor.redact(`wrong key ${KEY}!`)).to.equal(`wrong key ${KEY}!`);
    expect(redactor.redact("12345", 3)).to.equal("123");
    expect(redactor.redactValue({ [KEY]: KEY })).to.deep.equal({ [KEY]: KEY });
    redactor.learn(KEY);
    expect(redactor.redact(`wrong key ${KEY}!`)).to.equal("wrong key [redacted]!");
  });

  it("takes out a key in every form, and nothing else", () => {
    const key = 'a+b/c"d\\e%f';
    for (const form of [
      key,
      key.toUpperCase(),
      encodeURIComponent(key),
      encodeURIComponent(key).toLowerCase(),
      new URLSearchParams({ key }).toString().slice(4),
      JSON.stringify(key).slice(1, -1),
      Buffer.from(key).toString("base64").replaceAll("=", ""),
      Buffer.from(key).toString("base64url"),
    ]) {
      expect(knowing(key).redact(`a%20b ${form}; c${form}${form}d.`), form).to.equal(
        "a%20b [redacted]; c[redacted][redacted]d.",
      );
    }
    expect(knowing(KEY).redact(KEY.slice(0, -1))).to.equal(KEY.slice(0, -1));
  });

  it("finds a key behind characters whose lower case is longer", () => {
    for (const before of ["İ", "İİİ ".repeat(20), "ﬁ ẞ "]) {
      expect(knowing(KEY).redact(`${before}${KEY} after`)).to.equal(`${before}[redacted] after`);
    }
  });

  it("knows several keys", () => {
    const redactor = knowing(KEY);
    redactor.learn("another-key");
    expect(redactor.redact(`${KEY} another-key ANOTHER-KEYS`)).to.equal(
      "[redacted] [redacted] [redacted]S",
    );
  });

  it("leaves keys of fewer than six characters, which are words", () => {
    expect(knowing("local").redact("the local data processor")).to.equal(
      "the local data processor",
    );
    expect(knowing("abcdef").redact("xabcdefx YWJjZGVm")).to.equal("x[redacted]x [redacted]");
  });

  it("leaves no part of a key at the cut of a text", () => {
    for (let before = 0; before < 40; before += 1) {
      const text = `${"x".repeat(before)}${KEY} and more text`;
      const shown = knowing(KEY).redact(text, 20);
      const expected = before < 20 ? `${"x".repeat(before)}[redacted]` : "x".repeat(20);
      const rest = text.slice(before + KEY.length, Math.max(before + KEY.length, 20));
      expect(shown, `${before}`).to.equal(before < 20 ? expected + rest : expected);
    }
  });

  it("leaves no part of a longer form of a key at the cut of a text", () => {
    const key = "k!'()*~[]{}|^`<>?#%&+,/:;=@";
    const longer = new URLSearchParams({ key }).toString().slice(4);
    for (let before = 0; before < 20; before += 1) {
      expect(knowing(key).redact(`${"x".repeat(before)}${longer}`, 20)).to.equal(
        `${"x".repeat(before)}[redacted]`,
      );
    }
  });

  it("takes keys out of the strings and names of a JSON value", () => {
    const value = { [KEY]: [KEY, 1, null, { a: `x${KEY}y` }], b: true, ["__proto__x"]: {} };
    expect(knowing(KEY).redactValue(value)).to.deep.equal({
      "[redacted]": ["[redacted]", 1, null, { a: "x[redacted]y" }],
      b: true,
      ["__proto__x"]: {},
    });
    const own: unknown = JSON.parse(`{"__proto__":"${KEY}"}`);
    expect(JSON.stringify(knowing(KEY).redactValue(own))).to.equal('{"__proto__":"[redacted]"}');
  });

  it("quotes text on one line, without keys, in 300 characters", () => {
    SECRETS.learn(KEY);
    expect(quoted(`a\n\tb\u001b[31m ${KEY}`)).to.equal("a b [31m [redacted]");
    expect(quoted("x".repeat(300))).to.equal("x".repeat(300));
    expect(quoted("x".repeat(302))).to.equal(`${"x".repeat(300)}…`);
    // White space may bring what lies far behind into the quote.
    for (let before = 4_000; before < 4_200; before += 1) {
      expect(quoted(`${" ".repeat(before)}${KEY}${KEY}`), `${before}`).to.match(
        /^(\[redacted\]){0,2}$/,
      );
    }
  });

  it("quotes the sentences of a reply, or all of it", () => {
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
      expect(serviceWords(body), body).to.equal(expected);
    }
  });

  it("lets no echo of a key pass", () => {
    fc.assert(
      fc.property(
        keys,
        fc.constantFrom(...Object.keys(echoes)),
        fc.string(),
        fc.string(),
        (key, way, before, after) => {
          const echo = echoes[way]?.(key) ?? "";
          const shown = knowing(key).redact(`${before} ${echo} ${after}`);
          expect(visible(shown, key), shown).to.deep.equal([]);
        },
      ),
      { numRuns: 600 },
    );
  });

  it("does not damage an id, hash or state that a short key is part of by chance", async () => {
    const id = "01J730951T1A93D6NF56G4GVEQ";
    const hash = `0x${"730951".padStart(64, "0")}`;
    const body = { uuid: id, batchId: id, taskHashes: [hash] };
    // A part of no other text: keys of a process stay known to its other tests.
    const partOfState = "ceGenFail";
    const errorMessage = `key 730951, ${partOfState}`;
    const state = { status: "TraceGenFailed", errorMessage };
    const server = await httpServer((request, response) => {
      const isBatch = request.url.includes("/batch-query/");
      const status = isBatch ? "Finalized" : JSON.stringify(state);
      response.end(request.method === "POST" ? JSON.stringify(body) : status);
    });
    try {
      for (const key of ["730951", partOfState]) {
        const http = new HttpClient({
          service: "the service",
          url: server.url,
          clock: fakeClock(),
          apiKey: async () => await Promise.resolve(key),
        });
        for (const edition of [tasksEdition, batchEdition]) {
          const processor = new RemoteDataProcessor({ http, edition });
          const submission = await processor.submit(datalakeRequest);
          expect(submission).to.deep.include({ id, serviceTaskHashes: [hash] });
          const { phase, detail } = await processor.status(submission);
          expect(phase).to.equal(edition === batchEdition ? "finalized" : "failed");
          if (edition === batchEdition) continue;
          expect(detail?.includes(key), detail).to.equal(false);
        }
      }
    } finally {
      await server.close();
    }
  });

  describe("in every failure", () => {
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
        JSON.stringify({
          uuid: 1,
          queries: [{ internal_id: text }],
          status: `odd ${text}`,
          errorMessage: text,
        }),
      (text) => `{"error": "cut off ${text}`,
      (text) => `<html><a href="?apiKey=${text}">${text}</a></html>`,
      (text) => `${"x".repeat(285)} ${text}`,
    ];

    before(async () => {
      dispatcher = new Agent();
      server = await httpServer((_request, response) => {
        const status = statuses[answer % statuses.length] ?? 200;
        const body = bodies[Math.floor(answer / statuses.length) % bodies.length]?.(echo) ?? "";
        const location = /^[\x21-\x7e]*$/.test(echo)
          ? { location: `http://127.0.0.1/${echo}?k=${echo}` }
          : {};
        response
          .writeHead(status, {
            "content-type": `text/plain; x=${encodeURIComponent(echo)}`,
            ...location,
          })
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
      const submission = {
        id: "1",
        processor: "x",
        destinationChainId: "ETHEREUM_SEPOLIA",
        taskHashes: [],
      } as const;
      const tasks = new RemoteDataProcessor({ http, edition: tasksEdition });
      const batch = new RemoteDataProcessor({ http, edition: batchEdition });
      const registry = new ProgramRegistryClient({ submit: http, metadata: http });
      const proofs = new StorageProofClient(http);
      return [
        () => tasks.submit(datalakeRequest),
        () => tasks.status(submission),
        () => awaitSubmission(tasks, submission, { clock: fakeClock(), timeout: 5_000 }),
        () => batch.submit(datalakeRequest),
        () => batch.status(submission),
        () => registry.upload({ name: "a.json", content: new Uint8Array([0x7b, 0x7d]) }),
        () => registry.metadata("0x1"),
        () => proofs.submitRequest({}),
        () => proofs.getQueries("1"),
        () => proofs.growOrders(),
        () => proofs.cancelGrowOrder("1"),
        () => proofs.awaitRequest("1", { clock: fakeClock(), timeout: 5_000 }),
      ];
    }

    it("leaves no key in the text of a client", async () => {
      echo = "";
      answer = 0;
      const [call] = calls(KEY, server.url);
      await call?.().catch(() => undefined);
      const http = new HttpClient({
        service: "it",
        url: server.url,
        apiKey: () => Promise.resolve(KEY),
        dispatcher,
      });
      await http.call(
        { method: "GET", path: [], key: { in: "header", name: "k" } },
        () => undefined,
      );
      expect(visible(everything(http), KEY)).to.deep.equal([]);
    });

    it("leaves no key in errors and results", async () => {
      // Some thousand calls over real sockets.
      // Few keys: the process removes all that it has seen from every text, so that each more makes each call slower.
      const few = fc.constantFrom(...fc.sample(keys, 6));
      const seen = new Set<string>();
      const search = async (key: string, way: string, url: string): Promise<void> => {
        echo = echoes[way]?.(key) ?? "";
        for (const call of calls(key, url)) {
          const outcome = await call().catch((error: unknown) => error);
          if (outcome instanceof Error && "code" in outcome) seen.add(String(outcome.code));
          const shown = everything(outcome);
          expect(visible(shown, key), shown).to.deep.equal([]);
        }
      };
      const ways = fc.constantFrom(...Object.keys(echoes));
      for (answer = 0; answer < statuses.length * bodies.length; answer++) {
        await fc.assert(
          fc.asyncProperty(few, ways, async (key, way) => {
            await search(key, way, server.url);
          }),
          { numRuns: 2 },
        );
      }
      await fc.assert(
        fc.asyncProperty(few, ways, async (key, way) => {
          await search(key, way, broken.url);
        }),
        { numRuns: 20 },
      );
      const codes = [
        "2022",
        "2030",
        "2032",
        "2040",
        "2041",
        "2050",
        "2060",
        "2061",
        "2062",
        "2070",
        "2081",
        "2090",
      ];
      expect([...seen]).to.include.members(codes.map((code) => `HDP-${code}`));
    });
  });
});

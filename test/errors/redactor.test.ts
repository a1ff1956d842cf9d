import { inspect } from "node:util";

import { expect } from "chai";
import fc from "fast-check";

import { makePrintable, printableLines } from "../../src/errors/printable.js";
import { coverSecrets, Redactor, SECRETS } from "../../src/errors/secrets.js";

const KEY = "Kx+7/q?=é$(w";

function redactorOf(...keys: readonly string[]): Redactor {
  const redactor = new Redactor();
  for (const key of keys) expect(redactor.learn(key)).to.equal(key);
  return redactor;
}

describe("a redactor", () => {
  it("returns text without a known key unchanged", () => {
    expect(redactorOf().redact("any text")).to.equal("any text");
    expect(redactorOf(KEY).redact("any text")).to.equal("any text");
    expect(redactorOf().redact("any text", 3)).to.equal("any");
    expect(redactorOf("").redact("any text")).to.equal("any text");
  });

  it("removes keys from six characters on", () => {
    expect(redactorOf("12345").redact("at 12345.")).to.equal("at 12345.");
    expect(redactorOf("123456").redact("at 123456.")).to.equal("at [redacted].");
  });

  const base64 = Buffer.from(KEY).toString("base64").replace(/=+$/, "");
  for (const [form, text] of [
    ["verbatim", KEY],
    ["in another letter case", KEY.toUpperCase()],
    ["percent-encoded", encodeURIComponent(KEY)],
    ["as a query's value", new URLSearchParams({ key: KEY }).toString().slice(4)],
    ["in base64", base64],
    ["in base64 for addresses", base64.replaceAll("+", "-").replaceAll("/", "_")],
  ] as const) {
    it(`removes a key ${form}`, () => {
      expect(redactorOf(KEY).redact(`<${text}>${text}`)).to.equal("<[redacted]>[redacted]");
    });
  }

  it("removes a key with JSON escapes", () => {
    const key = 'quote"back\\slash\n';
    expect(redactorOf(key).redact(JSON.stringify({ key }))).to.equal('{"key":"[redacted]"}');
  });

  it("removes a key with each character by its name or number in HTML", () => {
    const key = `a&b<c>d"e'f/g+h=i`;
    const named = "a&amp;b&lt;c&gt;d&quot;e&apos;f&sol;g&plus;h&equals;i";
    const byNumber = "a&#38;b&#060;c&#x3e;d&#x022;e&#39;f&#47;g&#43;h&#61;i";
    expect(redactorOf(key).redact(`${named} ${byNumber}`)).to.equal("[redacted] [redacted]");
  });

  it("removes a key whose space is a plus, as forms send it", () => {
    const text = new URLSearchParams({ key: "two words" }).toString();
    expect(redactorOf("two words").redact(text)).to.equal("key=[redacted]");
  });

  it("removes a key of a character beyond 16 bits by its number in HTML", () => {
    expect(redactorOf("key-\u{1f511}").redact("key-&#128273; key-&#x1f511;")).to.equal(
      "[redacted] [redacted]",
    );
  });

  it("removes of base64 what a key decides, and the letter that it decides in part alone", () => {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const whole = redactorOf("secret");
    expect(whole.redact(`${base64("secret")}x`)).to.equal("[redacted]x");
    expect(redactorOf("seven77").redact(base64("aseven77"))).to.match(/^..\[redacted\]=$/);
  });

  it("takes a plus for a space alone", () => {
    expect(redactorOf("secret-key").redact("++++++++++")).to.equal("++++++++++");
  });

  it("takes no character of a key for a pattern", () => {
    expect(redactorOf("a.c.e.g").redact("abcdefg a.c.e.g")).to.equal("abcdefg [redacted]");
  });

  it("removes the longest of several keys that begin at the same place", () => {
    for (const keys of [
      ["secret", "secret-longer"],
      ["secret-longer", "secret"],
    ]) {
      expect(redactorOf(...keys).redact("secret-longer, secret.")).to.equal(
        "[redacted], [redacted].",
      );
    }
  });

  it("keeps the first characters of a text, and removes a key across the cut as a whole", () => {
    const redactor = redactorOf("secret-key");
    expect(redactor.redact("ab secret-key cd", 2)).to.equal("ab");
    expect(redactor.redact("ab secret-key cd", 3)).to.equal("ab ");
    expect(redactor.redact("ab secret-key cd", 4)).to.equal("ab [redacted]");
    expect(redactor.redact("ab secret-key cd", 13)).to.equal("ab [redacted]");
    expect(redactor.redact("ab secret-key cd", 14)).to.equal("ab [redacted] ");
  });

  it("shows no part of a known key, wherever it stands", () => {
    const redactor = redactorOf("Zq3hY8mK2w");
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat({ max: 60 }), (before, after, most) => {
        const shown = redactor.redact(`${before}Zq3hY8mK2w${after}`, most);
        expect(shown).to.not.match(/Zq3h|mK2w/i);
      }),
    );
  });

  it("removes keys from the names and values of JSON, and keeps other values", () => {
    const redactor = redactorOf("secret-key");
    const date = "2026-01-01";
    const value = { "secret-key": ["secret-key", 1, null, true, { date }], none: undefined };
    expect(redactor.redactValue(value)).to.deep.equal({
      "[redacted]": ["[redacted]", 1, null, true, { date }],
      none: undefined,
    });
    expect(redactorOf().redactValue(value)).to.equal(value);
  });
});

describe("a foreign error's texts", () => {
  SECRETS.learn("covered-key-1");

  it("stay writable and configurable when a key is removed", () => {
    const error = new Error("at covered-key-1");
    coverSecrets(error);
    expect(Object.getOwnPropertyDescriptor(error, "message")).to.include({
      value: "at [redacted]",
      configurable: true,
      writable: true,
    });
  });

  it("leaves texts without a key as they are: it defines no property anew", () => {
    const error = Object.assign(new Error("words"), { data: "frozen" });
    Object.defineProperty(error, "data", { value: "frozen", writable: false });
    coverSecrets(error);
    expect(Object.getOwnPropertyDescriptor(error, "data")?.writable).to.equal(false);
  });

  it("lose a key in base64 at any offset, but for the letters that other text decides", () => {
    const redactor = new Redactor();
    redactor.learn("covered-key-2");
    for (const before of ["", "a", "ab", "abc"]) {
      for (const after of ["", "x", "xy"]) {
        const text = Buffer.from(`${before}covered-key-2${after}`).toString("base64");
        const shown = redactor.redact(text);
        expect(shown, text).to.contain("[redacted]").and.have.length.below(20);
      }
    }
  });

  it("keep the list of errors that an AggregateError has", () => {
    const inner = new Error("at covered-key-1");
    const all = new AggregateError([inner], "words");
    coverSecrets(all);
    expect(all.errors[0]).to.equal(inner);
    expect(inner.message).to.equal("at [redacted]");
  });

  it("keep data of classes without keys and null, and lose the keys of plain data, maps, classes and symbols", () => {
    class Agent {
      public constructor(public readonly url: string) {}
    }
    const agent = new Agent("no key");
    const used = new Agent("covered-key-1");
    const hidden = Symbol("hidden");
    const error = Object.assign(new Error("words"), {
      agent,
      used,
      map: new Map([["url", "covered-key-1"]]),
      [hidden]: "covered-key-1",
      none: null,
      plain: { url: "covered-key-1", count: 3 },
    });
    coverSecrets(error);
    expect(error.agent).to.equal(agent);
    expect(used.url, "it may be in use").to.equal("covered-key-1");
    expect(inspect(error, { showHidden: true, depth: 9 })).to.not.contain("covered-key-1");
    expect(error[hidden]).to.equal("[redacted]");
    expect(error.map).to.equal("Map(1) { 'url' => '[redacted]' }");
    expect(error.none).to.equal(null);
    expect(error.plain).to.deep.equal({ url: "[redacted]", count: 3 });
  });

  it("keep a cause itself, and lose the keys in it", () => {
    const cause = new Error("at covered-key-1");
    const error = new Error("words", { cause });
    coverSecrets(error);
    expect(error.cause).to.equal(cause);
    expect(cause.message).to.equal("at [redacted]");
  });

  it("keep no object of a class that shows a key: not ten levels deep, hidden, or in a long text", () => {
    class Holder {
      public constructor(public readonly held: unknown) {}
    }
    const hidden = Object.defineProperty(new Holder("none"), "key", { value: "covered-key-1" });
    const deep = new Holder({ a: { b: { c: { d: { e: "covered-key-1" } } } } });
    const long = new Holder(`${"x".repeat(20_000)} covered-key-1`);
    for (const holder of [hidden, deep, long]) {
      const error = Object.assign(new Error("words"), { holder: holder });
      coverSecrets(error);
      expect(error.holder).to.be.a("string").that.includes("[redacted]");
    }
  });

  it("covers 50 causes of a chain", () => {
    const errors = Array.from({ length: 60 }, () => new Error("covered-key-1"));
    errors.forEach((error, index) => (error.cause = errors[index + 1]));
    coverSecrets(errors[0]);
    const messages = errors.map(({ message }) => message);
    expect(messages.filter((message) => message === "[redacted]")).to.have.length(50);
    expect(messages[49]).to.equal("[redacted]");
    expect(messages[50]).to.equal("covered-key-1");
  });

  it("become printable, in plain data only where they hold a key", () => {
    const error = Object.assign(new Error("\u001b[2Jcovered-key-1\u202e"), { code: 7 });
    makePrintable(error);
    expect(error.message).to.equal(" [2J[redacted] ");
    expect(error.code).to.equal(7);
  });
});

describe("lines of a foreign text", () => {
  it("cuts lines behind the maximum, with one ellipsis for the rest", () => {
    expect(printableLines("x".repeat(10), 10)).to.equal("x".repeat(10));
    expect(printableLines("x".repeat(11), 10)).to.equal(`${"x".repeat(9)}…`);
  });

  it("writes one space for several control characters or line separators in a row", () => {
    expect(printableLines("a\u0000\u001b\u202eb\u2028\u2029c")).to.equal("a b c");
  });
});

import { expect } from "chai";
import fc from "fast-check";

import { HdpError, isHdpError } from "../../src/errors/hdp-error.js";
import { jsonText, parseJsonText, parsePlainJson, shownJson } from "../../src/base/json.js";

function thrown(action: () => unknown): HdpError {
  try {
    action();
  } catch (error) {
    if (isHdpError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("JSON text", () => {
  it("keeps integers exact and leaves other numbers as they are written", () => {
    expect(parseJsonText('{"a":9007199254740993,"b":-1,"c":1.50,"d":1e3,"e":[18446744073709551616]}')).to.deep.equal({
      ...{ a: 9007199254740993n, b: -1, c: "1.50", d: "1e3" },
      e: [18446744073709551616n],
    });
  });

  it("reads the same as JSON.parse, whatever the document (property)", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        expect(parsePlainJson(text)).to.deep.equal(JSON.parse(text));
        expect(() => parseJsonText(text)).to.not.throw();
      }),
    );
  });

  it("refuses a key that occurs twice, also where it is spelled otherwise", () => {
    const text = '{"tasks":[{"blockRangeEnd":5,\n "x":{"y":1},"blockRange\\u0045nd":5000000}]}';
    const error = thrown(() => parseJsonText(text, { source: "fee.json" }));
    expect([error.code, error.source, error.shortMessage]).to.deep.equal([
      "HDP-1001",
      "fee.json:2:14",
      'not JSON at line 2, column 14: the key "blockRange\\u0045nd" occurs twice.',
    ]);
    expect(error.hints).to.deep.equal(["Leave one of the two: which value is meant is not known."]);
    expect(parseJsonText('{"a":{"a":1},"b":{"a":[{"a":2},{"a":3}]}}')).to.deep.equal({
      ...{ a: { a: 1 }, b: { a: [{ a: 2 }, { a: 3 }] } },
    });
    expect(parsePlainJson('{"a":1,"a":2}')).to.deep.equal({ a: 2 });
  });

  it("refuses what is nested too deeply by its place, however deep it is", () => {
    const nested = (depth: number): string => `{"a":\n${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(() => parseJsonText(nested(999))).to.not.throw();
    for (const depth of [1_000, 5_000, 100_000]) {
      const error = thrown(() => parseJsonText(nested(depth), { source: "fee.json" }));
      expect([error.code, error.source, error.shortMessage]).to.deep.equal([
        "HDP-1001",
        "fee.json:2:1000",
        "not JSON at line 2, column 1000: it is nested deeper than 1000 levels.",
      ]);
      expect(error.hints).to.deep.equal([
        "Nothing that is read here is nested that deeply: look for brackets that are opened and not closed.",
      ]);
    }
    const body = thrown(() => parsePlainJson(nested(100_000), {}, () => new Error("rounded")));
    expect(body.shortMessage).to.contain("nested deeper than 1000 levels");
  });

  it("leaves integers of more digits than anything has as they are written", () => {
    expect(parseJsonText(`[${"9".repeat(300)}]`)).to.deep.equal([BigInt("9".repeat(300))]);
    expect(parseJsonText(`[${"9".repeat(301)}]`)).to.deep.equal(["9".repeat(301)]);
  });

  it("shows values of any depth", () => {
    const nested = (depth: number): unknown => JSON.parse(`{"a":${"[".repeat(depth)}1${"]".repeat(depth)}}`);
    expect(shownJson({ a: [1n] }, 2)).to.equal('{\n  "a": [\n    "1"\n  ]\n}');
    expect(shownJson(nested(1_000))).to.equal(JSON.stringify(nested(1_000)));
    const shown = shownJson(nested(100_000), 2);
    expect(shown).to.contain('"… nested deeper than 500 levels"').and.to.have.length.below(1_100);
    expect(() => JSON.parse(shown) as unknown).to.not.throw();
  });

  it("lets the caller name the error", () => {
    const notJson = ({ sentence }: { readonly sentence: string }): HdpError =>
      new HdpError({ code: "HDP-7004", message: `no class: ${sentence}` });
    for (const read of [parseJsonText, parsePlainJson]) {
      const error = thrown(() => read('{"a":}', { notJson }));
      expect([error.code, error.shortMessage]).to.deep.equal([
        "HDP-7004",
        'no class: line 1, column 6: unexpected "}".',
      ]);
    }
  });

  it("refuses integers that would be rounded where that is asked for", () => {
    const rounded = (written: string): HdpError => new HdpError({ code: "HDP-6047", message: written });
    expect(parsePlainJson('[1.5,9007199254740991,"9007199254740993"]', {}, rounded)).to.deep.equal([
      1.5,
      9007199254740991,
      "9007199254740993",
    ]);
    expect(thrown(() => parsePlainJson("[9007199254740993]", {}, rounded)).shortMessage).to.equal("9007199254740993.");
  });

  it("reads strings of many megabytes", () => {
    const long = "a\\n".repeat(4_000_000);
    expect(parseJsonText(`{"a":"${long}"}`)).to.deep.equal({ a: "a\n".repeat(4_000_000) });
    expect(thrown(() => parseJsonText(`{"a":"${long}",}`)).shortMessage).to.include('unexpected "}"');
  });

  it("writes bigints as decimal text", () => {
    expect(jsonText({ a: 2n ** 256n, b: [1] })).to.equal(`{"a":"${(2n ** 256n).toString()}","b":[1]}`);
    expect(jsonText({ a: 1n }, 2)).to.equal('{\n  "a": "1"\n}');
  });
});

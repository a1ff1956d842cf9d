import { expect } from "chai";
import fc from "fast-check";

import { HdpError, isHdpError } from "../../src/entries/request.js";
import {
  jsonOrUndefined,
  jsonText,
  parseJsonText,
  parsePlainJson,
  shownJson,
} from "../../src/base/json.js";

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
    expect(
      parseJsonText('{"a":9007199254740993,"b":-1,"c":1.50,"d":1e3,"e":[18446744073709551616]}'),
    ).to.deep.equal({
      a: 9007199254740993n,
      b: -1,
      c: "1.50",
      d: "1e3",
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

  it("refuses the documents that JSON.parse refuses, and no others (property)", () => {
    const pieces = fc.constantFrom(...Array.from('{}[]",:0123.eE+-tfn\\ \n/u\u0001\u00a0\v*'));
    const changes = fc.array(fc.tuple(fc.nat(), pieces, fc.boolean()), { maxLength: 3 });
    const nearlyJson = fc.tuple(fc.json(), changes).map(([json, list]) =>
      list.reduce((text, [place, piece, replaces]) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + piece + text.slice(replaces ? at + 1 : at);
      }, json),
    );
    const refusal = (read: () => unknown): string | undefined => {
      try {
        read();
        return undefined;
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const isJson = refusal(() => JSON.parse(text)) === undefined;
        expect(refusal(() => parsePlainJson(text)) === undefined).to.equal(isJson);
        const exact = refusal(() => parseJsonText(text));
        if (exact?.includes("occurs twice") !== true) expect(exact === undefined).to.equal(isJson);
      }),
    );
  });

  it("names the place of the first character that is not JSON, and the usual causes", () => {
    for (const [text, place] of [
      ["", "line 1, column 1: the text ends here"],
      ['{"a":1', "line 1, column 7: the text ends here"],
      ['{"a":\n1,}', 'line 2, column 3: unexpected "}"'],
      ["[1, 02]", 'line 1, column 6: unexpected "2"'],
      ["[1] 2", 'line 1, column 5: unexpected "2"'],
      ["[1 // a\n]", 'line 1, column 4: unexpected "/"'],
      ['{"a":nul}', 'line 1, column 6: unexpected "n"'],
      [`[${" ".repeat(10_000)}1]`, "line 1, column 2: 10,000 blanks in a row"],
      ["[".concat(" ".repeat(9_999), "\n"), "line 2, column 1: the text ends here"],
    ] as const) {
      const error = thrown(() => parseJsonText(text));
      expect([error.code, error.shortMessage]).to.deep.equal([
        "HDP-1001",
        `the text is not JSON at ${place}.`,
      ]);
      expect(error.hints).to.deep.equal([
        "Usual causes: a comma after the last item, a missing quote or bracket.",
      ]);
    }
  });

  it("refuses a text of too many values before it parses it", () => {
    const zeros = (count: number): string => `[0${",0".repeat(count - 1)}]`;
    expect(parseJsonText(zeros(500_000))).to.have.length(500_000);
    expect(parsePlainJson(zeros(1_000_000))).to.have.length(1_000_000);
    expect(parsePlainJson("[0,0]", { maxValues: 2 })).to.deep.equal([0, 0]);
    for (const [parse, count] of [
      [() => parseJsonText(zeros(500_001)), "500,000"],
      [() => parseJsonText("[".repeat(500_001)), "500,000"],
      [() => parsePlainJson(zeros(1_000_001)), "1,000,000"],
      [() => parsePlainJson('{"a":'.repeat(1_000_001)), "1,000,000"],
      [() => parsePlainJson("[0,0]", { maxValues: 1 }), "1"],
    ] as const) {
      const error = thrown(parse);
      expect(error.shortMessage).to.equal(
        `the text is not JSON at line 1, column 1: it has more than ${count} values.`,
      );
      expect(error.hints).to.deep.equal(["Give the values in several files."]);
    }
    expect(jsonOrUndefined("[0,0]", 2)).to.deep.equal([0, 0]);
    expect(jsonOrUndefined("[0,0]", 1)).to.equal(undefined);
  });

  it("skips a byte order mark, and comments where they are allowed", () => {
    expect(parseJsonText("\uFEFF[1]")).to.deep.equal([1]);
    const commented = '// a\n{ /* b */ "http://c": [1, // d\n 2] } /* e\n f */';
    expect(parseJsonText(commented, { comments: true })).to.deep.equal({ "http://c": [1, 2] });
    expect(thrown(() => parseJsonText('{"a": /* b */ 1}')).shortMessage).to.equal(
      'the text is not JSON at line 1, column 7: unexpected "/".',
    );
  });

  it("keeps a key named __proto__ as a key", () => {
    const text = '{"__proto__":{"a":1},"b":2}';
    const parsed = parseJsonText(text);
    expect(JSON.stringify(parsed)).to.equal(text);
    expect(parsed).not.to.have.property("a");
    expect(thrown(() => parseJsonText('{"__proto__":1,"__proto__":2}')).shortMessage).to.equal(
      'the text is not JSON at line 1, column 16: the key "__proto__" occurs twice.',
    );
  });

  it("refuses a key that occurs twice, also where it is spelled otherwise", () => {
    const text = '{"tasks":[{"blockRangeEnd":5,\n "x":{"y":1},"blockRange\\u0045nd":5000000}]}';
    const error = thrown(() => parseJsonText(text, { source: "fee.json" }));
    expect([error.code, error.source, error.shortMessage]).to.deep.equal([
      "HDP-1001",
      "fee.json:2:14",
      'the text is not JSON at line 2, column 14: the key "blockRange\\u0045nd" occurs twice.',
    ]);
    expect(error.hints).to.deep.equal(["Leave one of the two: which value is meant is not known."]);
    expect(parseJsonText('{"a":{"a":1},"b":{"a":[{"a":2},{"a":3}]}}')).to.deep.equal({
      a: { a: 1 },
      b: { a: [{ a: 2 }, { a: 3 }] },
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
        "the text is not JSON at line 2, column 1000: it is nested deeper than 1000 levels.",
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
    const nested = (depth: number): unknown =>
      JSON.parse(`{"a":${"[".repeat(depth)}1${"]".repeat(depth)}}`);
    expect(shownJson({ a: [1n] }, 2)).to.equal('{\n  "a": [\n    "1"\n  ]\n}');
    expect(shownJson(nested(1_000))).to.equal(JSON.stringify(nested(1_000)));
    const shown = shownJson(nested(100_000), 2);
    expect(shown).to.contain('"… nested deeper than 500 levels"').and.to.have.length.below(1_100);
    expect(() => JSON.parse(shown) as unknown).to.not.throw();
  });

  it("lets the caller name the error", () => {
    const notJson = (sentence: string): HdpError =>
      new HdpError({ code: "HDP-6001", message: `no class: ${sentence}` });
    for (const read of [parseJsonText, parsePlainJson]) {
      const error = thrown(() => read('{"a":}', { notJson }));
      expect([error.code, error.shortMessage]).to.deep.equal([
        "HDP-6001",
        'no class: line 1, column 6: unexpected "}".',
      ]);
    }
  });

  it("refuses integers that would be rounded where that is asked for", () => {
    const rounded = (written: string): HdpError =>
      new HdpError({ code: "HDP-6047", message: written });
    expect(parsePlainJson('[1.5,9007199254740991,"9007199254740993"]', {}, rounded)).to.deep.equal([
      1.5,
      9007199254740991,
      "9007199254740993",
    ]);
    expect(thrown(() => parsePlainJson("[9007199254740993]", {}, rounded)).shortMessage).to.equal(
      "9007199254740993.",
    );
  });

  it("reads strings of many megabytes", () => {
    const long = "a\\n".repeat(2_000_000);
    expect(parseJsonText(`{"a":"${long}"}`)).to.deep.equal({ a: "a\n".repeat(2_000_000) });
    expect(thrown(() => parseJsonText(`{"a":"${long}",}`)).shortMessage).to.include(
      'unexpected "}"',
    );
  });

  it("writes bigints as decimal text", () => {
    expect(jsonText({ a: 2n ** 256n, b: [1] })).to.equal(
      `{"a":"${(2n ** 256n).toString()}","b":[1]}`,
    );
    expect(jsonText({ a: 1n }, 2)).to.equal('{\n  "a": "1"\n}');
  });
});

import { expect } from "chai";
import fc from "fast-check";

import { parseJsonText } from "../../src/base/json-text.js";

describe("keys written twice", () => {
  const refusal = (text: string): string => {
    try {
      parseJsonText(text, "task.json");
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "taken";
  };

  it("are refused at the place of the second, however they are escaped and however deep", () => {
    expect(refusal('{"blockRangeEnd":5,"blockRangeEnd":5000000}')).to.contain(
      'HDP-1002 in task.json:1:20: The key "blockRangeEnd" is written twice in one object: the second time at line 1, column 20.',
    );
    expect(refusal('{"a":[{"b":1},\n{"b":{"c":"{\\"c\\":1}","\\u0063":2}}]}')).to.contain(
      'The key "c" is written twice',
    );
    expect(refusal('{"a":1,"b":{},"a" : 2}')).to.contain('"a"');
    expect(refusal('{"__proto__":1,"__proto__":2}')).to.contain('"__proto__"');
    expect(refusal('\uFEFF{\n  "a": 1,\n  "a": 1\n}')).to.contain("task.json:3:3");
  });

  it("are no values, and no keys of another object", () => {
    const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":2},"a","a"],"c":"\\"a\\":","d":"}{"}';
    expect(parseJsonText(text)).to.deep.equal(JSON.parse(text));
  });

  it("are not found in what JSON.stringify wrote", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.string())), (value) => {
        expect(parseJsonText(JSON.stringify(value))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("are looked for in linear time", () => {
    const object = `{${Array.from({ length: 200_000 }, (_, index) => `"key${index}":"${"\\\\".repeat(10)}"`).join(",")}}`;
    const started = performance.now();
    parseJsonText(object);
    parseJsonText(`${"[".repeat(500)}${"]".repeat(500)}`);
    expect(performance.now() - started).to.be.lessThan(5_000);
  });
});

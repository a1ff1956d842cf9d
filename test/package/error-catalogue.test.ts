import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { errorIndex } from "../../scripts/error-index.mjs";
import { root } from "../support/hardhat-cli.js";

const pages = join(root, "docs", "errors");

/** Codes thrown in more than one file: one cause each, found at several places. */
const SHARED: Readonly<Record<string, string>> = {
  "HDP-1101": "an unknown field or variant, of a compute section or of any object",
  "HDP-1103": "a document of the wrong type, as a whole or in one of its fields",
  "HDP-1108": "an integer out of its range or form, wherever a request has one",
  "HDP-1117": "a value that is none of a list of words",
  "HDP-1118": "hexadecimal of the wrong form or length, read or encoded",
  "HDP-2003": "no API key: the configuration has none, or the client was given none",
  "HDP-4502": "a data folder's log that cannot be used: unreadable, or of another version",
  "HDP-4510": "nothing is served at an address",
  "HDP-4519": "an id that the front does not know, of a task, a batch or a storage proof",
  "HDP-8016": "a Scarb project that this cannot add to safely, as a whole or in the form of its text",
  "HDP-7112": "a read that the data processor of a generation cannot answer",
};

interface Place {
  readonly code: string;
  readonly file: string;
}

/** Codes as string literals: mentions in comments and comparisons are no throws. */
function thrown(): Place[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(root, "src", file), "utf8").replace(/^\s*(\*|\/\*\*|\/\/).*$/gm, "");
    return [...text.matchAll(/(?<!===\s|error, )"(HDP-\d{4})"/g)].map(([, code = ""]) => ({ code, file }));
  });
}

const documented = readdirSync(pages)
  .filter((name) => name.startsWith("HDP-"))
  .map((name) => name.replace(/\.md$/, ""));

describe("the error catalogue", () => {
  const places = thrown();
  const codes = [...new Set(places.map(({ code }) => code))].sort();

  it("finds the codes of the source", () => {
    expect(codes.length).to.be.greaterThan(100);
    expect(codes).to.include("HDP-1101").and.to.include("HDP-4901");
  });

  it("has a page for every code", () => {
    expect(codes.filter((code) => !existsSync(join(pages, `${code}.md`)))).to.deep.equal([]);
  });

  it("has no page for a code that nobody throws", () => {
    expect(documented.filter((code) => !codes.includes(code))).to.deep.equal([]);
  });

  for (const code of documented) {
    it(`${code} has its cause, what to do, and an example of the message`, () => {
      const text = readFileSync(join(pages, `${code}.md`), "utf8");
      expect(text).to.match(new RegExp(`^# ${code}: \\S.+\\n\\n[A-Z"\`]`), "a title and a paragraph of cause");
      expect(text).to.match(/\n## What to do\n\n\S/);
      const example = /\n## Example\n\n```(?:text)?\n(?<message>[^]*?)\n```\n/.exec(text)?.groups?.["message"];
      expect(example, "an example of the message").to.contain(code);
      expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).to.deep.equal(["What to do", "Example"]);
    });
  }

  it("uses a code in one file only, or says why not", () => {
    const files = new Map<string, Set<string>>();
    for (const { code, file } of places) files.set(code, (files.get(code) ?? new Set()).add(file));
    const several = [...files].filter(([, { size }]) => size > 1).map(([code]) => code);
    expect(several.filter((code) => SHARED[code] === undefined)).to.deep.equal([]);
    expect(
      Object.keys(SHARED).filter((code) => !several.includes(code)),
      "listed without need",
    ).to.deep.equal([]);
  });

  it("gives every code the number of its area", () => {
    const areas: readonly (readonly [RegExp, RegExp])[] = [
      [/^request\/program\//, /^HDP-7/],
      [/^request\/(?!program\/)/, /^HDP-1/],
      [/^store\/starknet\//, /^HDP-8/],
      [/^store\/(?!starknet\/)/, /^HDP-3/],
      [/^service\//, /^HDP-2/],
      [/^journal\//, /^HDP-5/],
      [/^local\/(?!cairo\/)/, /^HDP-4/],
      [/^tasks\//, /^HDP-6/],
    ];
    const strays = places.filter(({ code, file }) =>
      areas.some(([folder, number]) => folder.test(file) && !number.test(code)),
    );
    expect(strays).to.deep.equal([]);
  });

  it("is listed in the index: npm run docs:errors writes it", () => {
    expect(readFileSync(join(pages, "README.md"), "utf8")).to.equal(errorIndex());
  });
});

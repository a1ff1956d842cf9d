import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

import { expect } from "chai";

import { errorPages } from "../../scripts/error-pages.js";
import type { ErrorTemplate } from "../../src/errors/catalogue-entry.js";
import { AREAS, CATALOGUE, isHdpErrorCode } from "../../src/errors/catalogue.js";
import { root } from "../support/hardhat-cli.js";

const folder = join(root, "docs", "errors");

interface Place {
  readonly code: string;
  readonly file: string;
}

/** Codes as string literals: mentions in comments and comparisons are no throws, the catalogue itself is none. */
function thrown(): Place[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".ts") &&
      (name === join("errors", "hdp-error.ts") || !name.startsWith(`errors${sep}`)),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(root, "src", file), "utf8").replace(
      /^\s*(\*|\/\*\*|\/\/).*$/gm,
      "",
    );
    return [...text.matchAll(/(?<!===\s|error, |undefinedFor\()"(HDP-\d{4})"/g)].map(
      ([, code = ""]) => ({
        code,
        file,
      }),
    );
  });
}

const documented = Object.keys(CATALOGUE).filter(isHdpErrorCode);

/** A message with no more words than these says with its values alone what is wrong, and is split. */
const MAX_FEW_WORDS = 3;
/** Sentences of one value, its kind and three words that say all: `"x" is not a fault`, `x can't be read`. */
const WHOLE_SENTENCES: ReadonlySet<string> = new Set([
  "HDP-1103",
  "HDP-1108",
  "HDP-6003",
  "HDP-6001",
  "HDP-6207",
]);

describe("the error catalogue", () => {
  const places = thrown();
  const codes = [...new Set(places.map(({ code }) => code))].sort();

  it("finds the codes of the source", () => {
    expect(codes.length).to.be.greaterThan(100);
    expect(codes).to.include("HDP-1101").and.to.include("HDP-4901");
  });

  it("describes every code", () => {
    expect(codes.filter((code) => !isHdpErrorCode(code))).to.deep.equal([]);
  });

  it("describes no code that is never thrown", () => {
    expect(documented.filter((code) => !codes.includes(code))).to.deep.equal([]);
  });

  for (const code of documented) {
    it(`${code} has a title and a message, in sentences`, () => {
      const entry: ErrorTemplate = CATALOGUE[code];
      const { title } = entry;
      expect(title, "sentence case").to.match(/^(?:[A-Z]|starknet\.js)/);
      expect(title, "no full stop").to.match(/[\p{L}\p{N})]$/u);
      expect(title).to.have.length.lessThan(70);
      expect(entry.description ?? "None.", "sentences").to.match(/^[A-Z"`][^]*[.:)`]$/);
      expect(entry.message, "a sentence").to.match(/[.?:…]["')]*$|\}$/);
      for (const hint of entry.hints ?? []) {
        expect(hint, "a sentence").to.match(/^\S[^]*\S$/);
        expect(hint, "words of its own: else the place passes it as a hint").not.to.match(
          /^\{\w+\}$/,
        );
      }
      if (WHOLE_SENTENCES.has(code)) return;
      const own = entry.message.replaceAll(/\{[A-Za-z]+\}/g, " ").match(/[A-Za-z][\w'’-]*/g) ?? [];
      expect(own, "words that are no value's").to.have.length.greaterThan(MAX_FEW_WORDS);
    });
  }

  it("gives every code the number of its area, or one that several areas share", () => {
    const areas: readonly (readonly [RegExp, RegExp])[] = [
      [/^request\/(?!state-trie)/, /^HDP-1/],
      [/^program\//, /^HDP-[17]/],
      [/^cairo\/(?!module-state)/, /^HDP-[17]/],
      [/^chain\/evm\//, /^HDP-4/],
      [/^store\/starknet\//, /^HDP-[38]/],
      [/^store\/(?!starknet\/)/, /^HDP-3/],
      [/^service\/(?!program-registry)/, /^HDP-2/],
      [/^submission\/(?!backend)/, /^HDP-(?:5|440|6045|3009)/],
      [/^compute\//, /^HDP-[147]/],
      [/^(?:submission\/backend|dev-server)\//, /^HDP-4/],
      [/^tasks\//, /^HDP-[468]/],
    ];
    const shared =
      /^HDP-(?:1100|1110|1120|1125|1126|2004|2081|3020|4103|4404|6001|6003|6018|7031|7033)$/;
    const strays = places.filter(({ code, file }) =>
      areas.some(
        ([folder, number]) => folder.test(file) && !number.test(code) && !shared.test(code),
      ),
    );
    expect(strays).to.deep.equal([]);
  });

  it("numbers each area by one first digit", () => {
    const digits = AREAS.map(({ digit }) => digit);
    expect(
      documented.filter((code) => digits.every((digit) => !code.startsWith(`HDP-${digit}`))),
    ).to.deep.equal([]);
  });

  it("matches docs/errors: npm run docs:errors writes it", async () => {
    const pages = await errorPages();
    const committed = readdirSync(folder).map(
      (name) => [name, readFileSync(join(folder, name), "utf8")] as const,
    );
    expect(committed.map(([name]) => name).sort()).to.deep.equal([...pages.keys()].sort());
    for (const [name, text] of committed) expect(text, name).to.equal(pages.get(name));
  });

  it("stands where the other pages say it is", () => {
    const known = new Set(
      AREAS.flatMap(({ page, digit }) =>
        documented
          .filter((code) => code.startsWith(`HDP-${digit}`))
          .map((code) => `${page}.md#${code.toLowerCase()}`),
      ),
    );
    const docs = join(root, "docs");
    const links = readdirSync(docs)
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) => [
        ...readFileSync(join(docs, name), "utf8").matchAll(/\]\(errors\/([^)]+#hdp[^)]*)\)/g),
      ])
      .map(([, link = ""]) => link);
    expect(links.length).to.be.greaterThan(20);
    expect(links.filter((link) => !known.has(link))).to.deep.equal([]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { keysOf } from "../../src/base/collections.js";
import { SERVICE_REFUSALS } from "../../src/plugin/service-refusals.js";
import { SATELLITES } from "../../src/request/satellites.js";
import { CONTRADICTIONS } from "../../src/service/data-processor/contradictions.js";
import { EDITIONS } from "../../src/service/data-processor/editions.js";
import { KNOWN_SERVICES } from "../../src/service/known-services.js";
import { root } from "../support/hardhat-cli.js";

/**
 * The points on which published sources contradict each other: a switch of the development server stands for both sides,
 * or a row of the page says what is done here.
 */
const CONTRADICTED = {
  "destination_chain_id: hex text, integer": "destination",
  "input.params: hex strings, objects": "inputs",
  "arguments: input.params, task_inputs": "inputs",
  "accepted reply: with status, without": "accepted",
  "id in 404: taskId, uuid": "unknown",
  "mmr_metas: variant, tagged": "mmrs",
  "introduction: batches, tasks": "api",
  "program hash: segments, flat": "program",
  "on-chain check: 4 + 4n words, 6 + 4p + 5k": "words of a result that are hashed",
  "reads of OP Sepolia results: no, yes": "results on OP Sepolia",
  "key of Atlantic: two headers, a query": "key of Atlantic",
  "indexer chain ids: names, numbers": "chain ids of the indexer",
  "account read: order of chain, account, block": "arguments of an account read",
  "data handle: 8 felts, 6 felts": "data handle of a module",
  "EVM chains of a module": "EVM chains that a module reads",
} as const;

const DATE = /\b20\d\d-[01]\d-[0-3]\d\b/;

/** The text of a page's section, up to the next heading of any level. */
function section(page: string, heading: string): string {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const [, after] = text.split(new RegExp(`^#+ ${heading}$`, "m"));
  if (after === undefined) throw new Error(`docs/${page} has no section "${heading}"`);
  return after.split(/^#+ /m, 1)[0] ?? "";
}

/** The rows of a section's table, without its head. */
function rows(page: string, heading: string): readonly (readonly string[])[] {
  const lines = section(page, heading).split("\n");
  const table = lines.filter((line) => line.startsWith("|"));
  const cells = table.map((line) => line.split("|").slice(1, -1));
  return cells.slice(2).map((row) => row.map((cell) => cell.trim()));
}

describe("docs/service.md", () => {
  it("says of each published interface where it is published, when that was read, and that it was never tried", () => {
    const published = rows("service.md", "What is published where");
    for (const [name = "", address, source = "", read = "", tried] of published) {
      expect(address, name).not.to.equal("");
      expect(source, name).to.match(/\w{4}/);
      // The specification is this project's own.
      const isOwn = source === "the specification of this project's service";
      expect(read, name).to.match(isOwn ? /^–$/ : /^20\d\d-[01]\d-[0-3]\d$/);
      expect(tried, name).to.equal("never");
    }
    const names = published.map(([name]) => name);
    for (const edition of keysOf(EDITIONS))
      expect(names).to.include(`data processor, \`${edition}\``);
    const addresses = Object.values(KNOWN_SERVICES["herodotus-staging"]).filter((value) =>
      value.startsWith("https://"),
    );
    const shown = published.flatMap(
      ([, address = ""]) => /^`(https:.*)`$/.exec(address)?.[1] ?? [],
    );
    expect(shown.toSorted()).to.deep.equal(addresses.toSorted());
  });

  it("gives a source with a date in each row of what is refused, and a row for each refusal", () => {
    const refused = rows("service.md", "What is refused before anything is sent");
    expect(refused.map(([editions]) => editions)).to.deep.equal(
      SERVICE_REFUSALS.map(({ editions }) => editions.map((one) => `\`${one}\``).join(", ")),
    );
    for (const [, what, , source = ""] of refused)
      expect(DATE.test(source) || source.startsWith("the specification"), what).to.equal(true);
  });

  it("says in every section about the hosted service when its sources were read, and that it was never tried", () => {
    for (const heading of [
      "What works where",
      "What is refused before anything is sent",
      "Is it provable yet\\?",
      "What is published where",
      "Where sources contradict each other",
    ]) {
      expect(section("service.md", heading), heading)
        .to.match(DATE)
        .and.match(
          /never tried|never made|None of it was tried|Nothing here was tried|No call was ever/i,
        );
    }
  });

  it("names two sources and what is done here for each contradiction", () => {
    const contradictions = rows("service.md", "Where sources contradict each other");
    expect(contradictions.length).to.be.at.least(9);
    for (const row of contradictions) {
      expect(row).to.have.length(4);
      for (const cell of row) expect(cell, row[0]).not.to.equal("");
    }
    const here = Object.values(CONTRADICTED);
    const switches = keysOf(CONTRADICTIONS);
    const isSwitch = (shown: string): boolean => switches.some((one) => one === shown);
    expect([...new Set(here.filter(isSwitch))].toSorted()).to.deep.equal(switches.toSorted());
    // The first two rows are of what the switches stand for.
    const others = contradictions.slice(2).map(([point]) => point);
    expect(here.filter((shown) => !isSwitch(shown))).to.deep.equal(others);
    const points = rows("dev-server.md", "States").flatMap(([point = ""]) => {
      return /^`(\w+)`$/.exec(point)?.[1] ?? [];
    });
    expect(points).to.include.members(keysOf(CONTRADICTIONS));
  });
});

describe("docs/configuration.md", () => {
  it("lists each published satellite with whether it takes results, and says when the list was read", () => {
    const listed = rows("configuration.md", "Known execution stores");
    expect(listed.map(([chain, , takes, address]) => [chain, takes, address])).to.deep.equal(
      keysOf(SATELLITES).map((chain) => {
        const { address, takesResults } = SATELLITES[chain];
        return [`\`${chain}\``, takesResults ? "yes" : "no", `\`${address}\``];
      }),
    );
    expect(section("configuration.md", "Known execution stores")).to.match(DATE);
  });
});

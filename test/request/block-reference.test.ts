import { expect } from "chai";

import {
  blockSampled,
  header,
  last,
  parseTask,
  parseBlockReference,
} from "../../src/entries/request.js";
import { BLOCK_REFERENCE } from "../../src/request/block-reference.js";
import { blockTask } from "./documents.js";
import { expectThrown, hdpThrown } from "../support/failure.js";

const DAY = 86_400n;
const NEW_YEAR = 1_767_225_600n;

describe("block references", () => {
  it("accepts tags with a distance, days and times", () => {
    for (const tag of ["latest", "safe", "finalized"] as const) {
      expect(parseBlockReference(tag)).to.deep.equal({ kind: "tag", tag, back: 0n });
      expect(parseBlockReference(`${tag}-64`)).to.deep.equal({ kind: "tag", tag, back: 64n });
      expect(parseBlockReference(`${tag} - 64`)).to.deep.equal({ kind: "tag", tag, back: 64n });
    }
    expect(parseBlockReference(`latest-${"9".repeat(18)}`)).to.deep.equal({
      kind: "tag",
      tag: "latest",
      back: 10n ** 18n - 1n,
    });
    const date = (text: string): unknown => parseBlockReference(text);
    expect(date("2026-01-01")).to.deep.equal({
      kind: "date",
      from: NEW_YEAR,
      until: NEW_YEAR + DAY,
    });
    expect(date("2026-01-01T00:00Z")).to.deep.equal({
      kind: "date",
      from: NEW_YEAR,
      until: NEW_YEAR + 1n,
    });
    expect(date("2026-01-01T00:00:01Z")).to.deep.equal({
      kind: "date",
      from: NEW_YEAR + 1n,
      until: NEW_YEAR + 2n,
    });
    expect(date("2024-02-29")).to.deep.equal({
      kind: "date",
      from: 1_709_164_800n,
      until: 1_709_164_800n + DAY,
    });
    expect(date("1969-12-31T23:59:59Z")).to.deep.equal({ kind: "date", from: -1n, until: 0n });
  });

  it("accepts nothing else, in the parser and in the pattern of the JSON Schema", () => {
    const schema = new RegExp(BLOCK_REFERENCE);
    for (const text of [
      "",
      "newest",
      "Latest",
      "xlatest",
      "latestx",
      "latest-",
      "latest-x",
      "latest+1",
      "latest--1",
      "latest-1x",
      `latest-${"9".repeat(19)}`,
      "1",
      "0x1",
      "2026-1-1",
      "x2026-01-01",
      "2026-01-01x",
      "12026-01-01",
      "2026-01-01T12:00",
      "2026-01-01 12:00Z",
      "2026-01-01T12:00:00.5Z",
      "2026-01-01T1:00Z",
      "2026-01-01T12:00:5Z",
    ]) {
      expect(parseBlockReference(text), text).to.equal(undefined);
      expect(schema.test(text), text).to.equal(false);
    }
    // Days and hours that do not exist, which a pattern cannot recognize.
    for (const text of [
      "2026-02-29",
      "2026-04-31",
      "2026-13-01",
      "2026-00-01",
      "2026-01-00",
      "2026-01-01T25:00Z",
    ]) {
      expect(parseBlockReference(text), text).to.equal(undefined);
    }
    for (const value of [undefined, null, 5, 5n, {}, ["latest"]])
      expect(parseBlockReference(value)).to.equal(undefined);
  });

  it("name the latest blocks by their number", () => {
    expect(last(1)).to.deep.equal({ from: "latest", to: "latest" });
    expect(last(2n)).to.deep.equal({ from: "latest-1", to: "latest" });
    expect(last(100)).to.deep.equal({ from: "latest-99", to: "latest" });
    for (const count of [0, -1n, 1.5, Number.NaN, "3"]) {
      const error = hdpThrown(() => last(count as number));
      expect(error).to.include({ code: "HDP-6003", path: "last(count)" });
      expect(error.message).to.contain(`"${String(count)}" is not a count of blocks`);
    }
  });

  it("stay open in a task of the builder, whose other values are checked at once", () => {
    const options = { ...last(100), property: header("timestamp") };
    const datalake = {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: "latest-99",
      blockRangeEnd: "latest",
      increment: 1n,
      sampledProperty: "header.timestamp",
    };
    for (const aggregateFnId of ["avg", "sum", "min", "max"] as const) {
      const task = blockSampled(options)[aggregateFnId]();
      expect(task).to.deep.equal({ type: "DatalakeCompute", datalake, compute: { aggregateFnId } });
    }
    expect(
      blockSampled({ ...options, chainId: "SN_MAIN", increment: 7 }).count("gt", 5),
    ).to.deep.equal({
      type: "DatalakeCompute",
      datalake: { ...datalake, chainId: "SN_MAIN", increment: 7 },
      compute: { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare: 5n } },
    });
    for (const [from, to] of [
      [5, "latest"],
      ["2026-01-01", 2n ** 64n - 1n],
    ] as const) {
      const { datalake: open } = blockSampled({ ...options, from, to }).avg();
      expect([open.blockRangeStart, open.blockRangeEnd]).to.deep.equal([from, to]);
    }
    // What is a number already is checked at once.
    const checked = (
      from: number | bigint | string,
      to: number | bigint | string,
    ): (() => unknown) => {
      return () => blockSampled({ ...options, from, to }).avg();
    };
    expectThrown(
      checked(2n ** 64n, "latest"),
      "HDP-1113",
      "datalake.blockRangeStart",
      "18446744073709551616",
    );
    expectThrown(checked("latest", -1), "HDP-1113", "datalake.blockRangeEnd", "-1 is out of range");
    expectThrown(
      () => blockSampled({ ...options, increment: 0 }).avg(),
      "HDP-1113",
      "datalake.increment",
      "0 is out of range",
    );
  });

  it("refuses references where no network can look them up", () => {
    for (const text of ["latest", "latest-64", "2026-01-01"]) {
      expectThrown(
        () => parseTask(blockTask({ blockRangeEnd: text })),
        "HDP-1130",
        "datalake.blockRangeEnd",
        `"${text}" has to be looked up on a chain, and no network is connected.`,
        "Name a network with --network, or write the block's number.",
      );
    }
    expectThrown(
      () => parseTask(blockTask({ blockRangeEnd: "newest" })),
      "HDP-1112",
      "datalake.blockRangeEnd",
    );
  });
});

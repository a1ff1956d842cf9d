import { expect } from "chai";
import fc from "fast-check";

import type { ExplainedSample, Explanation } from "../../src/entries/local.js";
import {
  blockSampled,
  header,
  transactionsInBlock,
  tx,
  taskHash,
} from "../../src/entries/request.js";
import {
  EXPLANATION_FORMATS,
  printExplanation,
  svgChart,
  terminalChart,
} from "../../src/tasks/results/explain.js";

const samplesOf = (
  values: readonly bigint[],
  proven: (index: number) => boolean = () => true,
): ExplainedSample[] =>
  values.map((value, index) => ({
    position: BigInt(10 + index),
    value,
    proven: proven(index),
    aggregate: value,
  }));

function explanationOf(
  values: readonly bigint[],
  proven?: (index: number) => boolean,
): Explanation {
  const task = blockSampled({
    from: 10,
    to: 9 + values.length,
    property: header("base_fee_per_gas"),
  }).max();
  const samples = samplesOf(values, proven);
  return {
    task,
    taskHash: taskHash(task),
    form: "datalake",
    unit: "block",
    samples,
    elements: BigInt(values.length),
    value: values.at(-1) ?? 0n,
    proven: samples.every((sample) => sample.proven),
  };
}
const counting = (length: number) => Array.from({ length }, (_, index) => BigInt(index));
const uint256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });

describe("charts of samples", () => {
  it("draws bars in the terminal", () => {
    const lines = terminalChart(explanationOf([0n, 4n, 8n]), 40);
    expect(lines).to.deep.equal([
      "8 ┤            █████",
      "  │            █████",
      "  │            █████",
      "  │            █████",
      "  │      █████ █████",
      "  │      █████ █████",
      "  │      █████ █████",
      "0 ┤▁▁▁▁▁ █████ █████",
      "  └──────────────────",
      "   10              12   block",
    ]);
  });

  it("draws the range of each bin, and says what a column is and where the axis begins", () => {
    const values = Array.from({ length: 40 }, (_, index) => 1000n + BigInt(index % 2) * 10n);
    const lines = terminalChart(explanationOf(values), 17);
    expect(lines[0]).to.equal("1,010 ┤░░░░░░░░░░");
    expect(lines.slice(-2).map((line) => line.trim())).to.deep.equal([
      "each column is 4 samples, from their lowest to their highest",
      "the axis begins at 1,000, not at 0",
    ]);
  });

  it("begins the axis at 0 unless values differ by less than a quarter", () => {
    const bottomOf = (...values: bigint[]): string =>
      terminalChart(explanationOf(values), 40)[7]?.trim() ?? "";
    expect(bottomOf(5n, 100n)).to.match(/^0 ┤/);
    expect(bottomOf(75n, 100n)).to.match(/^0 ┤/);
    expect(bottomOf(90n, 100n)).to.match(/^90 ┤/);
    expect(bottomOf(7n, 7n)).to.match(/^0 ┤/);
  });

  it("shortens labels of more than 15 digits no further than they stay distinct", () => {
    const labels = (...values: bigint[]): string[] =>
      terminalChart(explanationOf(values), 60)
        .filter((line) => line.includes("┤"))
        .map((line) => line.split("┤")[0]?.trim() ?? "");
    expect(labels(0n, 999_999_999_999_999n)).to.deep.equal(["999,999,999,999,999", "0"]);
    expect(labels(10n ** 22n, 10n ** 22n + 10n ** 17n)).to.deep.equal(["1.00001e22", "1.00000e22"]);
    expect(labels(0n, 10n ** 22n)).to.deep.equal(["1.00e22", "0"]);
    expect(new Set(labels(2n ** 256n - 1n, 2n ** 256n - 2n)).size).to.equal(2);
  });

  it("draws and names what a count compares with, unless it is far above", () => {
    const counted = (limit: bigint): Explanation => {
      const task = blockSampled({ from: 10, to: 13, property: header("base_fee_per_gas") }).count(
        "gt",
        limit,
      );
      return { ...explanationOf([1n, 4n, 8n, 2n]), task };
    };
    const lines = terminalChart(counted(5n), 60);
    const row = lines.findIndex((line) => line.startsWith("5 ┤"));
    expect(row).to.be.within(1, 6);
    expect(lines[row]).to.include("┄").and.to.include("█");
    expect(lines.at(-1)).to.include("┄ is what is compared with: 5");
    expect(svgChart(counted(5n)))
      .to.include('class="threshold"')
      .and.to.include("compared with 5");
    expect(terminalChart(counted(17n), 60).join("")).not.to.include("┄");
    expect(svgChart(counted(17n))).not.to.include('class="threshold"');
    expect(terminalChart(explanationOf([1n, 2n]), 60).join("")).not.to.include("┄");
  });

  it("never draws wider than it is allowed to, and always the highest and the lowest value (property)", () => {
    fc.assert(
      fc.property(
        fc.array(uint256, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 120, max: 200 }),
        (values, width) => {
          const plot = terminalChart(explanationOf(values), width).slice(0, 9);
          for (const line of plot) expect(Array.from(line).length).to.be.at.most(width);
          expect(plot[0]).to.match(values.some((value) => value > 0n) ? /┤.*[█░]/ : /┤/);
        },
      ),
      { seed: 6, numRuns: 50 },
    );
  });

  it("draws an SVG that reads without its picture", () => {
    const svg = svgChart(explanationOf([1n, 2n, 30n], (index) => index !== 1));
    expect(svg).to.match(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 960 440" role="img"/,
    );
    expect(svg).to.contain('<title id="title">maximum of header.base_fee_per_gas</title>');
    expect(svg).to.match(
      /<desc id="desc">blocks 10\.\.12 .*3 values, one for each block, from 1 to 30, not all proven/,
    );
    expect(svg).to.contain("Result 30").and.to.contain("prefers-color-scheme: dark");
    expect(svg.match(/<circle class="proven" cx="\d+" cy="\d+" r="3"><title>/g)).to.have.length(2);
    expect(svg)
      .to.contain("<title>11: 2, not proven</title>")
      .and.to.contain("hollow points are not proven");
    expect(svg).to.contain(">block 10</text>").and.to.contain(">block 12</text>");
    expect(svg).not.to.match(/href|<script|url\(|NaN|undefined/);
  });

  it("draws many samples as a range, with their extremes and without points", () => {
    const many = svgChart(explanationOf(counting(3000), (index) => index !== 7));
    expect(many).to.contain('<polygon class="range"').and.not.to.contain("<circle");
    expect(many)
      .to.match(/each point is \d+ samples/)
      .and.to.contain("not all values are proven");
    const flat = svgChart(explanationOf(Array.from({ length: 3000 }, () => 7n)));
    const points = /<polygon class="range" points="([^"]*)"/.exec(flat)?.[1]?.split(" ") ?? [];
    // An area without height is seen by its outline.
    expect(flat).to.match(/\.range \{ stroke: #/);
    expect(new Set(points.map((point) => point.split(",")[1])).size).to.equal(1);
    expect(new Set(points.map((point) => point.split(",")[0])).size).to.be.above(50);
    expect(svgChart(explanationOf([100n, 101n]))).to.contain("the axis begins at 100, not at 0");
  });

  it("writes every sample as CSV and JSON", () => {
    const explanation = explanationOf([1n, 2n ** 255n], (index) => index === 0);
    expect(EXPLANATION_FORMATS[".csv"](explanation)).to.equal(
      `block,value,proven,aggregate\n10,1,true,1\n11,${(2n ** 255n).toString()},false,${(2n ** 255n).toString()}\n`,
    );
    const document = JSON.parse(EXPLANATION_FORMATS[".json"](explanation)) as Record<
      string,
      unknown
    >;
    expect(document).to.deep.include({
      taskHash: explanation.taskHash,
      unit: "block",
      elements: "2",
      proven: false,
    });
    expect(document["samples"]).to.deep.equal([
      { position: "10", value: "1", proven: true, aggregate: "1" },
      {
        position: "11",
        value: (2n ** 255n).toString(),
        proven: false,
        aggregate: (2n ** 255n).toString(),
      },
    ]);
    expect(document).to.have.nested.property(
      "task.datalake.sampledProperty",
      "header.base_fee_per_gas",
    );
  });

  it("lists the first and the last samples of a long range", () => {
    const print = (explanation: Explanation): string => {
      const lines: string[] = [];
      printExplanation({ line: (text = "") => lines.push(text) }, explanation, 80);
      return lines.join("\n");
    };
    const long = print(explanationOf(counting(100)));
    expect(long).to.contain("… 88 more between; --out samples.csv has them all");
    expect(long)
      .to.match(/\n +15 +0.000000005 gwei +yes +0.000000005 gwei\n/)
      .and.to.match(/\n +104 +0.000000094 gwei +yes +0.000000094 gwei\n/)
      .and.not.to.match(/\n +50 +0.00000004 /);
    expect(long).to.contain("100 samples, all proven");
    const task = transactionsInBlock({
      block: 7,
      from: 0,
      to: 5,
      types: ["eip1559"],
      property: tx("nonce"),
    }).max();
    const body = print({
      ...explanationOf([4n], () => false),
      task,
      unit: "transaction",
      elements: 5n,
    });
    expect(body).to.contain("1 sample, not all proven, 4 of excluded types left out");
    expect(body).not.to.contain("more between");
  });
});

import { expect } from "chai";
import { z } from "zod";

import type { ModuleProfile } from "../../src/types.js";
import { printProfile, speedscopeFile } from "../../src/tasks/modules/profile-output.js";

/** Speedscope's file format, as far as sampled profiles go: https://www.speedscope.app/file-format-schema.json */
const fileSchema = z.strictObject({
  $schema: z.literal("https://www.speedscope.app/file-format-schema.json"),
  shared: z.strictObject({ frames: z.array(z.strictObject({ name: z.string() })) }),
  profiles: z.array(
    z.strictObject({
      type: z.literal("sampled"),
      name: z.string(),
      unit: z.enum(["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"]),
      startValue: z.number(),
      endValue: z.number(),
      samples: z.array(z.array(z.number().int())),
      weights: z.array(z.number()),
    }),
  ),
  name: z.string(),
  activeProfileIndex: z.number().int(),
  exporter: z.string(),
});

const profile: ModuleProfile = {
  steps: 1_000_000,
  named: true,
  functions: [
    {
      name: "m::Module::inner::<core::integer::u32, core::Option::<core::felt252>>",
      self: 899_998,
      total: 899_998,
    },
    { name: "m::Module::main", self: 100_000, total: 1_000_000 },
    ...Array.from({ length: 11 }, (_, index) => ({
      name: `m::f${String(index)}`,
      self: index === 0 ? 0 : 1,
      total: 5,
    })),
  ],
  stacks: [
    { frames: ["main"], steps: 100_000, waited: undefined },
    { frames: ["main", "inner"], steps: 899_997, waited: undefined },
    {
      frames: ["main", "inner", "read header", "header.number in block 1"],
      steps: 2,
      waited: 1500,
    },
    { frames: ["main", "read account", "account.nonce of 0x1"], steps: 1, waited: 7.4 },
  ],
};

function printed(one: ModuleProfile): readonly string[] {
  const lines: string[] = [];
  printProfile({ line: (text = "") => lines.push(text) }, one);
  return lines;
}

describe("a profile as a file for speedscope", () => {
  it("draws a graph of steps and one of waits, each stack with its weight", () => {
    const file = fileSchema.parse(
      JSON.parse(JSON.stringify(speedscopeFile("tasks/a.json", [profile]))),
    );
    const names = file.shared.frames.map(({ name }) => name);
    const [steps, waits] = file.profiles.map((graph) => ({
      ...graph,
      samples: graph.samples.map((sample) => sample.map((index) => names[index])),
    }));
    expect(steps).to.deep.include({
      name: "steps",
      unit: "none",
      startValue: 0,
      endValue: 1_000_000,
    });
    expect(steps?.samples).to.deep.equal(profile.stacks.map(({ frames }) => frames));
    expect(steps?.weights).to.deep.equal([100_000, 899_997, 2, 1]);
    expect(waits).to.deep.include({
      name: "waiting for reads",
      unit: "milliseconds",
      endValue: 1507.4,
    });
    expect(waits?.samples).to.deep.equal(profile.stacks.slice(2).map(({ frames }) => frames));
    expect(waits?.weights).to.deep.equal([1500, 7.4]);
    expect(new Set(names).size).to.equal(names.length);
  });

  it("draws the graphs of every module by number, and none of waits for one that reads nothing", () => {
    const silent = { ...profile, stacks: profile.stacks.slice(0, 2) };
    const { profiles } = fileSchema.parse(speedscopeFile("a.json", [profile, silent]));
    const titles = profiles.map(({ name }) => name);
    expect(titles).to.deep.equal([
      "module 1: steps",
      "module 1: waiting for reads",
      "module 2: steps",
    ]);
  });
});

describe("a profile in the terminal", () => {
  it("lists the ten functions with most steps of their own, and the reads by kind, longest wait first", () => {
    const lines = printed(profile);
    expect(lines[1]).to.contain("1,000,000 steps in 13 functions");
    const rows = lines.filter((line) => line.includes(" %"));
    expect(rows).to.have.length(10);
    expect(rows[0]?.trim()).to.equal("90.0 %  899,998    899,998  m::Module::inner");
    expect(rows[1]?.trim()).to.equal("10.0 %  100,000  1,000,000  m::Module::main");
    expect(rows[9]?.trim()).to.equal("0.0 %        1          5  m::f8");
    expect(lines.slice(-2)).to.deep.equal([
      "  read header: 2 times, waited 1.5 s",
      "  read account: 1 time, waited 7 ms",
    ]);
  });

  it("says how to build a class with names, where it has none", () => {
    expect(printed({ ...profile, named: false }).join("\n")).to.contain(
      "sierra-replace-ids = true",
    );
    expect(printed(profile).join("\n")).not.to.contain("sierra-replace-ids");
  });

  it("fits 80 columns, and cuts names in front", () => {
    const name = `a::${"very::".repeat(20)}deep`;
    const steps = 100_000_000;
    const lines = printed({
      ...profile,
      steps,
      functions: [{ name, self: steps, total: steps }],
      stacks: [],
    });
    expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(80);
    expect(lines.at(-1)).to.match(/ …\S+very::deep$/);
  });
});

import { expect } from "chai";

import { parseCompiledClass } from "../../src/entries/program.js";
import type { ModuleProfile } from "../../src/types.js";
import { type ReadModuleValue, type ModuleRun, runModule } from "../../src/entries/local.js";
import { Machine } from "../../src/cairo/machine.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { functionNames } from "../../src/program/module-task.js";
import { compiledFile } from "../support/compiled-functions.js";
import { hdpFailure } from "../support/failure.js";

const json = compiledFile("builtins_Calls.compiled_contract_class.json");
const compiled = parseCompiledClass(json);
const names = functionNames(compiled, compiledFile("builtins_Calls.contract_class.json"));

interface Options {
  readonly read?: ReadModuleValue;
  readonly maxSteps?: number;
  readonly named?: boolean;
}

async function profiled(
  kind: bigint,
  turns: bigint,
  { read = (wanted) => wanted.block, maxSteps, named = true }: Options = {},
): Promise<{ readonly run: ModuleRun; readonly profile: ModuleProfile }> {
  const profiles: ModuleProfile[] = [];
  const run = await runModule(json, {
    inputs: [kind, turns].map((value) => ({ visibility: "public", value })),
    generation: "head",
    leadingFelts: 8,
    read,
    limits: { maxSteps },
    functionNames: named ? names : undefined,
    onProfile: (profile) => profiles.push(profile),
  });
  const [profile] = profiles;
  if (profile === undefined || profiles.length !== 1)
    throw new Error(`${String(profiles.length)} profiles`);
  return { run, profile };
}

/** Start of each segment of the bytecode: functions first, then constants. */
function segmentStartsOf(): number[] {
  const lengths = compiled.bytecodeSegmentLengths;
  if (!Array.isArray(lengths)) throw new Error("one segment");
  let at = 0;
  return lengths.map((length: unknown) => {
    const start = at;
    at += Number(length);
    return start;
  });
}

/** The figures found another way: one step at a time, the function by the place of pc. */
async function counted(
  kind: bigint,
  turns: bigint,
): Promise<Map<string, { self: number; total: number }>> {
  const starts = segmentStartsOf();
  const nameAt = (pc: number): string | undefined =>
    names?.get(starts.findLast((start) => start <= pc) ?? -1);
  const figures = new Map<string, { self: number; total: number }>();
  const figure = (name: string): { self: number; total: number } => {
    const known = figures.get(name) ?? { self: 0, total: 0 };
    figures.set(name, known);
    return known;
  };
  /** Of those that wait for a call to return; undefined for segments of constants. */
  const callers: (string | undefined)[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the machine below
  const { run } = Machine.prototype;
  Machine.prototype.run = function (this: Machine, slice) {
    for (let step = 0; step < slice; step += 1) {
      const { opcode } = this.program.instruction(this.pc);
      const here = nameAt(this.pc);
      // The word behind the bytecode and segments of constants are not functions: they count for the caller.
      const stack = [...callers, here].filter((name) => name !== undefined);
      const before = this.steps;
      const pause = run.call(this, 1);
      const done = this.steps - before;
      if (done === 1 && opcode === "call") callers.push(here);
      if (done === 1 && opcode === "ret") callers.pop();
      figure(stack.at(-1) ?? "none").self += done;
      for (const name of new Set(stack)) figure(name).total += done;
      if (pause !== "slice") return pause;
    }
    return "slice";
  };
  try {
    await runModule(json, {
      inputs: [kind, turns].map((value) => ({ visibility: "public", value })),
      generation: "head",
      leadingFelts: 8,
      read: (wanted) => wanted.block,
    });
  } finally {
    Machine.prototype.run = run;
  }
  return figures;
}

const MODULE = "builtins::calls::Calls";

describe("the profile of a module", () => {
  for (const [kind, what] of [
    "loops in loops",
    "functions that call each other",
    "a generic function",
    "constants in the bytecode",
  ].entries()) {
    it(`counts the steps of each function, own and with what it called: ${what}`, async () => {
      const { run, profile } = await profiled(BigInt(kind), 7n);
      expect(run.status).to.equal("returned");
      const figures = await counted(BigInt(kind), 7n);
      const expected = [...figures].map(([name, { self, total }]) => ({ name, self, total }));
      expect(profile.functions).to.have.deep.members(expected);
      expect(profile.steps).to.equal(run.steps);
      expect(profile.stacks.reduce((sum, { steps }) => sum + steps, 0)).to.equal(run.steps);
      expect(profile.functions.map(({ self }) => self)).to.deep.equal(
        profile.functions.map(({ self }) => self).toSorted((a, b) => b - a),
      );
    });
  }

  it("changes nothing of a run, nor of the runs after it", async () => {
    const plain = async (): Promise<ModuleRun> =>
      await runModule(json, {
        inputs: [1n, 30n].map((value) => ({ visibility: "public", value })),
        generation: "head",
        leadingFelts: 8,
        read: () => 0n,
      });
    const before = await plain();
    expect((await profiled(1n, 30n)).run).to.deep.equal(before);
    expect(await plain()).to.deep.equal(before);
  });

  it("shows a loop once, however often it turns, and generic functions apart", async () => {
    const { profile } = await profiled(0n, 100n);
    const deepest = Math.max(...profile.stacks.map(({ frames }) => frames.length));
    expect(deepest).to.be.lessThan(8);
    expect(profile.stacks.length).to.be.lessThan(20);
    const generic = (await profiled(2n, 3n)).profile.functions.map(({ name }) => name);
    expect(generic).to.include(
      `${MODULE}::twice::<core::felt252, core::Felt252Add, core::felt252Copy, core::felt252Drop>`,
    );
    expect(generic.filter((name) => name.startsWith(`${MODULE}::twice`))).to.have.length(2);
  });

  it("shows each read as a frame with its key, below the function that made it, with the time it waited", async () => {
    const { run, profile } = await profiled(4n, 3n, {
      read: async (wanted) => {
        await new Promise((resolve) => setTimeout(resolve, wanted.kind === "header" ? 40 : 1));
        return wanted.block;
      },
    });
    expect(run.status).to.equal("returned");
    const reads = profile.stacks.filter(({ waited }) => waited !== undefined);
    const slot = (block: number): string =>
      `storage.slot of 0x0000000000000000000000000000000000000abc slot 0x${"5".padStart(32, "0")}${"0".padStart(32, "0")} in block ${String(block)} of chain 1`;
    expect(reads.map(({ frames, steps }) => [...frames.slice(-3), steps])).to.deep.equal([
      [`${MODULE}::slot`, "read storage", slot(0), 1],
      [`${MODULE}::slot`, "read storage", slot(1), 1],
      [`${MODULE}::slot`, "read storage", slot(2), 1],
      [`${MODULE}::base_fee`, "read header", "header.parentHash in block 7 of chain 1", 1],
    ]);
    const waited = reads.map(({ waited: milliseconds = 0 }) => milliseconds);
    expect(waited[3]).to.be.greaterThan(35);
    expect(profile.stacks.reduce((sum, { steps }) => sum + steps, 0)).to.equal(run.steps);
  });

  it("labels functions by their place where the class has no names, and the entry point all the same", async () => {
    const { profile } = await profiled(1n, 5n, { named: false });
    expect(profile.named).to.equal(false);
    const starts = new Set(segmentStartsOf().map((start) => `fn@${String(start)}`));
    const labels = profile.functions.map(({ name }) => name);
    expect(labels).to.include("main");
    for (const label of labels.filter((name) => name !== "main"))
      expect(starts.has(label), label).to.equal(true);
    const named = (await profiled(1n, 5n)).profile;
    expect(named.named).to.equal(true);
    expect(named.functions.map(({ self }) => self)).to.deep.equal(
      profile.functions.map(({ self }) => self),
    );
  });

  it("reports the steps up to where a run is stopped", async () => {
    const profiles: ModuleProfile[] = [];
    const running = runModule(json, {
      inputs: [0n, 50n].map((value) => ({ visibility: "public", value })),
      generation: "head",
      leadingFelts: 8,
      read: () => 0n,
      limits: { maxSteps: 5_000 },
      functionNames: names,
      onProfile: (profile) => profiles.push(profile),
    });
    const { code, path } = await hdpFailure(running);
    expect([code, path]).to.deep.equal(["HDP-7109", profiles[0]?.functions[0]?.name]);
    expect(profiles.map(({ steps }) => steps)).to.deep.equal([5_000]);
    expect(profiles[0]?.functions[0]?.name).to.match(/::square\[\d+-\d+\]$/);
  });

  it("names the function whose read is refused, unless the error names a place of its own", async () => {
    const refused = async (path?: string): Promise<string | undefined> => {
      const values = { block: 0, chain: "the chain", head: 9 };
      const read = (): never => {
        throw hdpError("HDP-4101", values, { path });
      };
      return (await hdpFailure(profiled(4n, 3n, { read }))).path;
    };
    expect(await refused()).to.equal(`${MODULE}::slot`);
    expect(await refused("hdp.sources.X")).to.equal("hdp.sources.X");
  });

  it("names the function that panicked without a profile, and not one of the core library", async () => {
    const inputs = [2n, 3_000_000_000n].map((value) => ({ visibility: "public" as const, value }));
    const run = await runModule(json, {
      inputs,
      generation: "head",
      leadingFelts: 8,
      read: () => 0n,
      functionNames: names,
    });
    expect(run).to.include({ status: "panicked", message: "u32_add Overflow" });
    expect(run)
      .to.have.property("panickedIn")
      .that.matches(/::Calls::twice::<core::integer::u32/);
  });
});

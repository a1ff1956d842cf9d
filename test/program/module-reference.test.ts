import { expect } from "chai";

import {
  findModuleReferences,
  module as namedModule,
  withResolvedModules,
  parseCompiledClass,
  programHash,
} from "../../src/entries/program.js";
import { resolveModules } from "../../src/program/module-task.js";
import { abiWith, compiledJson, sierraJson } from "./classes.js";
import { expectThrown } from "../support/failure.js";

const FILE = "target/dev/a_M.compiled_contract_class.json";
const SIERRA = "target/dev/a_M.contract_class.json";
const ABI = abiWith({ block: "core::integer::u32", slot: "core::integer::u256" });
const FILES: Readonly<Record<string, string>> = {
  [FILE]: JSON.stringify(compiledJson()),
  [SIERRA]: JSON.stringify(sierraJson(ABI)),
  "plain.json": JSON.stringify(compiledJson()),
  "broken.json": "{",
};
const load = (path: string): string | undefined => FILES[path];
/** Resolves a task over these two classes. */
const resolveOver = (
  sierra: unknown,
  compiled: unknown = compiledJson(),
  given: object = module(),
): unknown => {
  const files = new Map([
    [FILE, JSON.stringify(compiled)],
    [SIERRA, JSON.stringify(sierra)],
  ]);
  return withResolvedModules({ type: "Module", module: given }, (path) => files.get(path));
};
const HASH = programHash(parseCompiledClass(compiledJson()));

const module = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  class: FILE,
  arguments: { block: 5, slot: "0x10" },
  ...changes,
});
const task = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: "Module",
  module: module(changes),
});

describe("modules named by class in a task file", () => {
  it("become program hash and inputs", () => {
    const datalake = { type: "DatalakeCompute", datalake: {} };
    const request = {
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [datalake, task({ visibility: { slot: "private" } })],
    };
    const before = structuredClone(request);
    expect(withResolvedModules(request, load)).to.deep.equal({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [
        datalake,
        {
          type: "Module",
          programHash: HASH,
          inputs: [
            { visibility: "public", value: "0x5" },
            { visibility: "private", value: "0x10" },
            { visibility: "private", value: "0x0" },
          ],
        },
      ],
    });
    expect(request).to.deep.equal(before);
  });

  it("resolves modules by class in a file of one task, too, and leaves others alone", () => {
    expect(withResolvedModules(task(), load)).to.have.property("programHash", HASH);
    for (const json of [null, 5, "x", [], { type: "Module", programHash: "0x1", inputs: [] }]) {
      expect(withResolvedModules(json, load)).to.deep.equal(json);
    }
  });

  it("name the files that are needed", () => {
    expect(
      findModuleReferences({ tasks: [{}, task(), task({ class: "x.json", sierra: "y.json" })] }),
    ).to.deep.equal([
      { path: "tasks[1].module", compiledClassFile: FILE, sierraClassFile: SIERRA },
      { path: "tasks[2].module", compiledClassFile: "x.json", sierraClassFile: "y.json" },
    ]);
    expect(findModuleReferences(task({ class: "x.json" }))).to.deep.equal([
      { path: "module", compiledClassFile: "x.json", sierraClassFile: undefined },
    ]);
    expect(findModuleReferences({ tasks: [{ module: 5 }] })).to.deep.equal([]);
  });

  it("resolves a module that names the Sierra class", () => {
    expect(
      withResolvedModules(task({ class: "plain.json", sierra: SIERRA }), load),
    ).to.have.property("programHash", HASH);
  });

  it("refuses another form, with the place", () => {
    const refuses = (
      json: unknown,
      code: string,
      path: string | undefined,
      ...parts: string[]
    ): void => {
      expectThrown(() => withResolvedModules(json, load), code, path, ...parts);
    };
    const inRequest = (changes: Record<string, unknown>): unknown => ({ tasks: [task(changes)] });
    refuses(
      { tasks: [{ type: "Module", module: "x.json" }] },
      "HDP-1103",
      "tasks[0].module",
      "class",
    );
    refuses(
      inRequest({ args: {} }),
      "HDP-1102",
      "tasks[0].module.args",
      'the key "args" is not known',
    );
    refuses(inRequest({ class: "" }), "HDP-1103", "tasks[0].module.class");
    refuses(inRequest({ arguments: [] }), "HDP-1103", "tasks[0].module.arguments", "an object");
    refuses(inRequest({ class: 5 }), "HDP-1103", "tasks[0].module.class");
    refuses(
      { tasks: [{ ...task(), inputs: [] }] },
      "HDP-7020",
      "tasks[0].inputs",
      "stands beside `module`",
    );
    refuses({ ...task(), programHash: "0x1" }, "HDP-7020", "programHash", "stands beside `module`");
    refuses(inRequest({ class: "none.json" }), "HDP-7022", "tasks[0].module.class", "none.json");
    refuses(
      inRequest({ class: "plain.json" }),
      "HDP-7022",
      "tasks[0].module",
      ".compiled_contract_class.json",
    );
    refuses(inRequest({ sierra: "none.json" }), "HDP-7022", "tasks[0].module", "none.json");
    refuses(inRequest({ class: "broken.json" }), "HDP-6001", "broken.json");
    refuses(inRequest({ class: SIERRA }), "HDP-7002", SIERRA, FILE);
    refuses(inRequest({ sierra: FILE }), "HDP-7005", FILE);
    refuses(
      inRequest({ arguments: { block: 2 ** 32, slot: 1 } }),
      "HDP-1113",
      "tasks[0].module.arguments.block",
      "4294967296 is out of range",
    );
  });

  it("refuse a Sierra class of another contract", () => {
    const resolve = (sierra: unknown) => () => resolveOver(sierra);
    expectThrown(resolve(sierraJson(ABI, ["0x1"])), "HDP-7023", SIERRA, FILE);
    expectThrown(resolve(sierraJson(ABI, [])), "HDP-7023", SIERRA);
    expectThrown(resolve(sierraJson(ABI, ["zz"])), "HDP-7023", SIERRA);
    expectThrown(resolve({ ...sierraJson(ABI), entry_points_by_type: 5 }), "HDP-7023", SIERRA);
  });

  it("name every external function in both classes", () => {
    const main = "0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7";
    const entry = (selector: string): unknown => ({ selector, offset: 0, builtins: [] });
    const compiledClassJson = compiledJson({
      entry_points_by_type: {
        EXTERNAL: [entry("0x1"), entry(main)],
        L1_HANDLER: [],
        CONSTRUCTOR: [],
      },
    });
    const resolve = (selectors: readonly string[]): (() => unknown) => {
      return () =>
        resolveOver(sierraJson(abiWith({}), selectors), compiledClassJson, { class: FILE });
    };
    expect(resolve(["0x1", main])()).to.include({ type: "Module" });
    expect(resolve([main, "0x01"])()).to.include({ type: "Module" });
    for (const selectors of [
      [main],
      ["0x1", main, "0x2"],
      ["0x2", main],
      ["x0x1", main],
      ["0x1x", main],
    ]) {
      expectThrown(resolve(selectors), "HDP-7023", SIERRA);
    }
  });

  it("come with their programs, and with every error beside what is left to parse", () => {
    const broken = { ...task({ class: "none.json" }), injected_state: {}, inputs: [] };
    const resolved = resolveModules(
      { tasks: [task({ generation: "late-2024" }), broken, { type: "x" }] },
      load,
    );
    const inputs = [
      { visibility: "public", value: "0x5" },
      { visibility: "public", value: "0x10" },
      { visibility: "public", value: "0x0" },
    ];
    expect(resolved.json).to.deep.equal({
      tasks: [
        { type: "Module", programHash: HASH, inputs },
        { type: "Module", injected_state: {}, programHash: "0x0", inputs: [] },
        { type: "x" },
      ],
    });
    expect(resolved.programs).to.deep.equal([
      {
        programHash: HASH,
        compiledClassJson: compiledJson(),
        abi: ABI,
        file: FILE,
        functionNames: undefined,
        sierraClassJson: undefined,
        generation: "late-2024",
      },
    ]);
    expect(resolved.errors.map(({ code, path }) => [code, path])).to.deep.equal([
      ["HDP-7020", "tasks[1].inputs"],
    ]);
    expect(resolveModules(task(), load).errors).to.deep.equal([]);
    const failing = (): string => {
      throw new RangeError("of the reader");
    };
    expect(() => resolveModules(task(), failing)).to.throw(RangeError, "of the reader");
  });

  it("come with their functions' names where the Sierra class says them", () => {
    const compiled = compiledJson({ bytecode_segment_lengths: [2, 2] });
    const user_func_names = [
      [0, "m::main"],
      [1, "m::other"],
    ];
    const sierra = {
      ...sierraJson(ABI),
      sierra_program_debug_info: { type_names: [], libfunc_names: [], user_func_names },
    };
    const files = new Map([
      [FILE, JSON.stringify(compiled)],
      [SIERRA, JSON.stringify(sierra)],
    ]);
    const { programs, errors } = resolveModules(task(), (path) => files.get(path));
    expect(errors).to.deep.equal([]);
    expect(programs).to.deep.equal([
      {
        programHash: programHash(parseCompiledClass(compiled)),
        file: FILE,
        compiledClassJson: compiled,
        abi: ABI,
        functionNames: new Map([
          [0, "m::main"],
          [2, "m::other"],
        ]),
        sierraClassJson: undefined,
        generation: undefined,
      },
    ]);
  });

  it("makes a module by name with what is given, and nothing else", () => {
    expect(namedModule("Balance").args()).to.deep.equal({
      type: "Module",
      module: { class: "Balance", arguments: {} },
    });
    expect(
      namedModule("Balance").args(
        { block: 5 },
        { visibility: { block: "private" }, injectedState: { votes: 0n }, generation: "late-2024" },
      ),
    ).to.deep.equal({
      type: "Module",
      module: {
        class: "Balance",
        arguments: { block: 5 },
        visibility: { block: "private" },
        generation: "late-2024",
      },
      injected_state: { votes: 0n },
    });
  });

  it("looks for modules in objects only, and for their files by the names that are there", () => {
    expect(findModuleReferences({ tasks: [null, 5, "x", [task()]] })).to.deep.equal([]);
    const asked: unknown[] = [];
    const json = task({ class: "plain.json" });
    const loads = (path: string): string | undefined => {
      asked.push(path);
      return load(path);
    };
    expectThrown(() => withResolvedModules(json, loads), "HDP-7022", "module");
    expect(asked).to.deep.equal(["plain.json"]);
  });

  it("need main in the class, whatever the ABI says", () => {
    const entry_points_by_type = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
    const compiledClassJson = compiledJson({ entry_points_by_type });
    const given = { block: 5, slot: 1 };
    for (const sierraClassJson of [
      sierraJson(ABI, []),
      { ...sierraJson(ABI), entry_points_by_type: 5 },
    ]) {
      const resolve = (): unknown =>
        resolveOver(sierraClassJson, compiledClassJson, { class: FILE, arguments: given });
      expectThrown(resolve, "HDP-7007", undefined, "no external function `main`");
    }
  });
});

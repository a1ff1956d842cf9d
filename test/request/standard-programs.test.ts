import { readFileSync } from "node:fs";

import { expect } from "chai";
import fc from "fast-check";

import {
  ABSENT_ACCOUNT,
  account,
  asDatalake,
  asModule,
  blockSampled,
  type DatalakeComputeTask,
  HdpError,
  header,
  listFields,
  type ModuleTask,
  moduleFormRefusals,
  OPERATORS,
  parseTask,
  standardProgram,
  STANDARD_PROGRAMS,
  storage,
  taskHash,
} from "../../src/entries/request.js";
import { flatProgramHash, parseCompiledClass, programHash } from "../../src/entries/program.js";
import { shortStringFelt } from "../../src/base/felt.js";
import { toWord } from "../../src/base/hex.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES } from "../../src/request/fields.js";
import { PROGRAM_FACTS } from "../../src/request/program-facts.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { datalakeTask } from "./arbitrary-tasks.js";
import { ALL_TYPES, blockTask, transactionTask } from "./documents.js";

const HOLDER = "0x7f2c6f930306d3aa736b3a6c6a98f512f74036d4";
const range = { from: 10n, to: 20n, increment: 3n } as const;
const BLOCKS = "0x68647020626c6f636b732031";
const TRANSACTIONS = "0x686470207472616e73616374696f6e732031";

const felts = (task: DatalakeComputeTask): readonly string[] =>
  asModule(task).inputs.map(({ value }) => value);

function datalake(json: unknown): DatalakeComputeTask {
  const task = parseTask(json);
  if (task.type !== "DatalakeCompute") throw new TypeError("not a datalake task");
  return task;
}

/** The module form with one input changed. */
function changed(task: DatalakeComputeTask, name: string, value: bigint): ModuleTask {
  const module = asModule(task);
  const at = standardProgram(module.programHash)?.inputs.indexOf(name) ?? -1;
  const inputs = module.inputs.map((input, index) =>
    index === at ? { ...input, value: `0x${value.toString(16)}` as const } : input,
  );
  return { ...module, inputs };
}

describe("the module form of datalake tasks", () => {
  it("passes a task over headers as 14 public inputs, of which unused ones are 0", () => {
    const task = blockSampled({ ...range, property: header("base_fee_per_gas") }).avg();
    expect(asModule(task)).to.deep.include({
      type: "Module",
      programHash: PROGRAM_FACTS.blocks.programHash,
    });
    expect(asModule(task).inputs.every(({ visibility }) => visibility === "public")).to.equal(true);
    expect(felts(task)).to.deep.equal([
      BLOCKS,
      "0xaa36a7",
      "0xa",
      "0x14",
      "0x3",
      "0x1",
      "0xf",
      "0x0",
      "0x0",
      "0x0",
      "0x0",
      "0x0",
      "0x0",
      "0x0",
    ]);
  });

  it("passes the address of an account, a slot and a compared value in halves, low first", () => {
    const balance = blockSampled({ ...range, property: account(HOLDER, "balance") }).max();
    expect(felts(balance).slice(5)).to.deep.equal([
      "0x2",
      "0x1",
      HOLDER,
      "0x0",
      "0x0",
      "0x3",
      "0x0",
      "0x0",
      "0x0",
    ]);
    const slot = (7n << 128n) + 5n;
    const property = storage(HOLDER, slot);
    const counted = blockSampled({ ...range, property }).count("lteq", (2n << 128n) + 9n);
    expect(felts(counted).slice(5)).to.deep.equal([
      "0x3",
      "0x0",
      HOLDER,
      "0x5",
      "0x7",
      "0x4",
      "0x6",
      "0x9",
      "0x2",
    ]);
  });

  it("passes a task over transactions as 13 public inputs", () => {
    const included = { ...ALL_TYPES, legacy: false, eip4844: false };
    const task = datalake({
      ...transactionTask({
        targetBlock: 7,
        startIndex: 2,
        endIndex: 9,
        increment: 2,
        sampledProperty: "tx.max_fee_per_gas",
        includedTypes: { ...included, eip2930: false },
      }),
      compute: { aggregateFnId: "min" },
    });
    expect(asModule(task).programHash).to.equal(PROGRAM_FACTS.transactions.programHash);
    expect(felts(task)).to.deep.equal([
      TRANSACTIONS,
      "0xaa36a7",
      "0x7",
      "0x2",
      "0x9",
      "0x2",
      "0x100",
      "0x1",
      "0xb",
      "0x2",
      "0x0",
      "0x0",
      "0x0",
    ]);
  });

  it("leaves out a context without effect, so that one computation has one hash", () => {
    const context = { operator: "gt", valueToCompare: "5" };
    const plain = datalake(blockTask({}, { aggregateFnId: "sum" }));
    const withContext = datalake(blockTask({}, { aggregateFnId: "sum", aggregateFnCtx: context }));
    expect(taskHash(plain)).not.to.equal(taskHash(withContext));
    expect(asModule(withContext)).to.deep.equal(asModule(plain));
  });

  it("reads tasks of every kind back", () => {
    fc.assert(
      fc.property(datalakeTask, (task) => {
        expect(asDatalake(asModule(task))).to.deep.equal(task);
      }),
      { numRuns: 500 },
    );
  });

  it("gives each task a hash of its own", () => {
    fc.assert(
      fc.property(datalakeTask, datalakeTask, (one, other) => {
        const isOne = taskHash(one) === taskHash(other);
        expect(taskHash(asModule(one)) === taskHash(asModule(other))).to.equal(isOne);
      }),
      { numRuns: 200 },
    );
  });

  it("reads no datalake task of another program, another format, or other private inputs", () => {
    const module = asModule(blockSampled({ ...range, property: header("number") }).sum());
    const { inputs } = module;
    expect(asDatalake({ ...module, programHash: "0x123" })).to.equal(undefined);
    const upper: ModuleTask = { ...module, programHash: `0x0${module.programHash.slice(2)}` };
    expect(asDatalake(upper)).not.to.equal(undefined);
    expect(asDatalake({ ...module, inputs: inputs.slice(0, -1) })).to.equal(undefined);
    const more = [...inputs, { visibility: "private", value: "0x0" }] as const;
    expect(asDatalake({ ...module, inputs: more })).to.equal(undefined);
    const hidden = inputs.map(({ value }) => ({ visibility: "private", value }) as const);
    expect(asDatalake({ ...module, inputs: hidden })).to.equal(undefined);
    const injectedState = { "0x1": "0x0" } as const;
    expect(asDatalake({ ...module, injectedState })).to.equal(undefined);
  });

  it("reads no datalake task where the program would refuse the inputs", () => {
    const number = blockSampled({ ...range, property: header("number") }).sum();
    const slot = blockSampled({ ...range, property: storage(HOLDER, 1n) }).sum();
    const nonce = datalake(transactionTask());
    const cases: readonly (readonly [DatalakeComputeTask, string, bigint])[] = [
      [number, "format", 1n],
      [number, "chain_id", 7n],
      [number, "step", 0n],
      [number, "first", 21n],
      [number, "last", 2n ** 64n],
      [number, "kind", 4n],
      [number, "field", 6n],
      [number, "field", BigInt(FIELD_NAMES.header.length)],
      [number, "address", 1n],
      [number, "slot_low", 1n],
      [number, "function", BigInt(AGGREGATE_FUNCTIONS.length)],
      [number, "function", 4n],
      [number, "operator", 1n],
      [number, "value_high", 1n],
      [slot, "field", 1n],
      [slot, "address", 2n ** 160n],
      [slot, "slot_high", 2n ** 128n],
      [nonce, "types", 0n],
      [nonce, "types", 2n],
      [nonce, "types", 2n ** 32n + 1n],
      [nonce, "kind", 3n],
      [nonce, "end", 12n],
      [nonce, "field", 13n],
    ];
    for (const [task, name, value] of cases)
      expect(asDatalake(changed(task, name, value)), `${name} ${value}`).to.equal(undefined);
  });

  it("refuses fields that are no integers, by name", () => {
    const kinds = ["header", "account", "tx", "tx_receipt"] as const;
    for (const kind of kinds) {
      for (const { field } of listFields(kind).filter(({ functions }) => functions.length === 0)) {
        const sampledProperty = { kind, field } as never;
        const { datalake: sampled, compute } = datalake(
          kind === "header" ? blockTask() : transactionTask(),
        );
        const task = {
          type: "DatalakeCompute",
          datalake: { ...sampled, sampledProperty },
          compute,
        };
        expect(() => asModule(task as DatalakeComputeTask))
          .to.throw(HdpError, `${kind}.${field} has no integer value`)
          .that.includes({ code: "HDP-1129", path: "datalake.sampledProperty" });
      }
    }
  });
});

describe("what the published prover cannot prove in the module form", () => {
  const problemsOf = (task: DatalakeComputeTask): readonly string[] =>
    moduleFormRefusals(task).map(({ problem }) => problem);

  it("names header fields 16 to 19, and no other field of headers, accounts and slots", () => {
    const refused = listFields("header")
      .filter(({ functions }) => functions.length > 0)
      .filter(({ field }) => {
        const sampledProperty = `header.${field}`;
        return moduleFormRefusals(datalake(blockTask({ sampledProperty }))).length > 0;
      });
    expect(refused.map(({ field }) => field)).to.deep.equal([
      "withdrawals_root",
      "blob_gas_used",
      "excess_blob_gas",
      "parent_beacon_block_root",
    ]);
    for (const property of [account(HOLDER, "nonce"), storage(HOLDER, 0n)])
      expect(moduleFormRefusals(blockSampled({ ...range, property }).sum())).to.deep.equal([]);
    const [refusal] = moduleFormRefusals(
      datalake(blockTask({ sampledProperty: "header.blob_gas_used" })),
    );
    expect(refusal?.problem).to.equal("the published prover does not return header.blob_gas_used");
    expect(refusal?.isComputable).to.equal(true);
  });

  it("names v and chain id of legacy transactions, and no other field of transactions", () => {
    for (const { field, functions } of listFields("tx")) {
      if (functions.length === 0) continue;
      const isRefused = field === "v" || field === "chain_id";
      const sampledProperty = `tx.${field}`;
      for (const legacy of [true, false]) {
        const includedTypes = { legacy, eip2930: true, eip1559: true, eip4844: true };
        const task = datalake(transactionTask({ sampledProperty, includedTypes }));
        const problems =
          isRefused && legacy
            ? [
                `the published prover does not agree with itself on tx.${field} of legacy transactions`,
              ]
            : [];
        expect(problemsOf(task), `${field} ${legacy}`).to.deep.equal(problems);
      }
    }
    for (const sampledProperty of ["tx_receipt.success", "tx_receipt.cumulative_gas_used"])
      expect(problemsOf(datalake(transactionTask({ sampledProperty })))).to.deep.equal([]);
  });

  it("names every chain but Ethereum and Optimism", () => {
    const proven = ["ETHEREUM_MAINNET", "ETHEREUM_SEPOLIA", "OPTIMISM_MAINNET", "OPTIMISM_SEPOLIA"];
    for (const chainId of proven)
      expect(problemsOf(datalake(blockTask({ chainId })))).to.deep.equal([]);
    expect(problemsOf(datalake(blockTask({ chainId: "BASE_MAINNET" })))).to.deep.equal([
      "the published prover has no data of BASE_MAINNET",
    ]);
  });

  it("names a source and a way out for each", () => {
    const refused = [
      blockTask({ sampledProperty: "header.withdrawals_root", chainId: "WORLD_MAINNET" }),
      transactionTask({ sampledProperty: "tx.v" }),
    ];
    const all = [...refused.flatMap((json) => moduleFormRefusals(datalake(json))), ABSENT_ACCOUNT];
    expect(all).to.have.length(4);
    for (const { source, advice, path } of all) {
      expect(source).to.match(/hdp-cairo [0-9a-f]{8}/);
      expect(advice).to.match(/^[A-Z].*\.$/);
      expect(path).to.match(/^datalake\./);
    }
  });
});

describe("the standard programs", () => {
  const textOf = (path: string): string =>
    readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

  it("know every function and operator by its number: contracts/starknet/programs/src/aggregate.cairo", () => {
    const source = textOf("contracts/starknet/programs/src/aggregate.cairo");
    const functions = [...source.matchAll(/^const (\w+): felt252 = (\d+);$/gm)];
    expect(functions.map(([, name, number]) => [name, Number(number)])).to.deep.equal(
      AGGREGATE_FUNCTIONS.map((name, number) => [name.toUpperCase(), number]),
    );
    const operators = [...source.matchAll(/^ +(\d+) => Operator::/gm)];
    expect(operators.map(([, number]) => Number(number))).to.deep.equal(
      OPERATORS.map((_, index) => index + 1),
    );
  });

  for (const program of STANDARD_PROGRAMS) {
    const { programHash: hash, format } = PROGRAM_FACTS[program.name];
    const upper = program.name.toUpperCase();

    it(`hashes to one hash by segments and flat, and the compiled class is whole: ${program.name}`, async () => {
      const json = await standardClass(program);
      const compiled = parseCompiledClass(json);
      expect(programHash(compiled)).to.equal(hash);
      expect(flatProgramHash(compiled)).to.equal(hash);
      expect(compiled.bytecodeSegmentLengths).to.equal(compiled.bytecode.length);
      expect(json).to.have.all.keys(
        ...["prime", "compiler_version", "bytecode", "bytecode_segment_lengths"],
        ...["hints", "pythonic_hints", "entry_points_by_type"],
      );
      expect(compiled.entryPointsByType.EXTERNAL.map(({ builtins }) => builtins)).to.deep.equal([
        ["range_check"],
      ]);
    });

    it(`hashes to a third hash with a list of one segment, which is not published: ${program.name}`, async () => {
      const json = (await standardClass(program)) as Record<string, unknown>;
      const { bytecode } = parseCompiledClass(json);
      const bytecode_segment_lengths = [bytecode.length];
      const listed = parseCompiledClass({ ...json, bytecode_segment_lengths });
      expect(programHash(listed)).not.to.equal(hash);
      expect(flatProgramHash(listed)).to.equal(hash);
    });

    it(`matches its constants in Solidity and Cairo: ${program.name}`, () => {
      const solidity = textOf("contracts/libraries/HdpPrograms.sol");
      expect(solidity).to.contain(`${upper}_PROGRAM = ${toWord(BigInt(hash))};`);
      expect(solidity).to.contain(`${upper}_FORMAT = ${toWord(shortStringFelt(format))};`);
      const cairo = textOf("contracts/starknet/hardhat_hdp/src/programs.cairo");
      expect(cairo).to.match(new RegExp(`${upper}_PROGRAM: felt252 =\\s+${hash};`));
      expect(cairo).to.contain(`${upper}_FORMAT: felt252 = '${format}';`);
    });
  }
});

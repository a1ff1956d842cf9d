import { expect } from "chai";
import fc from "fast-check";

import {
  asModule,
  blockSampled,
  type DatalakeComputeTask,
  header,
  type ModuleTask,
  OPERATORS,
  parseTask,
  rootOfValue,
  standardProgram,
  storage,
  unorderedRoot,
  valueFelts,
} from "../../src/entries/request.js";
import {
  evaluateWith,
  type ModuleRead,
  type ModuleRun,
  runModule,
} from "../../src/entries/local.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { ALL_TYPES, transactionTask } from "../request/documents.js";
import { expectHdpError } from "../support/failure.js";
import { ERAS, syntheticChain } from "../support/synthetic-chain.js";
import { HANDLES, runUnder } from "./both-forms.js";

const [OF_4, OF_6, OF_8] = HANDLES;
const HOLDER = "0x7f2c6f930306d3aa736b3a6c6a98f512f74036d4";
const blocks = blockSampled({ from: 10n, to: 12n, property: header("number") }).sum();
const slots = blockSampled({ from: 10n, to: 12n, property: storage(HOLDER, 7n) }).max();

const chainOf = (era: string) => {
  const found = ERAS.find(({ name }) => name === era);
  if (found === undefined) throw new TypeError(era);
  return syntheticChain("refusals", found);
};

/** A task over the first transactions of a block that has some, of the seed of {@link chainOf}. */
function transactions(
  sampledProperty: string,
  includedTypes: Readonly<Record<string, boolean>> = ALL_TYPES,
  aggregateFnId = "sum",
): DatalakeComputeTask {
  const datalake = {
    targetBlock: BLOCK,
    startIndex: 0,
    endIndex: 4,
    includedTypes,
    sampledProperty,
  };
  const task = parseTask({ ...transactionTask(datalake), compute: { aggregateFnId } });
  if (task.type !== "DatalakeCompute") throw new TypeError("not a datalake task");
  return task;
}
/** Has at least four transactions in the chains of these tests. */
const BLOCK = 1;

/** The module form with inputs replaced by name. */
function changed(task: DatalakeComputeTask, values: Readonly<Record<string, bigint>>): ModuleTask {
  const module = asModule(task);
  const names = standardProgram(module.programHash)?.inputs ?? [];
  const inputs = module.inputs.map((input, index) => {
    const value = values[names[index] ?? ""];
    return value === undefined ? input : { ...input, value: `0x${value.toString(16)}` as const };
  });
  return { ...module, inputs };
}

const textOf = (run: ModuleRun): string =>
  run.status === "panicked" ? run.message : `returned ${run.retdata.join()}`;

/** Calls a program with all felts of the calldata as given, as a prover may choose them. */
async function called(
  task: ModuleTask,
  calldata: readonly bigint[],
  read: (wanted: ModuleRead) => bigint = () => 1n,
): Promise<string> {
  const program = standardProgram(task.programHash);
  if (program === undefined) throw new TypeError("not a standard program");
  const run = await runModule(await standardClass(program), {
    inputs: calldata.map((value) => ({ visibility: "public", value })),
    leadingFelts: 0,
    generation: "head",
    read,
  });
  return textOf(run);
}

const feltsOf = ({ inputs }: ModuleTask): readonly bigint[] =>
  inputs.map(({ value }) => BigInt(value));
const zeros = (count: number): readonly bigint[] => new Array<bigint>(count).fill(0n);

describe("what a standard program refuses of its call", () => {
  for (const task of [blocks, transactions("tx.nonce")].map(asModule)) {
    const felts = feltsOf(task);
    const name = standardProgram(task.programHash)?.name ?? "";

    it(`refuses a handle of another length than 4, 6 or 8: ${name}`, async () => {
      for (const length of [0, 1, 2, 3, 5, 7, 9, 10, 12]) {
        const text = await called(task, [...zeros(length), ...felts]);
        expect(text, `${length}`).to.equal("handle of unknown length");
      }
      expect(await called(task, felts.slice(1))).to.equal("too few felts");
      expect(await called(task, [])).to.equal("too few felts");
      for (const length of [4, 6, 8])
        expect(await called(task, [...zeros(length), ...felts])).to.match(/^returned /);
    });

    it(`refuses a format at another place than behind the handle, so that a prover cannot bring inputs of its own: ${name}`, async () => {
      const [format = 0n] = felts;
      // Inputs of the prover's choice in the handle, and felts behind that make the number right.
      const forged = [format, ...felts.slice(1)];
      for (const length of [4, 6, 8]) {
        const calldata = [...forged, ...zeros(length)];
        expect(await called(task, calldata)).to.equal("format in the handle");
      }
      expect(await called(task, [...zeros(8), format + 1n, ...felts.slice(1)])).to.equal(
        "inputs of another format",
      );
    });

    it(`refuses any number of private inputs behind the task's, under every handle: ${name}`, async () => {
      for (const handle of HANDLES) {
        for (let count = 1; count <= 6; count += 1) {
          const more = zeros(count).map(() => ({ visibility: "private", value: "0x0" }) as const);
          const run = await runUnder(
            handle,
            { ...task, inputs: [...task.inputs, ...more] },
            chainOf("Cancun"),
          );
          expect(textOf(run)).to.be.oneOf(["handle of unknown length", "format in the handle"]);
        }
      }
    });
  }
});

describe("a task whose inputs are another task's from the third on", () => {
  // Private inputs are not part of the task hash, and the prover puts them behind the public ones: two more felts make
  // a handle of 6 look like one of 8. A contract that lets its caller choose block and account derives such a hash.
  const [format = 0n] = feltsOf(asModule(blocks));
  const sepolia = 11155111n;
  const account = blockSampled({ from: 1n, to: 1n, property: storage(HOLDER, 0n) }).avg();
  const shifts = [
    { handle: OF_6, more: 2, values: { first: format, last: sepolia } },
    { handle: OF_4, more: 2, values: { first: format, last: sepolia } },
  ];
  for (const { handle, more, values } of shifts) {
    it(`gives no value under a handle of ${handle.felts} with ${more} private inputs behind`, async () => {
      // Read from the third on: header.parent_hash of blocks 1 and 2 of Sepolia.
      const { programHash, inputs } = changed(account, {
        ...values,
        kind: 2n,
        field: 1n,
        address: 1n,
      });
      const zero = { visibility: "private", value: "0x0" } as const;
      const shifted = {
        inputs: [...inputs, ...zeros(more).map(() => zero)],
        programHash,
        type: "Module",
      } as const;
      expect(textOf(await runUnder(handle, shifted, chainOf("Cancun")))).to.equal(
        "format in the handle",
      );
    });
  }
});

describe("a call with felts of the prover's choice", () => {
  it("gives the task's value or none, whatever the handle holds and wherever private inputs stand", async () => {
    const read: (wanted: ModuleRead) => bigint = ({ field, chainId, block }) =>
      field === "type" ? 2n : chainId * 1_000n + block * 7n + BigInt(field.length);
    for (const task of [blocks, slots, transactions("tx.nonce")].map(asModule)) {
      const felts = feltsOf(task);
      const chosen = fc.constantFrom(...felts.slice(0, 5), 0n, 1n, 2n, 2n ** 64n);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(4, 6, 8),
          fc.array(chosen, { minLength: 8, maxLength: 8 }),
          fc.array(fc.tuple(fc.nat(felts.length), chosen), { maxLength: 4 }),
          async (length, handle, privates) => {
            const given = [...felts];
            for (const [at, felt] of privates) given.splice(at, 0, felt);
            const text = await called(task, [...handle.slice(0, length), ...given], read);
            // The machine has the numbers of fields that a handle of 8 stands for.
            const expected = await called(task, [...zeros(8), ...felts], read);
            if (text.startsWith("returned")) expect(text).to.equal(expected);
          },
        ),
        { numRuns: 300 },
      );
    }
  });
});

describe("what a standard program refuses of its inputs", () => {
  const receipts = transactions("tx_receipt.success");
  const nonces = transactions("tx.nonce");
  const cases: readonly (readonly [DatalakeComputeTask, Record<string, bigint>, string])[] = [
    [blocks, { first: 13n }, "no blocks in the range"],
    [blocks, { step: 0n }, "the step is 0"],
    [blocks, { last: 2n ** 64n }, "input exceeds 64 bits"],
    [blocks, { kind: 0n }, "unknown kind"],
    [blocks, { kind: 4n }, "unknown kind"],
    [blocks, { field: 6n }, "unknown field"],
    [blocks, { field: 12n }, "unknown field"],
    [blocks, { field: 20n }, "unknown field"],
    [blocks, { address: 1n }, "address without account"],
    [blocks, { slot_low: 1n }, "slot without storage"],
    [blocks, { slot_high: 1n }, "slot without storage"],
    [blocks, { kind: 2n, field: 4n }, "unknown field"],
    [blocks, { function: 5n }, "unknown function"],
    [blocks, { operator: 1n }, "comparison without count"],
    [blocks, { value_low: 1n }, "comparison without count"],
    [blocks, { value_high: 1n }, "comparison without count"],
    [blocks, { function: 4n }, "count without operator"],
    [blocks, { function: 4n, operator: 7n }, "unknown operator"],
    [blocks, { function: 4n, operator: 1n, value_low: 2n ** 128n }, "input exceeds 128 bits"],
    [slots, { field: 1n }, "a slot has no field"],
    [slots, { address: 2n ** 160n }, "address exceeds 160 bits"],
    [slots, { slot_high: 2n ** 128n }, "input exceeds 128 bits"],
    [nonces, { start: 4n }, "no transactions in the range"],
    [nonces, { step: 0n }, "the step is 0"],
    [nonces, { end: 2n ** 64n }, "input exceeds 64 bits"],
    [nonces, { types: 0n }, "no values"],
    [nonces, { types: 2n }, "unknown types"],
    [nonces, { types: 0x02000000n }, "unknown types"],
    [nonces, { types: 2n ** 32n }, "unknown types"],
    [nonces, { kind: 3n }, "unknown kind"],
    ...[3n, 5n, 10n, 13n, 15n].map((field) => [nonces, { field }, "unknown field"] as const),
    [receipts, { field: 2n }, "unknown field"],
    [receipts, { field: 3n }, "unknown field"],
    [nonces, { operator: 1n }, "comparison without count"],
  ];
  for (const [task, values, message] of cases) {
    const shown = Object.entries(values).map(([name, value]) => `${name} 0x${value.toString(16)}`);
    it(`refuses ${shown.join(", ")} of ${task.datalake.type} by name: ${message}`, async () => {
      for (const handle of HANDLES) {
        const run = await runUnder(handle, changed(task, values), chainOf("Cancun"));
        expect(textOf(run)).to.equal(message);
      }
    });
  }
});

describe("what a standard program does with blocks and transactions", () => {
  it("compares as every operator does, below, at and above the value, in both halves", async () => {
    const expected = { eq: 1n, nq: 2n, gt: 1n, gteq: 2n, lt: 1n, lteq: 2n } as const;
    for (const operator of OPERATORS) {
      for (const [shift, unit] of [
        [0n, 1n],
        [(7n << 128n) + 5n, 1n],
        [5n, 1n << 128n],
      ] as const) {
        const property = storage(HOLDER, 7n);
        const compared = shift + 11n * unit;
        const task = blockSampled({ from: 10n, to: 12n, property }).count(operator, compared);
        const text = await called(
          asModule(task),
          [...zeros(8), ...feltsOf(asModule(task))],
          ({ block }) => shift + block * unit,
        );
        const felts = valueFelts(expected[operator]).join();
        expect(text, `${operator} ${compared}`).to.equal(`returned ${felts}`);
      }
    }
  });

  it("ends at the last block of 64 bits, without a sum that exceeds them", async () => {
    const last = 2n ** 64n - 1n;
    const task = blockSampled({
      from: last - 4n,
      to: last,
      increment: 3n,
      property: header("gas_limit"),
    }).max();
    const reader = chainOf("Cancun");
    const { value } = await evaluateWith(reader, task);
    const run = await runUnder(OF_8, asModule(task), reader);
    expect(run.reads.map(({ block }) => block)).to.deep.equal([last - 4n, last - 1n]);
    expect(run.retdata).to.deep.equal(valueFelts(value));
  });

  it("reads the type of each transaction, of a receipt too, and then those of included types only", async () => {
    const included = { ...ALL_TYPES, legacy: false };
    const run = await runUnder(
      OF_8,
      asModule(transactions("tx_receipt.cumulative_gas_used", included)),
      chainOf("London"),
    );
    const reads = run.reads.map((read) => `${read.kind}.${read.field}`);
    expect(reads.filter((read) => read === "transaction.type")).to.have.length(4);
    const kept = run.reads.filter(({ felts, field }) => field === "type" && felts[0] !== 0n);
    expect(reads.filter((read) => read.startsWith("receipt."))).to.have.length(kept.length);
    expect(kept.length).to.be.within(1, 3);
  });

  it("reads the blob fee by the number that the data processor gives it, which is not the datalake's", async () => {
    const onlyBlobs = { legacy: false, eip2930: false, eip1559: false, eip4844: true };
    const task = transactions("tx.max_fee_per_blob_gas", onlyBlobs);
    expect(feltsOf(asModule(task))[8]).to.equal(14n);
    const run = await runUnder(OF_8, asModule(task), chainOf("Cancun"));
    expect(run.reads.map(({ field }) => field)).to.include("maxFeePerBlobGas");
    expect(run.status).to.equal("returned");
  });

  it("fails where its handle is of one prover and the fields are numbered as by another", async () => {
    const task = asModule(transactions("tx.nonce"));
    const reader = chainOf("Cancun");
    // Its number 16 would be the sender, and its number 15 a list.
    const sender = BigInt(HOLDER);
    for (const other of [0x80n, sender]) {
      const text = await called(task, [...zeros(8), ...feltsOf(task)], () => other);
      expect(text).to.equal("not a transaction type");
    }
    expect(await called(task, [...zeros(8), ...feltsOf(task)], () => 0x7fn)).to.equal("no values");
    // The local processor refuses the numbers of one prover beside the handle of another before it runs.
    for (const { felts } of [OF_4, OF_6])
      await expectHdpError(runUnder({ felts, generation: "head" }, task, reader), "HDP-7123", /./);
  });

  it("refuses the success of receipts from before Byzantium, which is a state root there", async () => {
    const task = transactions("tx_receipt.success", ALL_TYPES, "max");
    for (const handle of HANDLES) {
      const run = await runUnder(handle, asModule(task), chainOf("Frontier"));
      expect(textOf(run)).to.equal("a receipt without success");
    }
    await expectHdpError(evaluateWith(chainOf("Frontier"), task), "HDP-4304", /Byzantium/);
  });

  it("fails at a deposit of Optimism, which a datalake leaves out", async () => {
    const task = transactions("tx.nonce");
    const reader = chainOf("Optimism");
    const { samples } = await evaluateWith(reader, task);
    expect(samples).to.be.within(1, 3);
    await expectHdpError(runUnder(OF_8, asModule(task), reader), "HDP-7112", /type 126/);
  });
});

describe("the felts that a standard program returns", () => {
  const uint256 = fc.oneof(
    fc.bigInt(0n, 2n ** 256n - 1n),
    fc.bigInt(0n, 2n ** 128n).map((half) => half << 127n),
    fc.constantFrom(0n, 1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 256n - 1n),
  );

  it("returns felts that belong to no other value in either order, so that their root fixes the value", () => {
    fc.assert(
      fc.property(uint256, uint256, (one, other) => {
        expect(rootOfValue(one) === rootOfValue(other)).to.equal(one === other);
        const [low, high] = valueFelts(one);
        expect(unorderedRoot([high, low])).to.equal(rootOfValue(one));
        const swapped = (one >> 128n) + (BigInt.asUintN(128, one) << 128n);
        expect(rootOfValue(swapped) === rootOfValue(one)).to.equal(swapped === one);
      }),
      { numRuns: 500 },
    );
  });

  it("would be those of two values as plain halves", () => {
    const halves = (value: bigint) => [BigInt.asUintN(128, value), value >> 128n];
    expect(unorderedRoot(halves(7n))).to.equal(unorderedRoot(halves(7n << 128n)));
  });
});

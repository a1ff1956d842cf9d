import { expect } from "chai";
import fc from "fast-check";
import { type Abi, decodeErrorResult, type Hex, numberToHex, padHex } from "viem";

import {
  CHAIN_IDS,
  type ChainIdentifier,
  encodeCompute,
  encodeDatalake,
  encodeIncludedTypes,
  encodeSampledProperty,
  encodeTask,
  taskHash,
  type AccountField,
  type BlockProperty,
  type Compute,
  type Datalake,
  type FieldKind,
  type HeaderField,
  listFields,
  type ModuleTask,
  OPERATORS,
  type ReceiptField,
  type TransactionField,
  type TransactionProperty,
} from "../../src/entries/request.js";
import { callContract, type Chain, createChain, deployHarness, revertOf } from "./harness.js";

/** The values of HdpForm. */
const [DATALAKE_FORM, MODULE_FORM] = [0, 1];

/** The aggregate functions in the order of their ids. */
const AGGREGATE_FUNCTIONS = ["avg", "sum", "min", "max", "count"] as const;
const fieldsOf = <F extends string>(kind: FieldKind): F[] =>
  listFields(kind).map(({ field }) => field as F);
const FIELD_NAMES = {
  header: fieldsOf<HeaderField>("header"),
  account: fieldsOf<AccountField>("account"),
  tx: fieldsOf<TransactionField>("tx"),
  tx_receipt: fieldsOf<ReceiptField>("tx_receipt"),
};

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((value): Hex => `0x${Buffer.from(value).toString("hex")}`);
const felt = fc.bigInt({ min: 0n, max: 2n ** 251n }).map((value): Hex => `0x${value.toString(16)}`);
const chainId = fc.constantFrom(...(Object.keys(CHAIN_IDS) as ChainIdentifier[]));
const compute: fc.Arbitrary<Compute> = fc.record(
  {
    aggregateFnId: fc.constantFrom(...AGGREGATE_FUNCTIONS),
    aggregateFnCtx: fc.record({ operator: fc.constantFrom(...OPERATORS), valueToCompare: word }),
  },
  { requiredKeys: ["aggregateFnId"] },
);
const blockProperty: fc.Arbitrary<BlockProperty> = fc.oneof(
  fc.record({
    kind: fc.constant("header" as const),
    field: fc.constantFrom(...FIELD_NAMES.header),
  }),
  fc.record({
    kind: fc.constant("account" as const),
    address: bytes(20),
    field: fc.constantFrom(...FIELD_NAMES.account),
  }),
  fc.record({ kind: fc.constant("storage" as const), address: bytes(20), slot: bytes(32) }),
);
const transactionProperty: fc.Arbitrary<TransactionProperty> = fc.oneof(
  fc.record({ kind: fc.constant("tx" as const), field: fc.constantFrom(...FIELD_NAMES.tx) }),
  fc.record({
    kind: fc.constant("tx_receipt" as const),
    field: fc.constantFrom(...FIELD_NAMES.tx_receipt),
  }),
);
const datalake: fc.Arbitrary<Datalake> = fc.oneof(
  fc.record({
    type: fc.constant("BlockSampled" as const),
    chainId,
    blockRangeStart: word,
    blockRangeEnd: word,
    increment: word,
    sampledProperty: blockProperty,
  }),
  fc.record({
    type: fc.constant("TransactionsInBlock" as const),
    chainId,
    targetBlock: word,
    startIndex: word,
    endIndex: word,
    increment: word,
    includedTypes: fc.record({
      legacy: fc.boolean(),
      eip2930: fc.boolean(),
      eip1559: fc.boolean(),
      eip4844: fc.boolean(),
    }),
    sampledProperty: transactionProperty,
  }),
);

const halves = (value: bigint): readonly [low: bigint, high: bigint] => [
  BigInt.asUintN(128, value),
  value >> 128n,
];

/** Kind, field, address, and the halves of the slot. */
function propertyInputs(property: BlockProperty): readonly bigint[] {
  const { kind } = property;
  if (kind === "header")
    return [1n, BigInt(FIELD_NAMES.header.indexOf(property.field)), 0n, 0n, 0n];
  const address = BigInt(property.address);
  if (kind === "storage") return [3n, 0n, address, ...halves(BigInt(property.slot))];
  return [2n, BigInt(FIELD_NAMES.account.indexOf(property.field)), address, 0n, 0n];
}

describe("HdpTaskHash and HdpSampledProperty", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async function () {
    this.timeout(60_000);
    chain = await createChain();
    harness = await deployHarness(chain, "TaskHashHarness");
  });

  after(async () => {
    await chain.close();
  });

  const call = async (functionName: string, args: readonly unknown[]): Promise<unknown> =>
    await callContract(chain, harness, functionName, args);

  /** The property's bytes as the Solidity library makes them. */
  async function solidityProperty(property: BlockProperty | TransactionProperty): Promise<unknown> {
    switch (property.kind) {
      case "header":
        return await call("header", [FIELD_NAMES.header.indexOf(property.field)]);
      case "account":
        return await call("account", [
          property.address,
          FIELD_NAMES.account.indexOf(property.field),
        ]);
      case "storage":
        return await call("storageSlot", [property.address, property.slot]);
      case "tx":
        return await call("transaction", [FIELD_NAMES.tx.indexOf(property.field)]);
      case "tx_receipt":
        return await call("receipt", [FIELD_NAMES.tx_receipt.indexOf(property.field)]);
    }
  }

  it("encode and hash datalake tasks as TypeScript does, with and without chain id", async () => {
    await fc.assert(
      fc.asyncProperty(datalake, compute, async (lake, fn) => {
        const sampledProperty = await solidityProperty(lake.sampledProperty);
        expect(sampledProperty).to.equal(encodeSampledProperty(lake.sampledProperty));
        const name = lake.type === "BlockSampled" ? "blocks" : "transactions";
        const encoded = await call(name, solidityTask(lake, fn));
        const task = { type: "DatalakeCompute", datalake: lake, compute: fn } as const;
        expect(encoded).to.deep.equal({
          datalake: encodeDatalake(lake),
          datalakeWithoutChainId: encodeDatalake(lake, { datalakeEncoding: "without-chain-id" }),
          compute: encodeCompute(fn),
          taskHash: taskHash(task),
          taskHashWithoutChainId: taskHash(task, { datalakeEncoding: "without-chain-id" }),
        });
      }),
      { numRuns: 120 },
    );
  });

  /** A datalake and a computation as the harness takes them. */
  function solidityTask(lake: Datalake, fn: Compute): readonly [object, object] {
    const sampledProperty = encodeSampledProperty(lake.sampledProperty);
    const shared = { ...lake, chainId: CHAIN_IDS[lake.chainId], sampledProperty };
    const solidityCompute = {
      aggregateFnId: AGGREGATE_FUNCTIONS.indexOf(fn.aggregateFnId),
      operatorId:
        fn.aggregateFnCtx === undefined ? 0 : OPERATORS.indexOf(fn.aggregateFnCtx.operator) + 1,
      valueToCompare: fn.aggregateFnCtx?.valueToCompare ?? 0n,
    };
    if (lake.type === "BlockSampled") return [shared, solidityCompute];
    return [{ ...shared, includedTypes: encodeIncludedTypes(lake.includedTypes) }, solidityCompute];
  }

  /** The public inputs of the standard programs behind the format word, as their documentation orders them. */
  function standardInputs(lake: Datalake, fn: Compute): readonly bigint[] {
    const comparison = fn.aggregateFnId === "count" ? fn.aggregateFnCtx : undefined;
    const computation = [
      BigInt(AGGREGATE_FUNCTIONS.indexOf(fn.aggregateFnId)),
      comparison === undefined ? 0n : BigInt(OPERATORS.indexOf(comparison.operator) + 1),
      ...halves(comparison?.valueToCompare ?? 0n),
    ];
    const chain = CHAIN_IDS[lake.chainId];
    if (lake.type === "BlockSampled") {
      const { blockRangeStart, blockRangeEnd, increment, sampledProperty } = lake;
      return [
        ...[chain, blockRangeStart, blockRangeEnd, increment],
        ...propertyInputs(sampledProperty),
        ...computation,
      ];
    }
    const { targetBlock, startIndex, endIndex, increment, includedTypes, sampledProperty } = lake;
    const { kind, field } = sampledProperty;
    return [
      ...[chain, targetBlock, startIndex, endIndex, increment],
      encodeIncludedTypes(includedTypes),
      kind === "tx" ? 1n : 2n,
      BigInt((FIELD_NAMES[kind] as readonly string[]).indexOf(field)),
      ...computation,
    ];
  }

  it("derive the tasks of the standard programs: every part at its place, the rest 0", async () => {
    const [blocksProgram, blocksFormat, transactionsProgram, transactionsFormat] = (await call(
      "programs",
      [],
    )) as readonly Hex[];
    await fc.assert(
      fc.asyncProperty(datalake, compute, async (lake, fn) => {
        const isBlocks = lake.type === "BlockSampled";
        const [program, format] = isBlocks
          ? [blocksProgram, blocksFormat]
          : [transactionsProgram, transactionsFormat];
        const module = {
          programHash: program,
          inputs: [
            format,
            ...standardInputs(lake, fn).map((value) => numberToHex(value, { size: 32 })),
          ],
        };
        expect(module.inputs).to.have.length(isBlocks ? 14 : 13);
        const args = solidityTask(lake, fn);
        const name = isBlocks ? "blocks" : "transactions";
        expect(await call(`${name}AsModule`, args)).to.deep.equal(module);
        const [, hash] = (await call("module", [module])) as readonly [Hex, Hex];
        expect(await call(`${name}InForm`, [MODULE_FORM, ...args])).to.deep.equal({
          hash,
          form: MODULE_FORM,
        });
        const task = { type: "DatalakeCompute", datalake: lake, compute: fn } as const;
        expect(await call(`${name}InForm`, [DATALAKE_FORM, ...args])).to.deep.equal({
          hash: taskHash(task),
          form: DATALAKE_FORM,
        });
      }),
      { numRuns: 60 },
    );
  });

  it("refuse bytes that are no property of the datalake", async () => {
    const fn = { aggregateFnId: 0, operatorId: 0, valueToCompare: 0n };
    const range = { chainId: 1n, increment: 1n };
    const blocks = { ...range, blockRangeStart: 0n, blockRangeEnd: 1n };
    const transactions = {
      ...range,
      targetBlock: 0n,
      startIndex: 0n,
      endIndex: 1n,
      includedTypes: 0n,
    };
    const ofBlocks: Hex[] = [
      "0x",
      "0x01",
      "0x010203",
      "0x0201",
      "0x0401",
      padHex("0x02", { dir: "right", size: 53 }),
    ];
    const ofTransactions: Hex[] = ["0x", "0x02", "0x0001", "0x0301", "0x010203"];
    for (const [name, lake, properties] of [
      ["blocksAsModule", blocks, ofBlocks],
      ["transactionsAsModule", transactions, ofTransactions],
    ] as const) {
      for (const sampledProperty of properties) {
        const error: unknown = await call(name, [{ ...lake, sampledProperty }, fn]).catch(
          (thrown: unknown) => thrown,
        );
        const { errorName, args } = decodeErrorResult({
          abi: harness.abi,
          data: revertOf(error) ?? "0x",
        });
        expect([errorName, args]).to.deep.equal(["UnknownProperty", [sampledProperty]]);
      }
    }
  });

  it("encode and hash module tasks with their public inputs as TypeScript does", async () => {
    const input = fc.record({
      visibility: fc.constantFrom("public" as const, "private" as const),
      value: felt,
    });
    await fc.assert(
      fc.asyncProperty(felt, fc.array(input, { maxLength: 12 }), async (programHash, inputs) => {
        const task: ModuleTask = { type: "Module", programHash, inputs };
        const publicInputs = inputs.filter(({ visibility }) => visibility === "public");
        const solidity = await call("module", [
          {
            programHash: padHex(programHash, { size: 32 }),
            inputs: publicInputs.map(({ value }) => padHex(value, { size: 32 })),
          },
        ]);
        expect(solidity).to.deep.equal([encodeTask(task), taskHash(task)]);
      }),
      { numRuns: 60 },
    );
  });

  it("pack the included types as TypeScript does for all 16 choices", async () => {
    for (let bits = 0; bits < 16; bits++) {
      const [legacy, eip2930, eip1559, eip4844] = [8, 4, 2, 1].map((bit) => (bits & bit) !== 0) as [
        boolean,
        boolean,
        boolean,
        boolean,
      ];
      expect(await call("includedTypes", [legacy, eip2930, eip1559, eip4844])).to.equal(
        encodeIncludedTypes({ legacy, eip2930, eip1559, eip4844 }),
      );
    }
  });
});

import { expect } from "chai";
import fc from "fast-check";
import { type Abi, decodeErrorResult, type Hex, padHex } from "viem";

import {
  asModule,
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
  type DatalakeComputeTask,
  type FieldKind,
  type HeaderField,
  listFields,
  moduleFormRefusals,
  type ModuleTask,
  OPERATORS,
  type ReceiptField,
  type TransactionField,
  type TransactionProperty,
} from "../../src/entries/request.js";
import { AGGREGATE_FUNCTIONS } from "../../src/request/fields.js";
import { callContract, type Chain, createChain, deployHarness, revertOf } from "./harness.js";

/** The values of HdpForm. */
const [DATALAKE_FORM, MODULE_FORM] = [0, 1];

const fieldsOf = <F extends string>(kind: FieldKind): F[] =>
  listFields(kind).map(({ field }) => field as F);
const FIELD_NAMES = {
  header: fieldsOf<HeaderField>("header"),
  account: fieldsOf<AccountField>("account"),
  tx: fieldsOf<TransactionField>("tx"),
  tx_receipt: fieldsOf<ReceiptField>("tx_receipt"),
};

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const half = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
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
const findDatalake = (number: fc.Arbitrary<bigint>): fc.Arbitrary<Datalake> =>
  fc.oneof(
    fc.record({
      type: fc.constant("BlockSampled" as const),
      chainId,
      blockRangeStart: number,
      blockRangeEnd: number,
      increment: number,
      sampledProperty: blockProperty,
    }),
    fc.record({
      type: fc.constant("TransactionsInBlock" as const),
      chainId,
      targetBlock: number,
      startIndex: number,
      endIndex: number,
      increment: number,
      includedTypes: fc.record({
        legacy: fc.boolean(),
        eip2930: fc.boolean(),
        eip1559: fc.boolean(),
        eip4844: fc.boolean(),
      }),
      sampledProperty: transactionProperty,
    }),
  );
const datalake = findDatalake(word);

/** Whether the standard programs take the task: no list, no bytes, and no count without a comparison. */
function isComputable(task: DatalakeComputeTask): boolean {
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  const isCompared = aggregateFnId !== "count" || aggregateFnCtx !== undefined;
  return isCompared && moduleFormRefusals(task).every(({ isComputable: computable }) => computable);
}

describe("HdpTaskHash and HdpSampledProperty", () => {
  let chain: Chain;
  let harness: { address: Hex; abi: Abi };

  before(async () => {
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

  it("derive the tasks of the standard programs as TypeScript does", async () => {
    await fc.assert(
      fc.asyncProperty(findDatalake(half), compute, async (lake, fn) => {
        const task = { type: "DatalakeCompute", datalake: lake, compute: fn } as const;
        fc.pre(isComputable(task));
        const module = asModule(task);
        const name = lake.type === "BlockSampled" ? "blocks" : "transactions";
        const args = solidityTask(lake, fn);
        expect(await call(`${name}AsModule`, args)).to.deep.equal({
          programHash: padHex(module.programHash, { size: 32 }),
          inputs: module.inputs.map(({ value }) => padHex(value, { size: 32 })),
        });
        const inForm = async (form: number): Promise<unknown> =>
          await call(`${name}InForm`, [form, ...args]);
        expect(await inForm(MODULE_FORM)).to.deep.equal({
          hash: taskHash(module),
          form: MODULE_FORM,
        });
        expect(await inForm(DATALAKE_FORM)).to.deep.equal({
          hash: taskHash(task),
          form: DATALAKE_FORM,
        });
      }),
      { numRuns: 80 },
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

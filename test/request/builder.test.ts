import { expect } from "chai";

import {
  account,
  type Aggregations,
  blockSampled,
  encodeSampledProperty,
  type FieldKind,
  header,
  listFields,
  moduleTask,
  parseTask,
  storage,
  taskHash,
  taskRequest,
  TaskRequestError,
  transactionsInBlock,
  tx,
  txReceipt,
  isStarknet,
} from "../../src/entries/request.js";
import { hdpThrown } from "../support/failure.js";
import { ADDRESS, blockTask, transactionTask } from "./documents.js";

const fee = { from: 10, to: 20n, property: header("timestamp") };

describe("the builder", () => {
  it("makes the task of the equivalent document", () => {
    expect(blockSampled(fee).avg()).to.deep.equal(parseTask(blockTask()));
    for (const fn of ["avg", "sum", "min", "max"] as const) {
      expect(blockSampled(fee)[fn]()).to.deep.equal(
        parseTask(blockTask({}, { aggregateFnId: fn })),
      );
    }
    expect(
      blockSampled({ ...fee, chainId: "SN_MAIN", increment: 3 }).count("gt", 2n ** 200n),
    ).to.deep.equal(
      parseTask(
        blockTask(
          { chainId: "STARKNET_MAINNET", increment: 3 },
          {
            aggregateFnId: "count",
            aggregateFnCtx: { operator: "gt", valueToCompare: (2n ** 200n).toString() },
          },
        ),
      ),
    );
    expect(
      transactionsInBlock({ block: 5605816, from: 12, to: 53, property: tx("nonce") }).max(),
    ).to.deep.equal(parseTask(transactionTask()));
  });

  it("reproduces the hash of a published task", () => {
    const task = blockSampled({
      from: 5858987,
      to: 5858997,
      increment: 2,
      property: header("excess_blob_gas"),
    });
    expect(taskHash(task.count("gt", 10000000n))).to.equal(
      "0x931644ee9576d1a377d4c5ba642a9f96361663f31d867d36169623f782a887fc",
    );
    const receipts = transactionsInBlock({
      block: 5605816n,
      from: 12n,
      to: 53n,
      types: ["eip1559", "eip4844"],
      property: txReceipt("success"),
    });
    expect(taskHash(receipts.count("gt", 50))).to.equal(
      "0xa15da24b3eb2bb5260f59a71c3934b64e2747d8e934563ad532e7f877a061bed",
    );
  });

  it("makes properties in their hashed form", () => {
    expect(encodeSampledProperty(account(ADDRESS, "balance"))).to.equal(
      `0x02${ADDRESS.slice(2).toLowerCase()}01`,
    );
    const slot = "3".padStart(64, "0");
    for (const written of [3, 3n, "0x3"] as const) {
      expect(storage(ADDRESS, written)).to.deep.equal({
        kind: "storage",
        address: ADDRESS.toLowerCase(),
        slot: `0x${slot}`,
      });
    }
    const task = blockSampled({ ...fee, property: storage(ADDRESS, 3) }).sum();
    expect(task.datalake.sampledProperty).to.deep.equal(storage(ADDRESS, "0x3"));
  });

  it("builds module tasks and requests", () => {
    const task = moduleTask({
      programHash: "0x00AF",
      inputs: [5n, "0x06", { visibility: "private", value: 7n }],
    });
    expect(task).to.deep.equal({
      type: "Module",
      programHash: "0xaf",
      inputs: [
        { visibility: "public", value: "0x5" },
        { visibility: "public", value: "0x6" },
        { visibility: "private", value: "0x7" },
      ],
    });
    expect(taskRequest({ tasks: [task, blockSampled(fee).avg()] })).to.deep.equal({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [task, blockSampled(fee).avg()],
    });
    expect(moduleTask({ programHash: 1n }).inputs).to.deep.equal([]);
  });

  it("refuses unknown fields at run time too", () => {
    for (const [make, wrong] of [
      [() => tx("nonse" as "nonce"), "tx()"],
      [() => txReceipt("sucess" as "success"), "txReceipt()"],
    ] as const) {
      const error = hdpThrown(make);
      expect([error.code, error.source]).to.deep.equal(["HDP-1104", wrong]);
    }
    expect([
      isStarknet("STARKNET_MAINNET"),
      isStarknet("STARKNET_SEPOLIA"),
      isStarknet("ETHEREUM_SEPOLIA"),
    ]).to.deep.equal([true, true, false]);
    const supportedFields = (kind: FieldKind): string[] =>
      listFields(kind)
        .filter(({ functions }) => functions.length > 0)
        .map(({ field }) => field);
    expect(supportedFields("header")).to.include("excess_blob_gas").and.not.include("logs_bloom");
    expect(supportedFields("account")).to.deep.equal([
      "nonce",
      "balance",
      "storage_root",
      "code_hash",
    ]);
    expect(supportedFields("tx_receipt")).to.include("success").and.not.include("logs");
  });

  it("reports the parser's errors with the name of the function", () => {
    for (const [make, message] of [
      [
        () => blockSampled({ ...fee, to: 9 }).avg(),
        "HDP-1115 in blockSampled(), datalake.blockRangeEnd: the range from 10 to 9 is empty",
      ],
      [
        () => blockSampled({ ...fee, increment: 0n }).avg(),
        "HDP-1113 in blockSampled(), datalake.increment",
      ],
      [
        () => blockSampled({ ...fee, from: 1.5 }).avg(),
        "HDP-1112 in blockSampled(), datalake.blockRangeStart: 1.5 is not an integer.",
      ],
      [
        () => blockSampled(fee).count("gt", -1n),
        "HDP-1113 in blockSampled(), compute.aggregateFnCtx.valueToCompare",
      ],
      [
        () => blockSampled(fee).count("gt", 2 ** 53),
        "HDP-1112 in blockSampled(), compute.aggregateFnCtx.valueToCompare",
      ],
      [
        () =>
          transactionsInBlock({
            block: 1,
            from: 0,
            to: 1,
            types: [] as "legacy"[],
            property: tx("nonce"),
          }).avg(),
        "HDP-1122 in transactionsInBlock(), datalake.includedTypes",
      ],
      [
        () => moduleTask({ programHash: -1n }),
        "HDP-1118 in moduleTask(), programHash: -1 is not a felt.",
      ],
      [() => taskRequest({ tasks: [] as never[] }), "HDP-1120 in taskRequest(), tasks"],
      [() => storage(ADDRESS, -1n), 'HDP-1111 in storage(): "0x-1" is not a storage slot.'],
      [() => account("0x12", "nonce"), 'HDP-1110 in account(): "0x12" is not an address.'],
    ] as const) {
      expect(make).to.throw(TaskRequestError, message);
    }
  });
});

describe("the builder's types", () => {
  it("forbid what the parser refuses", () => {
    // @ts-expect-error an operator and a value are needed
    expect(() => blockSampled(fee).count()).to.throw(TaskRequestError);
    // @ts-expect-error a value is needed
    expect(() => blockSampled(fee).count("gt")).to.throw("valueToCompare");
    // @ts-expect-error not an operator
    expect(() => blockSampled(fee).count(">=", 1n)).to.throw('Did you mean "gteq"?');
    // @ts-expect-error no function runs over a bloom
    const overBloom: Aggregations = blockSampled({ ...fee, property: header("logs_bloom") });
    expect(() => overBloom.avg()).to.throw("HDP-1106");
    // @ts-expect-error no function runs over an address
    const overAddress: Aggregations = transactionsInBlock({
      block: 1,
      from: 0,
      to: 1,
      property: tx("to"),
    });
    expect(() => overAddress.max()).to.throw("HDP-1106");
    // @ts-expect-error not a field
    expect(() => header("base_fee")).to.throw(
      'HDP-1104 in header(): "header.base_fee" is not the name of a header field.',
    );
    // @ts-expect-error transactions are not sampled at blocks
    expect(() => blockSampled({ ...fee, property: tx("nonce") }).avg()).to.throw("HDP-1105");
    // @ts-expect-error not a chain
    expect(() => blockSampled({ ...fee, chainId: "GOERLI" }).avg()).to.throw("HDP-1108");
    const block = { block: 1, from: 0, to: 1, property: tx("nonce") };
    // @ts-expect-error not a transaction type
    expect(() => transactionsInBlock({ ...block, types: ["eip1559", "eip7702"] }).avg()).to.throw(
      'HDP-1102 in transactionsInBlock(), datalake.includedTypes.eip7702: the key "eip7702" is not known.',
    );
  });
});

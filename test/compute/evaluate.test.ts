import { expect } from "chai";

import {
  type Eip1193Provider,
  type ProveMode,
  evaluate,
  type Evaluation,
} from "../../src/entries/local.js";
import {
  blockSampled,
  type BlockProperty,
  type IncludedTypes,
  type TransactionProperty,
  listFields,
} from "../../src/entries/request.js";
import { FIELD_NAMES, FIELDS } from "../../src/request/fields.js";
import { failure } from "../support/failure.js";
import {
  ALICE,
  BOB,
  sharedChain,
  simulatedChain,
  SLOT,
  tampered,
  without,
} from "../support/simulated-chain.js";

const ALL: IncludedTypes = { legacy: true, eip2930: true, eip1559: true, eip4844: true };
const NOBODY = "0x00000000000000000000000000000000000000aa";
const BALANCE = { kind: "account", address: BOB, field: "balance" } as const;
const STORED = { kind: "storage", address: BOB, slot: SLOT } as const;
const NUMBER = { kind: "header", field: "number" } as const;
const VALUE = { kind: "tx", field: "value" } as const;
const SUCCESS = { kind: "tx_receipt", field: "success" } as const;

describe("evaluate over a simulated chain", () => {
  let provider: Eip1193Provider;
  before(async () => {
    provider = await sharedChain();
  });

  function overBlocks(
    from: bigint,
    to: bigint,
    sampledProperty: BlockProperty,
    node = provider,
    prove: ProveMode = "require",
  ): Promise<Evaluation> {
    const datalake = {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: from,
      blockRangeEnd: to,
      increment: 1n,
      sampledProperty,
    } as const;
    return evaluate(
      { type: "DatalakeCompute", datalake, compute: { aggregateFnId: "sum" } },
      { provider: node, prove },
    );
  }

  function overTransactions(
    to: bigint,
    sampledProperty: TransactionProperty,
    node = provider,
    prove: ProveMode = "require",
    includedTypes = ALL,
  ): Promise<Evaluation> {
    const datalake = {
      type: "TransactionsInBlock",
      chainId: "ETHEREUM_SEPOLIA",
      targetBlock: 7n,
      startIndex: 0n,
      endIndex: to,
      increment: 1n,
      includedTypes,
      sampledProperty,
    } as const;
    return evaluate(
      { type: "DatalakeCompute", datalake, compute: { aggregateFnId: "sum" } },
      { provider: node, prove },
    );
  }

  it("takes hashes and addresses of headers as unsigned integers, every field that fits 256 bits", async () => {
    const block = (await provider.request({
      method: "eth_getBlockByNumber",
      params: ["0x7", false],
    })) as Record<string, string>;
    const fields = listFields("header").filter(({ functions }) => functions.length > 0);
    expect(fields).to.have.length(18);
    for (const { field } of fields) {
      const name = FIELD_NAMES.header.find((known) => known === field) ?? "number";
      const expected = BigInt(block[FIELDS.header[name].rpc] ?? "");
      const property = { kind: "header", field: name } as const;
      expect((await overBlocks(7n, 7n, property)).value, field).to.equal(expected);
      expect(blockSampled({ from: 7, to: 7, property })).to.have.property("avg");
    }
  });

  it("proves headers, accounts, slots and absences", async () => {
    expect(await overBlocks(0n, 8n, NUMBER)).to.deep.equal({
      value: 36n,
      samples: 9,
      proven: true,
    });
    expect(await overBlocks(6n, 6n, BALANCE)).to.deep.equal({
      value: 10n ** 18n,
      samples: 1,
      proven: true,
    });
    expect(await overBlocks(6n, 8n, STORED)).to.deep.equal({
      value: 126n,
      samples: 3,
      proven: true,
    });
    expect(
      await overBlocks(7n, 8n, { kind: "account", address: ALICE, field: "nonce" }),
    ).to.deep.equal({
      value: 8n,
      samples: 2,
      proven: true,
    });
    expect(
      await overBlocks(8n, 8n, { kind: "account", address: NOBODY, field: "code_hash" }),
    ).to.deep.equal({
      value: 0n,
      samples: 1,
      proven: true,
      warnings: [`there is no account ${NOBODY} at block 8: check the address and the chain`],
    });
    expect(await overBlocks(8n, 8n, { ...STORED, address: NOBODY })).to.deep.equal({
      value: 0n,
      samples: 1,
      proven: true,
      warnings: [`there is no account ${NOBODY} at block 8: check the address and the chain`],
    });
  });

  it("proves transactions and receipts, and never includes type 4", async () => {
    expect(await overTransactions(4n, VALUE)).to.deep.equal({
      value: 33n,
      samples: 3,
      proven: true,
    });
    expect(
      await overTransactions(4n, VALUE, provider, "require", { ...ALL, eip2930: false }),
    ).to.deep.equal({
      value: 22n,
      samples: 2,
      proven: true,
    });
    expect(await overTransactions(4n, SUCCESS)).to.deep.equal({
      value: 3n,
      samples: 3,
      proven: true,
    });
    expect(await overTransactions(3n, { kind: "tx", field: "chain_id" })).to.deep.equal({
      value: 94011n,
      samples: 3,
      proven: true,
    });
    const { value } = await overTransactions(1n, {
      kind: "tx_receipt",
      field: "cumulative_gas_used",
    });
    expect(value).to.equal(21000n);
  });

  it("takes receipts of a whole block where the node gives them", async () => {
    const asked: string[] = [];
    const node: Eip1193Provider = {
      request: async (args) => {
        asked.push(args.method);
        if (args.method !== "eth_getBlockReceipts") return await provider.request(args);
        const block = (await provider.request({
          method: "eth_getBlockByNumber",
          params: [args.params?.[0], false],
        })) as { transactions: string[] };
        return await Promise.all(
          block.transactions.map((hash) =>
            provider.request({ method: "eth_getTransactionReceipt", params: [hash] }),
          ),
        );
      },
    };
    expect(await overTransactions(4n, SUCCESS, node)).to.deep.equal({
      value: 3n,
      samples: 3,
      proven: true,
    });
    expect(asked).to.not.include("eth_getTransactionReceipt");
  });

  it("reads without proofs where the node has none, and says so", async () => {
    const node = without(provider, "eth_getProof");
    expect(await overBlocks(6n, 6n, BALANCE, node, "when-possible")).to.deep.equal({
      value: 10n ** 18n,
      samples: 1,
      proven: false,
    });
    expect(await overBlocks(6n, 6n, STORED, node, "when-possible")).to.deep.equal({
      value: 42n,
      samples: 1,
      proven: false,
    });
    expect(await overBlocks(6n, 6n, NUMBER, node, "when-possible")).to.deep.equal({
      value: 6n,
      samples: 1,
      proven: true,
    });
    for (const field of ["storage_root", "code_hash"] as const) {
      expect(
        await failure(
          overBlocks(6n, 6n, { kind: "account", address: BOB, field }, node, "when-possible"),
        ),
      ).to.contain(`HDP-4204: ${field} of ${BOB} of block 6 cannot be proven`);
    }
    expect(await failure(overBlocks(6n, 6n, BALANCE, node))).to.contain(
      `HDP-4204: account ${BOB} of block 6 cannot be proven`,
    );
    expect(await failure(overBlocks(6n, 6n, STORED, node))).to.contain("HDP-4204");
  });

  it("verifies nothing in the mode never", async () => {
    expect(await overBlocks(6n, 6n, NUMBER, provider, "never")).to.deep.equal({
      value: 6n,
      samples: 1,
      proven: false,
    });
    expect(await overBlocks(6n, 6n, BALANCE, provider, "never")).to.deep.equal({
      value: 10n ** 18n,
      samples: 1,
      proven: false,
    });
    expect(await overTransactions(4n, VALUE, provider, "never")).to.deep.equal({
      value: 33n,
      samples: 3,
      proven: false,
    });
  });

  it("names block and field of every tampered header field", async () => {
    const header = [
      "parentHash",
      "stateRoot",
      "logsBloom",
      "gasUsed",
      "timestamp",
      "nonce",
      "baseFeePerGas",
      "requestsHash",
      "hash",
    ];
    for (const field of header) {
      const node = tampered(provider, "eth_getBlockByNumber", (answer) => ({
        ...(answer as object),
        [field]: flip((answer as Record<string, string>)[field] ?? ""),
      }));
      expect(await failure(overBlocks(3n, 3n, NUMBER, node, "when-possible"))).to.contain(
        'HDP-4201: block 3 does not match its field "hash"',
      );
    }
    const other = tampered(provider, "eth_getBlockByNumber", (answer) => ({
      ...(answer as object),
      number: "0x4",
    }));
    expect(await failure(overBlocks(3n, 3n, NUMBER, other))).to.contain(
      'field "number": the node returned block 4',
    );
    const later = tampered(provider, "eth_getBlockByNumber", (answer) => ({
      ...(answer as object),
      gasUsed: "0x1",
      slotNumber: "0x1",
    }));
    expect(await failure(overBlocks(3n, 3n, NUMBER, later))).to.contain(
      "fields this version does not know: slotNumber",
    );
    const bad = tampered(provider, "eth_getBlockByNumber", (answer) => ({
      ...(answer as object),
      gasUsed: 7,
    }));
    expect(await failure(overBlocks(3n, 3n, NUMBER, bad))).to.contain(
      'HDP-4102: the node\'s answer has a bad field "gasUsed" of block 3: 7',
    );
  });

  it("names block and field of every tampered account and slot", async () => {
    const proof = (change: Record<string, unknown>): Eip1193Provider =>
      tampered(provider, "eth_getProof", (answer) => ({ ...(answer as object), ...change }));
    const cases: [Eip1193Provider, string][] = [
      [proof({ balance: "0x1" }), `field "balance" of ${BOB}`],
      [proof({ nonce: "0x9" }), `field "nonce" of ${BOB}`],
      [proof({ storageHash: `0x${"12".repeat(32)}` }), `field "storageHash" of ${BOB}`],
      [proof({ codeHash: `0x${"12".repeat(32)}` }), `field "codeHash" of ${BOB}`],
      [proof({ accountProof: [] }), `accountProof of ${BOB}`],
      [proof({ accountProof: ["0x80"] }), `accountProof of ${BOB}`],
    ];
    for (const [node, field] of cases) {
      expect(await failure(overBlocks(6n, 6n, BALANCE, node, "when-possible"))).to.contain(
        `HDP-4202: the state of block 6 does not match its root, ${field}`,
      );
    }
    const slot = (change: Record<string, unknown>): Eip1193Provider =>
      tampered(provider, "eth_getProof", (answer) => {
        const { storageProof } = answer as { storageProof: object[] };
        return {
          ...(answer as object),
          storageProof: storageProof.map((entry) => ({ ...entry, ...change })),
        };
      });
    expect(await failure(overBlocks(6n, 6n, STORED, slot({ value: "0x2b" })))).to.contain(
      `HDP-4202: the state of block 6 does not match its root, value of slot ${SLOT}`,
    );
    expect(await failure(overBlocks(6n, 6n, STORED, slot({ proof: [] })))).to.contain(
      `HDP-4202: the state of block 6 does not match its root, storageProof of slot ${SLOT}`,
    );
  });

  it("names block and root of tampered transactions and receipts", async () => {
    const block = tampered(provider, "eth_getBlockByNumber", (answer) => {
      const { transactions } = answer as { transactions: object[] };
      return {
        ...(answer as object),
        transactions: transactions.map((entry, index) =>
          index === 2 ? { ...entry, value: "0x63" } : entry,
        ),
      };
    });
    expect(await failure(overTransactions(4n, VALUE, block))).to.contain(
      'HDP-4201: block 7 does not match its field "transactionsRoot"',
    );
    const receipt = tampered(provider, "eth_getTransactionReceipt", (answer) => ({
      ...(answer as object),
      status: "0x0",
    }));
    expect(await failure(overTransactions(4n, SUCCESS, receipt))).to.contain(
      'HDP-4201: block 7 does not match its field "receiptsRoot"',
    );
  });

  it("refuses what is not there", async () => {
    expect(await failure(overTransactions(5n, VALUE))).to.contain(
      "HDP-4301: block 7 has no transaction 4: it has 4 transactions",
    );
    expect(await failure(overTransactions(5n, SUCCESS))).to.contain("HDP-4301");
    expect(await failure(overBlocks(8n, 9n, NUMBER))).to.contain(
      "HDP-4101: block 9 does not exist, the latest block of the chain is 8",
    );
    expect(await failure(overBlocks(8n, 7n, NUMBER))).to.contain("HDP-4305: sum has no values");
    expect(await failure(overTransactions(3n, { kind: "tx", field: "gas_price" }))).to.contain(
      "HDP-4303: transaction 2 of block 7 has type 2 (eip1559), which has no gas_price",
    );
    const none = { legacy: false, eip2930: false, eip1559: false, eip4844: true };
    expect(await failure(overTransactions(4n, VALUE, provider, "require", none))).to.contain(
      "HDP-4305",
    );
    const unknown = tampered(provider, "eth_getBlockByNumber", (answer) => ({
      ...(answer as object),
      transactions: [{ type: "0x5" }],
    }));
    expect(await failure(overTransactions(1n, VALUE, unknown))).to.contain(
      "HDP-4104: transaction 0 of block 7 has type 5",
    );
  });

  it("reports a failing node without its address", async () => {
    const node: Eip1193Provider = {
      request: () => Promise.reject(new Error("no answer from https://node.example/v2/secret-key")),
    };
    const message = await failure(overBlocks(3n, 3n, NUMBER, node, "when-possible"));
    expect(message).to.contain(
      'HDP-4103: the node failed to answer eth_getBlockByNumber("0x3", false): no answer from <url>.',
    );
    expect(message).to.not.contain("secret-key");
  });

  it("explains blocks that hardhat_mine skipped", async () => {
    const node = await simulatedChain();
    await node.request({ method: "hardhat_mine", params: ["0x14"] });
    expect(await failure(overBlocks(15n, 15n, BALANCE, node))).to.match(
      /HDP-4202[^]*hardhat_mine of 8 or more have no state: mine with hdp\.mine\(blocks\), or at most 7 a call/,
    );
  });

  it("explains blocks whose state was set behind their header", async () => {
    expect(await failure(overBlocks(5n, 5n, BALANCE))).to.match(
      /HDP-4202: the state of block 5 does not match its root[^]*anvil_setStorageAt and the like change the latest block's state behind its header/,
    );
  });

  it("keeps the bound on reads and stops on abort", async () => {
    let inFlight = 0;
    let most = 0;
    let asked = 0;
    const aborting = new AbortController();
    const node: Eip1193Provider = {
      request: async (args) => {
        asked += 1;
        most = Math.max(most, (inFlight += 1));
        if (asked === 6) aborting.abort(new Error("stop here"));
        try {
          return await provider.request(args);
        } finally {
          inFlight -= 1;
        }
      },
    };
    const datalake = {
      type: "BlockSampled",
      chainId: "ETHEREUM_SEPOLIA",
      blockRangeStart: 0n,
      blockRangeEnd: 8n,
      increment: 1n,
      sampledProperty: NUMBER,
    } as const;
    const task = { type: "DatalakeCompute", datalake, compute: { aggregateFnId: "sum" } } as const;
    expect(
      await failure(evaluate(task, { provider: node, concurrency: 2, signal: aborting.signal })),
    ).to.equal("stop here");
    expect(most).to.equal(2);
    expect(asked).to.equal(6);
  });
});

function flip(hex: string): string {
  return `${hex.slice(0, -1)}${hex.endsWith("1") ? "2" : "1"}`;
}

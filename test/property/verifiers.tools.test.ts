import {
  createMerkleProof,
  createMPT,
  type MerklePatriciaTrie,
  verifyMerkleProof,
} from "@ethereumjs/mpt";
import { expect } from "chai";
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  keccak256,
  serializeTransaction,
  toHex,
  toRlp,
  type TransactionSerializable,
} from "viem";

import {
  type Eip1193Provider,
  ProvenChainReader,
  openRecording,
  parseRecording,
} from "../../src/entries/local.js";
import {
  FELT_PRIME,
  isHdpError,
  type StateNode,
  StateNodeMap,
  computeStateRoot,
  verifyStateRead,
  verifyStateUpdate,
} from "../../src/entries/request.js";
import { keccakBytes } from "../../src/base/keccak.js";
import { headerItems, transactionEnvelope } from "../../src/chain/blocks.js";
import { proveStateRead, proveStateUpdate } from "../../src/request/state-trie.js";

/** Rounds of each verifier: HDP_FUZZ=100000 for a long run. */
const ROUNDS = Number(process.env["HDP_FUZZ"] ?? 1_000);
const SEED = Number(process.env["HDP_FUZZ_SEED"] ?? Date.now() % 2 ** 31);

let state = SEED;
/** Below a number; the same in every run of a seed. */
function next(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = <T>(list: readonly [T, ...T[]]): T => list[next(list.length)] ?? list[0];
const bytes = (length: number): Hex => bytesToHex(Uint8Array.from({ length }, () => next(256)));
const big = (length: number): bigint => BigInt(bytes(length));

interface Account {
  readonly address: Hex;
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly slots: Map<Hex, bigint>;
  readonly storage: MerklePatriciaTrie;
}
interface Chain {
  readonly trie: MerklePatriciaTrie;
  readonly accounts: readonly [Account, ...Account[]];
  readonly block: Readonly<Record<string, unknown>> & { readonly hash: Hex };
}

const options = { useKeyHashing: true, useKeyHashingFunction: keccakBytes };
const integer = (value: bigint): Hex => (value === 0n ? "0x" : toHex(value));
const CODE_HASH = keccak256("0x");

/** A block over accounts, as the library's tries have them. */
async function chainOf(addresses: readonly Hex[], slots: readonly Hex[]): Promise<Chain> {
  const trie = await createMPT(options);
  const accounts: Account[] = [];
  for (const address of addresses) {
    const storage = await createMPT(options);
    const held = new Map<Hex, bigint>();
    for (const slot of slots) {
      if (next(3) === 0) continue;
      const value = 1n + big(1 + next(31));
      held.set(slot, value);
      await storage.put(hexToBytes(slot), hexToBytes(toRlp(integer(value))));
    }
    const [nonce, balance] = [BigInt(next(300)), big(1 + next(12))];
    const rlp = toRlp([integer(nonce), integer(balance), bytesToHex(storage.root()), CODE_HASH]);
    await trie.put(hexToBytes(address), hexToBytes(rlp));
    accounts.push({ address, balance, nonce, slots: held, storage });
  }
  const [first, ...others] = accounts;
  if (first === undefined) throw new Error("a chain has accounts");
  return {
    trie,
    accounts: [first, ...others],
    block: blockOf({ stateRoot: bytesToHex(trie.root()) }),
  };
}

/** Block 1 with these fields. */
function blockOf(given: Readonly<Partial<Record<string, Hex>>>): Chain["block"] {
  const fields = {
    parentHash: bytes(32),
    sha3Uncles: bytes(32),
    miner: bytes(20),
    stateRoot: bytes(32),
    transactionsRoot: bytes(32),
    receiptsRoot: bytes(32),
    logsBloom: bytes(256),
    difficulty: "0x0",
    number: "0x1",
    gasLimit: "0x1",
    gasUsed: "0x0",
    timestamp: "0x1",
    extraData: "0x",
    mixHash: bytes(32),
    nonce: "0x0000000000000000",
    ...given,
  };
  return { ...fields, hash: keccak256(toRlp(headerItems({ what: "block", fields }))) };
}

/** A transaction of any type with any signature, as a node answers it and as viem encodes it. */
function signedTransaction(): {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly envelope: Hex;
} {
  const fees = { maxFeePerGas: big(6), maxPriorityFeePerGas: 0n };
  const accessList = Array.from({ length: next(3) }, () => ({
    address: bytes(20),
    storageKeys: Array.from({ length: next(3) }, () => bytes(32)),
  }));
  const common = {
    chainId: 1 + next(1000),
    nonce: next(70_000),
    gas: big(3),
    value: big(1 + next(12)),
    data: bytes(next(80)),
  };
  const to = next(4) === 0 ? undefined : bytes(20);
  const type = pick(["legacy", "eip2930", "eip1559"] as const);
  const transaction = {
    ...common,
    to,
    type,
    ...(type === "eip1559" ? fees : { gasPrice: big(5) }),
    ...(type === "legacy" ? {} : { accessList }),
  } as TransactionSerializable;
  const yParity = next(2);
  const [r, s] = [toHex(1n + big(31), { size: 32 }), toHex(1n + big(next(31) + 1), { size: 32 })];
  const v = type === "legacy" ? BigInt(common.chainId * 2 + 35 + yParity) : BigInt(yParity);
  const envelope = serializeTransaction(transaction, { r, s, yParity, v });
  const fields = {
    type: toHex({ legacy: 0, eip2930: 1, eip1559: 2 }[type]),
    chainId: toHex(common.chainId),
    nonce: toHex(common.nonce),
    gas: toHex(common.gas),
    value: toHex(common.value),
    input: common.data,
    to: to ?? null,
    gasPrice: toHex(transaction.gasPrice ?? 0n),
    accessList,
    v: toHex(v),
    maxFeePerGas: toHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: "0x0",
    yParity: toHex(yParity),
    r: toHex(BigInt(r)),
    s: toHex(BigInt(s)),
    hash: keccak256(envelope),
  };
  return { fields, envelope };
}

const proofOf = async (trie: MerklePatriciaTrie, key: Hex): Promise<Hex[]> =>
  (await createMerkleProof(trie, hexToBytes(key))).map((node) => bytesToHex(node));

async function answerOf(
  chain: Chain,
  { address, balance, nonce, storage, slots }: Account,
  slot: Hex,
) {
  return {
    address,
    balance: toHex(balance),
    nonce: toHex(nonce),
    codeHash: CODE_HASH,
    storageHash: bytesToHex(storage.root()),
    accountProof: await proofOf(chain.trie, address),
    storageProof: [
      { key: slot, value: toHex(slots.get(slot) ?? 0n), proof: await proofOf(storage, slot) },
    ],
  };
}

/** Blocks 1 to the given number, each the parent of the next. */
function linkedBlocks(count: number): Chain["block"][] {
  const blocks: Chain["block"][] = [];
  for (let number = 1; number <= count; number += 1) {
    const { hash: parentHash = bytes(32) } = blocks.at(-1) ?? {};
    blocks.push(blockOf({ number: toHex(number), parentHash }));
  }
  return blocks;
}

/** A receipt of any type, as a node answers it and as it is hashed. */
function receipt(): { readonly fields: Readonly<Record<string, unknown>>; readonly envelope: Hex } {
  const type = next(4);
  const [status, gas, logsBloom] = [BigInt(next(2)), big(1 + next(5)), bytes(256)];
  const logs = Array.from({ length: next(3) }, () => ({
    address: bytes(20),
    topics: Array.from({ length: next(5) }, () => bytes(32)),
    data: bytes(next(70)),
  }));
  const items = logs.map(({ address, topics, data }) => [address, topics, data] as const);
  const body = toRlp([integer(status), integer(gas), logsBloom, items]);
  const envelope: Hex = type === 0 ? body : `${toHex(type, { size: 1 })}${body.slice(2)}`;
  const fields = {
    type: toHex(type),
    status: toHex(status),
    cumulativeGasUsed: toHex(gas),
    logsBloom,
    logs,
  };
  return { fields, envelope };
}

/** The root of a list, as the library makes it. */
async function listRoot(envelopes: readonly Hex[]): Promise<Hex> {
  const trie = await createMPT();
  for (const [at, envelope] of envelopes.entries()) {
    await trie.put(hexToBytes(toRlp(integer(BigInt(at)))), hexToBytes(envelope));
  }
  return bytesToHex(trie.root());
}

/** A node changed by a byte, a removed one, or one that was put in another place. */
function mutated(nodes: readonly Hex[]): Hex[] {
  const copy = [...nodes];
  const at = next(copy.length);
  const node = hexToBytes(copy[at] ?? "0x");
  node[next(node.length)] = next(256);
  switch (next(3)) {
    case 0:
      copy[at] = bytesToHex(node);
      return copy;
    case 1:
      copy.splice(at, 1);
      return copy;
    default:
      return copy.reverse();
  }
}

async function fuzzed(round: () => Promise<void> | void): Promise<void> {
  for (let at = 0; at < ROUNDS; at += 1) {
    try {
      await round();
    } catch (error) {
      if (error instanceof Error) error.message += ` (HDP_FUZZ_SEED=${SEED}, round ${at})`;
      throw error;
    }
  }
}

/** What became of the reads of a test: both have to occur, or its forgeries reach nothing. */
class Verdicts {
  #right = 0;
  #refused = 0;

  /** @param read reads and compares; where it is refused, `excuse` expects that something was forged */
  public async judge(read: () => Promise<void>, excuse: () => void): Promise<void> {
    try {
      await read();
      this.#right += 1;
    } catch (error) {
      if (!isHdpError(error)) throw error;
      excuse();
      this.#refused += 1;
    }
  }

  public expectBoth(): void {
    expect(Math.min(this.#right, this.#refused)).to.be.greaterThan(0);
  }
}

describe("verifiers, against libraries and forged proofs", function () {
  this.timeout(0);

  it("take of eth_getProof what @ethereumjs/mpt takes, and nothing that is forged", async () => {
    const addresses = Array.from({ length: 12 }, () => bytes(20));
    const slots = Array.from({ length: 9 }, () => bytes(32));
    const [chain, other] = [await chainOf(addresses, slots), await chainOf(addresses, slots)];
    // One node that changes its chain: what was read of the other one is in every cache.
    let current = chain;
    let answer: unknown;
    const provider: Eip1193Provider = {
      request: async ({ method }) =>
        await Promise.resolve(method === "eth_getProof" ? answer : current.block),
    };
    const verdicts = new Verdicts();
    await fuzzed(async () => {
      current = next(2) === 0 ? chain : other;
      const elsewhere = current === chain ? other : chain;
      const account = pick(current.accounts);
      const slot = slots[next(slots.length)] ?? "0x";
      const honest = await answerOf(current, account, slot);
      const wrongAccount = await answerOf(current, pick(current.accounts), slot);
      const wrongSlot = await answerOf(current, account, slots[next(slots.length)] ?? "0x");
      const otherRoot = await answerOf(
        elsewhere,
        elsewhere.accounts.find(({ address }) => address === account.address) ?? account,
        slot,
      );
      const [storageProof] = honest.storageProof;
      answer = pick([
        honest,
        wrongAccount,
        wrongSlot,
        otherRoot,
        { ...honest, accountProof: otherRoot.accountProof },
        { ...honest, storageProof: otherRoot.storageProof },
        { ...honest, storageProof: wrongAccount.storageProof },
        { ...honest, balance: toHex(account.balance + 1n) },
        { ...honest, accountProof: mutated(honest.accountProof) },
        {
          ...honest,
          storageProof: [{ ...storageProof, proof: mutated(storageProof?.proof ?? []) }],
        },
        { ...honest, accountProof: [...honest.accountProof, ...otherRoot.accountProof] },
      ]);
      const reader = new ProvenChainReader(provider, { prove: "require" });
      await verdicts.judge(
        async () => {
          const { value, proven } = await reader.storage(1n, account.address, slot);
          expect([value, proven]).to.deep.equal([account.slots.get(slot) ?? 0n, true]);
          const { balance, nonce } = (await reader.account(1n, account.address)).value;
          expect([balance, nonce]).to.deep.equal([account.balance, account.nonce]);
          const proof = (answer as typeof honest).storageProof[0]?.proof ?? [];
          const theirs = await verifyMerkleProof(
            hexToBytes(slot),
            proof.map((node) => hexToBytes(node)),
            {
              ...options,
              root: account.storage.root(),
            },
          );
          const word = account.slots.get(slot);
          expect(theirs === null ? undefined : bytesToHex(theirs)).to.equal(
            word === undefined ? undefined : toRlp(integer(word)),
          );
        },
        () => {
          expect(answer).to.not.equal(honest);
        },
      );
    });
    verdicts.expectBoth();
  });

  it("encode transactions as viem does", async () => {
    await fuzzed(() => {
      const { fields, envelope } = signedTransaction();
      expect(transactionEnvelope({ what: "transaction", fields })).to.equal(envelope);
    });
  });

  it("take of a block's transactions those that viem encodes and whose root @ethereumjs/mpt makes, and no others", async () => {
    const verdicts = new Verdicts();
    let block: unknown;
    const provider: Eip1193Provider = { request: async () => await Promise.resolve(block) };
    await fuzzed(async () => {
      const own = Array.from({ length: 1 + next(5) }, signedTransaction);
      const transactions = own.map(({ fields }) => fields);
      const root = await listRoot(own.map(({ envelope }) => envelope));
      const at = next(own.length + 1);
      const changed = transactions.map((one, place) =>
        place === at ? { ...one, value: toHex(big(5)) } : one,
      );
      const [honest, ...forged] = [
        transactions,
        transactions.toReversed(),
        transactions.slice(1),
        transactions.slice(0, -1),
        changed,
        [...transactions, signedTransaction().fields],
        transactions.with(0, signedTransaction().fields),
        [],
      ];
      const given = next(2) === 0 ? honest : pick(forged);
      block = { ...blockOf({ transactionsRoot: root }), transactions: given };
      await verdicts.judge(
        async () => {
          const { value, proven } = await new ProvenChainReader(provider, {
            prove: "require",
          }).transaction(1n, at);
          expect([value, proven]).to.deep.equal([own[at]?.envelope, true]);
        },
        () => {
          expect([given !== honest, at === own.length]).to.include(true);
        },
      );
    });
    verdicts.expectBoth();
  });

  it("take of a block's receipts those whose root @ethereumjs/mpt makes, and no others", async () => {
    const verdicts = new Verdicts();
    let block: unknown;
    let receipts: unknown;
    const provider: Eip1193Provider = {
      request: async ({ method }) =>
        await Promise.resolve(method === "eth_getBlockReceipts" ? receipts : block),
    };
    await fuzzed(async () => {
      const own = Array.from({ length: 1 + next(4) }, () => ({
        sent: signedTransaction(),
        got: receipt(),
      }));
      const honest = own.map(({ got }) => got.fields);
      const at = next(own.length + 1);
      const changed = honest.map((one, place) =>
        place === at ? { ...one, cumulativeGasUsed: toHex(big(6)) } : one,
      );
      const forged = [
        honest.toReversed(),
        honest.slice(1),
        honest.slice(0, -1),
        changed,
        [],
        [...honest, receipt().fields],
        honest.with(0, receipt().fields),
      ];
      receipts = next(2) === 0 ? honest : forged[next(forged.length)];
      block = {
        ...blockOf({
          transactionsRoot: await listRoot(own.map(({ sent }) => sent.envelope)),
          receiptsRoot: await listRoot(own.map(({ got }) => got.envelope)),
        }),
        transactions: own.map(({ sent }) => sent.fields),
      };
      await verdicts.judge(
        async () => {
          const { value, proven } = await new ProvenChainReader(provider, {
            prove: "require",
          }).receipt(1n, at);
          expect([value, proven]).to.deep.equal([own[at]?.got.envelope, true]);
        },
        () => {
          expect([receipts !== honest, at === own.length]).to.include(true);
        },
      );
    });
    verdicts.expectBoth();
  });

  it("take headers that viem hashes to their hash, and lead to a checkpoint of one chain alone", async () => {
    const verdicts = new Verdicts();
    const chain = linkedBlocks(6);
    // What lies below the fork is of both chains.
    const other = [...chain.slice(0, 2), ...linkedBlocks(6).slice(2)];
    const head = chain[5] ?? blockOf({});
    await fuzzed(async () => {
      const lies = next(3);
      const provider: Eip1193Provider = {
        request: async ({ method, params = [] }) => {
          if (method === "eth_getBlockByHash" || params[0] === "latest")
            return await Promise.resolve(head);
          const block = chain[Number(params[0]) - 1] ?? head;
          if (next(4) >= lies) return block;
          const { hash, ...fields } = { ...block, timestamp: toHex(big(4)) };
          const rehashed = {
            ...fields,
            hash: keccak256(toRlp(headerItems({ what: "block", fields }))),
          };
          return pick<unknown>([
            other[Number(params[0]) - 1],
            { ...fields, hash },
            rehashed,
            head,
            chain[0],
            null,
          ]);
        },
      };
      const reader = new ProvenChainReader(provider, { prove: "require", checkpoint: head.hash });
      const numbers = Array.from({ length: 1 + next(4) }, () => 1 + next(6));
      await verdicts.judge(
        async () => {
          const read = [];
          for (const number of numbers) read.push(await reader.header(BigInt(number)));
          expect(await reader.anchor()).to.deep.equal({
            kind: "checkpoint",
            number: 6n,
            hash: head.hash,
          });
          const expected = numbers.map((number) =>
            headerItems({ what: "block", fields: chain[number - 1] ?? {} }),
          );
          expect(read).to.deep.equal(expected.map((value) => ({ value, proven: true })));
        },
        () => {
          expect(lies).to.be.greaterThan(0);
        },
      );
    });
    verdicts.expectBoth();
  });

  it("take code that viem hashes to the code hash of its account, and no other", async () => {
    const verdicts = new Verdicts();
    const codes = Array.from({ length: 8 }, (_, at) => ({
      address: bytes(20),
      code: bytes(at * 7),
    }));
    const [trie, storage] = [await createMPT(options), await createMPT(options)];
    for (const { address, code } of codes) {
      const rlp = toRlp(["0x01", "0x", bytesToHex(storage.root()), keccak256(code)]);
      await trie.put(hexToBytes(address), hexToBytes(rlp));
    }
    const block = blockOf({ stateRoot: bytesToHex(trie.root()) });
    await fuzzed(async () => {
      const [one, other] = [codes[next(8)], codes[next(8)]];
      const { address, code } = one ?? { address: bytes(20), code: bytes(0) };
      const given = pick<Hex>([
        code,
        code,
        other?.code ?? "0x",
        `${code}00`,
        bytes(next(60)),
        "0x",
      ]);
      const account = { nonce: "0x1", balance: "0x0", storageHash: bytesToHex(storage.root()) };
      const proof = { accountProof: await proofOf(trie, address), storageProof: [] };
      const codeHash = pick([keccak256(code), keccak256(given)]);
      const answers: Readonly<Record<string, unknown>> = {
        eth_getCode: given,
        eth_getProof: { address, ...account, codeHash, ...proof },
      };
      const provider: Eip1193Provider = {
        request: async ({ method }) => await Promise.resolve(answers[method] ?? block),
      };
      await verdicts.judge(
        async () => {
          const { value, proven } = await new ProvenChainReader(provider, {
            prove: "require",
          }).code(1n, address);
          expect([value, proven]).to.deep.equal([code, true]);
        },
        () => {
          expect([given !== code, codeHash !== keccak256(code)]).to.include(true);
        },
      );
    });
    verdicts.expectBoth();
  });

  it("take of a recording what @ethereumjs/mpt has under its block hashes, and nothing that is forged", async () => {
    const addresses = Array.from({ length: 6 }, () => bytes(20));
    const slots = Array.from({ length: 4 }, () => bytes(32));
    const [chain, other] = [await chainOf(addresses, slots), await chainOf(addresses, slots)];
    const rlpOf = ({ block }: Chain): Hex => toRlp(headerItems({ what: "block", fields: block }));
    const verdicts = new Verdicts();
    await fuzzed(async () => {
      const account = pick(chain.accounts);
      const elsewhere = pick(other.accounts);
      const slot = slots[next(slots.length)] ?? "0x";
      const nodesOf = async (
        of: Chain,
        { address, storage }: Account,
        key: Hex,
      ): Promise<Hex[]> => [...(await proofOf(of.trie, address)), ...(await proofOf(storage, key))];
      const honest = await nodesOf(chain, account, slot);
      const nodes = pick([
        ...([honest, honest, mutated(honest)] as const),
        await nodesOf(chain, pick(chain.accounts), slot),
        await nodesOf(other, elsewhere, slot),
        await nodesOf(chain, account, slots[next(slots.length)] ?? "0x"),
        [...honest, ...mutated(honest)],
      ]);
      const [hash, header] = [
        pick([chain.block.hash, chain.block.hash, other.block.hash]),
        pick([chain, chain, other]),
      ];
      const block = {
        number: 1,
        hash,
        header: rlpOf(header),
        accounts: [{ address: account.address, slots: [slot] }],
        transactions: [],
        receipts: [],
      };
      const recorded = {
        chain: "ETHEREUM_SEPOLIA",
        nodeChainId: "11155111",
        blocks: [block],
        nodes,
      };
      const recording = {
        format: "hardhat-hdp recording",
        version: 1,
        taskHashes: [],
        chains: [recorded],
      };
      await verdicts.judge(
        async () => {
          const reader = (await openRecording(parseRecording(recording))).readerOf(
            "ETHEREUM_SEPOLIA",
          );
          const { value, proven } = await reader.storage(1n, account.address, slot);
          // The hashes are what is believed: under those of the other chain its own values are right.
          const of =
            hash === chain.block.hash
              ? account
              : other.accounts.find((one) => one.address === account.address);
          expect([value, proven]).to.deep.equal([of?.slots.get(slot) ?? 0n, true]);
          const { balance, nonce } = (await reader.account(1n, account.address)).value;
          expect([balance, nonce]).to.deep.equal([of?.balance, of?.nonce]);
        },
        () => {
          expect([nodes !== honest, hash !== chain.block.hash, header !== chain]).to.include(true);
        },
      );
    });
    verdicts.expectBoth();
  });

  it("take of injected state only what its leaves say, whatever numbers a proof has", async () => {
    // No library has this trie: what is accepted is compared with the leaves.
    const odd = (value: bigint): bigint =>
      pick([
        value,
        -value,
        value + FELT_PRIME,
        value - FELT_PRIME,
        value + 1n,
        value ^ 1n,
        0n,
        big(31),
      ]);
    const changed = (node: StateNode): StateNode => {
      if (node.kind === "binary") {
        return pick([
          { ...node, left: odd(node.left) },
          { ...node, right: odd(node.right) },
          { ...node, left: node.right },
        ]);
      }
      const { length } = node;
      return pick<StateNode>([
        { ...node, path: odd(node.path) },
        { ...node, child: odd(node.child) },
        { ...node, length: pick([length - 1, length + 1, -length, 0, NaN, length + 0.5]) },
        { kind: "binary", left: node.child, right: node.path },
      ]);
    };
    const seen = { accepted: 0, refused: 0 };
    await fuzzed(() => {
      const nodes = new StateNodeMap();
      const keys = Array.from({ length: 1 + next(8) }, () => big(31) >> BigInt(next(240)));
      const leaves = new Map(keys.map((key) => [key, 1n + big(1 + next(30))]));
      const root = computeStateRoot(nodes, leaves);
      const key = next(2) === 0 ? (keys[0] ?? 0n) : big(31) >> BigInt(next(240));
      const read = proveStateRead(nodes, root, key);
      const at = next(read.nodes.length);
      const forged = {
        ...read,
        value: odd(read.value),
        nodes: read.nodes.map((node, index) => (index === at ? changed(node) : node)),
      };
      const isRead = verifyStateRead(forged);
      if (isRead) expect(forged.value).to.equal(leaves.get(key) ?? 0n);
      const value = next(2) === 0 ? 0n : big(8);
      const update = proveStateUpdate(nodes, root, key, value);
      const rootAfter = computeStateRoot(new StateNodeMap(), new Map([...leaves, [key, value]]));
      const lie = {
        ...update,
        rootAfter: pick([root, odd(update.rootAfter), rootAfter]),
        nodes: update.nodes.map((node) => (next(3) === 0 ? changed(node) : node)),
      };
      const isUpdated = verifyStateUpdate(lie);
      if (isUpdated) expect(lie.rootAfter).to.equal(rootAfter);
      expect(verifyStateRead(read) && verifyStateUpdate(update)).to.equal(true);
      seen[isRead || isUpdated ? "accepted" : "refused"] += 1;
    });
    expect(Math.min(seen.accepted, seen.refused)).to.be.greaterThan(0);
  });
});

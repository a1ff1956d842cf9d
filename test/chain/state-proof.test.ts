import { expect } from "chai";
import type { Address, Hex } from "viem";

import { type Eip1193Provider, ProvenChainReader } from "../../src/entries/local.js";
import { keccak256 } from "../../src/base/keccak.js";
import { encodeRlp, hexToBytes, type RlpItem } from "../../src/base/rlp.js";
import {
  ABSENT_ACCOUNT,
  accountCodeHash,
  decodeAccount,
  slotWord,
  accountStorageRoot,
  verifyAccount,
  verifyCode,
  verifySlot,
} from "../../src/chain/state-proof.js";
import { EMPTY_TRIE_ROOT } from "../../src/chain/trie.js";
import { expectHdpError, hdpThrown } from "../support/failure.js";
import { ALICE, sharedChain, tampered } from "../support/simulated-chain.js";

const OWNER: Address = `0x${"11".repeat(20)}`;
const NOBODY: Address = `0x${"22".repeat(20)}`;
const SLOT: Hex = `0x${"00".repeat(31)}01`;
const OTHER_SLOT: Hex = `0x${"00".repeat(31)}02`;
const CODE: Hex = "0x6001";
const hexOf = (text: string): Hex => `0x${text.slice(2)}`;
const upper = (hex: Hex): Hex => hexOf(hex.toUpperCase());
const hash = (bytes: Hex): Hex => keccak256(hexToBytes(bytes));

/** A trie of one leaf. */
function leaf(key: Hex, value: RlpItem): { readonly root: Hex; readonly nodes: readonly Hex[] } {
  const node = encodeRlp([`0x20${hash(key).slice(2)}`, encodeRlp(value)]);
  return { root: hash(node), nodes: [node] };
}

const slots = leaf(SLOT, "0x2a");
const account = { nonce: 3n, balance: 256n, storageRoot: slots.root, codeHash: hash(CODE) };
const state = leaf(OWNER, ["0x03", "0x0100", slots.root, account.codeHash]);

const answered = (change: Readonly<Record<string, unknown>> = {}) => ({
  what: "the account",
  fields: {
    accountProof: state.nodes,
    nonce: "0x3",
    balance: "0x100",
    storageHash: slots.root,
    codeHash: account.codeHash,
    storageProof: [{ key: SLOT, value: "0x2a", proof: slots.nodes }],
    ...change,
  },
});
const slotAnswer = (value: Hex, proof: readonly Hex[]) =>
  answered({ storageProof: [{ key: SLOT, value, proof }] });

function mismatch(call: () => unknown, words: string): void {
  const error = hdpThrown(call);
  expect(error.code).to.equal("HDP-4202");
  expect(error.shortMessage).to.contain(`the state of block 9 does not match its root, ${words}`);
}

describe("the proof of an account", () => {
  it("reads an account as four byte strings in a list", () => {
    for (const bytes of [
      "0x05",
      "0x",
      "0xc0",
      "0xc3010203",
      "0xc50102030405",
      "0xc4c0010203",
      "0xc4",
    ] as const) {
      mismatch(
        () => decodeAccount(9n, OWNER, hexToBytes(bytes)),
        `accountProof of ${OWNER}: the proven value is not an account: ${bytes}.`,
      );
    }
    expect(decodeAccount(9n, OWNER, hexToBytes("0xc403040506"))).to.deep.equal({
      nonce: 3n,
      balance: 4n,
      storageRoot: "0x05",
      codeHash: "0x06",
    });
  });

  it("proves what the trie holds", () => {
    expect(verifyAccount(9n, state.root, OWNER, answered())).to.deep.equal(account);
  });

  it("compares each word of the node with the proof, one by one", () => {
    for (const [field, value] of [
      ["nonce", "0x4"],
      ["balance", "0x101"],
      ["storageHash", hash("0x01")],
      ["codeHash", hash("0x01")],
    ] as const) {
      const call = () => verifyAccount(9n, state.root, OWNER, answered({ [field]: value }));
      mismatch(
        call,
        `field "${field}" of ${OWNER}: the node's value is not the one its proof proves`,
      );
    }
  });

  it("takes the node's own words however they are written, and holds them to it all the same", () => {
    const written = {
      nonce: "0x03",
      balance: "0x0100",
      storageHash: upper(slots.root),
      codeHash: upper(hash(CODE)),
    };
    expect(verifyAccount(9n, state.root, OWNER, answered(written))).to.deep.equal(account);
    expect(
      verifyAccount(9n, state.root, OWNER, answered({ accountProof: state.nodes.map(upper) })),
    ).to.deep.equal(account);
    const padded = answered({
      nonce: "0x00",
      balance: "0x00",
      storageHash: EMPTY_TRIE_ROOT,
      codeHash: hash("0x"),
    });
    expect(verifyAccount(9n, state.root, NOBODY, padded)).to.deep.equal(ABSENT_ACCOUNT);
    for (const [field, value] of [
      ["nonce", "0x04"],
      ["balance", "0x0101"],
      ["storageHash", upper(hash("0x01"))],
      ["codeHash", upper(hash("0x01"))],
    ] as const) {
      const call = () =>
        verifyAccount(9n, state.root, OWNER, answered({ ...written, [field]: value }));
      mismatch(
        call,
        `field "${field}" of ${OWNER}: the node's value is not the one its proof proves`,
      );
    }
  });

  it("refuses a proof, and the node, where it is made of something else than hex", () => {
    for (const node of ["0xzz", "0x1", 7, null]) {
      const error = hdpThrown(() =>
        verifyAccount(9n, state.root, OWNER, answered({ accountProof: [node] })),
      );
      expect([error.code, error.shortMessage]).to.deep.equal([
        "HDP-4102",
        `the node's answer has a bad field "accountProof" of the account: ${JSON.stringify(node)}, expected hex bytes.`,
      ]);
    }
  });

  it("proves an absence, which reads as zeros and is held to the node's words too", () => {
    const zeros = { nonce: "0x0", balance: "0x0" };
    const absent = (change: Readonly<Record<string, unknown>>) =>
      verifyAccount(9n, state.root, NOBODY, answered({ ...zeros, ...change }));
    expect(absent({ storageHash: EMPTY_TRIE_ROOT, codeHash: hash("0x") })).to.deep.equal(
      ABSENT_ACCOUNT,
    );
    expect(ABSENT_ACCOUNT).to.deep.equal({
      nonce: 0n,
      balance: 0n,
      storageRoot: `0x${"00".repeat(32)}`,
      codeHash: `0x${"00".repeat(32)}`,
    });
    mismatch(() => absent({ nonce: "0x1" }), 'field "nonce"');
    mismatch(() => absent({ balance: "0x1" }), 'field "balance"');
  });

  it("refuses a proof that leads elsewhere or to something else", () => {
    const led = "the proof does not lead to the state root";
    mismatch(
      () => verifyAccount(9n, hash("0x01"), OWNER, answered()),
      `accountProof of ${OWNER}: ${led}`,
    );
    mismatch(
      () => verifyAccount(9n, state.root, OWNER, answered({ accountProof: [] })),
      `accountProof of ${OWNER}: ${led}`,
    );
    const short: readonly RlpItem[] = [
      ["0x03", "0x0100", slots.root],
      ["0x03", "0x0100"],
      ["0x03"],
      [],
    ];
    // Each item is a byte string: a list in its place is none.
    const lists = [0, 1, 2, 3].map((at) =>
      ["0x03", "0x0100", slots.root, account.codeHash].map((item, position): RlpItem =>
        position === at ? [] : hexOf(item),
      ),
    );
    for (const items of [...short, ...lists]) {
      const other = leaf(OWNER, items);
      mismatch(
        () => verifyAccount(9n, other.root, OWNER, answered({ accountProof: other.nodes })),
        `accountProof of ${OWNER}: the proven value is not an account`,
      );
    }
  });
});

describe("the proof of a slot", () => {
  it("proves the word or its absence", () => {
    expect(verifySlot(9n, account, OWNER, SLOT, answered())).to.equal(42n);
    expect(
      verifySlot(9n, account, OWNER, SLOT, slotAnswer("0x002A", slots.nodes.map(upper))),
    ).to.equal(42n);
    expect(verifySlot(9n, account, OWNER, OTHER_SLOT, slotAnswer("0x0", slots.nodes))).to.equal(0n);
    mismatch(
      () => verifySlot(9n, account, OWNER, SLOT, slotAnswer("0x2b", slots.nodes)),
      `value of slot ${SLOT}`,
    );
    mismatch(
      () => verifySlot(9n, account, OWNER, OTHER_SLOT, slotAnswer("0x1", slots.nodes)),
      `value of slot ${OTHER_SLOT}`,
    );
    mismatch(
      () => verifySlot(9n, account, OWNER, SLOT, slotAnswer("0x2a", [])),
      `storageProof of slot ${SLOT} of ${OWNER}: the proof does not lead to the storage root ${slots.root}`,
    );
  });

  it("over no storage needs no node, and takes the empty one only", () => {
    for (const storageRoot of [EMPTY_TRIE_ROOT, ABSENT_ACCOUNT.storageRoot]) {
      const empty = { ...account, storageRoot };
      for (const nodes of [[], ["0x80"]] as const) {
        expect(verifySlot(9n, empty, OWNER, SLOT, slotAnswer("0x0", nodes))).to.equal(0n);
      }
      for (const nodes of [["0x81"], slots.nodes, ["0x80", "0x80"]] as const) {
        mismatch(
          () => verifySlot(9n, empty, OWNER, SLOT, slotAnswer("0x0", nodes)),
          `storageProof of slot ${SLOT}`,
        );
      }
      mismatch(
        () => verifySlot(9n, empty, OWNER, SLOT, slotAnswer("0x1", [])),
        `value of slot ${SLOT}`,
      );
    }
    expect(accountStorageRoot(slots.root)).to.equal(slots.root);
  });

  it("reads a slot's word as RLP, of up to 32 bytes", () => {
    const word = (rlp: Hex): bigint => slotWord(9n, "slot 0x01", hexToBytes(rlp));
    expect([word("0x80"), word("0x2a"), word("0x8180"), word("0x820100")]).to.deep.equal([
      0n,
      42n,
      128n,
      256n,
    ]);
    expect(word(`0xa0${"ff".repeat(32)}`)).to.equal(2n ** 256n - 1n);
    for (const rlp of [
      "0x",
      "0x82",
      "0x8201",
      "0xc0",
      "0xc12a",
      `0xa1${"ff".repeat(33)}`,
    ] as const) {
      mismatch(
        () => word(rlp),
        `storageProof of slot 0x01: the proven value is not a word: ${rlp}.`,
      );
    }
  });

  it("refuses a proof of something else than a word, though the root is right", () => {
    for (const value of [[], ["0x2a"], `0x${"01".repeat(33)}`] as const) {
      const other = leaf(SLOT, value);
      mismatch(
        () =>
          verifySlot(
            9n,
            { ...account, storageRoot: other.root },
            OWNER,
            SLOT,
            slotAnswer("0x0", other.nodes),
          ),
        `storageProof of slot ${SLOT} of ${OWNER}: the proven value is not a word: ${encodeRlp(value)}`,
      );
    }
  });
});

describe("the code of an account", () => {
  it("compares code with its hash; an absent account has none", () => {
    verifyCode(9n, OWNER, account, CODE);
    verifyCode(9n, NOBODY, ABSENT_ACCOUNT, "0x");
    mismatch(
      () => verifyCode(9n, OWNER, account, "0x6002"),
      `code of ${OWNER}: it hashes to ${hash("0x6002")}, the account's code hash is ${account.codeHash}`,
    );
    mismatch(() => verifyCode(9n, OWNER, account, "0x"), `code of ${OWNER}`);
    mismatch(() => verifyCode(9n, NOBODY, ABSENT_ACCOUNT, CODE), `code of ${NOBODY}`);
    expect(accountCodeHash(account)).to.equal(account.codeHash);
    expect(accountCodeHash(ABSENT_ACCOUNT)).to.equal(hash("0x"));
  });

  it("proves code with its account, and not otherwise", async () => {
    const chain: Eip1193Provider = await sharedChain();
    const lying = tampered(chain, "eth_getCode", () => CODE);
    expect(await new ProvenChainReader(chain).code(7n, ALICE)).to.deep.equal({
      value: "0x",
      proven: true,
    });
    expect(await new ProvenChainReader(chain, { prove: "never" }).code(7n, ALICE)).to.deep.equal({
      value: "0x",
      proven: false,
    });
    expect(await new ProvenChainReader(lying, { prove: "never" }).code(7n, ALICE)).to.deep.equal({
      value: CODE,
      proven: false,
    });
    await expectHdpError(new ProvenChainReader(lying).code(7n, ALICE), "HDP-4202", /it hashes to/);
  });
});

import { expect } from "chai";
import fc from "fast-check";
import { type Hex, hexToBigInt, keccak256, numberToHex, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import {
  type ChainReader,
  type GenerationName,
  type ModuleRun,
  runModule,
} from "../../src/entries/local.js";
import { encodeRlp, integerItem } from "../../src/base/rlp.js";
import { compiledFile } from "../support/compiled-functions.js";
import { expectHdpError } from "../support/failure.js";

/** Reads by the numbers of v1.0.12 of the module library: type, sender and hash, the receipt, and its first log. */
const RELEASED = compiledFile("builtins_Released.compiled_contract_class.json");
const [CHAIN, BLOCK, INDEX, MARK] = [11155111n, 77n, 3n, 0x5ecn];
const HANDLE = 6;

interface Recorded {
  readonly transaction: Hex;
  readonly receipt: Hex;
}

/** A chain that has one transaction in one block, with its receipt. */
function chainWith({ transaction, receipt }: Recorded): ChainReader {
  const read = (value: Hex) => async (block: bigint, index: number) => {
    expect([block, BigInt(index)]).to.deep.equal([BLOCK, INDEX]);
    return await Promise.resolve({ value, proven: true });
  };
  const never = async (): Promise<never> => await Promise.reject(new Error("reads nothing else"));
  return {
    header: never,
    account: never,
    storage: never,
    transaction: read(transaction),
    receipt: read(receipt),
  };
}

async function run(
  recorded: Recorded,
  generation: GenerationName | "auto",
  leadingFelts?: number,
): Promise<ModuleRun> {
  const value = (felt: bigint, visibility: "public" | "private") => ({ visibility, value: felt });
  // The private one stands first: since v1.0.11 the prover passes it behind the public ones.
  const inputs = [
    value(MARK, "private"),
    ...[CHAIN, BLOCK, INDEX].map((felt) => value(felt, "public")),
  ];
  return await runModule(RELEASED, {
    inputs,
    generation,
    leadingFelts,
    reader: (chainId) => (chainId === CHAIN ? chainWith(recorded) : undefined),
  });
}

/** The felts of a word, as modules get it: its low half, then its high half. */
function halves(word: Hex | bigint): readonly bigint[] {
  const value = typeof word === "bigint" ? word : hexToBigInt(word);
  return [value % 2n ** 128n, value >> 128n];
}

/** The felts of bytes: pieces of 16 in their order. */
function pieces(bytes: Hex): readonly bigint[] {
  return (bytes.slice(2).match(/.{32}/g) ?? []).map((digits) => BigInt(`0x${digits}`));
}

const word = fc.bigInt(0n, 2n ** 256n - 1n).map((value) => numberToHex(value, { size: 32 }));
const address = fc.bigInt(0n, 2n ** 160n - 1n).map((value) => numberToHex(value, { size: 20 }));

const transaction = fc
  .record({
    key: fc.bigInt(1n, 2n ** 250n),
    to: address,
    nonce: fc.nat(),
    value: fc.bigInt(0n, 2n ** 90n),
    price: fc.bigInt(1n, 2n ** 40n),
    type: fc.constantFrom(0n, 1n, 2n),
  })
  .map(({ key, price, type, ...common }) => {
    const chainId = Number(CHAIN);
    const forms: readonly TransactionSerializable[] = [
      { ...common, type: "legacy", chainId, gas: 21_000n, gasPrice: price },
      { ...common, type: "eip2930", chainId, gas: 21_000n, gasPrice: price },
      { ...common, type: "eip1559", chainId, gas: 21_000n, maxFeePerGas: price },
    ];
    const form = forms[Number(type)];
    if (form === undefined) throw new Error("no such type");
    return { type, form, signer: privateKeyToAccount(numberToHex(key, { size: 32 })) };
  });

const receipt = fc.record({
  status: fc.constantFrom(0n, 1n),
  gas: fc.bigInt(21_000n, 30_000_000n),
  bloom: fc.array(word, { minLength: 8, maxLength: 8 }).map((all) => joined(all)),
  emitter: address,
  topic: word,
  data: fc.array(word, { maxLength: 4 }).map((all) => joined(all)),
});

function joined(all: readonly Hex[]): Hex {
  return `0x${all.map((one) => one.slice(2)).join("")}`;
}

describe("a module of the newest release of the module library", () => {
  it("gets type, sender, hash, receipt and log of a transaction, and its private input behind the public ones", async () => {
    await fc.assert(
      fc.asyncProperty(transaction, receipt, async ({ type, form, signer }, one) => {
        const raw = await signer.signTransaction(form);
        const list = encodeRlp([
          integerItem(one.status),
          integerItem(one.gas),
          one.bloom,
          [[one.emitter, [one.topic], one.data]],
        ]);
        const envelope: Hex = type === 0n ? list : `0x0${type}${list.slice(2)}`;
        const done = await run({ transaction: raw, receipt: envelope }, "2025-09", HANDLE);
        if (done.status !== "returned") throw new Error(done.message);
        const answers = [
          halves(type),
          halves(signer.address),
          halves(keccak256(raw)),
          halves(one.status),
          halves(one.gas),
          pieces(one.bloom),
          halves(one.emitter),
          halves(one.topic),
          pieces(one.data),
        ];
        const expected = [MARK, ...answers.flatMap((felts) => [BigInt(felts.length), ...felts])];
        expect(done.retdata).to.deep.equal([BigInt(expected.length), ...expected]);
        expect(done.proven).to.equal(true);
        expect(done.gaps).to.deep.equal([]);
      }),
      { numRuns: 25 },
    );
  });

  it("runs under no generation that numbers fields in another way: neither by a guess nor by a name", async () => {
    const unread = { transaction: "0x", receipt: "0x" } as const;
    for (const felts of [HANDLE, undefined]) {
      await expectHdpError(
        run(unread, "auto", felts),
        "HDP-7121",
        /takes 6 felts .* generations 2024-07-17, 2025-09 do/,
      );
    }
    for (const [generation, handle] of [
      ["head", 8],
      ["2025-04", 4],
      ["2024-10-24", 4],
    ] as const) {
      await expectHdpError(
        run(unread, generation, HANDLE),
        "HDP-7123",
        new RegExp(`takes 6 felts .* generation ${generation} passes ${handle}`),
      );
      await expectHdpError(run(unread, generation), "HDP-7117", /accepts its 4 inputs after no/);
    }
  });
});

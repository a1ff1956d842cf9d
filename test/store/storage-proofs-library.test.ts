import { expect } from "chai";
import {
  type Abi,
  decodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  toFunctionSelector,
} from "viem";

import {
  hdpExecutionStoreMockAbi,
  hdpSatelliteAbi,
  type MockKind,
} from "../../src/entries/store.js";
import {
  callContract,
  type Chain,
  createChain,
  deployHarness,
  deployMock,
  revertOf,
  send,
} from "./harness.js";

const CHAIN = 11155111n;
const TARGET: Hex = `0x${"ab".repeat(20)}`;
const SLOT = numberToHex(3n, { size: 32 });
const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 });
/** Numbers of `HeaderField`. */
const FIELD = { logsBloom: 6, number: 8, timestamp: 11, nonce: 14, baseFee: 15 } as const;

const mockAbi: Abi = hdpExecutionStoreMockAbi;

interface Harness {
  readonly address: Hex;
  readonly abi: Abi;
}

describe("HdpStorageProofs, and the mock's storage proofs", () => {
  let chain: Chain;
  let library: Harness;
  let satellite: Hex;

  before(async () => {
    chain = await createChain();
    library = await deployHarness(chain, "StorageProofsHarness");
  });

  beforeEach(async () => {
    satellite = (await deployMock(chain)).address;
  });

  after(async () => {
    await chain.close();
  });

  /** What a function returns, or how it reverts: "Name(args)", a text reason, or "no reason". */
  async function call(
    contract: Harness,
    functionName: string,
    args: readonly unknown[],
  ): Promise<unknown> {
    try {
      return await callContract(chain, contract, functionName, args);
    } catch (error) {
      const { abi } = contract;
      const data = revertOf(error);
      if (data === undefined) throw error;
      if (data === "0x") return "no reason";
      const decoded = decodeErrorResult({ abi, data });
      const values = (decoded.args ?? []).map(String).join(", ");
      return decoded.errorName === "Error" ? values : `${decoded.errorName}(${values})`;
    }
  }
  const read = async (functionName: string, ...args: readonly unknown[]): Promise<unknown> =>
    await call(library, functionName, [satellite, CHAIN, ...args]);
  const ask = async (functionName: string, ...args: readonly unknown[]): Promise<unknown> =>
    await call({ address: satellite, abi: hdpSatelliteAbi }, functionName, [CHAIN, ...args]);
  const save = async (
    functionName: string,
    args: readonly unknown[],
    from?: Hex,
  ): Promise<string | undefined> => {
    const data = encodeFunctionData({ abi: mockAbi, functionName, args: [CHAIN, ...args] });
    return (await send(chain, { to: satellite, from, data })).reverted;
  };

  it("matches the selectors of the published satellite", () => {
    const found = hdpSatelliteAbi
      .filter((item) => item.type === "function")
      .flatMap((item) =>
        item.name.endsWith("Safe") ? [`${item.name} ${toFunctionSelector(item)}`] : [],
      );
    expect(found).to.have.members([
      "headerFieldSafe 0x5781591a",
      "accountFieldSafe 0xcb5c0808",
      "storageSlotSafe 0xe49f43a1",
      "timestampSafe 0xd831b096",
    ]);
  });

  it("answers that nothing was saved, or reverts with what is missing", async () => {
    const values = [
      { name: "Header", args: [5n, FIELD.nonce], error: `HeaderFieldNotProven(${CHAIN}, 5, 14)` },
      { name: "Account", args: [5n, TARGET, 1], error: `AccountFieldNotProven(${CHAIN}, 5, 0x` },
      { name: "StorageSlot", args: [5n, TARGET, SLOT], error: `SlotNotProven(${CHAIN}, 5, 0x` },
      { name: "BlockAt", args: [99n], error: `TimestampNotProven(${CHAIN}, 99)` },
    ];
    for (const { name, args, error } of values) {
      expect(await read(`try${name}`, ...args)).to.deep.equal([
        false,
        name === "BlockAt" ? 0n : word(0),
      ]);
      expect(await read(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, ...args)).to.contain(
        error,
      );
    }
  });

  it("reverts with the satellite's own texts where a contract asks it without the library", async () => {
    expect(await ask("headerField", 5n, FIELD.nonce)).to.equal(
      "STORAGE_PROOF_HEADER_FIELD_NOT_SAVED",
    );
    expect(await ask("accountField", 5n, TARGET, 1)).to.equal(
      "STORAGE_PROOF_ACCOUNT_FIELD_NOT_SAVED",
    );
    expect(await ask("storageSlot", 5n, TARGET, SLOT)).to.equal("STORAGE_PROOF_SLOT_NOT_SAVED");
    expect(await ask("timestamp", 99n)).to.equal("STORAGE_PROOF_TIMESTAMP_NOT_SAVED");
  });

  it("reads what was saved, 0 included, and nothing of another chain, block, account, field or slot", async () => {
    expect(await save("setHeaderField", [5n, FIELD.nonce, word(77)])).to.equal(undefined);
    expect(await save("setAccountField", [5n, TARGET, 1, word(0)])).to.equal(undefined);
    expect(await save("setStorageSlot", [5n, TARGET, SLOT, word(9)])).to.equal(undefined);
    expect(await read("header", 5n, FIELD.nonce)).to.equal(word(77));
    expect(await ask("headerField", 5n, FIELD.nonce)).to.equal(word(77));
    expect(await read("tryAccount", 5n, TARGET, 1)).to.deep.equal([true, word(0)]);
    expect(await ask("accountField", 5n, TARGET, 1)).to.equal(word(0));
    expect(await read("storageSlot", 5n, TARGET, SLOT)).to.equal(word(9));
    expect(await ask("storageSlot", 5n, TARGET, SLOT)).to.equal(word(9));
    const other: Hex = `0x${"cd".repeat(20)}`;
    for (const [name, ...args] of [
      ["tryHeader", 6n, FIELD.nonce],
      ["tryHeader", 5n, FIELD.timestamp],
      ["tryAccount", 6n, TARGET, 1],
      ["tryAccount", 5n, other, 1],
      ["tryAccount", 5n, TARGET, 0],
      ["tryStorageSlot", 6n, TARGET, SLOT],
      ["tryStorageSlot", 5n, other, SLOT],
      ["tryStorageSlot", 5n, TARGET, word(4)],
    ] as const) {
      expect(await read(name, ...args), `${name} ${args.join(" ")}`).to.deep.equal([
        false,
        word(0),
      ]);
    }
    expect(await call(library, "tryHeader", [satellite, 1n, 5n, FIELD.nonce])).to.deep.equal([
      false,
      word(0),
    ]);
  });

  it("finds the last block that is not later than a time, by the satellite's own proof of two timestamps", async () => {
    expect(await save("proveTimestamp", [1_000n, 5n])).to.contain(
      "STORAGE_PROOF_HEADER_FIELD_NOT_SAVED",
    );
    expect(await save("setHeaderField", [5n, FIELD.timestamp, word(1_000)])).to.equal(undefined);
    expect(await save("proveTimestamp", [1_000n, 5n])).to.contain(
      "STORAGE_PROOF_HEADER_FIELD_NOT_SAVED",
    );
    expect(await save("setHeaderField", [6n, FIELD.timestamp, word(1_012)])).to.equal(undefined);
    const anybody = chain.accounts[7];
    for (const time of [999n, 1_012n]) {
      expect(await save("proveTimestamp", [time, 5n], anybody)).to.contain(
        "TIMESTAMP_NOT_BETWEEN_BLOCKS",
      );
    }
    for (const time of [1_000n, 1_011n]) {
      expect(await save("proveTimestamp", [time, 5n], anybody)).to.equal(undefined);
      expect(await read("blockAt", time)).to.equal(5n);
      expect(await ask("timestamp", time)).to.equal(5n);
    }
    expect(await read("tryBlockAt", 1_005n)).to.deep.equal([false, 0n]);
  });

  it("refuses the fields that satellites do not save", async () => {
    for (const field of [FIELD.logsBloom, FIELD.number, FIELD.baseFee]) {
      expect(await read("header", 5n, field)).to.equal(`HeaderFieldNotSupported(${field})`);
    }
    expect(await ask("headerFieldSafe", 5n, FIELD.baseFee)).to.equal("no reason");
    expect(await save("setHeaderField", [5n, FIELD.logsBloom, SLOT])).to.contain(
      "LOGS_BLOOM_NOT_SUPPORTED",
    );
    expect(await save("setHeaderField", [5n, FIELD.number, SLOT])).to.contain(
      "BLOCK_NUMBER_NOT_SUPPORTED",
    );
    expect(await save("setHeaderField", [5n, FIELD.baseFee, SLOT])).to.equal("no reason given");
  });

  it("lets operators only save values", async () => {
    const stranger = chain.accounts[7];
    expect(await save("setHeaderField", [5n, FIELD.nonce, SLOT], stranger)).to.equal(
      "Unauthorized()",
    );
    expect(await save("setAccountField", [5n, TARGET, 1, SLOT], stranger)).to.equal(
      "Unauthorized()",
    );
    expect(await save("setStorageSlot", [5n, TARGET, SLOT, SLOT], stranger)).to.equal(
      "Unauthorized()",
    );
  });

  it("comes with the mocks of both satellites, and not with one of an execution store", async () => {
    for (const [kind, saved] of [
      ["satellite", true],
      ["satellite-develop", true],
      ["execution-store", false],
    ] satisfies [MockKind, boolean][]) {
      satellite = (await deployMock(chain, kind)).address;
      expect(
        (await save("setStorageSlot", [5n, TARGET, SLOT, word(9)])) === undefined,
        kind,
      ).to.equal(saved);
      expect(await read("tryStorageSlot", 5n, TARGET, SLOT)).to.deep.equal(
        saved ? [true, word(9)] : `NotAStore(${getAddress(satellite)})`,
      );
      expect(await save("proveTimestamp", [1n, 1n])).to.equal(
        saved ? "Error(STORAGE_PROOF_HEADER_FIELD_NOT_SAVED)" : "no reason given",
      );
    }
  });

  it("refuses accounts without code, contracts without the functions and short gas, in every function", async () => {
    const asked = [
      ["Header", 5n, FIELD.nonce],
      ["Account", 5n, TARGET, 1],
      ["StorageSlot", 5n, TARGET, SLOT],
      ["BlockAt", 99n],
    ] as const;
    const { address: silent } = await deployHarness(chain, "AnswersNothing");
    const precompiled = numberToHex(4, { size: 20 });
    for (const store of [chain.accounts[7] ?? "0x", silent, precompiled, library.address]) {
      satellite = store;
      for (const [name, ...args] of asked) {
        const plain = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
        for (const read_ of [`try${name}`, plain])
          expect(await read(read_, ...args), read_).to.equal(`NotAStore(${getAddress(store)})`);
      }
    }
    satellite = (await deployHarness(chain, "BurnsGas")).address;
    for (const [name, ...args] of asked)
      expect(await read(`try${name}`, ...args)).to.equal("NotEnoughGas()");
  });

  it("saves values in Solidity tests by the functions of HdpTest", async () => {
    const helper = await deployHarness(chain, "StorageProofsHelperTest");
    expect(await call(helper, "saveAndRead", [TARGET])).to.deep.equal([
      21_000n,
      7n * 10n ** 18n,
      word(9),
    ]);
  });
});

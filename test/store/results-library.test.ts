import { expect } from "chai";
import fc from "fast-check";
import {
  type Abi,
  concatHex,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  size,
  sliceHex,
  toFunctionSelector,
  toHex,
} from "viem";

import { taskHash } from "../../src/entries/request.js";
import { FAMILIES, STORE_KINDS } from "../../src/store/execution-store.js";
import {
  deployExecutionStoreMock,
  finalizeTasks,
  type StoreKind,
} from "../../src/entries/store.js";
import { ethCall } from "../../src/store/node-requests.js";
import { revertData } from "../../src/store/reverts.js";
import { writeResults } from "../../src/store/write-result.js";
import { type Chain, createChain, deployHarness, requestModule, send } from "./harness.js";

const FINALIZED = keccak256(toHex("a finalized task"));
const UNKNOWN = keccak256(toHex("a task that nobody requested"));
const MODULE = { type: "Module", programHash: "0x1", inputs: [] } as const;
const SCHEDULED = taskHash(MODULE);
const WORD = numberToHex(2n ** 255n + 7n, { size: 32 });
const ZERO = numberToHex(0n, { size: 32 });
const NOT_FINALIZED = toFunctionSelector("NotFinalized()");

/** What the library answers for a store and a task, or the name of the error it reverts with. */
type Answer = unknown;

describe("HdpResults", () => {
  let chain: Chain;
  let reader: { address: Hex; abi: Abi };

  before(async () => {
    chain = await createChain();
    reader = await deployHarness(chain, "ResultsHarness");
  });

  after(async () => {
    await chain.close();
  });

  async function ask(functionName: string, store: Hex, task: Hex, gas?: bigint): Promise<Answer> {
    const { address: to, abi } = reader;
    const data = encodeFunctionData({ abi, functionName, args: [store, task] });
    try {
      const call = { to, data, ...(gas === undefined ? {} : { gas: numberToHex(gas) }) };
      const answer = await chain.provider.request({ method: "eth_call", params: [call, "latest"] });
      return decodeFunctionResult({ abi, functionName, data: answer as Hex });
    } catch (error) {
      const reason = revertData(error);
      if (reason === undefined || reason === "0x") return "out of gas";
      const { errorName, args } = decodeErrorResult({ abi, data: reason });
      if (errorName === "NotAStore")
        expect(String(args?.[0]).toLowerCase()).to.equal(store.toLowerCase());
      return errorName;
    }
  }

  /** All three functions, for a finalized task and one that is not known. */
  async function answers(store: Hex): Promise<Record<string, Answer>> {
    return {
      read: await ask("read", store, FINALIZED),
      tryRead: await ask("tryRead", store, FINALIZED),
      status: await ask("status", store, FINALIZED),
      isStore: await ask("requireStore", store, FINALIZED),
      readUnknown: await ask("read", store, UNKNOWN),
      tryReadUnknown: await ask("tryRead", store, UNKNOWN),
      statusUnknown: await ask("status", store, UNKNOWN),
    };
  }

  const STORE_ANSWERS: Record<string, Answer> = {
    read: WORD,
    tryRead: [true, WORD],
    status: 2,
    isStore: true,
    readUnknown: "NotFinalized",
    tryReadUnknown: [false, ZERO],
    statusUnknown: 0,
  };
  const no = (error: string): Record<string, Answer> =>
    Object.fromEntries(Object.keys(STORE_ANSWERS).map((name) => [name, error]));

  async function mock(kind: StoreKind): Promise<Hex> {
    const { provider } = chain;
    const store = await deployExecutionStoreMock({ provider, kind });
    await finalizeTasks({
      provider,
      store: store.address,
      results: [{ taskHash: FINALIZED, word: WORD }],
    });
    await requestModule(provider, store, MODULE);
    return store.address;
  }

  /** A stand-in of a published store, or a diamond in front of one, with a result. */
  async function real(
    name: "RealExecutionStore" | "RealSatellite",
    kind: StoreKind,
    diamond = false,
  ): Promise<Hex> {
    let { address } = await deployHarness(chain, name);
    if (diamond) {
      const selectors = Object.values(FAMILIES[kind]).map(({ selector }) => selector);
      ({ address } = await deployHarness(chain, "DiamondStore", [address, selectors]));
    }
    const results = [{ taskHash: FINALIZED, word: WORD }];
    await writeResults({ provider: chain.provider, store: address, results });
    return address;
  }

  for (const kind of STORE_KINDS) {
    it(`reads a mock of the kind ${kind}`, async () => {
      const store = await mock(kind);
      expect(await answers(store)).to.deep.equal(STORE_ANSWERS);
      expect(await ask("status", store, SCHEDULED)).to.equal(1);
      expect(await ask("tryRead", store, SCHEDULED)).to.deep.equal([false, ZERO]);
      expect(await ask("read", store, SCHEDULED)).to.equal("NotFinalized");
    });
  }

  it("reads contracts with the storage and the names of the published stores, and diamonds in front of them", async () => {
    expect(await answers(await real("RealSatellite", "satellite"))).to.deep.equal(STORE_ANSWERS);
    expect(await answers(await real("RealExecutionStore", "execution-store"))).to.deep.equal(
      STORE_ANSWERS,
    );
    // An unknown function of a diamond reverts with a text.
    expect(await answers(await real("RealSatellite", "satellite", true))).to.deep.equal(
      STORE_ANSWERS,
    );
    expect(await answers(await real("RealExecutionStore", "execution-store", true))).to.deep.equal(
      STORE_ANSWERS,
    );
  });

  it("refuses accounts without code, precompiled contracts and contracts that are no store", async () => {
    const [account = "0x"] = chain.accounts;
    expect(await answers(account)).to.deep.equal(no("NotAStore"));
    expect(await answers("0x00000000000000000000000000000000000000ff")).to.deep.equal(
      no("NotAStore"),
    );
    // SHA-256 and the identity answer every call with a word.
    // 8 burns the gas of a call that it refuses.
    for (const precompiled of [2, 4, 8]) {
      expect(await answers(numberToHex(precompiled, { size: 20 }))).to.deep.equal(no("NotAStore"));
    }
    expect(await answers((await deployHarness(chain, "AnswersNothing")).address)).to.deep.equal(
      no("NotAStore"),
    );
    expect(await answers(reader.address)).to.deep.equal(no("NotAStore"));
  });

  it("calls an execution store once for its plain word, a satellite twice, and costs at most 130 gas more than the interface", async () => {
    const store = await mock("execution-store");
    const { abi, address } = reader;
    const data = encodeFunctionData({ abi, functionName: "costs", args: [store, FINALIZED] });
    const spent = decodeFunctionResult({
      abi,
      functionName: "costs",
      data: await ethCall(chain.provider, address, data),
    }) as readonly [bigint, bigint];
    expect(Number(spent[0] - spent[1])).to.be.at.most(130);

    const calls = async (target: Hex): Promise<number> => {
      const read = encodeFunctionData({ abi, functionName: "read", args: [target, FINALIZED] });
      const params = [{ to: address, data: read }, "latest", {}];
      const trace = (await chain.provider.request({ method: "debug_traceCall", params })) as {
        readonly structLogs: readonly { readonly op: string }[];
      };
      return trace.structLogs.filter(({ op }) => op === "STATICCALL").length;
    };
    expect(await calls(store)).to.equal(1);
    expect(await calls(await mock("satellite"))).to.equal(2);
  });

  describe("with a contract that answers anything", () => {
    const DOES = ["unknown", "returns", "reverts", "burns", "burnsInside"] as const;
    interface Program {
      readonly does: (typeof DOES)[number];
      readonly data: Hex;
    }
    const bytes = (minLength: number, maxLength: number): fc.Arbitrary<Hex> =>
      fc.uint8Array({ minLength, maxLength }).map((value) => toHex(value));
    const program: fc.Arbitrary<Program> = fc.oneof(
      fc.record({ does: fc.constant("unknown" as const), data: bytes(0, 100) }),
      fc.record({ does: fc.constant("returns" as const), data: bytes(0, 80) }),
      fc.record({
        does: fc.constant("returns" as const),
        data: fc.bigInt({ min: 0n, max: 4n }).map((word) => numberToHex(word, { size: 32 })),
      }),
      fc.record({
        does: fc.constant("reverts" as const),
        data: fc.constantFrom<Hex[]>(
          NOT_FINALIZED,
          concatHex([NOT_FINALIZED, "0x00"]),
          sliceHex(NOT_FINALIZED, 0, 3),
        ),
      }),
      fc.record({ does: fc.constant("returns" as const), data: fc.constant(NOT_FINALIZED) }),
      fc.record({
        does: fc.constantFrom("burns" as const, "burnsInside" as const),
        data: fc.constant<Hex>("0x"),
      }),
    );

    let store: { address: Hex; abi: Abi };
    before(async () => {
      store = await deployHarness(chain, "ProgrammedStore");
    });

    async function load(
      what: "status" | "result",
      kind: StoreKind,
      { does, data }: Program,
    ): Promise<void> {
      const args = [FAMILIES[kind][what].selector, DOES.indexOf(does), data];
      const call = encodeFunctionData({ abi: store.abi, functionName: "program", args });
      expect(await send(chain, { to: store.address, data: call })).not.to.have.property("reverted");
    }

    /** The library by its specification: the first of two programs that answers as `abi.decode` accepts it. */
    function expected(programs: readonly Program[]): { word?: Hex; error?: string } {
      for (const { does, data } of programs) {
        if (does === "burns" || does === "burnsInside") return { error: "NotEnoughGas" };
        if (does === "returns" && size(data) >= 32) return { word: sliceHex(data, 0, 32) };
        if (does !== "returns" && data === NOT_FINALIZED) return { error: "NotFinalized" };
      }
      return { error: "NotAStore" };
    }

    it("answers what the first function that answers says, and reverts otherwise", async () => {
      await fc.assert(
        fc.asyncProperty(program, program, async (first, second) => {
          // Plain words are asked of an execution store first, states of a satellite.
          await load("result", "execution-store", first);
          await load("result", "satellite", second);
          await load("status", "satellite", first);
          await load("status", "execution-store", second);
          const { word, error = "" } = expected([first, second]);
          const read = await ask("read", store.address, FINALIZED);
          const tried = await ask("tryRead", store.address, FINALIZED);
          const status = await ask("status", store.address, FINALIZED);
          if (word === undefined) {
            expect(read).to.equal(error);
            expect(tried).to.deep.equal(error === "NotFinalized" ? [false, ZERO] : error);
            expect(status).to.equal(error === "NotFinalized" ? "NotAStore" : error);
          } else {
            expect(read).to.equal(word);
            expect(tried).to.deep.equal([true, word]);
            expect(status).to.equal(BigInt(word) > 2n ? "NotAStore" : Number(word));
          }
        }),
        { numRuns: 80 },
      );
    });
  });

  it("never answers something else where gas is short", async () => {
    const few = { from: 22_000n, to: 75_000n, step: BigInt(process.env["HDP_GAS_STEP"] ?? 757) };
    const stores = [
      { store: await mock("satellite"), right: STORE_ANSWERS, ...few },
      { store: await mock("execution-store"), right: STORE_ANSWERS, ...few },
      { store: await real("RealSatellite", "satellite", true), right: STORE_ANSWERS, ...few },
      {
        store: await real("RealExecutionStore", "execution-store", true),
        right: STORE_ANSWERS,
        ...few,
      },
      // 1/64 of the gas is enough for another answer by the other kind's names.
      {
        store: (await deployHarness(chain, "TwoFacedStore")).address,
        right: { read: FINALIZED, tryRead: [true, FINALIZED], status: 2 },
        from: 100_000n,
        to: 1_000_000n,
        step: 30_011n,
      },
    ];
    const outcomes = new Set<Answer>();
    for (const { store, right, from, to, step } of stores) {
      for (let gas = from; gas < to; gas += step) {
        for (const name of ["read", "tryRead", "status"]) {
          const answer = await ask(name, store, FINALIZED, gas);
          if (typeof answer === "string" && !answer.startsWith("0x")) outcomes.add(answer);
          else expect(answer, `${name} with ${String(gas)} gas`).to.deep.equal(right[name]);
        }
      }
    }
    expect([...outcomes].sort()).to.deep.equal(["NotEnoughGas", "out of gas"]);
  });
});

import { expect } from "chai";
import type { Artifact, ArtifactManager } from "hardhat/types/artifacts";
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";

import { askingCall, callInWords } from "../../src/plugin/project-contracts.js";

const NOT_FINALIZED = "0x1bee0d5a";
const ASKER: Address = `0x${"a5".repeat(20)}`;
const OTHER: Address = `0x${"0e".repeat(20)}`;

/** A frame of a call that failed because a read below it did. */
const failed = (to: string, input: Hex, more: object = {}): object => ({
  type: "CALL",
  to,
  input,
  error: "execution reverted",
  output: NOT_FINALIZED,
  ...more,
});

describe("plugin: the call of a contract that asked a store", () => {
  it("takes the outermost one, behind a router, and before calls of its own", () => {
    const inner = failed(ASKER, "0x22222222");
    const own = failed(ASKER.toUpperCase().replace("X", "x"), "0x11111111", { calls: [inner] });
    expect(askingCall(failed(OTHER, "0x33333333", { calls: [own] }), ASKER)).to.deep.equal({
      to: ASKER,
      input: "0x11111111",
    });
  });

  it("takes that in which the read failed, of several, and the proxy's where its code is elsewhere", () => {
    const good = { type: "CALL", to: ASKER, input: "0x11111111" };
    const delegated = failed(ASKER, "0x44444444", { type: "DELEGATECALL" });
    const bad = failed(ASKER, "0x22222222", { calls: [delegated] });
    const router = failed(OTHER, "0x33333333", { calls: [good, bad, good] });
    expect(askingCall(router, ASKER)?.input).to.equal("0x22222222");
    expect(askingCall(failed(OTHER, "0x", { calls: [delegated] }), ASKER)).to.equal(undefined);
    expect(askingCall(good, ASKER)).to.equal(undefined);
  });
});

describe("plugin: a call in words", () => {
  const artifactsOf = (...contracts: readonly Partial<Artifact>[]): ArtifactManager =>
    ({
      getAllFullyQualifiedNames: async () => await Promise.resolve(new Set(contracts.keys())),
      readArtifact: async (at: number) =>
        await Promise.resolve({ deployedLinkReferences: {}, ...contracts[at] }),
    }) as unknown as ArtifactManager;
  const worded = async (
    artifacts: ArtifactManager,
    input: Hex,
    { code = "0x", isOver = () => false }: { code?: Hex; isOver?: () => boolean } = {},
  ): Promise<string | undefined> =>
    await callInWords(
      { to: ASKER, input },
      { artifacts, codeOf: async () => await Promise.resolve(code), isOver },
    );
  const abi = parseAbi([
    "function update(uint256 period, uint256 average)",
    "function settle()",
    "function note(string text, bytes data, (address who, bool on)[] list)",
  ]);
  const update = encodeFunctionData({ abi, functionName: "update", args: [6511111110n, 0n] });
  const average = { contractName: "FeeAverage", abi: abi as Abi, deployedBytecode: "0x6001" };

  it("names contract, function and arguments, with what is long cut", async () => {
    expect(await worded(artifactsOf(average), update)).to.equal("FeeAverage.update(6511111110, 0)");
    const list = [{ who: OTHER, on: true }];
    const args = ['a "word"', `0x${"ab".repeat(60)}`, list] as const;
    const note = encodeFunctionData({ abi, functionName: "note", args });
    expect(await worded(artifactsOf(average), note)).to.equal(
      `FeeAverage.note("a \\"word\\"", 0x${"ab".repeat(39)}…, [(${getAddress(OTHER)}, true)])`,
    );
  });

  it("names a function without parameters", async () => {
    const settle = encodeFunctionData({ abi, functionName: "settle" });
    expect(await worded(artifactsOf(average), settle)).to.equal("FeeAverage.settle()");
  });

  it("says nothing of a function that no contract has, nor where not all are read in time", async () => {
    expect(await worded(artifactsOf(average), "0x12345678")).to.equal(undefined);
    expect(await worded(artifactsOf({ ...average, abi: [] }), update)).to.equal(undefined);
    const isOver = (): boolean => true;
    expect(await worded(artifactsOf(average), update, { isOver })).to.equal(undefined);
  });

  it("tells contracts with the same function apart by their code, with immutable values and libraries in it", async () => {
    const linked = {
      contractName: "Linked",
      abi: abi as Abi,
      deployedBytecode: "0x60__$ab$__5500005b",
      deployedLinkReferences: { "Lib.sol": { Lib: [{ start: 1, length: 4 }] } },
      immutableReferences: { 7: [{ start: 6, length: 2 }] },
    };
    const artifacts = artifactsOf(average, { ...linked });
    expect(await worded(artifacts, update, { code: "0x60a1b2c3d45512345b" })).to.equal(
      "Linked.update(6511111110, 0)",
    );
    expect(await worded(artifacts, update, { code: "0x6001" })).to.equal(
      "FeeAverage.update(6511111110, 0)",
    );
    expect(await worded(artifacts, update, { code: "0x60a1b2c3d45512345c" })).to.equal(
      "update(6511111110, 0)",
    );
    const twins = artifactsOf(average, { ...average, contractName: "Twin" });
    expect(await worded(twins, update, { code: "0x6001" })).to.equal("update(6511111110, 0)");
    const withInterface = artifactsOf(average, {
      ...average,
      contractName: "IFeeAverage",
      deployedBytecode: "0x",
    });
    expect(await worded(withInterface, update)).to.equal("FeeAverage.update(6511111110, 0)");
  });
});

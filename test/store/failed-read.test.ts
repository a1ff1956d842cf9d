import { expect } from "chai";
import type { Address, Hex } from "viem";
import { encodeErrorResult, encodeFunctionData, parseAbi } from "viem/utils";

import { rootOfFelt, rootOfValue } from "../../src/entries/request.js";
import { askedRead } from "../../src/store/failed-read.js";

const store: Address = `0x${"57".repeat(20)}`;
const asker: Address = `0x${"a5".repeat(20)}`;
const sender: Address = `0x${"5e".repeat(20)}`;
const taskHash: Hex = `0x${"7a".repeat(32)}`;
const abi = parseAbi([
  "error WrongOutput(bytes32 taskHash, bytes32 root, bytes32 word)",
  "function count(uint256 total, bytes32 task, uint256 again)",
  "function getFinalizedTaskResult(bytes32 taskHash)",
]);

describe("store: what a failed call was given", () => {
  const args = [taskHash, rootOfFelt(15_250n), rootOfValue(15_250n)] as const;
  const revertData = encodeErrorResult({ abi, errorName: "WrongOutput", args });
  const read = encodeFunctionData({
    abi,
    functionName: "getFinalizedTaskResult",
    args: [taskHash],
  });
  const call = encodeFunctionData({ abi, functionName: "count", args: [15_250n, taskHash, 9n] });

  it("returns the numbers of its arguments, each once and without the hash of the task", () => {
    const frame = {
      type: "CALL",
      from: sender,
      to: asker,
      input: call,
      calls: [{ type: "STATICCALL", from: asker, to: store, input: read, output: args[2] }],
    };
    expect(askedRead(frame, revertData)?.brought).to.deep.equal({
      kind: "root",
      value: BigInt(args[1]),
      word: args[2],
      numbers: [15_250n, 9n],
    });
  });

  it("takes no code of a deployment for numbers", () => {
    const frame = {
      type: "CREATE",
      from: sender,
      to: asker,
      input: `0x60806040${"11".repeat(320)}`,
      calls: [{ type: "STATICCALL", from: asker, to: store, input: read, output: args[2] }],
    };
    expect(askedRead(frame, revertData)?.brought?.numbers).to.deep.equal([]);
  });
});

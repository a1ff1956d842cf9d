import { expect } from "chai";
import { numberToHex } from "viem";

import { rootOfFelt, rootOfMarked, rootOfValue } from "../../src/entries/request.js";
import { findOutput, numbersIn } from "../../src/tasks/development/solidity-outputs.js";

describe("outputs of Solidity tests", () => {
  it("finds the numbers of a source, in units, with exponents and in hexadecimal digits", () => {
    const source = `pragma solidity ^0.8.21;
contract T1 { uint256 constant A = 7 gwei; uint256 b = 1_000; uint c = 1.5 ether; uint d = 2e3;
function f(uint256 x9) { g(0xFf, 12, 1e99, [3,4]); } }`;
    expect(numbersIn(source)).to.deep.equal([
      7_000_000_000n,
      1_000n,
      1_500_000_000_000_000_000n,
      2_000n,
      255n,
      12n,
      3n,
      4n,
    ]);
  });

  it("says what a word stands for, by numbers that have it", () => {
    const numbers = [5n, 2n ** 255n, 7n];
    const word = numberToHex(7n, { size: 32 });
    expect(findOutput(rootOfFelt(7n), numbers)).to.equal("felt 7");
    expect(findOutput(rootOfValue(7n), numbers)).to.equal("marked_u256 7");
    expect(findOutput(rootOfValue(2n ** 255n), numbers)).to.equal(`marked_u256 ${2n ** 255n}`);
    expect(findOutput(word, [])).to.equal("plain word 7");
    for (const root of [rootOfFelt(8n), rootOfValue(8n), rootOfMarked([7n, 5n])])
      expect(findOutput(root, numbers)).to.equal(undefined);
  });
});

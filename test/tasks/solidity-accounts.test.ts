import { expect } from "chai";
import { getContractAddress } from "viem/utils";

import { noStoreLines } from "../../src/tasks/development/solidity-accounts.js";

const TEST = "0x7fa9385be102ac3eac297483dd6233d62b3e1496";
const ADVICE = "Give the contract address(store()): arguments of its constructor may be swapped.";

/** What is said of an account, by a test with a text in its source. */
const lines = (account: bigint): readonly string[] =>
  noStoreLines(
    account,
    [{ path: "contracts/Staking.t.sol", text: 'new Staking(token, makeAddr("store"));' }],
    "test_rewards",
  );

describe("accounts that Solidity tests take for a store", () => {
  it("says which contract of the test an account is", () => {
    const token = getContractAddress({ from: TEST, nonce: 2n }).toLowerCase();
    const ofToken = getContractAddress({ from: token as `0x${string}`, nonce: 1n }).toLowerCase();
    expect(lines(BigInt(token))).to.deep.equal([
      `Asked as a store was ${token}, the contract that the test created with nonce 2: it is none.`,
      ADVICE,
    ]);
    expect(lines(BigInt(ofToken))).to.deep.equal([
      `Asked as a store was ${ofToken}, a contract that ${token} created: it is none.`,
      ADVICE,
    ]);
    expect(lines(BigInt(TEST))).to.deep.equal([
      `Asked as a store was ${TEST}, the test contract: it is none.`,
      ADVICE,
    ]);
  });

  it("says that an account is the zero address, one of makeAddr, or not known", () => {
    expect(lines(0n)).to.deep.equal([
      "The zero address was asked as a store: the contract was given none.",
      ADVICE,
    ]);
    expect(lines(0xd24e0da6fa1f614cf2055f4d7e10206017cd1680n)).to.deep.equal([
      'Asked as a store was 0xd24e0da6fa1f614cf2055f4d7e10206017cd1680, makeAddr("store"): it is none.',
      ADVICE,
    ]);
    expect(lines(0xbeefn)).to.deep.equal([
      `0x${"beef".padStart(40, "0")} was asked as a store and is none: no contract that the test created is known to be there.`,
      ADVICE,
    ]);
  });
});

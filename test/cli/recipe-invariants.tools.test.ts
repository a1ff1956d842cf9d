import { expect } from "chai";

import { foundryOrSkip } from "../support/foundry.js";
import { forgeProject } from "../support/forge-project.js";

/** Each recipe's contract under random calls of strangers, who try to be paid, credited or counted more than once. */
const INVARIANTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpForge} from "hardhat-hdp/contracts/test/HdpForge.sol";
import {Airdrop} from "../src/airdrop/Airdrop.sol";
import {GasInsurance} from "../src/gas-insurance/GasInsurance.sol";
import {Poll} from "../src/past-voting/Poll.sol";

interface Vm {
    function warp(uint256 time) external;
    function prank(address sender) external;
}

/// @notice Brings the value that is proven and others, at any time, from any account. Calls again when it is paid.
contract Strangers {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    GasInsurance private insurance;
    Airdrop private airdrop;
    Poll private poll;
    uint256 private immutable value;
    uint256 public votesCast;

    constructor(uint256 value_) { value = value_; }
    function aim(GasInsurance insurance_, Airdrop airdrop_, Poll poll_) external { (insurance, airdrop, poll) = (insurance_, airdrop_, poll_); }
    function warp(uint32 seconds_) external { vm.warp(block.timestamp + seconds_ % 2 days); }
    function settle(uint256 claim, bool isTrue) external { insurance.settle(isTrue ? value : claim); }
    function refund() external { insurance.refund(); }
    function claimPoints(uint256 claim, bool isTrue) external { airdrop.claim(address(this), isTrue ? value : claim); }
    function vote(uint256 claim, bool isTrue, bool support) external { poll.vote(support, isTrue ? value : claim); }
    receive() external payable {
        try insurance.settle(value) { revert("paid twice"); } catch {}
        try insurance.refund() { revert("paid twice"); } catch {}
    }
}

contract RecipesTest is HdpForge {
    uint256 private constant VALUE = 60 gwei;
    GasInsurance private insurance;
    Airdrop private airdrop;
    Poll private poll;
    Strangers private strangers;

    function setUp() public {
        strangers = new Strangers(VALUE);
        HdpTask memory fees = avgBaseFee(10, 30);
        insurance = new GasInsurance{value: 1 ether}(address(store()), fees, 50 gwei, payable(address(strangers)), block.timestamp + 30 days);
        airdrop = new Airdrop(address(store()), taskForm(), 2, 8, 3);
        poll = new Poll(address(store()), taskForm(), address(0x7070), 0, 5, block.timestamp + 30 days);
        strangers.aim(insurance, airdrop, poll);
        finalize(fees, VALUE);
        finalize(airdrop.shareTask(address(strangers)), VALUE);
        finalize(poll.powerTask(address(strangers)), VALUE);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(strangers);
    }

    /// @notice The money is in the contract until it ends, and then with one of the two.
    function invariant_the_money_is_where_the_contract_says() public view {
        address paidTo = insurance.paidTo();
        require(address(insurance).balance == (paidTo == address(0) ? 1 ether : 0));
        require(address(strangers).balance == (paidTo == address(strangers) ? 1 ether : 0));
        require(paidTo == address(0) || paidTo == address(this) || paidTo == address(strangers));
    }

    function invariant_points_and_votes_count_once_and_only_the_proven_value() public view {
        require(airdrop.points(address(strangers)) == 0);
        require(airdrop.claimed(address(strangers)) || airdrop.points(address(strangers)) == 0);
        uint256 counted = poll.yes() + poll.no();
        require(counted == (poll.voted(address(strangers)) ? VALUE : 0));
    }

    receive() external payable {}
}
`;

describe("the recipes that hold money, points or votes", function () {
  this.timeout(300_000);
  let forge: string;

  before(function () {
    forge = foundryOrSkip(this, "forge");
  });

  it("pay, credit and count once, by the proven value alone, under random calls", async () => {
    const project = await forgeProject(
      forge,
      { "test/Recipes.t.sol": INVARIANTS },
      {
        "src/airdrop": "examples/airdrop/contracts",
        "src/gas-insurance": "examples/gas-insurance/contracts",
        "src/past-voting": "examples/past-voting/contracts",
      },
    );
    try {
      const { code, stdout, stderr } = await project.test();
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout).to.contain("2 tests passed, 0 failed, 0 skipped (2 total tests)");
    } finally {
      await project.remove();
    }
  });
});

import { expect } from "chai";

import { foundryOrSkip } from "../support/foundry.js";
import { forgeProject } from "../support/forge-project.js";

const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpStoreKind} from "hardhat-hdp/contracts/mocks/HdpTaskStateMock.sol";
import {HdpForge} from "hardhat-hdp/contracts/test/HdpForge.sol";
`;

/** A base that gets kind and chain by its constructor, and one that has them in state variables. */
const BASES = `${HEAD}
abstract contract OfKind is HdpForge {
    uint256 private immutable chain;
    HdpStoreKind private kind = HdpStoreKind.EXECUTION_STORE;
    constructor(uint256 chain_) { chain = chain_; }
    function sourceChainId() internal view override returns (uint256) { return chain; }
    function storeKind() internal view override returns (HdpStoreKind) { return kind; }
}
contract BasesTest is OfKind {
    constructor() OfKind(10) {}
    function test_kind_and_chain_are_those_of_the_base() public {
        require(store().storeKind() == HdpStoreKind.EXECUTION_STORE, "kind");
        require(store().CHAIN_ID() == 10, "chain");
    }
}
`;

const PRANKS = `${HEAD}
interface Vm {
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
}
contract Named { address public immutable by; address public immutable at; constructor(address at_) { (by, at) = (msg.sender, at_); } }
contract PranksTest is HdpForge {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    function test_one_prank_is_left_to_the_call_that_it_is_for() public {
        vm.prank(address(7));
        require(new Named(address(store())).by() == address(7), "prank was used up");
        finalize(avgBaseFee(0, 9), 7 gwei);
    }
    function test_a_started_prank_goes_on() public {
        vm.startPrank(address(7));
        address at = address(store());
        require(new Named(at).by() == address(7), "prank ended");
        vm.stopPrank();
        finalize(avgBaseFee(0, 9), 7 gwei);
    }
    function test_the_mock_is_in_no_gas() public {
        uint256 before = gasleft();
        store();
        require(before - gasleft() < 200000, "gas");
    }
    function test_a_wrong_task_is_named() public { avgBaseFee(9, 0); }
}
`;

/** A plain invariant test, without set-up of what forge calls. */
const INVARIANT = `${HEAD}
contract Gate {
    address private immutable store;
    HdpTask private task;
    bool public isOpen;
    constructor(address store_, HdpTask memory task_) { (store, task) = (store_, task_); }
    function update(uint256 value) external {
        HdpResults.requireValue(store, task, value);
        isOpen = value <= 100 gwei;
    }
}
contract GateInvariantTest is HdpForge {
    Gate private gate;
    function setUp() public {
        gate = new Gate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 101 gwei);
    }
    function invariant_a_high_fee_never_opens_the_gate() public view { require(!gate.isOpen()); }
}
`;

describe("HdpForge, under the real forge", function () {
  this.timeout(300_000);
  let forge: string;

  before(function () {
    forge = foundryOrSkip(this, "forge");
  });

  it("asks the virtual functions when constructors and state variables are done, in both pipelines", async () => {
    const project = await forgeProject(forge, { "test/Bases.t.sol": BASES });
    try {
      for (const pipeline of [[], ["--via-ir", "--optimize"]]) {
        const { code, stdout, stderr } = await project.test(...pipeline);
        expect(code, stdout + stderr).to.equal(0);
      }
    } finally {
      await project.remove();
    }
  });

  it("deploys the mock outside pranks and gas, names a wrong task, and has a plain invariant test call the user's contract alone", async () => {
    const files = { "test/Pranks.t.sol": PRANKS, "test/Invariant.t.sol": INVARIANT };
    const project = await forgeProject(forge, files);
    try {
      const { stdout, stderr } = await project.test();
      expect(stdout, stderr).to.contain('[FAIL: InvalidTask("HDP-1115", ');
      expect(stdout).to.contain("4 tests passed, 1 failed, 0 skipped (5 total tests)");
      const called = [...stdout.matchAll(/^\| (\w+) +\| (\w+) +\| \d+ /gm)].map(
        ([, ...names]) => names,
      );
      expect(called).to.deep.equal([["Gate", "update"]]);
    } finally {
      await project.remove();
    }
  });
});

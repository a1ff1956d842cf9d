// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpForm, HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {Claims} from "./Claims.sol";
import {FeeGate} from "../src/pages/FeeGate.sol";
import {LastFees} from "../src/pages/LastFees.sol";
import {RecentFeeGate} from "../src/pages/RecentFeeGate.sol";
import {SumGate} from "../src/pages/SumGate.sol";
import {Vault} from "../src/pages/Vault.sol";
import {Staking} from "../src/view-call/ViewGate.sol";

interface Vm {
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function roll(uint256 number) external;
}

/// @notice Brings proven values and others at any block, and takes out money. Calls again when it is paid.
contract Readers {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private immutable cheap;
    uint256 private immutable dear;
    FeeGate private gate;
    LastFees private fees;
    RecentFeeGate private recent;
    SumGate private sums;
    Vault private vault;
    Staking private staking;
    /// @notice How often the gate of recent blocks took a value.
    uint256 public taken;

    constructor(uint256 cheap_, uint256 dear_) {
        (cheap, dear) = (cheap_, dear_);
    }

    function aim(FeeGate gate_, LastFees fees_, RecentFeeGate recent_) external {
        require(address(gate) == address(0), "aimed");
        (gate, fees, recent) = (gate_, fees_, recent_);
    }

    function aimMore(SumGate sums_, Vault vault_, Staking staking_) external {
        require(address(sums) == address(0), "aimed");
        (sums, vault, staking) = (sums_, vault_, staking_);
    }

    function roll(uint8 blocks) external {
        vm.roll(block.number + blocks);
    }

    function open(uint256 claim, uint8 choice) external {
        gate.update(_one(claim, choice));
    }

    function keep(uint8 range, uint256 claim, uint8 choice) external {
        uint256 first = uint256(range % 4) * 100;
        fees.update(first, first + 99, _one(claim, choice));
    }

    function openForRecent(uint256 claim, uint8 choice) external {
        recent.update(_one(claim, choice));
        ++taken;
    }

    function accept(uint256 claim, uint8 choice) external {
        sums.accept(_one(claim, choice));
    }

    function deposit(uint64 amount) external {
        vault.deposit{value: amount}();
    }

    function withdraw() external {
        vault.withdraw();
    }

    function stake(uint64 amount) external {
        staking.stake{value: amount}();
    }

    function unstake() external {
        staking.unstake();
    }

    function _one(uint256 claim, uint8 choice) private view returns (uint256) {
        if (choice % 4 == 0) return cheap;
        if (choice % 4 == 1) return dear;
        return choice % 4 == 2 ? (cheap << 128) | (cheap >> 128) : claim;
    }

    /// @dev Keeps what it gets: a revert would give back what it took.
    receive() external payable {
        if (msg.value == 0) return;
        if (msg.sender == address(vault)) try vault.withdraw() {} catch {}
        if (msg.sender == address(staking)) try staking.unstake() {} catch {}
    }
}

/// @notice The contracts of the pages, in the form of satellites.
contract PagesTest is Claims {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant CHEAP = 7 gwei;
    uint256 private constant DEAR = 200 gwei;
    uint256 private constant RANGES = 20;
    FeeGate private gate;
    LastFees private fees;
    RecentFeeGate private recent;
    SumGate private sums;
    Vault private vault;
    Staking private staking;
    Readers private readers;
    /// @notice Chain of the gate of recent blocks; the averages are of Ethereum Sepolia.
    uint256 private chain = 1;

    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.Module;
    }

    function sourceChainId() internal view override returns (uint256) {
        return chain;
    }

    function setUp() public {
        vm.chainId(1);
        vm.roll(196);
        address at_ = address(store());
        readers = new Readers(CHEAP, DEAR);
        bytes32 sum = moduleTask(bytes32(uint256(7)), new bytes32[](0));
        gate = new FeeGate(at_, avgBaseFee(100, 199)); // dear
        fees = new LastFees(at_, taskForm());
        recent = new RecentFeeGate(at_, taskForm());
        sums = new SumGate(at_, sum);
        vault = new Vault();
        staking = new Staking();
        readers.aim(gate, fees, recent);
        readers.aimMore(sums, vault, staking);
        finalizeRanges();
        chain = 11155111;
        finalizeRanges();
        finalize(HdpTask(sum, HdpForm.Module), DEAR);
        vault.deposit{value: 5 ether}();
        staking.stake{value: 5 ether}();
        vm.deal(address(readers), 10 ether);
    }

    /// @dev Every second range was cheap.
    function finalizeRanges() private {
        for (uint256 i = 0; i < RANGES; ++i) {
            finalize(avgBaseFee(100 * i, 100 * i + 99), i % 2 == 0 ? CHEAP : DEAR);
        }
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(readers);
    }

    function invariant_a_recent_gate_opens_by_a_cheap_range_that_is_final() public view {
        uint256 until = recent.openUntil();
        if (until == 0) return;
        uint256 last = until - recent.MAX_AGE();
        require((last + 1) % 100 == 0 && (last / 100) % 2 == 0, "a dear range");
        require(last + recent.MIN_AGE() <= block.number, "a range that is not final");
    }

    function invariant_only_proven_values_are_kept() public view {
        require(!gate.isOpen(), "blocks 100 to 199 were dear");
        require(sums.accepted() == 0 || sums.accepted() == DEAR);
        for (uint256 i = 0; i < 4; ++i) {
            uint256 kept = fees.average(100 * i, 100 * i + 99);
            require(kept == 0 || kept == (i % 2 == 0 ? CHEAP : DEAR));
        }
    }

    function invariant_nobody_takes_out_what_others_put_in() public view {
        require(address(readers).balance <= 10 ether);
        require(address(vault).balance >= 5 ether && address(staking).balance >= 5 ether);
    }

    function test_a_recent_gate_takes_the_values_that_strangers_bring() public {
        readers.openForRecent(0, 0);
        require(readers.taken() == 1 && recent.isOpen());
        readers.roll(100);
        readers.openForRecent(0, 1);
        require(readers.taken() == 2 && !recent.isOpen(), "open after a dear range");
    }

    function testFuzz_the_proven_value_alone_is_taken(uint256 proven, uint256 other, uint32 blocks, bool isLow) public {
        if (isLow) proven %= 200 gwei;
        other = _another(other, proven);
        uint256 last = uint256(blocks) + 99;
        finalize(avgBaseFee(blocks, last), proven);
        bytes memory right = abi.encodeCall(fees.update, (blocks, last, proven));
        _bring(address(fees), abi.encodeCall(fees.update, (blocks, last, other)), right);
        require(fees.average(blocks, last) == proven);
        finalize(HdpTask(moduleTask(bytes32(uint256(7)), new bytes32[](0)), HdpForm.Module), proven);
        _bring(address(sums), abi.encodeCall(sums.accept, (other)), abi.encodeCall(sums.accept, (proven)));
        require(sums.accepted() == proven);
        chain = 1;
        finalize(avgBaseFee(100, 199), proven);
        _bring(address(gate), abi.encodeCall(gate.update, (other)), abi.encodeCall(gate.update, (proven)));
        vm.roll(196 + uint256(blocks));
        uint256 next = (block.number - 96) - ((block.number - 96) % 100);
        finalize(avgBaseFee(next - 100, next - 1), proven);
        _bring(address(recent), abi.encodeCall(recent.update, (other)), abi.encodeCall(recent.update, (proven)));
        require(gate.isOpen() == (proven <= 100 gwei) && recent.isOpen() == gate.isOpen());
    }

    function testFuzz_deposits_and_stakes_are_paid_back_once(uint64 deposited, uint64 staked) public {
        (deposited, staked) = (deposited % 5 ether, staked % 5 ether);
        readers.deposit(deposited);
        readers.stake(staked);
        require(address(readers).balance == 10 ether - uint256(deposited) - staked);
        for (uint256 i = 0; i < 2; ++i) {
            readers.withdraw();
            readers.unstake();
            require(address(readers).balance == 10 ether);
        }
    }

    function test_averages_are_those_of_their_range() public {
        readers.keep(1, 0, 1);
        require(fees.average(100, 199) == DEAR);
    }

    function test_deposits_and_stakes_are_paid_back_once() public {
        readers.deposit(1 ether);
        readers.stake(2 ether);
        require(address(readers).balance == 7 ether);
        readers.unstake();
        require(address(readers).balance == 9 ether);
        readers.withdraw();
        require(address(readers).balance == 10 ether);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpForm, HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {Claims} from "./Claims.sol";
import {Airdrop} from "../src/airdrop/Airdrop.sol";
import {GasInsurance} from "../src/gas-insurance/GasInsurance.sol";
import {MainnetHolders} from "../src/cross-chain/MainnetHolders.sol";
import {DepositRecord, EventSum, ReceiptToRead} from "../src/events/DepositRecord.sol";
import {FeeGate} from "../src/ethers-typechain/FeeGate.sol";
import {FeeGate as TemplateGate} from "../src/template/FeeGate.sol";
import {FeeGate as OneTaskGate} from "../src/one-task-three-tests/FeeGate.sol";
import {DepositGate} from "../src/l2-source/DepositGate.sol";
import {SepoliaFees} from "../src/live-data/SepoliaFees.sol";
import {Poll} from "../src/past-voting/Poll.sol";
import {RollingAverage} from "../src/rolling-average/RollingAverage.sol";
import {FeeGateProxy} from "../src/upgradeable/FeeGateProxy.sol";
import {UpgradeableFeeGate} from "../src/upgradeable/UpgradeableFeeGate.sol";
import {TwapSettlement} from "../src/twap/TwapSettlement.sol";
import {Staking, ViewGate} from "../src/view-call/ViewGate.sol";

interface Vm {
    function warp(uint256 time) external;
    function prank(address sender, address origin) external;
    function chainId(uint256 id) external;
    function roll(uint256 number) external;
}

/// @notice Brings the value that is proven and others, at any time, from any account. Calls again when it is paid.
contract Strangers {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    GasInsurance private insurance;
    Airdrop private airdrop;
    Poll private poll;
    uint256 private constant BALANCE = 3 ether;
    uint256 private immutable value;
    /// @notice How often it was paid, be it nothing.
    uint256 public payments;

    constructor(uint256 value_) {
        value = value_;
    }
    function aim(GasInsurance insurance_, Airdrop airdrop_, Poll poll_) external {
        require(address(insurance) == address(0), "aimed");
        (insurance, airdrop, poll) = (insurance_, airdrop_, poll_);
    }
    function warp(uint32 seconds_) external {
        vm.warp(block.timestamp + (seconds_ % 2 days));
    }
    function settle(uint256 claim, bool isTrue) external {
        insurance.settle(isTrue ? value : claim);
    }
    function refund() external {
        insurance.refund();
    }
    function claimPoints(uint256 claim, bool isTrue) external {
        airdrop.claim(address(this), isTrue ? BALANCE : claim);
    }
    function vote(uint256 claim, bool isTrue, bool support) external {
        poll.vote(support, isTrue ? value : claim);
    }
    /// @dev Keeps what it gets: a revert would give back what it took.
    receive() external payable {
        ++payments;
        try insurance.settle(value) {} catch {}
        try insurance.refund() {} catch {}
    }
}

contract RecipesTest is Claims {
    uint256 private constant VALUE = 60 gwei;
    GasInsurance private insurance;
    Airdrop private airdrop;
    Poll private poll;
    Strangers private strangers;

    function setUp() public {
        strangers = new Strangers(VALUE);
        HdpTask memory fees = avgBaseFee(10, 30);
        insurance = new GasInsurance{value: 1 ether}(
            address(store()),
            fees,
            50 gwei,
            payable(address(strangers)),
            block.timestamp + 30 days
        );
        airdrop = new Airdrop(address(store()), taskForm(), 2, 8, 3);
        poll = new Poll(address(store()), taskForm(), address(0x7070), 0, 5, block.timestamp + 30 days);
        strangers.aim(insurance, airdrop, poll);
        finalize(fees, VALUE);
        finalize(airdrop.shareTask(address(strangers)), 3 ether);
        finalize(poll.powerTask(address(strangers)), VALUE);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(strangers);
    }

    /// @notice What forge calls at random does something where it brings the proven value.
    function test_strangers_are_paid_credited_and_counted_by_the_proven_value() public {
        strangers.settle(0, true);
        strangers.claimPoints(0, true);
        strangers.vote(0, true, true);
        require(address(strangers).balance == 1 ether && poll.yes() == VALUE);
        require(airdrop.points(address(strangers)) == 3);
    }

    /// @notice The money is in the contract until it ends, and then with one of the two.
    function invariant_the_money_is_where_the_contract_says() public view {
        address paidTo = insurance.paidTo();
        require(address(insurance).balance == (paidTo == address(0) ? 1 ether : 0));
        require(address(strangers).balance == (paidTo == address(strangers) ? 1 ether : 0));
        require(strangers.payments() <= 1, "paid twice");
        require(paidTo == address(0) || paidTo == address(this) || paidTo == address(strangers));
    }

    function invariant_points_and_votes_count_once_and_only_the_proven_value() public view {
        require(airdrop.points(address(strangers)) == (airdrop.claimed(address(strangers)) ? 3 : 0));
        uint256 counted = poll.yes() + poll.no();
        require(counted == (poll.voted(address(strangers)) ? VALUE : 0));
    }

    /// @notice Operators of a store of 2024 may replace a result.
    function test_a_replaced_result_pays_credits_and_counts_nothing_more() public {
        strangers.settle(0, true);
        strangers.claimPoints(0, true);
        strangers.vote(0, true, true);
        finalize(avgBaseFee(10, 30), 1);
        finalize(airdrop.shareTask(address(strangers)), 9 ether);
        finalize(poll.powerTask(address(strangers)), 9);
        _refuse(address(insurance), abi.encodeCall(insurance.settle, (1)), GasInsurance.AlreadySettled.selector);
        bytes memory claim = abi.encodeCall(airdrop.claim, (address(strangers), 9 ether));
        _refuse(address(airdrop), claim, Airdrop.AlreadyClaimed.selector);
        bytes memory vote = abi.encodeCall(strangers.vote, (9, false, true));
        _refuse(address(strangers), vote, Poll.AlreadyVoted.selector);
    }

    function testFuzz_the_proven_value_alone_is_paid_credited_and_counted(uint256 proven, uint256 other) public {
        other = _another(other, proven);
        finalize(avgBaseFee(10, 30), proven);
        finalize(airdrop.shareTask(ANYBODY), proven);
        finalize(poll.powerTask(ANYBODY), proven);
        _bring(
            address(insurance),
            abi.encodeCall(insurance.settle, (other)),
            abi.encodeCall(insurance.settle, (proven))
        );
        require(insurance.paidTo() == (proven > 50 gwei ? address(strangers) : address(this)));
        bytes memory claim = abi.encodeCall(airdrop.claim, (ANYBODY, proven));
        _bring(address(airdrop), abi.encodeCall(airdrop.claim, (ANYBODY, other)), claim);
        require(airdrop.points(ANYBODY) == proven / 1 ether);
        _bring(address(poll), abi.encodeCall(poll.vote, (true, other)), abi.encodeCall(poll.vote, (true, proven)));
        require(poll.yes() == proven && poll.no() == 0);
    }

    receive() external payable {}
}

/// @notice Brings to the other recipes the value that is proven and others, its halves swapped among them.
contract Bringers {
    uint256 private immutable value;
    MainnetHolders private holders;
    FeeGate private gate;
    DepositGate private deposits;
    SepoliaFees private fees;
    RollingAverage private rolling;
    TwapSettlement private twap;
    ViewGate private viewGate;
    TemplateGate private template;
    OneTaskGate private oneTask;
    UpgradeableFeeGate private proxy;
    DepositRecord private deposited;

    constructor(uint256 value_) {
        value = value_;
    }
    function aim(MainnetHolders holders_, FeeGate gate_, DepositGate deposits_, SepoliaFees fees_) external {
        require(address(holders) == address(0), "aimed");
        (holders, gate, deposits, fees) = (holders_, gate_, deposits_, fees_);
    }
    function aimMore(RollingAverage rolling_, TwapSettlement twap_, ViewGate viewGate_) external {
        require(address(rolling) == address(0), "aimed");
        (rolling, twap, viewGate) = (rolling_, twap_, viewGate_);
    }
    function aimAtGates(TemplateGate template_, OneTaskGate oneTask_) external {
        require(address(template) == address(0), "aimed");
        (template, oneTask) = (template_, oneTask_);
    }
    function aimAtProxy(UpgradeableFeeGate proxy_, DepositRecord deposited_) external {
        require(address(proxy) == address(0), "aimed");
        (proxy, deposited) = (proxy_, deposited_);
    }
    /// @dev Brings of two runs what one of them found, or anything.
    function accept(uint8 read, EventSum memory claim, uint8 choice, bool asNothing) external {
        ReceiptToRead[] memory receipts = new ReceiptToRead[](read % 3);
        for (uint64 i = 0; i < receipts.length; ++i) receipts[i] = ReceiptToRead(10, i, 1);
        if (choice % 3 == 0) claim = EventSum(0, 0, 0, 20, 0, 0);
        if (choice % 3 == 1) claim = EventSum(1, uint128(value), 0, 20, 1, 1);
        if (asNothing) deposited.acceptNothing(receipts, claim);
        else deposited.acceptAtLeast(receipts, claim);
    }
    function openProxy(uint256 claim, uint8 choice) external {
        proxy.update(_one(claim, choice));
    }
    function takeProxy() external {
        proxy.initialize(address(this));
    }
    /// @dev To an implementation over another task, with and without a call that takes the proxy.
    function upgrade(HdpTask calldata other, bool isTaking) external {
        UpgradeableFeeGate next = new UpgradeableFeeGate(proxy.store(), other);
        bytes memory taking = abi.encodeCall(UpgradeableFeeGate.initialize, (address(this)));
        proxy.upgradeToAndCall(address(next), isTaking ? taking : bytes(""));
    }
    function openTemplate(uint256 claim, uint8 choice) external {
        template.update(_one(claim, choice));
    }
    function openOneTask(uint256 claim, uint8 choice) external {
        oneTask.update(_one(claim, choice));
    }
    function enter(uint256 claim, uint8 choice) external {
        holders.enter(_one(claim, choice));
    }
    function open(uint256 claim, uint8 choice) external {
        gate.update(_one(claim, choice));
    }
    function openDeposits(uint256 claim, uint8 choice) external {
        deposits.update(_one(claim, choice));
    }
    function updateFees(uint256 claim, uint8 choice) external {
        fees.update(_one(claim, choice));
    }
    function roll(uint256 period, uint256 claim, uint8 choice) external {
        rolling.update(period % 3, _one(claim, choice));
    }
    function settle(uint256 claim, uint8 choice) external {
        twap.settle(_one(claim, choice));
    }
    function enterByView(uint256 claim, uint8 choice) external {
        viewGate.enter(_one(claim, choice));
    }
    function _one(uint256 claim, uint8 choice) private view returns (uint256) {
        if (choice % 3 == 0) return value;
        return choice % 3 == 1 ? (value << 128) | (value >> 128) : claim;
    }
}

contract OtherRecipesTest is Claims {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant VALUE = 200 gwei;
    MainnetHolders private holders;
    FeeGate private gate;
    DepositGate private deposits;
    SepoliaFees private fees;
    RollingAverage private rolling;
    TwapSettlement private twap;
    ViewGate private viewGate;
    TemplateGate private template;
    OneTaskGate private oneTask;
    UpgradeableFeeGate private proxy;
    DepositRecord private deposited;
    Bringers private bringers;

    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.Module;
    }

    function setUp() public {
        bringers = new Bringers(VALUE);
        HdpTask memory average = avgBaseFee(10, 30);
        address at_ = address(store());
        holders = new MainnetHolders(at_, taskForm(), 5);
        gate = new FeeGate(at_, average);
        deposits = new DepositGate(at_, average);
        fees = new SepoliaFees(at_, average);
        rolling = new RollingAverage(at_, taskForm());
        twap = new TwapSettlement(at_, bytes32(uint256(7)), address(8), 0, 1, 2);
        viewGate = new ViewGate(at_, bytes32(uint256(7)), Staking(address(9)), 5);
        template = new TemplateGate(at_, average);
        oneTask = new OneTaskGate(at_, average);
        address implementation = address(new UpgradeableFeeGate(at_, average));
        bytes memory data = abi.encodeCall(UpgradeableFeeGate.initialize, (address(this)));
        proxy = UpgradeableFeeGate(address(new FeeGateProxy(implementation, data)));
        deposited = new DepositRecord(at_, bytes32(uint256(7)), address(8), 10, 30);
        bringers.aimAtProxy(proxy, deposited);
        bringers.aimAtGates(template, oneTask);
        bringers.aim(holders, gate, deposits, fees);
        bringers.aimMore(rolling, twap, viewGate);
        finalize(average, VALUE);
        finalize(holders.balanceTask(address(bringers)), VALUE);
        finalize(rolling.averageTask(1), VALUE);
        finalize(HdpTask(twap.twapTask(), HdpForm.Module), VALUE);
        finalizeDigestOfBytes(viewGate.powerTask(address(bringers)), abi.encode(VALUE));
        // One block of 21 has a deposit, in a receipt that a run may leave out.
        finalizeFound(0, [uint128(0), 0, 0, 20, 0, 0]);
        finalizeFound(1, [uint128(1), uint128(VALUE), 0, 20, 1, 1]);
    }

    function finalizeFound(uint256 read, uint128[6] memory found) private {
        ReceiptToRead[] memory receipts = new ReceiptToRead[](read);
        if (read > 0) receipts[0] = ReceiptToRead(10, 0, 1);
        finalizeFoundIn(receipts, EventSum(found[0], found[1], found[2], found[3], found[4], found[5]));
    }

    function finalizeFoundIn(ReceiptToRead[] memory receipts, EventSum memory found) private {
        uint128[] memory values = new uint128[](6);
        (values[0], values[1], values[2]) = (found.count, found.sumLow, found.sumHigh);
        (values[3], values[4], values[5]) = (found.excludedBlocks, found.readBlocks, found.openReceipts);
        finalizeMarked(deposited.taskHash(receipts), values);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(bringers);
    }

    function invariant_nothing_but_the_proven_value_is_kept_and_it_opens_no_gate() public view {
        require(!holders.admitted(address(bringers)) && !viewGate.admitted(address(bringers)));
        require(!gate.isOpen() && !deposits.isOpen() && !template.isOpen() && !oneTask.isOpen());
        require(rolling.averages(0) == 0 && rolling.averages(2) == 0);
        _requireKept(gate.averageBaseFee());
        _requireKept(template.averageBaseFee());
        _requireKept(fees.averageBaseFee());
        _requireKept(rolling.averages(1));
        _requireKept(twap.settledPrice());
        _requireKept(deposited.depositedAtLeast());
        require(!deposited.nothingDeposited(), "there was a deposit");
    }

    function invariant_a_proxy_keeps_its_owner_and_task_under_strangers() public view {
        require(!proxy.isOpen() && proxy.owner() == address(this));
        (bytes32 hash, ) = gate.feeTask();
        require(proxy.feeTask().hash == hash, "another task");
        _requireKept(proxy.averageBaseFee());
    }

    /// @notice What forge calls at random does something where it brings the proven value.
    function test_bringers_bring_the_proven_value() public {
        bringers.open(0, 0);
        bringers.openProxy(0, 0);
        require(proxy.averageBaseFee() == VALUE);
        bringers.openTemplate(0, 0);
        bringers.updateFees(0, 0);
        bringers.roll(1, 0, 0);
        bringers.settle(0, 0);
        bringers.accept(1, EventSum(0, 0, 0, 0, 0, 0), 1, false);
        require(deposited.depositedAtLeast() == VALUE);
        require(gate.averageBaseFee() == VALUE && template.averageBaseFee() == VALUE);
        require(fees.averageBaseFee() == VALUE && rolling.averages(1) == VALUE && twap.settledPrice() == VALUE);
    }

    function testFuzz_gates_take_the_proven_value_alone(uint256 proven, uint256 other, bool isLow) public {
        if (isLow) proven %= 200 gwei;
        other = _another(other, proven);
        finalize(avgBaseFee(10, 30), proven);
        address[6] memory gates = [
            address(gate),
            address(template),
            address(oneTask),
            address(deposits),
            address(fees),
            address(proxy)
        ];
        bytes memory wrong = abi.encodeCall(FeeGate.update, (other));
        for (uint256 i = 0; i < gates.length; ++i) _bring(gates[i], wrong, abi.encodeCall(FeeGate.update, (proven)));
        require(fees.averageBaseFee() == proven && gate.averageBaseFee() == proven);
        require(gate.isOpen() == (proven <= 100 gwei) && template.isOpen() == gate.isOpen());
        require(proxy.isOpen() == gate.isOpen() && oneTask.isOpen() == (proven <= 10 gwei));
        require(deposits.isOpen() == (proven <= 0.01 gwei));
    }

    function testFuzz_the_others_take_the_proven_value_alone(uint256 proven, uint256 other, uint32 period) public {
        if (proven < 100 ether) proven += 100 ether;
        other = _another(other, proven);
        finalize(rolling.averageTask(period), proven);
        bytes memory right = abi.encodeCall(rolling.update, (period, proven));
        _bring(address(rolling), abi.encodeCall(rolling.update, (period, other)), right);
        require(rolling.averages(period) == proven);
        finalize(HdpTask(twap.twapTask(), HdpForm.Module), proven);
        _bring(address(twap), abi.encodeCall(twap.settle, (other)), abi.encodeCall(twap.settle, (proven)));
        require(twap.settledPrice() == proven);
        finalize(holders.balanceTask(ANYBODY), proven);
        _bring(address(holders), abi.encodeCall(holders.enter, (other)), abi.encodeCall(holders.enter, (proven)));
        finalizeDigestOfBytes(viewGate.powerTask(ANYBODY), abi.encode(proven));
        _bring(address(viewGate), abi.encodeCall(viewGate.enter, (other)), abi.encodeCall(viewGate.enter, (proven)));
        require(holders.admitted(ANYBODY) && viewGate.admitted(ANYBODY));
    }

    /// @notice The record is over 21 blocks.
    function testFuzz_a_record_takes_what_a_run_found_alone(
        ReceiptToRead[] memory receipts,
        EventSum memory found,
        EventSum memory other
    ) public {
        (found.count, found.openReceipts) = (found.count % 2, found.openReceipts % 2);
        (found.excludedBlocks, found.readBlocks) = (found.excludedBlocks % 20, 1 + (found.readBlocks % 2));
        if (found.sumLow % 2 == 0) found.readBlocks = 21 - found.excludedBlocks;
        if (keccak256(abi.encode(other)) == keccak256(abi.encode(found))) other.count ^= 1;
        finalizeFoundIn(receipts, found);
        bytes memory right = abi.encodeCall(deposited.acceptAtLeast, (receipts, found));
        _bring(address(deposited), abi.encodeCall(deposited.acceptAtLeast, (receipts, other)), right);
        require(deposited.depositedAtLeast() == (uint256(found.sumHigh) << 128) + found.sumLow);
        bool isNothing = found.count == 0 && found.openReceipts == 0;
        isNothing = isNothing && found.excludedBlocks + found.readBlocks == 21;
        try deposited.acceptNothing(receipts, found) {} catch {}
        require(deposited.nothingDeposited() == isNothing);
    }

    function test_a_replaced_result_changes_no_price_that_has_settled() public {
        bringers.settle(0, 0);
        finalize(HdpTask(twap.twapTask(), HdpForm.Module), 5);
        _refuse(address(twap), abi.encodeCall(twap.settle, (5)), TwapSettlement.AlreadySettled.selector);
        require(twap.settledPrice() == VALUE);
    }

    /// @notice Votes can be bought, and stakes made, until a snapshot that lies ahead.
    function test_a_snapshot_ahead_is_refused_where_the_chain_knows_its_blocks() public {
        vm.roll(100);
        vm.chainId(480);
        _pollAt(100);
        _viewGateAt(100);
        vm.chainId(11155111);
        _pollAt(99);
        _viewGateAt(99);
        try this._pollAt(100) {
            revert("ahead");
        } catch (bytes memory reason) {
            require(bytes4(reason) == Poll.NotPast.selector);
        }
        try this._viewGateAt(100) {
            revert("ahead");
        } catch (bytes memory reason) {
            require(bytes4(reason) == ViewGate.NotPast.selector);
        }
    }

    function _pollAt(uint256 snapshot) public {
        new Poll(address(store()), taskForm(), address(0x7070), 0, snapshot, block.timestamp + 1 days);
    }

    function _viewGateAt(uint256 snapshot) public {
        new ViewGate(address(store()), bytes32(uint256(7)), Staking(address(9)), snapshot);
    }

    /// @notice With a time that is over, the insurer is paid premiums and takes the money back in the next transaction.
    function test_an_insurance_that_the_insurer_can_empty_at_once_is_refused() public {
        HdpTask memory later = avgBaseFee(40, 60);
        address at_ = address(store());
        try new GasInsurance{value: 1 ether}(at_, later, 50 gwei, payable(at_), block.timestamp) {
            revert("empty at once");
        } catch (bytes memory reason) {
            require(bytes4(reason) == GasInsurance.NoTimeToSettle.selector);
        }
    }

    /// @notice Who deploys here at the address of a contract that held enough there is not its owner.
    function test_a_contract_at_the_address_of_a_holder_is_kept_out() public {
        finalize(holders.balanceTask(address(this)), 100 ether);
        try holders.enter(100 ether) {
            revert("admitted");
        } catch (bytes memory reason) {
            require(bytes4(reason) == MainnetHolders.NoKey.selector);
        }
        address holder = address(0xa11ce);
        finalize(holders.balanceTask(holder), 100 ether);
        vm.prank(holder, holder);
        holders.enter(100 ether);
        require(holders.admitted(holder));
    }

    /// @notice Over one sample the smallest balance is what somebody borrowed for that block.
    function test_an_airdrop_over_one_sample_is_refused() public {
        address at_ = address(store());
        new Airdrop(at_, taskForm(), 2, 8, 6);
        try new Airdrop(at_, taskForm(), 2, 8, 7) {
            revert("one sample");
        } catch (bytes memory reason) {
            require(bytes4(reason) == Airdrop.TooFewBlocks.selector);
        }
    }

    function _requireKept(uint256 kept) private pure {
        require(kept == 0 || kept == VALUE);
    }
}

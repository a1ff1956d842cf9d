// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Keeps its price as pools of Uniswap V3 do: seven values in one slot.
contract Pool {
    struct Slot0 {
        uint160 sqrtPriceX96;
        int24 tick;
        uint16 observationIndex;
        uint16 observationCardinality;
        uint16 observationCardinalityNext;
        uint8 feeProtocol;
        bool unlocked;
    }

    Slot0 public slot0 = Slot0(79228162514264337593543950336, -7, 3, 10, 10, 0, true);
}

/// Keeps its rounds as aggregators of Chainlink do: the number of the latest names the slot of its answer.
contract Aggregator {
    struct HotVars {
        bytes16 latestConfigDigest;
        uint40 latestEpochAndRound;
        uint8 threshold;
        uint32 latestAggregatorRoundId;
    }
    struct Transmission {
        int192 answer;
        uint64 timestamp;
    }

    HotVars private hotVars = HotVars(0, 9, 5, 41);
    mapping(uint32 => Transmission) private transmissions;

    constructor() {
        transmissions[41] = Transmission(2000e8, 1_700_000_000);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        uint32 round = hotVars.latestAggregatorRoundId;
        Transmission memory latest = transmissions[round];
        return (round, latest.answer, latest.timestamp, latest.timestamp, round);
    }
}

/// Asks the aggregator of its phase, as Chainlink's feeds do.
contract Feed {
    struct Phase {
        uint16 id;
        Aggregator aggregator;
    }

    Phase private currentPhase;

    constructor(Aggregator aggregator) {
        currentPhase = Phase(3, aggregator);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        Phase memory phase = currentPhase;
        (uint80 round, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredIn) = phase
            .aggregator
            .latestRoundData();
        uint80 first = uint80(uint256(phase.id) << 64);
        return (first | round, answer, startedAt, updatedAt, first | answeredIn);
    }
}

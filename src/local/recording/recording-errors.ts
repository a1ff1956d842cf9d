import type { ChainIdentifier } from "../../request/chains.js";
import { HdpError } from "../../request/errors.js";

/** Something in a fixture contradicts a hash that the fixture pins. */
export function tampered(chain: ChainIdentifier, block: bigint | number, field: string, sentence: string): HdpError {
  return new HdpError({
    code: "HDP-4603",
    message: `recorded data of ${chain}, block ${block}, field "${field}": ${sentence}.`,
    hints: ["The fixture was changed or is damaged. Take it from its source again, or record it again."],
  });
}

/** A read that the fixture does not have: nothing is read from anywhere else. */
export function notRecorded(chain: ChainIdentifier, block: bigint, what: string): HdpError {
  return new HdpError({
    code: "HDP-4604",
    message: `${what} of ${chain}, block ${block}, is not in the recorded chain data.`,
    hints: [
      "The fixture holds what its own tasks read. Record it again with this task:",
      "npx hardhat hdp:record <task file> --out <fixture> (several task files may share a fixture)",
    ],
  });
}

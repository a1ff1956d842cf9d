import { getAddress } from "viem/utils";

/** What is wrong with an address in mixed case, as a message and its hint. */
export interface WrongChecksum {
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks an EVM address (0x and 40 digits) in mixed case against its checksum, EIP-55. In one case there is none to be
 * wrong.
 *
 * @returns undefined where nothing is wrong
 */
export function wrongChecksum(address: string): WrongChecksum | undefined {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
  const right = getAddress(`0x${digits.toLowerCase()}`);
  if (right.slice(2) === digits) return undefined;
  return {
    message: `"${address}" is in mixed case with a wrong checksum: a digit may be mistyped.`,
    hint: `With its checksum (EIP-55) it would be ${right}. All in lower case, no checksum is looked at.`,
  };
}

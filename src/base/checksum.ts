import type { Address, Hex } from "viem";
import { getAddress, isAddress } from "viem/utils";

import { hdpError } from "../errors/hdp-error.js";

/** Returns the address with the right checksum (EIP-55) if it is mixed-case and its checksum is wrong. */
export function wrongChecksum(address: string): Address | undefined {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
  const right = getAddress(`0x${digits.toLowerCase()}`);
  return right.slice(2) === digits ? undefined : right;
}

export function requireAddress(text: string, path?: string): Address {
  const has40Digits = isAddress(text, { strict: false });
  const checksummed = has40Digits ? wrongChecksum(text) : undefined;
  if (has40Digits && checksummed === undefined) return getAddress(`0x${text.slice(2).toLowerCase()}`);
  const reason = has40Digits
    ? "its checksum is wrong, so a digit may be mistyped"
    : "it is not 0x and 40 hexadecimal digits";
  throw hdpError("HDP-3008", { address: text, reason, checksummed }, { path });
}

export function isTaskHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

export function requireTaskHash(text: string, path?: string): Hex {
  if (isTaskHash(text)) return text;
  throw hdpError("HDP-3011", { taskHash: text }, { path });
}

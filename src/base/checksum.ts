import type { Address, Hex } from "viem";
import { getAddress, isAddress } from "viem/utils";

import { hdpError } from "../errors/hdp-error.js";

/** Returns the address with its checksum (EIP-55) where that of a mixed-case one is wrong; in one case it has none. */
export function wrongChecksum(address: string): Address | undefined {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
  const right = getAddress(`0x${digits.toLowerCase()}`);
  return right.slice(2) === digits ? undefined : right;
}

/** Returns the address with its checksum. */
export function requireAddress(text: string, path?: string): Address {
  if (!isAddress(text, { strict: false })) {
    const reason = "it is not 0x and 40 hexadecimal digits";
    throw hdpError("HDP-3008", { address: text, reason, checksummed: undefined }, { path });
  }
  const checksummed = wrongChecksum(text);
  if (checksummed === undefined) return getAddress(`0x${text.slice(2).toLowerCase()}`);
  const reason = "its checksum is wrong, so a digit may be mistyped";
  throw hdpError("HDP-3008", { address: text, reason, checksummed }, { path });
}

/** Whether a text is 0x and 64 hexadecimal digits. */
export function isTaskHash(text: string): text is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(text);
}

/** Returns the task hash. */
export function requireTaskHash(text: string, path?: string): Hex {
  if (isTaskHash(text)) return text;
  throw hdpError("HDP-3011", { taskHash: text }, { path });
}

import type { Address, Hex } from "viem";
import { getAddress, isAddress, isHex } from "viem/utils";

import { findChainIdentifier, isStarknet } from "../request/chains.js";
import { wrongChecksum } from "../base/checksum.js";
import { HdpError } from "../errors/hdp-error.js";
import { starknetAddress } from "../store/starknet/starknet-js.js";

/** A task hash given as text: 0x and 64 hexadecimal digits. */
export function parseTaskHash(text: string, option: string): Hex {
  if (isTaskHash(text)) return text;
  throw new HdpError({
    code: "HDP-6004",
    path: option,
    message: `"${text}" is not a task hash.`,
    hints: ["A task hash is 0x and 64 hexadecimal digits; npx hardhat hdp hash <file> prints those of a task file."],
  });
}

export function isTaskHash(text: string): text is Hex {
  return isHex(text) && text.length === 66;
}

/** A contract address given as text, with its checksum. One in mixed case must have the right one already. */
export function parseAddress(text: string, option: string): Address {
  const isOne = isAddress(text, { strict: false });
  const wrong = isOne ? wrongChecksum(text) : undefined;
  if (isOne && wrong === undefined) return getAddress(text);
  if (wrong !== undefined) {
    throw new HdpError({ code: "HDP-6005", path: option, message: wrong.message, hints: [wrong.hint] });
  }
  throw new HdpError({
    code: "HDP-6005",
    path: option,
    message: `"${text}" is not an address.`,
    hints: ["An address is 0x and 40 hexadecimal digits."],
  });
}

/** The address of a store on a destination chain: on Starknet it is a felt. */
export function parseStore(text: string, destination: string | undefined): Hex {
  const chain = destination === undefined ? undefined : findChainIdentifier(destination);
  return chain !== undefined && isStarknet(chain) ? starknetAddress(text) : parseAddress(text, "--store");
}

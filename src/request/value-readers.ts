import type { Hex } from "viem";

import { formatFelt, isFelt } from "../base/felt.js";
import { nearest } from "../base/text.js";
import {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  type ChainIdentifier,
  chainIdentifierOf,
  findChainIdentifier,
} from "./chains.js";
import { quote, type Reader } from "./reader.js";

export const MAX_UINT64 = 2n ** 64n - 1n;
export const MAX_UINT256 = 2n ** 256n - 1n;

/** Limits that people read easier as powers. */
const NAMED_LIMITS = new Map([
  [MAX_UINT64, "2^64 - 1"],
  [MAX_UINT256, "2^256 - 1"],
]);

/** No longer text is an integer of 256 bits (as 0b text they are 258 characters), and converting it takes long. */
const MAX_INTEGER_LENGTH = 300;
const INTEGER_TEXT = /^-?(\d+|0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/i;

/** Reads an integer from a JSON number, a bigint, or decimal, 0x, 0o or 0b text; never through an inexact number. */
export function integer({ max, min = 0n }: { readonly max: bigint; readonly min?: bigint }): Reader<bigint> {
  return {
    read: (value, place) => {
      if (typeof value !== "bigint" && typeof value !== "number" && typeof value !== "string") {
        return place.reportType(value, "an integer");
      }
      const read = toInteger(value);
      if (read === undefined) {
        const exactly = Number.isInteger(value) ? " that a JSON number holds exactly" : undefined;
        return place.report("HDP-1112", { value: quote(value), exactly }, { value });
      }
      if (read >= min && read <= max) return read;
      return place.report(
        "HDP-1113",
        { value: read, min, max: NAMED_LIMITS.get(max) ?? max },
        { value, allowed: [min.toString(), max.toString()] },
      );
    },
    form: () => ({
      type: ["integer", "string"],
      minimum: Number(min),
      maximum: Number(max),
      pattern: `^${min === 0n ? "" : "(?!0[xXoObB]?0*$)"}(\\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$`,
    }),
  };
}

function toInteger(value: bigint | number | string): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value === "bigint") return value;
  if (value.length > MAX_INTEGER_LENGTH || !INTEGER_TEXT.test(value)) return undefined;
  return value.startsWith("-") ? -BigInt(value.slice(1)) : BigInt(value);
}

const CHAIN_NAMES = [...CHAIN_IDENTIFIERS, ...Object.keys(CHAIN_ALIASES)];

/** Reads a chain identifier or an alias. For a numeric id it suggests the name. */
export const chain: Reader<ChainIdentifier> = {
  read: (value, place) => {
    const known = typeof value === "string" ? findChainIdentifier(value) : undefined;
    if (known !== undefined) return known;
    const id = numericId(value);
    if (id === undefined && typeof value !== "string") {
      return place.reportType(value, 'a chain identifier, for instance "ETHEREUM_SEPOLIA"');
    }
    return place.report(
      "HDP-1109",
      { value: quote(value), chains: CHAIN_NAMES.join(", ") },
      {
        value,
        allowed: CHAIN_IDENTIFIERS,
        suggestion: id === undefined ? nearest(String(value), CHAIN_NAMES) : chainIdentifierOf(id),
      },
    );
  },
  form: () => ({ enum: CHAIN_NAMES }),
};

function numericId(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^(\d+|0x[0-9a-f]+)$/i.test(value) ? BigInt(value) : undefined;
}

/** Reads a felt from 0x-prefixed hex or a bigint; the result is lower case without leading zeros. */
export const felt: Reader<Hex> = {
  read: (value, place) => {
    if (typeof value !== "bigint" && typeof value !== "string") {
      return place.reportType(value, "a felt: 0x-prefixed hex");
    }
    const read = toFelt(value);
    return read === undefined ? place.report("HDP-1118", { value: quote(value) }, { value }) : formatFelt(read);
  },
  // Below 2^251 + 17 * 2^192 + 1, digit by digit.
  form: () => ({
    type: "string",
    pattern: "^0[xX]0*([0-9a-fA-F]{1,62}|[0-7][0-9a-fA-F]{62}|80{12}(0[0-9a-fA-F]|10)[0-9a-fA-F]{48}|80{12}110{48})$",
  }),
};

/** The felt of a bigint or of 0x-prefixed hex; undefined for everything else. */
export function toFelt(value: unknown): bigint | undefined {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return toFelt(BigInt(value));
  return typeof value === "bigint" && isFelt(value) ? value : undefined;
}

export const boolean: Reader<boolean> = {
  read: (value, place) => (typeof value === "boolean" ? value : place.reportType(value, "true or false")),
  form: () => ({ type: "boolean" }),
};

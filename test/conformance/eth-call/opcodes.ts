import { concatHex, type Hex, numberToHex } from "viem";

/** A contract whose call the module answers otherwise than a node, or not at all, and what the error says of it. */
export interface OpcodeCase {
  readonly name: string;
  readonly code: Hex;
  /** In the place where the error names what the module does. */
  readonly ours: RegExp;
  readonly cause: string;
}

const op = (hex: string): Hex => `0x${hex}`;
const push = (value: bigint): Hex => concatHex([op("7f"), numberToHex(value, { size: 32 })]);
/** Returns the word on top of the stack. */
const RETURN_TOP = op("5f5260205ff3");
const returning = (...code: readonly Hex[]): Hex => concatHex([...code, RETURN_TOP]);
const ONE = op("6001");
const ZERO = op("5f");
const FAR = push(2n ** 32n);
/** STATICCALL without data, and one more than whether it succeeded and the length of what it returned. */
const called = (address: bigint): Hex =>
  returning(op("5f5f5f5f"), push(address), op("5afa"), op("3d01"), ONE, op("01"));
const RETURNS = /returns 0x[0-9a-f]{64}, where/;
const TYPE_ERROR = /reverts with 0x4b4b543a207479706520636f6e76657273696f6e206572726f72, where/;
const panics = (text: string): RegExp => new RegExp(`gives no answer \\(${text}\\), where`);

/** Deployment code of a contract. */
export function deployment(code: Hex): Hex {
  const length = numberToHex((code.length - 2) / 2, { size: 2 });
  return concatHex([op("61"), length, op("80600a5f395ff3"), code]);
}

/** What is in the account that another one delegates to. */
export const DELEGATE = returning(push(7n));

/** All that is known to differ, but for accounts that only some clients can make. */
export const DIFFERING_OPCODES: readonly OpcodeCase[] = [
  {
    name: "CLZ",
    code: returning(ONE, op("1e")),
    ours: /reverts with 0x696e76616c6964206f70636f6465, where/,
    cause: "CLZ",
  },
  {
    name: "BLOBHASH",
    code: returning(op("6007"), ZERO, op("49"), op("01")),
    ours: RETURNS,
    cause: "BLOBHASH",
  },
  { name: "BASEFEE", code: returning(op("48")), ours: RETURNS, cause: "BASEFEE or GASPRICE" },
  { name: "GASPRICE", code: returning(op("3a")), ours: RETURNS, cause: "BASEFEE or GASPRICE" },
  { name: "GAS", code: returning(op("5a")), ours: RETURNS, cause: "GAS, of which" },
  {
    name: "BALANCE of the caller",
    code: returning(op("3331")),
    ours: RETURNS,
    cause: "BALANCE of the caller",
  },
  { name: "CHAINID", code: returning(op("46")), ours: RETURNS, cause: "CHAINID" },
  {
    name: "BLOCKHASH of the parent",
    code: returning(ONE, op("430340")),
    ours: RETURNS,
    cause: "BLOCKHASH",
  },
  {
    name: "BLOCKHASH of 2^64",
    code: returning(push(2n ** 64n), op("40")),
    ours: TYPE_ERROR,
    cause: "BLOCKHASH",
  },
  {
    name: "CALLDATALOAD at 2^32",
    code: returning(FAR, op("35")),
    ours: TYPE_ERROR,
    cause: "CALLDATALOAD",
  },
  {
    name: "SHA3 of length 0 at 2^32",
    code: returning(ZERO, FAR, op("20")),
    ours: TYPE_ERROR,
    cause: "SHA3",
  },
  {
    name: "MCOPY of length 0 from 2^32",
    code: returning(ZERO, FAR, ZERO, op("5e"), ONE),
    ours: TYPE_ERROR,
    cause: "MCOPY",
  },
  {
    name: "JUMPI to 2^32 that is not taken",
    code: returning(ZERO, FAR, op("57"), ONE),
    ours: TYPE_ERROR,
    cause: "JUMPI",
  },
  {
    name: "MSTORE at 15 of 16, which corrupts the word itself",
    code: returning(
      push(2n ** 256n - 1n),
      op("604052"),
      push(BigInt(`0x${"11".repeat(32)}`)),
      op("602f52"),
      op("602f51"),
    ),
    ours: /returns 0x1111111111111111111111111111111111121111111111111111111111111110, where/,
    cause: "MSTORE at an offset that is no multiple of 16",
  },
  {
    name: "MSTORE at 1 of 16, which loses what is behind",
    code: returning(push(2n ** 256n - 1n), op("604052"), push(1n), op("602152"), op("604151")),
    ours: RETURNS,
    cause: "MSTORE at an offset that is no multiple of 16",
  },
  {
    name: "an end of all gas",
    code: op("fe"),
    ours: /reverts with 0x696e76616c6964206f70636f6465, where/,
    cause: "an end of all gas",
  },
  {
    name: "SAR by 256",
    code: returning(push(2n ** 255n), op("6101001d")),
    ours: panics("mul Overflow"),
    cause: "SAR by 256",
  },
  {
    name: "an account that does not exist",
    code: returning(push(0x1111111111111111n), op("31")),
    ours: panics("Account: code hash mismatch"),
    cause: "an account that does not exist",
  },
];

/** Precompiles, which a test gives an account with 1 wei, as public chains' have. */
export const DIFFERING_PRECOMPILES: readonly OpcodeCase[] = [
  {
    name: "EXTCODEHASH of a precompile",
    code: returning(op("60043f")),
    ours: RETURNS,
    cause: "EXTCODEHASH of a precompile",
  },
  {
    name: "point evaluation",
    code: called(10n),
    ours: panics("pre-compile at address 10 isn't implemented yet"),
    cause: "",
  },
  ...Array.from({ length: 7 }, (_, index): OpcodeCase => {
    const number = BigInt(11 + index);
    return {
      name: `BLS12-381, precompile ${number}`,
      code: called(number),
      ours: RETURNS,
      cause: "a precompile",
    };
  }),
];

import type { Address } from "viem";

import { createdAddress } from "../../base/created-address.js";
import type { KnownWord } from "../../submission/known-words.js";
import { accountText } from "./solidity-task-text.js";
import { type SoliditySource, wordsOf } from "./solidity-words.js";

/** Where EDR runs a test contract, and the sender of its calls. */
const TEST: Address = "0x7fa9385be102ac3eac297483dd6233d62b3e1496";
const SENDER: Address = "0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38";
/** Contracts of a test, the first, and of those each the first. */
const CREATED = { byTest: 16, byOther: 2 };

/** Returns the accounts of a Solidity test: itself, the sender of its calls, and contracts that it, or those, created. */
export function accountsOfTest(): readonly KnownWord[] {
  const created = contractsOf(TEST, CREATED.byTest).map((value, at) => ({
    value,
    origin: `${accountText(value)}, the contract that the test created with nonce ${at + 1}`,
  }));
  const others = created.flatMap((creator) =>
    contractsOf(accountText(creator.value), CREATED.byOther).map((value) => ({
      value,
      origin: `${accountText(value)}, a contract that ${accountText(creator.value)} created`,
    })),
  );
  const own: KnownWord[] = [
    { value: BigInt(TEST), origin: `${TEST}, the test contract` },
    { value: BigInt(SENDER), origin: `${SENDER}, the sender of the test's calls` },
  ];
  return [...own, ...created, ...others];
}

/** Returns the accounts of the contracts that an account creates with its first nonces. */
function contractsOf(creator: Address, count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, at) => BigInt(createdAddress(creator, BigInt(at + 1))));
}

/**
 * Says what an account is that a contract took for its store, and what to give it.
 * @param sources the test's source, then those that it imports
 * @param test name of the test's function
 */
export function noStoreLines(
  account: bigint,
  sources: readonly SoliditySource[],
  test: string,
): readonly string[] {
  return [whatItIs(account, [...accountsOfTest(), ...wordsOf(sources, test)]), GIVE_STORE];
}

const GIVE_STORE =
  "Give the contract address(store()): arguments of its constructor may be swapped.";

function whatItIs(account: bigint, known: readonly KnownWord[]): string {
  if (account === 0n) return "The zero address was asked as a store: the contract was given none.";
  const address = accountText(account);
  const origin = known.find((one) => one.value === account && one.origin !== undefined)?.origin;
  if (origin === undefined)
    return `${address} was asked as a store and is none: no contract that the test created is known to be there.`;
  const named = origin.startsWith(address) ? origin : `${address}, ${origin}`;
  return `Asked as a store was ${named}: it is none.`;
}

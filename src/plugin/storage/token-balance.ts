import type { Address, Hex } from "viem";
import { concatHex, keccak256 } from "viem/utils";

import { toWord } from "../../base/hex.js";
import { askNode, callFailure, type Eip1193Provider, isAnswer } from "../../base/rpc.js";
import { asData, codeAt, quantity } from "../../chain/node-rpc.js";
import { type ListedSlot, listedSlots } from "../../compute/proven-call.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import { storage, type StorageProperty } from "../../request/sampled-property.js";
import { erc7201, mappingSlot } from "../../request/storage-slots.js";
import { accessList, nodeAnswer, NO_SENDER } from "../node-call.js";

/** A holder's balance of a token on a chain, at a block. */
export interface TokenBalance {
  readonly provider: Eip1193Provider;
  readonly token: Address;
  readonly holder: Address;
  readonly block: bigint;
}

/** `balanceOf(address)` */
const BALANCE_OF: Hex = "0x70a08231";

/** Slots of mappings that are tried, from 0: inherited contracts may have variables before the balances. */
const TRIED_SLOTS = 128n;
/** Maximum number of slots of an access list that are tried, one call each. */
const MAX_LISTED = 64;

/** `_BALANCE_SLOT_SEED` of Solady's ERC20. */
const SOLADY_SEED: Hex = "0x000000000000000087a211a2";

/**
 * Returns the slots at which known tokens keep a holder's balance: mappings of Solidity (OpenZeppelin's at 0, in its
 * upgradeable ERC-20 of version 4 at 51, Solmate's at 3, USDC's at 9), of Vyper, whose slot is hashed before the key,
 * OpenZeppelin's namespace since version 5, and Solady's seeded slot.
 */
function knownSlots(holder: Address): readonly Hex[] {
  const key = toWord(BigInt(holder));
  const places = Array.from({ length: Number(TRIED_SLOTS) }, (_, slot) => toWord(BigInt(slot)));
  return [
    ...[...places, erc7201("openzeppelin.storage.ERC20")].map((slot) => mappingSlot(slot, holder)),
    ...places.map((slot) => keccak256(concatHex([slot, key]))),
    keccak256(concatHex([holder, SOLADY_SEED])),
  ];
}

/**
 * Finds the slot of a holder's balance: the one whose content, overridden in a call, `balanceOf` returns. Tries the slots
 * of known tokens in one call, then those of the node's access list one by one. The slot has to hold what `balanceOf`
 * returns at the block.
 *
 * @throws HdpError HDP-6127 where no slot is found, HDP-6128 where it holds something else
 */
export async function findTokenBalance(asked: TokenBalance): Promise<StorageProperty> {
  const { provider, block, token, holder } = asked;
  if ((await codeAt(provider, token, quantity(block))) === "0x")
    throw notFound(asked, "the token has no code");
  const balance = await readBalance(asked);
  const known = knownSlots(holder).map((slot) => ({ address: token, slot }));
  const place = (await findReturnedPlace(asked, known)) ?? (await listedPlace(asked));
  if (place === undefined)
    throw notFound(asked, "no slot that was tried holds what its balanceOf returns");
  const { address, slot } = place;
  const stored = await askNode(provider, "eth_getStorageAt", [address, slot, quantity(block)]);
  const word = BigInt(asData(stored, "eth_getStorageAt", "result"));
  if (word === balance) return storage(address, slot);
  throw hdpError("HDP-6128", { token, holder, block, address, slot, stored: word, balance });
}

/** Returns what a token says that a holder has. @throws HdpError HDP-6127 where it says nothing */
async function readBalance(asked: TokenBalance): Promise<bigint> {
  const answer = await nodeAnswer(asked.provider, balanceCall(asked));
  if ("failure" in answer) throw notFound(asked, `balanceOf failed: ${answer.failure}`);
  if (answer.success && isWord(answer.data)) return BigInt(answer.data);
  const problem = answer.success ? "returned no integer" : "reverted";
  throw notFound(asked, `balanceOf ${problem}, so it is not an ERC-20 token`);
}

/** First of the numbers that stand in for balances, one for each slot. It fits narrow balances, and is no real one. */
const MARKER = 0x5ca1_ab1e_0000n;

/** Returns the place whose content `balanceOf` returns, of those that hold a number each in one call. */
async function findReturnedPlace(
  asked: TokenBalance,
  places: readonly ListedSlot[],
): Promise<ListedSlot | undefined> {
  const overrides: Record<Address, { stateDiff: Record<Hex, Hex> }> = {};
  for (const [index, { address, slot }] of places.entries()) {
    overrides[address] ??= { stateDiff: {} };
    overrides[address].stateDiff[slot] = toWord(MARKER + BigInt(index));
  }
  const { from, to, data, block } = balanceCall(asked);
  const params = [{ from, to, data }, quantity(block), overrides];
  const answer: unknown = await asked.provider
    .request({ method: "eth_call", params })
    // A revert, or a node that takes no overrides: none is found.
    .catch((error: unknown) => {
      if (!isAnswer(error)) throw callFailure("eth_call", params.slice(0, 2), error);
    });
  if (!isWord(answer)) return undefined;
  const index = BigInt(answer) - MARKER;
  return index < 0n ? undefined : places[Number(index)];
}

/** Returns the place whose content `balanceOf` returns, of those that the node says are read. */
async function listedPlace(asked: TokenBalance): Promise<ListedSlot | undefined> {
  const answer = await accessList(asked.provider, balanceCall(asked));
  for (const place of listedSlots(answer).slice(0, MAX_LISTED)) {
    const found = await findReturnedPlace(asked, [place]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function balanceCall({ token, holder, block }: TokenBalance) {
  const data = concatHex([BALANCE_OF, toWord(BigInt(holder))]);
  return { from: NO_SENDER, to: token, data, block };
}

function isWord(answer: unknown): answer is Hex {
  return typeof answer === "string" && /^0x[0-9a-f]{64}$/i.test(answer);
}

function notFound({ token, holder, block }: TokenBalance, reason: string): HdpError {
  return hdpError("HDP-6127", { token, holder, block, reason });
}

import type { Hex } from "viem";

import { bytesAt, integer, openEnvelope, words, type RlpItem } from "./rlp-fields.js";

const ITEMS = ["status", "cumulativeGasUsed", "logsBloom", "logs"];
const LOGS = ITEMS.indexOf("logs");

/** The value of a receipt's field by name, from the form that is hashed. */
export function receiptField(raw: Hex, field: string, what: string): bigint | readonly bigint[] {
  const bytes = bytesAt(openEnvelope(raw, what).items, ITEMS.indexOf(field), what);
  return field === "logsBloom" ? words(bytes, what) : integer(bytes);
}

/** The value of a field of a receipt's log: address, topic0 … topic4, or data in words. */
export function logField(raw: Hex, logIndex: number, field: string, what: string): bigint | readonly bigint[] {
  const log = listAt(listAt(openEnvelope(raw, what).items, LOGS), logIndex);
  if (field === "address") return integer(bytesAt(log, 0, what));
  if (field === "data") return words(bytesAt(log, 2, what), what);
  return integer(bytesAt(listAt(log, 1), Number(field.slice("topic".length)), what));
}

/** A nested list; an absent one has no items, so that what is asked of it is refused by name. */
function listAt(items: readonly RlpItem[], index: number): readonly RlpItem[] {
  const item = items[index];
  return item === undefined || typeof item === "string" ? [] : item;
}

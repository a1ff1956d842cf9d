import { keysOf } from "../base/tables.js";

/** Aggregate functions with the words that say what they make of a property; the position is the encoded id. */
export const FUNCTION_WORDS = {
  avg: "average of",
  sum: "sum of",
  min: "minimum of",
  max: "maximum of",
  count: "count of",
} as const;

export type AggregateFn = keyof typeof FUNCTION_WORDS;

/** Aggregate functions; the position is the encoded id. */
export const AGGREGATE_FUNCTIONS = keysOf(FUNCTION_WORDS);

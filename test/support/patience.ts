import { EXPLAIN_WITHIN } from "../../src/plugin/explain-within.js";

/** What a user waits for the explanation of a failed read. */
export const OWN_LIMITS = { ...EXPLAIN_WITHIN };

/** What tests wait, so that they say the same on a busy machine. */
export const LONG_LIMITS = { all: 30_000, search: 20_000, contracts: 20_000, rest: 50 };

Object.assign(EXPLAIN_WITHIN, LONG_LIMITS);

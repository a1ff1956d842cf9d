/**
 * Milliseconds that an explanation may take after a failed call, those of them for the search of the asked task and to read
 * the project's contracts, and those that are left for the rest when the node is asked no longer what the call hashed.
 */
export const EXPLAIN_WITHIN = { all: 190, search: 120, contracts: 80, rest: 50 };

/**
 * Milliseconds that an explanation may take after a failed call, those of them for the search of the asked task, and those to
 * ask the node what the call hashed and to read the project's contracts, while the chain and the project are read.
 */
export const EXPLAIN_WITHIN = { all: 190, search: 120, hashed: 110, contracts: 80 };

/** Milliseconds that an explanation may take after a failed call, and those of them for the search of the asked task. */
export const EXPLAIN_WITHIN = { all: 190, search: 120 };

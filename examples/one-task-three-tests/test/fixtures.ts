// Task hashes and results, written by `npx hardhat hdp fixtures`.
// To change them, run it again.

/** Task hash: average of header.base_fee_per_gas. */
export const FEE_TASK = "0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330";
/** Its result. */
export const FEE_RESULT = 1000000000n;

// Task hashes and results, written by `npx hardhat hdp fixtures`.
// To change them, run it again.

/** Task hash: average of header.base_fee_per_gas. */
export const FEE_TASK = "0xbe3a9bd28434357e26e61f59c5fe8cca56d9162be8c35bb34ff909a39ee467b2";
/** Its result. */
export const FEE_RESULT = 1000000000n;
/** Its form, a number of HdpForm: { hash: FEE_TASK, form: FEE_FORM }. */
export const FEE_FORM = 1;

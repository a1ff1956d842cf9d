// Task hashes and results, written by `npx hardhat hdp fixtures`.
// To change them, run it again.

/** Task hash: average of header.base_fee_per_gas. */
export const FEE_TASK = "0xa8f06b4733b06fd4a1479bfd5ef51b7321c0ccad804416aa8f7e6f2c9691eb6d";
/** Its result. */
export const FEE_RESULT = 1000000000n;
/** Its form, a number of HdpForm: { hash: FEE_TASK, form: FEE_FORM }. */
export const FEE_FORM = 1;

// Written by `npm run cairo` from contracts/starknet/programs.

/** Hash of each standard program, and the short string that is its first input. */
export const PROGRAM_FACTS = {
  blocks: {
    programHash: "0x210216646335e6b67b27362499c0103920a41ab01410ab218c7fddfd00608ce",
    format: "hdp blocks 1",
  },
  transactions: {
    programHash: "0x5a7027e3b7d32c908f95718f1fc417f0c896ff1f106d183365336501c57e53c",
    format: "hdp transactions 1",
  },
} as const;

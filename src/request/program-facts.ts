// Written by `npm run cairo` from contracts/starknet/programs.

/** Hash of each standard program, and the short string that is its first input. */
export const PROGRAM_FACTS = {
  blocks: {
    programHash: "0x6d98084b3067e04a39a9666f0a304ad9d67b1c0d8d1e4337ea305c4920530a",
    format: "hdp blocks 1",
  },
  transactions: {
    programHash: "0x371a4c7b45773783c85f1c349ca2d225b9e926e62861c93755de7360154830d",
    format: "hdp transactions 1",
  },
} as const;

/** Starknet header fields by selector. */
export const STARKNET_HEADER_FIELDS = [
  "blockNumber",
  "stateRoot",
  "sequencerAddress",
  "blockTimestamp",
  "transactionCount",
  "transactionCommitment",
  "eventCount",
  "eventCommitment",
  "parentBlockHash",
  "stateDiffCommitment",
  "stateDiffLength",
  "l1GasPriceInWei",
  "l1GasPriceInFri",
  "l1DataGasPriceInWei",
  "l1DataGasPriceInFri",
  "receiptsCommitment",
  "l1DataMode",
  "protocolVersion",
] as const;
/** A field of a Starknet block's header. */
export type StarknetHeaderField = (typeof STARKNET_HEADER_FIELDS)[number];

/** Fields of Starknet headers in the order of the module library's numbers. */
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
/** The name of a Starknet header field. */
export type StarknetHeaderField = (typeof STARKNET_HEADER_FIELDS)[number];

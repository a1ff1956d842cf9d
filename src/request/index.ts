export { CHAIN_ALIASES, CHAIN_IDENTIFIERS, CHAIN_IDS, chainIdOf, chainIdentifierOf, isStarknet } from "./chains.js";
export type { ChainIdentifier } from "./chains.js";
export {
  datalakeCommitment,
  encodeCompute,
  encodeDatalake,
  encodeIncludedTypes,
  encodeSampledProperty,
  encodeTask,
} from "./encode.js";
export type { DatalakeEncoding, EncodeOptions } from "./encode.js";
export { HdpError, isHdpError } from "./errors.js";
export type { HdpErrorCode, HdpErrorOptions } from "./errors.js";
export { FELT_PRIME, formatFelt, isFelt } from "./felt.js";
export { fieldSupport, functionsOf, listFields } from "./field-support.js";
export type { FieldKind, FieldSupport, TransactionType } from "./field-support.js";
export type * from "./fields.js";
export type * from "./lifecycle.js";
export { parseTask, parseTaskRequest } from "./parse.js";
export type { ParseOptions } from "./parse.js";
export { formatSampledProperty } from "./sampled-property.js";
export type * from "./task.js";
export { taskHash } from "./task-hash.js";
export { TaskMistake, TaskRequestError } from "./task-request-error.js";
export type { FieldChoice } from "./task-schema.js";

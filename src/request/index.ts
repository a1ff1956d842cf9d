export { DEFAULT_CHAIN, blockSampled, moduleTask, taskRequest, transactionsInBlock } from "./builder.js";
export type * from "./builder.js";
export {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  CHAIN_IDS,
  chainIdOf,
  chainIdentifierOf,
  findChainIdentifier,
  isChainIdentifier,
  isStarknet,
} from "./chains.js";
export type { ChainIdentifier, ChainName } from "./chains.js";
export { describeTask } from "./describe-task.js";
export type { TaskDescription } from "./describe-task.js";
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
export { batchTree, leafHash, resultCommitment, resultWord, splitWord, wordTree } from "./merkle.js";
export type { BatchTree, WordTree } from "./merkle.js";
export { outputRoot } from "./output-root.js";
export { parseChainIdentifier, parseTask, parseTaskRequest, parseTaskRequestText } from "./parse.js";
export type { ParseOptions } from "./parse.js";
export { account, header, storage, tx, txReceipt } from "./properties.js";
export type * from "./properties.js";
export { formatSampledProperty } from "./sampled-property.js";
export type * from "./task.js";
export { taskHash } from "./task-hash.js";
export { TaskMistake, TaskRequestError } from "./task-request-error.js";
export type { FieldChoice } from "./task-schema.js";
export { toTaskJson, toTaskRequestJson } from "./task-request-json.js";
export type { JsonValue } from "./task-request-json.js";
export { visitedElements } from "./visited-elements.js";
export type { VisitedElements } from "./visited-elements.js";

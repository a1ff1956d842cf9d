export { FELT_PRIME, formatFelt, isFelt } from "../base/felt.js";
export { requireAddress as checksumAddress, splitWord } from "../base/hex.js";
export {
  HdpError,
  type HdpErrorCode,
  type HdpErrorOptions,
  isHdpError,
} from "../errors/hdp-error.js";
export {
  type BlockReference,
  last,
  parseBlockReference,
  type ResolvedBlock,
} from "../request/block-reference.js";
export {
  blockSampled,
  DEFAULT_CHAIN,
  moduleTask,
  taskRequest,
  transactionsInBlock,
} from "../request/builder.js";
export type * from "../request/builder.js";
export * from "../request/chains.js";
export {
  describeTask,
  type TaskDescription,
  visitedElements,
  type VisitedElements,
} from "../request/describe-task.js";
export { fieldSupport, listFields } from "../request/field-support.js";
export type {
  AccountField,
  AggregateFn,
  FieldEntry,
  FieldKind,
  FieldType,
  HeaderField,
  ItemType,
  PropertyWithoutFunctions,
  ReceiptField,
  TransactionField,
  TransactionType,
} from "../request/fields.js";
export type { FieldSupport } from "../request/field-support.js";
export type { StarknetHeaderField } from "../request/starknet-fields.js";
export type { TransactionItem } from "../request/rlp-lists.js";
export type { InjectedRoots } from "../request/injected-state.js";
export { batchTree, leafHash, resultCommitment, resultWord, wordTree } from "../request/merkle.js";
export type { BatchTree, WordTree } from "../request/merkle.js";
export {
  markedFelts,
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
  valueFelts,
  valueOfFelts,
} from "../request/output-root.js";
export { parseTask, parseTaskRequest, parseTaskRequestText } from "../request/parse.js";
export { toTaskJson, toTaskRequestJson } from "../request/task-json.js";
export type { JsonValue } from "../request/task-json.js";
export {
  ABSENT_ACCOUNT,
  type ModuleFormRefusal,
  moduleFormRefusals,
} from "../request/module-form.js";
export {
  type FieldChoice,
  type ParseOptions,
  TaskError,
  TaskRequestError,
} from "../request/reader.js";
export {
  account,
  formatSampledProperty,
  supportedFunctions,
  header,
  storage,
  tx,
  txReceipt,
} from "../request/sampled-property.js";
export type {
  AccountProperty,
  FieldProperty,
  StorageProperty,
} from "../request/sampled-property.js";
export { erc20Balance, erc7201, type MappingKey, mappingSlot } from "../request/storage-slots.js";
export {
  asDatalake,
  asModule,
  STANDARD_PROGRAMS,
  standardProgram,
  type StandardProgram,
} from "../request/standard-programs.js";
export {
  StateNodeMap,
  computeStateRoot,
  verifyStateRead,
  verifyStateUpdate,
} from "../request/state-trie.js";
export type {
  StateNode,
  StateNodes,
  StateReadProof,
  StateUpdateProof,
} from "../request/state-trie.js";
export {
  datalakeCommitment,
  encodeCompute,
  encodeDatalake,
  encodeIncludedTypes,
  encodeSampledProperty,
  encodeTask,
  taskHash,
} from "../request/task-hash.js";
export {
  findDatalake,
  taskForm,
  HDP_FORM,
  inForm,
  type TaskForm,
  valueWord,
  writtenTask,
} from "../request/task-form.js";
export type { DatalakeEncoding, EncodeOptions } from "../request/task-hash.js";
export * from "../request/data-processor.js";
export * from "../request/task.js";
export * from "../request/task-result.js";
export * from "../request/written-task.js";

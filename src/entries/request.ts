export { erc20Balance, mappingSlot } from "../request/storage-slots.js";
export type { MappingKey } from "../request/storage-slots.js";
export { last, parseBlockReference } from "../request/block-reference.js";
export type { BlockReference, ResolvedBlock } from "../request/block-reference.js";
export { DEFAULT_CHAIN, blockSampled, moduleTask, taskRequest, transactionsInBlock } from "../request/builder.js";
export type * from "../request/builder.js";
export {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  CHAIN_IDS,
  chainIdOf,
  chainIdentifierOf,
  findChainIdentifier,
  isChainIdentifier,
  isStarknet,
} from "../request/chains.js";
export type { ChainIdentifier, ChainName } from "../request/chains.js";
export { describeTask } from "../request/describe-task.js";
export type { TaskDescription } from "../request/describe-task.js";
export {
  datalakeCommitment,
  encodeCompute,
  encodeDatalake,
  encodeIncludedTypes,
  encodeSampledProperty,
  encodeTask,
} from "../request/task-hash.js";
export type { DatalakeEncoding, EncodeOptions } from "../request/task-hash.js";
export { HdpError, isHdpError } from "../errors/hdp-error.js";
export type { HdpErrorCode, HdpErrorOptions } from "../errors/hdp-error.js";
export { FELT_PRIME, formatFelt, isFelt } from "../base/felt.js";
export { fieldSupport, listFields } from "../request/fields.js";
export { functionsOf } from "../request/sampled-property.js";
export type { FieldKind, FieldSupport, TransactionType } from "../request/fields.js";
export type * from "../request/fields.js";
export type * from "../request/fields.js";
export type * from "../request/lifecycle.js";
export { batchTree, leafHash, resultCommitment, resultWord, wordTree } from "../request/merkle.js";
export { splitWord } from "../base/hex.js";
export type { BatchTree, WordTree } from "../request/merkle.js";
export { outputRoot } from "../request/merkle.js";
export { parseChainIdentifier, parseTask, parseTaskRequest, parseTaskRequestText } from "../request/parse.js";
export type { FieldChoice, ParseOptions } from "../request/reader.js";
export { account, header, storage, tx, txReceipt } from "../request/builder.js";
export type * from "../request/builder.js";
export { formatSampledProperty } from "../request/sampled-property.js";
export type * from "../request/task.js";
export { taskHash } from "../request/task-hash.js";
export { TaskMistake, TaskRequestError } from "../request/task-request-error.js";
export { toTaskJson, toTaskRequestJson } from "../request/parse.js";
export type { JsonValue } from "../request/parse.js";
export { visitedElements } from "../request/describe-task.js";
export type { VisitedElements } from "../request/describe-task.js";
export type { InjectedRoots } from "../request/injected-state.js";
export { StateNodeMap, stateRootOf } from "../request/state-trie.js";
export type { StateNode, StateNodes } from "../request/state-trie.js";
export { verifyStateRead, verifyStateUpdate } from "../request/state-trie.js";
export type { StateReadProof, StateUpdateProof } from "../request/state-trie.js";

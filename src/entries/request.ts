export { FELT_PRIME, formatFelt, isFelt } from "../base/felt.js";
export { splitWord } from "../base/hex.js";
export { HdpError, isHdpError } from "../errors/hdp-error.js";
export type { HdpErrorCode, HdpErrorOptions } from "../errors/hdp-error.js";
export { last, parseBlockReference } from "../request/block-reference.js";
export type { BlockReference, ResolvedBlock } from "../request/block-reference.js";
export { blockSampled, DEFAULT_CHAIN, moduleTask, taskRequest, transactionsInBlock } from "../request/builder.js";
export type * from "../request/builder.js";
export {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  CHAIN_IDS,
  chainIdentifierOf,
  chainIdOf,
  findChainIdentifier,
  isChainIdentifier,
  isStarknet,
} from "../request/chains.js";
export type { ChainIdentifier, ChainName } from "../request/chains.js";
export { describeTask, visitedElements } from "../request/describe-task.js";
export type { TaskDescription, VisitedElements } from "../request/describe-task.js";
export { fieldSupport, listFields } from "../request/fields.js";
export type * from "../request/fields.js";
export type { InjectedRoots } from "../request/injected-state.js";
export type * from "../request/lifecycle.js";
export { batchTree, leafHash, outputRoot, resultCommitment, resultWord, wordTree } from "../request/merkle.js";
export type { BatchTree, WordTree } from "../request/merkle.js";
export { parseTask, parseTaskRequest, parseTaskRequestText, toTaskJson, toTaskRequestJson } from "../request/parse.js";
export type { JsonValue } from "../request/parse.js";
export type { FieldChoice, ParseOptions } from "../request/reader.js";
export {
  account,
  erc20Balance,
  formatSampledProperty,
  functionsOf,
  header,
  mappingSlot,
  storage,
  tx,
  txReceipt,
} from "../request/sampled-property.js";
export type { AccountProperty, FieldProperty, MappingKey, StorageProperty } from "../request/sampled-property.js";
export { StateNodeMap, stateRootOf, verifyStateRead, verifyStateUpdate } from "../request/state-trie.js";
export type { StateNode, StateNodes, StateReadProof, StateUpdateProof } from "../request/state-trie.js";
export {
  datalakeCommitment,
  encodeCompute,
  encodeDatalake,
  encodeIncludedTypes,
  encodeSampledProperty,
  encodeTask,
  taskHash,
} from "../request/task-hash.js";
export type { DatalakeEncoding, EncodeOptions } from "../request/task-hash.js";
export { TaskError, TaskRequestError } from "../request/reader.js";
export type * from "../request/task.js";

export { requireAuthentication, requiresAuthentication } from "../store/prove-batch.js";
export type { MockTransactionOptions as RequireAuthenticationOptions } from "../store/transact.js";
export { deployExecutionStoreMock, MOCK_PROGRAM_HASH } from "../store/finalize.js";
export type { DeployedMock, DeployMockOptions } from "../store/finalize.js";
export { NotFinalizedError, openExecutionStore } from "../store/execution-store.js";
export type {
  ExecutionStore,
  OpenStoreOptions,
  ReadResultOptions,
  StoredStatus,
  StoreKind,
} from "../store/execution-store.js";
export { addOperators, finalizeTasks, TASKS_PER_TRANSACTION } from "../store/finalize.js";
export type { AddOperatorsOptions, FinalizedTasks, FinalizeOptions } from "../store/finalize.js";
export type { TaskWord } from "../request/lifecycle.js";
export { hdpAggregatorsFactoryMockAbi } from "../store/generated/hdp-aggregators-factory-mock.js";
export {
  hdpExecutionStoreMockAbi,
  hdpExecutionStoreMockBytecode,
} from "../store/generated/hdp-execution-store-mock.js";
export { hdpExecutionStoreAbi } from "../store/generated/hdp-execution-store.js";
export { hdpFactsRegistryMockAbi } from "../store/generated/hdp-facts-registry-mock.js";
export { hdpSatelliteAbi } from "../store/generated/hdp-satellite.js";
export { KNOWN_STORES, knownStore, LEGACY_SEPOLIA_STORE } from "../store/known-stores.js";
export type { KnownStore } from "../store/known-stores.js";
export { StoreRpcError } from "../store/transact.js";
export type { Provider, StoreTransaction, WaitOptions } from "../store/transact.js";
export { batchFactHash, MOCK_MMR, proveBatch } from "../store/prove-batch.js";
export type { MmrState, ProveBatchOptions, ProvenBatch } from "../store/prove-batch.js";
export { requestTask } from "../store/request-task.js";
export type { RequestedTask, RequestTaskOptions } from "../store/request-task.js";
export type { StarknetAccountOptions } from "../store/starknet/account.js";
export { declareStarknetMock, deployStarknetMock } from "../store/starknet/mock.js";
export type { DeclaredMock, DeployedStarknetMock } from "../store/starknet/mock.js";
export { finalizeOnStarknet, finalizeTasksOnStarknet } from "../store/starknet/finalize-on-starknet.js";
export type {
  FinalizeOnStarknetOptions,
  FinalizeTasksOnStarknetOptions,
  StarknetFinalization,
} from "../store/starknet/finalize-on-starknet.js";
export { KNOWN_STARKNET_STORES, knownStarknetStore } from "../store/known-stores.js";
export { openStarknetExecutionStore } from "../store/starknet/starknet-execution-store.js";
export type { OpenStarknetStoreOptions } from "../store/starknet/starknet-execution-store.js";

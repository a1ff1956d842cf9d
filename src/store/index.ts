export { requireAuthentication, requiresAuthentication } from "./authentic.js";
export type { RequireAuthenticationOptions } from "./authentic.js";
export { deployExecutionStoreMock, MOCK_PROGRAM_HASH } from "./deploy-mock.js";
export type { DeployedMock, DeployMockOptions } from "./deploy-mock.js";
export { NotFinalizedError, openExecutionStore } from "./execution-store.js";
export type {
  ExecutionStore,
  OpenStoreOptions,
  ReadResultOptions,
  StoredStatus,
  StoreKind,
} from "./execution-store.js";
export { finalizeTasks, TASKS_PER_TRANSACTION } from "./finalize.js";
export type { FinalizedTasks, FinalizeOptions, StoreTransaction, TaskWord } from "./finalize.js";
export { hdpAggregatorsFactoryMockAbi } from "./generated/hdp-aggregators-factory-mock.js";
export { hdpExecutionStoreMockAbi, hdpExecutionStoreMockBytecode } from "./generated/hdp-execution-store-mock.js";
export { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
export { hdpFactsRegistryMockAbi } from "./generated/hdp-facts-registry-mock.js";
export { hdpSatelliteAbi } from "./generated/hdp-satellite.js";
export { KNOWN_STORES, knownStore, LEGACY_SEPOLIA_STORE } from "./known-addresses.js";
export type { KnownStore } from "./known-addresses.js";
export { StoreRpcError } from "./rpc.js";
export type { Provider, WaitOptions } from "./rpc.js";
export { batchFactHash, MOCK_MMR, proveBatch } from "./prove-batch.js";
export type { MmrState, ProveBatchOptions, ProvenBatch } from "./prove-batch.js";
export { requestTask } from "./request-task.js";
export type { RequestedTask, RequestTaskOptions } from "./request-task.js";
export { declareStarknetMock, deployStarknetMock, finalizeOnStarknet } from "./starknet/devnet.js";
export type {
  DeclaredMock,
  DeployedStarknetMock,
  FinalizeOnStarknetOptions,
  StarknetAccountOptions,
} from "./starknet/devnet.js";
export { openStarknetExecutionStore } from "./starknet/starknet-execution-store.js";
export type { OpenStarknetStoreOptions } from "./starknet/starknet-execution-store.js";

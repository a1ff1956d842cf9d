export { KNOWN_STARKNET_STORES, KNOWN_STORES } from "../store/execution-store.js";
export { NotFinalizedError, openExecutionStore } from "../store/execution-store.js";
export type {
  ExecutionStore,
  MockKind,
  OpenStoreOptions,
  ReadStoreOptions,
} from "../store/execution-store.js";
export type { StoreKind, StoreReader, StoredStatus } from "../store/execution-store.js";
export { addOperators, deployExecutionStoreMock, finalizeTasks } from "../store/finalize.js";
export {
  MOCK_PROGRAM_HASH,
  requiresAuthentication,
  TASKS_PER_TRANSACTION,
} from "../store/finalize.js";
export type {
  AddOperatorsOptions,
  DeployMockOptions,
  DeployedMock,
  FinalizeTasksOptions,
} from "../store/finalize.js";
export type { FinalizedTasks } from "../store/finalize.js";
export { hdpAggregatorsFactoryMockAbi } from "../store/generated/hdp-aggregators-factory-mock.js";
export { hdpExecutionStoreMockAbi } from "../store/generated/hdp-execution-store-mock.js";
export { hdpExecutionStoreMockBytecode } from "../store/generated/hdp-execution-store-mock-bytecode.js";
export { hdpExecutionStoreAbi } from "../store/generated/hdp-execution-store.js";
export { hdpFactsRegistryMockAbi } from "../store/generated/hdp-facts-registry-mock.js";
export { hdpSatelliteAbi } from "../store/generated/hdp-satellite.js";
export { hdpSatelliteDevelopAbi } from "../store/generated/hdp-satellite-develop.js";
export {
  batchFactHash,
  MOCK_MMR,
  proveBatch,
  requireAuthentication,
  satelliteFactHash,
} from "../store/prove-batch.js";
export type {
  MmrState,
  ProveBatchOptions,
  ProvenBatch,
  SatelliteExecution,
} from "../store/prove-batch.js";
export { finalizeTasksOnStarknet } from "../store/starknet/finalize-on-starknet.js";
export type {
  FinalizeTasksOnStarknetOptions,
  StarknetFinalization,
} from "../store/starknet/finalize-on-starknet.js";
export { declareStarknetMock, deployStarknetMock } from "../store/starknet/mock.js";
export type {
  DeclaredMock,
  DeployedStarknetMock,
  StarknetMockPlace,
} from "../store/starknet/mock.js";
export { openStarknetExecutionStore } from "../store/starknet/starknet-execution-store.js";
export type { OpenStarknetStoreOptions } from "../store/starknet/starknet-execution-store.js";
export type {
  StarknetAccountOptions,
  StarknetAccountParts,
  StarknetJsAccount,
} from "../store/starknet/starknet-account.js";
export { StoreRpcError } from "../store/node-requests.js";
export type { MockTransactionOptions as RequireAuthenticationOptions } from "../store/transact.js";
export type { Provider } from "../store/node-requests.js";
export type { StoreTransaction, WaitOptions } from "../store/transact.js";

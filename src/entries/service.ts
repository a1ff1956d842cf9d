export type { Clock, Random } from "../base/clock.js";
export type { WireEdition } from "../service/data-processor/edition.js";
export {
  batchEdition,
  moduleTasksEdition,
  tasksEdition,
} from "../service/data-processor/editions.js";
export type {
  ModuleTasksEditionOptions,
  ModuleTaskState,
} from "../service/data-processor/editions.js";
export { ModuleTasksClient } from "../service/data-processor/module-tasks-client.js";
export type {
  ModuleTaskDetails,
  ModuleTaskHealth,
} from "../service/data-processor/module-tasks-client.js";
export type {
  ModuleTaskList,
  ModuleTaskMmrs,
} from "../service/data-processor/module-tasks-client.js";
export type {
  ModuleTaskPreimage,
  ModuleTaskTransitions,
} from "../service/data-processor/module-tasks-client.js";
export type { Decommitment, TaskListQuery } from "../service/data-processor/module-tasks-client.js";
export type { DecommitmentMmr, DecommitmentOutput } from "../service/data-processor/run-output.js";
export {
  awaitSubmission,
  RemoteDataProcessor,
} from "../service/data-processor/remote-data-processor.js";
export type * from "../service/data-processor/remote-data-processor.js";
export { HttpClient } from "../service/http/http-client.js";
export type {
  HttpClientOptions,
  HttpReply,
  HttpRequestParts,
  KeyPlacement,
} from "../service/http/http-client.js";
export type { KeySource, RetryPolicy, ServiceCallOptions } from "../service/http/http-client.js";
export { isServiceFailure } from "../service/http/service-errors.js";
export type {
  ServiceFailure,
  ServiceFailureCode,
  ServiceFailureKind,
} from "../service/http/service-errors.js";
export { ModuleRegistryClient } from "../service/module-registry.js";
export type {
  ModuleChange,
  ModuleFilter,
  ModuleUpload,
  RegistryModule,
  RegistryModuleVersion,
  UploadedModule,
} from "../service/module-registry.js";
export { ProgramRegistryClient } from "../service/program-registry.js";
export type { ProgramFile, ProgramRecord, UploadedProgram } from "../service/program-registry.js";
export { StorageProofClient, storageProofRequest } from "../service/storage-proof.js";
export type {
  AwaitRequestOptions,
  StorageProofAccepted,
  StorageProofAccount,
} from "../service/storage-proof.js";
export type {
  StorageProofActionList,
  StorageProofAlive,
  StorageProofBlock,
} from "../service/storage-proof.js";
export type {
  StorageProofQueries,
  StorageProofQuery,
  StorageProofRequest,
} from "../service/storage-proof.js";
export type { StorageProofSubmit } from "../service/storage-proof.js";

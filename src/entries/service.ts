export type { Clock, Random } from "../base/clock.js";
export type { AcceptedSubmission, ObservedStatus, WireEdition } from "../service/data-processor/edition.js";
export { batchEdition, tasksEdition } from "../service/data-processor/editions.js";
export { ModuleTasksClient } from "../service/data-processor/module-tasks-client.js";
export type { TaskListQuery } from "../service/data-processor/module-tasks-client.js";
export { moduleTasksEdition } from "../service/data-processor/module-tasks-edition.js";
export type {
  ModuleTaskDetails,
  ModuleTaskHealth,
  ModuleTaskList,
  ModuleTasksEditionOptions,
} from "../service/data-processor/module-tasks-edition.js";
export { awaitSubmission, RemoteDataProcessor } from "../service/data-processor/remote-data-processor.js";
export type {
  AwaitSubmissionOptions,
  RemoteDataProcessorOptions,
  RemoteSubmission,
} from "../service/data-processor/remote-data-processor.js";
export type { KeyPlacement, KeySource } from "../service/http/endpoint.js";
export { HttpClient } from "../service/http/http-client.js";
export type {
  HttpClientOptions,
  HttpReply,
  HttpRequestParts,
  RetryPolicy,
  ServiceCallOptions,
} from "../service/http/http-client.js";
export { isServiceFailure } from "../service/http/service-errors.js";
export type { ServiceFailure, ServiceFailureCode, ServiceFailureKind } from "../service/http/service-errors.js";
export { ProgramRegistryClient } from "../service/program-registry.js";
export type { ProgramFile, ProgramRecord, UploadedProgram } from "../service/program-registry.js";
export { StorageProofClient, storageProofRequest } from "../service/storage-proof.js";
export type {
  AwaitRequestOptions,
  StorageProofAccepted,
  StorageProofAccount,
  StorageProofAccountProp,
  StorageProofActionList,
  StorageProofAlive,
  StorageProofBlock,
  StorageProofHeaderField,
  StorageProofQueries,
  StorageProofQuery,
  StorageProofRequest,
  StorageProofSubmit,
} from "../service/storage-proof.js";

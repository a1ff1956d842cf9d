export { awaitSubmission } from "../service/data-processor/remote-data-processor.js";
export type {
  AwaitSubmissionOptions as AwaitOptions,
  FinishedSubmission,
} from "../service/data-processor/remote-data-processor.js";
export type { KeyPlacement } from "../service/http/endpoint.js";
export { systemClock } from "../base/clock.js";
export type { Clock, Random } from "../base/clock.js";
export { batchEdition } from "../service/data-processor/editions.js";
export type { AcceptedSubmission, ObservedStatus, WireEdition } from "../service/data-processor/edition.js";
export { ModuleTasksClient } from "../service/data-processor/module-tasks-client.js";
export type { ModuleTasks } from "../service/data-processor/module-tasks-client.js";
export { moduleTasksEdition } from "../service/data-processor/module-tasks-edition.js";
export type { ModuleTasksEditionOptions, TaskListQuery } from "../service/data-processor/module-tasks-edition.js";
export { tasksEdition } from "../service/data-processor/editions.js";
export * from "../service/http/service-errors.js";
export { HttpClient } from "../service/http/http-client.js";
export type {
  HttpClientOptions,
  HttpReply,
  HttpRequestParts,
  HttpTimeouts,
  ServiceCallOptions,
} from "../service/http/http-client.js";
export { pauseAfterLook } from "../service/http/polling.js";
export type { WaitOptions } from "../service/http/polling.js";
export { ProgramRegistryClient } from "../service/program-registry.js";
export type { ProgramFile, ProgramRecord, ProgramRegistry, UploadedProgram } from "../service/program-registry.js";
export { RemoteDataProcessor } from "../service/data-processor/remote-data-processor.js";
export type { RemoteDataProcessorOptions, RemoteSubmission } from "../service/data-processor/remote-data-processor.js";
export type { RetryPolicy } from "../service/http/service-errors.js";
export { Redactor, Secret } from "../service/http/secrets.js";
export type { KeySource } from "../service/http/secrets.js";
export { storageProofRequest } from "../service/storage-proof.js";
export type { StorageProofAccount, StorageProofBlock, StorageProofRequest } from "../service/storage-proof.js";
export type { StorageProofAccountProp, StorageProofHeaderField } from "../service/storage-proof.js";
export { StorageProofClient } from "../service/storage-proof.js";
export type { AwaitRequestOptions, StorageProof } from "../service/storage-proof.js";
export type {
  ModuleTaskDetails,
  ModuleTaskHealth,
  ModuleTaskList,
  ModuleTaskSubmit,
} from "../service/data-processor/module-tasks-edition.js";
export type {
  StorageProofAccepted,
  StorageProofActions,
  StorageProofAlive,
  StorageProofQueries,
  StorageProofQuery,
  StorageProofSubmit,
} from "../service/storage-proof.js";

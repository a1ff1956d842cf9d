export { awaitSubmission } from "./await.js";
export type { AwaitOptions, FinishedSubmission } from "./await.js";
export type { KeyPlacement } from "./api-key.js";
export { systemClock } from "./clock.js";
export type { Clock, Random } from "./clock.js";
export { batchEdition } from "./editions/batch.js";
export type { AcceptedSubmission, ObservedStatus, WireEdition } from "./editions/edition.js";
export { ModuleTasksClient } from "./editions/module-tasks-client.js";
export type { ModuleTasks } from "./editions/module-tasks-client.js";
export { moduleTasksEdition } from "./editions/module-tasks.js";
export type { ModuleTasksEditionOptions, TaskListQuery } from "./editions/module-tasks.js";
export { tasksEdition } from "./editions/tasks.js";
export * from "./errors.js";
export { HttpClient } from "./http.js";
export type { HttpClientOptions, HttpReply, HttpRequestParts, HttpTimeouts, ServiceCallOptions } from "./http.js";
export { pauseAfterLook } from "./polling.js";
export type { WaitOptions } from "./polling.js";
export { ProgramRegistryClient } from "./program-registry.js";
export type { ProgramFile, ProgramRecord, ProgramRegistry, UploadedProgram } from "./program-registry.js";
export { RemoteDataProcessor } from "./remote-data-processor.js";
export type { RemoteDataProcessorOptions, RemoteSubmission } from "./remote-data-processor.js";
export type { RetryPolicy } from "./retry-policy.js";
export { Redactor, Secret } from "./secrets.js";
export type { KeySource } from "./secrets.js";
export { storageProofRequest } from "./storage-proof-request.js";
export type {
  StorageProofAccount,
  StorageProofAccountProp,
  StorageProofBlock,
  StorageProofHeaderField,
  StorageProofRequest,
} from "./storage-proof-request.js";
export { StorageProofClient } from "./storage-proof.js";
export type { AwaitRequestOptions, StorageProof } from "./storage-proof.js";
export type { ModuleTaskDetails, ModuleTaskHealth, ModuleTaskList, ModuleTaskSubmit } from "./wire/module-tasks.js";
export type {
  StorageProofAccepted,
  StorageProofActions,
  StorageProofAlive,
  StorageProofQueries,
  StorageProofQuery,
  StorageProofSubmit,
} from "./wire/storage-proof.js";

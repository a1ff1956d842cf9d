/** Public types of the plugin: what configuration takes, and what `hre.hdp` and `connection.hdp` offer. */
export type * from "./plugin/config/config-types.js";
export type { CairoConfig, DataProcessorConfig, HdpConfig, StarknetConfig } from "./plugin/config/resolve.js";
export type { FaultInjection, Hdp, HdpConnection } from "./plugin/hdp.js";
export type {
  CurrentStore,
  FinishedSubmission,
  HdpActions,
  MockStoreHandle,
  ReadResultOptions,
  Results,
  RunOptions,
  StoreActions,
  StoreHandle,
  UseStoreOptions,
} from "./plugin/actions/submission-actions.js";
export type { AssertionActions } from "./plugin/actions/assertion-actions.js";
export type { OnFinalizedOptions, Unsubscribe, WatchActions } from "./plugin/actions/on-finalized.js";
export type {
  ExplainOptions,
  InspectionActions,
  RecordOptions,
  Replay,
  Verifications,
  VerifyOptions,
} from "./plugin/actions/inspection-actions.js";
export type { RecordActions, ResumedSubmission, ResumeOptions } from "./plugin/actions/record-actions.js";
export type { ClientActions, StorageProofActions } from "./plugin/actions/service-actions.js";
export type { SendOptions } from "./plugin/services.js";
export type {
  DryRunOptions,
  ModuleDryRun,
  ModuleProfile,
  ProfiledFunction,
  ProfiledStack,
} from "./plugin/actions/module-runs.js";
export type { Preflight, PreflightActions, ProofPreflight, TaskPreflight } from "./plugin/actions/preflight-action.js";
export type { ProgramActions, UploadedClass } from "./plugin/actions/program-actions.js";
export type { ProgramHashes } from "./plugin/known-programs.js";
export type { ProcessorInfo } from "./submission/submissions.js";
export type { AwaitOptions, Submission, SubmissionPart, SubmitOptions, SubmitPlan } from "./request/task.js";
export type { DeployStoreOptions, StoreInUse } from "./plugin/stores/evm-stores.js";
export type { MockContract, StoreContract } from "./plugin/stores/store-contract.js";
export type { Taken, TaskDocument, TaskInput, WrittenRequest, WrittenTask } from "./request/task.js";
export type { ExplainedSample, Explanation } from "./compute/evaluate.js";
export type { Recording } from "./chain/recording/recording.js";
export type { Sample } from "./compute/evaluate.js";
export type { OtherEncoding, TaskVerification } from "./compute/verify-task.js";
export type { StorageProofQuery } from "./service/storage-proof.js";
export type { PartRecord, SubmissionKind, SubmissionRecord, SubmissionState } from "./submission/model.js";
export type { Standing } from "./submission/recovery.js";
export type { StoredSubmission } from "./submission/store.js";
export type { TaskStatus } from "./request/task.js";
export type * from "./entries/request.js";

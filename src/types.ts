/** Public types of the plugin: what configuration takes, and what `hre.hdp` and `connection.hdp` offer. */
export type {
  HdpUserConfig,
  DataProcessorUserConfig,
  ProgramRegistryUserConfig,
} from "./plugin/config/config.js";
export type {
  StorageProofUserConfig,
  CairoUserConfig,
  ExecutionStoreUserConfig,
} from "./plugin/config/config.js";
export type {
  StarknetUserConfig,
  StarknetAccountUserConfig,
  LocalUserConfig,
} from "./plugin/config/config.js";
export type {
  TimeoutsUserConfig,
  WireEditionName,
  HdpConfig,
  DataProcessorConfig,
} from "./plugin/config/config.js";
export type { StarknetConfig, CairoConfig } from "./plugin/config/config.js";
export type { FaultInjection, Hdp, HdpConnection } from "./plugin/hdp.js";
export type {
  CurrentStore,
  FinishedSubmission,
  MockStoreHandle,
} from "./plugin/actions/submission-actions.js";
export type {
  ReadResultOptions,
  Results,
  RunOptions,
  StoreHandle,
} from "./plugin/actions/submission-actions.js";
export type { UseStoreOptions } from "./plugin/actions/submission-actions.js";
export type { OnFinalizedOptions, Unsubscribe } from "./plugin/actions/finalized-actions.js";
export type { ExplainOptions, RecordOptions, Replay } from "./plugin/actions/inspection-actions.js";
export type { Verifications, VerifyOptions } from "./plugin/actions/inspection-actions.js";
export type { ResumeOptions, ResumedSubmission } from "./plugin/actions/record-actions.js";
export type { SendOptions } from "./plugin/charged-calls.js";
export type {
  DryRunOptions,
  ModuleDryRun,
  ModuleProfile,
  ProfiledFunction,
} from "./plugin/actions/program-actions.js";
export type { ProfiledStack, UploadedClass } from "./plugin/actions/program-actions.js";
export type {
  Preflight,
  PreflightActions,
  ProofPreflight,
  Refusal,
  TaskPreflight,
} from "./plugin/actions/preflight-action.js";
export type { ProgramHashes } from "./plugin/known-programs.js";
export type { ProcessorInfo } from "./submission/submissions.js";
export type { DeployStoreOptions, StoreInUse } from "./plugin/stores/evm-stores.js";
export type { MockContract, StoreContract } from "./plugin/stores/store-contract.js";
export type { PartRecord, SubmissionRecord, SubmissionState } from "./submission/model.js";
export type { SubmissionKind } from "./submission/kinds.js";
export type { Recovery } from "./submission/recovery.js";
export type { StoredSubmission } from "./submission/stored-submission.js";
export type * from "./entries/request.js";

export { createAggregator } from "../compute/aggregate.js";
export { evaluate, evaluateWith } from "../compute/evaluate.js";
export { explainTask } from "../compute/explain-task.js";
export type { Aggregator } from "../compute/aggregate.js";
export type { EvaluateOptions, EvaluateWithOptions, Evaluation } from "../compute/evaluate.js";
export type { Explanation, ExplainedSample } from "../compute/explain-task.js";
export { requireProvableAccounts } from "../compute/provable-accounts.js";
export type { Sample, SampleOptions } from "../compute/samples.js";
export type * from "../chain/chain-reader.js";
export type { Eip1193Provider } from "../base/rpc.js";
export { ProvenChainReader, type ProvenChainReaderOptions } from "../chain/proven-chain-reader.js";
export { LocalDataProcessor } from "../submission/backend/local-data-processor.js";
export type {
  LocalDataProcessorOptions,
  LocalTaskResult,
} from "../submission/backend/local-data-processor.js";
export type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
export type { ReadersOptions } from "../chain/readers.js";
export type { BatchGas, Finalization, ResultSink } from "../submission/backend/finalizer.js";
export { type OpenedRecording, openRecording } from "../chain/recording/recorded-chain.js";
export {
  type RecordedTasks,
  recordTasks,
  type RecordTasksOptions,
} from "../compute/record-tasks.js";
export {
  parseRecording,
  parseRecordingText,
  type Recording,
  recordingText,
} from "../chain/recording/recording.js";
export * from "../compute/verify-task.js";
export {
  type DevServer,
  type DevServerData,
  type DevServerOptions,
  startDevServer,
} from "../dev-server/server.js";
export type { DevServerLimits } from "../dev-server/body.js";
export type { DevServerProcessor } from "../dev-server/task-service.js";
export type { ProgramStore } from "../dev-server/program-store.js";
export type { StoredProgram } from "../dev-server/route.js";
export type { WebhookTargets } from "../dev-server/webhooks.js";
export { moduleRunner, moduleOutcome, runModuleTask } from "../compute/module-runner.js";
export type {
  ModuleProgram,
  ModuleResultRule,
  ModuleRunnerOptions,
  ModuleTaskRun,
} from "../compute/module-runner.js";
export {
  type AnsweredRead,
  type ModuleRun,
  runModule,
  type RunModuleOptions,
} from "../compute/run-module.js";
export type { ModuleInputFelt } from "../cairo/generations.js";
export {
  GENERATION_NAMES,
  type GenerationName,
  type ModuleRead,
  type ReadModuleValue,
} from "../cairo/module-read.js";
export type {
  InjectedStateInput,
  InjectedStateOutcome,
  InjectedStateStart,
  StateServer,
} from "../cairo/module-state.js";

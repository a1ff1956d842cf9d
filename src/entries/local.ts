export { createAggregator } from "../compute/evaluate.js";
export type { Aggregator } from "../compute/evaluate.js";
export type * from "../chain/chain-reader.js";
export { evaluate, evaluateWith } from "../compute/evaluate.js";
export type { EvaluateOptions, EvaluateWithOptions, Evaluation, EvaluationProgress } from "../compute/evaluate.js";
export { DEFAULT_CONCURRENCY } from "../base/node-reads.js";
export type { Eip1193Provider } from "../base/rpc.js";
export { ProvenChainReader } from "../chain/proven-chain-reader.js";
export type { ProvenChainReaderOptions } from "../chain/proven-chain-reader.js";
export type { ProveMode } from "../chain/chain-reader.js";
export { elementCount, sampleDatalake } from "../compute/sample-datalake.js";
export type { Sample, SampleOptions } from "../compute/sample-datalake.js";
export { LocalDataProcessor } from "../submission/backend/local.js";
export type { LocalDataProcessorOptions } from "../submission/backend/local.js";
export type { LocalTaskResult } from "../submission/backend/local.js";
export type { ModuleContext, ModuleOutcome, ModuleRunner } from "../compute/compute-request.js";
export type { ReadersOptions } from "../chain/readers.js";
export type { BatchGas, Finalization, ResultSink } from "../submission/backend/finalizer.js";
export type { TaskWord } from "../request/lifecycle.js";
export { explainTask } from "../compute/evaluate.js";
export type { ExplainedSample, Explanation } from "../compute/evaluate.js";
export { openRecording } from "../chain/recording/recorded-chain.js";
export type { OpenedRecording } from "../chain/recording/recorded-chain.js";
export { recordTasks } from "../compute/record-tasks.js";
export type { RecordedTasks, RecordTasksOptions } from "../compute/record-tasks.js";
export { parseRecording, parseRecordingText, recordingText } from "../chain/recording/recording.js";
export type { Recording } from "../chain/recording/recording.js";
export { verifyTask } from "../compute/verify-task.js";
export type { OtherEncoding, StoredWords, TaskVerification, VerifyTaskOptions } from "../compute/verify-task.js";
export { startDevServer } from "../dev-server/server.js";
export type { DevServer, DevServerData, DevServerOptions } from "../dev-server/server.js";
export type { DevServerLimits } from "../dev-server/body.js";
export type { DevServerProcessor } from "../dev-server/tasks.js";
export type { ProgramStore, StoredProgram } from "../dev-server/programs.js";
export type { WebhookTargets } from "../dev-server/webhook.js";
export { moduleRunner, outcomeOf, runModuleTask } from "../compute/module-runner.js";
export type { ModuleProgram, ModuleResultRule, ModuleRunnerOptions, ModuleTaskRun } from "../compute/module-runner.js";
export { runModule } from "../compute/run-module.js";
export type { AnsweredRead, ModuleRun, RunModuleOptions } from "../compute/run-module.js";
export type { ModuleInputFelt } from "../cairo/generations.js";
export { GENERATION_NAMES } from "../cairo/module-read.js";
export type { GenerationName } from "../cairo/module-read.js";
export type { ModuleRead, ReadModuleValue } from "../cairo/module-read.js";
export type { StarknetReader } from "../chain/starknet-chain-reader.js";
export type {
  InjectedStateInput,
  InjectedStateOutcome,
  InjectedStateStart,
  StateServer,
} from "../cairo/injected-state.js";

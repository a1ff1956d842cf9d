export { executionStore, executionStoreModule } from "../plugin/ignition.js";
export type { ExecutionStoreFuture } from "../plugin/ignition.js";

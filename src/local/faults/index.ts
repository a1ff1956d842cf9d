export { chaosFaults } from "./chaos.js";
export type { ChaosOptions } from "./chaos.js";
export * from "./fault.js";
export { FaultQueue } from "./fault-queue.js";
export { InjectedFaultError } from "./injected-fault-error.js";

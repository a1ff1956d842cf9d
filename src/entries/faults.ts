export { chaosFaults } from "../processor/faults/chaos.js";
export type { ChaosOptions } from "../processor/faults/chaos.js";
export * from "../processor/faults/fault.js";
export { FaultQueue } from "../processor/faults/fault-queue.js";
export { InjectedFaultError } from "../processor/faults/fault.js";

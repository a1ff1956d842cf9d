export { chaosFaults } from "../submission/backend/faults/fault-queue.js";
export type { ChaosOptions } from "../submission/backend/faults/fault-queue.js";
export * from "../submission/backend/faults/fault.js";
export { FaultQueue } from "../submission/backend/faults/fault-queue.js";
export { InjectedFaultError } from "../submission/backend/faults/fault.js";

export { chaosFaults, type ChaosOptions, FaultQueue } from "../submission/backend/faults/fault-queue.js";
export * from "../submission/backend/faults/fault.js";

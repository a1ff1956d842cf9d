export { chaosFaults, FaultQueue, InjectedFaultError } from "../submission/backend/faults/fault.js";
export {
  FAULTS,
  faultText,
  readFaults,
  cutAfterAcceptance,
} from "../submission/backend/faults/fault.js";
export { failsAt, httpBurst, lateFinalization, reorg } from "../submission/backend/faults/fault.js";
export { stuckAt, unknownState, wrongResult } from "../submission/backend/faults/fault.js";
export type {
  BurstStatus,
  CallFault,
  ChaosOptions,
  Fault,
} from "../submission/backend/faults/fault.js";
export type { FinalizationFault, SubmissionFault } from "../submission/backend/faults/fault.js";

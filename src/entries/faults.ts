export { chaosFaults, effectOf, FaultQueue, InjectedFaultError } from "../submission/backend/faults/fault.js";
export { FAULTS, faultText, readFaults, cutAfterAcceptance } from "../submission/backend/faults/fault.js";
export { failsAt, httpBurst, lateFinalization, reorg } from "../submission/backend/faults/fault.js";
export { stuckAt, unknownState, wrongResult } from "../submission/backend/faults/fault.js";
export type * from "../submission/backend/faults/fault.js";

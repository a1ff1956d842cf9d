export { CHAIN_IDS } from "./chains.js";
export type { ChainIdentifier } from "./chains.js";
export { HdpError, isHdpError } from "./errors.js";
export type { HdpErrorCode, HdpErrorOptions } from "./errors.js";
export type * from "./lifecycle.js";
export type * from "./task.js";

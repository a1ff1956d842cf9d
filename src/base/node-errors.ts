import { isRecord } from "./collections.js";
import { nodeLimit } from "./node-limits.js";

/** An error in a node's answer, or an answer that is not JSON-RPC. */
export interface NodeError extends Error, NodeErrorDetails {}

interface NodeErrorDetails {
  cause?: unknown;
  readonly code?: number | undefined;
  readonly data?: unknown;
  readonly statusCode?: number | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** Whether the node may answer the same call in a smaller batch. */
  readonly isOfBatch?: boolean | undefined;
}

/** Returns an error of a node with what its answer says beside the message. */
export function nodeError(message: string, details: NodeErrorDetails = {}): NodeError {
  return Object.assign(new Error(message), details);
}

/** Codes of broken connections, and the HTTP status 503 as an error code. */
const TRANSIENT_CODES: readonly unknown[] = [
  503,
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
];
const TRANSIENT_STATUSES: readonly unknown[] = [429, 502, 503, 504];

/** Returns whether the same call may be answered in a moment: the node is busy, or the connection broke. */
export function isTransient(error: unknown): boolean {
  for (let depth = 0, one = error; depth < 6 && isRecord(one); depth += 1, one = one["cause"]) {
    if (TRANSIENT_CODES.includes(one["code"]) || TRANSIENT_STATUSES.includes(one["statusCode"]))
      return true;
    if (nodeLimit(one["code"], String(one["message"])) === "rate") return true;
  }
  return false;
}

/** Returns whether a smaller batch of the same calls may be answered. */
export function isOfBatch(error: unknown): boolean {
  return isRecord(error) && error["isOfBatch"] === true;
}

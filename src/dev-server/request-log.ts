import { dropOldest } from "../base/collections.js";
import type { RequestLine, RequestView } from "../request/views.js";

/** Maximum number of remembered requests. */
const MAX_LINES = 500;

/** The latest requests of clients, for the dashboard, whose own are left out. */
export class RequestLog {
  readonly #lines = new Map<number, RequestView>();
  readonly #timestamp: () => string;
  #count = 0;

  /** @param timestamp returns the time in ISO 8601 */
  public constructor(timestamp: () => string) {
    this.#timestamp = timestamp;
  }

  /** Remembers an answered request. */
  public add(line: RequestLine): void {
    if (isOwnPath(line.path)) return;
    this.#count += 1;
    this.#lines.set(this.#count, {
      number: this.#count,
      at: this.#timestamp(),
      ...line,
      path: line.path.slice(0, 200),
    });
    dropOldest(this.#lines, MAX_LINES);
  }

  /** Returns the requests, newest first. */
  public newest(): readonly RequestView[] {
    return [...this.#lines.values()].reverse();
  }
}

const OWN_PATH =
  /^\/(dashboard\/.*|swagger\/?|openapi\.json|api-docs\/openapi\.json|favicon\.ico)?$/;

/** Returns whether a path is one of the server's own pages or of their data, which faults and the log leave alone. */
export function isOwnPath(path: string): boolean {
  return OWN_PATH.test(path);
}

import { HdpError, type HdpErrorCode } from "../../request/errors.js";
import { TaskRequestError } from "../../request/task-request-error.js";
import type { FrontReply } from "./front-message.js";
import { jsonReply } from "./front-message.js";

export interface FrontProblemOptions {
  readonly code: HdpErrorCode;
  readonly status: number;
  readonly message: string;
  readonly hints?: readonly string[];
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as the service publishes it, where it does; default `{ error, code, hints }`. */
  readonly body?: unknown;
}

/** A request that is refused: how it is answered. */
export class FrontProblem extends HdpError {
  public readonly reply: FrontReply;

  public constructor({ status, body, headers, ...options }: FrontProblemOptions) {
    super(options);
    this.reply = jsonReply(status, body ?? problemBody(this), headers);
  }
}

/** An error of this package about a request's content as a refusal (400); anything else as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof HdpError) || error instanceof FrontProblem) return error;
  const { code, shortMessage: message, hints } = error;
  const mistakes = error instanceof TaskRequestError ? { mistakes: error.errors.map(problemBody) } : {};
  const body = { ...problemBody(error), ...mistakes };
  return new FrontProblem({ code, status: 400, message, hints, body, cause: error });
}

/** The JSON of an error of this package. */
export function problemBody(error: HdpError): Readonly<Record<string, unknown>> {
  const { shortMessage, code, path, hints } = error;
  return {
    error: shortMessage,
    code,
    ...(path === undefined || path === "" ? {} : { path }),
    ...(hints.length === 0 ? {} : { hints }),
  };
}

import type { Hex } from "viem";

import { jsonText } from "../base/json.js";
import { HdpError, type HdpErrorCode } from "../errors/hdp-error.js";
import { TaskRequestError } from "../request/reader.js";

/** A compiled class with the program hash that it has. */
export interface HashedClass {
  readonly hash: Hex;
  /** The class as it was sent. */
  readonly text: string;
}

/** A request as routes see it: matched, bounded, its key checked. */
export interface FrontRequest {
  readonly method: string;
  /** The path's parameters, decoded: `uuid` of `/tasks/{uuid}/status`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Empty where the route takes none. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body of a route that takes JSON; integers beyond 2^53 are bigints. A class that it carried is taken out. */
  readonly json: unknown;
  readonly compiledClass: HashedClass | undefined;
}

/** What a route answers. */
export interface FrontReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without it the body is empty. */
  readonly body?: { readonly type: string; readonly text: string | Uint8Array };
  /** Ends the connection in place of the answer, after the request was acted on. */
  readonly cut?: true;
}

export function jsonReply(status: number, value: unknown, headers?: Readonly<Record<string, string>>): FrontReply {
  const body = { type: "application/json", text: jsonText(value) };
  return headers === undefined ? { status, body } : { status, body, headers };
}

export function textReply(status: number, text: string, type = "text/plain; charset=utf-8"): FrontReply {
  return { status, body: { type, text } };
}

/** An answer that is given again and again: its text's bytes are made once. */
export function lastingReply(reply: FrontReply): FrontReply {
  const { body } = reply;
  return body === undefined ? reply : { ...reply, body: { ...body, text: Buffer.from(body.text) } };
}

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

import { grouped, plural } from "../base/text.js";
import { HdpError, type HdpErrorOptions, inWords } from "../errors/hdp-error.js";
import { TaskRequestError } from "../request/reader.js";
import { jsonReply, type Reply } from "./route.js";

interface Answer {
  /** Default 400. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body that the service publishes for this case. Default: the error as JSON. */
  readonly body?: unknown;
}

/** A refused request, with its reply. */
export class HttpRefusal extends HdpError {
  public readonly reply: Reply;

  public constructor(options: HdpErrorOptions, { status = 400, headers = {}, body }: Answer = {}) {
    super(options);
    this.reply = { ...jsonReply(body ?? errorBody(this), status), headers };
  }
}

/** Returns the refusal (400) for an error of a request's content, and undefined for a failure of this server. */
export function toRefusal(error: unknown): HttpRefusal | undefined {
  if (error instanceof HttpRefusal) return error;
  if (!(error instanceof HdpError) || error.code.startsWith("HDP-5")) return undefined;
  const { code, shortMessage: message, hints } = error;
  const errors = error instanceof TaskRequestError ? { errors: error.errors.map(errorBody) } : {};
  return new HttpRefusal({ code, message, hints }, { body: { ...errorBody(error), ...errors } });
}

function errorBody({
  shortMessage,
  code,
  path,
  hints,
}: HdpError): Readonly<Record<string, unknown>> {
  return {
    error: shortMessage,
    code,
    ...(path === undefined || path === "" ? {} : { path }),
    ...(hints.length === 0 ? {} : { hints }),
  };
}

/** Maximum number of errors listed in a reply; the others are counted. */
export const MAX_ERRORS = 100;

/** Returns the refusal of one error, or of several with their number. */
export function badRequest(...errors: readonly string[]): HttpRefusal {
  const [error = ""] = errors;
  if (errors.length === 1) return new HttpRefusal(inWords("HDP-4518", { error }));
  const more = errors.length - MAX_ERRORS;
  const hints = [
    ...errors.slice(0, MAX_ERRORS),
    ...(more > 0 ? [`… and ${grouped(more)} more.`] : []),
  ];
  return new HttpRefusal(
    inWords("HDP-4518", { error: `it has ${plural(errors.length, "error")}` }, { hints }),
  );
}

/** Returns the refusal (413) of a request that exceeds a limit. */
export function tooLarge(excess: string, headers: Answer["headers"] = {}): HttpRefusal {
  return new HttpRefusal(inWords("HDP-4529", { excess }), { status: 413, headers });
}

/**
 * Returns the refusal (429) of a request that would exceed what the server holds.
 *
 * @param remedy the next step, a sentence
 */
export function tooBusy(what: string, found: string, remedy: string): HttpRefusal {
  return new HttpRefusal(inWords("HDP-4531", { what, found }, { hints: [remedy] }), {
    status: 429,
    headers: { "retry-after": "1" },
  });
}

/**
 * Returns the refusal of a body that cannot be read.
 *
 * @param form the expected form of the body
 */
export function unreadable(reason: string, form: string | undefined, status = 400): HttpRefusal {
  const headers = status === 408 ? { connection: "close" } : {};
  return new HttpRefusal(inWords("HDP-4517", { reason, form }), { status, headers });
}

/**
 * Returns the refusal (404) of an id that the server does not know.
 *
 * @param call the call that makes one
 */
export function unknownId(kind: string, id: string, call?: string): HttpRefusal {
  return new HttpRefusal(inWords("HDP-4519", { kind, id: id.slice(0, 200), call }), {
    status: 404,
  });
}

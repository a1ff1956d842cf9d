import { Agent, request, type Dispatcher, type FormData } from "undici";

import { systemErrorCode } from "../../base/files.js";
import { type Clock, limitedSignal } from "../../base/clock.js";
import { errorMessage } from "../../base/text.js";
import {
  type CallContext,
  callValues,
  faultySetting,
  quoted,
  type ServiceFailure,
  serviceFailure,
  type WireReply,
} from "./service-errors.js";

/** One HTTP request, key included. */
export interface PreparedRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly url: URL;
  /** Headers; undefined values are not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | FormData | undefined;
  /** Maximum size of a reply's body, in bytes. Only the first 16 KiB of an error body are read. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly dispatcher: Dispatcher | undefined;
  readonly clock: Clock;
}

/** One HTTP request as sent. */
export interface WireRequest extends PreparedRequest {
  /** Milliseconds from connecting to the last byte. */
  readonly timeout: number;
}

/**
 * Sends a request once, without retries and redirects. Never throws for failures of the network or the server, but
 * returns HDP-2063 if no connection was made, so that the request provably was not accepted; HDP-2064 if the connection
 * ended before the reply was complete; HDP-2070 for an answer that is not HTTP, or beyond `maxBytes`; HDP-2080 at
 * the timeout; HDP-2082 after the signal.
 */
export async function sendAttempt(
  wire: WireRequest,
  context: CallContext,
): Promise<WireReply | ServiceFailure> {
  const { endpoint } = context;
  const named = { ...callValues(context), what: endpoint };
  const failure = (code: WireFailureCode, reason: string): ServiceFailure => {
    const path = faultySetting(code, context);
    return serviceFailure(code, { ...named, reason: quoted(reason) }, { endpoint, path });
  };
  const limit = limitedSignal(wire.timeout, wire.signal, wire.clock);
  try {
    const { statusCode, headers, body } = await request(wire.url, {
      method: wire.method,
      headers: wire.headers,
      body: wire.body ?? null,
      signal: limit.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...dispatcherFor(wire),
    });
    const isSuccess = statusCode < 300;
    const read = await readBounded(body, isSuccess ? wire.maxBytes : 16 * 1024);
    if (read.isCut && isSuccess)
      return failure("HDP-2070", `it has more than ${wire.maxBytes} bytes (maxReplyBytes)`);
    return {
      status: statusCode,
      contentType: single(headers["content-type"]) ?? "",
      retryAfter: single(headers["retry-after"]),
      location: single(headers["location"]),
      text: read.text,
    };
  } catch (error) {
    if (wire.signal?.aborted === true) return failure("HDP-2082", "");
    if (limit.expired()) return failure("HDP-2080", `${Math.round(wire.timeout)} ms`);
    // Without the library's error, which contains raw data.
    return failure(...describeFault(error));
  } finally {
    limit.release();
  }
}

let formAgent: Agent | undefined;

/** Returns, for a form, an agent of this undici: Node's own agent sends forms of another copy as an empty body. */
function dispatcherFor({ dispatcher, body }: WireRequest): { readonly dispatcher?: Dispatcher } {
  if (dispatcher !== undefined) return { dispatcher };
  if (body === undefined || typeof body === "string") return {};
  formAgent ??= new Agent();
  return { dispatcher: formAgent };
}

async function readBounded(
  body: Dispatcher.ResponseData["body"],
  maxBytes: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream: AsyncIterable<unknown> = body;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(Buffer.from(chunk.subarray(0, maxBytes - size)));
    size += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes) break;
  }
  return { text: Buffer.concat(chunks).toString("utf8"), isCut: size > maxBytes };
}

/** Failures that only occur before a connection is made: name resolution, connecting, TLS handshake. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+)$/;
/** Failures that also occur on open connections: only while connecting do they prove that nothing was sent. */
const NOT_CONNECTED = /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

type WireFailureCode = "HDP-2063" | "HDP-2064" | "HDP-2070" | "HDP-2080" | "HDP-2082";

function describeFault(error: unknown): [code: WireFailureCode, reason: string] {
  const code = systemErrorCode(error) ?? "";
  const words = errorMessage(error);
  const reason = words.includes(code)
    ? words
    : [code, words].filter((part) => part !== "").join(", ");
  if (wasNeverSent(error)) return ["HDP-2063", reason];
  const isHttp = !(error instanceof Error && error.name === "HTTPParserError");
  return isHttp ? ["HDP-2064", reason] : ["HDP-2070", `it is not HTTP (${reason})`];
}

/** Returns whether the error proves that nothing was sent; with several addresses, for each of them. */
function wasNeverSent(error: unknown): boolean {
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(wasNeverSent);
  const connecting = error instanceof Error && "syscall" in error && error.syscall === "connect";
  const code = systemErrorCode(error) ?? "";
  return NEVER_SENT.test(code) || (connecting && NOT_CONNECTED.test(code));
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

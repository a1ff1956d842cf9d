import { jsonText } from "./json-text.js";

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
}

/** What a route answers. */
export interface FrontReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without it the body is empty. */
  readonly body?: { readonly type: string; readonly text: string };
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

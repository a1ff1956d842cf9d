import { on } from "node:events";
import type { IncomingMessage } from "node:http";
import type { z } from "zod";

import { limitedSignal } from "../base/clock.js";
import { isRecord } from "../base/collections.js";
import { jsonText, parseJsonText } from "../base/json.js";
import { grouped } from "../base/text.js";
import type { Turns } from "../base/turns.js";
import { formIn } from "./multipart.js";
import { badRequest, HttpRefusal, tooLarge, unreadable } from "./refusals.js";
import type { RouteBody, RequestBody, JsonBody } from "./route.js";
import {
  hashedClass,
  JSON_FORM,
  LONG,
  longJson,
  MAX_CLASS_VALUES,
  requireValues,
} from "./uploaded-class.js";

/** Limits on requests. */
export interface DevServerLimits {
  /** Maximum number of tasks in a request. */
  readonly tasks: number;
  /** Maximum number of queries in a storage proof request. */
  readonly queries: number;
  /** Maximum number of commas and opening brackets in a body, without its compiled class. */
  readonly values: number;
  /** Maximum size of a body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum size of an uploaded program, or of a module task with its class, in bytes. */
  readonly classBytes: number;
  /** Maximum number of open connections; the server closes further ones immediately. */
  readonly connections: number;
  /** Maximum number of requests with a body that are handled in parallel; the others wait. */
  readonly atOnce: number;
}

/** The limits of a server that is given none. */
export const DEFAULT_LIMITS: DevServerLimits = {
  tasks: 1_000,
  queries: 1_000,
  values: 30_000,
  bodyBytes: 2 ** 20,
  classBytes: 24 * 2 ** 20,
  connections: 2_048,
  atOnce: 32,
};

/** A body as its handler gets it. */
export interface ReadBody extends RequestBody {
  /** The content compared for an `Idempotency-Key`: for a form its file and fields, as the boundary varies. */
  readonly content: readonly (string | Uint8Array)[];
}

/** The body of a request that has none. */
export const NO_BODY: ReadBody = {
  json: undefined,
  compiledClass: undefined,
  file: Buffer.alloc(0),
  form: {},
  content: [],
};

/** Returns the maximum size of a body, in bytes. */
export function maxBytes(expected: RouteBody, limits: DevServerLimits): number {
  if (expected.type === "file" || expected.mayHaveClass === true) return limits.classBytes;
  return expected.maxBytes ?? limits.bodyBytes;
}

/** Parses a body. @throws HttpRefusal HDP-4517 (400, 415), HDP-4529 (413); HdpError of area 7xxx for an invalid class */
export async function readBody(
  type: string | undefined,
  bytes: Buffer<ArrayBuffer>,
  expected: RouteBody,
  { limits, turns }: { readonly limits: DevServerLimits; readonly turns: Turns },
): Promise<ReadBody> {
  await turns.next();
  if (expected.type === "file") {
    const { file, form } = formIn(type ?? "", bytes, expected.parts);
    const fields = jsonText(form);
    if (fields.length > limits.bodyBytes) {
      throw tooLarge(`its fields have more than ${grouped(limits.bodyBytes)} characters`);
    }
    return { ...NO_BODY, file, form, content: [file, fields] };
  }
  return { ...NO_BODY, ...(await jsonIn(type, bytes, expected, limits, turns)), content: [bytes] };
}

/** Receives a body to its end, in `timeout` milliseconds. @throws HttpRefusal HDP-4517 (400, 408), HDP-4529 (413) */
export async function receiveBody(
  request: IncomingMessage,
  expected: RouteBody,
  { limits, timeout }: { readonly limits: DevServerLimits; readonly timeout: number },
): Promise<Buffer<ArrayBuffer>> {
  const most = maxBytes(expected, limits);
  const cutOff = (): HttpRefusal => unreadable("the connection ended before it did", undefined);
  const tooLong = (): HttpRefusal =>
    tooLarge(`the body is longer than ${grouped(most)} bytes`, { connection: "close" });
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > most) throw tooLong();
  // Memory that is never written is never taken; the chunks of a long body would be garbage of its size.
  let content = Buffer.allocUnsafe(length);
  let bytes = 0;
  const limit = limitedSignal(timeout, undefined);
  try {
    if (request.destroyed) throw cutOff();
    const arriving: AsyncIterable<unknown[]> = on(request, "data", {
      signal: limit.signal,
      close: ["end", "close"],
    });
    for await (const [chunk] of arriving) {
      if (!Buffer.isBuffer(chunk)) continue;
      const end = bytes + chunk.length;
      if (end > most) throw tooLong();
      if (end > content.length) content = Buffer.concat([content.subarray(0, bytes)], 2 * end);
      content.set(chunk, bytes);
      bytes = end;
    }
    if (!request.complete) throw cutOff();
    return content.subarray(0, bytes);
  } catch (error) {
    // Discards the rest, so that the client can read the reply before the connection closes.
    request.on("error", () => undefined).resume();
    if (error instanceof HttpRefusal) throw error;
    throw limit.expired()
      ? unreadable(`it did not arrive within ${timeout / 1000} s`, undefined, 408)
      : cutOff();
  } finally {
    limit.release();
  }
}

/** Returns the text of a body. @throws HttpRefusal HDP-4517 (400) for bytes that are not UTF-8 */
function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("it is not UTF-8 text", JSON_FORM);
  }
}

/** Returns the JSON of a body, and a compiled class in it by itself. @throws HttpRefusal HDP-4517 (400, 415), HDP-4529 (413) */
async function jsonIn(
  type: string | undefined,
  bytes: Buffer,
  expected: RouteBody & { readonly type: "json" },
  limits: DevServerLimits,
  turns: Turns,
): Promise<JsonBody> {
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw unreadable(`its content type is "${type.slice(0, 80)}"`, JSON_FORM, 415);
  }
  const hasClass = expected.mayHaveClass === true && bytes.includes('"compiled_class"');
  if (!hasClass && bytes.length > limits.bodyBytes) {
    throw tooLarge(`the body is longer than ${grouped(limits.bodyBytes)} bytes`);
  }
  const text = utf8Text(bytes);
  const maxValues = hasClass ? MAX_CLASS_VALUES : limits.values;
  requireValues(text, maxValues);
  const exact = (): unknown =>
    parseJsonText(text, { maxValues, notJson: (sentence) => unreadable(sentence, JSON_FORM) });
  if (!hasClass) return { json: exact(), compiledClass: undefined };
  const { body, given } = withoutClass(text.length > LONG ? longJson(text) : exact());
  await turns.next();
  requireValues(writeJson(body), limits.values);
  const classText = writeJson(given ?? {});
  await turns.next();
  return {
    json: body,
    compiledClass: classText === "{}" ? undefined : await hashedClass(given, turns, classText),
  };
}

/** Returns the JSON of a value. @throws HttpRefusal HDP-4517 for a value that is nested too deeply */
function writeJson(value: unknown): string {
  try {
    return jsonText(value);
  } catch (error) {
    throw error instanceof RangeError ? unreadable("it is nested too deeply", JSON_FORM) : error;
  }
}

/** Returns the body with an empty object instead of its class, and the class. */
function withoutClass(body: unknown): { readonly body: unknown; readonly given: unknown } {
  if (!isRecord(body) || !isRecord(body["input"])) return { body, given: undefined };
  const { input } = body;
  const given = input["compiled_class"];
  if (!isRecord(given)) return { body, given: undefined };
  return { body: { ...body, input: { ...input, compiled_class: {} } }, given };
}

/** Parses a value with a schema. @throws HttpRefusal HDP-4518 that names every invalid member */
export function readAs<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
  const result: z.SafeParseReturnType<z.input<S>, z.output<S>> = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(
    ...result.error.issues.map(
      ({ path, message }) => `${path.join(".") || "the body"}: ${message}`,
    ),
  );
}

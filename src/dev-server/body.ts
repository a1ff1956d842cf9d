import { on } from "node:events";
import type { IncomingMessage } from "node:http";
import type { z } from "zod";

import { limitedSignal } from "../base/clock.js";
import { isRecord } from "../base/collections.js";
import { excessOfValues, jsonText, parseJsonText } from "../base/json.js";
import { grouped, messageOf } from "../base/text.js";
import type { Turns } from "../base/turns.js";
import {
  type CompiledClass,
  parseClassJson,
  parseCompiledClass,
} from "../program/compiled-class.js";
import { programHashInSteps } from "../program/program-hash.js";
import {
  badRequest,
  type HashedClass,
  Refusal,
  type Request,
  type RouteBody,
  tooLarge,
  unreadable,
} from "./route.js";

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

export const DEFAULT_LIMITS: DevServerLimits = {
  tasks: 1_000,
  queries: 1_000,
  values: 30_000,
  bodyBytes: 2 ** 20,
  classBytes: 24 * 2 ** 20,
  connections: 2_048,
  atOnce: 32,
};

/** Maximum number of values in a body with a compiled class. The class of proven calls has half of them. */
const MAX_CLASS_VALUES = 1_000_000;
/** Maximum number of colons, one for each name of a member: different names take long to parse. */
const MAX_CLASS_NAMES = 200_000;
const MAX_ENTRY_POINTS = 1_000;

export interface ReadBody extends Pick<Request, "json" | "compiledClass" | "file" | "form"> {
  /** The content compared for an `Idempotency-Key`: for a form its file and fields, as the boundary varies. */
  readonly content: readonly (string | Uint8Array)[];
}

export const NO_BODY: ReadBody = {
  json: undefined,
  compiledClass: undefined,
  file: Buffer.alloc(0),
  form: {},
  content: [],
};

export function maxBytes(expected: RouteBody, limits: DevServerLimits): number {
  if (expected.type === "file" || expected.mayHaveClass === true) return limits.classBytes;
  return expected.maxBytes ?? limits.bodyBytes;
}

/** Parses a body. @throws Refusal HDP-4517 (400, 415), HDP-4529 (413); HdpError of area 7xxx for an invalid class */
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

/** Receives a body to its end, in `timeout` milliseconds. @throws Refusal HDP-4517 (400, 408), HDP-4529 (413) */
export async function receiveBody(
  request: IncomingMessage,
  expected: RouteBody,
  { limits, timeout }: { readonly limits: DevServerLimits; readonly timeout: number },
): Promise<Buffer<ArrayBuffer>> {
  const most = maxBytes(expected, limits);
  const cutOff = (): Refusal => unreadable("the connection ended before it did", undefined);
  const tooLong = (): Refusal =>
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
    if (error instanceof Refusal) throw error;
    throw limit.expired()
      ? unreadable(`it did not arrive within ${timeout / 1000} s`, undefined, 408)
      : cutOff();
  } finally {
    limit.release();
  }
}

const JSON_FORM = "JSON in UTF-8, with the header content-type: application/json";

async function jsonIn(
  type: string | undefined,
  bytes: Buffer,
  expected: RouteBody & { readonly type: "json" },
  limits: DevServerLimits,
  turns: Turns,
): Promise<Pick<Request, "json" | "compiledClass">> {
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw unreadable(`its content type is "${type.slice(0, 80)}"`, JSON_FORM, 415);
  }
  const hasClass = expected.mayHaveClass === true && bytes.includes('"compiled_class"');
  if (!hasClass && bytes.length > limits.bodyBytes) {
    throw tooLarge(`the body is longer than ${grouped(limits.bodyBytes)} bytes`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("it is not UTF-8 text", JSON_FORM);
  }
  const maxValues = hasClass ? MAX_CLASS_VALUES : limits.values;
  requireValues(text, maxValues);
  const exact = (): unknown =>
    parseJsonText(text, { maxValues, notJson: (sentence) => unreadable(sentence, JSON_FORM) });
  if (!hasClass) return { json: exact(), compiledClass: undefined };
  const { body, given } = withoutClass(text.length > LONG ? longJson(text) : exact());
  await turns.next();
  requireValues(textOf(body), limits.values);
  const classText = textOf(given ?? {});
  await turns.next();
  return {
    json: body,
    compiledClass: classText === "{}" ? undefined : await hashedClass(given, turns, classText),
  };
}

/** @throws Refusal HDP-4529 */
function requireValues(text: string, maxValues: number): void {
  const excess = excessOfValues(text, maxValues);
  if (excess !== undefined) throw tooLarge(excess);
}

/** Maximum length of a text that is parsed exactly, and with the position of an error, in characters. */
const LONG = 2 ** 20;

/** Parses a long text in a fraction of the time. Numbers are rounded: no felt is read from one. @throws Refusal */
function longJson(text: string): unknown {
  let names = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    if ((names += 1) > MAX_CLASS_NAMES)
      throw tooLarge(`it has more than ${grouped(MAX_CLASS_NAMES)} colons`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(messageOf(error), JSON_FORM);
  }
}

/** Returns the JSON of a value. @throws Refusal HDP-4517 for a value that is nested too deeply */
function textOf(value: unknown): string {
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

/** Parses and hashes the text of a class. @throws HdpError of area 7xxx for an invalid class; Refusal HDP-4529 */
export async function classOf(text: string, turns: Turns): Promise<HashedClass> {
  if (text.length <= LONG) return await hashedClass(parseClassJson(text, undefined), turns, text);
  requireValues(text, MAX_CLASS_VALUES);
  return await hashedClass(longJson(text), turns, text);
}

async function hashedClass(json: unknown, turns: Turns, text: string): Promise<HashedClass> {
  const entries =
    isRecord(json) && isRecord(json["entry_points_by_type"]) ? json["entry_points_by_type"] : {};
  if (Object.values(entries).flat().length > MAX_ENTRY_POINTS) {
    throw tooLarge(`the class has more than ${grouped(MAX_ENTRY_POINTS)} entry points`);
  }
  await turns.next();
  const compiled = parseCompiledClass(json);
  await turns.next();
  const { compilerVersion } = compiled;
  const version = Number.parseInt(compilerVersion, 10);
  const hash = await turns.through(programHashInSteps(compiled));
  return { hash, text, layout: layoutOf(compiled), version, compilerVersion };
}

/** Builtins of the Cairo layouts, fewest trace columns first. */
const LAYOUTS = [
  ["recursive_with_poseidon", ["output", "pedersen", "range_check", "bitwise", "poseidon"]],
  ["starknet", ["output", "pedersen", "range_check", "ecdsa", "bitwise", "ec_op", "poseidon"]],
] as const;

/** Returns the registry's layout of a class: the smallest with all builtins of its external entry points. */
function layoutOf(compiled: CompiledClass): string {
  const builtins = compiled.entryPointsByType.EXTERNAL.flatMap((entryPoint) => entryPoint.builtins);
  const fitting = LAYOUTS.find(([, offered]) =>
    builtins.every((name) => new Set<string>(offered).has(name)),
  );
  return fitting?.[0] ?? "starknet_with_keccak";
}

/** Maximum number of parts of a form, which usually has one; reading many is slow. */
const MAX_PARTS = 16;
const MAX_HEAD_BYTES = 16 * 2 ** 10;

function formIn(
  type: string,
  body: Buffer,
  names: readonly [string, ...string[]],
): { readonly file: Buffer; readonly form: Readonly<Record<string, string>> } {
  const wanted = `a multipart form with the file as its part ${names[0]}: curl -F ${names[0]}=@file`;
  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(type)?.[1];
  if (boundary === undefined)
    throw unreadable(`its content type is "${type.slice(0, 80)}"`, wanted);
  const parts = new Map<string, Buffer>();
  for (const part of partsOf(body, boundary)) {
    const end = part.subarray(0, MAX_HEAD_BYTES).indexOf("\r\n\r\n");
    if (end < 0 && part.length > MAX_HEAD_BYTES) {
      throw tooLarge(`the head of a part has more than ${grouped(MAX_HEAD_BYTES)} bytes`);
    }
    const name = /;\s*name=(?:"([^"]*)"|([^\s;]+))/i.exec(
      part.toString("utf8", 0, Math.max(0, end)),
    );
    if (name === null) throw unreadable("it is not a multipart form", wanted);
    parts.set(name[1] ?? name[2] ?? "", part.subarray(end + 4));
  }
  const found = names.find((name) => parts.has(name)) ?? names[0];
  const file = parts.get(found);
  if (file === undefined) throw unreadable(`the form has no part ${names[0]}`, wanted);
  parts.delete(found);
  return {
    file,
    form: Object.fromEntries([...parts].map(([name, content]) => [name, content.toString()])),
  };
}

/** Returns the parts between the boundaries of a form, without a copy. @throws Refusal HDP-4529 for too many parts */
function partsOf(body: Buffer, boundary: string): readonly Buffer[] {
  const mark = `\r\n--${boundary}`;
  const parts: Buffer[] = [];
  // The first boundary is not preceded by a line break.
  let at = body.indexOf(mark.slice(2)) - 2;
  for (;;) {
    const begin = at + mark.length;
    at = body.indexOf(mark, begin);
    if (at < 0) return parts;
    if (parts.length === MAX_PARTS) throw tooLarge(`the form has more than ${MAX_PARTS} parts`);
    parts.push(body.subarray(begin + 2, at));
  }
}

/** Parses a value with a schema. @throws Refusal HDP-4518 that names every invalid member */
export function readAs<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
  const result: z.SafeParseReturnType<z.input<S>, z.output<S>> = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(
    ...result.error.issues.map(
      ({ path, message }) => `${path.join(".") || "the body"}: ${message}`,
    ),
  );
}

import type { IncomingMessage } from "node:http";
import type { z } from "zod";

import { afterwards } from "../base/clock.js";
import { isRecord } from "../base/collections.js";
import { MAX_CLASS_BYTES } from "../base/files.js";
import { jsonText, parseJsonText } from "../base/json.js";
import { grouped } from "../base/text.js";
import { isHdpError } from "../errors/hdp-error.js";
import { type CompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
import { programHash } from "../program/program-hash.js";
import { badRequest, type Refusal, tooLarge, unreadable } from "./refusals.js";
import type { HashedClass, Headers, Request, RouteBody } from "./route.js";

/** Bounds on what requests may ask for. */
export interface DevServerLimits {
  /** Tasks of a request. */
  readonly tasks: number;
  /** Queries of a storage proof request. */
  readonly queries: number;
  /** Items of lists and members of objects of a body, without its compiled class. */
  readonly values: number;
  /** Bytes of a body. */
  readonly bodyBytes: number;
  /** Bytes of an uploaded program, or of a module task with its class. */
  readonly classBytes: number;
  /** Open connections; more are closed at once. */
  readonly connections: number;
  /** Requests with a body that are read and worked on at once; more wait. */
  readonly atOnce: number;
}

export const DEFAULT_LIMITS: DevServerLimits = {
  tasks: 1_000,
  queries: 1_000,
  values: 20_000,
  bodyBytes: 2 ** 20,
  classBytes: MAX_CLASS_BYTES,
  connections: 2_048,
  atOnce: 32,
};

/** Decimal digits of a number, also of one written as text: those of 2^256 - 1. */
const MAX_DIGITS = 78;
/** Lists and objects inside each other. */
const MAX_DEPTH = 64;
/** Items and members of a compiled class. That of proven calls has 380,000, four times what Starknet takes. */
const MAX_CLASS_VALUES = 500_000;

/** What is read of a body. */
export interface ReadBody extends Pick<Request, "json" | "compiledClass" | "file" | "form"> {
  /** What tells bodies apart for an `Idempotency-Key`: the form around a file has another boundary each time. */
  readonly content: string | Uint8Array;
}

export const NO_BODY: ReadBody = { json: undefined, compiledClass: undefined, file: "", form: {}, content: "" };

/** Returns how many bytes a body may have. */
export function maxBytes(expected: RouteBody, limits: DevServerLimits): number {
  if (expected.type === "file" || expected.mayHaveClass === true) return limits.classBytes;
  return expected.maxBytes ?? limits.bodyBytes;
}

/**
 * Reads a body to its end, and as what the route expects.
 *
 * @param timeout of the whole body, in milliseconds
 * @param turn resolves when a body that has arrived may be parsed
 * @throws Refusal HDP-4517 (400, 408, 415), HDP-4529 (413); HdpError of area 7xxx for a class that is none
 */
export async function readBody(
  request: IncomingMessage,
  expected: RouteBody,
  given: { readonly limits: DevServerLimits; readonly timeout: number; readonly turn: () => Promise<void> },
): Promise<ReadBody> {
  const { limits } = given;
  const bytes = await readBytes(request, maxBytes(expected, limits), given.timeout);
  await given.turn();
  const type = request.headers["content-type"];
  if (expected.type === "file") {
    const { file, form } = await formIn(type ?? "", bytes, expected.parts);
    const content = jsonText(form);
    if (content.length > limits.bodyBytes) {
      throw tooLarge(`its fields have more than ${grouped(limits.bodyBytes)} characters`);
    }
    return { ...NO_BODY, file, form, content: `${file}${content}` };
  }
  return { ...NO_BODY, ...jsonIn(type, bytes, expected, limits), content: bytes };
}

async function readBytes(request: IncomingMessage, most: number, timeout: number): Promise<Buffer<ArrayBuffer>> {
  const tooLong = (): Refusal => tooLarge(`the body is longer than ${grouped(most)} bytes`, { connection: "close" });
  if (Number(request.headers["content-length"] ?? 0) > most) throw tooLong();
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (refusal: Refusal | undefined): void => {
      cancel();
      request.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      if (refusal === undefined) {
        resolve(Buffer.concat(chunks));
        return;
      }
      // The rest is thrown away, so that the reply can be read before the connection is closed.
      request.on("error", () => undefined).resume();
      reject(refusal);
    };
    const cancel = afterwards(timeout, () => {
      finish(unreadable(`it did not arrive within ${timeout / 1000} s`, undefined, 408));
    });
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > most) finish(tooLong());
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      finish(undefined);
    };
    const onCut = (): void => {
      finish(unreadable("the connection ended before it did", undefined));
    };
    if (request.destroyed) onCut();
    else request.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

const JSON_FORM = "JSON in UTF-8, with the header content-type: application/json";

function jsonIn(
  type: Headers[string],
  bytes: Buffer,
  expected: RouteBody & { readonly type: "json" },
  limits: DevServerLimits,
): Pick<Request, "json" | "compiledClass"> {
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(String(type))) {
    throw unreadable(`its content type is "${String(type).slice(0, 80)}"`, JSON_FORM, 415);
  }
  const hasClass = expected.mayHaveClass === true && bytes.includes('"compiled_class"');
  if (!hasClass && bytes.length > limits.bodyBytes) {
    throw tooLarge(`the body is longer than ${grouped(limits.bodyBytes)} bytes`);
  }
  requireShape(bytes, hasClass ? MAX_CLASS_VALUES : limits.values);
  const json = parsed(bytes);
  if (!hasClass) return { json, compiledClass: undefined };
  const { body, given } = withoutClass(json);
  requireShape(Buffer.from(jsonText(body)), limits.values);
  return { json: body, compiledClass: given === undefined ? undefined : hashedClass(jsonText(given)) };
}

function parsed(bytes: Buffer): unknown {
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = isHdpError(error) ? error.shortMessage.replace(/\.$/, "") : "it is not UTF-8 text";
    throw unreadable(reason, JSON_FORM);
  }
}

/** Returns the body with an empty object in the place of its class, and the class. */
function withoutClass(body: unknown): { readonly body: unknown; readonly given: unknown } {
  if (!isRecord(body) || !isRecord(body["input"])) return { body, given: undefined };
  const { input } = body;
  const given = input["compiled_class"];
  if (!isRecord(given) || Object.keys(given).length === 0) return { body, given: undefined };
  return { body: { ...body, input: { ...input, compiled_class: {} } }, given };
}

const [QUOTE, BACKSLASH, COMMA, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x30, 0x39];
const [OPENING, CLOSING] = [
  [0x5b, 0x7b],
  [0x5d, 0x7d],
] as const;

/**
 * Counts the values of a JSON text before it is parsed, in one pass: parsing takes time and memory by their number.
 *
 * @throws Refusal HDP-4529 beyond a limit of digits, depth or values
 */
function requireShape(body: Uint8Array, maxValues: number): void {
  let [depth, digits, values] = [0, 0, 0];
  let isInText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      if (digits > MAX_DIGITS) throw tooLarge(`a number has more than ${MAX_DIGITS} digits`);
      continue;
    }
    digits = 0;
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) {
      isInText = true;
    } else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) throw tooLarge(`the body has more than ${grouped(maxValues)} values`);
    } else if (byte === OPENING[0] || byte === OPENING[1]) {
      depth += 1;
      if (depth > MAX_DEPTH) throw tooLarge(`the body is nested deeper than ${MAX_DEPTH} levels`);
    } else if (byte === CLOSING[0] || byte === CLOSING[1]) {
      depth -= 1;
    }
  }
}

/** Reads and hashes a compiled class. @throws HdpError of area 7xxx for one that is none; Refusal HDP-4529 */
export function hashedClass(text: string): HashedClass {
  requireShape(Buffer.from(text), MAX_CLASS_VALUES);
  const compiled = parseCompiledClassText(text);
  const { compilerVersion } = compiled;
  const version = Number.parseInt(compilerVersion, 10);
  return { hash: programHash(compiled), text, layout: layoutOf(compiled), version, compilerVersion };
}

/** Builtins of the Cairo layouts, fewest trace columns first. */
const LAYOUTS = [
  ["recursive_with_poseidon", ["output", "pedersen", "range_check", "bitwise", "poseidon"]],
  ["starknet", ["output", "pedersen", "range_check", "ecdsa", "bitwise", "ec_op", "poseidon"]],
] as const;

/** Returns the layout that the published registry answers: the smallest with all builtins of external entry points. */
function layoutOf(compiled: CompiledClass): string {
  const builtins = compiled.entryPointsByType.EXTERNAL.flatMap((entryPoint) => entryPoint.builtins);
  const fitting = LAYOUTS.find(([, offered]) => builtins.every((name) => new Set<string>(offered).has(name)));
  return fitting?.[0] ?? "starknet_with_keccak";
}

/** A form has one part; reading many takes long. */
const MAX_PARTS = 16;
const MAX_HEAD_BYTES = 16 * 2 ** 10;

async function formIn(
  type: string,
  body: Buffer<ArrayBuffer>,
  parts: readonly [string, ...string[]],
): Promise<Pick<Request, "file" | "form">> {
  const form = `a multipart form with the file as its part ${parts[0]}: curl -F ${parts[0]}=@file`;
  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(type)?.[1];
  if (boundary === undefined) throw unreadable(`its content type is "${type.slice(0, 80)}"`, form);
  // There is a piece before the first mark, and one after the last.
  const pieces = body.toString("latin1").split(`--${boundary}`, MAX_PARTS + 3);
  if (pieces.length > MAX_PARTS + 2) throw tooLarge(`the form has more than ${MAX_PARTS} parts`);
  if (pieces.some((piece) => piece.length > MAX_HEAD_BYTES && !piece.slice(0, MAX_HEAD_BYTES).includes("\r\n\r\n"))) {
    throw tooLarge(`the head of a part has more than ${grouped(MAX_HEAD_BYTES)} bytes`);
  }
  let data: FormData;
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- meant for bodies without a bound: this one has one
    data = await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    throw unreadable("it is not a multipart form", form);
  }
  const part = parts.map((name) => data.get(name)).find((found) => found !== null) ?? undefined;
  if (part === undefined) throw unreadable(`the form has no part ${parts[0]}`, form);
  const fields: Record<string, string> = {};
  data.forEach((value, name) => {
    if (typeof value === "string" && value !== part) fields[name] = value;
  });
  return { file: typeof part === "string" ? part : await part.text(), form: fields };
}

/** Reads a value by a schema. @throws Refusal HDP-4518 that names every member which does not fit */
export function readAs<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
  const result: z.SafeParseReturnType<z.input<S>, z.output<S>> = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(...result.error.issues.map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`));
}

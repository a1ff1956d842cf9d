import { extname } from "node:path";
import { Worker } from "node:worker_threads";

import { isRecord } from "../base/collections.js";
import { shipped } from "../base/files.js";
import { jsonText, parseJsonText } from "../base/json.js";
import { grouped } from "../base/text.js";
import { HdpError, type HdpErrorOptions, isHdpError } from "../errors/hdp-error.js";
import { type CompiledClass, parseCompiledClassText } from "../program/compiled-class.js";
import { programHash } from "../program/program-hash.js";
import { FrontProblem, type HashedClass } from "./front-problem.js";
import { beyondLimit, checkShape, type FrontLimits } from "./limits.js";

/** The body of a module task without its class, and the class. */
export interface BodyWithClass {
  readonly body: unknown;
  readonly compiledClass: HashedClass | undefined;
}

export type ClassLimits = Pick<FrontLimits, "classFelts" | "classValues" | "values" | "digits" | "depth">;

/** What a worker is asked: the bytes are a class, or a JSON body with one as `input.compiled_class`. */
export interface ClassQuestion {
  readonly kind: "class" | "body";
  readonly bytes: Uint8Array;
  readonly limits: ClassLimits;
}

export type ClassAnswer =
  { readonly found: BodyWithClass } | { readonly mistake: HdpErrorOptions & { readonly status?: number } };

/** Classes up to this size are read at once, which takes a few milliseconds; larger ones on a thread of their own. */
const AT_ONCE_BYTES = 8 * 2 ** 10;
const PATIENCE_MS = 60_000;
const THREAD_MEMORY_MB = 512;
/** Threads need memory of their own: one reads at a time. */
let last: Promise<unknown> = Promise.resolve();

/** @throws HdpError of area 7xxx where the text is no compiled class; FrontProblem for one beyond a limit. */
export async function readClass(text: string, limits: ClassLimits): Promise<HashedClass> {
  const { compiledClass } = await ask({ kind: "class", bytes: new TextEncoder().encode(text), limits });
  if (compiledClass === undefined) throw new Error("the class was not read");
  return compiledClass;
}

/** @throws as {@link readClass}, and HdpError HDP-1001 where the body is not JSON. */
export async function readBodyWithClass(bytes: Uint8Array, limits: ClassLimits): Promise<BodyWithClass> {
  return await ask({ kind: "body", bytes, limits });
}

async function ask(question: ClassQuestion): Promise<BodyWithClass> {
  if (question.bytes.length <= AT_ONCE_BYTES) return foundIn(answerTo(question));
  const turn = last.then(async () => await onThread(question));
  last = turn.catch(() => undefined);
  return foundIn(await turn);
}

function foundIn(answer: ClassAnswer): BodyWithClass {
  if ("found" in answer) return answer.found;
  const { status, ...mistake } = answer.mistake;
  if (status === undefined) throw new HdpError(mistake);
  throw new FrontProblem({ code: mistake.code, message: mistake.message, hints: mistake.hints ?? [], status });
}

async function onThread(question: ClassQuestion): Promise<ClassAnswer> {
  // Sources that run as they are have another ending than what is built of them.
  const isSource = extname(import.meta.filename) === ".ts";
  const worker = new Worker(shipped(isSource ? "src/dev-server/class-thread.ts" : "dist/dev-server/class-thread.js"), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  });
  const timer = setTimeout(() => void worker.terminate(), PATIENCE_MS);
  try {
    return await new Promise<ClassAnswer>((resolve, reject) => {
      worker.once("message", resolve).once("error", (error: NodeJS.ErrnoException) => {
        reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? beyondLimit("the class needs too much memory") : error);
      });
      worker.once("exit", () => {
        reject(beyondLimit("the class takes too long to read"));
      });
      worker.postMessage(question);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Reads what a question holds; mistakes are part of the answer, as errors do not pass between threads. */
export function answerTo({ kind, bytes, limits }: ClassQuestion): ClassAnswer {
  try {
    checkShape(bytes, { ...limits, values: limits.classValues });
    const text = new TextDecoder("utf-8", { fatal: kind === "body" }).decode(bytes);
    if (kind === "class") return { found: { body: undefined, compiledClass: hashed(text, limits) } };
    const { body, given } = withoutClass(parseJsonText(text));
    checkShape(new TextEncoder().encode(jsonText(body)), limits);
    return { found: { body, compiledClass: given === undefined ? undefined : hashed(jsonText(given), limits) } };
  } catch (error) {
    if (!isHdpError(error)) throw error;
    const { code, shortMessage: message, path, hints } = error;
    const status = error instanceof FrontProblem ? { status: error.reply.status } : {};
    return { mistake: { code, message, path, hints, ...status } };
  }
}

function hashed(text: string, { classFelts }: ClassLimits): HashedClass {
  const compiled: CompiledClass = parseCompiledClassText(text);
  if (compiled.bytecode.length > classFelts) {
    const [count, most] = [compiled.bytecode.length, classFelts].map((felts) => grouped(felts));
    throw beyondLimit(`the class has ${count ?? ""} felts, more than ${most ?? ""}`);
  }
  return { hash: programHash(compiled), text };
}

/** The body with an empty class in the place of the one it has. */
function withoutClass(body: unknown): { readonly body: unknown; readonly given: unknown } {
  if (!isRecord(body) || !isRecord(body["input"])) return { body, given: undefined };
  const { input } = body;
  const given = input["compiled_class"];
  if (!isRecord(given) || Object.keys(given).length === 0) return { body, given: undefined };
  return { body: { ...body, input: { ...input, compiled_class: {} } }, given };
}

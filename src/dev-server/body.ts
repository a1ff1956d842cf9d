import type { IncomingMessage } from "node:http";
import type { z } from "zod";

import { afterwards } from "../base/clock.js";
import { parseJsonText } from "../base/json.js";
import { grouped } from "../base/text.js";
import { isHdpError } from "../errors/hdp-error.js";
import { FrontProblem, type FrontRequest, refusalOf } from "./front-problem.js";
import { checkShape, FRONT_LIMITS, type FrontLimits, listed } from "./limits.js";
import { readBodyWithClass } from "./read-class.js";

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Reads a request's body to its end.
 *
 * @throws FrontProblem HDP-4515 (413) for a body that is too long, HDP-4516 (408) for one that takes too long,
 *   HDP-4517 (400) for one that ends early. What is left of it is not kept.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.maxBytes) throw tooLong(limits.maxBytes);
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const cancel = afterwards(limits.timeoutMs, () => {
      finish(tooSlow(limits.timeoutMs));
    });
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) finish(tooLong(limits.maxBytes));
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      finish(undefined);
    };
    const onCut = (): void => {
      finish(new FrontProblem({ code: "HDP-4517", status: 400, message: "the connection ended before the body did." }));
    };
    const finish = (problem: FrontProblem | undefined): void => {
      cancel();
      request.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      if (problem === undefined) {
        resolve(Buffer.concat(chunks));
      } else {
        // What still arrives is thrown away, so that the answer can be read before the connection is closed.
        request.on("error", () => undefined).resume();
        reject(problem);
      }
    };
    request.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
  });
}

function tooLong(maxBytes: number): FrontProblem {
  return new FrontProblem({
    code: "HDP-4515",
    status: 413,
    message: `the body is longer than ${grouped(maxBytes)} bytes.`,
    headers: { connection: "close" },
  });
}

function tooSlow(timeoutMs: number): FrontProblem {
  return new FrontProblem({
    code: "HDP-4516",
    status: 408,
    message: `the body did not arrive within ${(timeoutMs / 1000).toString()} s.`,
    headers: { connection: "close" },
  });
}

/**
 * The JSON of a body. Integers beyond 2^53 are bigints.
 *
 * @throws FrontProblem HDP-4517 (400, 415) where the body is not JSON, or says that it is something else; HDP-4515 or
 *   HDP-4529 (413) where it is beyond a limit; 7xxx (400) where its class is none.
 */
export async function jsonBody(
  headers: FrontRequest["headers"],
  bytes: Uint8Array<ArrayBuffer>,
  limits: FrontLimits,
  mayHaveClass: boolean,
): Promise<Pick<FrontRequest, "json" | "compiledClass">> {
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(String(type))) {
    throw new FrontProblem({
      code: "HDP-4517",
      status: 415,
      message: `the body's content type is "${String(type).slice(0, 80)}", expected application/json.`,
    });
  }
  const hasClass =
    mayHaveClass && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"compiled_class"');
  if (!hasClass && bytes.length > limits.bodyBytes) throw tooLong(limits.bodyBytes);
  try {
    if (!hasClass) {
      checkShape(bytes, limits);
      return { json: parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes)), compiledClass: undefined };
    }
    const { body, compiledClass } = await readBodyWithClass(bytes, limits);
    return { json: body, compiledClass };
  } catch (error) {
    if (isHdpError(error) && !isHdpError(error, "HDP-1001")) throw refusalOf(error);
    const reason = isHdpError(error) ? error.shortMessage : "it is not UTF-8 text";
    throw new FrontProblem({
      code: "HDP-4517",
      status: 400,
      message: `the body is not JSON: ${reason}`,
      cause: error,
    });
  }
}

/**
 * Checks a value against a wire schema.
 *
 * @throws FrontProblem HDP-4518 (400) that names every field that does not fit.
 */
export function parsedAs<S extends z.ZodTypeAny>(
  schema: S,
  value: unknown,
  { mistakes }: Pick<FrontLimits, "mistakes"> = FRONT_LIMITS,
): z.output<S> {
  const result: z.SafeParseReturnType<z.input<S>, z.output<S>> = schema.safeParse(value);
  if (result.success) return result.data;
  throw new FrontProblem({
    code: "HDP-4518",
    status: 400,
    message: "the request does not have the form that this endpoint takes.",
    hints: listed(
      result.error.issues.slice(0, mistakes).map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`),
      result.error.issues.length,
    ),
  });
}

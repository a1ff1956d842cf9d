import type { IncomingMessage } from "node:http";

import type { z } from "zod";

import { isHdpError } from "../base/errors.js";
import { parseJsonText } from "../base/json-text.js";
import { FrontProblem, type FrontRequest } from "./front-problem.js";

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
    const timer = setTimeout(() => {
      finish(tooSlow(limits.timeoutMs));
    }, limits.timeoutMs);
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
      clearTimeout(timer);
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
    message: `the body is longer than ${maxBytes.toLocaleString("en-US")} bytes.`,
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
 * @throws FrontProblem HDP-4517 (400, 415) where the body is not JSON, or says that it is something else.
 */
export function jsonBody(request: FrontRequest): unknown {
  const type = request.headers["content-type"];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(String(type))) {
    throw new FrontProblem({
      code: "HDP-4517",
      status: 415,
      message: `the body's content type is "${String(type).slice(0, 80)}", expected application/json.`,
    });
  }
  try {
    return parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(request.body));
  } catch (error) {
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
export function parsedAs<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
  const result: z.SafeParseReturnType<z.input<S>, z.output<S>> = schema.safeParse(value);
  if (result.success) return result.data;
  throw new FrontProblem({
    code: "HDP-4518",
    status: 400,
    message: "the request does not have the form that this endpoint takes.",
    hints: result.error.issues.map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`),
  });
}

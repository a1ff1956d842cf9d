import type { z } from "zod";

import { isHdpError } from "../../request/errors.js";
import { parseJsonText } from "../../request/json-text.js";
import type { FrontRequest } from "./front-message.js";
import { FrontProblem } from "./front-problem.js";

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

import { grouped } from "../base/text.js";
import { FrontProblem } from "./front-problem.js";

/** Bounds on what one request, and all requests together, may ask of a front. */
export interface FrontLimits {
  /** Tasks of a request. */
  readonly tasks: number;
  /** Items of lists and members of objects of a body without a compiled class, altogether. */
  readonly values: number;
  /** Mistakes that an answer lists; the rest is counted. */
  readonly mistakes: number;
  /** Decimal digits of a number, also of one written as text; 2^256 - 1 has 78. */
  readonly digits: number;
  /** Lists and objects inside each other. */
  readonly depth: number;
  /** The same of a body that carries one, and of the class. */
  readonly classValues: number;
  /** Bytes of a body. */
  readonly bodyBytes: number;
  /** Bytes of a body that carries a compiled class: an uploaded program, or a module task with its class. */
  readonly classBytes: number;
  /** Felts of a class's bytecode; Starknet itself takes 81,920. */
  readonly classFelts: number;
  /** Open connections; more are closed at once. */
  readonly connections: number;
  /**
   * Bytes of bodies that are read or worked on at a time; apart from them, of answers that are not taken and of requests that
   * wait for them (4 KiB each).
   */
  readonly bytesInFlight: number;
}

export const FRONT_LIMITS: FrontLimits = {
  tasks: 1_000,
  values: 20_000,
  mistakes: 100,
  digits: 78,
  depth: 64,
  bodyBytes: 2 ** 20,
  classBytes: 16 * 2 ** 20,
  classFelts: 81_920,
  classValues: 1_000_000,
  connections: 2_048,
  bytesInFlight: 64 * 2 ** 20,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Looks at the bytes of a JSON body before they are parsed, in one pass: whether they are JSON is not its matter.
 *
 * @throws FrontProblem HDP-4529 (413) for a body beyond a limit of numbers, depth or values.
 */
export function checkShape(
  body: Uint8Array,
  { digits: maxDigits, depth: maxDepth, values: maxValues }: Pick<FrontLimits, "digits" | "depth" | "values">,
): void {
  let depth = 0;
  let digits = 0;
  let values = 0;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      digits += 1;
      if (digits > maxDigits) throw beyondLimit(`a number has more than ${maxDigits} digits`);
      continue;
    }
    digits = 0;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) throw beyondLimit(`the body has more than ${grouped(maxValues)} values`);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > maxDepth) throw beyondLimit(`the body is nested deeper than ${maxDepth} levels`);
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
}

/** @throws FrontProblem HDP-4529 (413) for more tasks than a request may have. */
export function checkTaskCount(body: unknown, { tasks: most }: Pick<FrontLimits, "tasks">): void {
  const tasks = typeof body === "object" && body !== null && "tasks" in body ? body.tasks : undefined;
  if (Array.isArray(tasks) && tasks.length > most) {
    throw beyondLimit(`the request has ${tasks.length} tasks, more than ${grouped(most)}`);
  }
}

export function beyondLimit(message: string): FrontProblem {
  return new FrontProblem({
    code: "HDP-4529",
    status: 413,
    message,
    hints: ["Split the request. The limits can be raised where the server is started."],
  });
}

/** The first lines of a list of `count`, and one that counts the rest. */
export function listed(lines: readonly string[], count: number): string[] {
  const more = count - lines.length;
  return more === 0 ? [...lines] : [...lines, `… and ${grouped(more)} more.`];
}

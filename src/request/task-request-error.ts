import { HdpError, type HdpErrorOptions, inWords } from "../errors/hdp-error.js";

/** Details of a mistake for programs. */
export interface MistakeDetails {
  /** The value as written; undefined when it is missing. */
  readonly value?: unknown;
  /** Every accepted spelling, or both ends of a range. */
  readonly allowed?: readonly string[] | undefined;
  /** The nearest valid spelling. */
  readonly suggestion?: string | undefined;
}

/** One mistake of a task request. */
export class TaskMistake extends HdpError {
  public readonly value: unknown;
  public readonly allowed: readonly string[];
  public readonly suggestion: string | undefined;

  public constructor(options: HdpErrorOptions, { value, allowed = [], suggestion }: MistakeDetails = {}) {
    super(
      suggestion === undefined ? options : { ...options, message: `${options.message} Did you mean "${suggestion}"?` },
    );
    this.value = value;
    this.allowed = allowed;
    this.suggestion = suggestion;
  }
}

/**
 * A task request, task or builder call that cannot be sent, with all its mistakes.
 *
 * With one mistake the error has that mistake's code, path and sentence; with several the code is HDP-1100 and the
 * mistakes are in `errors`, each with its own code, path, value, allowed values and nearest spelling.
 *
 * @example
 * try { parseTaskRequest(json, { source: "tasks/fee.json" }) }
 * catch (error) { if (error instanceof TaskRequestError) for (const { code, path } of error.errors) … }
 */
export class TaskRequestError extends HdpError {
  public readonly errors: readonly [TaskMistake, ...TaskMistake[]];
  /** The number of all mistakes; `errors` may hold the first of them only. */
  public readonly count: number;

  public constructor(errors: readonly [TaskMistake, ...TaskMistake[]], source?: string, count = errors.length) {
    const [{ code, shortMessage: message, path, hints }] = errors;
    const more = count - errors.length;
    super(
      errors.length === 1
        ? { code, message, path, source, hints }
        : inWords(
            "HDP-1100",
            { count },
            { source, hints: [...errors.flatMap(lines), ...(more > 0 ? [`… and ${more} more.`] : [])] },
          ),
    );
    this.errors = errors;
    this.count = count;
  }
}

/** A mistake in a list: its own hints are indented below it. */
function lines({ code, path, shortMessage, hints }: TaskMistake): string[] {
  return [`${code}${path ? ` in ${path}` : ""}: ${shortMessage}`, ...hints.map((hint) => `  ${hint}`)];
}

import { HdpError, type HdpErrorCode } from "../errors/hdp-error.js";

/** One mistake as the readers find it, without its place. */
export interface Mistake {
  readonly code: HdpErrorCode;
  /** One sentence. */
  readonly message: string;
  /** The value as written; undefined when it is missing. */
  readonly value?: unknown;
  /** Every spelling or a range that is accepted, for programs. */
  readonly allowed?: readonly string[] | undefined;
  /** The nearest valid spelling. */
  readonly suggestion?: string | undefined;
  /** Further sentences: what is allowed, the next step. */
  readonly hints?: readonly string[] | undefined;
}

/** One mistake of a task request. */
export class TaskMistake extends HdpError {
  public readonly value: unknown;
  public readonly allowed: readonly string[];
  public readonly suggestion: string | undefined;

  public constructor(mistake: Mistake, path: string, source?: string) {
    const question = mistake.suggestion === undefined ? "" : ` Did you mean "${mistake.suggestion}"?`;
    super({ code: mistake.code, message: mistake.message + question, path, source, hints: mistake.hints });
    this.value = mistake.value;
    this.allowed = mistake.allowed ?? [];
    this.suggestion = mistake.suggestion;
  }
}

/**
 * A task request, task or builder call that cannot be sent, with all its mistakes in document order.
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
  /** All mistakes, of which `errors` may be the first. */
  public readonly count: number;

  /** @param count all mistakes, where `errors` are the first of more. */
  public constructor(errors: readonly [TaskMistake, ...TaskMistake[]], source?: string, count = errors.length) {
    const [first, ...others] = errors;
    const more = count - errors.length;
    super(
      others.length === 0
        ? { code: first.code, message: first.shortMessage, path: first.path, source, hints: first.hints }
        : {
            code: "HDP-1100",
            message: `${count} mistakes.`,
            source,
            hints: [...errors.flatMap(lines), ...(more > 0 ? [`… and ${more} more.`] : [])],
          },
    );
    this.errors = errors;
    this.count = count;
  }
}

/** A mistake in a list of several: its own hints stand below it, further in. */
function lines({ code, path, shortMessage, hints }: TaskMistake): string[] {
  return [`${code}${path ? ` in ${path}` : ""}: ${shortMessage}`, ...hints.map((hint) => `  ${hint}`)];
}

import { HdpError } from "../../base/errors.js";
import { nearest } from "../../base/nearest.js";

/** Deepest nesting of values that is read. */
export const MAX_VALUE_DEPTH = 100;

/** HDP-7012: the value has another form than its type takes. */
export function wrongForm(path: string, value: unknown, typeName: string, takes: string): HdpError {
  return new HdpError({
    code: "HDP-7012",
    path,
    message: `${describe(value)} is not a ${typeName}.`,
    hints: [`Allowed: ${takes}`],
  });
}

/** HDP-7013: the form is right, but the number is outside of what the type holds. */
export function outOfRange(path: string, value: bigint, typeName: string, min: bigint, max: bigint): HdpError {
  return new HdpError({
    code: "HDP-7013",
    path,
    message: `${value} does not fit into ${typeName}.`,
    hints: [`Allowed: ${min} to ${max}`],
  });
}

/** HDP-7010: a name that the ABI does not have at this place. */
export function unknownName(path: string, name: string, what: string, allowed: readonly string[]): HdpError {
  const near = nearest(name, allowed);
  const list = allowed.length === 0 ? `The ABI has no ${what} here.` : `The ABI has: ${allowed.join(", ")}`;
  return new HdpError({
    code: "HDP-7010",
    path,
    message: `"${name.slice(0, 100)}" is not the name of ${what === "argument" ? "an" : "a"} ${what}.${near === undefined ? "" : ` Did you mean "${near}"?`}`,
    hints: [list],
  });
}

/** HDP-7011: a name that the ABI has and the value lacks. */
export function missingName(path: string, name: string, what: string, typeName: string): HdpError {
  return new HdpError({
    code: "HDP-7011",
    path,
    message: `the ${what} "${name}" (${typeName}) is missing.`,
    hints: [`Give every ${what}: Cairo has no defaults.`],
  });
}

/** HDP-7019: nested deeper than any compiled type sensibly is; also what a cyclic object leads to. */
export function tooDeep(path: string): HdpError {
  return new HdpError({
    code: "HDP-7019",
    path: path.length > 200 ? `${path.slice(0, 200)}…` : path,
    message: `the value is nested deeper than ${MAX_VALUE_DEPTH} levels.`,
    hints: ["Pass deep structures as flat arrays."],
  });
}

/**
 * Several mistakes in the arguments of a module, each with its own code, place and sentence. It has those of the first;
 * the others are its hints.
 */
export class ValueMistakes extends HdpError {
  /** @param isCut more may follow: they were not looked for. */
  public constructor(
    first: HdpError,
    public readonly errors: readonly HdpError[],
    isCut: boolean,
  ) {
    super({
      code: first.code,
      path: first.path,
      message: first.shortMessage,
      hints: [...first.hints, ...errors.slice(1).flatMap(lines), ...(isCut ? ["… and maybe more."] : [])],
    });
  }
}

function lines({ code, path, shortMessage, hints }: HdpError): string[] {
  return [`${code}${path === undefined ? "" : ` in ${path}`}: ${shortMessage}`, ...hints.map((hint) => `  ${hint}`)];
}

/** Mistakes told of one value; a list of a million wrong items is told by the first of them. */
const MOST_MISTAKES = 100;

/** Gathers the mistakes of the parts of a value. */
export class MistakeList {
  readonly #mistakes: HdpError[] = [];
  #isCut = false;

  /** Whether no more are taken. */
  public get isFull(): boolean {
    return this.#isCut;
  }

  /** The part, or undefined where it has mistakes. */
  public of<T>(read: () => T): T | undefined {
    // What follows is not looked at: it could be any number.
    if (this.#isCut) return undefined;
    try {
      return read();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** Notes an error, or all that it consists of. @throws what is no error of this package */
  public add(error: unknown): void {
    if (!(error instanceof HdpError)) throw error;
    const all = error instanceof ValueMistakes ? error.errors : [error];
    this.#mistakes.push(...all.slice(0, MOST_MISTAKES - this.#mistakes.length));
    this.#isCut ||= this.#mistakes.length >= MOST_MISTAKES;
  }

  /** @throws the one mistake, or {@link ValueMistakes} with all of them */
  public throwIfAny(): void {
    const [first, ...others] = this.#mistakes;
    if (first === undefined) return;
    throw others.length === 0 ? first : new ValueMistakes(first, this.#mistakes, this.#isCut);
  }
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === undefined ? "no value" : `a value of type ${typeof value}`;
}

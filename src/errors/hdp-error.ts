import { HardhatPluginError } from "hardhat/plugins";

import { coverSecrets, SECRETS } from "./secrets.js";
import { printable, printableLines, shellWord } from "./printable.js";
import { CATALOGUE, type ErrorValue, type ErrorValueName, type HdpErrorCode } from "./catalogue.js";
import type { ErrorTemplate } from "./catalogue-entry.js";

export type { HdpErrorCode } from "./catalogue.js";

/** Where an error belongs, beside the values of its template. */
export interface ErrorContext {
  /** A path in the input (`tasks[0].compute.aggregateFnId`), a file, an option or a path in the configuration. */
  readonly path?: string | undefined;
  /** Where the input was read from: a file's path, `stdin`. */
  readonly source?: string | undefined;
  /** Hints that only the place of the error knows, after those of the template. */
  readonly hints?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** An error in words of its own: `hdpError` takes them from the catalogue. */
export interface HdpErrorOptions extends ErrorContext {
  readonly code: HdpErrorCode;
  readonly message: string;
}

/**
 * Root of every error this package throws on purpose, and a plugin error of Hardhat, which prints it without a stack.
 *
 * `message` is complete (place, sentence and hints, ready to print); the parts are kept for programs.
 * Areas: 1xxx request, 2xxx configuration and service, 3xxx execution store, 4xxx local data processor,
 * 5xxx submissions, 6xxx command line and plugin, 7xxx Cairo (program hash, ABI inputs, VM), 8xxx Starknet.
 */
export class HdpError extends HardhatPluginError {
  /** `npx hardhat hdp error <code>` explains it. */
  public readonly code: HdpErrorCode;
  /** The sentence alone, without place and hints. */
  public readonly shortMessage: string;
  public readonly path: string | undefined;
  public readonly source: string | undefined;
  /** What is allowed and the next step, one sentence each. */
  public readonly hints: readonly string[];

  public constructor(options: HdpErrorOptions) {
    // Any part may quote a service, a node or a file.
    const [source, path] = [options.source, options.path].map((part) => part && shown(part));
    const places = [source, path].filter((place) => place !== undefined && place !== "");
    const place = places.length === 0 ? "" : ` in ${places.join(", ")}`;
    const hints = (options.hints ?? []).map(shown);
    const message = asSentence(shown(options.message));
    super(
      "hardhat-hdp",
      [`${options.code}${place}: ${message}`, ...hints.map((hint) => `  ${hint}`)].join("\n"),
    );
    coverSecrets(options.cause);
    if (options.cause !== undefined) this.cause = options.cause;
    this.code = options.code;
    this.shortMessage = message;
    this.path = path;
    this.source = source;
    this.hints = hints;
  }
}

const MAX_LENGTH = 100_000;

function shown(text: string): string {
  return printableLines(SECRETS.redact(text, MAX_LENGTH), MAX_LENGTH);
}

type Arguments<NameT extends string> = [NameT] extends [never]
  ? [values?: Readonly<Record<string, never>>, context?: ErrorContext]
  : [values: Readonly<Record<NameT, ErrorValue>>, context?: ErrorContext];

/** Returns an error in the words of the catalogue: `hdpError("HDP-4101", { block, head }, { path: "--block" })`. */
export function hdpError<CodeT extends HdpErrorCode>(
  code: CodeT,
  ...args: Arguments<ErrorValueName<CodeT>>
): HdpError {
  return new HdpError(inWords(code, ...args));
}

/** Returns the error's options, for the constructor of a class of errors. */
export function inWords<CodeT extends HdpErrorCode>(
  code: CodeT,
  ...[values = {}, context]: Arguments<ErrorValueName<CodeT>>
): HdpErrorOptions {
  return filledIn(code, values, context);
}

/** Returns the options of {@link inWords}, for callers that check the names of the values themselves. */
export function filledIn(
  code: HdpErrorCode,
  values: Readonly<Record<string, ErrorValue>>,
  context?: ErrorContext,
): HdpErrorOptions {
  const entry: ErrorTemplate = CATALOGUE[code];
  const isComplete = (hint: string): boolean =>
    [...hint.matchAll(PLACEHOLDER)].every(([, name = ""]) => values[name] !== undefined);
  const hints = (entry.hints ?? []).filter(isComplete).map((hint) => filled(hint, values));
  return {
    ...context,
    code,
    message: filled(entry.message, values),
    hints: [...hints, ...(context?.hints ?? [])],
  };
}

const PLACEHOLDER = /\{([A-Za-z]+)\}/g;

function filled(template: string, values: Readonly<Record<string, ErrorValue>>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => String(values[name] ?? ""));
}

/** Adds a full stop, unless the text ends with punctuation or with something to copy: a path, a file's name, code. */
function asSentence(text: string): string {
  const end = text.slice(text.lastIndexOf(" ") + 1).slice(-100);
  if (/[/\\\n]|\.[a-z]\w*$/i.test(end)) return text;
  if (!/[\p{L}\p{N}%)\]"'’”]$/u.test(end) || /[.!?:;,…][)\]"'’”]*$/.test(end)) return text;
  return `${text}.`;
}

/**
 * Returns whether an error is one of this package, also when it was thrown by another installed copy of it.
 *
 * @example
 * try { parseTaskRequest(json) } catch (error) { if (isHdpError(error, "HDP-1104")) … }
 */
export function isHdpError(error: unknown, code?: HdpErrorCode): error is HdpError {
  if (!(error instanceof Error) || !("code" in error) || !("shortMessage" in error)) return false;
  if (typeof error.code !== "string" || !/^HDP-\d{4}$/.test(error.code)) return false;
  return code === undefined || error.code === code;
}

/** Returns an error with the place that is to be corrected, which only the caller knows. */
export function atPath(error: HdpError, path: string): HdpError {
  const { code, shortMessage: message, source, hints, cause } = error;
  return new HdpError({ code, message, path, source, hints, cause });
}

/** Returns an error with more hints, before its own. */
export function withHints(error: HdpError, more: readonly string[]): HdpError {
  const { code, shortMessage: message, path, source, hints, cause } = error;
  return new HdpError({ code, message, path, source, hints: [...more, ...hints], cause });
}

/** Returns a handler that puts undefined in place of an error of this package, of `code` alone where it is given. */
export function undefinedFor(code?: HdpErrorCode): (error: unknown) => undefined {
  return (error) => {
    if (!isHdpError(error, code)) throw error;
  };
}

/** Returns the error of this package that work throws; undefined where it throws none. */
export async function thrownBy(work: () => Promise<unknown>): Promise<HdpError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isHdpError(error)) return error;
    throw error;
  }
}

/** Returns HDP-6003 for a value that an option or argument does not take; `what` says what it takes: "a fault". */
export function notAllowed(
  value: unknown,
  what: string,
  {
    near,
    allowed,
    ...context
  }: ErrorContext & { readonly near?: string | undefined; readonly allowed?: string },
): HdpError {
  const suggestion = near === undefined ? undefined : ` Did you mean "${near}"?`;
  return hdpError("HDP-6003", { value: String(value), what, suggestion, allowed }, context);
}

/**
 * Returns a command to paste. Arguments come from services and files: each is quoted as one word of a shell.
 *
 * @param after unquoted words of this package's own: a flag, or a placeholder
 */
export function suggested(
  command: string,
  args: readonly string[],
  {
    network,
    after,
  }: { readonly network?: string | undefined; readonly after?: string | undefined } = {},
): string {
  return [
    "npx hardhat",
    command,
    ...args.map(shellWord),
    ...(after === undefined ? [] : [after]),
    ...(network === undefined ? [] : ["--network", shellWord(network)]),
  ].join(" ");
}

/** Returns the command that logs in to the service of a network and keeps its key. @param after further options */
export function loginCommand(network: string | undefined, after?: string): string {
  return suggested("hdp login", [], { network, after });
}

/**
 * Returns a submission's id, or `otherwise` (a task hash) where a command could not take the id: a word that begins
 * with a dash is an option whatever its quotes, and an unprintable id would be printed as another one.
 */
export function pastableName(id: string, otherwise: string | undefined): string {
  return !id.startsWith("-") && printable(id, 200) === id ? id : (otherwise ?? id);
}

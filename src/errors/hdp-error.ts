import { printableLines } from "../base/untrusted-text.js";
import type { HdpErrorCode } from "./catalogue.js";

export type { HdpErrorCode } from "./catalogue.js";

export interface HdpErrorOptions {
  /** Catalogue number; `npx hardhat hdp:error <code>` prints its cause and remedy. */
  readonly code: HdpErrorCode;
  /** One sentence: what is wrong, naming the field or option and its value. A missing full stop is added. */
  readonly message: string;
  /** Where: a path in the input (`tasks[0].compute.aggregateFnId`), a file, an option or a config path. */
  readonly path?: string | undefined;
  /** Where the input came from, when it was read from somewhere: a file's path, `stdin`. */
  readonly source?: string | undefined;
  /** What is allowed, and the next step: one sentence a line. */
  readonly hints?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/**
 * Root of every error this package throws on purpose.
 *
 * `message` is complete (place, sentence and hints, ready to print); the parts are kept for programs.
 * Areas: 1xxx request, 2xxx configuration and service, 3xxx execution store, 4xxx local data processor,
 * 5xxx journal, 6xxx command line and plugin, 7xxx Cairo (program hash, ABI inputs, VM), 8xxx Starknet.
 */
export class HdpError extends Error {
  public readonly code: HdpErrorCode;
  public readonly shortMessage: string;
  public readonly path: string | undefined;
  public readonly source: string | undefined;
  public readonly hints: readonly string[];

  public constructor(options: HdpErrorOptions) {
    // Any part may quote a service, a node, a file or a journal.
    const [source, path] = [options.source, options.path].map((part) => part && printableLines(part));
    const places = [source, path].filter((place) => place !== undefined && place !== "");
    const place = places.length === 0 ? "" : ` in ${places.join(", ")}`;
    const hints = (options.hints ?? []).map((hint) => printableLines(hint));
    const message = asSentence(printableLines(options.message));
    super(
      [`${options.code}${place}: ${message}`, ...hints.map((hint) => `  ${hint}`)].join("\n"),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = new.target.name;
    this.code = options.code;
    this.shortMessage = message;
    this.path = path;
    this.source = source;
    this.hints = hints;
  }
}

/**
 * The text with the full stop that it lacks. Left as it is: what ends with punctuation, also inside quotes or brackets,
 * and what ends with something to copy, which a full stop would spoil (a path, an address, a file's name, code).
 */
function asSentence(text: string): string {
  const end = text.slice(text.lastIndexOf(" ") + 1).slice(-100);
  if (/[/\\\n]|\.[a-z]\w*$/i.test(end)) return text;
  if (!/[\p{L}\p{N}%)\]"'’”]$/u.test(end) || /[.!?:;,…][)\]"'’”]*$/.test(end)) return text;
  return `${text}.`;
}

/**
 * True for an error of this package, also when it was thrown by another installed copy of it.
 *
 * @example
 * try { parseTaskRequest(json) } catch (error) { if (isHdpError(error, "HDP-1104")) … }
 */
export function isHdpError(error: unknown, code?: HdpErrorCode): error is HdpError {
  if (!(error instanceof Error) || !("code" in error) || !("shortMessage" in error)) return false;
  if (typeof error.code !== "string" || !/^HDP-\d{4}$/.test(error.code)) return false;
  return code === undefined || error.code === code;
}

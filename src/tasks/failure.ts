import { isCi } from "@nomicfoundation/hardhat-utils/ci";
import { relative, resolve } from "node:path";
import { inspect } from "node:util";

import { CATALOGUE, isHdpErrorCode } from "../errors/catalogue.js";
import type { CatalogueEntry, ErrorTemplate } from "../errors/catalogue-entry.js";
import { isHdpError, type HdpError } from "../errors/hdp-error.js";
import { printable } from "../base/untrusted-text.js";
import type { CommandScreen } from "./ui/screen.js";

/** What a script can tell apart without reading the message, by what the catalogue says of an error. */
const EXIT_CODES = { service: 2, "not finalized": 3, "unknown outcome": 4 } as const;
const MISTAKE = 1;
/** Of Hardhat: an answer that is no JSON-RPC, no connection, no answer in time. */
const NO_NETWORK = ["HHE702", "HHE703", "HHE704"];

/** The exit code of a failure: 1 unless a service, a network or the state of a task is the reason. */
export function exitCodeOf(error: unknown): number {
  if (NO_NETWORK.includes(codeOf(error) ?? "")) return EXIT_CODES.service;
  if (!isHdpError(error) || !isHdpErrorCode(error.code)) return MISTAKE;
  const { ends }: CatalogueEntry | ErrorTemplate = CATALOGUE[error.code];
  return ends === undefined ? MISTAKE : EXIT_CODES[ends];
}

/** What `--json` prints of a failure, in place of the command's document. */
export interface FailureDocument {
  readonly error: {
    /** Of the catalogue, or Hardhat's own (`HHE705`); null for neither. */
    readonly code: string | null;
    readonly message: string;
    readonly path: string | null;
    readonly hints: readonly string[];
    /** Each mistake, where there are several. */
    readonly errors?: readonly { readonly code: string; readonly message: string; readonly path: string | null }[];
  };
}

export function failureDocument(error: unknown): FailureDocument {
  if (!isHdpError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code: codeOf(error), message, path: null, hints: [] } };
  }
  const mistakes = mistakesOf(error);
  return {
    error: {
      code: error.code,
      message: error.shortMessage,
      path: placeOf(error),
      hints: error.hints,
      ...(mistakes.length < 2
        ? {}
        : { errors: mistakes.map((one) => ({ code: one.code, message: one.shortMessage, path: placeOf(one) })) }),
    },
  };
}

/**
 * What a command does with an error before Hardhat prints it: the document of `--json`, an annotation for each mistake
 * on GitHub, the exit code. GitHub wants files as the repository has them, errors name them as the project at `root`
 * does. In CI Hardhat prints a stack below each message, which repeats it: unless stacks are asked
 * for, there is none.
 */
export function reportFailure(
  error: unknown,
  screen: CommandScreen,
  root: string,
  { env, argv, stderr }: Pick<NodeJS.Process, "env" | "argv" | "stderr"> = process,
): void {
  screen.document(failureDocument(error));
  if (env["GITHUB_ACTIONS"] === "true" && isHdpError(error)) {
    const inRepository = (file: string): string => relative(env["GITHUB_WORKSPACE"] ?? root, resolve(root, file));
    for (const mistake of mistakesOf(error)) stderr.write(`${annotation(mistake, inRepository)}\n`);
  }
  // Only where this command is what the process is for: a test that expects the failure keeps its own exit code.
  if (!argv.slice(2).some((word) => word === "hdp" || word.startsWith("hdp:"))) return;
  const code = exitCodeOf(error);
  // Hardhat ends every failure with 1.
  if (code !== MISTAKE) process.once("exit", () => (process.exitCode = code));
  if (isHdpError(error) && isCi() && !argv.includes("--show-stack-traces")) {
    Object.defineProperty(error, inspect.custom, {
      value: () => "For more info run Hardhat with --show-stack-traces",
      enumerable: false,
    });
  }
}

/** A mistake as GitHub shows it beside the file: https://docs.github.com/actions, workflow commands. */
export function annotation(error: HdpError, inRepository = (file: string): string => file): string {
  const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  // Text that is not JSON ends its source with the line and the column.
  const [, source = "", line, column] = /^(.+?)(?::(\d+):(\d+))?$/s.exec(error.source ?? "") ?? [];
  const file = source === "" ? [] : [`file=${property(printable(inRepository(source).replaceAll("\\", "/")))}`];
  if (line !== undefined && column !== undefined) file.push(`line=${line}`, `col=${column}`);
  const properties = [...file, `title=${error.code}`].join(",");
  const place = error.path === undefined || error.path === "" ? "" : `${error.path}: `;
  return `::error ${properties}::${data([`${place}${error.shortMessage}`, ...error.hints].join("\n"))}`;
}

/** All mistakes of a file, or the one error. */
function mistakesOf(error: HdpError): readonly HdpError[] {
  for (const one of [error, error.cause]) {
    if (typeof one === "object" && one !== null && "errors" in one && Array.isArray(one.errors)) {
      const errors: readonly unknown[] = one.errors;
      const mistakes = errors.filter((mistake) => isHdpError(mistake));
      if (mistakes.length > 0) return mistakes;
    }
  }
  return [error];
}

function placeOf({ source, path }: HdpError): string | null {
  const places = [source, path].filter((place) => place !== undefined && place !== "");
  return places.length === 0 ? null : places.join(", ");
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("errorCode" in error)) return null;
  return typeof error.errorCode === "string" ? error.errorCode : null;
}

import { relative, resolve } from "node:path";
import { inspect } from "node:util";

import { isCi } from "@nomicfoundation/hardhat-utils/ci";

import { errorMessage } from "../base/text.js";
import type { ErrorTemplate } from "../errors/catalogue-entry.js";
import { CATALOGUE, errorPage, isHdpErrorCode } from "../errors/catalogue.js";
import { type HdpError, isHdpError } from "../errors/hdp-error.js";
import { annotation } from "./annotation.js";
import type { CommandScreen } from "./ui/screen.js";

/** Exit codes that let a script tell failures apart, by an error's kind in the catalogue. */
const EXIT_CODES = {
  "invalid input": 1,
  service: 2,
  "not finalized": 3,
  "unknown outcome": 4,
} as const;
/** Hardhat's errors for an answer that is not JSON-RPC, no connection, and no answer in time. */
const NO_NETWORK: readonly unknown[] = ["HHE702", "HHE703", "HHE704"];

/** Returns the exit code of a failure: 1 unless a service, a network or the state of a task is the reason. */
export function exitCode(error: unknown): number {
  if (NO_NETWORK.includes(hardhatErrorCode(error))) return EXIT_CODES.service;
  if (!isHdpError(error) || !isHdpErrorCode(error.code)) return EXIT_CODES["invalid input"];
  const entry: ErrorTemplate = CATALOGUE[error.code];
  return EXIT_CODES[entry.ends ?? "invalid input"];
}

/** A failure; `code` is one of the catalogue, one of Hardhat's (`HHE705`), or null. */
type FailureRecord = Readonly<Record<"code" | "path", string | null>> & {
  readonly message: string;
};

/** Returns the document that `--json` prints for a failure; `errors` lists each error, where there are several. */
export function failureDocument(error: unknown): {
  readonly error: FailureRecord & {
    readonly hints: readonly string[];
    readonly errors?: readonly FailureRecord[];
  };
} {
  if (!isHdpError(error)) {
    return {
      error: { code: hardhatErrorCode(error), message: errorMessage(error), path: null, hints: [] },
    };
  }
  const record = ({ code, shortMessage, source, path }: HdpError): FailureRecord => {
    const places = [source, path].filter((place) => place !== undefined && place !== "");
    return { code, message: shortMessage, path: places.length === 0 ? null : places.join(", ") };
  };
  const errors = errorsIn(error).map(record);
  return {
    error: { ...record(error), hints: error.hints, ...(errors.length > 1 ? { errors } : {}) },
  };
}

/** The process of a command. */
interface CommandProcess {
  readonly env: NodeJS.ProcessEnv;
  readonly argv: readonly string[];
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Reports an error before Hardhat prints it: prints the document of `--json` and GitHub's annotations, and sets the exit
 * code. GitHub expects files relative to the repository; errors name them relative to the project at `root`.
 */
export function reportFailure(
  error: unknown,
  screen: CommandScreen,
  root: string,
  { env, argv, stderr }: CommandProcess = process,
): void {
  screen.document(failureDocument(error));
  if (env["GITHUB_ACTIONS"] === "true" && isHdpError(error)) {
    const inRepository = (file: string): string =>
      relative(env["GITHUB_WORKSPACE"] ?? root, resolve(root, file));
    for (const one of errorsIn(error)) stderr.write(`${annotation(one, inRepository)}\n`);
  }
  // A test that runs a command and expects it to fail keeps its own exit code.
  if (!argv.slice(2).some((word) => word === "hdp" || word.startsWith("hdp:"))) return;
  const code = exitCode(error);
  // Hardhat ends every failure with 1.
  if (code !== 1) process.once("exit", () => (process.exitCode = code));
  // In CI, Hardhat prints a stack that repeats the message.
  if (isHdpError(error) && isCi() && !argv.includes("--show-stack-traces")) {
    const value = (): string => "For more info run Hardhat with --show-stack-traces";
    Object.defineProperty(error, inspect.custom, { value, enumerable: false });
  }
}

/** Returns where errors are explained: the command for the first error, and the page of each number. */
export function moreAbout(error: HdpError): string {
  const codes = [...new Set(errorsIn(error).map(({ code }) => code))];
  const [first = error.code] = codes;
  const pages = codes.map((code) => `  ${codes.length === 1 ? "" : `${code}: `}${errorPage(code)}`);
  return [`  More about it: npx hardhat hdp error ${first.slice("HDP-".length)}`, ...pages].join(
    "\n",
  );
}

function errorsIn(error: HdpError): readonly HdpError[] {
  for (const one of [error, error.cause]) {
    if (typeof one !== "object" || one === null || !("errors" in one) || !Array.isArray(one.errors))
      continue;
    const errors = one.errors.filter((item) => isHdpError(item));
    if (errors.length > 0) return errors;
  }
  return [error];
}

function hardhatErrorCode(error: unknown): string | null {
  const code = error instanceof Error && "errorCode" in error ? error.errorCode : null;
  return typeof code === "string" ? code : null;
}

import { isCi } from "@nomicfoundation/hardhat-utils/ci";
import { inspect } from "node:util";

import { isHdpError, type HdpError, type HdpErrorCode } from "../base/errors.js";
import { printable } from "../base/untrusted-text.js";
import type { Screen } from "./ui/screen.js";

/** What a script can tell apart without reading the message. */
export const EXIT_CODES = { input: 1, service: 2, notFinalized: 3, unknownOutcome: 4 } as const;

type Kind = keyof typeof EXIT_CODES;

const UNKNOWN_OUTCOME: readonly HdpErrorCode[] = ["HDP-2090", "HDP-5005", "HDP-5007", "HDP-5008"];
const NOT_FINALIZED: readonly HdpErrorCode[] = [
  ...(["HDP-2081", "HDP-2083", "HDP-2084", "HDP-3001", "HDP-3009", "HDP-6009"] as const),
];
const SERVICE: readonly HdpErrorCode[] = [
  ...(["HDP-2030", "HDP-2031", "HDP-2040", "HDP-2041", "HDP-2042", "HDP-2050", "HDP-2060", "HDP-2061"] as const),
  ...(["HDP-2062", "HDP-2063", "HDP-2064", "HDP-2070", "HDP-2071", "HDP-2072", "HDP-2073", "HDP-2080"] as const),
  ...(["HDP-2082", "HDP-2091", "HDP-2092", "HDP-3006", "HDP-3007", "HDP-4102", "HDP-4103", "HDP-4201"] as const),
  ...(["HDP-4202", "HDP-4203", "HDP-4204", "HDP-4414", "HDP-8005", "HDP-8008"] as const),
];

/** The exit code of a failure: 1 unless a service, a network or the state of a task is the reason. */
export function exitCodeOf(error: unknown): number {
  if (!isHdpError(error)) return EXIT_CODES.input;
  const named: readonly (readonly [Kind, readonly HdpErrorCode[]])[] = [
    ["unknownOutcome", UNKNOWN_OUTCOME],
    ["notFinalized", NOT_FINALIZED],
    ["service", SERVICE],
  ];
  return EXIT_CODES[named.find(([, codes]) => codes.includes(error.code))?.[0] ?? "input"];
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
 * on GitHub, the exit code. In CI Hardhat prints a stack below each message, which repeats it: unless stacks are asked
 * for, there is none.
 */
export function reportFailure(
  error: unknown,
  screen: Screen,
  { env, argv, stderr }: Pick<NodeJS.Process, "env" | "argv" | "stderr"> = process,
): void {
  screen.document(failureDocument(error));
  if (!isHdpError(error)) return;
  if (env["GITHUB_ACTIONS"] === "true") {
    for (const mistake of mistakesOf(error)) stderr.write(`${annotation(mistake)}\n`);
  }
  // Only where this command is what the process is for: a test that expects the failure keeps its own exit code.
  if (!argv.slice(2).some((word) => word === "hdp" || word.startsWith("hdp:"))) return;
  const code = exitCodeOf(error);
  // Hardhat ends every failure with 1.
  if (code !== EXIT_CODES.input) process.once("exit", () => (process.exitCode = code));
  if (isCi() && !argv.includes("--show-stack-traces")) {
    Object.defineProperty(error, inspect.custom, {
      value: () => "For more info run Hardhat with --show-stack-traces",
      enumerable: false,
    });
  }
}

/** A mistake as GitHub shows it beside the file: https://docs.github.com/actions, workflow commands. */
export function annotation(error: HdpError): string {
  const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const file = error.source === undefined ? [] : [`file=${property(printable(error.source))}`];
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

import { relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { inspect } from "node:util";

import { isCi } from "@nomicfoundation/hardhat-utils/ci";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { messageOf, nearest } from "../base/text.js";
import { makePrintable, printable } from "../errors/printable.js";
import type { ErrorTemplate } from "../errors/catalogue-entry.js";
import { CATALOGUE, errorPage, isHdpErrorCode } from "../errors/catalogue.js";
import { HdpError, isHdpError, notAllowed } from "../errors/hdp-error.js";
import { type CommandScreen, type Screen, terminalScreen } from "./ui/screen.js";

export type Optional<NameT extends string> = Readonly<Record<NameT, string | undefined>>;
export type Flags<NameT extends string> = Readonly<Record<NameT, boolean>>;

export interface CommandContext {
  readonly hre: HardhatRuntimeEnvironment;
  readonly screen: Screen;
  readonly asker: {
    readonly canAnswer: boolean;
    ask(question: string): Promise<string>;
  };
}

/** Returns an action that prints the document of `--json`, reports a failure, and sets the exit code. */
export function command<ArgumentsT extends object>(
  run: (args: ArgumentsT, context: CommandContext) => Promise<unknown>,
): (
  args: ArgumentsT & { readonly json?: boolean },
  hre: HardhatRuntimeEnvironment,
) => Promise<void> {
  return async (args, hre) => {
    const json = args.json === true;
    const screen = terminalScreen(json);
    for (const stream of [process.stdout, process.stderr])
      stream.off("error", unlessClosed).on("error", unlessClosed);
    const asker = {
      get canAnswer() {
        return process.stdin.isTTY && (json ? process.stderr : process.stdout).isTTY;
      },
      // Hardhat asks on standard output, which --json reserves for the document.
      ask: async (question: string) =>
        json
          ? await askOnStandardError(question)
          : await hre.interruptions.requestInput("hardhat-hdp", question),
    };
    try {
      screen.document((await run(args, { hre, screen, asker })) ?? null);
    } catch (error) {
      // Hardhat prints the error; errors of other packages quote nodes unchanged.
      makePrintable(error);
      reportFailure(error, screen, hre.config.paths.root);
      if (error instanceof HdpError) error.message += `\n${moreAbout(error)}`;
      throw error;
    }
  };
}

/** Returns the value of `--network`. Without it the option is undefined, whatever its type says. */
export function networkOption({
  globalOptions,
}: Pick<HardhatRuntimeEnvironment, "globalOptions">): string | undefined {
  return globalOptions.network;
}

/** Lets a command continue after the reader of its output has exited: `npx hardhat hdp list | head`. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

async function askOnStandardError(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(`${question} `);
  } finally {
    prompt.close();
  }
}

/** Returns the value of an option in seconds as milliseconds. @throws HdpError HDP-6003 */
export function milliseconds(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value * 1000;
  throw notAllowed(text, "a positive number of seconds", { path: option });
}

/** Returns an integer in a range; its digits may be grouped. @throws HdpError HDP-6003 */
export function integerIn(
  text: string,
  option: string,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  const value = Number(text.replaceAll(/[_,]/g, ""));
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  throw notAllowed(text, `an integer of ${range}`, { path: option });
}

/** Returns one of a list of values. @param what for the error: "a unit of values" @throws HdpError HDP-6003 */
export function oneOf<ValueT extends string>(
  value: string,
  values: readonly ValueT[],
  {
    what,
    path,
    hints,
  }: { readonly what: string; readonly path: string; readonly hints?: readonly string[] },
): ValueT {
  const known = values.find((one) => one === value);
  if (known !== undefined) return known;
  throw notAllowed(value, what, {
    path,
    hints,
    near: nearest(value, values),
    allowed: values.join(", "),
  });
}

export type Limits = Optional<"stepsLimit" | "memoryLimit">;

const CELLS = 2 ** 17;

export function limitsOf(
  limits: Limits,
): Record<"maxSteps" | "maxMemoryCells", number | undefined> {
  const given = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : integerIn(text, option, { min: 1 });
  const memory = given(limits.memoryLimit, "--memory-limit");
  return {
    maxSteps: given(limits.stepsLimit, "--steps-limit"),
    maxMemoryCells: memory && memory * CELLS,
  };
}

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
export function exitCodeOf(error: unknown): number {
  if (NO_NETWORK.includes(hardhatCodeOf(error))) return EXIT_CODES.service;
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
      error: { code: hardhatCodeOf(error), message: messageOf(error), path: null, hints: [] },
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

/**
 * Reports an error before Hardhat prints it: prints the document of `--json` and GitHub's annotations, and sets the exit
 * code. GitHub expects files relative to the repository; errors name them relative to the project at `root`.
 */
export function reportFailure(
  error: unknown,
  screen: CommandScreen,
  root: string,
  { env, argv, stderr }: Pick<NodeJS.Process, "env" | "argv" | "stderr"> = process,
): void {
  screen.document(failureDocument(error));
  if (env["GITHUB_ACTIONS"] === "true" && isHdpError(error)) {
    const inRepository = (file: string): string =>
      relative(env["GITHUB_WORKSPACE"] ?? root, resolve(root, file));
    for (const one of errorsIn(error)) stderr.write(`${annotation(one, inRepository)}\n`);
  }
  // A test that runs a command and expects it to fail keeps its own exit code.
  if (!argv.slice(2).some((word) => word === "hdp" || word.startsWith("hdp:"))) return;
  const code = exitCodeOf(error);
  // Hardhat ends every failure with 1.
  if (code !== 1) process.once("exit", () => (process.exitCode = code));
  // In CI, Hardhat prints a stack that repeats the message.
  if (isHdpError(error) && isCi() && !argv.includes("--show-stack-traces")) {
    const value = (): string => "For more info run Hardhat with --show-stack-traces";
    Object.defineProperty(error, inspect.custom, { value, enumerable: false });
  }
}

/** Returns the line that GitHub shows beside the file: https://docs.github.com/actions, workflow commands. */
export function annotation(error: HdpError, inRepository = (file: string): string => file): string {
  const data = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string =>
    data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  // The source of invalid JSON ends with the line and the column.
  const [, source = "", line, column] = /^(.+?)(?::(\d+):(\d+))?$/s.exec(error.source ?? "") ?? [];
  const properties = [
    ...(source === ""
      ? []
      : [`file=${property(printable(inRepository(source).replaceAll("\\", "/")))}`]),
    ...(line === undefined || column === undefined ? [] : [`line=${line}`, `col=${column}`]),
    `title=${error.code}`,
  ];
  const place = error.path === undefined || error.path === "" ? "" : `${error.path}: `;
  return `::error ${properties.join(",")}::${data([`${place}${error.shortMessage}`, ...error.hints].join("\n"))}`;
}

/** Returns where errors are explained: the command for the first error, and the page of each number. */
function moreAbout(error: HdpError): string {
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

function hardhatCodeOf(error: unknown): string | null {
  const code = error instanceof Error && "errorCode" in error ? error.errorCode : null;
  return typeof code === "string" ? code : null;
}

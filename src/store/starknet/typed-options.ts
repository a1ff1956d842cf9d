import { hdpError } from "../../errors/hdp-error.js";

/** What an option must be, for callers without types: a check, the same in words, and an example. */
export type OptionRule = readonly [
  isValid: (value: unknown) => boolean,
  expected: string,
  example: string,
];

/** Throws unless an option is of its type. The error names the type of its value only: the value may be a key. */
export function requireOption(name: string, value: unknown, rule: OptionRule): void {
  const [isValid, expected, example] = rule;
  if (isValid(value)) return;
  const found = value === null ? "null" : typeof value;
  throw hdpError("HDP-8023", { name, found, expected, example: `${name}: ${example}` });
}

/** Returns whether an option is a text. */
export const isText = (value: unknown): value is string => typeof value === "string";
/** Returns whether an option is a function. */
export const isFunction = (value: unknown): boolean => typeof value === "function";

/** What the option of a node's URL takes. */
export const RPC_URL: OptionRule = [isText, "the URL of a node", '"http://127.0.0.1:5050"'];

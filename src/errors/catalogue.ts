import { CAIRO_ERRORS } from "./cairo-messages.js";
import type { ErrorTemplate } from "./catalogue-entry.js";
import { COMMAND_ERRORS } from "./command-messages.js";
import { PROCESSOR_ERRORS } from "./processor-messages.js";
import { REQUEST_ERRORS } from "./request-messages.js";
import { SERVICE_ERRORS } from "./service-messages.js";
import { STARKNET_ERRORS } from "./starknet-messages.js";
import { STORE_ERRORS } from "./store-messages.js";
import { SUBMISSION_ERRORS } from "./submission-messages.js";

/** Every error of this package: what it says where it is thrown, in the pages of docs/errors and in `hdp error`. */
export const CATALOGUE = {
  ...REQUEST_ERRORS,
  ...SERVICE_ERRORS,
  ...STORE_ERRORS,
  ...PROCESSOR_ERRORS,
  ...SUBMISSION_ERRORS,
  ...COMMAND_ERRORS,
  ...CAIRO_ERRORS,
  ...STARKNET_ERRORS,
} satisfies Readonly<Record<string, ErrorTemplate>>;

/** A number of the catalogue: `HDP-` and four digits, the first naming the area. */
export type HdpErrorCode = keyof typeof CATALOGUE;

type EntryOf<CodeT extends HdpErrorCode> = (typeof CATALOGUE)[CodeT];
/** The placeholders of a text: names in braces without spaces. Other braces are text. */
type Named<TextT> = TextT extends `${string}{${infer Tail}`
  ? Tail extends `${infer Name}}${infer Rest}`
    ? Name extends `${string}${" " | "{"}${string}`
      ? Named<Tail>
      : Name | Named<Rest>
    : never
  : never;

/** A value of a template. Texts of others are made printable. */
export type ErrorValue = string | number | bigint | undefined;

/** The names of the values in the message and the hints of an error. */
export type ErrorValueName<CodeT extends HdpErrorCode> =
  | (EntryOf<CodeT> extends { message: infer TextT } ? Named<TextT> : never)
  | (EntryOf<CodeT> extends { hints: readonly (infer TextT)[] } ? Named<TextT> : never);

/** Returns whether a text is a number of the catalogue. */
export function isHdpErrorCode(text: string): text is HdpErrorCode {
  return Object.hasOwn(CATALOGUE, text);
}

/** The areas of the catalogue by the first digit of their numbers; `page` is the file in docs/errors without its ending. */
export const AREAS = [
  { digit: "1", title: "Requests", page: "requests" },
  { digit: "2", title: "Configuration and services", page: "services" },
  { digit: "3", title: "Execution store", page: "stores" },
  { digit: "4", title: "Local data processor", page: "processor" },
  { digit: "5", title: "Submissions", page: "submissions" },
  { digit: "6", title: "Plugin and command line", page: "commands" },
  { digit: "7", title: "Cairo: program hash, ABI inputs, machine", page: "cairo" },
  { digit: "8", title: "Starknet", page: "starknet" },
] as const;

const FOLDER = "https://github.com/hardhat-hdp/hardhat-hdp/blob/main/docs/errors";

/** Returns the address of the page that explains an error. */
export function errorPage(code: HdpErrorCode): string {
  const area = AREAS.find(({ digit }) => code.charAt("HDP-".length) === digit);
  return `${FOLDER}/${area?.page ?? "README"}.md#${code.toLowerCase()}`;
}

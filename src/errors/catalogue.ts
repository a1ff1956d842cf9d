import { CAIRO_ERRORS } from "./cairo.js";
import type { ErrorTemplate } from "./catalogue-entry.js";
import { COMMAND_ERRORS } from "./commands.js";
import { CHAIN_ERRORS } from "./chain.js";
import { LOCAL_PROCESSOR_ERRORS } from "./local.js";
import { DEV_SERVER_ERRORS } from "./dev-server.js";
import { REQUEST_ERRORS } from "./requests.js";
import { SERVICE_ERRORS } from "./services.js";
import { STARKNET_ERRORS } from "./starknet.js";
import { STORE_ERRORS } from "./stores.js";
import { SUBMISSION_ERRORS } from "./submissions.js";

/** Every error of this package: what it says where it is thrown, in the pages of docs/errors and in `hdp error`. */
export const CATALOGUE = {
  ...REQUEST_ERRORS,
  ...SERVICE_ERRORS,
  ...STORE_ERRORS,
  ...CHAIN_ERRORS,
  ...LOCAL_PROCESSOR_ERRORS,
  ...DEV_SERVER_ERRORS,
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

/** True when the catalogue has the number. */
export function isHdpErrorCode(text: string): text is HdpErrorCode {
  return Object.hasOwn(CATALOGUE, text);
}

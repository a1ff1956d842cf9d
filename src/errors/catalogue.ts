import { CAIRO_ERRORS } from "./cairo.js";
import type { CatalogueEntry } from "./catalogue-entry.js";
import { COMMAND_ERRORS } from "./commands.js";
import { PROCESSOR_ERRORS } from "./processor.js";
import { REQUEST_ERRORS } from "./requests.js";
import { SERVICE_ERRORS } from "./services.js";
import { STARKNET_ERRORS } from "./starknet.js";
import { STORE_ERRORS } from "./stores.js";
import { JOURNAL_ERRORS } from "./submissions.js";

/**
 * Every error of this package. Its texts are for whoever asks about a number (`hdp:error`, the pages in docs/errors):
 * what throws an error imports the type only.
 */
export const CATALOGUE = {
  ...REQUEST_ERRORS,
  ...SERVICE_ERRORS,
  ...STORE_ERRORS,
  ...PROCESSOR_ERRORS,
  ...JOURNAL_ERRORS,
  ...COMMAND_ERRORS,
  ...CAIRO_ERRORS,
  ...STARKNET_ERRORS,
} satisfies Readonly<Record<string, CatalogueEntry>>;

/** A number of the catalogue: `HDP-` and four digits, the first naming the area. */
export type HdpErrorCode = keyof typeof CATALOGUE;

/** True when the catalogue has the number. */
export function isHdpErrorCode(text: string): text is HdpErrorCode {
  return Object.hasOwn(CATALOGUE, text);
}

/** The areas in the order of their numbers; `page` is the file in docs/errors without its ending. */
export const AREAS = [
  { digit: "1", title: "Requests", page: "requests" },
  { digit: "2", title: "Configuration and services", page: "services" },
  { digit: "3", title: "Execution store", page: "stores" },
  { digit: "4", title: "Local data processor", page: "processor" },
  { digit: "5", title: "Journal", page: "journal" },
  { digit: "6", title: "Plugin and command line", page: "commands" },
  { digit: "7", title: "Cairo: program hash, ABI inputs, machine", page: "cairo" },
  { digit: "8", title: "Starknet", page: "starknet" },
] as const;

import type { HdpErrorCode } from "./catalogue.js";

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

/** Returns the address of an error's entry in the documentation. */
export function errorPage(code: HdpErrorCode): string {
  const area = AREAS.find(({ digit }) => code.charAt("HDP-".length) === digit);
  return `${FOLDER}/${area?.page ?? "README"}.md#${code.toLowerCase()}`;
}

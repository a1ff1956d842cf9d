import type { HdpError } from "../errors/hdp-error.js";
import { printable } from "../errors/printable.js";

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

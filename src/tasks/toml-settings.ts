import { parse } from "smol-toml";

import { isRecord } from "../base/collections.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";

/** A line of a TOML file. */
export interface Setting {
  /** `[tool.scarb]`, or `[[target.starknet-contract]]` for one of several sections. */
  readonly header: string;
  readonly key: string;
  readonly value: string;
  /** Present if the key is a list, which must contain this text; `value` is then a list of only it. */
  readonly item?: string;
}

/** Adds the missing settings, and checks with a parser that the result has them. */
export function addSettings(text: string, file: string, settings: readonly Setting[]): string {
  const before = tomlOrUndefined(text);
  if (before === undefined) throw notAddable(file, "it is not valid TOML.", settings);
  const missing = settings.filter((setting) => !hasSetting(before, setting));
  const lines = text.split(/\r?\n/);
  for (const setting of missing) addLine(lines, setting);
  const result = lines.join(text.includes("\r\n") ? "\r\n" : "\n");
  const after = tomlOrUndefined(result);
  if (missing.every((setting) => hasSetting(after, setting))) return result;
  throw notAddable(file, "its settings are in a form that lines cannot be added to.", missing);
}

/** Adds a setting as a line of its section, as an item of its list, or as a new section. */
function addLine(lines: string[], { header, key, value, item }: Setting): void {
  const start = lines.findIndex(
    (line) => line.replace(/#.*/, "").replaceAll(/[\s"']/g, "") === header,
  );
  if (start < 0) {
    while (lines.at(-1)?.trim() === "") lines.pop();
    if (lines.length > 0) lines.push("");
    lines.push(header, `${key} = ${value}`, "");
    return;
  }
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  const section = lines.slice(start + 1, next < 0 ? undefined : next);
  const position = section.findIndex((line) => new RegExp(`^\\s*${key}\\s*=\\s*\\[`).test(line));
  const list = section[position];
  if (item === undefined || list === undefined) {
    lines.splice(start + 1, 0, `${key} = ${value}`);
    return;
  }
  const opening = list.slice(0, list.indexOf("[") + 1);
  const rest = list.slice(opening.length);
  lines[start + 1 + position] =
    `${opening}"${item}"${/^\s*\]/.test(rest) ? "" : ", "}${rest}`.trimEnd();
}

/** Returns whether a document has a setting, whatever its value; of a list, whether it has the item. */
export function hasSetting(document: unknown, { header, key, item }: Setting): boolean {
  const path = header.replaceAll(/[[\]]/g, "").split(".");
  const found = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), document);
  const sections: unknown[] = Array.isArray(found) ? found : [found];
  return sections.some((section) => {
    if (!isRecord(section) || !(key in section)) return false;
    const value = section[key];
    return item === undefined || (Array.isArray(value) && value.includes(item));
  });
}

/** Returns the document of a TOML file; undefined where it is not valid. */
export function tomlOrUndefined(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the error of a file that settings cannot be added to, with their lines. */
export function notAddable(file: string, reason: string, missing: readonly Setting[]): HdpError {
  return hdpError("HDP-8016", { file, reason, settings: settingLines(missing).join("\n  ") });
}

/** Returns settings as the lines of a file that has nothing else. */
export function settingLines(settings: readonly Setting[]): string[] {
  const lines: string[] = [];
  for (const setting of settings) addLine(lines, setting);
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

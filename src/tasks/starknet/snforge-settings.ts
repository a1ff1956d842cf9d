import { lowerThan, type SemverVersion } from "@nomicfoundation/hardhat-utils/fast-semver";
import { parse } from "smol-toml";

import { isRecord } from "../../base/collections.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";

/** A key that a TOML file needs. */
interface Setting {
  /** `[tool.scarb]`, or `[[target.starknet-contract]]` for one of several sections. */
  readonly header: string;
  readonly key: string;
  readonly value: unknown;
}

/** The mock's path in Cairo, as `build-external-contracts` names it. */
const MOCK = "hardhat_hdp::mock::ExecutionStoreMock";
/** The first version with everything that the helpers use. */
const SNFORGE = "0.63.0";

/**
 * Adds to `Scarb.toml` what a test against the mock needs. Every line that is there stays as it is, comments included,
 * and so does every setting. Returns the text unchanged where nothing is missing.
 *
 * @param cairoPath path of this package's Cairo packages from the folder of `Scarb.toml`, with forward slashes
 * @throws HdpError HDP-8016 for a file that lines cannot be added to safely
 */
export function addToScarbToml(text: string, cairoPath: string): string {
  const settings: Setting[] = [
    { header: "[dependencies]", key: "hardhat_hdp", value: { path: cairoPath } },
    { header: "[dependencies]", key: "starknet", value: ">=2.13.1" },
    { header: "[dev-dependencies]", key: "hardhat_hdp_testing", value: { path: `${cairoPath}/testing` } },
    { header: "[dev-dependencies]", key: "snforge_std", value: SNFORGE },
    { header: "[[target.starknet-contract]]", key: "build-external-contracts", value: [MOCK] },
    { header: "[scripts]", key: "test", value: "snforge test" },
    { header: "[tool.scarb]", key: "allow-prebuilt-plugins", value: ["snforge_std"] },
  ];
  const document = parsed(text, "Scarb.toml", settings);
  if (!isRecord(document["package"])) {
    throw refusal("Scarb.toml", "it has no [package] section, so it has no tests of its own.", settings);
  }
  const { dependencies } = document;
  const hasSnforge = isRecord(dependencies) && "snforge_std" in dependencies;
  return added(
    text,
    "Scarb.toml",
    settings.filter(({ key }) => !hasSnforge || key !== "snforge_std"),
  );
}

/** Returns a new `Scarb.toml`. */
export function newScarbToml(packageName: string, cairoPath: string): string {
  return addToScarbToml(`[package]\nname = "${packageName}"\nversion = "0.1.0"\nedition = "2024_07"\n`, cairoPath);
}

/** Adds to `snfoundry.toml` a profile for a devnet on this machine. `text` is undefined where there is no file yet. */
export function addToSnfoundryToml(text = ""): string {
  const settings = [
    { header: "[sncast.devnet]", key: "account", value: "devnet-1" },
    { header: "[sncast.devnet]", key: "url", value: "http://127.0.0.1:5050" },
  ];
  const { sncast } = parsed(text, "snfoundry.toml", settings);
  return isRecord(sncast) && "devnet" in sncast ? text : added(text, "snfoundry.toml", settings);
}

/**
 * Returns the version of `snforge_std` that `Scarb.toml` pins, where it is older than the helpers need. Undefined where
 * it is new enough, open upwards (`>=0.50.0`), or not given as a version or tag.
 */
export function outdatedSnforge(text: string): { readonly found: string; readonly needed: string } | undefined {
  const { dependencies, "dev-dependencies": devDependencies } = parsed(text, "Scarb.toml", []);
  const [written] = [devDependencies, dependencies].flatMap((table) =>
    isRecord(table) && "snforge_std" in table ? [table["snforge_std"]] : [],
  );
  const version: unknown = isRecord(written) ? (written["version"] ?? written["tag"]) : written;
  const [, found] = typeof version === "string" ? (/^[\s^~=v]*(\d+(?:\.\d+){0,2})/.exec(version) ?? []) : [];
  return found !== undefined && lowerThan(triple(found), triple(SNFORGE)) ? { found, needed: SNFORGE } : undefined;
}

function triple(version: string): SemverVersion {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return [major, minor, patch];
}

/** Adds the settings that are missing, and checks that the result has them all and has lost nothing. */
function added(text: string, file: string, settings: readonly Setting[]): string {
  const before = parsed(text, file, settings);
  const missing = settings.filter((setting) => !has(before, setting));
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  for (const setting of missing) addLine(lines, setting);
  const result = lines.join(newline);
  const after = tomlOrUndefined(result);
  if (isWithin(before, after) && missing.every((setting) => has(after, setting))) return result;
  throw refusal(file, "its settings are in a form that lines cannot be added to.", missing);
}

/** Adds a setting as a line of its section, as an item of its list, or as a new section. */
function addLine(lines: string[], { header, key, value }: Setting): void {
  const start = lines.findIndex((line) => line.replace(/#.*/, "").replaceAll(/[\s"']/g, "") === header);
  if (start < 0) {
    while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
    if (lines.length > 0) lines.push("");
    lines.push(header, `${key} = ${toml(value)}`, "");
    return;
  }
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  const section = lines.slice(start + 1, next < 0 ? undefined : next);
  const position = section.findIndex((line) => new RegExp(`^\\s*${key}\\s*=\\s*\\[`).test(line));
  const list = section[position];
  if (list === undefined || !Array.isArray(value)) {
    lines.splice(start + 1, 0, `${key} = ${toml(value)}`);
    return;
  }
  const items = value.map((item) => toml(item)).join(", ");
  const rest = list.slice(list.indexOf("[") + 1);
  const separator = /^\s*\]/.test(rest) ? "" : rest.trim() === "" ? "," : ", ";
  lines[start + 1 + position] = `${list.slice(0, list.indexOf("[") + 1)}${items}${separator}${rest}`;
}

/** Whether a document has a setting: the key, or for a list all of its items. */
function has(document: unknown, { header, key, value }: Setting): boolean {
  const path = header.replaceAll(/[[\]]/g, "").split(".");
  const found = path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), document);
  const sections: unknown[] = Array.isArray(found) ? found : [found];
  return sections.some((section) => {
    if (!isRecord(section) || !(key in section)) return false;
    return !Array.isArray(value) || isWithin(value, section[key]);
  });
}

/** Whether everything of a value is in another one: all keys of tables, all items of lists. */
function isWithin(value: unknown, other: unknown): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(other) && value.every((item) => other.some((one) => isWithin(item, one)));
  }
  if (isRecord(value) && !(value instanceof Date)) {
    return isRecord(other) && Object.entries(value).every(([key, part]) => isWithin(part, other[key]));
  }
  return String(value) === String(other);
}

function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${key} = ${toml(part)}`)
    .join(", ")} }`;
}

function parsed(text: string, file: string, settings: readonly Setting[]): Readonly<Record<string, unknown>> {
  const document = tomlOrUndefined(text);
  if (document === undefined) throw refusal(file, "it is not valid TOML.", settings);
  return document;
}

function tomlOrUndefined(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function refusal(file: string, reason: string, missing: readonly Setting[]): HdpError {
  const lines: string[] = [];
  for (const setting of missing) addLine(lines, setting);
  return hdpError("HDP-8016", { file, reason, settings: lines.join("\n  ").trim() });
}

/** A folder's name as the name of a Cairo package. */
export function cairoPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `package_${name}`.replace(/_$/, "");
}

import { HdpError } from "../../errors/hdp-error.js";

/**
 * A TOML file that settings are added to as lines of text, so that everything else in it stays as its author wrote it.
 *
 * It reads tables by their headers and keys by the start of their lines. What could mislead that is refused with
 * HDP-8016 instead of guessed: multi-line strings, and tables written as keys (`dependencies = { … }`).
 */
export class TomlText {
  readonly #file: string;
  readonly #newline: string;
  #lines: string[];

  public constructor(text: string, file: string) {
    this.#file = file;
    this.#newline = text.includes("\r\n") ? "\r\n" : "\n";
    this.#lines = text.split(/\r?\n/);
    if (/"""|'''/.test(text)) throw this.#unsafe("it has a multi-line string");
  }

  public get text(): string {
    return this.#lines.join(this.#newline);
  }

  public hasTable(table: string): boolean {
    return this.#headers(table).length > 0;
  }

  /** Whether a table has the key, also as a table of its own (`[dependencies.name]`). */
  public hasKey(table: string, key: string): boolean {
    return this.hasTable(`${table}.${key}`) || this.#headers(table).some((header) => this.#find(header, key) >= 0);
  }

  /** What is written for a key of a table, in one line, comments included; of a table of its own, its lines joined. */
  public written(table: string, key: string): string | undefined {
    for (const header of this.#headers(table)) {
      const found = this.#find(header, key);
      if (found >= 0) return (this.#lines[found] ?? "").replace(/^[^=]*=/, "").trim();
    }
    const [own] = this.#headers(`${table}.${key}`);
    if (own === undefined) return undefined;
    const rest = this.#lines.slice(own + 1);
    const end = rest.findIndex((line) => headerOf(line) !== undefined);
    return (end < 0 ? rest : rest.slice(0, end)).join(" ").trim();
  }

  /** Adds a key at the start of its table, and the table where it is missing; nothing where the key is there. */
  public addKey(table: string, key: string, value: string): void {
    this.#refuseKeyAsTable(table);
    if (this.hasKey(table, key)) return;
    const line = `${key} = ${value}`;
    const [header] = this.#headers(table);
    if (header === undefined) this.#append(`[${table}]`, line);
    else this.#lines.splice(header + 1, 0, line);
  }

  /** Adds a text to an array of texts; `kind` tells whether the table is `[table]` or one of several `[[table]]`. */
  public addToArray(table: string, key: string, item: string, kind: "table" | "array"): void {
    this.#refuseKeyAsTable(table);
    const headers = this.#headers(table);
    const [header] = headers;
    const line = `${key} = ["${item}"]`;
    if (header === undefined) {
      this.#append(kind === "array" ? `[[${table}]]` : `[${table}]`, line);
      return;
    }
    const keys = headers.map((one) => this.#find(one, key)).filter((found) => found >= 0);
    if (keys.some((found) => this.#array(found, key).includes(`"${item}"`))) return;
    const [found] = keys;
    if (headers.length > 1) throw this.#unsafe(`it has several [[${table}]] sections`);
    if (found === undefined) {
      this.#lines.splice(header + 1, 0, line);
      return;
    }
    const empty = /\[\s*\]/.test(this.#array(found, key));
    const opening = this.#lines[found] ?? "";
    this.#lines[found] = opening.replace("[", `["${item}"${empty ? "" : ", "}`).replace(/, $/, ",");
  }

  /** The text of an array from its key to the closing bracket. */
  #array(start: number, key: string): string {
    const end = this.#lines.findIndex((line, index) => index >= start && withoutComment(line).includes("]"));
    const text = this.#lines
      .slice(start, end + 1)
      .map(withoutComment)
      .join("\n");
    if (end < 0 || !/^[^=]*=\s*\[[^[\]]*\]\s*$/.test(text)) throw this.#unsafe(`${key} is not a list of texts`);
    return text;
  }

  /** Lines of the headers of a table, `[table]` or `[[table]]`. */
  #headers(table: string): number[] {
    return this.#lines.flatMap((line, index) => (headerOf(line) === table ? [index] : []));
  }

  /** Line of a key in the table that starts at `header`, or -1. */
  #find(header: number, key: string): number {
    for (let index = header + 1; index < this.#lines.length; index++) {
      const line = this.#lines[index] ?? "";
      if (headerOf(line) !== undefined) return -1;
      if (keyOf(line)?.split(".")[0] === key) return index;
    }
    return -1;
  }

  /** A table may also be written as a key of the table above it; adding a header beside that would be a mistake. */
  #refuseKeyAsTable(table: string): void {
    const parts = table.split(".");
    let inside = "";
    for (const line of this.#lines) {
      inside = headerOf(line) ?? inside;
      const key = keyOf(line);
      if (key === undefined) continue;
      const path = inside === "" ? key : `${inside}.${key}`;
      const asKey = parts.some((_, depth) => path === parts.slice(0, depth + 1).join("."));
      if (asKey || (path.startsWith(`${table}.`) && inside !== table && !inside.startsWith(`${table}.`))) {
        throw this.#unsafe(`${path} is written as a key, not as a section`);
      }
    }
  }

  #append(header: string, line: string): void {
    while (this.#lines.length > 0 && this.#lines.at(-1)?.trim() === "") this.#lines.pop();
    if (this.#lines.length > 0) this.#lines.push("");
    this.#lines.push(header, line, "");
  }

  #unsafe(what: string): HdpError {
    return new HdpError({
      code: "HDP-8016",
      message: `${this.#file} can't be added to safely: ${what}.`,
      hints: ["Nothing was written. Add the settings by hand: node_modules/hardhat-hdp/docs/starknet.md lists them."],
    });
  }
}

/** The name in a header line, without spaces and quotes; undefined for other lines. */
function headerOf(line: string): string | undefined {
  const inner = /^\s*(?:\[\[([^[\]]+)\]\]|\[([^[\]]+)\])\s*(?:#.*)?$/.exec(line);
  return (inner?.[1] ?? inner?.[2])?.replaceAll(/[\s"']/g, "");
}

/** The key at the start of a line, without spaces and quotes. */
function keyOf(line: string): string | undefined {
  return /^\s*([\w."' -]+?)\s*=/.exec(line)?.[1]?.replaceAll(/[\s"']/g, "");
}

function withoutComment(line: string): string {
  return line.replace(/#.*$/, "");
}

/** The mock's path in Cairo, as `build-external-contracts` names it. */
const MOCK = "hardhat_hdp::mock::ExecutionStoreMock";
/** The first version with everything the helpers use. */
const SNFORGE = "0.63.0";

export interface ScarbAdditions {
  /** Path of this package's Cairo packages from the folder of `Scarb.toml`, with forward slashes. */
  readonly cairoPath: string;
}

/**
 * `Scarb.toml` with what a test against the mock needs. Text is only added: every line that was there stays as it is,
 * comments included, and a setting that is there already is left alone. Unchanged where nothing is missing.
 *
 * @throws HDP-8016 for a file whose form this cannot add to safely
 */
export function addToScarbToml(text: string, { cairoPath }: ScarbAdditions): string {
  const toml = new TomlText(text, "Scarb.toml");
  if (!toml.hasTable("package")) {
    throw new HdpError({
      code: "HDP-8016",
      message: "Scarb.toml has no [package] section, so it has no tests of its own.",
      hints: ["Name the folder of one package: npx hardhat hdp starknet init <dir>"],
    });
  }
  toml.addKey("dependencies", "hardhat_hdp", `{ path = "${cairoPath}" }`);
  if (!toml.hasKey("dependencies", "starknet")) toml.addKey("dependencies", "starknet", `">=2.13.1"`);
  toml.addKey("dev-dependencies", "hardhat_hdp_testing", `{ path = "${cairoPath}/testing" }`);
  if (!toml.hasKey("dependencies", "snforge_std")) toml.addKey("dev-dependencies", "snforge_std", `"${SNFORGE}"`);
  toml.addToArray("target.starknet-contract", "build-external-contracts", MOCK, "array");
  toml.addKey("scripts", "test", `"snforge test"`);
  toml.addToArray("tool.scarb", "allow-prebuilt-plugins", "snforge_std", "table");
  return toml.text;
}

/**
 * The version of `snforge_std` that `Scarb.toml` pins, where it is older than the helpers need. Undefined where it is new
 * enough, open upwards (`>=0.50.0`), or told by something else than a version.
 */
export function outdatedSnforge(text: string): { readonly found: string; readonly needed: string } | undefined {
  const toml = new TomlText(text, "Scarb.toml");
  const written = toml.written("dev-dependencies", "snforge_std") ?? toml.written("dependencies", "snforge_std") ?? "";
  const [, open, found = ""] = /(?:^|tag|version)[\s="^~v]*(>?)=?\s*v?(\d+(?:\.\d+){0,2})/.exec(written) ?? [];
  if (found === "" || open === ">") return undefined;
  const [have, need] = [found, SNFORGE].map((version) => version.split(".").map(Number));
  const differs = [0, 1, 2].find((part) => (have?.[part] ?? 0) !== (need?.[part] ?? 0));
  return differs !== undefined && (have?.[differs] ?? 0) < (need?.[differs] ?? 0)
    ? { found, needed: SNFORGE }
    : undefined;
}

/** A new `Scarb.toml`. */
export function newScarbToml(packageName: string, additions: ScarbAdditions): string {
  return addToScarbToml(`[package]\nname = "${packageName}"\nversion = "0.1.0"\nedition = "2024_07"\n`, additions);
}

/** `snfoundry.toml` with a profile for a devnet on this machine; `text` is undefined where there is none yet. */
export function addToSnfoundryToml(text = ""): string {
  const toml = new TomlText(text, "snfoundry.toml");
  if (toml.hasTable("sncast.devnet")) return text;
  toml.addKey("sncast.devnet", "account", `"devnet-1"`);
  toml.addKey("sncast.devnet", "url", `"http://127.0.0.1:5050"`);
  return toml.text;
}

/** A folder's name as the name of a Cairo package. */
export function cairoPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `package_${name}`.replace(/_$/, "");
}

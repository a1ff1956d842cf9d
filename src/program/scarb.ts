import { readFileSync } from "node:fs";

import { type HdpError, hdpError, notAllowed } from "../errors/hdp-error.js";
import { shipped } from "../base/files.js";

/** Scarb's ending of a compiled class (CASM). */
export const COMPILED_SUFFIX = ".compiled_contract_class.json";
/** Scarb's ending of a Sierra class, which carries the ABI. */
export const SIERRA_SUFFIX = ".contract_class.json";

/** Returns the path of the compiled class beside a Sierra class; another path as it is. */
export function compiledPath(path: string): string {
  return path.endsWith(SIERRA_SUFFIX)
    ? path.slice(0, -SIERRA_SUFFIX.length) + COMPILED_SUFFIX
    : path;
}

/** Returns the path of the Sierra class that Scarb writes beside a compiled class; undefined where the name is not Scarb's. */
export function sierraPath(path: string): string | undefined {
  return path.endsWith(COMPILED_SUFFIX)
    ? path.slice(0, -COMPILED_SUFFIX.length) + SIERRA_SUFFIX
    : undefined;
}

/** Name of a Scarb package and of Cairo's modules: what Cairo takes as an identifier. */
const PACKAGE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Reserved words of Cairo, and packages that every build has. */
const RESERVED = new Set([
  "as",
  "assert",
  "break",
  "const",
  "continue",
  "core",
  "crate",
  "do",
  "dyn",
  "else",
  "enum",
  "extern",
  "false",

  "fn",
  "for",
  "hint",
  "if",
  "impl",
  "implicits",
  "in",
  "let",
  "loop",
  "macro",
  "match",
  "mod",
  "move",
  "mut",

  "nopanic",
  "of",
  "pub",
  "ref",
  "return",
  "self",
  "starknet",
  "static",
  "struct",
  "super",
  "trait",
  "true",
  "try",
  "type",
  "typeof",
  "unsafe",
  "use",
  "where",
  "while",
  "with",
  "yield",
  "hdp",
]);

/** Throws unless a name can be a Scarb package's. @throws HdpError HDP-6003 with the nearest name that can */
export function checkPackageName(name: string): void {
  if (PACKAGE_NAME.test(name) && !RESERVED.has(name)) return;
  const proposal = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+|_$/g, "")
    .slice(0, 64);
  const near = PACKAGE_NAME.test(proposal) && !RESERVED.has(proposal) ? proposal : undefined;
  const allowed =
    "a lower-case letter, then lower-case letters, digits and _, at most 64, and no word of Cairo";
  throw notAllowed(name.slice(0, 100), "a name for a module's package", { near, allowed });
}

/** Returns the error where Scarb cannot be started. */
export function scarbMissing(program: string, cause: Error): HdpError {
  const otherwise = "set the variable SCARB to its path";
  return hdpError("HDP-7031", { program, tools: "Scarb", otherwise }, { cause });
}

/** Returns the error of a Scarb run, with the end of its output. */
export function scarbFailed(folder: string, exitCode: number | null, output: string): HdpError {
  const lines = output.trim().split("\n").slice(-40);
  const exit = exitCode === null ? undefined : ` with exit code ${exitCode}`;
  const hints = lines[0] === "" ? ["Scarb printed nothing."] : ["Output of Scarb:", ...lines];
  return hdpError("HDP-7032", { exit }, { path: folder, hints });
}

/** Templates of new modules. The default sums an account's balance over blocks. */
export const MODULE_TEMPLATES = [
  "balance",
  "events",
  "injected-state",
  "bridge",
  "eth-call",
] as const;
/** Name of a template that new modules start from. */
export type ModuleTemplate = (typeof MODULE_TEMPLATES)[number];

/** The name of the shipped packages, in their texts and in the names of their files. */
const NAME = "my_module";
/** Files specific to a template; the rest of its package is that of `balance`. */
const RECORDING = `tests/${NAME}.recording.json`;
const OWN_FILES = [
  "src/lib.cairo",
  "src/tests.cairo",
  `tasks/${NAME}.json`,
  `tests/${NAME}.test.json`,
  RECORDING,
];

/** The forms of a module's output, copied where `hardhat_hdp_module` does not have them: its handle is not the library's. */
const OUTPUT_FILE = "src/output.cairo";

const FILES = ["Scarb.toml", ...OWN_FILES, "README.md"];
const ETH_CALL_FILES = ["Scarb.toml", "src/lib.cairo", OUTPUT_FILE, "README.md"];

/** Stands in the shipped texts for the path of the Cairo packages. */
const CAIRO_PACKAGES = "CAIRO_PACKAGES";

/**
 * Returns the files of a new Scarb package for a module that works as it is.
 * @param name name of the package: a lower-case letter, then lower-case letters, digits and `_`.
 * @param cairoPath path from the package's folder to `contracts/starknet` of this package, with forward slashes.
 *   Default: of a folder beside `node_modules`.
 * @returns content by path, relative to the package's folder, with `/`.
 * @throws HdpError HDP-6003 for an invalid name.
 */
export function scaffoldModule(
  name: string,
  template: ModuleTemplate = "balance",
  cairoPath = "../node_modules/hardhat-hdp/contracts/starknet",
): ReadonlyMap<string, string> {
  checkPackageName(name);
  const files = (template === "eth-call" ? ETH_CALL_FILES : FILES).map((path): [string, string] => {
    const text = readFileSync(shipped(`contracts/starknet/${shippedPath(path, template)}`), "utf8");
    const placed = text.replaceAll(CAIRO_PACKAGES, cairoPath);
    return [path.replaceAll(NAME, name), placed.replaceAll(NAME, name)];
  });
  // npm packages have no .gitignore: it would hide their files.
  return new Map([...files, [".gitignore", "target/\n.snfoundry_cache/\n"]]);
}

/** Returns where the text of a template's file lies. */
function shippedPath(path: string, template: ModuleTemplate): string {
  if (path === OUTPUT_FILE) return `hardhat_hdp/${OUTPUT_FILE}`;
  const isOwn = template === "eth-call" || OWN_FILES.includes(path);
  return `templates/${isOwn ? template : "balance"}/${path}`;
}

import { type HdpError, hdpError } from "../errors/hdp-error.js";

/** Scarb's ending of a compiled class (CASM). */
export const COMPILED_SUFFIX = ".compiled_contract_class.json";
/** Scarb's ending of a Sierra class, which carries the ABI. */
export const SIERRA_SUFFIX = ".contract_class.json";

/** `x.contract_class.json` to `x.compiled_contract_class.json`; other names come back unchanged. */
export function compiledPathOf(path: string): string {
  return path.endsWith(SIERRA_SUFFIX) ? path.slice(0, -SIERRA_SUFFIX.length) + COMPILED_SUFFIX : path;
}

/** Path of the Sierra class that Scarb writes beside a compiled class; undefined where the name is not Scarb's. */
export function sierraPathOf(path: string): string | undefined {
  return path.endsWith(COMPILED_SUFFIX) ? path.slice(0, -COMPILED_SUFFIX.length) + SIERRA_SUFFIX : undefined;
}

/** Name of a Scarb package and of Cairo's modules: what Cairo takes as an identifier. */
const PACKAGE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Words that Cairo keeps for itself, and packages that every build has. */
const RESERVED = new Set([
  ...["as", "assert", "break", "const", "continue", "core", "crate", "do", "dyn", "else", "enum", "extern", "false"],
  ...["fn", "for", "hint", "if", "impl", "implicits", "in", "let", "loop", "macro", "match", "mod", "move", "mut"],
  ...["nopanic", "of", "pub", "ref", "return", "self", "starknet", "static", "struct", "super", "trait", "true"],
  ...["try", "type", "typeof", "unsafe", "use", "where", "while", "with", "yield", "hdp"],
]);

/** The contract's name in the packages that `scaffoldModule` writes: it is part of the names of built files. */
export const SCAFFOLD_CONTRACT = "Module";

/** What to run, for the glue that starts processes. */
export interface ScarbCommand {
  /** Name of the program, to be looked up in PATH, or its path. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Folder to run it in: the package's, which has Scarb.toml. */
  readonly folder: string;
}

/** @throws HdpError HDP-7030 where Scarb or Cairo would refuse the name. */
export function checkPackageName(name: string): void {
  if (PACKAGE_NAME.test(name) && !RESERVED.has(name)) return;
  const proposal = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[_0-9]+|_$/g, "")
    .slice(0, 64);
  const usable = PACKAGE_NAME.test(proposal) && !RESERVED.has(proposal);
  const suggestion = usable ? ` Did you mean "${proposal}"?` : undefined;
  throw hdpError("HDP-7030", { name: name.slice(0, 100), suggestion });
}

/**
 * How Scarb is called to build a module's package.
 *
 * @param options.scarb path of Scarb where it is not in PATH, for instance from the variable SCARB.
 */
export function scarbBuild(
  folder: string,
  options: { readonly scarb?: string | undefined; readonly release?: boolean | undefined } = {},
): ScarbCommand {
  const profile = options.release === true ? ["--release"] : [];
  return { program: options.scarb ?? "scarb", arguments: [...profile, "build"], folder };
}

/** Where a build puts the classes of a contract, relative to the package's folder, with `/`. */
export function scarbArtifacts(
  packageName: string,
  contract: string = SCAFFOLD_CONTRACT,
  options: { readonly release?: boolean | undefined } = {},
): { readonly compiledClassFile: string; readonly sierraClassFile: string } {
  const stem = `target/${options.release === true ? "release" : "dev"}/${packageName}_${contract}`;
  return { compiledClassFile: stem + COMPILED_SUFFIX, sierraClassFile: stem + SIERRA_SUFFIX };
}

/** HDP-7031: for the glue to throw where Scarb could not be started. */
export function scarbMissing(program: string, cause?: unknown): HdpError {
  return hdpError("HDP-7031", { program }, { cause });
}

/** HDP-7032: for the glue to throw where Scarb ended with an error. Scarb's own words are passed on. */
export function scarbFailed(folder: string, exitCode: number | null, output: string): HdpError {
  const lines = output.trim().split("\n").slice(-40);
  const exit = exitCode === null ? undefined : ` with exit code ${exitCode}`;
  const hints = lines[0] === "" ? ["Scarb printed nothing."] : ["Output of Scarb:", ...lines];
  return hdpError("HDP-7032", { exit }, { path: folder, hints });
}

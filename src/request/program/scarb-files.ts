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

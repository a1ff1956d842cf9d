import { readFileSync } from "node:fs";

import { shipped } from "../base/files.js";
import { checkPackageName } from "./scarb.js";

/** What a new module does: by default it sums an account's balance over blocks. */
export const MODULE_TEMPLATES = ["balance", "logs", "injected-state", "bridge", "eth-call"] as const;
export type ModuleTemplate = (typeof MODULE_TEMPLATES)[number];

/** The name of the shipped packages, in their texts and in the names of their files. */
const NAME = "my_module";
/** What a template has of its own; the rest of its package is that of `balance`. */
const OWN_FILES = ["src/lib.cairo", `tasks/${NAME}.json`];
const FILES = ["Scarb.toml", "src/lib.cairo", "src/hdp.cairo", `tasks/${NAME}.json`, "README.md"];
const ETH_CALL_FILES = ["Scarb.toml", "src/lib.cairo", "README.md"];

/**
 * Files of a new Scarb package for a module that works as it is.
 *
 * @param name name of the package: a lower-case letter, then lower-case letters, digits and `_`.
 * @returns content by path, relative to the package's folder, with `/`.
 * @throws HdpError HDP-7030 where the name cannot be one.
 */
export function scaffoldModule(name: string, template: ModuleTemplate = "balance"): ReadonlyMap<string, string> {
  checkPackageName(name);
  const files = (template === "eth-call" ? ETH_CALL_FILES : FILES).map((path): [string, string] => {
    const folder = template === "eth-call" || OWN_FILES.includes(path) ? template : "balance";
    const text = readFileSync(shipped(`contracts/starknet/templates/${folder}/${path}`), "utf8");
    return [path.replace(NAME, name), text.replaceAll(NAME, name)];
  });
  // npm packages have no .gitignore: it would hide their files.
  return new Map([...files, [".gitignore", "target/\n.snfoundry_cache/\n"]]);
}

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Cairo packages (or test folders) by the name under which other sources refer to them. */
export type CairoPackages = Readonly<Record<string, string>>;

/**
 * Puts Cairo packages into one source text, because the compiler at hand takes exactly one: every `mod name;` becomes
 * the file it names, every package a module, and paths that start at a package start at that module.
 *
 * @param packages name of each package and its root file
 * @param without modules that are left out
 */
export function bundleCairo(packages: CairoPackages, without: readonly string[] = []): string {
  const names = Object.keys(packages);
  return Object.entries(packages)
    .map(([name, rootFile]) =>
      moduleText(name, rootPaths(inlineModules(rootFile, dirname(rootFile), without), name, names)),
    )
    .join("\n");
}

/** A file with the modules it declares put in their place; they are looked for in `folder`. */
function inlineModules(file: string, folder: string, without: readonly string[]): string {
  return readFileSync(file, "utf8")
    .replaceAll(/^\/\/!.*$/gm, "")
    .replaceAll(/^(\s*)(?:pub )?mod (\w+);$/gm, (_declaration, _indent: string, name: string) => {
      if (without.includes(name)) return "";
      const child = join(folder, `${name}.cairo`);
      if (!existsSync(child)) throw new Error(`${file} declares the module "${name}", but there is no ${child}.`);
      return moduleText(name, inlineModules(child, join(folder, name), without));
    });
}

function rootPaths(text: string, own: string, names: readonly string[]): string {
  const others = new RegExp(`(?<![\\w:])(${names.join("|")})::`, "g");
  return text.replaceAll(/(?<!\w)crate::/g, `${own}::`).replaceAll(others, "crate::$1::");
}

function moduleText(name: string, body: string): string {
  return `pub mod ${name} {\n${body}\n}\n`;
}

import { readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";

import { isHdpError, suggested } from "../../errors/hdp-error.js";
import type { ModuleRun, CodePlace } from "../../compute/run-module.js";
import type { KnownPrograms } from "../../plugin/known-programs.js";
import { findPackage, listSources } from "../../plugin/module-package.js";
import type { Task } from "../../request/task.js";

/** Returns a sentence for each class of tasks that is older than a source of its Scarb package. */
export async function staleClasses(
  tasks: readonly Task[],
  programs: KnownPrograms,
  root: string,
): Promise<string[]> {
  const files = tasks.flatMap((task) =>
    task.type === "Module" ? (programs.get(task.programHash)?.file ?? []) : [],
  );
  const sentences = await Promise.all(
    [...new Set(files)].map(async (file) => await staleClass(file, root)),
  );
  return sentences.filter((sentence) => sentence !== undefined);
}

/** Returns the Scarb packages that built classes. */
export function findPackages(files: readonly string[]): readonly string[] {
  return [...new Set(files.flatMap((file) => findPackage(file) ?? []))];
}

/** Returns the classes that are older than a source of their Scarb package. */
export async function staleFiles(files: readonly string[], root: string): Promise<string[]> {
  const stale: string[] = [];
  for (const file of new Set(files))
    if ((await staleClass(file, root)) !== undefined) stale.push(file);
  return stale;
}

async function staleClass(file: string, root: string): Promise<string | undefined> {
  const folder = findPackage(file);
  if (folder === undefined) return undefined;
  const built = (await stat(file)).mtimeMs;
  for (const source of [join(folder, "Scarb.toml"), ...(await listSources(folder))]) {
    if ((await stat(source)).mtimeMs <= built) continue;
    const build = suggested("hdp module build", [relative(root, folder) || "."]);
    return `${relative(root, source)} is newer than the class that is run: ${build}`;
  }
  return undefined;
}

/** Returns where a run panicked: `my_module::Module::main (my_module/src/lib.cairo:29)`. */
export async function panickedAt(
  run: Extract<ModuleRun, { readonly status: "panicked" }>,
  programs: KnownPrograms,
  root: string,
): Promise<string> {
  const place: CodePlace = { func: run.panickedIn, line: run.panickedAt };
  return await describePlace(place, programs.files(), root, run.message);
}

/**
 * Describes where a run ended. Where its class does not say the line, that of the panic's text is searched in its
 * package's sources; where the text is not there once, the file of the function is named without a line.
 */
export async function describePlace(
  { func, line }: CodePlace,
  classFiles: readonly string[],
  root: string,
  panic = "",
): Promise<string> {
  const name = func.replace("::__wrapper__", "::");
  if (line !== undefined) return `${withoutSpan(name)} (${relative(root, line)})`;
  // Scarb writes <package>_<contract>.compiled_contract_class.json; functions of other packages have other sources.
  const ownFile = classFiles.find((file) =>
    basename(file).startsWith(`${name.split("::", 1).join("")}_`),
  );
  const classFile = ownFile ?? (classFiles.length === 1 ? classFiles[0] : undefined);
  const folder = classFile === undefined ? undefined : findPackage(classFile);
  if (folder === undefined) return name;
  const paths = await listSources(folder);
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(path, "utf8") })),
  );
  const found = ownFile === undefined ? undefined : findSource(name, join(folder, "src"), sources);
  const quoted = (text: string): readonly number[] =>
    [...text.matchAll(/(['"])(.+?)\1/g)].flatMap(({ 2: said = "", index }) =>
      fitsLiteral(panic, said) ? [index] : [],
    );
  const within =
    found === undefined
      ? []
      : quoted(found.text.slice(found.start, found.end)).map((at) => at + found.start);
  const anywhere = sources.flatMap(({ path, text }) =>
    quoted(text).map((start) => ({ path, text, start })),
  );
  const [own] =
    within.length === 1 && found !== undefined ? [{ ...found, start: within[0] ?? 0 }] : [];
  const said = own ?? (anywhere.length === 1 ? anywhere[0] : undefined);
  const shown = withoutSpan(name);
  if (said !== undefined) {
    const line = said.text.slice(0, said.start).split("\n").length;
    return `${shown} (${relative(root, said.path)}:${line})`;
  }
  return found === undefined ? name : `${shown} (${relative(root, found.path)})`;
}

/** Returns the place in the sources where a module was stopped, by the function that the error names. */
export async function stoppedAt(
  error: unknown,
  programs: KnownPrograms,
  root: string,
): Promise<string | undefined> {
  const path = isHdpError(error) && error.path?.includes("::") === true ? error.path : undefined;
  return path === undefined
    ? undefined
    : await describePlace(parsePlace(path), programs.files(), root);
}

/** Reads a place of `placeText`. */
function parsePlace(text: string): CodePlace {
  const [, func, line] = /^(.*) \((.+:\d+)\)$/s.exec(text) ?? [];
  return func === undefined ? { func: text, line: undefined } : { func, line };
}

/** Returns a loop's name without its place, which is the function's: `main[465-657]`. */
function withoutSpan(name: string): string {
  return name.replace(/\[\d+-\d+\].*/s, "");
}

/** Returns whether a panic's text is a literal of the source, with values in place of its braces. */
function fitsLiteral(panic: string, literal: string): boolean {
  const parts = literal
    .split(/\{[^{}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return (
    parts.some((part) => part.trim() !== "") && new RegExp(`^${parts.join(".*")}$`, "s").test(panic)
  );
}

type Source = Readonly<Record<"path" | "text", string>>;

/** Returns the part of a source that a function's name refers to; of a loop's, `main[465-657]`, the function it is in. */
function findSource(name: string, src: string, sources: readonly Source[]) {
  const [, ...modules] = name.replace(/::<.*>|\[.*/g, "").split("::");
  const func = modules.pop();
  for (let depth = modules.length; depth >= 0; depth--) {
    const file = join(src, ...(depth === 0 ? ["lib"] : modules.slice(0, depth))) + ".cairo";
    const source = sources.find((one) => one.path === file);
    if (source === undefined || func === undefined) continue;
    const { text } = source;
    const after = (start: number, words: string): number => {
      const at = start < 0 ? -1 : text.slice(start).search(new RegExp(`\\b(?:${words})\\b`));
      return at < 0 ? -1 : start + at;
    };
    const inner = modules
      .slice(depth)
      .reduce((start, word) => after(start, `(?:mod|impl|trait) ${word}`), 0);
    const start = after(inner, `fn ${func}`);
    if (start < 0) return undefined;
    return { ...source, start, end: closing(text, start) };
  }
  return undefined;
}

/** Returns the end of the first braced block from `start` on. */
function closing(text: string, start: number): number {
  let open = 0;
  for (let at = text.indexOf("{", start); at >= 0 && at < text.length; at++) {
    if (text[at] === "{") open += 1;
    if (text[at] === "}") open -= 1;
    if (open === 0) return at + 1;
  }
  return text.length;
}

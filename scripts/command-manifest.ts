import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { format } from "prettier";

import type { Command, CommandDefinition } from "../src/tasks/command.js";

const folder = join(import.meta.dirname, "..", "src", "tasks");

/**
 * `src/tasks/generated/commands.ts`: what Hardhat needs to know of every command before one is run, so that it loads one
 * file of plain data instead of every command's.
 */
export async function commandManifest(): Promise<string> {
  const entries: string[] = [];
  for (const path of await commandFiles()) {
    const definition = await definitionIn(path);
    if (definition !== undefined) entries.push(entry(definition, path));
  }
  return await format([HEAD, ...entries, "];\n"].join("\n"), { parser: "typescript", printWidth: 120 });
}

const HEAD = `// Written by \`npm run commands\` from the files that it names: a command's definition is changed there.
import { ArgumentType } from "hardhat/types/arguments";
import type { NewTaskDefinition } from "hardhat/types/tasks";

export type CommandEntry = Omit<Extract<NewTaskDefinition, { inlineAction?: never }>, "id" | "type"> & {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
};

export const commands: readonly CommandEntry[] = [`;

/** Files of the groups' folders and of the room itself, in the order of their names, so that the same files give the same text everywhere. */
async function commandFiles(): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true });
  return files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /^(?!ui\/|generated\/|index\.ts)(?:[^/]+\/)?[^/]+\.ts$/.test(file))
    .toSorted();
}

/** The definition of a command's file; undefined for a file that helps one. */
async function definitionIn(path: string): Promise<CommandDefinition | undefined> {
  const module: unknown = await import(pathToFileURL(join(folder, path)).href);
  return isCommandFile(module) ? module.default.definition : undefined;
}

function isCommandFile(module: unknown): module is { readonly default: Command } {
  if (typeof module !== "object" || module === null || !("default" in module)) return false;
  return typeof module.default === "function" && "definition" in module.default;
}

function entry({ name, aliases, description, positional, options }: CommandDefinition, path: string): string {
  const named = (specs: Readonly<Record<string, object>>): string[] =>
    Object.entries(specs).map(([key, spec]) => literal({ name: key, ...spec }));
  const keyed = Object.entries(options).map(([key, spec]) => `${key}: ${literal({ name: key, ...spec })}`);
  return `{
    name: ${literal(name)},
    aliases: [${aliases.map((alias) => literal(alias)).join(",")}],
    group: ${literal(path.includes("/") ? path.slice(0, path.indexOf("/")) : "")},
    description: ${literal(description)},
    action: () => import(${literal(`../${path.replace(/\.ts$/, ".js")}`)}),
    positionalArguments: [${named(positional).join(",")}],
    options: {${keyed.join(",")}},
  },`;
}

/** A value as TypeScript; a `type` as the enumeration's member. */
function literal(value: unknown, key?: string): string {
  if (key === "type") return `ArgumentType.${String(value)}`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item)).join(",")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => literal(item)).join(",")}]`;
  return `{${Object.entries(value)
    .map(([name, item]) => `${name}: ${literal(item, name)}`)
    .join(",")}}`;
}

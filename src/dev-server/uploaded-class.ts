import { isRecord } from "../base/collections.js";
import { excessOfValues } from "../base/json.js";
import { grouped, errorMessage } from "../base/text.js";
import type { Turns } from "../base/turns.js";
import {
  type CompiledClass,
  parseClassJson,
  parseCompiledClass,
  parseCompiledClassText,
} from "../program/compiled-class.js";
import { flatProgramHash, programHashInSteps } from "../program/program-hash.js";
import type { PublishedSides } from "../service/data-processor/contradictions.js";
import { tooLarge, unreadable } from "./refusals.js";
import type { HashedClass } from "./route.js";

/** Maximum number of values in a body with a compiled class. The class of proven calls has half of them. */
export const MAX_CLASS_VALUES = 1_000_000;
/** Maximum number of colons, one for each name of a member: different names take long to parse. */
const MAX_CLASS_NAMES = 200_000;
const MAX_ENTRY_POINTS = 1_000;

/** The form of a JSON body, for refusals. */
export const JSON_FORM = "JSON in UTF-8, with the header content-type: application/json";

/** Throws unless a text of JSON has at most `maxValues` values. @throws HttpRefusal HDP-4529 */
export function requireValues(text: string, maxValues: number): void {
  const excess = excessOfValues(text, maxValues);
  if (excess !== undefined) throw tooLarge(excess);
}

/** Maximum length of a text that is parsed exactly, and with the position of an error, in characters. */
export const LONG = 2 ** 20;

/** Parses a long text in a fraction of the time. Numbers are rounded: no felt is read from one. @throws HttpRefusal */
export function longJson(text: string): unknown {
  let names = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    if ((names += 1) > MAX_CLASS_NAMES)
      throw tooLarge(`it has more than ${grouped(MAX_CLASS_NAMES)} colons`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(errorMessage(error), JSON_FORM);
  }
}

/** Parses and hashes the text of a class. @throws HdpError of area 7xxx for an invalid class; Refusal HDP-4529 */
export async function parseUploadedClass(text: string, turns: Turns): Promise<HashedClass> {
  if (text.length <= LONG) return await hashedClass(parseClassJson(text, undefined), turns, text);
  requireValues(text, MAX_CLASS_VALUES);
  return await hashedClass(longJson(text), turns, text);
}

/** Checks and hashes a parsed class. @throws as {@link parseUploadedClass} */
export async function hashedClass(json: unknown, turns: Turns, text: string): Promise<HashedClass> {
  const entries =
    isRecord(json) && isRecord(json["entry_points_by_type"]) ? json["entry_points_by_type"] : {};
  if (Object.values(entries).flat().length > MAX_ENTRY_POINTS) {
    throw tooLarge(`the class has more than ${grouped(MAX_ENTRY_POINTS)} entry points`);
  }
  await turns.next();
  const compiled = parseCompiledClass(json);
  await turns.next();
  const { compilerVersion } = compiled;
  const version = Number.parseInt(compilerVersion, 10);
  const hash = await turns.through(programHashInSteps(compiled));
  return { hash, text, layout: smallestLayout(compiled), version, compilerVersion };
}

/** Returns a class under the hash that the chosen source has for it: by segments, or of its bytecode as one list. */
export function publishedClass<T extends HashedClass>(compiled: T, { program }: PublishedSides): T {
  if (program !== "flat") return compiled;
  return { ...compiled, hash: flatProgramHash(parseCompiledClassText(compiled.text)) };
}

/** Builtins of the Cairo layouts, fewest trace columns first. */
const LAYOUTS = [
  ["recursive_with_poseidon", ["output", "pedersen", "range_check", "bitwise", "poseidon"]],
  ["starknet", ["output", "pedersen", "range_check", "ecdsa", "bitwise", "ec_op", "poseidon"]],
] as const;

/** Returns the registry's layout of a class: the smallest with all builtins of its external entry points. */
function smallestLayout(compiled: CompiledClass): string {
  const builtins = compiled.entryPointsByType.EXTERNAL.flatMap((entryPoint) => entryPoint.builtins);
  const fitting = LAYOUTS.find(([, offered]) =>
    builtins.every((name) => new Set<string>(offered).has(name)),
  );
  return fitting?.[0] ?? "starknet_with_keccak";
}

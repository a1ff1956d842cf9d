import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";

import { stringToHex } from "viem/utils";

import { keccak256 } from "../../base/keccak.js";
import { erc7201 } from "../../request/storage-slots.js";
import type { KnownWord } from "../../submission/known-words.js";

/** A Solidity source of the project. */
export interface SoliditySource {
  /** Below the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** Sources that are read for a test, the first. */
const MAX_SOURCES = 40;
/** Words of all sources, the first. */
const MAX_WORDS = 400;

/** Returns a test's source and those of the project that it imports, itself or by others, the nearest first. */
export async function readSources(path: string, root: string): Promise<readonly SoliditySource[]> {
  const sources = new Map<string, SoliditySource>();
  const waiting = [path];
  for (const next of waiting) {
    if (sources.has(next) || sources.size === MAX_SOURCES) continue;
    const text = await readFile(join(root, next), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    sources.set(next, { path: next, text });
    waiting.push(...importsOf(text, next));
  }
  return [...sources.values()];
}

const IMPORT = /\bimport\b[^;"']*["']([^"']+)["']/g;

/** Returns the files of the project that a source imports: those of packages are not below its folder. */
function importsOf(text: string, path: string): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, imported = ""]) => {
    const file = imported.startsWith(".") ? join(dirname(path), imported) : imported;
    const isOutside = isAbsolute(file) || relative(".", file).startsWith("..");
    return isOutside ? [] : [file];
  });
}

/** Comments, and texts in which no comment begins. */
const COMMENTS = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
/** Imports and pragmas, whose texts and numbers are no words. */
const HEADS = /^\s*(?:import|pragma)\b[^;]*;/gm;

function withoutComments(text: string): string {
  return text
    .replace(COMMENTS, (_, quoted: string | undefined) => quoted ?? " ")
    .replace(HEADS, " ");
}

/** Places and lengths of arrays: `output[0]`, `new uint128[](2)`. */
const PLACES = /\[\d*\](?:\(\d+\))?/g;

const NUMBER =
  /(?<![\w.])(?:(?<hex>0x[\da-fA-F]+)|(?<decimal>\d[\d_]*(?:\.\d+)?)(?:[eE](?<exponent>\d{1,2}))?(?:\s*(?<unit>wei|gwei|ether|minutes|hours|days|weeks)\b)?)(?![\w.])/g;

const DECIMALS: Readonly<Record<string, number>> = { gwei: 9, ether: 18 };
const SECONDS: Readonly<Record<string, bigint>> = {
  minutes: 60n,
  hours: 3_600n,
  days: 86_400n,
  weeks: 604_800n,
};

const TEXT = /"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'/g;

const WORD_LIMIT = 2n ** 256n;

/** Returns the numbers that stand in a Solidity source, in the order of their first places: `7 gwei`, `1e18` and `2 days` too. */
export function numbersOf(source: string): readonly bigint[] {
  const text = source.replace(PLACES, "").replace(TEXT, " ");
  const numbers = [...text.matchAll(NUMBER)].map(({ groups = {} }) => toNumber(groups));
  return [...new Set(numbers)].filter((one) => one < WORD_LIMIT);
}

interface NumberParts {
  readonly hex?: string;
  readonly decimal?: string;
  readonly exponent?: string;
  readonly unit?: string;
}

function toNumber({ hex, decimal = "", exponent, unit = "" }: NumberParts): bigint {
  if (hex !== undefined) return BigInt(hex);
  const [whole, fraction = ""] = decimal.replaceAll("_", "").split(".");
  const places = Number(exponent ?? 0) + (DECIMALS[unit] ?? 0);
  const value = BigInt(`${whole}${fraction.slice(0, places).padEnd(places, "0")}`);
  return value * (SECONDS[unit] ?? 1n);
}

/** Returns the words of sources: those of the test's function, then of its file, then of the others. */
export function wordsOf(sources: readonly SoliditySource[], test: string): readonly KnownWord[] {
  const texts = sources.map(({ text }) => withoutComments(text));
  const [first = ""] = texts;
  const own = first.indexOf(`function ${test}(`);
  const all = [first.slice(Math.max(own, 0)), ...texts];
  const numbers = all.flatMap((text) => numbersOf(text).map((value) => ({ value })));
  const quoted = all.flatMap(quotedTexts).flatMap(wordsOfText);
  return [...numbers.slice(0, MAX_WORDS), ...quoted.slice(0, MAX_WORDS)];
}

/** Returns the first slots of the namespaces (ERC-7201) that sources name, and of OpenZeppelin's tokens. */
export function namespacesOf(sources: readonly SoliditySource[]): readonly KnownWord[] {
  const named = sources.flatMap(({ text }) => [
    ...[...text.matchAll(/erc7201:([\w.-]+)/g)].map(([, id = ""]) => id),
    ...quotedTexts(withoutComments(text)).filter((one) => one.includes(".")),
  ]);
  return [...new Set([...named, ...KNOWN_NAMESPACES])].flatMap((id) => [
    { value: BigInt(erc7201(id)), origin: `erc7201("${id}")` },
    { value: hashOf(id), origin: `keccak256("${id}")` },
  ]);
}

const KNOWN_NAMESPACES = ["openzeppelin.storage.ERC20"];

function quotedTexts(text: string): readonly string[] {
  const found = [...text.matchAll(TEXT)].map(([, double, single]) => double ?? single ?? "");
  return [...new Set(found)].filter((one) => one !== "" && !one.includes("\\"));
}

function hashOf(text: string): bigint {
  return BigInt(keccak256(Buffer.from(text)));
}

/** Returns what a text is in Solidity: the account of forge-std's `makeAddr`, its hash, and its bytes. */
function wordsOfText(text: string): readonly KnownWord[] {
  const hash = hashOf(text);
  const account = { value: BigInt.asUintN(160, hash), origin: `makeAddr("${text}")` };
  const ofHash = { value: hash, origin: `keccak256("${text}")` };
  const bytes = Buffer.from(text);
  if (bytes.length > 32) return [account, ofHash];
  const left = BigInt(stringToHex(text, { size: 32 }));
  const right = BigInt(stringToHex(text));
  return [
    account,
    ofHash,
    { value: left, origin: `bytes32("${text}")` },
    { value: right, origin: `'${text}' as a short string` },
  ];
}

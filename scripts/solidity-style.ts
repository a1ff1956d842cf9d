// Checks the Solidity of the package, its examples, templates, tests and pages, and fails if something is missing:
// solhint's recommended rules, documentation, licenses, and the format of contracts in pages. Part of `npm run lint`.
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { check, resolveConfig } from "prettier";
import { z } from "zod";

import { blocksOf } from "../test/support/markdown-blocks.js";
import { root } from "./root.js";
import { parse, type SyntaxNode } from "./solidity-compiler.js";

/** What is used of the npm package `solhint`, which comes without types. */
interface Solhint {
  processStr(text: string, config: object, file: string): unknown;
}

const solhint = createRequire(import.meta.url)("solhint") as Solhint;
const findings = z.object({
  reports: z.array(z.object({ line: z.number(), message: z.string(), ruleId: z.string() })),
});

const TESTS = /^test|\.t\.sol$/;

/** Rules of solhint's recommended set that do not hold, where, and why. Lines of files switch off others with a reason. */
const EXCEPTIONS: readonly (readonly [rule: string, files: RegExp, why: string])[] = [
  ["use-natspec", /./, "held below: of errors and structs too"],
  [
    "no-inline-assembly",
    /./,
    "hashes in scratch space cost half; tests bring bytes that no compiler writes",
  ],
  ["reason-string", /./, "a long message costs gas only where a call fails; some are published"],
  ["gas-small-strings", /./, "as reason-string"],
  ["gas-strict-inequalities", /./, "costs 3 gas, and a limit reads as it was decided"],
  ["gas-custom-errors", TESTS, "the failure of a test is a sentence"],
  [
    "gas-custom-errors",
    /^contracts\/mocks/,
    "the published contracts' messages, or no data where they have no function",
  ],
  ["gas-calldata-parameters", /^contracts\/mocks/, "ten arrays of calldata are too deep a stack"],
  ["gas-calldata-parameters", TESTS, "they call what takes memory"],
  ["gas-indexed-events", /^contracts\/interfaces/, "as published"],
  ["gas-indexed-events", /^(?!contracts)/, "an amount is read, not looked for"],
  ["func-name-mixedcase", /\.t\.sol$/, "forge's names: test_does"],
  ["const-name-snakecase", /\.t\.sol$/, "forge's names: vm"],
  ["interface-starts-with-i", /\.t\.sol$/, "forge's names: Vm"],
  ["no-empty-blocks", /\.t\.sol$/, "a call that reverts as expected"],
  [
    "import-path-check",
    /^page|^test/,
    "the other file is another block; the compiler says it of tests",
  ],
  ["gas-increment-by-one", /^test\/conformance/, "as other people write it"],
  [
    "one-contract-per-file",
    /^(?!contracts)/,
    "an example stands beside what it reads, a test beside what it tests",
  ],
  ["immutable-vars-naming", /^contracts\/mocks\/HdpExecutionStoreNamesMock/, "as published"],
  [
    "no-complex-fallback",
    /ResultsHarness|invariants/,
    "contracts that answer any call, or call again when paid",
  ],
  ["avoid-low-level-calls", /^test/, "tests bring bytes that no compiler writes"],
  ["avoid-tx-origin", /^test\/conformance/, "what modules are asked to compute"],
  ["no-empty-blocks", /^test\/conformance/, "as avoid-tx-origin"],
  ["no-empty-blocks", /^contracts\/mocks\/HdpTaskStateMock/, "the mock of tests overrides it"],
  ["const-name-snakecase", /^test\/conformance/, "as other people write it"],
  ["use-forbidden-name", /^test\/conformance/, "as other people write it"],
];

/** Settings of rules that have some. */
const SETTINGS = {
  "compiler-version": ["error", "^0.8.21"],
  "func-visibility": ["error", { ignoreConstructors: true }],
  "immutable-vars-naming": ["error", { immutablesAsConstants: false }],
};

/** The tags of a documentation comment. */
interface Documentation {
  readonly tags: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  readonly returns: number;
  readonly text: string;
}

/** Reads the documentation above a place of a file. */
function documentationAbove(source: string, place: number): Documentation {
  const lines = source.slice(0, place).trimEnd().split("\n");
  const above = lines.filter((line) => !line.trim().startsWith("// solhint-"));
  const first = above.findLastIndex((line) => !line.trim().startsWith("///")) + 1;
  const text = above.slice(first).join("\n");
  const tags = [...text.matchAll(/@([\w:-]+)(?: (\w+))?/g)];
  const named = (tag: string): string[] =>
    tags.flatMap(([, name, value = ""]) => (name === tag ? [value] : []));
  return {
    tags: new Set(tags.map(([, name = ""]) => name)),
    params: new Set(named("param")),
    returns: named("return").length,
    text,
  };
}

/** Whether a declaration is part of what users of the library read: not private, and no name with an underscore. */
function isOffered({ name, visibility }: SyntaxNode): boolean {
  return visibility !== "private" && !name.startsWith("_");
}

/** What the documentation of a declaration of `contracts/` lacks. */
function lacking(node: SyntaxNode, { tags, params, returns, text }: Documentation): string[] {
  if (node.nodeType === "ContractDefinition")
    return ["title", "author", "notice", "custom:security-contact"].filter((tag) => !tags.has(tag));
  if (tags.has("inheritdoc")) return [];
  if (!isOffered(node)) return text === "" && node.nodeType === "FunctionDefinition" ? ["dev"] : [];
  const hasSummary = node.kind === "constructor" || tags.has("notice");
  const missing = node.parameters.filter((name) => name !== "" && !params.has(name));
  return [
    ...(hasSummary ? [] : ["notice"]),
    ...missing.map((name) => `param ${name}`),
    ...(returns < node.returns ? ["return"] : []),
    ...(node.nodeType === "EventDefinition" &&
    node.parameters.length > 0 &&
    !node.isIndexed &&
    !text.includes("indexed")
      ? ["dev: why no parameter is indexed"]
      : []),
  ];
}

/** What the documentation of a declaration of an example lacks: its reader has it whole on one screen. */
function lackingInExample(node: SyntaxNode, { tags }: Documentation): string[] {
  const isSaid = tags.has("notice") || tags.has("title");
  const isCalled = node.visibility === "external" || node.visibility === "public";
  const isDocumented =
    node.nodeType === "ContractDefinition" || (node.nodeType === "FunctionDefinition" && isCalled);
  return isDocumented && node.kind !== "constructor" && !isSaid ? ["notice"] : [];
}

/** A Solidity file, or one in a page. */
interface Source {
  /** The file, or the page. */
  readonly place: string;
  /** Line of the place before the first. */
  readonly offset: number;
  /** What exceptions go by. */
  readonly file: string;
  readonly text: string;
}

function licenseFindings({ place, offset, text }: Source): string[] {
  const isLicensed = text.split("\n", 2).some((line) => line.startsWith("// SPDX-License"));
  return isLicensed ? [] : [`${place}:${offset + 1} has no license`];
}

function lintFindings({ place, offset, file, text }: Source): string[] {
  const here = EXCEPTIONS.filter(([, files]) => files.test(file));
  const off = Object.fromEntries(here.map(([rule]) => [rule, "off"] as const));
  const rules = { ...SETTINGS, ...off };
  const { reports } = findings.parse(
    solhint.processStr(text, { extends: "solhint:recommended", rules }, file),
  );
  return reports.map(
    ({ line, message, ruleId }) => `${place}:${offset + line} ${message} (${ruleId})`,
  );
}

function documentationFindings({ place, offset, file, text }: Source): string[] {
  if (TESTS.test(file)) return [];
  const lacks = file.startsWith("contracts") ? lacking : lackingInExample;
  return parse(file, text).flatMap((node) => {
    const line = offset + text.slice(0, node.place).split("\n").length;
    return lacks(node, documentationAbove(text, node.place)).map(
      (tag) => `${place}:${line} ${node.name || node.kind} has no @${tag}`,
    );
  });
}

function sourcesOf(page: string): Source[] {
  return blocksOf(page)
    .filter(({ language, text }) => language === "solidity" && text.includes("pragma solidity"))
    .map(({ line, file, text }) => ({
      place: page,
      offset: line,
      file: `page/${file ?? "example.sol"}`,
      text,
    }));
}

/** Prettier formats files and not what stands in pages: there it would indent as in JavaScript. */
async function formatFindings({ place, offset, text }: Source): Promise<string[]> {
  const filepath = join(root, "contracts", "page.sol");
  const isFormatted = await check(text, { ...(await resolveConfig(filepath)), filepath });
  return isFormatted ? [] : [`${place}:${offset} is not formatted as Solidity files are`];
}

const FILES = ["contracts/**", "examples/*/contracts/**", "templates/**", "test/**"];
const PAGES = ["{README,AGENTS}.md", "{docs,skills,templates}/**/*.md", "examples/*/README.md"];
const exclude = ["**/node_modules/**", "**/artifacts/**"];

const files = globSync(
  FILES.map((folder) => `${folder}/*.sol`),
  { cwd: root, exclude },
).map((file) => ({ place: file, offset: 0, file, text: readFileSync(join(root, file), "utf8") }));
const inPages = globSync(PAGES, { cwd: root, exclude }).flatMap(sourcesOf);
const sources = [...files, ...inPages];
const found = [
  ...sources.flatMap(licenseFindings),
  ...sources.flatMap(lintFindings),
  ...sources.flatMap(documentationFindings),
  ...(await Promise.all(inPages.map(formatFindings))).flat(),
];
for (const finding of found.sort()) console.log(finding);
if (found.length > 0) process.exitCode = 1;

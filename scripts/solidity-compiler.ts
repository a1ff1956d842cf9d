// Compiles the package's Solidity with the pinned compiler and settings whose output is shipped.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { Abi, Hex } from "viem";
import { z } from "zod";

import { root } from "./root.js";

/** What is used of the npm package `solc`, which comes without types. */
export interface Solc {
  version(): string;
  compile(
    input: string,
    callbacks: { import: (path: string) => { readonly contents: string } },
  ): string;
}

export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

const require = createRequire(import.meta.url);
const solc = require("solc") as Solc;

/** Settings of the shipped bytecode: the widest EVM that knows no PUSH0, and no metadata hash, so that it is stable. */
const SETTINGS = {
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
};

const code = z.object({ object: z.string() }).transform(({ object }): Hex => `0x${object}`);
const outputSchema = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.record(
        z.object({
          abi: z.custom<Abi>((abi) => Array.isArray(abi)),
          evm: z.object({ bytecode: code, deployedBytecode: code }),
        }),
      ),
    )
    .default({}),
});

/** Version of the compiler that is installed, without its commit. */
export const compilerVersion = solc.version().replace(/\+.*/, "");

/** Where an imported path is: in the package's contracts, or in an installed package. */
export function sourceOf(path: string): { readonly contents: string } {
  const own = join(root, path);
  return { contents: readFileSync(existsSync(own) ? own : require.resolve(path), "utf8") };
}

/** What a node needs to show a contract's own frames and errors in a stack trace: compiler input and output. */
export interface TraceInformation {
  readonly solcVersion: string;
  readonly input: object;
  readonly output: unknown;
}

/** Parts of the compiler's output that no trace shows. */
const NOT_IN_TRACES = new Set(["documentation", "generatedSources", "functionDebugData", "body"]);

/** What a trace names of a syntax tree. A node takes in every value it is given one by one: all else is not given. */
const NAMED_IN_TRACES = new Set([
  "ContractDefinition",
  "FunctionDefinition",
  "ModifierDefinition",
  "VariableDeclaration",
]);
const NOT_OF_NAMED = new Set([
  "baseContracts",
  "canonicalName",
  "contractDependencies",
  "fullyImplemented",
  "usedErrors",
  "usedEvents",
  "nameLocation",
  "returnParameters",
  "modifiers",
  "baseFunctions",
  "overrides",
  "typeName",
  "scope",
]);

/** A part of a syntax tree with what traces need of it. */
function named(key: string, value: unknown): unknown {
  if (NOT_OF_NAMED.has(key)) return undefined;
  if (key !== "nodes" || !Array.isArray(value)) return value;
  return value.filter((node: { readonly nodeType?: string }) =>
    NAMED_IN_TRACES.has(node.nodeType ?? ""),
  );
}

/**
 * Compiles one file of the package for traces, with the settings of the shipped bytecode and every source named as
 * users import it.
 */
export function compileForTraces(path: string): TraceInformation {
  const name = (file: string): string => `hardhat-hdp/${file}`;
  const sources = { [name(path)]: { content: readFileSync(join(root, path), "utf8") } };
  const outputs = ["abi", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers"];
  const settings = { ...SETTINGS, outputSelection: { "*": { "*": outputs, "": ["ast"] } } };
  const input = { language: "Solidity", sources, settings };
  const findImport = (imported: string): { readonly contents: string } => {
    const content = readFileSync(join(root, imported.replace(/^hardhat-hdp\//, "")), "utf8");
    sources[imported] = { content };
    return { contents: content };
  };
  const output = solc.compile(JSON.stringify(input), { import: findImport });
  const slim = (key: string, value: unknown): unknown => {
    if (NOT_IN_TRACES.has(key)) return undefined;
    if (key === "opcodes") return "";
    return key === "ast" ? JSON.parse(JSON.stringify(value, named)) : value;
  };
  return {
    solcVersion: compilerVersion,
    input,
    output: JSON.parse(JSON.stringify(JSON.parse(output), slim)),
  };
}

/**
 * Compiles files of the package, given by their paths from its root.
 *
 * @returns the contracts of these files by name
 * @throws Error with everything the compiler complains about, warnings too
 */
export function compile(
  paths: readonly string[],
  settings: object = SETTINGS,
): Readonly<Record<string, CompiledContract>> {
  const texts = Object.fromEntries(paths.map((path) => [path, sourceOf(path).contents]));
  return Object.assign({}, ...Object.values(compileTexts(texts, settings))) as Readonly<
    Record<string, CompiledContract>
  >;
}

/** Tests are deployed without the limit on the size of code. */
const OF_A_TEST_S_SIZE = /Contract code size is[\s\S]*?--> test\//;

/**
 * Compiles texts, each by the path that its imports are relative to.
 *
 * @returns the contracts by path, then by name
 * @throws Error with everything the compiler complains about, warnings too
 */
export function compileTexts(
  texts: Readonly<Record<string, string>>,
  settings: object = SETTINGS,
): Readonly<Record<string, Readonly<Record<string, CompiledContract>>>> {
  const outputs = ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"];
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries(texts).map(([path, content]) => [path, { content }]),
    ),
    settings: { ...settings, outputSelection: { "*": { "*": outputs } } },
  };
  const output = outputSchema.parse(
    JSON.parse(solc.compile(JSON.stringify(input), { import: sourceOf })),
  );
  const complaints = output.errors
    .map(({ formattedMessage }) => formattedMessage)
    .filter((message) => !OF_A_TEST_S_SIZE.test(message));
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  return Object.fromEntries(
    Object.keys(texts).map((path) => [path, contractsOf(output.contracts[path])]),
  );
}

function contractsOf(
  contracts: z.infer<typeof outputSchema>["contracts"][string] = {},
): Readonly<Record<string, CompiledContract>> {
  return Object.fromEntries(
    Object.entries(contracts).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: evm.bytecode, deployedBytecode: evm.deployedBytecode },
    ]),
  );
}

/** A declaration of a source file. */
export interface SyntaxNode {
  readonly nodeType: string;
  readonly name: string;
  /** Of a function: `function`, `constructor`, `fallback`; of a contract: `library`, `interface`. */
  readonly kind: string;
  readonly visibility: string;
  /** Index in the text. */
  readonly place: number;
  /** Names of parameters or members, empty for those without. */
  readonly parameters: readonly string[];
  /** Number of return values. */
  readonly returns: number;
  /** Whether a parameter of an event is indexed. */
  readonly isIndexed: boolean;
}

const list = z.array(z.object({ name: z.string(), indexed: z.boolean().optional() })).default([]);
const parameters = z.object({ parameters: list }).transform((inner) => inner.parameters);
const declaration = z.object({
  nodeType: z.string(),
  src: z.string(),
  name: z.string().default(""),
  kind: z.string().default(""),
  contractKind: z.string().default(""),
  visibility: z.string().default(""),
  nodes: z.array(z.unknown()).default([]),
  parameters: parameters.default({}),
  returnParameters: parameters.default({}),
  members: list,
});
const syntaxTree = z.object({
  sources: z.record(z.object({ ast: z.object({ nodes: z.array(z.unknown()) }) })),
});

/** Returns the contracts, types, functions, events, errors and state variables of a file, without compiling it. */
export function parse(path: string, text: string): readonly SyntaxNode[] {
  const input = {
    language: "Solidity",
    sources: { [path]: { content: text } },
    settings: { stopAfter: "parsing", outputSelection: { "*": { "": ["ast"] } } },
  };
  const { sources } = syntaxTree.parse(
    JSON.parse(solc.compile(JSON.stringify(input), { import: sourceOf })),
  );
  return (sources[path]?.ast.nodes ?? []).flatMap((node) => declarations(node, Buffer.from(text)));
}

function declarations(tree: unknown, text: Buffer): readonly SyntaxNode[] {
  const node = declaration.parse(tree);
  if (!/Definition$|^VariableDeclaration$/.test(node.nodeType)) return [];
  const named = [...node.parameters, ...node.members];
  const isPrivate = node.nodeType === "VariableDeclaration" && node.visibility !== "public";
  const own: SyntaxNode = {
    nodeType: node.nodeType,
    name: node.name,
    kind: node.kind || node.contractKind,
    visibility: isPrivate ? "private" : node.visibility,
    place: text.subarray(0, Number(node.src.split(":")[0])).toString().length,
    parameters: node.nodeType === "EnumDefinition" ? [] : named.map(({ name }) => name),
    returns: node.returnParameters.length,
    isIndexed: named.some(({ indexed }) => indexed === true),
  };
  return [own, ...node.nodes.flatMap((inner) => declarations(inner, text))];
}

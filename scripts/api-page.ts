/** Writes docs/api.md: the members of `hdp` and of the Solidity helpers, with their docstrings. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { format, resolveConfig } from "prettier";
import ts from "typescript";

import { root } from "./root.js";

const page = join(root, "docs", "api.md");

/** The page as it should be. */
export async function apiPage(): Promise<string> {
  const program = ts.createProgram([join(root, "src", "plugin", "hdp.ts")], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(root, "src", "plugin", "hdp.ts"));
  if (source === undefined) throw new Error("src/plugin/hdp.ts is not there");
  const lines = [
    "# API",
    "",
    "Made of the docstrings of the types that editors show. `connection.hdp` is bound to the connection of",
    "`network.create()`; `hre.hdp` does the same on `hre.network.getOrCreate()`, the connection that tasks and scripts share,",
    "and has no `faults`.",
    "",
  ];
  const module = checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === "HdpConnection");
  if (symbol === undefined) throw new Error("src/plugin/hdp.ts exports no HdpConnection");
  lines.push("## `connection.hdp`", "");
  for (const member of checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
    lines.push(...memberLines(member, "hdp", checker, source));
  }
  lines.push("## Solidity test helper", "", ...(await solidityLines("contracts/test/HdpTest.sol")));
  lines.push("## Solidity test helper of forge", "", ...(await solidityLines("contracts/test/HdpForge.sol")));
  lines.push("## Solidity library of task hashes", "", ...(await solidityLines("contracts/libraries/HdpTaskHash.sol")));
  const options = await resolveConfig(page);
  return await format(lines.join("\n"), { ...options, parser: "markdown" });
}

function memberLines(member: ts.Symbol, owner: string, checker: ts.TypeChecker, source: ts.Node): string[] {
  const type = checker.getTypeOfSymbolAtLocation(member, source);
  const name = `${owner}.${member.name}`;
  const signatures = type.getCallSignatures();
  const told = [member, ...signatures, ...[type.symbol as ts.Symbol | undefined].filter((one) => one !== undefined)]
    .map((one) => ts.displayPartsToString(one.getDocumentationComment(checker)))
    .find((one) => one !== "");
  const text = (told ?? "").replaceAll("\n", " ");
  if (signatures.length === 0 && isOurs(type)) {
    return [
      `### \`${name}\``,
      "",
      text,
      "",
      ...type.getProperties().flatMap((inner) => memberLines(inner, name, checker, source)),
    ];
  }
  const shown = signatures.map((one) => `${name}${signatureText(one)}`);
  return [`### \`${name}\``, "", ...(shown.length === 0 ? [] : ["```ts signature", ...shown, "```", ""]), text, ""];
}

/** A signature as it was written: what the checker makes of types that schemas infer is nothing to read. */
function signatureText(signature: ts.Signature): string {
  const { parameters, type } = signature.getDeclaration();
  const given = parameters.map((one) => one.getText().replaceAll(/\s+/g, " ")).join(", ");
  return `(${given}): ${type?.getText().replaceAll(/\s+/g, " ") ?? "void"}`;
}

/** Whether a type's members are told of here too: groups such as `hdp.program`. */
function isOurs(type: ts.Type): boolean {
  const file = (type.symbol as ts.Symbol | undefined)?.declarations?.[0]?.getSourceFile().fileName ?? "";
  return file.startsWith(join(root, "src"));
}

/** Functions with the NatSpec above them. */
async function solidityLines(file: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  const lines = [`\`import "hardhat-hdp/${file}";\``, ""];
  for (const [, notes = "", signature = ""] of text.matchAll(/((?:^ {4}\/\/\/.*\n)+) {4}(function [^{;]*)/gm)) {
    const told = notes
      .split("\n")
      .map((line) => line.replace(/^\s*\/\/\/ ?/, ""))
      .filter((line) => line !== "")
      .map((line) =>
        line.replace(/^@notice /, "").replace(/^@(dev|return) /, (_, tag) => (tag === "return" ? "- returns " : "")),
      )
      .map((line) => line.replace(/^@param (\w+) /, "- `$1`: "));
    const name = /function (\w+)/.exec(signature)?.[1] ?? "";
    if (name.startsWith("_")) continue;
    lines.push(`### \`${name}\``, "", "```solidity", signature.replaceAll(/\s+/g, " ").trim(), "```", "", ...told, "");
  }
  return lines;
}

if (process.argv[1] === import.meta.filename) await writeFile(page, await apiPage());

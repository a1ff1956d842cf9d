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
    "`connection.hdp` of `network.create()` submits tasks, awaits them and reads their results. `hre.hdp` does so on",
    "`hre.network.getOrCreate()`, the connection that tasks and scripts share, and has no `faults`.",
    "",
  ];
  const module = checker.getSymbolAtLocation(source);
  const symbol =
    module && checker.getExportsOfModule(module).find((one) => one.name === "HdpConnection");
  if (symbol === undefined) throw new Error("src/plugin/hdp.ts exports no HdpConnection");
  lines.push("## `connection.hdp`", "");
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  const isGroup = (member: ts.Symbol): boolean =>
    checker.getTypeOfSymbolAtLocation(member, source).getCallSignatures().length === 0;
  for (const member of [
    ...members.filter((one) => !isGroup(one)),
    ...members.filter((one) => isGroup(one)),
  ]) {
    lines.push(...memberLines(member, "hdp", checker, source));
  }
  lines.push("## Solidity test helper", "", ...(await solidityLines("contracts/test/HdpTest.sol")));
  lines.push(
    "## Solidity test helper of forge",
    "",
    ...(await solidityLines("contracts/test/HdpForge.sol")),
  );
  lines.push(
    "## Solidity library of task hashes",
    "",
    ...(await solidityLines("contracts/libraries/HdpTaskHash.sol")),
  );
  const options = await resolveConfig(page);
  return await format(lines.join("\n"), { ...options, parser: "markdown" });
}

function memberLines(
  member: ts.Symbol,
  owner: string,
  checker: ts.TypeChecker,
  source: ts.Node,
): string[] {
  const type = checker.getTypeOfSymbolAtLocation(member, source);
  const name = `${owner}.${member.name}`;
  const signatures = type.getCallSignatures();
  const told = [
    member,
    ...signatures,
    ...[type.symbol as ts.Symbol | undefined].filter((one) => one !== undefined),
  ]
    .map((one) => ts.displayPartsToString(one.getDocumentationComment(checker)))
    .find((one) => one !== "");
  // A group's docstring begins with its name, which is in the heading here.
  const text = (told ?? "")
    .replaceAll("\n", " ")
    .replace(/^`hdp\.\w+`: (\w)/, (_, first: string) => first.toUpperCase());
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
  return [
    `### \`${name}\``,
    "",
    ...(shown.length === 0 ? [] : ["```ts signature", ...shown, "```", ""]),
    text,
    "",
  ];
}

/** A signature as it was written: what the checker makes of types that schemas infer is nothing to read. */
function signatureText(signature: ts.Signature): string {
  const { parameters, type } = signature.getDeclaration();
  const given = parameters.map((one) => one.getText().replaceAll(/\s+/g, " ")).join(", ");
  return `(${given}): ${type?.getText().replaceAll(/\s+/g, " ") ?? "void"}`;
}

/** Whether a type's members are told of here too: groups such as `hdp.program`. */
function isOurs(type: ts.Type): boolean {
  const file =
    (type.symbol as ts.Symbol | undefined)?.declarations?.[0]?.getSourceFile().fileName ?? "";
  return file.startsWith(join(root, "src"));
}

/** Functions with their NatSpec as comments; of a parameter, what says more than its name. */
async function solidityLines(file: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  const functions: string[] = [];
  for (const [, notes = "", signature = ""] of text.matchAll(
    /((?:^ {4}\/\/\/.*\n)+) {4}(function [^{;]*)/gm,
  )) {
    if (signature.startsWith("function _")) continue;
    const comments = notes
      .split("\n")
      .map((line) => line.replace(/^\s*\/\/\/ ?/, "").replace(/^@(notice|dev) /, ""))
      .filter((line) => line !== "" && (!line.startsWith("@") || /[,;:(]/.test(line)))
      .map(
        (line) => `/// ${line.replace(/^@param (\w+) /, "$1: ").replace(/^@return /, "returns ")}`,
      );
    const line = signature
      .replaceAll(/\s+/g, " ")
      .replaceAll("( ", "(")
      .replaceAll(" )", ")")
      .trim();
    functions.push([...comments, `${line};`].join("\n"));
  }
  return [
    `\`import "hardhat-hdp/${file}";\``,
    "",
    "```solidity",
    functions.join("\n\n"),
    "```",
    "",
  ];
}

if (process.argv[1] === import.meta.filename) await writeFile(page, await apiPage());

// Counts how a folder of TypeScript reads: `npm run review` for src, `npm run review -- node_modules/ox/core` for another.
// Generated code, tests and declaration files are left out. The columns are those of a review against other codebases.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import ts from "typescript";

const MAX_FUNCTION_LINES = 60;
const LONG_LINE = 110;

/** Types that take another type apart, in place of a type with a name. */
const PICKED = new Set(["Pick", "Omit"]);

interface Counts {
  readonly picked: number;
  readonly endInOf: number;
  readonly lines: number;
  readonly comments: number;
  readonly longLines: number;
  readonly functions: readonly number[];
  readonly nestedTernaries: number;
  readonly spreadLiterals: number;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.d\.ts$|\.test(-d)?\.ts$|[\\/](generated|_test|test)[\\/]/.test(path));
}

function isTernary(node: ts.Node): boolean {
  return ts.isParenthesizedExpression(node)
    ? isTernary(node.expression)
    : ts.isConditionalExpression(node);
}

function hasNestedTernary(node: ts.Node): boolean {
  return (
    ts.isConditionalExpression(node) &&
    [node.condition, node.whenTrue, node.whenFalse].some((part) => isTernary(part))
  );
}

function isSpreadLiteral(node: ts.Node): boolean {
  return ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression);
}

function hasBody(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

/** Matches a line that holds nothing but a comment. */
const COMMENT_LINE = /^\s*(\/\/|\/\*|\*)/;

function countsOf(path: string): Counts {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions: number[] = [];
  let nestedTernaries = 0;
  let spreadLiterals = 0;
  let picked = 0;
  let endInOf = 0;
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (hasBody(node)) functions.push(lineOf(node.end) - lineOf(node.getStart()) + 1);
    if (hasNestedTernary(node)) nestedTernaries += 1;
    if (isSpreadLiteral(node)) spreadLiterals += 1;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node))
      if (PICKED.has(nameOfType(node))) picked += 1;
    if (ts.isFunctionDeclaration(node) && node.name?.text.endsWith("Of") === true) endInOf += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.trimEnd().split("\n");
  return {
    lines: lines.length,
    comments: lines.filter((line) => COMMENT_LINE.test(line)).length,
    longLines: lines.filter((line) => line.length > LONG_LINE).length,
    functions,
    nestedTernaries,
    spreadLiterals,
    picked,
    endInOf,
  };
}

function nameOfType(node: ts.TypeReferenceNode | ts.ExpressionWithTypeArguments): string {
  const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
  return name.getText();
}

/** Returns the value below which a share of the sorted values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

const folder = process.argv[2] ?? "src";
const counted = sourceFiles(folder).map((path) => countsOf(path));
const lines = sum(counted.map((one) => one.lines));
const fileLines = counted.map((one) => one.lines);
const functions = counted.flatMap((one) => one.functions);
const rows: Readonly<Record<string, string | number>> = {
  folder: relative(process.cwd(), folder),
  files: counted.length,
  lines,
  "lines of a file, p50 / p90": `${quantile(fileLines, 0.5)} / ${quantile(fileLines, 0.9)}`,
  "lines of a function, p50 / p90 / p99": [0.5, 0.9, 0.99]
    .map((share) => quantile(functions, share))
    .join(" / "),
  [`functions over ${MAX_FUNCTION_LINES} lines`]: functions.filter(
    (length) => length > MAX_FUNCTION_LINES,
  ).length,
  "nested ternaries": sum(counted.map((one) => one.nestedTernaries)),
  "spreads of a literal": sum(counted.map((one) => one.spreadLiterals)),
  "types by Pick or Omit": sum(counted.map((one) => one.picked)),
  "functions that end in Of": sum(counted.map((one) => one.endInOf)),
  "comment lines": percent(sum(counted.map((one) => one.comments)), lines),
  [`lines over ${LONG_LINE} characters`]: percent(sum(counted.map((one) => one.longLines)), lines),
};
for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(38)} ${value}`);

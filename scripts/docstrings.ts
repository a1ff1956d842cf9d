// Lists the exported declarations of src without a docstring, by file and line, and fails if there is one. A function
// with overloads needs one docstring. Part of `npm run lint`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

import { root } from "./root.js";

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Returns the exported declarations of a source file that have no docstring, as `file:line name`. */
function undocumented(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isDocumented = (statement: ts.Statement): boolean =>
    ts.getJSDocCommentsAndTags(statement).length > 0;
  const documented = new Set(source.statements.filter(isDocumented).flatMap(namesOf));
  return source.statements.filter(isExported).flatMap((statement) => {
    const line = source.getLineAndCharacterOfPosition(statement.getStart()).line + 1;
    return namesOf(statement)
      .filter((name) => !documented.has(name))
      .map((name) => `${file}:${line} ${name}`);
  });
}

const missing = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => !file.includes("generated"))
  .sort()
  .flatMap(undocumented);
for (const place of missing) console.log(`no docstring: ${place}`);
if (missing.length > 0) {
  console.log("Say in its first line what it does, is or returns.");
  process.exitCode = 1;
}

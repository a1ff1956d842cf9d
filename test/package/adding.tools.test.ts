import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { expect } from "chai";
import ts from "typescript";

import { root } from "../support/hardhat-cli.js";

const FIELDS = join(root, "src", "request", "fields.ts");
const CHAINS = join(root, "src", "request", "chains.ts");

/** One row more of a table, and the files that no longer compile with it: the places that it needs beside its row. */
const ADDED = [
  {
    what: "a field of accounts",
    file: FIELDS,
    behind: "  account: {\n",
    row: '    code_size: { type: "integer", rpc: "codeSize", proof: "CODE_SIZE", about: "Bytes" },\n',
    // Maps the field to a member of the account as proofs have it.
    places: ["src/compute/field-values.ts"],
  },
  {
    what: "a field of headers",
    file: FIELDS,
    behind: "  header: {\n",
    row: '    slot_number: { type: "integer", rpc: "slotNumber", proof: "SLOT", about: "Slot" },\n',
    places: [],
  },
  {
    what: "a function",
    file: FIELDS,
    behind: "export const FUNCTIONS = {\n",
    row: '  range: { title: "range", phrase: "apart", about: "The greatest less the smallest" },\n',
    places: ["src/compute/aggregate.ts"],
  },
  {
    what: "a chain",
    file: CHAINS,
    behind: "export const CHAINS = {\n",
    row: '  STARKNET_NEXT: { id: 6004514720182227028n, about: "Next", aliases: ["SN_NEXT"] },\n',
    places: [],
  },
] as const;

/** Compiles the sources with a file's text replaced, and returns the files that have errors. */
function filesWithErrors(replacedFile: string, text: string, before?: ts.Program) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), (path) =>
    ts.sys.readFile(path),
  ) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, types: ["node"], noEmit: true },
    root,
  );
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version) => {
    if (path === replacedFile) return ts.createSourceFile(path, text, version);
    return before?.getSourceFile(path) ?? read(path, version);
  };
  const sources = globSync("src/**/*.ts", { cwd: root }).map((file) => join(root, file));
  const program = ts.createProgram(sources, options, host);
  const files = program.getSemanticDiagnostics().flatMap(({ file }) => file?.fileName ?? []);
  return { program, files: [...new Set(files)].map((file) => relative(root, file)).sort() };
}

describe("one more of a table", function () {
  this.timeout(300_000);
  let unchanged: ts.Program;

  before(() => {
    const { program, files } = filesWithErrors(FIELDS, readFileSync(FIELDS, "utf8"));
    expect(files).to.deep.equal([]);
    unchanged = program;
  });

  for (const { what, file, behind, row, places } of ADDED) {
    it(`takes its row, and for ${what} ${places.length} further places`, () => {
      const text = readFileSync(file, "utf8");
      expect(text).to.include(behind);
      const { files } = filesWithErrors(file, text.replace(behind, `${behind}${row}`), unchanged);
      expect(files, "contributing/adding.md lists the places").to.deep.equal(places);
    });
  }
});

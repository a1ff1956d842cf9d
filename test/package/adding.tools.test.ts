import { spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { expect } from "chai";
import ts from "typescript";

import { root } from "../support/hardhat-cli.js";

interface Addition {
  readonly what: string;
  readonly file: string;
  /** The text behind which the row goes. */
  readonly behind: string;
  readonly row: string;
  /** The files that no longer compile: what one writes beside the row. */
  readonly places: readonly string[];
  /** The test that fails for what the compiler does not see, and what it says. */
  readonly heldBy?: { readonly test: string; readonly says: string };
}

const GENERATE = { test: "test/request/field-constants.test.ts", says: "run npm run generate" };

/** One row more of a table, and the places that it needs beside the row: contributing/adding.md lists them. */
const ADDED: readonly Addition[] = [
  {
    what: "a field of accounts",
    file: "src/request/fields.ts",
    behind: "  account: {\n",
    row: '    code_size: { type: "integer", rpc: "codeSize", about: "Bytes" },\n',
    // Maps the field to a member of the account as proofs have it.
    places: ["src/compute/field-values.ts"],
    heldBy: GENERATE,
  },
  {
    what: "a field of headers",
    file: "src/request/fields.ts",
    behind: "  header: {\n",
    row: '    slot_number: { type: "integer", rpc: "slotNumber", about: "Slot" },\n',
    places: [],
    heldBy: GENERATE,
  },
  {
    what: "a function",
    file: "src/request/fields.ts",
    behind: "export const FUNCTIONS = {\n",
    row: '  range: { title: "range", phrase: "apart", about: "The greatest less the smallest" },\n',
    places: ["src/compute/aggregate.ts"],
    heldBy: GENERATE,
  },
  {
    what: "a chain",
    file: "src/request/chains.ts",
    behind: "export const CHAINS = {\n",
    row: '  STARKNET_NEXT: { id: 6004514720182227028n, about: "Next", aliases: ["SN_NEXT"] },\n',
    places: [],
    heldBy: GENERATE,
  },
  {
    what: "an endpoint",
    file: "src/service/endpoints.ts",
    behind: "export const ENDPOINTS = {\n",
    row: '  "GET /next": tasks("never"),\n',
    places: [],
    heldBy: {
      test: "test/dev-server/routes.test.ts",
      says: "its handler to a table of publishedRoutes",
    },
  },
  {
    what: "a configuration field",
    file: "src/plugin/config/config.ts",
    behind: "export interface LocalUserConfig {\n",
    row: "  /** How often. Default 3. */\n  next?: number;\n",
    // Its default and its schema.
    places: ["src/plugin/config/config.ts", "src/plugin/config/validate.ts"],
    heldBy: {
      test: "test/plugin/config-fields.test.ts",
      says: "local.next",
    },
  },
  {
    what: "a command",
    file: "src/tasks/commands.ts",
    behind: "  Help: [\n",
    row: '    command("next", "Say what is next").setAction(async () => ({ default: (await import("./doctor.js")).doctor })),\n',
    places: [],
    heldBy: { test: "test/package/commands-page.test.ts", says: "hdp next" },
  },
  {
    what: "a status of submissions",
    file: "src/submission/model.ts",
    behind: "export const STATES = {\n",
    row: '  paused: { shown: "paused", isLive: false, isUndecided: false, unfinished: true },\n',
    // What a user can do.
    places: ["src/submission/recovery.ts"],
  },
  {
    what: "a kind of submission",
    file: "src/submission/kinds.ts",
    behind: "const ROWS = {\n",
    row: '  next: { name: "next", command: "hdp next", takes: "<file>", hasResults: false, ends: "never", ended: "Ended.", lookUp: () => "Look." },\n',
    // What a connection asks of its service.
    places: ["src/plugin/actions/recorded-kinds.ts"],
  },
];

/** Compiles the sources with texts in place of files, and returns the files that have errors. */
function filesWithErrors(texts: ReadonlyMap<string, string>): readonly string[] {
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
    const text = texts.get(relative(root, path));
    return text === undefined ? read(path, version) : ts.createSourceFile(path, text, version);
  };
  const sources = globSync("src/**/*.ts", { cwd: root }).map((file) => join(root, file));
  const program = ts.createProgram(sources, options, host);
  const files = program.getSemanticDiagnostics().flatMap(({ file }) => file?.fileName ?? []);
  return [...new Set(files)].map((file) => relative(root, file)).sort();
}

/** Copies what tests of tables import, and links what they only read. */
function copyOfProject(folder: string): void {
  for (const name of ["src", "test", "scripts", "package.json", ".mocharc.mjs"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ["node_modules", "contracts", "docs", "tsconfig.json", "tsconfig.base.json"])
    symlinkSync(join(root, name), join(folder, name));
}

/** Returns a file's text with the row of an addition. */
function withRow({ behind, row }: Addition, text: string): string {
  expect(text).to.include(behind);
  return text.replace(behind, `${behind}${row}`);
}

describe("one more of each table", function () {
  this.timeout(300_000);
  let copy: string;

  before(() => {
    copy = mkdtempSync(join(tmpdir(), "hdp-adding-"));
    copyOfProject(copy);
  });

  after(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  // All rows at once: no two of them need the same place.
  it("takes its row, and further places where contributing/adding.md lists them", () => {
    const texts = new Map<string, string>();
    for (const addition of ADDED) {
      const { file } = addition;
      const before = texts.get(file) ?? readFileSync(join(root, file), "utf8");
      texts.set(file, withRow(addition, before));
    }
    const places = ADDED.flatMap((addition) => addition.places);
    expect(new Set(places)).to.have.length(places.length);
    expect(filesWithErrors(texts)).to.deep.equal(places.sort());
  });

  for (const addition of ADDED) {
    const { what, file, heldBy } = addition;
    if (heldBy === undefined) continue;
    it(`fails ${heldBy.test} for ${what}, with the place`, () => {
      writeFileSync(join(copy, file), withRow(addition, readFileSync(join(root, file), "utf8")));
      const { status, stdout } = spawnSync(
        process.execPath,
        [join(root, "node_modules", "mocha", "bin", "mocha.js"), heldBy.test],
        { cwd: copy, encoding: "utf8" },
      );
      cpSync(join(root, file), join(copy, file));
      expect(stdout).to.include(heldBy.says);
      expect(status).to.be.greaterThan(0);
    });
  }
});

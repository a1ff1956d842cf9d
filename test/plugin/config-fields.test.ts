import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import ts from "typescript";

import { isRecord } from "../../src/base/collections.js";
import hardhatHdp from "../../src/index.js";
import { root } from "../support/hardhat-cli.js";

interface Field {
  readonly path: string;
  readonly docstring: string;
}

const CONFIG = join(root, "src", "plugin", "config", "config.ts");
const source = ts.createSourceFile(CONFIG, readFileSync(CONFIG, "utf8"), ts.ScriptTarget.Latest);

/** A section that is documented as a whole, on a page of its own. */
const WHOLE = ["StarknetAccountUserConfig"];

/** Returns the fields of a section, and of the sections in it, as the interfaces declare them. */
function fieldsOf(section: string, prefix = ""): Field[] {
  const declared = source.statements.find(
    (one) => ts.isInterfaceDeclaration(one) && one.name.text === section,
  );
  if (declared === undefined || !ts.isInterfaceDeclaration(declared)) throw new Error(section);
  return declared.members.flatMap((member) => {
    if (!ts.isPropertySignature(member)) return [];
    const type = member.type?.getText(source) ?? "";
    const path = `${prefix}${member.name.getText(source)}`;
    const inner = /\w+UserConfig/.exec(type)?.[0];
    if (inner !== undefined && !WHOLE.includes(inner))
      return fieldsOf(inner, `${path}${type.startsWith("Record<") ? ".<chain>" : ""}.`);
    return [{ path, docstring: source.text.slice(member.getFullStart(), member.getStart(source)) }];
  });
}

const fields = fieldsOf("HdpUserConfig");
const page = readFileSync(join(root, "docs", "configuration.md"), "utf8");
/** The column with the default, by field. */
const rows = new Map(
  [...page.matchAll(/^\| `([a-z][\w.<>]*)` +\| (.*?) +\|/gm)].map(([, path = "", cell = ""]) => [
    path,
    cell,
  ]),
);

function valueAt(section: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), section);
}

describe("the fields of the configuration", () => {
  it("finds a row for each field in docs/configuration.md, which names no other", () => {
    const paths = fields.map(({ path }) => path);
    expect(paths).to.have.length.greaterThan(30);
    expect(
      paths.filter((path) => !rows.has(path)),
      "give each field of src/plugin/config/config.ts a row in docs/configuration.md",
    ).to.deep.equal([]);
    const known = (row: string): boolean =>
      paths.some((path) => path === row || path.startsWith(`${row}.`));
    expect([...rows.keys()].filter((row) => !known(row))).to.deep.equal([]);
  });

  it("gives each field the default that its docstring and docs/configuration.md say", async () => {
    const { config } = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      hdp: { dataProcessor: { url: "https://hdp.example.org" }, cairo: { package: "cairo" } },
    });
    const given = ["dataProcessor.url", "cairo.package"];
    const { hdp } = config;
    const resolved = { ...hdp, dataDir: relative(config.paths.root, hdp.dataDir) };
    const compared = fields.flatMap(({ path, docstring }) => {
      const value = valueAt(resolved, path);
      if (given.includes(path) || !["string", "number"].includes(typeof value)) return [];
      const said = typeof value === "number" ? value.toLocaleString("en") : `\`${String(value)}\``;
      expect(docstring, `${path} in src/plugin/config/config.ts`)
        .to.match(/default/i)
        .and.include(said);
      const written = `\`${JSON.stringify(value)}\``;
      expect(rows.get(path), `${path} in docs/configuration.md`).to.match(
        new RegExp(`^${written}`),
      );
      return [path];
    });
    expect(compared).to.include.members(["dataDir", "local.concurrency", "timeouts.rpc"]);
    expect(compared).to.have.length(13);
  });
});

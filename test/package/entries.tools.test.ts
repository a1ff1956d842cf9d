import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import ts from "typescript";

import { root } from "../support/hardhat-cli.js";

describe("the public entries", () => {
  const files = readdirSync(join(root, "src", "entries")).map((name) =>
    join(root, "src", "entries", name),
  );
  const entries = [join(root, "src", "index.ts"), join(root, "src", "types.ts"), ...files];
  const { Function: isFunction, Variable: isVariable, Alias: isAlias } = ts.SymbolFlags;
  /** The declarations behind each name that an entry shows. */
  const shown = new Map<string, { readonly place: string; readonly isTool: boolean }[]>();

  before(() => {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) =>
      ts.sys.readFile(file),
    ) as {
      config: object;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const program = ts.createProgram(entries, options);
    const checker = program.getTypeChecker();
    for (const entry of entries) {
      const source = program.getSourceFile(entry);
      const module = source && checker.getSymbolAtLocation(source);
      for (const exported of module === undefined ? [] : checker.getExportsOfModule(module)) {
        const symbol =
          (exported.flags & isAlias) === 0 ? exported : checker.getAliasedSymbol(exported);
        const declared = symbol.declarations?.[0];
        const place = `${declared?.getSourceFile().fileName ?? "nowhere"}:${String(declared?.pos)}`;
        const isTool = (symbol.flags & (isFunction | isVariable)) !== 0;
        shown.set(exported.name, [...(shown.get(exported.name) ?? []), { place, isTool }]);
      }
    }
  });

  it("give a name one meaning", () => {
    const ambiguous = [...shown].filter(
      ([, all]) => new Set(all.map(({ place }) => place)).size > 1,
    );
    expect(ambiguous.map(([name]) => name)).to.deep.equal([]);
  });

  it("show no function and no constant that none of them exports as a value", async () => {
    const values = new Set<string>();
    for (const entry of entries) {
      for (const name of Object.keys((await import(pathToFileURL(entry).href)) as object))
        values.add(name);
    }
    const hidden = [...shown].filter(
      ([name, [first]]) => first?.isTool === true && !values.has(name),
    );
    expect(hidden.map(([name]) => name)).to.deep.equal([]);
    expect(values).to.include("executionStore").and.to.include("hdpChai");
  });
});

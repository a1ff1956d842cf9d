import { join } from "node:path";

import { expect } from "chai";

import { cairoFolder } from "../../scripts/starknet/cairo-packages.js";
import { filesOf } from "../support/snforge.js";

const LICENSE = "// SPDX-License-Identifier: MIT";
const PACKAGES = [
  "hardhat_hdp",
  "hardhat_hdp_module",
  "hardhat_hdp_testing",
  "hardhat_hdp_prebuilt",
];

/** Whether a line declares something that users of the package see, apart from modules: see `isModuleFile`. */
const ITEM =
  /^\s*pub (const|fn|struct|enum|trait|type|mod|\w+:)|^\s*fn \w+\(.*\b(ref self|self): @?TContractState/;
const VARIANT = /^ +[A-Z]\w*(: [^=]+)?,$/;

/** What is public in a Cairo file and has no documentation comment above it. */
function undocumented(path: string, text: string): string[] {
  const lines = text.split("\n");
  const found: string[] = lines[1]?.startsWith("//! ") === true ? [] : [`${path}: the file itself`];
  if (lines[0] !== LICENSE) found.push(`${path}: no license`);
  let inEnum = false;
  for (const [position, line] of lines.entries()) {
    if (/^\s*pub enum /.test(line)) inEnum = true;
    else if (/^\s*\}/.test(line)) inEnum = false;
    // A module in a file of its own is described in that file.
    const isItem =
      (ITEM.test(line) && !/^pub mod \w+;$/.test(line)) || (inEnum && VARIANT.test(line));
    if (!isItem) continue;
    let above = position - 1;
    while (/^\s*#\[/.test(lines[above] ?? "")) above--;
    if (!/^\s*\/\/\/ \S/.test(lines[above] ?? "")) found.push(`${path}: ${line.trim()}`);
  }
  return found;
}

describe("fields that satellites save", () => {
  const files = filesOf(join(cairoFolder, "hardhat_hdp", "src"));
  for (const [kind, name] of [
    ["HeaderField", "header"],
    ["AccountField", "account"],
  ] as const) {
    it(`have the names and numbers of the fields of datalakes: ${kind}`, () => {
      const variants = blockOf(`pub enum ${kind} {`, files["satellite.cairo"]);
      const names = [...variants.matchAll(/^ +([A-Z_]+),$/gm)].map(([, variant]) => variant);
      const constants = blockOf(`pub mod ${name} {`, files["fields.cairo"]);
      const ids = [...constants.matchAll(/pub const (\w+): u8 = (\d+);/g)];
      const named = new Map(ids.map(([, field, id]) => [field, Number(id)]));
      expect(names.length).to.be.greaterThan(3);
      expect(names.map((field) => named.get(field))).to.deep.equal([...names.keys()]);
    });
  }
});

/** The lines of a Cairo block from its first line on. */
function blockOf(first: string, text = ""): string {
  return text.slice(text.indexOf(first)).split("\n}", 1)[0] ?? "";
}

describe("documentation comments of the Cairo packages", () => {
  for (const name of PACKAGES) {
    it(`describe every public item: ${name}`, () => {
      const sources = Object.entries(filesOf(join(cairoFolder, name, "src"))).filter(
        ([path]) => path !== "tests.cairo",
      );
      expect(sources.flatMap(([path, text]) => undocumented(path, text))).to.deep.equal([]);
    });
  }

  it("finds none missing on constants, functions, fields, variants, traits and entry points", () => {
    const text = `${LICENSE}
//! A file.

pub const A: u8 = 1;
pub fn f() {}
#[derive(Drop)]
pub struct S {
    pub a: u8,
    b: u8,
}
/// Said.
#[derive(Drop)]
pub enum E {
    #[default]
    One,
    /// Said.
    Two: u8,
    Three: (u8, u8),
}
pub trait T<TContractState> {
    fn ask(self: @TContractState) -> u8;
}
fn hidden() {}
pub mod inner {}
pub mod other;
`;
    expect(undocumented("a.cairo", text)).to.deep.equal([
      "a.cairo: pub const A: u8 = 1;",
      "a.cairo: pub fn f() {}",
      "a.cairo: pub struct S {",
      "a.cairo: pub a: u8,",
      "a.cairo: One,",
      "a.cairo: Three: (u8, u8),",
      "a.cairo: pub trait T<TContractState> {",
      "a.cairo: fn ask(self: @TContractState) -> u8;",
      "a.cairo: pub mod inner {}",
    ]);
    expect(undocumented("b.cairo", "use x;\n")).to.deep.equal([
      "b.cairo: the file itself",
      "b.cairo: no license",
    ]);
  });
});

import { readFileSync } from "node:fs";

import { expect } from "chai";

import { parseCompiledClass } from "../../src/entries/program.js";
import { BUILTIN_NAMES, BuiltinSet } from "../../src/cairo/builtins/builtin-set.js";
import { COMPILERS, compileHint } from "../../src/cairo/bytecode.js";
import { Memory } from "../../src/cairo/memory.js";
import { prepareClass } from "../../src/cairo/run-contract.js";
import { assemble, ret } from "../support/cairo-assembler.js";

const page = readFileSync(new URL("../../docs/cairo-vm.md", import.meta.url), "utf8");

/** The cells of a row of the page's table of what is supported and what is refused. */
function row(name: string): readonly string[] {
  const line = page.split("\n").find((text) => text.startsWith(`| ${name} `)) ?? "";
  return line.split("|").map((cell) => cell.trim());
}

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  return "taken";
}

describe("what the machine's page says is supported and refused", () => {
  it("lists exactly the builtins that the machine has", () => {
    const [, , supported = "", refused = ""] = row("Builtins");
    expect(supported.split(", ")).to.deep.equal([...BUILTIN_NAMES]);
    const names = refused.split(":")[0]?.split(", ") ?? [];
    expect(names).to.deep.equal(["ecdsa", "keccak", "output"]);
    const memory = new Memory(1_000_000, prepareClass(parseCompiledClass(assemble([ret]))).program);
    const builtins = new BuiltinSet(memory);
    for (const name of names) {
      const message = refusal(() => builtins.initialPointers([name]));
      expect(message, name).to.include(`the local machine does not support the builtin "${name}"`);
    }
    expect(builtins.initialPointers(BUILTIN_NAMES)).to.have.length(BUILTIN_NAMES.length);
  });

  it("lists the hints that the machine knows, and those that it refuses by name when a run reaches them", () => {
    const list = /^Hints: ([^.]*)\./m.exec(page)?.[1] ?? "";
    const told = list.split(/[,;]\s+/);
    expect([...told].sort()).to.deep.equal([...COMPILERS.keys()].sort());
    expect(row("Hints")[3]).to.match(/^Cheatcode \(test runners only\) and unknown hints/);
    for (const name of ["Cheatcode", "NoSuchHint"]) {
      const hint = compileHint({ [name]: {} });
      expect(refusal(() => Reflect.apply(hint, undefined, []))).to.include(
        `the local machine does not support the hint ${name}`,
      );
    }
  });
});

import { expect } from "chai";

import {
  decodeReturn,
  encodeArguments,
  leadingFelts,
  findModuleReferences,
  scaffoldModule,
} from "../../src/entries/program.js";
import { mainFunction } from "../../src/program/abi/abi.js";
import {
  checkPackageName,
  compiledPath,
  scarbFailed,
  sierraPath,
} from "../../src/program/scarb.js";
import { expectThrown, hdpThrown } from "../support/failure.js";
import { SCAFFOLD_ABI } from "./scaffold-abi.js";

describe("module scaffold", () => {
  const file = (path: string): string =>
    scaffoldModule("my_module").get(path) ?? expect.fail(`no ${path}`);

  it("writes a complete package", () => {
    expect([...scaffoldModule("other_name").values()].join()).not.to.contain("my_module");
    const files = scaffoldModule("my_module");
    expect([...files.keys()]).to.deep.equal([
      "Scarb.toml",
      "src/lib.cairo",
      "src/tests.cairo",
      "tasks/my_module.json",
      "tests/my_module.test.json",
      "tests/my_module.recording.json",
      "README.md",
      ".gitignore",
    ]);
    for (const content of files.values()) expect(content.endsWith("\n")).to.equal(true);
    expect(file(".gitignore")).to.equal("target/\n.snfoundry_cache/\n");
  });

  it("sets what the data processor needs of a build", () => {
    const manifest = file("Scarb.toml");
    const target = manifest.slice(manifest.indexOf("[[target.starknet-contract]]"));
    for (const line of [
      "sierra = true",
      "casm = true",
      "casm-add-pythonic-hints = true",
      "allowed-libfuncs = false",
    ]) {
      expect(target.split("\n")).to.include(line);
    }
    expect(manifest).to.contain('name = "my_module"');
  });

  it("names the package of reads where it lies, with its mocks for tests alone", () => {
    const beside = "../node_modules/hardhat-hdp/contracts/starknet/hardhat_hdp_module";
    const lines = file("Scarb.toml").split("\n");
    expect(lines).to.include(`hardhat_hdp_module = { path = "${beside}" }`);
    expect(lines).to.include(`hardhat_hdp_module = { path = "${beside}", features = ["mocks"] }`);
    expect(lines.indexOf("[dev-dependencies]")).to.be.lessThan(
      lines.findIndex((line) => line.includes('mocks"]')),
    );
    const elsewhere = scaffoldModule("my_module", "events", "../../cairo").get("Scarb.toml");
    expect(elsewhere).to.contain('"../../cairo/hardhat_hdp_module"');
  });

  it("writes a task whose class is where the build puts it", () => {
    const json: unknown = JSON.parse(file("tasks/my_module.json"));
    expect(findModuleReferences(json)).to.deep.equal([
      {
        path: "tasks[0].module",
        compiledClassFile: "../target/dev/my_module_Module.compiled_contract_class.json",
        sierraClassFile: "../target/dev/my_module_Module.contract_class.json",
      },
    ]);
  });

  it("writes a handle of the current generation, as compiled", () => {
    expect(leadingFelts(SCAFFOLD_ABI)).to.equal(8);
  });

  it("writes a task with the arguments that the compiled main takes", () => {
    const json = JSON.parse(file("tasks/my_module.json")) as {
      tasks: { module: { arguments: object } }[];
    };
    const inputs = encodeArguments(SCAFFOLD_ABI, json.tasks[0]?.module.arguments);
    expect(inputs.map(({ value }) => value)).to.deep.equal([
      "0xaa36a7",
      "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
      "0x0",
      "0x0",
    ]);
    expect(decodeReturn(SCAFFOLD_ABI, [7n, 0n])).to.equal(7n);
  });

  it("declares main as it was compiled", () => {
    const main = /pub fn main\(([^)]*)\)/.exec(file("src/lib.cairo"))?.[1] ?? "";
    const parameters = [...main.matchAll(/(\w+): (\w+)/g)].map(([, name, type]) => [name, type]);
    expect(parameters.slice(1)).to.deep.equal(
      mainFunction(SCAFFOLD_ABI).inputs.map(({ name, type }) => [name, type.split("::").at(-1)]),
    );
  });

  it("refuses names that Scarb or Cairo refuse", () => {
    for (const name of ["a", "module_1", "x".repeat(64)]) checkPackageName(name);
    const refuses = (name: string, ...parts: string[]): void => {
      expectThrown(() => scaffoldModule(name), "HDP-6003", undefined, ...parts);
    };
    refuses("My-Module", 'Did you mean "my_module"?');
    refuses("1st module!", 'Did you mean "st_module"?');
    for (const name of ["", "fn", "starknet", "../x/..", "x".repeat(65), "é"])
      refuses(name, "lower-case letter");
    refuses('a"\nb', 'Did you mean "a_b"?');
    refuses("__12_a__", 'Did you mean "a"?');
    refuses(`${"X".repeat(64)}y`, `Did you mean "${"x".repeat(64)}"?`);
    for (const name of ["Fn", "é", "7"]) {
      expect(hdpThrown(() => scaffoldModule(name)).shortMessage).to.equal(
        `"${name}" is not a name for a module's package.`,
      );
    }
    expect(hdpThrown(() => scaffoldModule("-".repeat(101))).shortMessage).to.contain(
      `"${"-".repeat(100)}" is not`,
    );
  });
});

describe("module scaffold of injected state", () => {
  it("writes a task that starts from a new trie; the others name none", () => {
    const task = (template: "balance" | "injected-state"): object => {
      const text = scaffoldModule("my_module", template).get("tasks/my_module.json") ?? "";
      return (JSON.parse(text) as { readonly tasks: readonly [object] }).tasks[0];
    };
    expect(task("injected-state"))
      .to.have.property("injected_state")
      .that.deep.equals({ votes: "0x0" });
    expect(task("balance")).to.have.all.keys("type", "module");
  });
});

describe("module scaffold of an eth_call", () => {
  it("writes a package that takes the EVM from the public library", () => {
    const files = scaffoldModule("my_call", "eth-call");
    expect([...files.keys()]).to.deep.equal([
      "Scarb.toml",
      "src/lib.cairo",
      "src/output.cairo",
      "README.md",
      ".gitignore",
    ]);
    const lines = files.get("Scarb.toml")?.split("\n");
    for (const line of [
      'name = "my_call"',
      "sierra = true",
      "casm = true",
      "allowed-libfuncs = false",
    ]) {
      expect(lines).to.include(line);
    }
    expect(files.get("src/lib.cairo")).to.contain(
      "hdp_cairo::execute_eth_call(@hdp, @place, sender, target,",
    );
    expect(files.get("README.md")).to.contain(
      'ethCallModule: "my_call/target/dev/my_call_Module.compiled_contract_class.json"',
    );
    expect(files.get(".gitignore")).to.equal("target/\n.snfoundry_cache/\n");
  });
});

describe("building with Scarb", () => {
  it("maps the two classes' names to each other", () => {
    const compiledClassFile = "target/dev/a_Module.compiled_contract_class.json";
    const sierraClassFile = "target/dev/a_Module.contract_class.json";
    expect(compiledPath(sierraClassFile)).to.equal(compiledClassFile);
    expect(sierraPath(compiledClassFile)).to.equal(sierraClassFile);
    expect(sierraPath("a.json")).to.equal(undefined);
    expect(compiledPath("a.json")).to.equal("a.json");
  });

  it("passes the words of Scarb on", () => {
    const failed = scarbFailed("modules/a", 1, "error: Type not found.\n --> src/lib.cairo:5:3\n");
    expect(failed.message).to.equal(
      "HDP-7032 in modules/a: the command scarb build failed with exit code 1.\n" +
        "  Output of Scarb:\n  error: Type not found.\n   --> src/lib.cairo:5:3",
    );
    const long = scarbFailed(
      "a",
      2,
      Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n"),
    );
    expect(long.hints)
      .to.have.length(41)
      .and.include.members(["line 10", "line 49"])
      .and.not.include("line 9");
    expect(scarbFailed("a", null, "").message).to.equal(
      "HDP-7032 in a: the command scarb build failed.\n  Scarb printed nothing.",
    );
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import { parseSierraAbi } from "../../src/entries/program.js";
import { mainFunction } from "../../src/program/abi/abi.js";
import { root } from "../support/hardhat-cli.js";
import { filesOf } from "../support/snforge.js";

/** Where modules lie that users start from. */
const FOLDERS = ["contracts/starknet/templates", "contracts/starknet/programs", "examples"];
const MAIN = /\bfn main\([^)]*\)\s*(?:->\s*([^{]+?)\s*)?\{(.*?)\n {4}\}/gs;

/** The types that one felt has, in sources and in ABIs. */
const ONE_FELT =
  /^(?:core::felt252|felt252|core::bool|bool|(?:core::integer::)?u(?:8|16|32|64|128)|core::starknet::\S+|ContractAddress|EthAddress)$/;
const MARKED = /^\[(?:core::)?felt252; \d+\]$|^\((?:(?:core::)?felt252(?:, )?){2,}\)$/;

/** A module by the place of its source or of its Sierra class. */
interface Module {
  readonly place: string;
  readonly returns: string;
  /** The body of `main`, where the source is here. */
  readonly body?: string;
}

/** All modules of the folders, found by their `main`. */
function modulesIn(folders: readonly string[]): readonly Module[] {
  const files = folders.flatMap((folder) =>
    Object.entries(filesOf(join(root, folder), `${folder}/`)),
  );
  return files.flatMap(([place, text]): readonly Module[] => {
    if (/\/(?:node_modules|artifacts|cache|target)\//.test(place)) return [];
    if (place.endsWith(".cairo")) {
      return [...text.matchAll(MAIN)].map(([, returns = "()", body = ""]) => {
        // The marks of the standard programs are those of test/request/standard-programs.test.ts.
        const isStandard = place.startsWith("contracts/starknet/programs/");
        return isStandard ? { place, returns } : { place, returns, body };
      });
    }
    if (!place.endsWith(".contract_class.json") || place.includes("compiled_contract_class"))
      return [];
    const [output] = mainFunction(parseSierraAbi(JSON.parse(text))).outputs;
    return [{ place, returns: output?.type ?? "()" }];
  });
}

/** What is wrong with what a module returns to a contract; undefined where a root fixes its order. */
function problem({ returns, body }: Module): string | undefined {
  if (ONE_FELT.test(returns)) return undefined;
  if (!MARKED.test(returns)) return `returns ${returns}, whose order no root fixes`;
  if (body !== undefined && !/\bmarked(?:_u256)?\(/.test(body))
    return "returns felts that carry no places";
  return undefined;
}

describe("what modules return to contracts", () => {
  const modules = modulesIn(FOLDERS);

  it("returns an order that a root fixes, in each template, standard program and example", () => {
    expect(modules.map(({ place }) => place)).to.include.members([
      "contracts/starknet/templates/balance/src/lib.cairo",
      "contracts/starknet/templates/bridge/src/lib.cairo",
      "contracts/starknet/templates/eth-call/src/lib.cairo",
      "contracts/starknet/templates/injected-state/src/lib.cairo",
      "contracts/starknet/templates/events/src/lib.cairo",
      "examples/module-balance/src/lib.cairo",
      "examples/module-balance/compiled/module_balance_Module.contract_class.json",
      "examples/twap/compiled/twap_Module.contract_class.json",
      "examples/twap/module/src/lib.cairo",
    ]);
    const problems = modules.flatMap((module) => {
      const found = problem(module);
      return found === undefined ? [] : [`${module.place} ${found}`];
    });
    expect(problems).to.deep.equal([]);
  });

  it("refuses a plain u256, an array, a struct and felts without places", () => {
    const place = "src/lib.cairo";
    const returns = ["u256", "core::integer::u256", "Array<felt252>", "Balance", "(u64, u256)"];
    for (const type of [...returns, "core::array::Array::<core::felt252>", "()"])
      expect(problem({ place, returns: type, body: "marked([1, 2])" })).to.contain(type);
    const plain = { place, returns: "[felt252; 2]", body: "[value.low, value.high]" };
    expect(problem(plain)).to.equal("returns felts that carry no places");
    for (const type of ["felt252", "bool", "u128", "core::felt252", "core::bool"])
      expect(problem({ place, returns: type })).to.equal(undefined);
    const marked = { place, returns: "[core::felt252; 5]" };
    expect(problem(marked)).to.equal(undefined);
  });

  it("compares the plain root in no contract and no page in Cairo", () => {
    const folders = ["contracts/starknet", "examples", "docs"];
    const users = folders
      .flatMap((folder) => Object.entries(filesOf(join(root, folder), `${folder}/`)))
      .filter(([path]) => /\.(?:cairo|md)$/.test(path) && !path.includes("/node_modules/"))
      .filter(([path]) => !path.startsWith("contracts/starknet/hardhat_hdp_testing/tests/"))
      .filter(([, text]) => /\bunordered_root\b/.test(text));
    expect(users.map(([path]) => path).sort()).to.deep.equal([
      "contracts/starknet/hardhat_hdp/README.md",
      "contracts/starknet/hardhat_hdp/src/output_root.cairo",
      "contracts/starknet/hardhat_hdp_testing/src/lib.cairo",
      "docs/cairo-packages.md",
    ]);
    const [testing = ""] = users
      .filter(([path]) => path.endsWith("hardhat_hdp_testing/src/lib.cairo"))
      .map(([, text]) => text);
    // The import, and the helper that stores what a module returned felt by felt.
    expect(testing.match(/\bunordered_root\b/g)).to.have.length(2);
  });

  it("marks outputs by the file of the Cairo package that contracts compare with", () => {
    const shipped = readFileSync(
      join(root, "contracts/starknet/hardhat_hdp/src/output.cairo"),
      "utf8",
    );
    const copies = FOLDERS.flatMap((folder) => Object.entries(filesOf(join(root, folder), folder)));
    const others = copies.filter(
      ([path, text]) => path.endsWith("src/output.cairo") && text !== shipped,
    );
    expect(others.map(([path]) => path)).to.deep.equal([]);
  });
});

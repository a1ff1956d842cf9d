import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";

import {
  parseSierraAbi,
  leadingFelts,
  parseCompiledClassText,
  withResolvedModules,
  flatProgramHash,
  scaffoldModule,
} from "../../src/entries/program.js";

const folder = join(import.meta.dirname, "../../examples/module-balance");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const STEM = "compiled/module_balance_Module";

describe("example module-balance", () => {
  it("contains the sources that the scaffold writes", () => {
    const files = scaffoldModule("module_balance", "balance", "../../contracts/starknet");
    for (const path of ["src/lib.cairo", "src/tests.cairo", "Scarb.toml"])
      expect(read(path)).to.equal(files.get(path));
  });

  it("contains a task that resolves to the program hash and the flattened arguments", () => {
    const load = (path: string): string | undefined =>
      existsSync(join(folder, "tasks", path)) ? read(join("tasks", path)) : undefined;
    const inputs = ["0xaa36a7", "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "0x0", "0x0"];
    expect(withResolvedModules(JSON.parse(read("tasks/balance.json")), load)).to.deep.equal({
      $schema: "../node_modules/hardhat-hdp/task.schema.json",
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [
        {
          type: "Module",
          programHash: "0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c",
          inputs: inputs.map((value) => ({ visibility: "public", value })),
        },
      ],
    });
  });

  it("compiles for the current generation, with segments", () => {
    expect(leadingFelts(parseSierraAbi(JSON.parse(read(`${STEM}.contract_class.json`))))).to.equal(
      8,
    );
    const compiled = parseCompiledClassText(read(`${STEM}.compiled_contract_class.json`));
    expect(flatProgramHash(compiled)).to.equal(
      "0x20f06c04d67e1965e3b60df51e88a50ac6b1ab99deca6cffc6e9ca804a0768e",
    );
  });
});

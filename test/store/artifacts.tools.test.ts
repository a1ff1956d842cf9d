import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

import { expect } from "chai";

import {
  artifacts,
  compileShipped,
  forTests,
  generate,
  mockTraces,
} from "../../scripts/compile-contracts.js";
import { compile, type CompiledContract } from "../../scripts/solidity-compiler.js";

const generated = join(import.meta.dirname, "..", "..", "src", "store", "generated");
const forHardhat = join(import.meta.dirname, "..", "..", "contracts", "compiled");

describe("compiled contracts in the package", function () {
  this.timeout(300_000);
  let contracts: Readonly<Record<string, CompiledContract>>;

  before(() => {
    contracts = compileShipped();
  });

  it("equal what the sources compile to, byte for byte", () => {
    for (const [name, text] of Object.entries(generate(contracts))) {
      expect(
        readFileSync(join(generated, name), "utf8") === text,
        `${name}: run npm run contracts`,
      ).to.equal(true);
    }
  });

  it("ship artifacts and traces of the same compilation", () => {
    for (const [name, text] of Object.entries(artifacts(contracts))) {
      expect(
        readFileSync(join(forHardhat, name), "utf8") === text,
        `${name}: run npm run contracts`,
      ).to.equal(true);
    }
    const shipped = brotliDecompressSync(
      readFileSync(join(forHardhat, "HdpExecutionStoreMock.traces.json.br")),
    );
    const traces = mockTraces();
    expect(shipped.toString() === traces, "traces: run npm run contracts").to.equal(true);
    // The bytecode does not depend on how the sources are named, so that a node recognizes what is deployed.
    const { deployedBytecode } = contracts["HdpExecutionStoreMock"] ?? {};
    expect(traces).to.contain(String(deployedBytecode).slice(2, 200));
  });

  it("equal what their sources compile to where tests deploy them", () => {
    const kept = readFileSync(join(import.meta.dirname, "..", "compiled-contracts.json"), "utf8");
    expect(kept === forTests(), "run npm run contracts").to.equal(true);
  });

  it("fit the size limits of a deployment", () => {
    for (const { bytecode, deployedBytecode } of Object.values(contracts)) {
      expect((bytecode.length - 2) / 2).to.be.at.most(49_152);
      expect((deployedBytecode.length - 2) / 2).to.be.at.most(24_576);
    }
  });

  it("compile with a user's default settings too, without a warning", () => {
    const sources = [
      "contracts/test/HdpForge.sol",
      "contracts/test/HdpTest.sol",
      "contracts/mocks/HdpExecutionStoreMock.sol",
    ];
    expect(compile(sources, { optimizer: { enabled: false } })).to.include.keys(
      "HdpTest",
      "HdpExecutionStoreMock",
    );
  });
});

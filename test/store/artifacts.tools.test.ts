import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
import { writeEthersTypes } from "../../scripts/ethers-types.js";

const generated = join(import.meta.dirname, "..", "..", "src", "store", "generated");
const forHardhat = join(import.meta.dirname, "..", "..", "contracts", "compiled");

/** Every file under a folder with its text. */
function texts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]),
  );
}

describe("compiled contracts in the package", function () {
  this.timeout(120_000);
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

  it("have artifacts and traces of the same compilation", () => {
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

  it("have typings for ethers made from the same ABIs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hdp-typings-"));
    try {
      await writeEthersTypes(contracts, folder);
      const [shipped, fresh] = [texts(join(generated, "ethers")), texts(folder)];
      expect(Object.keys(shipped)).to.deep.equal(Object.keys(fresh));
      for (const name of Object.keys(fresh)) {
        expect(shipped[name] === fresh[name], `ethers${name}: run npm run contracts`).to.equal(
          true,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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

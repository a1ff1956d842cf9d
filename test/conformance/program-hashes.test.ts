import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import { hash } from "starknet";

import { parseCompiledClassText, flatProgramHash, programHash } from "../../src/entries/program.js";
import { VECTORS } from "../support/vectors.js";

/** The selector of `main`: sn_keccak("main"). */
const MAIN = 0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7n;

const folders = ["modules/classes", "modules/extra"].map((folder) => join(VECTORS, folder));

describe("conformance: program hashes of published classes", () => {
  before(function () {
    if (!folders.every((folder) => existsSync(folder))) {
      console.log(`      skipped: no published classes in ${VECTORS} (set HDP_VECTORS)`);
      this.skip();
    }
  });

  const classes = (): { readonly name: string; readonly text: string }[] =>
    folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^0x[0-9a-f]+\.json$/.test(name))
        .map((name) => ({
          name: name.slice(0, -".json".length),
          text: readFileSync(join(folder, name), "utf8"),
        })),
    );

  it("reproduces every hash under which a class was published", () => {
    const found = classes().map(({ name, text }) => [
      name,
      programHash(parseCompiledClassText(text)),
    ]);
    expect(found.filter(([name, computed]) => name !== computed)).to.deep.equal([]);
    expect(found.length).to.be.at.least(73);
  });

  it("finds main in every class", () => {
    for (const { text } of classes()) {
      const { EXTERNAL } = parseCompiledClassText(text).entryPointsByType;
      expect(EXTERNAL.find(({ selector }) => selector === MAIN)?.builtins).to.deep.equal([
        "range_check",
      ]);
    }
  });

  it("equals starknet.js, segmented and flat, and the published flat hash", () => {
    for (const { name, text } of classes().slice(0, 3)) {
      const json: unknown = JSON.parse(text);
      type Class = Parameters<typeof hash.computeCompiledClassHashPoseidon>[0];
      const { bytecode_segment_lengths, ...flat } = json as Class & {
        bytecode_segment_lengths: unknown;
      };
      expect(bytecode_segment_lengths).to.be.an("array");
      expect(hash.computeCompiledClassHashPoseidon(json as Class)).to.equal(name);
      expect(hash.computeCompiledClassHashPoseidon(flat)).to.equal(
        flatProgramHash(parseCompiledClassText(text)),
      );
    }
    const balance = "0x4062c355f0b70ab4ed6ce821ad04cbb3a6fa6b3d5bcc1a89bf49cc7ed5884e1";
    const published = classes().find(({ name }) => name === balance);
    expect(published && flatProgramHash(parseCompiledClassText(published.text))).to.equal(
      "0x5869e9590dfb6d298f2a093ee062203e65a616bd64be2d3f5609b1ed878c889",
    );
  });
});

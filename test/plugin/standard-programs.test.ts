import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { parseEther } from "viem";

import {
  account,
  asModule,
  blockSampled,
  rootOfValue,
  standardProgram,
  taskHash,
  valueFelts,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { standardClass } from "../../src/program/standard-classes.js";
import type { HdpUserConfig } from "../../src/types.js";

const HOLDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const task = blockSampled({ from: 0n, to: 0n, property: account(HOLDER, "balance") }).max();
const BALANCE = parseEther("10000");

describe("the module form of a task in a Hardhat project that configures no class", () => {
  let folder: string;
  let connection: NetworkConnection<string> | undefined;

  async function connect(hdp: HdpUserConfig = {}): Promise<NetworkConnection<string>> {
    const plugins = [hardhatHdp];
    const hre = await createHardhatRuntimeEnvironment({ plugins, hdp }, {}, folder);
    return (connection = await hre.network.create<string>());
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hdp-standard-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  });
  afterEach(async () => {
    await connection?.close();
    rmSync(folder, { recursive: true });
  });

  it("runs the shipped class, and stores the root over the value's marked halves", async () => {
    const { hdp } = await connect();
    const [plain, result] = await hdp.run([task, asModule(task)]);
    expect(plain.value).to.equal(BALANCE);
    expect(result?.taskHash).to.equal(taskHash(asModule(task)));
    expect(result?.word).to.equal(rootOfValue(BALANCE));
    expect(result?.output).to.deep.equal(valueFelts(BALANCE));
    expect(result?.proven).to.equal(true);
    expect(result?.module).to.include({ rule: "output-root", decoded: BALANCE, reads: 1 });
  });

  it("returns the same result whatever generation and rule are configured for other modules", async () => {
    for (const moduleResult of ["auto", "value"] as const) {
      const { hdp } = await connect({ local: { generation: "2024-10-24", moduleResult } });
      const [result] = await hdp.run(asModule(task));
      expect(result.word).to.equal(rootOfValue(BALANCE));
      expect(result.module).to.include({ rule: "output-root", generation: "head" });
      await connection?.close();
    }
  });

  it("dry-runs the program by its hash, and by a class file whose compiler wrote an ABI without the handle", async () => {
    const { hdp } = await connect();
    const program = standardProgram(asModule(task).programHash);
    if (program === undefined) throw new TypeError("no standard program");
    const [byHash] = await hdp.program.run(asModule(task));
    expect(byHash).to.deep.include({ decoded: BALANCE, rule: "output-root" });
    expect(byHash?.flatProgramHash).to.equal(program.programHash);
    const file = join(folder, "Blocks.compiled_contract_class.json");
    writeFileSync(file, JSON.stringify(await standardClass(program)));
    writeFileSync(file.replace("compiled_", ""), '{ "sierra_program": [], "abi": [] }');
    expect(await hdp.program.register("Blocks.compiled_contract_class.json")).to.equal(
      program.programHash,
    );
    const [registered] = await hdp.program.run(asModule(task));
    expect(registered?.decoded).to.equal(BALANCE);
  });
});

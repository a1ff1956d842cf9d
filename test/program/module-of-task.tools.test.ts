import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";

import {
  account,
  blockSampled,
  header,
  storage,
  type Task,
  taskRequest,
  toTaskRequestJson,
  valueOfFelts,
} from "../../src/entries/request.js";
import { scarbBuild } from "../../scripts/starknet/scarb-build.js";
import { testProject, type TestProject } from "../support/remote-project.js";
import { runCommand } from "../support/run-command.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const HOLDER = `0x${"ab".repeat(20)}` as const;
const SLOT = `0x${"00".repeat(31)}07` as const;
const range = { from: 1, to: 9 };
const fee = header("base_fee_per_gas");
const balance = account(HOLDER, "balance");

/** Tasks over blocks: each function, each kind of property. */
const TASKS: Readonly<Record<string, Task>> = {
  average: blockSampled({ ...range, increment: 2, property: fee }).avg(),
  wrapping: blockSampled({ ...range, property: storage(HOLDER, SLOT) }).sum(),
  halves: blockSampled({ ...range, from: 8, property: header("number") }).avg(),
  least: blockSampled({ ...range, increment: 3, property: fee }).min(),
  most: blockSampled({ ...range, property: balance }).max(),
  counted: blockSampled({ ...range, property: balance }).count("gteq", 5n),
};

describe("the module of a datalake task", function () {
  this.timeout(600_000);
  let tools: StarknetTools;
  let project: TestProject;
  let connection: NetworkConnection;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    const root = await mkdtemp(join(tmpdir(), "hdp-module-of-"));
    project = await testProject({}, root);
    connection = await project.hre.network.create();
    const { provider } = connection;
    // The largest word but one: a sum of it wraps. Set behind a header, so the next block has it.
    await provider.request({
      method: "hardhat_setStorageAt",
      params: [HOLDER, SLOT, `0x${"ff".repeat(31)}fe`],
    });
    for (let block = 1; block <= 10; block += 1) {
      const [from] = (await provider.request({ method: "eth_accounts" })) as string[];
      await provider.request({
        method: "eth_sendTransaction",
        params: [{ from, to: HOLDER, value: "0x1" }],
      });
    }
  });
  after(async () => {
    await rm(project.root, { recursive: true, force: true });
  });

  for (const [name, task] of Object.entries(TASKS)) {
    it(`computes what the task does: ${name}`, async () => {
      const { root, hre } = project;
      const request = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] });
      await writeFile(join(root, `${name}.json`), JSON.stringify(toTaskRequestJson(request)));
      const written = await runCommand("module new", { name, from: `${name}.json` }, hre);
      expect(written.error).to.equal(undefined);
      const files: Record<string, string> = {};
      for (const entry of await readdir(join(root, name), {
        recursive: true,
        withFileTypes: true,
      })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) files[relative(join(root, name), path)] = await readFile(path, "utf8");
      }
      const stem = `${name}_Module`;
      const { casm, sierra } = await scarbBuild(tools, files, stem);
      const target = join(root, name, "target", "dev");
      await mkdir(target, { recursive: true });
      await writeFile(join(target, `${stem}.compiled_contract_class.json`), casm);
      await writeFile(join(target, `${stem}.contract_class.json`), sierra);
      const [run] = await connection.hdp.program.run(`${name}/tasks/${name}.json`);
      const { value, samples } = await connection.hdp.explain(task);
      expect(samples).to.have.length.above(1);
      expect(valueOfFelts(run?.run.retdata ?? [])).to.equal(value);
    });
  }
});

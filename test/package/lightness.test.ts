import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";

/** Every file a fresh process loads for an import, from Node's own list of loaded modules. */
async function loadedBy(code: string): Promise<string[]> {
  const hooks = `
    import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    ${code}
    console.log(JSON.stringify(seen));
  `;
  const {
    stdout,
    stderr,
    code: exit,
  } = await command(process.execPath, ["--input-type=module", "-e", hooks], {
    cwd: root,
  });
  expect(exit, stderr).to.equal(0);
  return JSON.parse(stdout) as string[];
}

const plugin = pathToFileURL(join(root, "dist", "index.js")).href;

describe("loading the plugin", () => {
  it("loads neither viem nor undici nor zod nor the local data processor", async () => {
    const loaded = await loadedBy(`await import(${JSON.stringify(plugin)});`);
    expect(loaded).to.include(plugin);
    const heavy =
      /node_modules\/(viem|undici|zod|starknet|@ethereumjs|@scure|@openzeppelin)\/|dist\/(base|request|program|cairo|chain|store|service|journal|compute|processor|front)\//;
    expect(loaded.filter((url) => heavy.test(url))).to.deep.equal([]);
  });

  it("loads no texts of the catalogue with an error, and those of all errors with the catalogue", async () => {
    const url = (...path: string[]): string => JSON.stringify(pathToFileURL(join(root, "dist", ...path)).href);
    const throwing = await loadedBy(`
      await import(${url("base", "errors.js")});
      await import(${url("plugin", "plugin-error.js")});
      await import(${url("entries", "request.js")});
    `);
    expect(throwing.some((file) => file.endsWith("dist/base/errors.js"))).to.equal(true);
    expect(throwing.filter((file) => file.includes("dist/base/catalogue/"))).to.deep.equal([]);
    const asking = await loadedBy(`await import(${url("tasks", "development", "error.js")});`);
    expect(asking.filter((file) => file.includes("dist/base/catalogue/")).length).to.equal(9);
  });

  it("computes a datalake task without the Cairo machine", async () => {
    const loaded = await loadedBy(`
      const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
      const { default: hardhatHdp } = await import(${JSON.stringify(plugin)});
      const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] });
      const { hdp } = await hre.network.create();
      const sampledProperty = "header.number";
      const datalake = { type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 0, blockRangeEnd: 0, sampledProperty };
      const tasks = [{ type: "DatalakeCompute", datalake, compute: { aggregateFnId: "sum" } }];
      const { value } = await hdp.run({ destinationChainId: "ETHEREUM_SEPOLIA", tasks });
      if (value !== 0n) throw new Error(String(value));
    `);
    expect(loaded.some((url) => url.endsWith("dist/compute/evaluate.js"))).to.equal(true);
    expect(loaded.filter((url) => /dist\/cairo\/(machine|memory|step|hints|builtins)/.test(url))).to.deep.equal([]);
  });

  it("is told of a heavy module when one is loaded", async () => {
    const loaded = await loadedBy(`await import(${JSON.stringify(plugin)}); await import("viem");`);
    expect(loaded.some((url) => url.includes("node_modules/viem/"))).to.equal(true);
  });
});

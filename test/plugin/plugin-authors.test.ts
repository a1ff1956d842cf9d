import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatPlugin } from "hardhat/types/plugins";

import hardhatHdp from "../../src/index.js";

/** What a plugin over this one sees in its hooks. */
const seen: string[] = [];

const plugin: HardhatPlugin = {
  id: "over-hdp",
  dependencies: () => [Promise.resolve({ default: hardhatHdp })],
  hookHandlers: {
    config: async () =>
      await Promise.resolve({
        default: async () =>
          await Promise.resolve({
            extendUserConfig: async (userConfig, next) => {
              const extended = await next(userConfig);
              return { ...extended, hdp: { dataDir: "elsewhere" } };
            },
          }),
      }),
    network: async () =>
      await Promise.resolve({
        default: async () =>
          await Promise.resolve({
            newConnection: async (context, next) => {
              const connection = await next(context);
              seen.push(typeof connection.hdp.run, typeof context.hdp.run);
              return connection;
            },
          }),
      }),
  },
};

describe("a plugin that depends on this one", () => {
  it("finds hdp of the connection and of the project, and sets defaults of the configuration", async () => {
    const hre = await createHardhatRuntimeEnvironment({ plugins: [plugin] });
    const connection = await hre.network.create();
    expect(seen).to.deep.equal(["function", "function"]);
    expect(hre.config.hdp.dataDir).to.match(/[\\/]elsewhere$/);
    await connection.close();
  });

  it("gets Hardhat's answers from hre.artifacts, except for the shipped contracts", async () => {
    const { artifacts } = await createHardhatRuntimeEnvironment({ plugins: [plugin] });
    expect(await artifacts.artifactExists("HdpExecutionStoreMock")).to.equal(true);
    expect(await artifacts.artifactExists("NoSuchContract")).to.equal(false);
    const names = [...(await artifacts.getAllFullyQualifiedNames())];
    expect(names.filter((name) => name.includes("hardhat-hdp/contracts"))).to.deep.equal([]);
  });
});

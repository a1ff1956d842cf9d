import { definePlugin } from "hardhat/plugins";
import type { ConfigHooks, HardhatRuntimeEnvironmentHooks } from "hardhat/types/hooks";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { resolveHdpConfig } from "./plugin/config/config.js";
import { sharedHdp } from "./plugin/hdp.js";
import { withShippedArtifacts } from "./plugin/stores/shipped-artifacts.js";
import { solidityTests, tasks, withCairoTests } from "./tasks/commands.js";

export type * from "./type-extensions.js";

const configHooks: Partial<ConfigHooks> = {
  extendUserConfig: withCairoTests,
  validateUserConfig: async (userConfig) => {
    const all = [userConfig, ...Object.values(userConfig.networks ?? {})];
    // zod loads with validation only when the configuration mentions hdp.
    if (all.every(({ hdp }) => hdp === undefined)) return [];
    const { validateHdpConfig } = await import("./plugin/config/validate.js");
    return validateHdpConfig(userConfig);
  },
  resolveUserConfig: async (userConfig, variable, next) =>
    resolveHdpConfig(userConfig, await next(userConfig, variable), variable),
};

const hreHooks: Partial<HardhatRuntimeEnvironmentHooks> = {
  created: async (context, hre) => {
    hre.hdp = sharedHdp(context, hre);
    hre.artifacts = withShippedArtifacts(hre.artifacts);
  },
};

/** The plugin: `plugins: [hardhatHdp]` in hardhat.config.ts. Everything heavy is loaded where it is first used. */
const hardhatHdp: HardhatPlugin = definePlugin({
  id: "hardhat-hdp",
  npmPackage: "hardhat-hdp",
  hookHandlers: {
    // Imported statically, unlike in Hardhat's plugin template, to save two dynamic imports: every command runs these
    // handlers. The four files import plain data, and the rest when it is used (test/package/lightness.test.ts).
    config: async () => ({ default: async () => configHooks }),
    hre: async () => ({ default: async () => hreHooks }),
    network: () => import("./plugin/hook-handlers/network.js"),
  },
  tasks: [...tasks, solidityTests],
});

export default hardhatHdp;

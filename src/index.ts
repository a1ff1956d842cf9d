import { definePlugin } from "hardhat/plugins";
import type { HardhatPlugin } from "hardhat/types/plugins";

import config from "./plugin/hook-handlers/config.js";
import hre from "./plugin/hook-handlers/hre.js";
import { tasks, withCairoTests } from "./tasks/commands.js";

export type * from "./type-extensions.js";

/** The plugin: `plugins: [hardhatHdp]` in hardhat.config.ts. Everything heavy is loaded where it is first used. */
const hardhatHdp: HardhatPlugin = definePlugin({
  id: "hardhat-hdp",
  npmPackage: "hardhat-hdp",
  hookHandlers: {
    // Always needed; imported statically to save two dynamic imports.
    config: async () =>
      await Promise.resolve({ default: async () => ({ ...(await config()), extendUserConfig: withCairoTests }) }),
    hre: async () => await Promise.resolve({ default: hre }),
    network: () => import("./plugin/hook-handlers/network.js"),
  },
  tasks: [...tasks],
});

export default hardhatHdp;

import { definePlugin } from "hardhat/plugins";
import type { HardhatPlugin } from "hardhat/types/plugins";

import config from "./plugin/hook-handlers/config.js";
import { tasks, testTasks } from "./tasks/definitions.js";
import hre from "./tasks/hooks/list-commands-once.js";

export type * from "./type-extensions.js";

/** The plugin: `plugins: [hardhatHdp]` in hardhat.config.ts. Everything heavy is loaded where it is first used. */
const hardhatHdp: HardhatPlugin = definePlugin({
  id: "hardhat-hdp",
  npmPackage: "hardhat-hdp",
  hookHandlers: {
    // Every command calls these two: loading them one by one takes longer than loading them.
    config: async () => await Promise.resolve({ default: config }),
    hre: async () => await Promise.resolve({ default: hre }),
    network: () => import("./plugin/hook-handlers/network.js"),
  },
  tasks: [...tasks, ...testTasks],
});

export default hardhatHdp;

import { definePlugin } from "hardhat/plugins";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { tasks, testTasks } from "./tasks/definitions.js";

export type * from "./type-extensions.js";

/** The plugin: `plugins: [hardhatHdp]` in hardhat.config.ts. Everything heavy is loaded where it is first used. */
const hardhatHdp: HardhatPlugin = definePlugin({
  id: "hardhat-hdp",
  npmPackage: "hardhat-hdp",
  hookHandlers: {
    config: () => import("./plugin/hook-handlers/config.js"),
    hre: () => import("./tasks/hooks/list-commands-once.js"),
    network: () => import("./plugin/hook-handlers/network.js"),
  },
  tasks: [...tasks, ...testTasks],
});

export default hardhatHdp;

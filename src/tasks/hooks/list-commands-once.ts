import type { HardhatRuntimeEnvironmentHooks } from "hardhat/types/hooks";

import facade from "../../plugin/hook-handlers/hre.js";
import { unlistOtherNames } from "../unlisted.js";

/** What the plugin adds to a runtime environment: `hre.hdp`, and commands that are listed once. */
export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => {
  const { created } = await facade();
  return {
    created: async (context, hre) => {
      await created?.(context, hre);
      unlistOtherNames(hre.tasks);
    },
  };
};

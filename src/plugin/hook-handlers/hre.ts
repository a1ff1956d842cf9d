import type { HardhatRuntimeEnvironmentHooks } from "hardhat/types/hooks";

import { HreHdp } from "../hre-hdp.js";

export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => {
  return {
    created: async (context, hre) => {
      hre.hdp = new HreHdp(context, hre);
    },
  };
};

import type { HardhatRuntimeEnvironmentHooks } from "hardhat/types/hooks";

import { sharedHdp } from "../hdp.js";
import { withShippedArtifacts } from "../stores/shipped-artifacts.js";

export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => {
  return {
    created: async (context, hre) => {
      hre.hdp = sharedHdp(context, hre);
      hre.artifacts = withShippedArtifacts(hre.artifacts);
    },
  };
};

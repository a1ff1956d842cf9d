import type { ConfigHooks } from "hardhat/types/hooks";

import { resolveHdpConfig } from "../config/resolve.js";

export default async (): Promise<Partial<ConfigHooks>> => {
  // zod loads with validation only when the configuration mentions hdp.
  const mentionsHdp = (config: Parameters<ConfigHooks["validateUserConfig"]>[0]): boolean =>
    config.hdp !== undefined || Object.values(config.networks ?? {}).some((network) => network.hdp !== undefined);

  return {
    validateUserConfig: async (userConfig) => {
      if (!mentionsHdp(userConfig)) return [];
      const { validateHdpConfig } = await import("../config/validate.js");
      return validateHdpConfig(userConfig);
    },
    resolveUserConfig: async (userConfig, resolveConfigurationVariable, next) => {
      const resolved = await next(userConfig, resolveConfigurationVariable);
      return resolveHdpConfig(userConfig, resolved, resolveConfigurationVariable);
    },
  };
};

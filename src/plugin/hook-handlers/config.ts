import type { ConfigHooks } from "hardhat/types/hooks";

export default async (): Promise<Partial<ConfigHooks>> => {
  // zod and the chain table load with validation only when the configuration mentions hdp.
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
      const { resolveHdpConfig } = await import("../config/resolve.js");
      return resolveHdpConfig(userConfig, resolved, resolveConfigurationVariable);
    },
  };
};

import { configVariable } from "hardhat/config";

import { KNOWN_SERVICES, type KnownServiceName } from "../../service/known-services.js";
import type { StorageProofUserConfig } from "./config.js";

/** Name of the configuration variable that holds the key of a hosted service. */
export const KEY_VARIABLE = "HDP_API_KEY";

/** Resolves the configuration of a storage proof interface, or a hosted one by its name. */
export function storageProofOf<T>(
  config: KnownServiceName | StorageProofUserConfig | undefined,
  resolveService: (config: StorageProofUserConfig) => T,
): T | undefined {
  if (config === undefined) return undefined;
  if (typeof config === "object") return resolveService(config);
  const { storageProofUrl: url } = KNOWN_SERVICES[config];
  return resolveService({ url, apiKey: configVariable(KEY_VARIABLE) });
}

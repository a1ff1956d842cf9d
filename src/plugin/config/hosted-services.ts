import { configVariable } from "hardhat/config";
import type { SensitiveString } from "hardhat/types/config";

import { KNOWN_SERVICES, type KnownServiceName } from "../../service/known-services.js";

/** Name of the configuration variable that holds the key of a hosted service. */
export const KEY_VARIABLE = "HDP_API_KEY";

/** A service as a configuration has it. */
interface ConfiguredService {
  readonly url: SensitiveString;
  readonly apiKey?: SensitiveString;
}

/** Resolves the configuration of a storage proof interface, or a hosted one by its name. */
export function resolveStorageProof<T>(
  config: KnownServiceName | ConfiguredService | undefined,
  resolveService: (config: ConfiguredService) => T,
): T | undefined {
  if (config === undefined) return undefined;
  if (typeof config === "object") return resolveService(config);
  const { storageProofUrl: url } = KNOWN_SERVICES[config];
  return resolveService({ url, apiKey: configVariable(KEY_VARIABLE) });
}

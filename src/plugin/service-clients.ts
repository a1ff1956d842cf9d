import type { ResolvedConfigurationVariable } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";

import { HdpError } from "../request/errors.js";
import { batchEdition, HttpClient, moduleTasksEdition, tasksEdition, type WireEdition } from "../service/index.js";
import type { HdpConfig, WireEditionName } from "./config/types.js";

/** The edition of a name in configuration. */
export function editionOf(name: WireEditionName): WireEdition {
  switch (name) {
    case "tasks":
      return tasksEdition;
    case "batch":
      return batchEdition;
    case "module-tasks":
      return moduleTasksEdition();
  }
}

/** An HTTP client for one configured interface. The address is read now, the key when a request needs it. */
export async function httpClient(options: {
  readonly service: string;
  /** Where in the configuration it stands, for messages. */
  readonly path: string;
  readonly url: ResolvedConfigurationVariable;
  readonly apiKey: ResolvedConfigurationVariable | undefined;
  readonly timeouts: HdpConfig["timeouts"];
}): Promise<HttpClient> {
  const { service, path, apiKey, timeouts } = options;
  return new HttpClient({
    service,
    url: await readVariable(options.url, `${path}.url`, "HDP-2002", `no address for ${service}`),
    apiKey: apiKey === undefined ? undefined : async () => await readKey(apiKey, path, service),
    timeouts: { attemptMs: timeouts.request, totalMs: 3 * timeouts.request },
  });
}

/** The key's value; it goes nowhere but into requests. */
export async function readKey(apiKey: ResolvedConfigurationVariable, path: string, service: string): Promise<string> {
  return await readVariable(apiKey, `${path}.apiKey`, "HDP-2003", `no API key for ${service}`);
}

async function readVariable(
  variable: ResolvedConfigurationVariable,
  path: string,
  code: "HDP-2002" | "HDP-2003",
  what: string,
): Promise<string> {
  try {
    return await variable.get();
  } catch (error) {
    // Hardhat's message names the variable, never a value.
    const reason = error instanceof Error ? error.message : String(error);
    const name = /variable "([A-Za-z0-9_]+)"/.exec(reason)?.[1] ?? "<NAME>";
    throw new HdpError({
      code,
      path,
      message: `${what}. ${reason}`,
      hints: [`Set it with: npx hardhat keystore set ${name}   (or the environment variable ${name})`],
      cause: error,
    });
  }
}

/** Path of a connection's section in the configuration, for messages. */
export function configPath(connection: NetworkConnection<string>, section: string): string {
  return `networks.${connection.networkName}.hdp.${section}`;
}

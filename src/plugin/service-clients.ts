import type { ResolvedConfigurationVariable } from "hardhat/types/config";

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { ModuleTasksClient } from "../service/data-processor/module-tasks-client.js";
import { HttpClient } from "../service/http/http-client.js";
import { isServiceFailure } from "../service/http/service-errors.js";
import { ProgramRegistryClient } from "../service/program-registry.js";
import { StorageProofClient } from "../service/storage-proof.js";
import type { StateServerClient } from "../service/state-server.js";
import type { HdpConfig } from "./config/config-types.js";
import type { Session } from "./session.js";

/** A service, as far as what is sent to it is recorded. */
export interface ChargingService {
  readonly endpoint: URL;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** A client of a service whose use is charged. */
export interface Charged<ClientT> {
  readonly client: ClientT;
  /** Reads the key, so that what is wrong with it is found before anything is recorded. */
  readonly charging: () => Promise<ChargingService>;
}

/** The program registry configured for a session's network. */
export async function programRegistry(session: Session): Promise<Charged<ProgramRegistryClient>> {
  const { programRegistry: config, timeouts } = session.config;
  if (config === undefined) {
    throw notConfigured(session, "programRegistry", "program registry", "submitUrl");
  }
  const path = session.configPath("programRegistry");
  const common = {
    path,
    apiKey: config.apiKey,
    timeouts,
    service: "the program registry",
    network: session.networkName,
  };
  const submitting = { ...common, url: config.submitUrl, option: "submitUrl" };
  const submit = await httpClient(submitting);
  return {
    client: new ProgramRegistryClient({
      submit,
      metadata: await httpClient({ ...common, url: config.metadataUrl, option: "metadataUrl" }),
    }),
    charging: async () => await chargingService(submit, submitting),
  };
}

/** The storage proof interface configured for a session's network. */
export async function storageProof(session: Session): Promise<Charged<StorageProofClient>> {
  const { storageProof: config, timeouts } = session.config;
  if (config === undefined) {
    throw notConfigured(session, "storageProof", "storage proof interface", "url");
  }
  const path = session.configPath("storageProof");
  const options = { ...config, path, service: "the storage proof interface", timeouts, network: session.networkName };
  const http = await httpClient(options);
  return {
    client: new StorageProofClient(http),
    charging: async () => await chargingService(http, options),
  };
}

async function chargingService(http: HttpClient, options: ClientOptions): Promise<ChargingService> {
  const { service, path, option = "url" } = options;
  await readKey(options.apiKey, path, service);
  return {
    endpoint: new URL(await readAddress(options.url, `${path}.${option}`, service)),
    redact: (text) => http.quote(text),
  };
}

/** What an error of a client proves of the call that ended with it. */
export function outcomeOfCall(error: unknown): "refused" | "unknown" {
  return isServiceFailure(error) && error.kind !== "outcome-unknown" ? "refused" : "unknown";
}

/** What the data processor of a session's network offers in edition `module-tasks`. */
export async function moduleTasks(session: Session): Promise<ModuleTasksClient> {
  const { dataProcessor: config, timeouts } = session.config;
  const path = session.configPath("dataProcessor");
  if (config === undefined || config === "local" || config.edition !== "module-tasks") {
    const has = config === undefined ? "none" : config === "local" ? '"local"' : `edition "${config.edition}"`;
    throw hdpError("HDP-2006", { network: session.networkName, found: has }, { path });
  }
  return new ModuleTasksClient(
    await httpClient({ ...config, path, service: DATA_PROCESSOR, timeouts, network: session.networkName }),
  );
}

/** The state server of `hdp.local.stateServer`, where one is configured. Its endpoints take no key. */
export async function stateServer({ local, timeouts }: HdpConfig): Promise<StateServerClient | undefined> {
  if (local.stateServer === undefined) return undefined;
  const service = "the state server";
  const { StateServerClient } = await import("../service/state-server.js");
  return new StateServerClient(
    new HttpClient({
      service,
      url: await readAddress(local.stateServer, "hdp.local.stateServer", service),
      attemptTimeout: timeouts.request,
      timeout: 3 * timeouts.request,
    }),
  );
}

export const DATA_PROCESSOR = "the data processor";

interface ClientOptions {
  readonly service: string;
  /** Where in the configuration it stands, for messages. */
  readonly path: string;
  readonly url: ResolvedConfigurationVariable;
  /** Name of the address in its section. Default `url`. */
  readonly option?: string;
  readonly apiKey: ResolvedConfigurationVariable | undefined;
  readonly timeouts: HdpConfig["timeouts"];
  readonly network: string;
}

/** An HTTP client for one configured interface. The address is read now, the key when a request needs it. */
export async function httpClient(options: ClientOptions): Promise<HttpClient> {
  const { service, path, apiKey, timeouts, network } = options;
  return new HttpClient({
    service,
    network,
    url: await readAddress(options.url, `${path}.${options.option ?? "url"}`, service),
    apiKey: async () => await readKey(apiKey, path, service),
    attemptTimeout: timeouts.request,
    timeout: 3 * timeouts.request,
  });
}

/** The text of a configured address. */
export async function readAddress(url: ResolvedConfigurationVariable, path: string, service: string): Promise<string> {
  return await url.get().catch((cause: unknown) => {
    throw hdpError("HDP-2002", { service, variable: nameOf(url) }, { path, cause });
  });
}

/** The key's value; it goes nowhere but into requests. */
export async function readKey(
  apiKey: ResolvedConfigurationVariable | undefined,
  section: string,
  service: string,
): Promise<string> {
  const path = `${section}.apiKey`;
  if (apiKey !== undefined) {
    return await apiKey.get().catch((cause: unknown) => {
      throw hdpError("HDP-2003", { service, reason: undefined, variable: nameOf(apiKey) }, { path, cause });
    });
  }
  const hints = ['Set it in hardhat.config.ts: apiKey: configVariable("HDP_API_KEY"). Nothing was sent.'];
  const values = { service, reason: ": none is configured", variable: undefined };
  throw hdpError("HDP-2003", values, { path, hints });
}

/** Hardhat's error names the variable, never a value; only the name is used. */
function nameOf(variable: ResolvedConfigurationVariable): string {
  return "name" in variable && typeof variable.name === "string" ? variable.name : "<NAME>";
}

function notConfigured(session: Session, section: string, what: string, option: string): HdpError {
  const where = ` for network "${session.networkName}"`;
  const example = `hdp: { ${section}: { ${option}: "https://…", apiKey: configVariable("HDP_API_KEY") } }`;
  return hdpError("HDP-2004", { what, where, example }, { path: session.configPath(section) });
}

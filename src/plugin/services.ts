import type { ResolvedConfigurationVariable } from "hardhat/types/config";

import { hasPackage } from "../base/files.js";
import { learnAddress } from "../errors/secrets.js";
import {
  type HdpError,
  hdpError,
  notAllowed,
  loginCommand,
  undefinedFor,
} from "../errors/hdp-error.js";
import type { Submission } from "../request/data-processor.js";
import { ModuleTasksClient } from "../service/data-processor/module-tasks-client.js";
import { HttpClient } from "../service/http/http-client.js";
import { quoted } from "../service/http/service-errors.js";
import { ModuleRegistryClient } from "../service/module-registry.js";
import { ProgramRegistryClient } from "../service/program-registry.js";
import type { StateServerClient } from "../service/state-server.js";
import { StorageProofClient } from "../service/storage-proof.js";
import type { DataProcessorConfig, HdpConfig } from "./config/config.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** A configured service: its HTTP client and its base address. */
export interface Service {
  readonly http: HttpClient;
  readonly endpoint: URL;
}

interface Charged<ClientT> {
  readonly client: ClientT;
  readonly service: Service;
}

/** Returns the client of the configured program registry. */
export async function programRegistry(
  network: ConnectedNetwork,
): Promise<Charged<ProgramRegistryClient> & { readonly metadata: Service }> {
  const { programRegistry: config } = network.config;
  if (config === undefined)
    throw notConfigured(network, "programRegistry", "program registry", "submitUrl", [
      'The module registry of today is that of a data processor: dataProcessor: "herodotus-staging", or { url, edition: "module-tasks" }.',
    ]);
  const { submitUrl, metadataUrl, apiKey } = config;
  const registry = { name: "the program registry", section: "programRegistry" as const, apiKey };
  const service = await resolveService(network, {
    ...registry,
    url: submitUrl,
    option: "submitUrl",
  });
  const metadata = await resolveService(network, {
    ...registry,
    url: metadataUrl,
    option: "metadataUrl",
  });
  const client = new ProgramRegistryClient({ submit: service.http, metadata: metadata.http });
  return { client, service, metadata };
}

/** Returns whether a network's data processor has a module registry, at its own address. */
export function hasModuleRegistry({
  config: { dataProcessor: config },
}: ConnectedNetwork): boolean {
  return typeof config === "object" && config.edition === "module-tasks";
}

/** Returns the client of the module registry of a network's data processor. @throws as {@link moduleTasksService} */
export async function moduleRegistry(network: ConnectedNetwork): Promise<ModuleRegistryClient> {
  return new ModuleRegistryClient((await moduleTasksService(network)).http);
}

/** Returns the client of the configured storage proof interface. */
export async function storageProof(
  network: ConnectedNetwork,
): Promise<Charged<StorageProofClient>> {
  const { storageProof: config } = network.config;
  if (config === undefined)
    throw notConfigured(network, "storageProof", "storage proof interface", "url");
  const service = await resolveService(network, {
    ...config,
    section: "storageProof",
    name: "the storage proof interface",
  });
  return { client: new StorageProofClient(service.http), service };
}

/** Returns the client of what only API version `module-tasks` has. @throws as {@link moduleTasksService} */
export async function moduleTasks(network: ConnectedNetwork): Promise<ModuleTasksClient> {
  return new ModuleTasksClient((await moduleTasksService(network)).http);
}

/** Returns the service of a network whose API version is `module-tasks`. @throws HdpError HDP-2006 for any other */
export async function moduleTasksService(network: ConnectedNetwork): Promise<Service> {
  const { dataProcessor: config } = network.config;
  if (config !== undefined && config !== "local" && config.edition === "module-tasks")
    return await dataProcessor(network, config);
  const configured = config === undefined ? "none" : '"local"';
  const found = typeof config === "object" ? `API version "${config.edition}"` : configured;
  throw hdpError(
    "HDP-2006",
    { network: network.networkName, found },
    { path: network.configPath("dataProcessor") },
  );
}

/** A state that a service says a task has passed. */
export interface PassedState {
  /** The service's id of the task. */
  readonly id: string;
  readonly state: string;
  /** As the service writes it: ISO 8601 in UTC. */
  readonly at: string;
}

/**
 * Returns the states that the tasks of a submission passed at their service, oldest first; an empty list where the API
 * version publishes none. A service that does not answer it is no failure: the state itself is known.
 */
export async function passedStates(
  session: ConnectedNetwork,
  { parts }: Submission,
): Promise<readonly PassedState[]> {
  const own = parts.filter(({ processor }) => processor === "module-tasks");
  if (own.length === 0) return [];
  const client = await moduleTasks(session);
  const passed = own.map(async ({ id }) => {
    const history = await client.stateTransitions(id).catch(undefinedFor());
    return (history?.state_transitions ?? []).map(({ to_status, created_at }) => {
      return { id, state: quoted(to_status), at: quoted(created_at) };
    });
  });
  return (await Promise.all(passed)).flat();
}

/** Returns the HTTP client and address of a configured data processor. */
export async function dataProcessor(
  network: ConnectedNetwork,
  { url, apiKey, loginUrl }: DataProcessorConfig,
): Promise<Service> {
  return await resolveService(network, {
    name: DATA_PROCESSOR,
    section: "dataProcessor",
    url,
    apiKey,
    hasLogin: loginUrl !== undefined,
  });
}

/** Returns a client of `hdp.local.stateServer`, where one is configured. Its endpoints take no key. */
export async function stateServer({
  local,
  timeouts,
}: HdpConfig): Promise<StateServerClient | undefined> {
  if (local.stateServer === undefined) return undefined;
  const service = "the state server";
  const { StateServerClient } = await import("../service/state-server.js");
  const settings = { url: "hdp.local.stateServer" };
  const url = await readAddress(local.stateServer, settings.url, service);
  const { request } = timeouts;
  return new StateServerClient(
    new HttpClient({ service, settings, url, attemptTimeout: request, timeout: 3 * request }),
  );
}

/** Name of the service in messages. */
export const DATA_PROCESSOR = "the data processor";

interface ServiceOptions {
  readonly name: string;
  readonly section: "dataProcessor" | "programRegistry" | "storageProof";
  readonly url: ResolvedConfigurationVariable;
  /** Name of the address in its section. Default `url`. */
  readonly option?: string;
  readonly apiKey: ResolvedConfigurationVariable | undefined;
  /** Whether a login fetches the key. */
  readonly hasLogin?: boolean;
}

/** Returns the service of a section of the configuration. Reads the address now, the key when a request needs it. */
async function resolveService(
  network: ConnectedNetwork,
  options: ServiceOptions,
): Promise<Service> {
  const { name, section, url, option = "url", apiKey, hasLogin = false } = options;
  const { networkName } = network;
  const path = network.configPath(section);
  const settings = {
    url: `${path}.${option}`,
    apiKey: `${path}.apiKey`,
    keyHolder: apiKey && keyHolder(apiKey),
    login: hasLogin ? loginCommand(networkName, "--force") : undefined,
    timeout: network.configPath("timeouts.request"),
    edition: section === "dataProcessor" ? `${path}.edition` : undefined,
  };
  const address = await readAddress(url, settings.url, name);
  await refuseNode(address, settings.url, network);
  const { request } = network.config.timeouts;
  const login = hasLogin ? loginCommand(networkName) : undefined;
  const http = new HttpClient({
    service: name,
    network: networkName,
    settings,
    url: address,
    apiKey: async () => await readKey({ name, apiKey, login }, settings.apiKey),
    attemptTimeout: request,
    timeout: 3 * request,
  });
  return { http, endpoint: new URL(address) };
}

/** Refuses one address for the network's node and a service: one of the two is wrong. @throws HdpError HDP-6003 */
async function refuseNode(address: string, path: string, network: ConnectedNetwork): Promise<void> {
  const { networkConfig } = network.connection;
  if (networkConfig.type !== "http") return;
  const [node, service] = [new URL(await networkConfig.url.getUrl()), new URL(address)];
  if (node.href !== service.href) return;
  throw notAllowed(service.origin, "the address of both a node and a service", {
    path,
    allowed: `here the service's, and in networks.${network.networkName}.url that of a node of its chain`,
  });
}

/** Reads a service's address from the configuration, and keeps its keys out of output. */
export async function readAddress(
  url: ResolvedConfigurationVariable,
  path: string,
  service: string,
): Promise<string> {
  return await url.get().then(learnAddress, (cause: unknown) => {
    throw hdpError(
      "HDP-2003",
      { what: "address", service, reason: undefined, login: undefined, ...secretNames(url) },
      { path, cause },
    );
  });
}

async function readKey(
  {
    apiKey,
    name: service,
    login,
  }: Pick<ServiceOptions, "apiKey" | "name"> & {
    readonly login: string | undefined;
  },
  path: string,
): Promise<string> {
  if (apiKey !== undefined) {
    return await apiKey.get().catch((cause: unknown) => {
      const values = { what: "API key", service, reason: undefined, login };
      throw hdpError("HDP-2003", { ...values, ...secretNames(apiKey) }, { path, cause });
    });
  }
  const hints = [
    'Set it in hardhat.config.ts: apiKey: configVariable("HDP_API_KEY"). Nothing was sent.',
  ];
  const unnamed = { variable: undefined, keystore: undefined, login: undefined };
  const values = { what: "API key", service, reason: ": none is configured", ...unnamed };
  throw hdpError("HDP-2003", values, { path, hints });
}

/** A value of the configuration, which may be a variable with a name. */
interface Readable {
  readonly get: ResolvedConfigurationVariable["get"];
}

/** Returns the name of a configuration variable; undefined for a value that stands in the configuration itself. */
export function variableName(configured: Readable): string | undefined {
  return "name" in configured && typeof configured.name === "string" ? configured.name : undefined;
}

/** Returns what holds a key, for a message: of a variable, the environment's value goes before the keystore's. */
function keyHolder(apiKey: Readable): string | undefined {
  const name = variableName(apiKey);
  if (name === undefined) return undefined;
  return process.env[name] === undefined
    ? `the configuration variable ${name}`
    : `the environment variable ${name}, which goes before a keystore`;
}

/** Returns what a secret of the configuration is called, and never its value. */
export function secretName(secret: Readable): string {
  const name = variableName(secret);
  return name === undefined ? "a value in hardhat.config.ts" : `variable ${name}`;
}

/** Returns the names of a configuration variable in the environment and, with the plugin, in the keystore. */
function secretNames(configured: ResolvedConfigurationVariable): {
  variable: string;
  keystore: string | undefined;
} {
  const variable = variableName(configured) ?? "<NAME>";
  const hasKeystore = hasPackage("@nomicfoundation/hardhat-keystore", process.cwd());
  return { variable, keystore: hasKeystore ? variable : undefined };
}

function notConfigured(
  network: ConnectedNetwork,
  section: string,
  what: string,
  option: string,
  hints: readonly string[] = [],
): HdpError {
  const where = ` for network "${network.networkName}"`;
  const example = `hdp: { ${section}: { ${option}: "https://…", apiKey: configVariable("HDP_API_KEY") } }`;
  const path = network.configPath(section);
  return hdpError("HDP-2004", { what, where, example }, { path, hints });
}

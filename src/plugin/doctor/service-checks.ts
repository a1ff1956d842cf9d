import type { ResolvedConfigurationVariable } from "hardhat/types/config";

import type { WireEditionName } from "../../service/data-processor/edition.js";
import type { ModuleTaskHealth } from "../../service/data-processor/module-tasks-client.js";
import { endpointCall, ENDPOINTS, type EndpointRow } from "../../service/endpoints.js";
import type { HttpRequestParts } from "../../service/http/http-client.js";
import type { HdpConfig } from "../config/config.js";
import { chosenProcessor, type ProcessorChoice } from "../processor-choice.js";
import {
  dataProcessor,
  moduleTasks,
  programRegistry,
  secretName,
  type Service,
  storageProof,
} from "../services.js";
import { loginCommand } from "../../errors/hdp-error.js";
import type { ConnectedNetwork } from "../connected-network.js";
import { type Check, type Found, green, red, yellow } from "./finding.js";

/** What the checks of services ask. A service that is not configured is undefined. */
export interface ServicesIo {
  readonly networkName: string;
  readonly config: HdpConfig;
  /** Returns who computes the tasks of the network. */
  readonly choice: () => Promise<ProcessorChoice | undefined>;
  readonly processor: () => Promise<Service | undefined>;
  /** Returns what a data processor of API version `module-tasks` says of itself. */
  readonly health: () => Promise<ModuleTaskHealth>;
  /** Returns the interfaces for submission and for metadata of the program registry, which may be one. */
  readonly registry: () => Promise<readonly Service[]>;
  readonly proofs: () => Promise<Service | undefined>;
}

/** The checks of each service, in order. None sends what may be charged. */
export const SERVICE_CHECKS: readonly (readonly Check<ServicesIo>[])[] = [
  [
    { name: "data processor", isNeeded: true, run: processor },
    { name: "its key", run: processorKey },
  ],
  [
    { name: "program registry", isNeeded: true, run: registry },
    { name: "registry key", run: registryKey },
  ],
  [
    { name: "storage proof", isNeeded: true, run: proofs },
    { name: "proof key", run: proofKey },
  ],
];

/** Returns what the checks ask of the services that a session's network configures. */
export function servicesIo(network: ConnectedNetwork, nodeAnswers: boolean): ServicesIo {
  const { config, networkName } = network;
  // Without its node nobody knows whether the chain is a development chain.
  const choice = async (): Promise<ProcessorChoice | undefined> =>
    nodeAnswers
      ? await chosenProcessor(config, async () => await network.isDevelopment())
      : config.dataProcessor;
  return {
    networkName,
    config,
    choice,
    processor: async () => {
      const chosen = await choice();
      if (chosen === undefined || chosen === "local") return undefined;
      return await dataProcessor(network, chosen);
    },
    health: async () => await (await moduleTasks(network)).health({ attempts: 1 }),
    registry: async () => {
      if (config.programRegistry === undefined) return [];
      const { service, metadata } = await programRegistry(network);
      return service.endpoint.href === metadata.endpoint.href ? [service] : [service, metadata];
    },
    proofs: async () =>
      config.storageProof === undefined ? undefined : (await storageProof(network)).service,
  };
}

async function processor(io: ServicesIo): Promise<Found> {
  const choice = await io.choice();
  if (choice === undefined) {
    return yellow(
      "none is configured: tasks can be explained and verified here, and not sent",
      `Where they should be sent, set networks.${io.networkName}.hdp.dataProcessor.`,
    );
  }
  if (choice === "local") return green(localText(io.config.local.edition));
  const service = await io.processor();
  if (service === undefined) return green(localText(undefined));
  const version = `API version ${choice.edition}`;
  if (choice.edition !== "module-tasks") return await reached(service, version);
  const { status, database, queues } = await io.health();
  const parts = [database && `database ${database}`, queues && `queues ${queues}`];
  const said = [status, ...parts.filter((part) => part !== undefined)].join(", ");
  const found = `${service.endpoint.host} says "${said}", ${version}`;
  return status === "healthy" ? green(found) : red(found, "Wait, or ask who runs the service.");
}

function localText(edition: WireEditionName | undefined): string {
  const stands = edition === undefined ? "" : `, standing for a service of API version ${edition}`;
  return `local, in this process${stands}`;
}

/** Checks a service without a health endpoint: any answer shows that a server is there. */
async function reached(service: Service, note: string): Promise<Found> {
  const { host } = service.endpoint;
  const status = await responseStatus(service, { method: "GET", path: [] });
  if (status < 500) return green(`${host} answers, ${note}`);
  return red(`${host} answers with HTTP status ${status}`, "Wait, or ask who runs the service.");
}

async function responseStatus({ http }: Service, parts: HttpRequestParts): Promise<number> {
  return await http.call({ ...parts, settles: () => true }, ({ status }) => status, {
    attempts: 1,
  });
}

/** An id that no task has. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** The free read of each API version that tells a refused key from an unknown id. */
const KEY_CALLS = {
  tasks: "GET /tasks/{uuid}/status",
  "module-tasks": "GET /tasks/{uuid}/status",
  batch: "GET /batch-query/{batchId}",
} as const satisfies Readonly<Record<WireEditionName, keyof typeof ENDPOINTS>>;

async function processorKey(io: ServicesIo): Promise<Found | undefined> {
  const [choice, service] = await Promise.all([io.choice(), io.processor()]);
  if (choice === undefined || choice === "local" || service === undefined) return undefined;
  const name = KEY_CALLS[choice.edition];
  const { key }: EndpointRow = ENDPOINTS[name];
  const plain = endpointCall(name, NO_ID);
  const login = choice.loginUrl && loginCommand(io.networkName);
  const section = `networks.${io.networkName}.hdp.dataProcessor`;
  const problem = await keyProblem(choice.apiKey, section, login);
  if (problem !== undefined) return problem;
  const withKey = await responseStatus(service, { ...plain, ...(key && { key }) });
  if (isRefused(withKey)) return refused(choice.apiKey, withKey, login);
  const without = await responseStatus(service, plain);
  if (isRefused(without)) return green(`accepted: ${secretText(choice.apiKey)}`);
  return yellow(
    `${secretText(choice.apiKey)}; not checked, as the service reads without a key`,
    "The first submission shows whether it is accepted: begin with one cheap task.",
  );
}

async function registry(io: ServicesIo): Promise<Found | undefined> {
  const found = await Promise.all(
    (await io.registry()).map(async (service) => await reached(service, "without health endpoint")),
  );
  return found.find(({ light }) => light !== "green") ?? found[0];
}

/** Only an upload takes a key there. */
async function registryKey({ config }: ServicesIo): Promise<Found | undefined> {
  if (config.programRegistry === undefined) return undefined;
  const { apiKey } = config.programRegistry;
  const problem = await keyProblem(apiKey, "hdp.programRegistry");
  return problem ?? green(`${secretText(apiKey)}; no free call takes it`);
}

async function proofs(io: ServicesIo): Promise<Found | undefined> {
  const service = await io.proofs();
  if (service === undefined) return undefined;
  const status = await responseStatus(service, endpointCall("GET /is-alive"));
  const { host } = service.endpoint;
  if (status < 400) return green(`${host} is alive`);
  return red(`${host} answers with HTTP status ${status}`, "Check hdp.storageProof.url.");
}

async function proofKey(io: ServicesIo): Promise<Found | undefined> {
  const service = await io.proofs();
  const apiKey = io.config.storageProof?.apiKey;
  if (service === undefined) return undefined;
  const problem = await keyProblem(apiKey, "hdp.storageProof");
  if (problem !== undefined) return problem;
  const status = await responseStatus(service, endpointCall("GET /grow-orders"));
  if (isRefused(status)) return refused(apiKey, status);
  return green(`accepted: ${secretText(apiKey)}`);
}

const isRefused = (status: number): boolean => status === 401 || status === 403;

type Secret = ResolvedConfigurationVariable | undefined;

function secretText(secret: Secret): string {
  return secret === undefined ? "none" : secretName(secret);
}

/** @param login the command that fetches a key, where the service has a login */
function refused(secret: Secret, status: number, login?: string): Found {
  const again = login && ` A new login replaces it: ${login} --force`;
  return red(
    `refused (HTTP status ${status}): ${secretText(secret)}`,
    `Correct its value.${again ?? ""}`,
  );
}

/**
 * Returns what is wrong with a key before it is sent; undefined where it has a value.
 * @param login the command that fetches a key, where the service has a login
 */
async function keyProblem(
  secret: Secret,
  section: string,
  login?: string,
): Promise<Found | undefined> {
  if (secret === undefined)
    return red("none", `Set ${section}.apiKey: configVariable("HDP_API_KEY")`);
  const isSet = await secret.get().then(
    (value) => value !== "",
    () => false,
  );
  if (isSet) return undefined;
  const byHand = "Set it in the environment, or in the keystore: npx hardhat keystore set <NAME>";
  const nextStep = login === undefined ? byHand : `Log in by wallet: ${login}`;
  return red(`not set: ${secretName(secret)}`, nextStep);
}

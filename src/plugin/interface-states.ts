import type { NetworkConnection } from "hardhat/types/network";

import { keysOf } from "../base/collections.js";
import { isHdpError, undefinedFor } from "../errors/hdp-error.js";
import { baseAddress, HttpClient } from "../service/http/http-client.js";
import { isServiceFailure } from "../service/http/service-errors.js";
import { DATA_PROCESSOR, moduleTasks, readAddress, storageProof } from "./services.js";
import { Session } from "./session.js";
import { EvmStores } from "./stores/evm-stores.js";

/** The state of one interface, as far as it could be determined. */
export interface InterfaceState {
  readonly interface: "data processor" | "program registry" | "storage proof" | "execution store";
  /** Host, or contract address; missing when it is not configured. */
  readonly address?: string | undefined;
  /** `unchecked`: something answers at the address, but has no health endpoint. */
  readonly state: "alive" | "failed" | "unchecked" | "not configured";
  readonly detail: string;
}

type Found = Omit<InterfaceState, "interface">;

const CHECKS: Readonly<Record<InterfaceState["interface"], (session: Session) => Promise<Found>>> =
  {
    "data processor": processorState,
    "program registry": registryState,
    "storage proof": proofState,
    "execution store": storeState,
  };

/** Checks whether the configured interfaces of a connection's network work. Sends no key. */
export async function checkInterfaces(
  connection: NetworkConnection<string>,
): Promise<InterfaceState[]> {
  const session = Session.of(connection);
  return await Promise.all(
    keysOf(CHECKS).map(async (name) => ({
      interface: name,
      ...(await orFailed(() => CHECKS[name](session))),
    })),
  );
}

async function processorState(session: Session): Promise<Found> {
  const config = session.config.dataProcessor;
  if (config === undefined || config === "local") {
    const isLocal =
      (await session.processor().catch(undefinedFor("HDP-2001")))?.info.kind === "local";
    return isLocal
      ? { state: "alive", detail: "local data processor, in this process" }
      : NOT_CONFIGURED;
  }
  const url = await readAddress(
    config.url,
    `${session.configPath("dataProcessor")}.url`,
    DATA_PROCESSOR,
  );
  if (config.edition !== "module-tasks") {
    return await reachable(
      session,
      url,
      DATA_PROCESSOR,
      `API version ${config.edition} has no health endpoint`,
    );
  }
  const address = baseAddress(url, DATA_PROCESSOR).host;
  return await orFailed(async () => {
    const { status, database, queues } = await (await moduleTasks(session)).health();
    const parts = [status, database && `database ${database}`, queues && `queues ${queues}`];
    const detail = parts.filter((part) => part !== undefined).join(", ");
    return { address, state: status === "healthy" ? "alive" : "failed", detail };
  }, address);
}

async function registryState(session: Session): Promise<Found> {
  const config = session.config.programRegistry;
  if (config === undefined) return NOT_CONFIGURED;
  const service = "the program registry";
  const url = await readAddress(
    config.metadataUrl,
    `${session.configPath("programRegistry")}.metadataUrl`,
    service,
  );
  return await reachable(session, url, service, "it has no health endpoint");
}

async function proofState(session: Session): Promise<Found> {
  if (session.config.storageProof === undefined) return NOT_CONFIGURED;
  const { client, service } = await storageProof(session);
  const address = service.endpoint.host;
  return await orFailed(
    async () => ({ address, state: "alive", detail: (await client.isAlive()).message }),
    address,
  );
}

async function storeState(session: Session): Promise<Found> {
  const stores = session.part(EvmStores);
  const existing = await stores.existing();
  if (existing === undefined)
    return { state: "not configured", detail: "a mock is deployed at the first submission" };
  const { address, mock } = existing;
  return await orFailed(async () => {
    const { kind } = await stores.openForReading();
    return { address, state: "alive", detail: `${kind}${mock ? ", mock" : ""}` };
  }, address);
}

/** Checks an interface without a health endpoint: any answer shows that a server is there. */
async function reachable(
  session: Session,
  url: string,
  service: string,
  detail: string,
): Promise<Found> {
  const address = baseAddress(url, service).host;
  return await orFailed(async () => {
    const { request } = session.config.timeouts;
    const http = new HttpClient({ service, url, attemptTimeout: request, retry: { attempts: 1 } });
    const call = http.call(
      { method: "GET", path: [], settles: () => true },
      ({ status }) => status,
    );
    await call.catch((error: unknown) => {
      if (!isServiceFailure(error) || error.status === undefined) throw error;
    });
    return { address, state: "unchecked", detail: `it answers; ${detail}` };
  }, address);
}

const NOT_CONFIGURED: Found = { state: "not configured", detail: "" };

/** Returns an error of this package as a failed state. Other errors are bugs and are thrown. */
async function orFailed(check: () => Promise<Found>, address?: string): Promise<Found> {
  try {
    return await check();
  } catch (error) {
    if (!isHdpError(error)) throw error;
    return { address, state: "failed", detail: `${error.code}: ${error.shortMessage}` };
  }
}

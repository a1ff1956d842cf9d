import type { NetworkConnection } from "hardhat/types/network";

import { HdpError, isHdpError } from "../errors/hdp-error.js";
import { HttpClient } from "../service/http/http-client.js";
import { isServiceFailure } from "../service/http/service-errors.js";
import { DATA_PROCESSOR, moduleTasks, readAddress, storageProof } from "./service-clients.js";
import { Session } from "./session.js";
import { EvmStores } from "./stores/evm-stores.js";

/** What could be found out about one interface. */
export interface InterfaceState {
  readonly interface: "data processor" | "program registry" | "storage proof" | "execution store";
  /** Host, or contract address; missing when it is not configured. */
  readonly address?: string | undefined;
  /** `unchecked`: something answers there, and has no endpoint to ask how it is. */
  readonly state: "alive" | "failed" | "unchecked" | "not configured";
  readonly detail: string;
}

type Found = Omit<InterfaceState, "interface">;

/** Asks every configured interface of a connection's network whether it works. Sends no key. */
export async function checkInterfaces(connection: NetworkConnection<string>): Promise<InterfaceState[]> {
  const session = Session.of(connection);
  const [processor, registry, proofs, store] = await Promise.all([
    orFailed(async () => await processorState(session)),
    orFailed(async () => await registryState(session)),
    orFailed(async () => await proofState(session)),
    orFailed(async () => await storeState(session)),
  ]);
  return [
    { interface: "data processor", ...processor },
    { interface: "program registry", ...registry },
    { interface: "storage proof", ...proofs },
    { interface: "execution store", ...store },
  ];
}

async function processorState(session: Session): Promise<Found> {
  const config = session.config.dataProcessor;
  if (config === undefined || config === "local") {
    const isLocal = (await session.connection.hdp.processor().catch(undefinedIfNone))?.kind === "local";
    return isLocal ? { state: "alive", detail: "local data processor, in this process" } : NOT_CONFIGURED;
  }
  const url = await readAddress(config.url, `${session.configPath("dataProcessor")}.url`, DATA_PROCESSOR);
  const address = hostOf(url);
  if (config.edition !== "module-tasks") {
    return await orReached(
      { session, url, service: DATA_PROCESSOR },
      `edition ${config.edition} has no endpoint to ask how it is`,
    );
  }
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
  const path = session.configPath("programRegistry");
  const service = "the program registry";
  const url = await readAddress(config.metadataUrl, `${path}.metadataUrl`, service);
  return await orReached({ session, url, service }, "it has no endpoint to ask how it is");
}

async function proofState(session: Session): Promise<Found> {
  const config = session.config.storageProof;
  if (config === undefined) return NOT_CONFIGURED;
  const path = session.configPath("storageProof");
  const address = hostOf(await readAddress(config.url, `${path}.url`, "the storage proof interface"));
  return await orFailed(async () => {
    const { client } = await storageProof(session);
    const { message } = await client.isAlive();
    return { address, state: "alive", detail: message };
  }, address);
}

async function storeState(session: Session): Promise<Found> {
  const stores = session.part(EvmStores);
  const existing = await stores.existing();
  if (existing === undefined) return { state: "not configured", detail: "a mock is deployed at the first submission" };
  const { address } = existing;
  return await orFailed(async () => {
    const { kind } = await stores.openForReading();
    return { address, state: "alive", detail: `${kind}${existing.mock ? ", mock" : ""}` };
  }, address);
}

/** Whether anything answers at the address of an interface without an endpoint to ask: whatever it says is an answer. */
async function orReached(
  { session, url, service }: { session: Session; url: string; service: string },
  detail: string,
): Promise<Found> {
  const address = hostOf(url);
  return await orFailed(async () => {
    const { request } = session.config.timeouts;
    const http = new HttpClient({ service, url, timeouts: { attemptMs: request }, retry: { attempts: 1 } });
    await http
      .call({ method: "GET", path: [], settles: () => true }, ({ status }) => status)
      .catch((error: unknown) => {
        if (!isServiceFailure(error) || error.status === undefined) throw error;
      });
    return { address, state: "unchecked", detail: `it answers; ${detail}` };
  }, address);
}

const NOT_CONFIGURED: Found = { state: "not configured", detail: "" };

/** Failures of this package are an answer to "does it work"; others are bugs. */
async function orFailed(check: () => Promise<Found>, address?: string): Promise<Found> {
  try {
    return await check();
  } catch (error) {
    if (!isHdpError(error)) throw error;
    return { address, state: "failed", detail: `${error.code}: ${error.shortMessage}` };
  }
}

function undefinedIfNone(error: unknown): undefined {
  if (isHdpError(error, "HDP-2001")) return undefined;
  throw error;
}

function hostOf(url: string): string {
  if (URL.canParse(url)) return new URL(url).host;
  throw new HdpError({
    code: "HDP-2007",
    message: "a configured address is not an address.",
    hints: ["Allowed is http:// or https:// with host, port and path."],
  });
}

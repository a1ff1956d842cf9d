import type { NetworkConnection } from "hardhat/types/network";

import { hdpError } from "../errors/hdp-error.js";
import type { ConnectedProcessor, ProcessorInfo } from "../submission/submissions.js";
import { Session } from "./session.js";

/** Who computes tasks on a connection. Reads configuration, sends nothing. */
export async function processorOf(connection: NetworkConnection<string>): Promise<ProcessorInfo> {
  return (await Session.of(connection).part(SelectedProcessor).get()).info;
}

/** Selects the data processor of a session at its first use. */
export class SelectedProcessor {
  readonly #session: Session;
  #selected: Promise<ConnectedProcessor> | undefined;

  public constructor(session: Session) {
    this.#session = session;
  }

  /** @throws HdpError HDP-2001 where none is configured, HDP-6060 where faults were injected into a service */
  public async get(): Promise<ConnectedProcessor> {
    // A node that did not answer may do so the next time.
    this.#selected ??= selectProcessor(this.#session).catch((error: unknown) => {
      this.#selected = undefined;
      throw error;
    });
    const processor = await this.#selected;
    const { kind, description } = processor.info;
    if (kind === "remote" && this.#session.faults.waiting.length > 0) throw hdpError("HDP-6060", { description });
    return processor;
  }
}

/**
 * Local on in-process networks unless the network itself has a service; elsewhere the configured service, and without
 * one local on development chains.
 */
async function selectProcessor(session: Session): Promise<ConnectedProcessor> {
  const { dataProcessor, dataProcessorIsOwn } = session.config;
  const service = dataProcessor === "local" ? undefined : dataProcessor;
  if (service !== undefined && (dataProcessorIsOwn || !(await session.isDevelopment()))) {
    const { remoteProcessor } = await import("./remote-processor.js");
    return await remoteProcessor(session, service);
  }
  if (dataProcessor === "local" || (await session.isDevelopment())) {
    const { localProcessor } = await import("./local-processor.js");
    return localProcessor(session);
  }
  throw hdpError("HDP-2001", { network: session.networkName }, { path: session.configPath("dataProcessor") });
}

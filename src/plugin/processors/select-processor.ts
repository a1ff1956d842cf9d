import { HdpError, hdpError } from "../../errors/hdp-error.js";
import type { Session } from "../session.js";
import type { ConnectedProcessor, ProcessorInfo } from "./connected-processor.js";

/** The data processor of a session, selected at its first use. */
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
    if (processor.info.kind === "remote" && this.#session.faults.waiting.length > 0) {
      throw faultsOfAService(processor.info);
    }
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
    const { RemoteConnectedProcessor } = await import("./remote-processor.js");
    return await RemoteConnectedProcessor.open(session, service);
  }
  if (dataProcessor === "local" || (await session.isDevelopment())) {
    const { LocalConnectedProcessor } = await import("./local-processor.js");
    return new LocalConnectedProcessor(session);
  }
  throw hdpError("HDP-2001", { network: session.networkName }, { path: session.configPath("dataProcessor") });
}

function faultsOfAService({ description }: ProcessorInfo): HdpError {
  return new HdpError({
    code: "HDP-6060",
    message: `faults were injected, but tasks go to the ${description}.`,
    hints: [
      'Faults happen in the local data processor: use a network without a service, or dataProcessor: "local".',
      "To see a client under HTTP faults, start the local front with them. Take these back with hdp.faults.clear().",
    ],
  });
}

import type { TaskForm } from "../request/task-form.js";
import { EDITION_FACTS, type WireEditionName } from "../service/data-processor/edition.js";
import type { DataProcessorConfig, HdpConfig } from "./config/config.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** Who computes the tasks of a connection: a service, or the local data processor. */
export type ProcessorChoice = DataProcessorConfig | "local";

/**
 * Returns who computes the tasks of a connection: development chains compute locally unless the network itself
 * configures a service; others use the service. Undefined where none is configured.
 */
export async function chosenProcessor(
  { dataProcessor, dataProcessorIsOwn }: HdpConfig,
  isDevelopment: () => Promise<boolean>,
): Promise<ProcessorChoice | undefined> {
  const service = dataProcessor === "local" ? undefined : dataProcessor;
  if (service !== undefined && (dataProcessorIsOwn || !(await isDevelopment()))) return service;
  return dataProcessor === "local" || (await isDevelopment()) ? "local" : undefined;
}

/** Returns the API version of who computes: the service's, or that of the service that the local one stands for. */
export function editionOfChoice(
  choice: ProcessorChoice,
  { local }: HdpConfig,
): WireEditionName | undefined {
  return choice === "local" ? local.edition : choice.edition;
}

/** Returns the form in which datalake tasks are sent and stored by who computes them. */
export function formOfChoice(choice: ProcessorChoice, config: HdpConfig): TaskForm {
  const edition = editionOfChoice(choice, config);
  return edition === undefined ? "datalake" : EDITION_FACTS[edition].form;
}

/**
 * Returns the form of datalake tasks on a connection, by its configuration alone. Where no data processor is configured,
 * it is that of the local one, which explains and verifies.
 */
export async function connectionForm(network: ConnectedNetwork): Promise<TaskForm> {
  const { config } = network;
  const isDevelopment = async (): Promise<boolean> => await network.isDevelopment();
  return formOfChoice((await chosenProcessor(config, isDevelopment)) ?? "local", config);
}

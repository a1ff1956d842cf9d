import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import type { FaultQueue } from "../processor/faults/fault-queue.js";
import type { ChainIdentifier } from "../request/chains.js";
import { HdpError } from "../base/errors.js";
import type { AwaitOptions, DataProcessor, Submission, TaskResult, TaskStatus } from "../request/lifecycle.js";
import { isDevelopment, isSimulated } from "./development.js";
import type { ProcessorInfo } from "./types.js";

/** A data processor, and what a connection knows of its submissions. */
export interface ConnectedProcessor extends DataProcessor {
  readonly info: ProcessorInfo;
  /** The submission behind an id or a task hash. */
  find(submission: Submission | string): Promise<Submission>;
  /** Resolves with the finalized state; rejects when the submission fails or the time is over. */
  wait(submission: Submission, options: AwaitOptions & { timeout: number }): Promise<TaskStatus>;
  /** Destination of a task submitted here, if it is known. */
  destinationOf(taskHash: string): ChainIdentifier | undefined;
  /** Adds what is known of how a result came to be. */
  annotate(result: TaskResult): Promise<TaskResult>;
}

/**
 * Local on in-process networks unless the network itself has a service; elsewhere the configured service, and without
 * one local on development chains.
 */
export async function selectProcessor(
  context: HookContext,
  connection: NetworkConnection<string>,
  faults: FaultQueue,
): Promise<ConnectedProcessor> {
  const { dataProcessor, dataProcessorIsOwn } = connection.networkConfig.hdp;
  const service = dataProcessor === "local" ? undefined : dataProcessor;
  const usesService =
    service !== undefined && (dataProcessorIsOwn || !(isSimulated(connection) || (await isDevelopment(connection))));
  if (usesService) {
    const { RemoteConnectedProcessor } = await import("./remote-processor.js");
    return await RemoteConnectedProcessor.open(context, connection, service);
  }
  if (dataProcessor === "local" || (await isDevelopment(connection))) {
    const { LocalConnectedProcessor } = await import("./local-processor.js");
    return new LocalConnectedProcessor(context, connection, faults);
  }
  throw new HdpError({
    code: "HDP-2001",
    path: `networks.${connection.networkName}.hdp.dataProcessor`,
    message: `no data processor is configured for network "${connection.networkName}".`,
    hints: [
      'Set it in hardhat.config.ts: { url: "https://…", apiKey: configVariable("HDP_API_KEY") },',
      'or "local" to compute in this process and finalize with an account of the network.',
    ],
  });
}

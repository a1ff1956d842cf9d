import { createHash } from "node:crypto";

import { isRecord } from "../base/collections.js";
import { jsonText } from "../base/json.js";
import type { CallOptions, TaskStatus } from "../request/data-processor.js";
import type { ServiceCallOptions } from "../service/http/http-client.js";
import { isServiceFailure, quoted } from "../service/http/service-errors.js";
import { serviceAddress, storedText, type SubmissionRecord } from "../submission/model.js";
import { Pipeline } from "../submission/pipeline.js";
import type { Called, ChargedBody } from "../submission/work.js";
import { nodeSystem } from "../submission/system.js";
import { projectSubmissions } from "./project-database.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Submissions } from "../submission/submissions.js";
import { warn } from "./warn.js";
import { dataProcessor, moduleTasks, type Service } from "./services.js";

/** Options for sending a request that may be charged. */
export interface SendOptions extends CallOptions {
  /** Send the request even if it was sent before, or may have been. */
  readonly force?: boolean | undefined;
  /** Name of the request in lists and messages: a file's name. */
  readonly label?: string | undefined;
  /** Called with the earlier submission when nothing is sent. */
  readonly onEarlier?: ((earlier: SubmissionRecord) => void) | undefined;
}

interface ChargedCall<T> extends ChargedBody<T> {
  readonly options: ServiceCallOptions & SendOptions;
  readonly send: (options: ServiceCallOptions) => Promise<T>;
}

/** Returns a digest that is equal for equal JSON bodies, regardless of the order of their members. */
export function contentDigest(body: unknown): string {
  const sent: unknown = JSON.parse(jsonText({ body }));
  return `sha256:${createHash("sha256")
    .update(jsonText(sorted(sent)))
    .digest("hex")}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the pipeline for calls other than tasks, over the project's submission store. */
export function callPipeline(network: ConnectedNetwork): Pipeline {
  const store = projectSubmissions(network.config.dataDir);
  return new Pipeline({ store, system: nodeSystem, outcomeOf: outcomeOfCall });
}

/** Sends a body once. One that was accepted before is returned as `earlier`. @throws HdpError as `Pipeline.submit` */
export async function sendOnce<T>(
  network: ConnectedNetwork,
  { http, endpoint }: Service,
  { options: { force, label, onEarlier, ...options }, send, ...call }: ChargedCall<T>,
): Promise<Called<T>> {
  await http.requireKey();
  const called = await callPipeline(network).call({
    ...call,
    force,
    signal: options.signal,
    target: { network: network.networkName, processor: call.kind, ...serviceAddress(endpoint) },
    label: label === undefined ? undefined : storedText(label).slice(0, 300),
    send: async (once) => await send({ ...once, ...options }),
  });
  if (called.earlier !== undefined) onEarlier?.(called.earlier);
  return called;
}

/** Records the state of a request; ignores one that this project did not send. */
export function observeCall(
  network: ConnectedNetwork,
  { endpoint }: Service,
  id: string,
  { name, phase }: TaskStatus,
): void {
  const record = sentTo(network, endpoint, id).findLast(({ kind }) => kind !== "tasks");
  if (record === undefined) return;
  try {
    projectSubmissions(network.config.dataDir).observe(record.id, {
      name: storedText(quoted(name)),
      phase,
    });
  } catch (error) {
    warn(error);
  }
}

/** Returns what this project sent to a service that has this id there, oldest first. */
function sentTo(
  { config }: ConnectedNetwork,
  endpoint: URL,
  id: string,
): readonly SubmissionRecord[] {
  const here = serviceAddress(endpoint).endpoint;
  const records = projectSubmissions(config.dataDir).withServiceId(id);
  return records.filter((one) => one.endpoint === here);
}

/** Returns whether an error proves that the service refused the call, or leaves its outcome unknown. */
export function outcomeOfCall(error: unknown): "refused" | "unknown" {
  return isServiceFailure(error) && error.kind !== "outcome-unknown" ? "refused" : "unknown";
}

/**
 * Starts a failed task at the service again, once. The record of one that this project sent follows it.
 * @throws HdpError HDP-5021 where it has not failed, or its task is open in another submission; HDP-2006
 */
export async function retryTask(
  network: ConnectedNetwork,
  submissionsOf: () => Promise<Submissions>,
  id: string,
  options?: ServiceCallOptions,
): Promise<Readonly<{ uuid: string; raw: unknown }>> {
  const client = await moduleTasks(network);
  const { dataProcessor: config } = network.config;
  if (typeof config !== "object") return await client.retry(id, options);
  const { endpoint } = await dataProcessor(network, config);
  const record = sentTo(network, endpoint, id).findLast(({ kind }) => kind === "tasks");
  if (record === undefined) return await client.retry(id, options);
  // The service may have failed since the record was last compared with it.
  const submissions = await submissionsOf();
  if (record.state === "accepted") await submissions.status(submissions.find(id), options);
  return await callPipeline(network).retry(
    record,
    async (once) => await client.retry(id, { ...options, ...once }),
  );
}

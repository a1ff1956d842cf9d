import type { Hex } from "viem";
import { ZodError } from "zod";

import { serviceFailure, type ServiceFailure, isServiceFailure } from "../http/service-errors.js";
import type { WireEdition, WireEditionName } from "./edition.js";
import { batchAcceptedSchema, tasksAcceptedSchema } from "./editions.js";

/** A refusal by which a service shows that it speaks another API version than the configured one. */
interface Sign {
  readonly configured: WireEditionName;
  readonly statuses: readonly number[];
  /** What the service says: names of members or headers of its own version. */
  readonly says?: RegExp;
  readonly shows: readonly WireEditionName[];
}

const PUBLISHED_MEMBERS = /destination_chain_id|compiled_class|task_inputs|missing field `input`/;

/** Bodies of the published 400 are not known: these are the members that a parser of the other body misses. */
const SIGNS: readonly Sign[] = [
  {
    configured: "tasks",
    statuses: [400, 422],
    says: PUBLISHED_MEMBERS,
    shows: ["module-tasks"],
  },
  {
    configured: "module-tasks",
    statuses: [400, 422],
    says: /destinationChainId|missing field `tasks`/,
    shows: ["tasks"],
  },
  // The current versions have no such path, and want the key in a header.
  { configured: "batch", statuses: [404, 405], shows: ["module-tasks", "tasks"] },
  {
    configured: "batch",
    statuses: [401, 403],
    says: /X-API-KEY/i,
    shows: ["module-tasks", "tasks"],
  },
];

/** Returns the error of a submission: HDP-2029 where the refusal shows another API version, with the line to change. */
export function asOtherVersion(error: unknown, { name }: WireEdition): unknown {
  if (!isServiceFailure(error)) return error;
  const { status, serviceWords: words = "", endpoint } = error;
  const sign = SIGNS.find(
    ({ configured, statuses, says }) =>
      configured === name && statuses.includes(status ?? 0) && (says?.test(words) ?? true),
  );
  if (sign === undefined) return error;
  return otherVersion(error, { name, endpoint, shows: sign.shows });
}

interface Shown {
  readonly name: string;
  readonly endpoint: string | undefined;
  readonly shows: readonly WireEditionName[];
}

function otherVersion(
  cause: ServiceFailure,
  { name, endpoint = "it", shows }: Shown,
): ServiceFailure {
  const { status, serviceWords } = cause;
  const values = {
    endpoint,
    status: status ?? "no status",
    configured: name,
    found: shows.map((one) => `"${one}"`).join(" or "),
    line: shows.map((one) => `edition: "${one}"`).join(", or "),
  };
  const path = "hdp.dataProcessor.edition";
  return serviceFailure("HDP-2029", values, { path, status, endpoint, serviceWords, cause });
}

/** What a service answered to a submission, in whatever API version. */
export interface AcceptedAs {
  readonly id: string;
  readonly taskHashes?: readonly Hex[] | undefined;
  /** The API version of the reply. */
  readonly processor: string;
}

/**
 * Parses the reply to a submission: by the configured API version, else by another, so that a request that a service of
 * another version took is known as accepted. @throws ZodError of the configured version where none fits
 */
export function acceptedAs(edition: WireEdition, raw: unknown): AcceptedAs {
  try {
    return { ...edition.parseSubmit(raw), processor: edition.name };
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const batch = batchAcceptedSchema.safeParse(raw).data;
    if (batch !== undefined)
      return { id: batch.batchId, taskHashes: batch.taskHashes, processor: "batch" };
    const task = tasksAcceptedSchema.safeParse(raw).data;
    if (task !== undefined)
      return { id: task.uuid, taskHashes: task.taskHashes, processor: "tasks" };
    throw error;
  }
}

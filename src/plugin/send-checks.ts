import { type HdpError, thrownBy } from "../errors/hdp-error.js";
import type { TaskRequest } from "../request/task.js";
import { refuseConflicts } from "../request/task-hash.js";
import type { WireEditionName } from "../service/data-processor/edition.js";
import type { ResolvedDestination, SendCheck } from "./connected-processor.js";
import { knownPrograms } from "./known-programs.js";
import type { ChainSources } from "./chain-sources.js";
import type { ConfiguredProject } from "./session.js";

/** Returns a check of a function that throws for what it refuses. */
export function catchRefusal(
  require: (...given: Parameters<SendCheck>) => Promise<unknown>,
): SendCheck {
  return async (request, destination) => {
    const error = await thrownBy(async () => await require(request, destination));
    return error === undefined ? [] : [error];
  };
}

/** Refuses two tasks of one hash that differ. */
export const conflictCheck = catchRefusal(async ({ tasks }) => {
  refuseConflicts(tasks);
  await Promise.resolve();
});

/** Returns the check of what a service of an API version refuses, or the local data processor that stands for it. */
export function serviceCheck(
  edition: WireEditionName | undefined,
  project: ConfiguredProject,
): SendCheck {
  return async (request) => await findRefusals(request, edition, project);
}

/** Returns the check of accounts that do not exist, for a local data processor that stands for a service of today. */
export function accountCheck(sources: ChainSources): SendCheck {
  return async ({ tasks }) => {
    const { checkAccounts } = await import("./rehearsal.js");
    return (await checkAccounts(tasks, sources.readersFor())).refusals;
  };
}

/** Returns what a service of an API version refuses of a request. Needs no connection. */
export async function findRefusals(
  request: TaskRequest,
  edition: WireEditionName | undefined,
  { project, config }: ConfiguredProject,
): Promise<readonly HdpError[]> {
  if (edition === undefined) return [];
  const { serviceRefusals } = await import("./service-refusals.js");
  const programs = knownPrograms(project.config);
  return await serviceRefusals(request, edition, {
    classOf: async (programHash) => (await programs.search(programHash, config))?.compiledClassJson,
  });
}

/** Why a request would not be sent. */
export interface Refusal {
  readonly code: HdpError["code"];
  readonly path: HdpError["path"];
  readonly hints: HdpError["hints"];
  /** The sentence of the error. */
  readonly message: string;
}

/** Returns an error as a refusal. */
export function refusal({ code, path, hints, shortMessage: message }: HdpError): Refusal {
  return { code, path, message, hints };
}

/** Returns every reason for which a request would not be sent. Sends nothing to the data processor. */
export async function allRefusals(
  checks: readonly SendCheck[],
  request: TaskRequest,
  destination: ResolvedDestination,
): Promise<readonly HdpError[]> {
  const found: HdpError[] = [];
  for (const check of checks) found.push(...(await check(request, destination)));
  return found;
}

/** Throws for the first reason for which a request is not sent, before anything is sent. */
export async function requireSendable(
  checks: readonly SendCheck[],
  request: TaskRequest,
  destination: ResolvedDestination,
): Promise<void> {
  for (const check of checks) {
    const [first] = await check(request, destination);
    if (first !== undefined) throw first;
  }
}

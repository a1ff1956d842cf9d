import type { Hex } from "viem";

import { feltsText, isFelt } from "../base/felt.js";
import type { TaskVerification } from "../compute/verify-task.js";
import { type HdpError, hdpError, suggested } from "../errors/hdp-error.js";
import { claimedOutput } from "../program/abi/claimed-output.js";
import { areMarked, unorderedRoot, valueOfFelts } from "../request/output-root.js";
import { standardProgram } from "../request/standard-programs.js";
import type { ModuleTask } from "../request/task.js";
import type { CairoValue, OutputPreimage, TaskResult } from "../request/task-result.js";
import { isServiceFailure } from "../service/http/service-errors.js";
import type { SubmissionRecord } from "../submission/model.js";
import { knownPrograms } from "./known-programs.js";
import { ownRun } from "./own-run.js";
import { projectSubmissions } from "./project-database.js";
import { submittedTask } from "./result-value.js";
import { moduleTasks } from "./services.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Session } from "./session.js";

/** Milliseconds after which a result is read without its preimage. */
const PREIMAGE_TIMEOUT = 5_000;
/** Felts of an output that an error names. */
const MAX_SHOWN = 32;

/**
 * Returns a module's result with the felts that its stored value is the root of, where the service publishes them. They
 * are believed only as far as the root fixes them; where it leaves another order, a run of the module settles it, if the
 * chains that it reads have sources.
 * @throws HdpError HDP-4414 if the run returns other felts
 */
export async function withPreimage(
  result: TaskResult,
  record: SubmissionRecord,
  session: Session,
): Promise<TaskResult> {
  const task = submittedTask(record, result.taskHash);
  if (task?.type !== "Module" || record.serviceId === undefined) return result;
  const felts = await publishedFelts(record.serviceId, session);
  if (felts === undefined) return result;
  return { ...result, preimage: await believed(felts, task, result, session) };
}

/** Returns a module's verification with the felts that the service publishes of it, where it publishes them. */
export async function withPublished(
  verification: TaskVerification,
  session: Session,
): Promise<TaskVerification> {
  const { output, taskHash } = verification;
  const { dataProcessor } = session.config;
  const isPublished = typeof dataProcessor === "object" && dataProcessor.edition === "module-tasks";
  if (output === undefined || !isPublished) return verification;
  // On a development chain a configured service is not used.
  if ((await session.processor()).info.kind !== "remote") return verification;
  const records = projectSubmissions(session.config.dataDir).withHashes([taskHash]);
  const accepted = records.flatMap(({ processor, serviceId }) =>
    processor === "module-tasks" && serviceId !== undefined ? [serviceId] : [],
  );
  const id = accepted.at(-1);
  const felts = id === undefined ? undefined : await publishedFelts(id, session);
  if (felts === undefined) return verification;
  return { ...verification, published: { felts, agrees: isSame(felts, output) } };
}

async function publishedFelts(
  id: string,
  network: ConnectedNetwork,
): Promise<readonly bigint[] | undefined> {
  try {
    const client = await moduleTasks(network);
    const options = { attempts: 1, signal: AbortSignal.timeout(PREIMAGE_TIMEOUT) };
    const { outputPreimage: texts } = await client.outputPreimage(id, options);
    return texts?.every((text) => /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(text)) === true
      ? texts.map(BigInt)
      : undefined;
  } catch (error) {
    if (isServiceFailure(error)) return undefined;
    throw error;
  }
}

async function believed(
  felts: readonly bigint[],
  task: ModuleTask,
  { word, taskHash }: TaskResult,
  session: Session,
): Promise<OutputPreimage> {
  if (!hasRoot(felts, word)) return { felts, matches: false };
  const { config, project, networkName } = session;
  const program = await knownPrograms(project.config).search(task.programHash, config);
  const { order, decoded } = claimedOutput(felts, program?.abi);
  if (order === "proven") {
    const isValue = standardProgram(task.programHash) !== undefined && areMarked(felts);
    const value = isValue ? valueOfFelts(felts) : decoded;
    return withDecoded({ felts, matches: true, order }, value);
  }
  const run = program === undefined ? undefined : await ownRun(task, session);
  if (run?.output === undefined) return { felts, matches: true, order };
  const again = suggested("hdp verify", [taskHash], { network: networkName });
  if (!isSame(run.output, felts)) throw otherOutput(felts, run.output, { word, again });
  // A node that is not checked may know what the service wants to hear.
  if (!run.proven) return { felts, matches: true, order };
  return withDecoded({ felts, matches: true, order: "proven" }, run.module?.decoded);
}

function otherOutput(
  published: readonly bigint[],
  computed: readonly bigint[],
  { word, again }: { readonly word: Hex; readonly again: string },
): HdpError {
  const isSameRoot = hasRoot(computed, word);
  return hdpError("HDP-4414", {
    published: shown(published),
    computed: shown(computed),
    sameRoot: isSameRoot ? word : undefined,
    otherRoot: isSameRoot ? undefined : unorderedRoot(computed),
    storedRoot: isSameRoot ? undefined : word,
    again,
  });
}

function withDecoded(preimage: OutputPreimage, decoded: CairoValue | undefined): OutputPreimage {
  return decoded === undefined ? preimage : { ...preimage, decoded };
}

function shown(felts: readonly bigint[]): string {
  const more = felts.length > MAX_SHOWN ? ` and ${felts.length - MAX_SHOWN} more` : "";
  return `${feltsText(felts.slice(0, MAX_SHOWN))}${more}`;
}

function hasRoot(felts: readonly bigint[], word: Hex): boolean {
  return felts.every(isFelt) && unorderedRoot(felts) === word.toLowerCase();
}

function isSame(felts: readonly bigint[], others: readonly bigint[]): boolean {
  return felts.length === others.length && felts.every((felt, index) => felt === others[index]);
}

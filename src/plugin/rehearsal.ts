import type { RunReaders } from "../chain/readers.js";
import { computedResult, computeRequest } from "../compute/compute-request.js";
import { hasAccount, requireProvableAccounts } from "../compute/provable-accounts.js";
import { type HdpError, isHdpError } from "../errors/hdp-error.js";
import { type ChainIdentifier, identifyChain } from "../request/chains.js";
import type { CallOptions, Rehearsal } from "../request/data-processor.js";
import type { SourceBlocks } from "../request/provability.js";
import { valueOfFelts } from "../request/output-root.js";
import { findDatalake } from "../request/task-form.js";
import { taskHash } from "../request/task-hash.js";
import type { Task } from "../request/task.js";
import type { ComputedResult } from "../request/task-result.js";
import { withHint } from "../service/http/service-errors.js";
import { ChainSources } from "./chain-sources.js";
import { sessionModuleRunner } from "./module-environment.js";
import { joined, provabilityReport, sourceBlocks, unconnected } from "./provable.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { ConfiguredProject, Session } from "./session.js";

/** What a project lacks to run a task: the node of a chain, the class of a program. */
const LACKS = ["HDP-2004", "HDP-4411"] as const;

/** Returns the hint of an error that ended a rehearsal. */
function failedHint(task: Task): string {
  return `The rehearsal of task ${taskHash(task)} failed, so nothing was sent. Without one: --no-rehearsal, rehearsal: false`;
}

/**
 * Runs tasks over the chains that the project reads, before a service is asked to. Where the configuration has a
 * development chain stand for a chain, the anchor of the result says so.
 * @throws HdpError of the first task that fails: a panic, a value that cannot be read or proven, a refusal
 */
export async function rehearseTasks(
  tasks: readonly Task[],
  session: Session,
  { signal, destination }: CallOptions & { readonly destination: ChainIdentifier },
): Promise<readonly Rehearsal[]> {
  const stopping = new AbortController();
  const running = AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])]);
  const run = {
    project: session,
    readers: session.part(ChainSources).sourcedReadersFor(running),
    signal: running,
  };
  try {
    const rehearsals = await Promise.all(
      tasks.map(async (task, place) => await rehearsed(task, place, run)),
    );
    return await withProvability(rehearsals, tasks, {
      network: session,
      destination,
      signal: running,
    });
  } catch (error) {
    stopping.abort(error);
    throw error;
  }
}

/**
 * Returns rehearsals with what the indexer says of the blocks that their tasks read.
 * @throws HdpError HDP-2045 where nothing brings the blocks of a chain to the destination
 */
async function withProvability(
  rehearsals: readonly Rehearsal[],
  tasks: readonly Task[],
  {
    network,
    destination,
    signal,
  }: CallOptions & Readonly<{ network: ConnectedNetwork; destination: ChainIdentifier }>,
): Promise<readonly Rehearsal[]> {
  const blocks = rehearsals.map(({ result }, at) => blocksRead(tasks[at], result));
  const report = await provabilityReport(network, destination, joined(blocks.flat()), { signal });
  const [first] = unconnected(report, destination);
  if (first !== undefined) throw first;
  return rehearsals.map((rehearsal, at) => {
    const chains = new Set(blocks[at]?.map(({ source }) => source));
    const { sources } = report;
    if (sources === undefined) return at === 0 ? { ...rehearsal, provability: report } : rehearsal;
    const own = sources.filter(({ source }) => chains.has(source));
    return { ...rehearsal, provability: { sources: own } };
  });
}

/** Returns the blocks that a task reads: of a datalake by its range, of a module by its run. */
function blocksRead(
  task: Task | undefined,
  result: ComputedResult | undefined,
): readonly SourceBlocks[] {
  const named = sourceBlocks(task === undefined ? [] : [task]);
  if (named.length > 0) return named;
  return (result?.module?.blocks ?? []).flatMap(({ chainId, first, last }) => {
    const source = identifyChain(chainId);
    return source === undefined ? [] : [{ source, first, last }];
  });
}

/** What the tasks of a rehearsal share. */
interface Run {
  readonly project: ConfiguredProject;
  readonly readers: RunReaders;
  readonly signal: AbortSignal;
}

async function rehearsed(task: Task, place: number, run: Run): Promise<Rehearsal> {
  try {
    return { taskHash: taskHash(task), result: await computeResult(task, place, run) };
  } catch (error) {
    const lack = rehearsalLack(error, task);
    if (lack !== undefined) return lack;
    throw isHdpError(error) ? withHint(error, failedHint(task)) : error;
  }
}

/** Returns why a task cannot be run here; undefined for an error that says something of the task. */
function rehearsalLack(error: unknown, task: Task): Rehearsal | undefined {
  if (!isHdpError(error) || !LACKS.some((code) => code === error.code)) return undefined;
  const { shortMessage: reason, hints } = error;
  return { taskHash: taskHash(task), reason, advice: hints[0] };
}

/** What the chains say of tasks in the module form: accounts that do not exist, or that no source of their chain is known. */
export interface AccountCheck {
  readonly refusals: readonly HdpError[];
  readonly unread: readonly Rehearsal[];
}

/**
 * Looks for the accounts of tasks in the module form at each block that they sample, as a rehearsal does, or the local data
 * processor that stands for such a service.
 */
export async function checkAccounts(
  tasks: readonly Task[],
  { readerFor }: Pick<RunReaders, "readerFor">,
): Promise<AccountCheck> {
  const refusals: HdpError[] = [];
  const unread: Rehearsal[] = [];
  for (const [at, task] of tasks.entries()) {
    const datalake = findDatalake(task);
    if (task.type !== "Module" || datalake === undefined || !hasAccount(datalake)) continue;
    try {
      const reader = await readerFor(datalake.datalake.chainId);
      await requireProvableAccounts(reader, datalake, { place: `tasks[${at}].` });
    } catch (error) {
      const lack = rehearsalLack(error, task);
      if (lack !== undefined) unread.push(lack);
      else if (isHdpError(error)) refusals.push(error);
      else throw error;
    }
  }
  return { refusals, unread };
}

async function computeResult(
  task: Task,
  firstPlace: number,
  { project, readers, signal }: Run,
): Promise<ComputedResult> {
  const [computed] = await computeRequest([task], {
    readersFor: () => readers,
    runModule: sessionModuleRunner(project),
    requireProvable: true,
    firstPlace,
    signal,
    onProgress: () => undefined,
  });
  if (computed === undefined) throw new TypeError("a task was computed without a result");
  const result = computedResult(taskHash(task), computed);
  const { output } = computed;
  const isInModuleForm = task.type === "Module" && findDatalake(task) !== undefined;
  return isInModuleForm && output !== undefined
    ? { ...result, value: valueOfFelts(output) }
    : result;
}

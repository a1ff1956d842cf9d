import type { Hex } from "viem";

import { type HdpError, isHdpError, thrownBy, undefinedFor } from "../../errors/hdp-error.js";
import type { RunReaders } from "../../chain/readers.js";
import { requireFirstState } from "../../compute/samples.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { AwaitOptions, Rehearsal } from "../../request/data-processor.js";
import { visitedElements } from "../../request/describe-task.js";
import type { ProvabilityReport, SourceProvability } from "../../request/provability.js";
import { moduleFormRefusals } from "../../request/module-form.js";
import { findDatalake } from "../../request/task-form.js";
import { taskHash } from "../../request/task-hash.js";
import type { Datalake, Task, TaskRequest } from "../../request/task.js";
import type { ExecutionStore } from "../../store/execution-store.js";
import { askedOnce, destinationStore, readHeads, findLastBlock } from "../destination.js";
import type { ProcessorInfo } from "../../submission/submissions.js";
import type { KnownInOtherForm } from "../../submission/lookup.js";
import { knownInOtherForm } from "../other-form.js";
import { ChainSources } from "../chain-sources.js";
import type { ConnectedProcessor, ResolvedDestination } from "../connected-processor.js";
import { awaitProvable, provabilityReport, sourceBlocks, unconnected } from "../provable.js";
import { storageProof } from "../services.js";
import { checkAccounts } from "../rehearsal.js";
import { allRefusals, type Refusal, refusal } from "../send-checks.js";
import type { ConnectedNetwork } from "../connected-network.js";
import type { Scope, Session } from "../session.js";
import { readTaskInput, type TaskInput } from "../task-input.js";

/** Whether a task's last block is on its chain; unknown where no network here is the chain. */
type LastBlockState = "there" | "missing" | "unknown";

/** The needs and costs of a task, as far as they can be known before it is sent. */
export interface TaskPreflight extends TaskOutlook {
  readonly taskHash: Hex;
  /** Whether the destination's store already has the task's result; undefined where there is no store to ask. */
  readonly isFinalized: boolean | undefined;
}

/** What a task will read, as far as it is known before. */
interface TaskOutlook {
  /** Number of visited blocks or transactions, and the step between two; a module's are known only after it has run. */
  readonly samples?: { readonly count: bigint; readonly step: bigint };
  /** The last block that the task reads; its state is `unknown` where no network of the project is that chain. */
  readonly lastBlock?: {
    readonly chainId: ChainIdentifier;
    readonly number: bigint;
    readonly head: bigint | undefined;
    readonly state: LastBlockState;
  };
  /** Why the state of the task's first block cannot be read or proven by the local data processor. */
  readonly stateProblem?: string;
}

/** The storage proof interface's answer about grow orders, which extend what can be proven. */
export interface ProofPreflight {
  /** Why the interface could not be asked. */
  readonly problem?: string;
  /** Grow orders of this account as the interface returns them: their fields are not published. */
  readonly growOrders: readonly unknown[];
  /** Fields of the answer that name a price: path and value. */
  readonly prices: Readonly<Record<string, string>>;
}

/** What submitting a request would do. */
export interface Preflight {
  readonly processor: ProcessorInfo;
  readonly networkName: string;
  readonly request: TaskRequest;
  /** Whether tasks would be sent to a service, which charges: not on a development chain. */
  readonly isLive: boolean;
  readonly store: Hex | undefined;
  readonly tasks: readonly TaskPreflight[];
  /** Tasks that this network knows in their other form alone: they are looked up, and would be sent, anew. */
  readonly inOtherForm: readonly KnownInOtherForm[];
  /** Known support of the service for these tasks: docs/service.md, "What works where". */
  readonly support: readonly string[];
  /** Why nothing would be sent: every refusal of `hdp:submit`, with the number of its error. Empty where none is known. */
  readonly refusals: readonly Refusal[];
  /** Tasks whose accounts no source of the project was asked for: the published prover proves nothing of absent ones. */
  readonly unread: readonly Rehearsal[];
  /** What the indexer says of the blocks of datalake tasks; absent where the local data processor computes. */
  readonly provability?: ProvabilityReport;
  /** Present where a storage proof interface with its key is configured. */
  readonly proofs?: ProofPreflight;
}

export type { Refusal } from "../send-checks.js";

/** The member of `hdp` that reports what submitting would do. */
export interface PreflightActions {
  /**
   * Reports what submitting would do, without sending anything to the data processor: which processor would compute,
   * how much is read, whether the blocks exist, whether results are stored already, and the known proofs and prices.
   */
  readonly preflight: (input: TaskInput) => Promise<Preflight>;
  /**
   * Resolves when the destination can prove the blocks of an input's datalake tasks, as the indexer says. Waits at most
   * `hdp.timeouts.await`. @throws HdpError HDP-2045 where nothing brings them there
   */
  readonly awaitProvable: (
    input: TaskInput,
    options?: AwaitProvableOptions,
  ) => Promise<readonly SourceProvability[]>;
}

/** Options of `hdp.awaitProvable`. */
export interface AwaitProvableOptions extends AwaitOptions {
  /** Called with the first answer and each that differs. */
  readonly onNew?: (sources: readonly SourceProvability[]) => void;
}

/** Returns the action over a connection. */
export function preflightActions(scope: Scope): PreflightActions {
  return {
    preflight: async (input) => {
      const session = await scope.session();
      return await runPreflight(await readTaskInput(input, session), session);
    },
    awaitProvable: async (input, options) => {
      const session = await scope.session();
      return await awaitProvable(session, await readTaskInput(input, session), options);
    },
  };
}

/** Reports what submitting a parsed request would do. */
export async function runPreflight(request: TaskRequest, session: Session): Promise<Preflight> {
  const { destinationChainId, tasks } = request;
  const processor = await session.processor();
  const { info } = processor;
  const isLocal = info.kind === "local";
  const chainId = askedOnce();
  const stores = await destinationStore(destinationChainId, session).catch(undefinedFor());
  const store = await stores?.openForReading().catch(undefinedFor());
  const hashes = tasks.map((task) => taskHash(task));
  const states = await store?.statuses(hashes);
  // The local data processor reads the connected chain under any name.
  const heads = await readHeads(tasks, session, { chainId, anyChain: isLocal });
  const sources = session.part(ChainSources);
  const readerFor = isLocal ? sources.readersFor().readerFor : undefined;
  const outlooks = await Promise.all(
    tasks.map(async (task, at) => ({
      taskHash: hashes[at] ?? taskHash(task),
      isFinalized: states === undefined ? undefined : states[at] === "finalized",
      ...(await taskOutlook(findDatalake(task)?.datalake, at, heads, readerFor)),
    })),
  );
  // Blocks that are not there yet have no accounts to look for.
  const isThere = outlooks.every(({ lastBlock }) => lastBlock?.state !== "missing");
  const accounts =
    isLocal || !isThere ? undefined : await checkAccounts(tasks, sources.sourcedReadersFor());
  const proofs = isLocal ? undefined : await preflightProofs(session);
  const provability = isLocal
    ? undefined
    : await provabilityReport(session, destinationChainId, sourceBlocks(request.tasks));
  const unproven = provability === undefined ? [] : unconnected(provability, destinationChainId);
  const silence = await thrownBy(async () => await processor.requireAnswer?.());
  const refusals = [
    ...(await collectRefusals(request, processor, chainId, session)),
    ...(silence === undefined ? [] : [silence]),
    ...(accounts?.refusals ?? []),
    ...unproven,
  ];
  // Where the request is refused for another reason, there may be no store to plan by.
  const obstacle = refusals.length > 0 ? undefined : await processor.submissions.obstacle(request);
  return {
    processor: info,
    networkName: session.networkName,
    request,
    isLive: !isLocal && !(await session.isDevelopment()),
    store: store?.address,
    tasks: outlooks,
    inOtherForm: await knownInOtherForm(tasks, session, stores),
    support: isLocal ? [] : storeWarnings(tasks, store?.kind),
    refusals: [...refusals, ...(obstacle === undefined ? [] : [obstacle])].map(refusal),
    unread: accounts?.unread ?? [],
    ...(provability === undefined ? {} : { provability }),
    ...(proofs === undefined ? {} : { proofs }),
  };
}

/** Returns whether the last block of a task is there; unknown where no network here is its chain. */
function lastBlockState(number: bigint, head: bigint | undefined): LastBlockState {
  if (head === undefined) return "unknown";
  return number <= head ? "there" : "missing";
}

/**
 * Returns what is known of a datalake's blocks before it is computed.
 * @param readerFor of the local data processor: its chain has to have the state of the first block
 */
async function taskOutlook(
  datalake: Datalake | undefined,
  at: number,
  heads: ReadonlyMap<ChainIdentifier, bigint | undefined>,
  readerFor: RunReaders["readerFor"] | undefined,
): Promise<TaskOutlook> {
  if (datalake === undefined) return {};
  const { chainId } = datalake;
  const { count, step } = visitedElements(datalake);
  const { number } = findLastBlock(datalake);
  const head = heads.get(chainId);
  const state = lastBlockState(number, head);
  const read = { samples: { count, step }, lastBlock: { chainId, number, head, state } } as const;
  if (readerFor === undefined || state !== "there") return read;
  try {
    await requireFirstState(await readerFor(chainId), datalake, `tasks[${at}].datalake`);
    return read;
  } catch (error) {
    if (isHdpError(error, "HDP-4208")) return { ...read, stateProblem: error.shortMessage };
    throw error;
  }
}

function storeWarnings(
  tasks: readonly Task[],
  kind: ExecutionStore["kind"] | undefined,
): readonly string[] {
  const datalakes = tasks.filter((task) => task.type !== "Module");
  const unprovable = datalakes.some((task) => moduleFormRefusals(task).length > 0);
  const untried = "None of this was tried against the hosted service.";
  if (datalakes.length === 0)
    return ["The service's published prover takes module tasks.", untried];
  return [
    "The service's published prover takes no datalake tasks since October 2024.",
    ...(kind === "satellite"
      ? ["The store is a satellite: its published contract takes requests of module tasks only."]
      : []),
    unprovable
      ? "Nor can it prove each of them in the module form: npx hardhat hdp error 1129"
      : 'It takes them in the module form: set dataProcessor.edition to "module-tasks".',
    untried,
  ];
}

async function collectRefusals(
  request: TaskRequest,
  processor: ConnectedProcessor,
  chainId: ResolvedDestination["chainId"],
  session: Session,
): Promise<readonly HdpError[]> {
  const chain = request.destinationChainId;
  try {
    const store = await destinationStore(chain, session);
    return await allRefusals(processor.checks, request, { chain, store, chainId });
  } catch (error) {
    if (isHdpError(error)) return [error];
    throw error;
  }
}

async function preflightProofs(network: ConnectedNetwork): Promise<ProofPreflight | undefined> {
  if (network.config.storageProof?.apiKey === undefined) return undefined;
  try {
    const reply = await (await storageProof(network)).client.growOrders();
    const growOrders = ordersIn(reply);
    return { growOrders, prices: Object.fromEntries(pricesIn(reply, "")) };
  } catch (error) {
    if (!isHdpError(error)) throw error;
    return { problem: error.message, growOrders: [], prices: {} };
  }
}

/** Returns a list, or the only list that an answer holds. */
function ordersIn(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  const lists =
    typeof reply === "object" && reply !== null ? Object.values(reply).filter(Array.isArray) : [];
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

/** Returns the fields of an answer that are named as a price, a cost or a fee. */
function pricesIn(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const place = path === "" ? key : `${path}.${key}`;
    if (/price|cost|fee/i.test(key) && (typeof item === "string" || typeof item === "number")) {
      return [[place, String(item)] as const];
    }
    return pricesIn(item, place);
  });
}

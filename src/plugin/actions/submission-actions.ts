import type { Hex } from "viem";
import { pad, toHex } from "viem/utils";

import { hdpError, notAllowed, undefinedFor } from "../../errors/hdp-error.js";
import { isTaskHash } from "../../base/hex.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type {
  AwaitOptions,
  Submission,
  SubmitOptions,
  TaskStatus,
} from "../../request/data-processor.js";
import type { Task, TaskRequest } from "../../request/task.js";
import type { TaskResult, TaskWord } from "../../request/task-result.js";
import { findDatalake, taskForm, HDP_FORM, type TaskForm } from "../../request/task-form.js";
import { taskHash } from "../../request/task-hash.js";
import { NotFinalizedError } from "../../store/execution-store.js";
import { ofChainBefore } from "../../submission/settle.js";
import { CHAIN_GONE, chainBeforeHints, goneWithItsChain } from "../chain-before.js";
import { destinationStore } from "../destination.js";
import { KnownTasks } from "../known-tasks.js";
import { rememberedWord, withRemembered, withValue } from "../result-value.js";
import type { Scope, Session } from "../session.js";
import { parseDestination } from "../../request/chain-names.js";
import { type DeployStoreOptions, EvmStores, type StoreInUse } from "../stores/evm-stores.js";
import { refuseLiveMock } from "../stores/live-mock.js";
import type { MockContract, StoreContract } from "../stores/store-contract.js";
import {
  checkedRequest,
  fieldsOffered,
  type FinishedSubmission,
  finishSubmission,
  runChecked,
  submitChecked,
} from "../checked-request.js";
import { readTaskInput, readTasks, type TaskInput } from "../task-input.js";

/** Options of `hdp.run`: those of submitting and of awaiting. */
export type RunOptions = SubmitOptions & AwaitOptions;

/** The results of a request, one for each task in request order. */
export type Results = readonly [TaskResult, ...TaskResult[]];

export type { FinishedSubmission } from "../checked-request.js";

/** Options of `hdp.readResult`. */
export interface ReadResultOptions {
  /** Address of another store than the destination's. */
  readonly store?: string | undefined;
  /** Chain identifier or alias of the result's chain. Default: the request's, else the one the task was submitted for, else the connected. */
  readonly destination?: string | undefined;
}

/** Options of `hdp.finalize`. */
export interface FinalizeOptions {
  /** Chain identifier or alias of the result's chain. Default: the request's, else the one the task was submitted for, else the connected. */
  readonly destination?: string | undefined;
}

/** An execution store in use on a connection. */
export interface StoreHandle extends StoreInUse {
  /** The store as a viem contract, with functions and custom errors of both kinds; a store has those of one. */
  readonly contract: StoreContract;
}

/** A mock execution store. */
export interface MockStoreHandle {
  readonly address: Hex;
  readonly mock: true;
  /** The mock as a viem contract; its `write` functions are called by the operator. */
  readonly contract: MockContract;
  /** The account that finalizes: owner of the store, or an operator that the owner named. */
  readonly operator: Hex;
}

/** Options of `hdp.store.use`. */
export interface UseStoreOptions {
  /** The account that finalizes. Default as in {@link DeployStoreOptions}. */
  readonly operator?: Hex | undefined;
}

/** Returns the store in use; with `deploy: false`, undefined where none exists and none is deployed. */
export interface CurrentStore {
  (options?: { readonly deploy?: true }): Promise<StoreHandle>;
  (options: { readonly deploy: boolean }): Promise<StoreHandle | undefined>;
}

/** `hdp.store`: the execution store in use on a connection. */
export interface StoreActions {
  /** Returns the store in use. A development chain without one gets a mock; undefined if `deploy` is false. */
  readonly current: CurrentStore;
  /**
   * Returns the store in use for a contract that a script is about to deploy: as `current`, but rejects a mock on a live
   * chain (HDP-6027), whose operators could finalize any result.
   * @example const { address: store } = await hdp.store.forDeployment();
   */
  readonly forDeployment: () => Promise<StoreHandle>;
  /** Makes an already deployed mock the store in use from then on, for instance one deployed with Ignition. */
  readonly use: (store: Hex, options?: UseStoreOptions) => Promise<MockStoreHandle>;
}

/** A task as contracts pin it: viem and ethers encode it as the Solidity struct `HdpTask`. */
export interface PinnedTask {
  /** The hash under which a store of this connection's form keeps the result. */
  readonly hash: Hex;
  /** Number of the form in `HdpForm`: 0 for the datalake form, 1 for the module form. */
  readonly form: (typeof HDP_FORM)[TaskForm];
}

/** Functions that submit tasks and read their results. */
export interface HdpActions {
  /**
   * Returns the hash and the form of a task, with which a contract that acts on it is deployed.
   *
   * @throws HdpError HDP-1136 for several tasks
   * @example await viem.deployContract("FeeGate", [store.address, await hdp.task(task)]);
   */
  readonly task: (input: TaskInput) => Promise<PinnedTask>;
  /**
   * Submits tasks to the data processor, after parsing and hashing them. Resolves when they are accepted.
   *
   * @throws TaskRequestError for invalid tasks; HdpError HDP-2001 where no data processor is configured, HDP-5005 where it
   * is not known whether the service accepted them before: nothing was sent. HDP-5008 where it is not known whether it
   * accepted them now; the service's refusal as ServiceFailure
   */
  readonly submit: (input: TaskInput, options?: SubmitOptions) => Promise<Submission>;
  /**
   * Waits until a submission is finalized. Rejects when it fails or the timeout expires.
   *
   * @param submission what `submit` returned, an id, the beginning of one, or a task hash
   * @throws HdpError HDP-5010 for an unknown submission, HDP-2081 at the timeout, HDP-2091 where a service says that it failed
   */
  readonly await: (
    submission: Submission | string,
    options?: AwaitOptions,
  ) => Promise<FinishedSubmission>;
  /** Returns the current state of a submission, named as for `await`. @throws HdpError HDP-5010 for an unknown one */
  readonly status: (submission: Submission | string) => Promise<TaskStatus>;
  /**
   * Reads the finalized result of a task from the execution store. Rejects when there is none.
   *
   * @param task a task hash, or one task as `run` takes it: also the path of a task file
   * @throws HdpError HDP-3001 where there is none, HDP-3002 or HDP-3003 where the store is not one, HDP-1136 for several tasks
   */
  readonly readResult: (task: TaskInput, options?: ReadResultOptions) => Promise<TaskResult>;
  /**
   * Submits tasks, awaits them and reads their results, one for each task in request order.
   *
   * @throws as `submit`, `await` and `readResult`
   */
  readonly run: (input: TaskInput, options?: RunOptions) => Promise<Results>;
  /**
   * Deploys a mock execution store, which is the connection's store from then on.
   *
   * @throws HdpError HDP-6022 on a chain that is not a development chain, without `onLiveChain`
   */
  readonly deployExecutionStore: (options?: DeployStoreOptions) => Promise<MockStoreHandle>;
  /**
   * Finalizes a value of your choice as the result of a task: in a mock execution store, or, on a development node that
   * forks a chain, by writing the storage of the configured store. The store is that of the task's destination, also on
   * Starknet.
   *
   * @param task a task hash, or one task as `run` takes it: also the path of a task file
   * @param value the value, or the stored word as 32 bytes of hex
   * @throws HdpError HDP-6003 for a value beyond 256 bits, HDP-1123 for several tasks, HDP-6024 for a store that is no mock
   */
  readonly finalize: (
    task: TaskInput,
    value: bigint | Hex,
    options?: FinalizeOptions,
  ) => Promise<TaskResult>;
}

/** Returns the result of a task. @throws HdpError HDP-3001 with the reason why there is none */
async function readExplained(
  named: NamedTask,
  session: Session,
  options?: ReadResultOptions,
): Promise<TaskResult> {
  return await readNamed(named, session, options).catch(async (error: unknown) => {
    if (!(error instanceof NotFinalizedError)) throw error;
    const chain = await findDestination(named, session, options?.destination);
    const { unfinalizedLines } = await import("../read-failures.js");
    throw error.with(await unfinalizedLines(session, named.hash, { ...options, chain }));
  });
}

/** Returns the actions that submit tasks and read results over a connection. */
export function submissionActions(scope: Scope): HdpActions {
  const read = async (input: TaskInput, options: SubmitOptions): Promise<TaskRequest> => {
    const session = await scope.session();
    const fields = await fieldsOffered(session, options);
    return await readTaskInput(input, session, { fields, onBlock: options.onBlock });
  };

  const readResult: HdpActions["readResult"] = async (input, options) => {
    const session = await scope.session();
    return await readExplained(onlyTask(await namedTasks(input, session)), session, options);
  };

  /** Finds a submission, with its record where its chain is gone. */
  const find = async (submission: Submission | string) => {
    const session = await scope.session();
    const { submissions } = await session.processor();
    const known = typeof submission === "string" ? submissions.find(submission) : submission;
    return { session, submissions, known, gone: await goneWithItsChain(session, known) };
  };

  return {
    task: async (input) => {
      const { task } = onlyTask(await readTasks(input, await scope.session()));
      return { hash: taskHash(task), form: HDP_FORM[taskForm(task)] };
    },
    submit: async (input, options = {}) => {
      const request = await read(input, options);
      const session = await scope.session();
      return await submitChecked(session, await checkedRequest(session, request), options);
    },
    await: async (submission, options) => {
      const { session, known, gone } = await find(submission);
      if (gone !== undefined) throw ofChainBefore(gone);
      return await finishSubmission(session, known, options);
    },
    readResult,
    status: async (submission) => {
      const { submissions, known, gone } = await find(submission);
      return gone === undefined ? await submissions.status(known) : CHAIN_GONE;
    },
    run: async (input, options = {}) => {
      const request = await read(input, options);
      const session = await scope.session();
      return await runChecked(session, await checkedRequest(session, request), options);
    },
    deployExecutionStore: async (options = {}) => {
      const session = await scope.session();
      return await mockHandle(session, await session.part(EvmStores).deploy(options));
    },
    finalize: async (task, value, { destination } = {}) => {
      const session = await scope.session();
      const [named, ...others] = await namedTasks(task, session);
      if (named === undefined || others.length > 0)
        throw hdpError("HDP-1123", { tasks: others.length + 1, results: 1 }, { path: "value" });
      const word = storedWord(value, named);
      const chain = await findDestination(named, session, destination);
      const result = await finalizeChosen(session, chain, { taskHash: named.hash, word });
      return named.task?.type === "DatalakeCompute" ? result : withRemembered(result);
    },
  };
}

/** Finalizes a chosen word, and remembers it to explain reads that fail. */
async function finalizeChosen(
  session: Session,
  chain: ChainIdentifier | undefined,
  chosen: TaskWord,
): Promise<TaskResult> {
  const known = session.part(KnownTasks);
  const [result] = await known.whileUnderWay(chosen, async () => {
    const store = await destinationStore(chain, session);
    return await store.finalizeChosen([chosen]);
  });
  if (result === undefined) throw new TypeError("one value was finalized, and no result came back");
  known.addFinalized([result], chain);
  return result;
}

/** Returns the actions on the execution store over a connection. */
export function storeActions(scope: Scope): StoreActions {
  async function current(options?: { readonly deploy?: true }): Promise<StoreHandle>;
  async function current(options: { readonly deploy: boolean }): Promise<StoreHandle | undefined>;
  async function current({ deploy = true }: { readonly deploy?: boolean } = {}): Promise<
    StoreHandle | undefined
  > {
    const session = await scope.session();
    const stores = session.part(EvmStores);
    const found = deploy ? await stores.current() : await stores.existing();
    return found && (await storeHandle(session, found));
  }
  return {
    current,
    forDeployment: async () => {
      const session = await scope.session();
      const found = await session.part(EvmStores).current();
      await refuseLiveMock(session, found);
      return await storeHandle(session, found);
    },
    use: async (store, { operator } = {}) => {
      const session = await scope.session();
      return await mockHandle(session, await session.part(EvmStores).use(store, operator));
    },
  };
}

async function storeHandle(session: Session, store: StoreInUse): Promise<StoreHandle> {
  const { storeContract } = await import("../stores/store-contract.js");
  const operator = await session.part(EvmStores).operator().catch(undefinedFor("HDP-3010"));
  return { ...store, contract: await storeContract(session, store.address, operator) };
}

async function mockHandle(session: Session, { address }: StoreInUse): Promise<MockStoreHandle> {
  const { mockContract } = await import("../stores/store-contract.js");
  const operator = await session.part(EvmStores).operator();
  return {
    address,
    mock: true,
    operator,
    contract: await mockContract(session, address, operator),
  };
}

/** A task by its hash; the task itself unless only the hash was given. */
export interface NamedTask {
  readonly hash: Hex;
  readonly task?: Task | undefined;
  /** The chain that its request names for the result. */
  readonly destination?: ChainIdentifier | undefined;
}

/** Returns the task of a list of one. @throws HdpError HDP-1136 */
function onlyTask<T>(tasks: readonly T[]): T {
  const [only, ...others] = tasks;
  if (only === undefined || others.length > 0)
    throw hdpError("HDP-1136", { tasks: tasks.length }, { path: "task" });
  return only;
}

/** Returns the given hash, or the tasks of whatever `run` takes. A text is a hash or the path of a file. */
export async function namedTasks(task: unknown, session: Session): Promise<readonly NamedTask[]> {
  if (typeof task === "string" && isTaskHash(task)) return [{ hash: task }];
  return (await readTasks(task, session)).map((one) => ({ hash: taskHash(one.task), ...one }));
}

/**
 * Returns the chain whose store has a task's result: the chosen one, else the one that its request names, else the one
 * that it was submitted for; undefined for the connection's own.
 */
export async function findDestination(
  { hash, destination }: NamedTask,
  session: Session,
  chosen?: string,
): Promise<ChainIdentifier | undefined> {
  if (chosen !== undefined) return parseDestination(chosen);
  if (destination !== undefined) return destination;
  const { submissions } = await session.processor();
  return submissions.findDestination(hash);
}

/** Returns the result of a task from the store of its destination; by its hash alone without the value of a root. */
export async function readNamed(
  named: NamedTask,
  session: Session,
  { store: address, destination }: ReadResultOptions = {},
): Promise<TaskResult> {
  const { hash, task } = named;
  const chain = await findDestination(named, session, destination);
  const store = await (await destinationStore(chain, session)).openForReading(address);
  const { submissions } = await session.processor();
  const submittedFor = address === undefined ? chain : undefined;
  const [result] = await submissions
    .readAll(store, [hash], submittedFor)
    .catch(async (error: unknown) => {
      if (!(error instanceof NotFinalizedError)) throw error;
      throw error.with(await chainBeforeHints(session, hash));
    });
  if (result === undefined) throw new TypeError(`no result of task ${hash} was read`);
  return task === undefined ? withRemembered(result) : await withValue(result, task, session);
}

/**
 * Returns what a store keeps for a value: of a datalake task the word of its form. 32 bytes of hex are the word itself.
 * @throws HdpError HDP-6003 for a value that does not fit 256 bits
 */
export function storedWord(value: bigint | Hex, { hash, task }: NamedTask): Hex {
  const word = asWord(value);
  const hasForm =
    typeof value === "bigint" && task !== undefined && findDatalake(task) !== undefined;
  return hasForm ? rememberedWord(hash, value, taskForm(task)) : word;
}

/** Returns a value as it is stored. @throws HdpError HDP-6003 for one that does not fit 256 bits */
function asWord(value: bigint | Hex): Hex {
  if (typeof value === "bigint" && value >= 0n && value < 1n << 256n)
    return pad(toHex(value), { size: 32 });
  if (typeof value === "string" && isTaskHash(value)) return value;
  throw notAllowed(value, "a result", {
    path: "value",
    allowed: "a bigint from 0 to 2^256 - 1, or 32 bytes of hex",
  });
}

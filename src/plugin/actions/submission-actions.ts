import type { Hex } from "viem";
import { isHex, pad, toHex } from "viem/utils";

import { HdpError } from "../../errors/hdp-error.js";
import type { AwaitOptions, Submission, SubmitOptions, TaskResult, TaskStatus } from "../../request/lifecycle.js";
import { taskHash } from "../../request/task-hash.js";
import type { Task } from "../../request/task.js";
import { addOperators } from "../../store/finalize.js";
import { parseDestination } from "../destination.js";
import { KnownTasks } from "../known-tasks.js";
import type { ProcessorInfo } from "../processors/connected-processor.js";
import { SelectedProcessor } from "../processors/select-processor.js";
import type { Scope, Session } from "../session.js";
import { destinationStore } from "../stores/destination-store.js";
import { type DeployStoreOptions, EvmStores, type StoreInUse } from "../stores/evm-stores.js";
import type { MockContract, StoreContract } from "../stores/store-contract.js";
import { readTaskInput, readTasks, type Taken } from "../task-input.js";

export type RunOptions = SubmitOptions & AwaitOptions;

/** A submission whose tasks are finalized. */
export interface FinishedSubmission {
  readonly submission: Submission;
  readonly taskHashes: readonly Hex[];
  readonly status: TaskStatus;
  /** Their results, in request order. What the wait has read already is not read again. */
  readonly results: () => Promise<readonly TaskResult[]>;
}

/** The first task's result, with all of them in `results`, in request order. */
export interface RunResult extends TaskResult {
  readonly results: readonly TaskResult[];
}

export interface ReadResultOptions {
  /** Another store than the destination's. */
  readonly store?: Hex | undefined;
  /**
   * Chain identifier, or alias, of the chain the result was delivered to. Default: where the task was submitted to, as
   * far as that is known; else the connection's own chain.
   */
  readonly destination?: string | undefined;
}

/** An execution store in use on a connection. */
export interface StoreHandle extends StoreInUse {
  /** The store as a contract of viem, with the functions and custom errors of both families of names. */
  readonly contract: StoreContract;
}

/** A mock execution store. */
export interface MockStoreHandle {
  readonly address: Hex;
  readonly mock: true;
  /** The mock as a contract of viem; its `write` functions are called by the operator. */
  readonly contract: MockContract;
  /** The account that finalizes: owner of the store, or one that the owner named. */
  readonly operator: Hex;
}

export interface UseStoreOptions {
  /** The account that finalizes. Default as in {@link DeployStoreOptions}. */
  readonly operator?: Hex | undefined;
}

/** What `connection.hdp` and `hre.hdp` have in common. */
export interface HdpActions {
  /** Hands tasks to the data processor: parsed and hashed first, then sent. Resolves when they are accepted. */
  readonly submit: <const T>(input: T & Taken<T>, options?: SubmitOptions) => Promise<Submission>;
  /** Waits until a submission is finalized. Rejects when it fails or the time is over. */
  readonly await: (submission: Submission | string, options?: AwaitOptions) => Promise<FinishedSubmission>;
  /** The submission's state now. */
  readonly status: (submission: Submission | string) => Promise<TaskStatus>;
  /** The finalized result of a task hash (or of a task), from the execution store. Rejects when there is none. */
  readonly readResult: (task: Hex | Task, options?: ReadResultOptions) => Promise<TaskResult>;
  /** submit, await and readResult in one. */
  readonly run: <const T>(input: T & Taken<T>, options?: RunOptions) => Promise<RunResult>;
  /** Deploys a mock execution store, which is the connection's store from then on. */
  readonly deployExecutionStore: (options?: DeployStoreOptions) => Promise<MockStoreHandle>;
  /** Makes a mock that was deployed otherwise, for instance with Ignition, the connection's store from then on. */
  readonly useExecutionStore: (store: Hex, options?: UseStoreOptions) => Promise<MockStoreHandle>;
  /** Lets more accounts finalize in the mock in use. Sent by its operator. */
  readonly addOperators: (...accounts: readonly Hex[]) => Promise<void>;
  /**
   * Finalizes a value of your choice as the result of a task: in a mock execution store, or on a development node that
   * forks a chain in the configured store, whose storage is written.
   *
   * @param task a task hash, or one task as `run` takes it: also the path of a task file
   */
  readonly finalize: <const T>(task: T & Taken<T>, value: bigint | Hex) => Promise<TaskResult>;
  /** Who will compute: the local data processor or a service. Reads configuration, sends nothing. */
  readonly processor: () => Promise<ProcessorInfo>;
  /** The execution store in use; on development chains a mock is deployed when there is none. */
  readonly store: () => Promise<StoreHandle>;
  /** The execution store in use, deploying none: undefined on a development chain that has none yet. */
  readonly findStore: () => Promise<StoreInUse | undefined>;
  /** The account that deploys mocks and finalizes in them. */
  readonly operator: () => Promise<Hex>;
}

export function submissionActions(scope: Scope): HdpActions {
  const submit = async (input: unknown, options: SubmitOptions = {}): Promise<Submission> => {
    const session = await scope.session();
    const processor = await session.part(SelectedProcessor).get();
    // A service may know a value where no published evaluator does; here nothing could be computed.
    const isOffered = options.unsupportedFields === true && processor.info.kind === "remote";
    const fields = isOffered ? "encodable" : "supported";
    const request = await readTaskInput(input, session, undefined, fields, options.onBlock);
    const submission = await processor.submit(request, options);
    session.part(KnownTasks).remember(request);
    return submission;
  };

  const finish: HdpActions["await"] = async (submission, options = {}) => {
    const session = await scope.session();
    const processor = await session.part(SelectedProcessor).get();
    const known = await processor.find(submission);
    const timeout = options.timeout ?? session.config.timeouts.await;
    const status = await processor.wait(known, { ...options, timeout });
    const results = async (): Promise<readonly TaskResult[]> => await processor.results(known);
    return { submission: known, taskHashes: known.taskHashes, status, results };
  };

  const readResult: HdpActions["readResult"] = async (task, { store: address, destination } = {}) => {
    const session = await scope.session();
    const hash = asTaskHash(task);
    const processor = await session.part(SelectedProcessor).get();
    const chain = destination === undefined ? processor.destinationOf(hash) : parseDestination(destination);
    const stores = chain === undefined ? session.part(EvmStores) : await destinationStore(chain, session);
    const store = await stores.openForReading(address);
    return await processor.read(store, hash);
  };

  return {
    submit,
    await: finish,
    readResult,
    status: async (submission) => {
      const processor = await (await scope.session()).part(SelectedProcessor).get();
      return await processor.status(await processor.find(submission));
    },
    run: async (input: unknown, options: RunOptions = {}) => {
      const submission = await submit(input, options);
      const results = await (await finish(submission, options)).results();
      const [first] = results;
      if (first === undefined) throw new Error("a submission without tasks was accepted");
      return { ...first, results };
    },
    deployExecutionStore: async (options = {}) => {
      const session = await scope.session();
      return await mockHandle(session, await session.part(EvmStores).deploy(options));
    },
    useExecutionStore: async (store, { operator } = {}) => {
      const session = await scope.session();
      return await mockHandle(session, await session.part(EvmStores).use(store, operator));
    },
    addOperators: async (...accounts) => {
      const stores = (await scope.session()).part(EvmStores);
      await stores.requireWritable();
      const { address: store } = await stores.current();
      await addOperators({ provider: stores.provider, store, from: await stores.operator(), accounts });
    },
    finalize: async (task, value) => {
      const word = asWord(value);
      const session = await scope.session();
      const [hash, ...others] = await taskHashesOf(task, session);
      if (hash === undefined || others.length > 0) throw oneValue(others.length + 1);
      const stores = session.part(EvmStores);
      const [result] = await stores.finalizeChosen([{ taskHash: hash, word }]);
      if (result === undefined) throw new TypeError("one value was finalized, and no result came back");
      return result;
    },
    processor: async () => (await (await scope.session()).part(SelectedProcessor).get()).info,
    findStore: async () => await (await scope.session()).part(EvmStores).existing(),
    operator: async () => await (await scope.session()).part(EvmStores).operator(),
    store: async () => {
      const session = await scope.session();
      const stores = session.part(EvmStores);
      const { address, mock } = await stores.current();
      const { NO_ACCOUNT, storeContract } = await import("../stores/store-contract.js");
      const operator = (await stores.operatorIfAny()) ?? NO_ACCOUNT;
      return { address, mock, contract: await storeContract(session, address, operator) };
    },
  };
}

async function mockHandle(session: Session, { address }: StoreInUse): Promise<MockStoreHandle> {
  const { mockContract } = await import("../stores/store-contract.js");
  const operator = await session.part(EvmStores).operator();
  return { address, mock: true, operator, contract: await mockContract(session, address, operator) };
}

function asTaskHash(task: Hex | Task): Hex {
  return typeof task === "string" ? task : taskHash(task);
}

/** The hash that was given, or the hashes of what `run` takes. A text that begins as a hash does is no file's path. */
async function taskHashesOf(task: unknown, session: Session): Promise<readonly Hex[]> {
  if (isHex(task, { strict: false })) return [task];
  return (await readTasks(task, session)).map((one) => taskHash(one));
}

export function oneValue(tasks: number): HdpError {
  return new HdpError({
    code: "HDP-6122",
    path: "value",
    message: `one value was given for ${tasks.toString()} tasks.`,
    hints: ["Name one task, or leave the value out."],
  });
}

/** A result as the stored word; what does not fit 256 bits is a mistake, not a wrap. */
export function asWord(value: bigint | Hex): Hex {
  if (typeof value === "bigint" && value >= 0n && value < 1n << 256n) return pad(toHex(value), { size: 32 });
  if (typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value)) return value;
  throw new HdpError({
    code: "HDP-6013",
    path: "value",
    message: `${String(value)} is not a result.`,
    hints: ["A result is a bigint from 0 to 2^256 - 1, or 32 bytes of hex."],
  });
}

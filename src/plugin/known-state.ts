import { glob } from "node:fs/promises";
import { relative, resolve } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { Address, Hex } from "viem";
import { concatHex, isAddress, isHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { createdAddress } from "../base/created-address.js";
import { readTextFile } from "../base/files.js";
import { isSameHex } from "../base/hex.js";
import type { ChainIdentifier } from "../request/chains.js";
import { valueOfRoot } from "../request/output-root.js";
import { findDatalake, findOwnModule } from "../request/task-form.js";
import type { ModuleTask, Task } from "../request/task.js";
import type { TaskWord } from "../request/task-result.js";
import { type ExecutionStore, FAMILIES, openExecutionStore } from "../store/execution-store.js";
import { mockDeployer } from "../store/finalize.js";
import { possibleHashes } from "../submission/asked-task.js";
import type { KnownState, StoredTask, StoreState } from "../submission/read-finding.js";
import type { KnownTask } from "../submission/task-search.js";
import type { SubmissionRecord } from "../submission/model.js";
import { deliveryNetwork, networkOfResults } from "./delivery-network.js";
import { KnownTasks } from "./known-tasks.js";
import { argumentNamer, type KnownPrograms, knownPrograms } from "./known-programs.js";
import { EvmStores } from "./stores/evm-stores.js";
import { submissionStores } from "./project-database.js";
import { rememberedValue } from "./result-value.js";
import type { SubmissionStore } from "../submission/submission-store.js";
import { firstOwnBlock } from "./own-blocks.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Session } from "./session.js";
import { parseTaskText } from "./task-input.js";

/** Topic of `TaskFinalized(bytes32,bytes32)`. */
const TASK_FINALIZED = "0x95367d27ac8fa4179f2186af3ae52ed0aa89414fdfc0e9fb941c113a50c47791";
/** Numbers of latest submissions, of task files and of bytes in a file that are looked at. */
const MAX_RECORDS = 50;
const MAX_FILES = 50;
const MAX_FILE_BYTES = 100_000;
/** Stores whose deployer is asked for, those with the latest results. */
const MAX_DEPLOYERS = 8;
/** Transactions of an account whose contracts are looked at, the latest. */
const MAX_NONCES = 64;
/** Felts of bytecode that are hashed, in some 30 milliseconds. */
const MAX_FLAT_FELTS = 4_096;
/** Results that are looked at, the latest. */
const MAX_STORED = 200;

/** A store that is not on the connected chain, with the destination that it belongs to. */
export interface StoreElsewhere {
  readonly chain: ChainIdentifier;
  readonly store: ExecutionStore;
}

interface KnownStateOptions {
  readonly elsewhere?: StoreElsewhere | undefined;
  /** The results that were being finalized when the read failed. */
  readonly underWay?: readonly TaskWord[] | undefined;
}

/** Returns what the connection, the chain and the project know of a task that has no result in a store. */
export async function knownState(
  session: Session,
  read: StoredTask,
  { elsewhere, underWay = [] }: KnownStateOptions = {},
): Promise<KnownState> {
  const known = session.part(KnownTasks);
  // As it was before the chain is read: what is finalized meanwhile is no result that the chain has lost.
  const finalizedHere = [...known.finalized];
  const { records, submissions } = readRecords(() => submissionStores(session), read.taskHash);
  const remembered = known.tasks.map((task) => ({ task, source: "this process" }));
  const reading = taskFiles(session.project.config).then((files) => [
    ...remembered,
    ...files,
    ...records,
  ]);
  const programs = knownPrograms(session.project.config);
  const askingChain =
    elsewhere === undefined ? session.chainId().catch(() => undefined) : undefined;
  const [
    tasks,
    { stored, isPending, ofKnownTasks },
    flatHashes,
    { accounts, contracts },
    argumentsOf,
  ] = await Promise.all([
    reading,
    storeState(session, read, { elsewhere, tasks: reading }),
    reading.then(async (tasks) => await knownFlatHashes(tasks, programs)).catch(() => undefined),
    reading.then(async (tasks) => await knownAccounts(session, tasks)).catch(() => NO_ACCOUNTS),
    reading.then(async (tasks) => await argumentNamer(ownModules(tasks), programs)),
  ]);
  const others = stored.map(({ store }) => store).filter((one) => !isSameHex(one, read.store));
  const [inUse, deployers] =
    others.length === 0
      ? []
      : await Promise.all([storeInUse(session), storeDeployers(session, others)]);
  const wordsOfOthers = session.isSimulated ? known.wordsOfOthers(read.taskHash) : [];
  return {
    tasks,
    stored,
    ofKnownTasks,
    finalizedHere,
    finalizedElsewhere: known.finalizedElsewhere,
    storeInUse: inUse,
    deployers,
    wordsOfOthers,
    underWay,
    isPending,
    flatHashes,
    accounts,
    contracts,
    chainId: await askingChain,
    argumentsOf,
    submissions,
    network: deliveryNetwork(elsewhere?.chain, session),
    deliveryOf: (submission) => networkOfResults(submission, session.project.config),
    valueOf: (hash, word) => rememberedValue(hash, word) ?? recordedValue(submissions, hash, word),
  };
}

function ownModules(tasks: readonly KnownTask[]): readonly ModuleTask[] {
  return tasks.flatMap(({ task }) => findOwnModule(task) ?? []);
}

/**
 * Returns the flat hashes of the programs of module tasks whose classes this process has, as far as they are computed in
 * a moment: hashing a large class takes seconds.
 */
async function knownFlatHashes(
  tasks: readonly KnownTask[],
  programs: KnownPrograms,
): Promise<ReadonlyMap<Hex, Hex>> {
  const hashes = new Set(ownModules(tasks).map(({ programHash }) => programHash));
  const found = new Map<Hex, Hex>();
  let felts = 0;
  for (const programHash of hashes) {
    const json = programs.get(programHash)?.compiledClassJson;
    const bytecode = isRecord(json) ? json["bytecode"] : undefined;
    if (!Array.isArray(bytecode)) continue;
    felts += bytecode.length;
    if (felts > MAX_FLAT_FELTS) break;
    const { rememberedClass } = await import("../program/compiled-class.js");
    const { flatProgramHash } = await import("../program/program-hash.js");
    found.set(programHash, flatProgramHash(rememberedClass(json)));
  }
  return found;
}

/** What a task of a development chain may be about. */
interface KnownAccounts {
  /** The accounts of the node. */
  readonly accounts: readonly Address[];
  /** The contracts that they created with their latest transactions, by their nonces. */
  readonly contracts: readonly Address[];
}

const NO_ACCOUNTS: KnownAccounts = { accounts: [], contracts: [] };

/** Returns the accounts of a development chain and their contracts; none where no known task is about an address. */
async function knownAccounts(
  session: Session,
  tasks: readonly KnownTask[],
): Promise<KnownAccounts> {
  const isOfAddress = tasks.some(({ task }) => mayHaveAddress(task));
  if (!isOfAddress || !(await session.isDevelopment())) return NO_ACCOUNTS;
  const { provider } = session;
  const answer = await provider.request({ method: "eth_accounts", params: [] });
  const senders: unknown[] = Array.isArray(answer) ? answer : [];
  const accounts = senders.filter(
    (one): one is Address => typeof one === "string" && isAddress(one, { strict: false }),
  );
  const created = accounts.map(async (from) => {
    const params = [from, "latest"];
    const count = Number(await provider.request({ method: "eth_getTransactionCount", params }));
    const nonces = Array.from({ length: Math.min(count, MAX_NONCES) }, (_, at) => count - 1 - at);
    return nonces.map((nonce) => createdAddress(from, BigInt(nonce)));
  });
  return { accounts, contracts: (await Promise.all(created)).flat() };
}

function mayHaveAddress(task: Task): boolean {
  const property = findDatalake(task)?.datalake.sampledProperty;
  return property === undefined || "address" in property;
}

/** Returns the store in use on the connected chain; undefined where there is none, or it cannot be looked for. */
async function storeInUse(session: Session): Promise<Address | undefined> {
  const found = await session
    .part(EvmStores)
    .existing()
    .catch(() => undefined);
  return found?.address;
}

/** Returns who deployed each of the stores, mocks of a development chain. */
async function storeDeployers(
  { provider }: ConnectedNetwork,
  stores: readonly Address[],
): Promise<ReadonlyMap<Address, Address>> {
  const asked = [...new Set(stores)].slice(0, MAX_DEPLOYERS);
  const found = asked.map(async (store) => {
    const deployer = await mockDeployer(provider, store).catch(() => undefined);
    return deployer === undefined ? [] : [[store, deployer] as const];
  });
  return new Map((await Promise.all(found)).flat());
}

interface StoreStateOptions {
  readonly elsewhere: StoreElsewhere | undefined;
  /** The tasks that are known here, which files are still read for. */
  readonly tasks: Promise<readonly KnownTask[]>;
}

/** Returns what a store has: on a connected development chain all of it, else what it has of known tasks. */
async function storeState(
  session: Session,
  read: StoredTask,
  { elsewhere, tasks }: StoreStateOptions,
): Promise<StoreState> {
  if (elsewhere === undefined && (await session.isDevelopment())) {
    const [stored, isPending] = await Promise.all([
      storedTasks(session, session.part(KnownTasks).finalized).catch(() => []),
      isStored(session, read, "pending"),
    ]);
    // The pending block has what was mined meanwhile too.
    const isMined = isPending && (await isStored(session, read, "latest"));
    return { stored, isPending: isPending && !isMined, ofKnownTasks: false };
  }
  const { provider } = session;
  const store = elsewhere?.store ?? (await openExecutionStore({ provider, address: read.store }));
  return { stored: await findStored(await tasks, store), isPending: false, ofKnownTasks: true };
}

/** Returns the results that stores of a development chain have, the latest first, by the events of its own blocks. */
async function storedTasks(
  network: ConnectedNetwork,
  finalized: readonly StoredTask[],
): Promise<readonly StoredTask[]> {
  const { provider } = network;
  const first = await firstOwnBlock(network);
  const fromBlock = `0x${first.toString(16)}`;
  const filter = { fromBlock, toBlock: "latest", topics: [TASK_FINALIZED] };
  const logs = await provider.request({ method: "eth_getLogs", params: [filter] });
  const events = Array.isArray(logs) ? logs.flatMap(storedTask) : [];
  const ofForks = first > 0 ? await writtenTasks(network, finalized) : [];
  const all = [...ofForks, ...events.reverse()];
  return latestOfEach(all).slice(0, MAX_STORED);
}

/** Returns the latest result of each task in each store, with the words that it replaced. The latest come first. */
function latestOfEach(results: readonly StoredTask[]): readonly StoredTask[] {
  const placeOf = ({ store, taskHash }: StoredTask): string => `${store} ${taskHash}`.toLowerCase();
  return [...Map.groupBy(results, placeOf).values()].flatMap(([latest, ...earlier]) => {
    const replacedWords = earlier.flatMap(({ word }) => word ?? []);
    return latest === undefined ? [] : [{ ...latest, replacedWords }];
  });
}

/** Returns which of the tasks that are known here a store has, whose events reach back too far to be read. */
async function findStored(
  tasks: readonly KnownTask[],
  store: ExecutionStore,
): Promise<readonly StoredTask[]> {
  const hashes = tasks.flatMap(({ task }) => possibleHashes(task).map(({ hash }) => hash));
  const asked = [...new Set(hashes)].slice(0, MAX_STORED);
  const statuses = await store.statuses(asked);
  return asked
    .filter((_, position) => statuses[position] === "finalized")
    .map((taskHash) => ({ taskHash, store: store.address }));
}

/** Returns the results that were written into the storage of a forked store, which makes no events. */
async function writtenTasks(
  network: ConnectedNetwork,
  finalized: readonly StoredTask[],
): Promise<readonly StoredTask[]> {
  const stored = await Promise.all(
    finalized.map(async ({ taskHash, store }) => {
      const written = { taskHash, store };
      return (await isStored(network, written, "latest")) ? written : undefined;
    }),
  );
  return stored.filter((one) => one !== undefined);
}

function storedTask(log: unknown): StoredTask[] {
  const { address, data } = isRecord(log) ? log : {};
  if (typeof address !== "string" || !isAddress(address, { strict: false })) return [];
  return isHex(data) && data.length === 130
    ? [{ store: address, taskHash: `0x${data.slice(2, 66)}`, word: `0x${data.slice(66)}` }]
    : [];
}

/** Returns whether a store of either kind has a result of a task in a block. */
async function isStored(
  network: ConnectedNetwork,
  { store, taskHash }: StoredTask,
  block: "latest" | "pending",
): Promise<boolean> {
  const answers = Object.values(FAMILIES).map(async ({ result }) => {
    const call = { to: store, data: concatHex([result.selector, taskHash]) };
    const answer = await network.provider.request({ method: "eth_call", params: [call, block] });
    return isHex(answer) && answer.length === 66;
  });
  const each = await Promise.allSettled(answers);
  return each.some((one) => one.status === "fulfilled" && one.value);
}

interface Recorded {
  /** The tasks of the latest submissions. */
  readonly records: readonly KnownTask[];
  /** The submissions of the asked task, oldest first. */
  readonly submissions: readonly SubmissionRecord[];
}

/** Returns what the submission databases know. A damaged one knows nothing here: other commands report it. */
function readRecords(open: () => readonly SubmissionStore[], taskHash: Hex): Recorded {
  try {
    const stores = open();
    const isOfTasks = ({ kind }: SubmissionRecord): boolean => kind === "tasks";
    const latest = stores.flatMap((store) => store.latest(MAX_RECORDS)).filter(isOfTasks);
    const records = latest.flatMap(({ id, request }) =>
      (request?.tasks ?? []).map((task) => ({ task, source: `submission ${id}` })),
    );
    const submissions = stores.flatMap((store) => store.withHashes([taskHash])).filter(isOfTasks);
    return { records, submissions };
  } catch {
    return { records: [], submissions: [] };
  }
}

/** Returns the value of a task whose root a word is, by what was computed for a submission. */
function recordedValue(
  submissions: readonly SubmissionRecord[],
  taskHash: Hex,
  word: Hex,
): bigint | undefined {
  return submissions
    .flatMap(({ parts }) => parts.flatMap(({ computed }) => computed ?? []))
    .filter((one) => isSameHex(one.taskHash, taskHash))
    .map(({ output }) => valueOfRoot(word, output))
    .find((value) => value !== undefined);
}

/** Returns the datalake tasks of the project's files, `tasks/*.json`, except those with blocks of a chain's head. */
async function taskFiles(config: HardhatConfig): Promise<readonly KnownTask[]> {
  const { root } = config.paths;
  const paths: string[] = [];
  for await (const path of glob("tasks/**/*.json", { cwd: root })) {
    paths.push(path);
    if (paths.length === MAX_FILES) break;
  }
  const read = await Promise.all(paths.map(async (path) => await tasksOfFile(config, path)));
  return read.flat();
}

async function tasksOfFile(config: HardhatConfig, path: string): Promise<readonly KnownTask[]> {
  const { root } = config.paths;
  const absolute = resolve(root, path);
  try {
    const text = await readTextFile(absolute, MAX_FILE_BYTES);
    // Hashing a module's class may take longer than an explanation.
    if (/"(?:compiled|sierra)ClassFile"/.test(text)) return [];
    const programs = knownPrograms(config);
    const source = relative(root, absolute);
    const { tasks } = await parseTaskText(text, { folder: root, source, programs });
    return tasks.map((task: Task) => ({ task, source }));
  } catch {
    // A file that is no task file has no task.
    return [];
  }
}

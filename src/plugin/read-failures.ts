import { glob } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { JsonRpcRequest } from "hardhat/types/providers";
import type { Address, Hex } from "viem";
import { concatHex, isAddress, isHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { readTextFile } from "../base/files.js";
import { suggested } from "../errors/hdp-error.js";
import { type ChainIdentifier, chainIdentifierOf, isStarknet } from "../request/chains.js";
import type { Task } from "../request/task.js";
import { FAMILIES } from "../store/execution-store.js";
import { type AskedRead, askedRead, isFailedRead } from "../store/failed-read.js";
import {
  explainRead,
  explanationLines,
  type KnownState,
  type KnownTask,
  type ReadExplanation,
  type StoredTask,
} from "../submission/explain-read.js";
import type { SubmissionRecord } from "../submission/model.js";
import { KnownTasks } from "./known-tasks.js";
import { knownPrograms } from "./known-programs.js";
import { submissionsOf } from "./project-database.js";
import { rememberedValue } from "./result-value.js";
import type { Session } from "./session.js";
import { parseTaskText } from "./task-input.js";

/** Milliseconds that an explanation may take after a failed call, and those of them for the search of the asked task. */
const LIMIT = 180;
const SEARCH_LIMIT = 100;

/** Topic of `TaskFinalized(bytes32,bytes32)`. */
const TASK_FINALIZED = "0x95367d27ac8fa4179f2186af3ae52ed0aa89414fdfc0e9fb941c113a50c47791";
/** Numbers of latest submissions, of task files and of bytes in a file that are looked at. */
const MAX_RECORDS = 50;
const MAX_FILES = 50;
const MAX_FILE_BYTES = 100_000;
/** Results that are looked at, the latest. */
const MAX_STORED = 200;

/** Returns the data with which a call reverted, from the error of whatever node; undefined where it has none. */
export function revertDataOf(error: unknown): Hex | undefined {
  for (let at = error; isRecord(at); at = at["data"]) {
    const { data } = at;
    if (isHex(data)) return data;
  }
  return undefined;
}

/** Errors that were explained: Hardhat's own handlers pass the error of an inner call on. */
const explained = new WeakSet<object>();

/** Adds the reason of a failed read to the message of its error, and to the stack, which begins with the message. */
export async function addReason(
  session: Session,
  request: JsonRpcRequest,
  error: object & { message?: unknown; stack?: unknown },
): Promise<void> {
  if (explained.has(error)) return;
  const lines = await failedCallLines(session, request, error);
  const { message, stack } = error;
  if (lines === undefined || typeof message !== "string") return;
  explained.add(error);
  const longer = [message, ...lines.map((line) => `  ${line}`)].join("\n");
  error.message = longer;
  if (typeof stack === "string") error.stack = stack.replace(message, () => longer);
}

/** Returns why a call of a development chain failed, in lines; undefined for another failure, or within no time. */
export async function failedCallLines(
  session: Session,
  { method, params }: JsonRpcRequest,
  error: unknown,
): Promise<readonly string[] | undefined> {
  const revertData = revertDataOf(error);
  if (revertData === undefined || !isFailedRead(revertData)) return undefined;
  const explain = async (): Promise<readonly string[] | undefined> => {
    if (!(await session.isDevelopment())) return undefined;
    const call = { method, params: Array.isArray(params) ? params : [], error };
    const frame = await failedFrame(session, call);
    const read = askedRead(frame, revertData);
    return read && linesOf(await explainAsked(session, read, { frame }), session);
  };
  return await Promise.race([
    explain().catch(() => undefined),
    sleep(LIMIT, undefined, { ref: false }),
  ]);
}

/** Returns an explanation in lines, with the command that repeats it where the chain outlives this process. */
export function linesOf(explanation: ReadExplanation, session: Session): readonly string[] {
  const { isSimulated, networkName: network } = session;
  const command = suggested("hdp why", [explanation.asked.taskHash], { network });
  return [...explanationLines(explanation), ...(isSimulated ? [] : [`Again: ${command}`])];
}

interface FailedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly error: unknown;
}

/** Returns the failed call's frame of the `callTracer`; the call itself where the node has no traces. */
async function failedFrame(session: Session, failed: FailedCall): Promise<unknown> {
  const { params, error } = failed;
  const hash = transactionOf(error);
  if (hash !== undefined) return await transactionFrame(session, hash);
  const [call, block] = params;
  if (!isRecord(call)) return undefined;
  const { from, to, data, input, value } = call;
  const plain = { from, to, data: data ?? input, value };
  const at = typeof block === "string" || isRecord(block) ? block : "latest";
  return await session.provider
    .request({ method: "debug_traceCall", params: [plain, at, { tracer: "callTracer" }] })
    .catch(() => plain);
}

/** Returns the transaction that failed, where Hardhat's chain mined it before it reported the failure. */
function transactionOf(error: unknown): Hex | undefined {
  const { transactionHash, data } = isRecord(error) ? error : {};
  const hash = transactionHash ?? (isRecord(data) ? data["transactionHash"] : undefined);
  return isHex(hash) ? hash : undefined;
}

/** Returns the frame of a transaction. @throws an error of the node where it has no traces */
export async function transactionFrame(session: Session, hash: Hex): Promise<unknown> {
  const params = [hash, { tracer: "callTracer" }];
  return await session.provider.request({ method: "debug_traceTransaction", params });
}

interface ExplainOptions {
  /** Frame of the failed call: its accounts may be those that a task is about. */
  readonly frame?: unknown;
  /** Milliseconds to search for the asked task. */
  readonly timeout?: number | undefined;
}

/** Explains a read of a store from what the connection, the chain and the project know. */
export async function explainAsked(
  session: Session,
  read: AskedRead,
  { frame, timeout = SEARCH_LIMIT }: ExplainOptions = {},
): Promise<ReadExplanation> {
  const known = session.part(KnownTasks);
  const isDevelopment = await session.isDevelopment();
  const [stored, isPending, files, isHere] = await Promise.all([
    isDevelopment ? storedTasks(session).catch(() => []) : [],
    isDevelopment ? isStored(session, read, "pending") : false,
    taskFiles(session),
    deliversHere(session),
  ]);
  const { records, submissions } = recordsOf(session, read.taskHash);
  const remembered = known.tasks.map((task) => ({ task, source: "this process" }));
  const end = performance.now() + timeout;
  const state: KnownState = {
    tasks: [...remembered, ...files, ...records],
    stored,
    finalizedHere: known.finalized,
    isPending,
    submissions,
    isHere,
    valueOf: rememberedValue,
    addresses: [...new Set(accountsOf(frame))],
    isOver: () => performance.now() > end,
  };
  return explainRead(read, state);
}

/** Returns the results that stores of a development chain have, the latest first, by the events of its own blocks. */
async function storedTasks(session: Session): Promise<readonly StoredTask[]> {
  const { provider } = session;
  const metadata = await provider
    .request({ method: "hardhat_metadata", params: [] })
    .catch(() => undefined);
  const forked = isRecord(metadata) ? metadata["forkedNetwork"] : undefined;
  const block = isRecord(forked) ? forked["forkBlockNumber"] : undefined;
  const fromBlock = typeof block === "number" ? `0x${(block + 1).toString(16)}` : "0x0";
  const filter = { fromBlock, toBlock: "latest", topics: [TASK_FINALIZED] };
  const logs = await provider.request({ method: "eth_getLogs", params: [filter] });
  const events = Array.isArray(logs) ? logs.flatMap(storedTask) : [];
  const ofForks = typeof block === "number" ? await writtenTasks(session) : [];
  const all = [...ofForks, ...events.reverse()];
  const places = new Map(all.map((one) => [`${one.store} ${one.taskHash}`.toLowerCase(), one]));
  return [...places.values()].slice(0, MAX_STORED);
}

/** Returns the results that were written into the storage of a forked store, which makes no events. */
async function writtenTasks(session: Session): Promise<readonly StoredTask[]> {
  const { finalized } = session.part(KnownTasks);
  const stored = await Promise.all(
    finalized.map(async (one) => ((await isStored(session, one, "latest")) ? one : undefined)),
  );
  return stored.filter((one) => one !== undefined);
}

function storedTask(log: unknown): StoredTask[] {
  const { address, data } = isRecord(log) ? log : {};
  if (typeof address !== "string" || !isAddress(address, { strict: false })) return [];
  return isHex(data) && data.length === 130
    ? [{ store: address, taskHash: `0x${data.slice(2, 66)}` }]
    : [];
}

/** Returns whether a store of either kind has a result of a task in a block. */
async function isStored(
  session: Session,
  { store, taskHash }: StoredTask,
  block: "latest" | "pending",
): Promise<boolean> {
  const answers = Object.values(FAMILIES).map(async ({ result }) => {
    const call = { to: store, data: concatHex([result.selector, taskHash]) };
    const answer = await session.provider.request({ method: "eth_call", params: [call, block] });
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
function recordsOf(session: Session, taskHash: Hex): Recorded {
  try {
    const stores = submissionsOf(session);
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

/** Returns the datalake tasks of the project's files, `tasks/*.json`, except those with blocks of a chain's head. */
async function taskFiles(session: Session): Promise<readonly KnownTask[]> {
  const { root } = session;
  const paths: string[] = [];
  for await (const path of glob("tasks/**/*.json", { cwd: root })) {
    paths.push(path);
    if (paths.length === MAX_FILES) break;
  }
  const read = await Promise.all(paths.map(async (path) => await tasksOfFile(session, path)));
  return read.flat();
}

async function tasksOfFile(session: Session, path: string): Promise<readonly KnownTask[]> {
  const absolute = resolve(session.root, path);
  try {
    const text = await readTextFile(absolute, MAX_FILE_BYTES);
    // Hashing a module's class may take longer than an explanation.
    if (/"(?:compiled|sierra)ClassFile"/.test(text)) return [];
    const programs = knownPrograms(session.project.config);
    const source = relative(session.root, absolute);
    const { tasks } = await parseTaskText(text, { folder: session.root, source, programs });
    return tasks.map((task: Task) => ({ task, source }));
  } catch {
    // A file that is no task file has no task.
    return [];
  }
}

/** Returns a function that says whether results for a chain are delivered to the connected one. */
async function deliversHere(session: Session): Promise<(chain: ChainIdentifier) => boolean> {
  const { config, isSimulated, networkName } = session;
  const connected = isSimulated ? undefined : chainIdentifierOf(await session.chainId());
  return (chain) => {
    if (isStarknet(chain) || config.starknet[chain] !== undefined) return false;
    if ((config.chains[chain] ?? networkName) !== networkName) return false;
    return connected === undefined || connected === chain;
  };
}

/** Returns the accounts in a frame of a trace. */
function accountsOf(frame: unknown): readonly Address[] {
  if (!isRecord(frame)) return [];
  const { from, to, calls } = frame;
  const own = [from, to].flatMap((one) =>
    typeof one === "string" && isAddress(one, { strict: false }) ? [lower(one)] : [],
  );
  return [...own, ...(Array.isArray(calls) ? calls.flatMap(accountsOf) : [])];
}

function lower(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`;
}

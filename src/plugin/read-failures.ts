import { setTimeout as sleep } from "node:timers/promises";

import type { JsonRpcRequest } from "hardhat/types/providers";
import type { Address, Hex } from "viem";
import { isHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { requireTaskHash, lowerCase } from "../base/hex.js";
import { hdpError, suggested } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { TaskWord } from "../request/task-result.js";
import type { ExecutionStore } from "../store/execution-store.js";
import {
  type AskedRead,
  askedRead,
  failedReadOutput,
  isFailedRead,
  refusedStore,
  refusedStoreOf,
} from "../store/failed-read.js";
import { explainRead, type ReadExplanation } from "../submission/explain-read.js";
import type { HashedInCall } from "../submission/hashed-in-call.js";
import { mayBeOfOldTask } from "../submission/read-finding.js";
import { explanationLines } from "../submission/explanation-lines.js";
import { keepCaller, requestSite } from "./caller.js";
import { deliveryNetwork } from "./delivery-network.js";
import { destinationStore } from "./destination.js";
import { EXPLAIN_WITHIN } from "./explain-within.js";
import {
  type FailedCall,
  frameAccounts,
  type TracedCall,
  tracedCall,
  tracedTransaction,
} from "./traced-call.js";
import { knownState, type StoreElsewhere } from "./known-state.js";
import { KnownTasks } from "./known-tasks.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Session } from "./session.js";
import { EvmStores } from "./stores/evm-stores.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** Returns the data with which a call reverted, from the error of whatever node; undefined where it has none. */
function findRevertData(error: unknown): Hex | undefined {
  for (let at = error; isRecord(at); at = at["data"]) {
    const { data } = at;
    if (isHex(data)) return data;
  }
  return undefined;
}

/** Errors that were explained: Hardhat's own handlers pass the error of an inner call on. */
const explained = new WeakSet<object>();

/**
 * Adds the reason of a failed read to the message of its error, and to the stack, which begins with the message and ends
 * with the line of the project: V8 keeps ten frames, which Hardhat's hooks and a library take. The call failed at a time of
 * `performance.now()`: loading this file counts.
 */
export async function addReason(
  session: Session,
  request: JsonRpcRequest,
  error: object & { message?: unknown; stack?: unknown },
  failedAt: number,
): Promise<void> {
  const { message, stack } = error;
  if (explained.has(error) || typeof message !== "string") return;
  const found = await failedCallLines(session, request, error, failedAt);
  const lines = found ?? lateLines(message);
  if (lines.length === 0) return;
  explained.add(error);
  const longer = [withoutReason(message, lines), ...lines.map((line) => `  ${line}`)].join("\n");
  error.message = longer;
  if (typeof stack === "string") error.stack = stack.replace(message, () => longer);
  keepCaller(error, requestSite());
}

/** Returns what is said where no reason was found in time; nothing where a node with this plugin has given one. */
function lateLines(message: string): readonly string[] {
  if (message.includes("\n")) return [];
  return [`No explanation was found within ${EXPLAIN_WITHIN.all} ms: run this test alone.`];
}

/** Returns a message without the reason that the node gave: a node with this plugin knows the call, and not this project. */
function withoutReason(message: string, [first]: readonly string[]): string {
  const at = message.indexOf(`\n  ${first}`);
  return at < 0 ? message : message.slice(0, at);
}

/** Returns why a call of a development chain failed, in lines; none for another failure, undefined within no time. */
async function failedCallLines(
  session: Session,
  { method, params }: JsonRpcRequest,
  error: unknown,
  failedAt: number,
): Promise<readonly string[] | undefined> {
  const revertData = findRevertData(error);
  if (revertData === undefined) return [];
  const call = { method, params: Array.isArray(params) ? params : [], error };
  if (revertData === "0x") return await silentFailureLines(session, call, failedAt);
  const noStore = refusedStore(revertData);
  if (noStore === undefined && !isFailedRead(revertData)) return [];
  const { underWay } = session.part(KnownTasks);
  const isDevelopment = await withinLimit(failedAt, async () => await session.isDevelopment());
  if (isDevelopment !== true) return [];
  const explain = async (deadline: number): Promise<readonly string[]> => {
    if (noStore !== undefined) return await noStoreLines(session, noStore);
    const traced = await tracedCall(session, call);
    const read = askedRead(traced.frame, revertData);
    if (read === undefined) return [];
    const options = { traced, underWay, deadline };
    return readFailureLines(await explainAsked(session, read, options), session);
  };
  return await withinLimit(failedAt, async (deadline) => await explain(deadline).catch(() => []));
}

/** Returns why a call of a development chain reverted without data, in lines, where a store lacks the called function. */
async function silentFailureLines(
  session: Session,
  call: FailedCall,
  failedAt: number,
): Promise<readonly string[]> {
  const lines = await withinLimit(failedAt, async () => {
    if (!(await session.isDevelopment())) return [];
    const { otherKindLines } = await import("./other-kind.js");
    const { frame } = await tracedCall(session, call);
    return await otherKindLines(session, frame);
  });
  return lines ?? [];
}

/** Returns what explains a failure; undefined where it does not end in time, or fails itself. */
async function withinLimit<T>(
  failedAt: number,
  explain: (deadline: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = failedAt + EXPLAIN_WITHIN.all;
  return await Promise.race([
    explain(deadline).catch(() => undefined),
    sleep(Math.max(deadline - performance.now(), 0), undefined, { ref: false }),
  ]);
}

/**
 * Returns why a call with the result of a task, simulated before it is sent, failed, in lines, on any chain; none for
 * another failure, or where the node has no traces.
 */
export async function refusedCallLines(
  session: Session,
  { params, error, delivered }: Omit<FailedCall, "method"> & { readonly delivered: Hex },
): Promise<readonly string[]> {
  const revertData = findRevertData(error);
  if (revertData === undefined) return [];
  const noStore = refusedStore(revertData);
  if (noStore !== undefined) return await noStoreLines(session, noStore);
  if (!isFailedRead(revertData)) return [];
  const traced = await tracedCall(session, { method: "eth_call", params, error });
  const read = askedRead(traced.frame, revertData);
  if (read === undefined) return [];
  const options = { traced, delivered, timeout: PATIENCE };
  const explanation = await explainAsked(session, read, options);
  return explanationLines(explanation, { useStore: useStoreCommand(explanation, session) });
}

async function noStoreLines(session: Session, account: Address): Promise<readonly string[]> {
  const { refusedStoreLines } = await import("./not-a-store.js");
  return await refusedStoreLines(session.networkName, session.part(EvmStores), account);
}

/** Returns an explanation in lines, with the command that repeats it where the chain outlives this process. */
function readFailureLines(
  explanation: ReadExplanation,
  network: ConnectedNetwork,
): readonly string[] {
  const { isSimulated, networkName } = network;
  const command = suggested("hdp why", [explanation.asked.taskHash], {
    network: networkName,
  });
  const useStore = useStoreCommand(explanation, network);
  return [
    ...explanationLines(explanation, { useStore }),
    ...(isSimulated ? [] : [`Again: ${command}`]),
  ];
}

/** Returns the command that makes the asked store the one in use; undefined for a chain that no other process has. */
export function useStoreCommand(
  { asked }: ReadExplanation,
  { isSimulated, networkName: network }: ConnectedNetwork,
): string | undefined {
  return isSimulated ? undefined : suggested("hdp store use", [asked.store], { network });
}

interface ExplainReadOptions {
  /** The failed call: its accounts may be those that a task is about, and it may have derived the task's hash. */
  readonly traced?: TracedCall | undefined;
  /** What was hashed, where that is known already. */
  readonly hashed?: HashedInCall | undefined;
  /** The task whose result the call brings. */
  readonly delivered?: Hex | undefined;
  /** The asked store, where it is not on the connected chain. */
  readonly elsewhere?: StoreElsewhere | undefined;
  /** The results that were being finalized when the read failed. */
  readonly underWay?: readonly TaskWord[] | undefined;
  /** Milliseconds to search for the asked task, and to read the project's contracts. Default: those of a failed call. */
  readonly timeout?: number | undefined;
  /** When the search ends at the latest, by `performance.now()`. */
  readonly deadline?: number | undefined;
}

/** Why a task has no result in a store, or the result that it has. */
export type ExplainedHash =
  | {
      readonly isFinalized: true;
      readonly cause?: undefined;
      readonly taskHash: Hex;
      readonly store: Address;
      readonly word: Hex;
      /** The destination whose store it is, where that is not on the connected chain. */
      readonly destination?: { readonly chain: ChainIdentifier; readonly network: string };
    }
  | ({ readonly isFinalized: false; readonly isCaught?: boolean } & ReadExplanation);

/** Milliseconds that a user who asks waits for the search. */
const PATIENCE = 5_000;

/** Which store is asked for a task hash. */
interface ExplainHashOptions {
  /** Another store than that of the chain. */
  readonly store?: string | undefined;
  /** The destination of the task. Default: the connected chain. */
  readonly chain?: ChainIdentifier | undefined;
}

/** Explains a task hash, by the store of its destination. @throws HDP-1113 for other text than 32 bytes of hex */
export async function explainHash(
  session: Session,
  hash: string,
  options: ExplainHashOptions = {},
): Promise<ExplainedHash> {
  const taskHash = lowerCase(requireTaskHash(hash));
  const { store, elsewhere } = await askedStore(session, options);
  if ((await store.status(taskHash)) === "finalized") {
    const { word } = await store.readResult(taskHash);
    const found = { isFinalized: true, taskHash, store: store.address, word } as const;
    if (elsewhere === undefined) return found;
    const { chain } = elsewhere;
    return { ...found, destination: { chain, network: deliveryNetwork(chain, session) } };
  }
  const read = { taskHash, store: store.address };
  const isHere = elsewhere === undefined && (await session.isDevelopment());
  const hashed = isHere ? await hashedByAny(session, taskHash) : undefined;
  const explanation = await explainAsked(session, read, { elsewhere, hashed, timeout: PATIENCE });
  return { isFinalized: false, ...explanation };
}

/** Opens the store that is asked, and says where it is if that is not the connected chain. */
async function askedStore(
  session: Session,
  { store: address, chain }: ExplainHashOptions,
): Promise<{ readonly store: ExecutionStore; readonly elsewhere: StoreElsewhere | undefined }> {
  const stores = await destinationStore(chain, session);
  const store = await stores.openForReading(address);
  const isHere = chain === undefined || stores.provider === session.provider;
  return { store, elsewhere: isHere ? undefined : { chain, store } };
}

/** Returns why a task is not finalized in the store of its destination, in lines; none on live chains. */
export async function unfinalizedLines(
  session: Session,
  taskHash: Hex,
  options: ExplainHashOptions,
): Promise<readonly string[]> {
  const { underWay } = session.part(KnownTasks);
  if (!(await session.isDevelopment())) return [];
  const explained = await withinLimit(performance.now(), async (deadline) => {
    const { store, elsewhere } = await askedStore(session, options);
    const read = { taskHash, store: store.address };
    return await explainAsked(session, read, { elsewhere, underWay, deadline });
  });
  // The first line says what the error's message says.
  return explained === undefined ? [] : readFailureLines(explained, session).slice(1);
}

/** A failed read in a transaction, explained. */
export interface ExplainedTransaction extends ReadExplanation {
  /** Whether the transaction succeeded: a contract in it caught the failure. */
  readonly isCaught: boolean;
}

/** A transaction in which no read of a store failed, or in which a contract took another account for a store. */
export interface ReadlessTransaction {
  readonly cause: "no-failed-read" | "not-a-store";
  readonly transaction: TransactionOutcome;
  /** What the account is that is no store, and which store there is. */
  readonly lines?: readonly string[];
}

/**
 * Explains the failed read of a transaction, or says how a mined transaction without one ended.
 * @throws HDP-6205 where the node gives no trace of it
 */
export async function explainTransaction(
  session: Session,
  hash: Hex,
): Promise<ExplainedTransaction | ReadlessTransaction> {
  const { networkName: network, project } = session;
  const traced = await tracedTransaction(session, hash).catch(() => {
    throw hdpError("HDP-6205", { network, hash });
  });
  const { frame } = traced;
  const output = failedReadOutput(frame);
  const read = output && askedRead(frame, output);
  if (read === undefined) {
    const { outcomeOf } = await import("./transaction-outcome.js");
    const transaction = await outcomeOf(hash, frame, project.artifacts);
    const account = refusedStoreOf(frame);
    if (account === undefined) return { cause: "no-failed-read", transaction };
    const lines = await noStoreLines(session, account);
    return { cause: "not-a-store", transaction, lines };
  }
  const explanation = await explainAsked(session, read, { traced, timeout: PATIENCE });
  return { ...explanation, isCaught: isRecord(frame) && frame["error"] === undefined };
}

/** Explains a read of a store from what the connection, the chain and the project know. */
async function explainAsked(
  session: Session,
  read: AskedRead,
  options: ExplainReadOptions = {},
): Promise<ReadExplanation> {
  const { traced, hashed: given, delivered, elsewhere, underWay, timeout } = options;
  const { deadline = Infinity } = options;
  const [known, hashed, call, written] = await Promise.all([
    knownState(session, read, { elsewhere, underWay }),
    given ?? (traced && hashedIn(session, read, { traced, deadline })),
    askingCallText(session, read, { traced, timeout }),
    import("./written-hash.js").then(
      async ({ findWrittenHash }) => await findWrittenHash(session, read, timeout),
    ),
  ]);
  const end = Math.min(performance.now() + (timeout ?? EXPLAIN_WITHIN.search), deadline);
  const addresses = [...new Set(frameAccounts(traced?.frame))];
  const asked = { ...read, call };
  const explanation = explainRead(asked, {
    ...known,
    hashed,
    delivered,
    addresses,
    isOver: () => performance.now() > end,
  });
  return mayBeOfOldTask(explanation) ? { ...explanation, written } : explanation;
}

/** Returns what a transaction of the chain hashed that hashed a task; undefined where that is not found in some seconds. */
async function hashedByAny(session: Session, taskHash: Hex): Promise<HashedInCall | undefined> {
  const { hashedOnChain } = await import("./hashed-bytes.js");
  const end = performance.now() + PATIENCE;
  const isOver = (): boolean => performance.now() > end;
  return await Promise.race([
    hashedOnChain(session, taskHash, isOver).catch(() => undefined),
    sleep(PATIENCE, undefined, { ref: false }),
  ]);
}

/** Returns what the failed call hashed; undefined where that is not known in a moment. */
async function hashedIn(
  session: Session,
  read: AskedRead,
  { traced, deadline }: { readonly traced: TracedCall; readonly deadline: number },
): Promise<HashedInCall | undefined> {
  const { hashedInCall } = await import("./hashed-bytes.js");
  const now = performance.now();
  const time = Math.min(deadline - now, PATIENCE) - EXPLAIN_WITHIN.rest;
  const isOver = (): boolean => performance.now() > now + time;
  return await Promise.race([
    hashedInCall(session, read, { traced, isOver }).catch(() => undefined),
    sleep(Math.max(time, 0), undefined, { ref: false }),
  ]);
}

/** Returns the call of the contract that asked in words; undefined where no contract of the project was called. */
async function askingCallText(
  session: Session,
  { asker }: AskedRead,
  { traced, timeout = EXPLAIN_WITHIN.contracts }: ExplainReadOptions,
): Promise<string | undefined> {
  if (asker === undefined) return undefined;
  const end = performance.now() + timeout;
  const { askingCallInWords } = await import("./project-contracts.js");
  const isOver = (): boolean => performance.now() > end;
  return await askingCallInWords(session, asker, { frame: traced?.frame, isOver });
}

import { createHash } from "node:crypto";

import type { Abi, Address, Hex } from "viem";
import { encodeFunctionData, isHex, toHex } from "viem/utils";

import { requireAddress } from "../base/hex.js";
import { isRecord } from "../base/collections.js";
import { poll } from "../base/polling.js";
import { HdpError, hdpError, inWords, isHdpError, suggested } from "../errors/hdp-error.js";
import type { AwaitOptions } from "../request/data-processor.js";
import type { TaskResult } from "../request/task-result.js";
import { transactionCount, transactionWithNonce } from "../store/account-nonce.js";
import { decodeRevert, revertData } from "../store/reverts.js";
import { request, StoreRpcError } from "../store/node-requests.js";
import { type StoreTransaction, transact } from "../store/transact.js";
import {
  accountAndNonce,
  areOfOtherChains,
  isLive,
  isUndecided,
  type SubmissionRecord,
  type Target,
  type WorkItem,
} from "../submission/model.js";
import { Pipeline } from "../submission/pipeline.js";
import { workIdentity } from "../submission/plan.js";
import type { SubmissionStore } from "../submission/submission-store.js";
import { nodeSystem } from "../submission/system.js";
import { destinationStore } from "./destination.js";
import { localSubmissions } from "./project-database.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Session } from "./session.js";
import { requireCount, UnknownSender, type WantedCall } from "./wanted-call.js";

/** What is called with a result, and how. */
export interface DeliverOptions extends AwaitOptions {
  /** The contract's name, with its address on the connected chain: `FeeGate@0x5FbD…0aa3`. */
  readonly contract: string;
  /** The function's name, or its signature where there are several of the name: `update(uint256)`. */
  readonly function: string;
  /** Returns the arguments, given the value and the Solidity types. Default: the value alone. */
  readonly args?: ((value: bigint, types: readonly string[]) => readonly unknown[]) | undefined;
  /** The account that sends. Default: the first one of the network. */
  readonly from?: Address | undefined;
  /** Send although it was sent before, or may have been. */
  readonly force?: boolean | undefined;
}

/** A call that was found before its result was waited for, and how it is sent. */
export interface WantedDelivery extends AwaitOptions, Pick<DeliverOptions, "args" | "force"> {
  readonly wanted: WantedCall;
}

/** A result that a contract was called with. */
export interface Delivery extends StoreTransaction {
  /** Whether an earlier delivery, of this process or another one, sent the transaction: nothing was sent now. */
  readonly isEarlier: boolean;
}

/** A delivery before its transaction: simulated, unless it was sent before. */
export interface PreparedDelivery {
  readonly result: TaskResult;
  /** The contract as it was named, with its checksummed address. */
  readonly contract: string;
  /** The call as text: `update(60000000)`. */
  readonly call: string;
  readonly from: Address;
  /** The transaction of an earlier delivery; undefined where none was sent. */
  readonly earlier: Delivery | undefined;
  /** Sends the transaction and waits until it is mined. Returns the earlier one where there is one. */
  readonly send: () => Promise<Delivery>;
}

/** A transaction that reverted when it was mined, although its simulation did not. */
class Reverted extends Error {}

/** Answers to a transaction that a node has already, or that replaces it: they do not say that it is not sent. */
const MAY_BE_SENT = /already (?:known|imported)|known transaction|underpriced|nonce too low/i;

/**
 * Simulates the call that brings a result to a contract, and returns how to send it once.
 * @throws HdpError HDP-6003 for arguments of another number, HDP-3016 where the contract refuses the call, HDP-3017 where it
 * is not known whether an earlier process sent it
 */
export async function prepareDelivery(
  result: TaskResult,
  session: Session,
  options: WantedDelivery,
): Promise<PreparedDelivery> {
  const call = prepareCall(result, options);
  const outbox = await openOutbox(call, session, options);
  const earlier = options.force === true ? undefined : await earlierDelivery(outbox);
  if (earlier === undefined) await simulate(outbox);
  const { contract, text, from } = call;
  const send = async (): Promise<Delivery> => earlier ?? (await deliverOnce(outbox));
  return { result, contract, call: text, from, earlier, send };
}

/** A call with its result. */
interface DeliveryCall {
  readonly result: TaskResult;
  readonly contract: string;
  readonly text: string;
  /** Whether the value of the result is one of the arguments. */
  readonly isBrought: boolean;
  readonly abi: Abi;
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

function prepareCall(result: TaskResult, { wanted, args }: WantedDelivery): DeliveryCall {
  const { contract, abi, called, types, from, to } = wanted;
  const values = args?.(result.value, types) ?? [result.value];
  requireCount(values, called);
  const data = encodeFunctionData({ abi: [called], args: values });
  const text = `${called.name}(${values.map(String).join(", ")})`;
  const isBrought = values.some((value) => value === result.value);
  return { result, contract, text, isBrought, abi, from, to, data };
}

/** A call with where it is recorded before it is sent. */
interface Outbox {
  readonly call: DeliveryCall;
  readonly session: Session;
  readonly options: WantedDelivery;
  readonly store: SubmissionStore;
  readonly pipeline: Pipeline;
  readonly target: Target;
  readonly item: WorkItem;
  /** Whether the chain is a development chain, which may go back to before a transaction. */
  readonly startsAnew: boolean;
}

async function openOutbox(
  call: DeliveryCall,
  session: Session,
  options: WantedDelivery,
): Promise<Outbox> {
  const store = localSubmissions(session);
  const startsAnew = await session.isDevelopment();
  const genesis = await readGenesis(session);
  const { contract, to, data, result } = call;
  const hash = createHash("sha256").update(`${result.taskHash} ${to} ${data}`).digest("hex");
  const target: Target = {
    network: session.networkName,
    processor: startsAnew ? "development chain" : "chain",
    host: contract,
    endpoint: `${to.toLowerCase()} on ${await session.chainId()}`,
    genesis,
  };
  // One chain has several networks, of which one may be configured as a development chain: the first block tells chains apart.
  const identity = workIdentity("delivery", hash, target, { startsAnew: true });
  const pipeline = new Pipeline({ store, system: nodeSystem, outcomeOf: classifyFailure });
  return { call, session, options, store, pipeline, target, item: { hash, identity }, startsAnew };
}

/** Returns the hash of the chain's first block; undefined where the node has none. @throws HdpError HDP-4103 without an answer */
async function readGenesis(network: ConnectedNetwork): Promise<Hex | undefined> {
  return await network.blockHash(0n).catch((error: unknown) => {
    if (isHdpError(error, "HDP-4102")) return undefined;
    throw error;
  });
}

/** Returns the records of a delivery on a chain, by whatever network. A chain whose first block is not known may be it. */
function findRecords({ store, item, target }: Outbox): readonly SubmissionRecord[] {
  return store
    .withHashes([item.hash])
    .filter(
      (record) =>
        record.endpoint === target.endpoint && !areOfOtherChains(record.genesis, target.genesis),
    );
}

/** The record of a delivery is gone or was ended by another program: without it nothing may leave. */
class NotRecorded extends HdpError {
  public constructor(call: string) {
    super(inWords("HDP-3018", { call }));
  }
}

function classifyFailure(error: unknown): "refused" | "unknown" {
  if (error instanceof NotRecorded || error instanceof UnknownSender) return "refused";
  if (error instanceof Reverted || revertData(error) !== undefined) return "refused";
  const isRefusal =
    error instanceof StoreRpcError &&
    error.method === "eth_sendTransaction" &&
    error.isAnswer &&
    !MAY_BE_SENT.test(error.message);
  return isRefusal ? "refused" : "unknown";
}

/** Returns what was sent before, after finding out what became of a transaction whose process ended. */
async function earlierDelivery(outbox: Outbox): Promise<Delivery | undefined> {
  for (const record of findRecords(outbox)) {
    if (!isUndecided(record) || outbox.pipeline.isBeingSent(record)) continue;
    refuseOtherKind(record, outbox);
    await settleByNonce(record, outbox);
  }
  const sent = findRecords(outbox).findLast(isLive);
  return sent === undefined ? undefined : await minedBefore(sent, outbox);
}

/**
 * Refuses to judge a record of a development chain on another one, and the reverse: a fork has the first block of the chain
 * that it copies, and what is not mined here may be mined there. @throws HdpError HDP-3017
 */
function refuseOtherKind({ processor, network }: SubmissionRecord, outbox: Outbox): void {
  if (processor === outbox.target.processor) return;
  const from = `it was sent on network "${network}", a ${processor} with this chain's id and first block`;
  throw notKnown(outbox, `${from}, and is not mined here`);
}

/** Returns the transaction of a delivery; undefined where a development chain went back to before it. */
async function minedBefore(
  record: SubmissionRecord,
  outbox: Outbox,
): Promise<Delivery | undefined> {
  const { session, startsAnew, store, item } = outbox;
  const { serviceId: hash } = record;
  const receipt = await request(session.provider, "eth_getTransactionReceipt", [hash]);
  if (isHex(hash) && isRecord(receipt)) {
    const { blockNumber, gasUsed } = receipt;
    if (isHex(blockNumber) && isHex(gasUsed))
      return {
        isEarlier: true,
        transactionHash: hash,
        blockNumber: BigInt(blockNumber),
        gasUsed: BigInt(gasUsed),
      };
  }
  refuseOtherKind(record, outbox);
  if (!startsAnew) throw notKnown(outbox, `transaction ${hash} is not mined, or not any more`);
  store.release(record.id, item.hash);
  void store.move(record.id, ["accepted", "finalized"], "failed", {
    reason: "the chain went back",
  });
  return undefined;
}

/**
 * Finds out whether a transaction was sent whose process ended meanwhile. Its account and nonce were recorded before:
 * only one transaction with them can be mined. Where none is, sends it under the same nonce.
 */
async function settleByNonce(record: SubmissionRecord, outbox: Outbox): Promise<void> {
  const { store, session } = outbox;
  const { provider } = session;
  const sentBy = accountAndNonce(record.serviceId);
  const undecided = ["sending", "unknown"] as const;
  if (sentBy === undefined) {
    void store.move(record.id, undecided, "refused", { reason: "nothing was sent" });
    return;
  }
  const [from, nonce] = [requireAddress(sentBy[0]), BigInt(sentBy[1])];
  if ((await transactionCount(provider, from, "latest")) <= nonce)
    await sendAgain({ from, nonce }, outbox);
  const found = await transactionWithNonce(provider, from, nonce);
  if (found === undefined)
    throw notKnown(outbox, `the node does not say what ${from} sent under the nonce ${nonce}`);
  const { to, data } = outbox.call;
  const isOwn = found.to === to.toLowerCase() && found.data === data;
  const receipt = await request(provider, "eth_getTransactionReceipt", [found.hash]);
  const isDone = isOwn && isRecord(receipt) && receipt["status"] !== "0x0";
  const reason = isOwn ? `transaction ${found.hash} reverted` : "another transaction has its nonce";
  if (isDone) void store.move(record.id, undecided, "finalized", { serviceId: found.hash });
  else void store.move(record.id, undecided, "refused", { reason });
}

/** Sends the transaction under a nonce, and waits until one with the nonce is mined, be it this or the earlier one. */
async function sendAgain(
  { from, nonce }: { readonly from: Address; readonly nonce: bigint },
  outbox: Outbox,
): Promise<void> {
  const { session, options, call } = outbox;
  const { provider } = session;
  const transaction = { from, to: call.to, data: call.data, nonce: toHex(nonce) };
  try {
    await request(provider, "eth_sendTransaction", [transaction], { signal: options.signal });
  } catch (error) {
    // The node may have the earlier one; a revert is found by its receipt, or by the next simulation.
    if (!(error instanceof StoreRpcError && error.isAnswer) && revertData(error) === undefined)
      throw error;
  }
  const { clock, random } = nodeSystem;
  const { signal, timeout = 120_000 } = options;
  await poll<boolean>({
    options: { signal, timeout, clock, random },
    look: async () => (await transactionCount(provider, from, "latest")) > nonce,
    onNew: () => undefined,
    shownAs: String,
    done: (isUsed) => isUsed,
    what: `a transaction of ${from} with the nonce ${nonce}`,
    describe: () => "none is mined",
    comeBack: "Deliver again later: it goes on waiting for it.",
  });
}

/** Hint for a call without the value of the result. */
const VALUE_HINT =
  'The call does not bring the value: write "value" where the function takes it, or leave the arguments out.';

/** Simulates the call on the latest block. @throws HdpError HDP-3016 where the contract reverts */
async function simulate({ call, session }: Outbox): Promise<void> {
  const { provider } = session;
  const { from, to, data, contract, text, result, isBrought } = call;
  const refusedFor = (reason: string, lines: readonly string[] = []): Error => {
    const { taskHash: hash, value } = result;
    const hints = isBrought ? lines : [...lines, VALUE_HINT];
    return hdpError("HDP-3016", { contract, call: text, reason, hash, value }, { hints });
  };
  const params = [{ from, to, data }, "latest"];
  try {
    await request(provider, "eth_call", params);
  } catch (error) {
    const revert = revertData(error);
    if (revert === undefined) throw error;
    if (revert === "0x") throw refusedFor(await emptyRevert(to, session));
    const { refusedCallLines } = await import("./read-failures.js");
    // What explains the refusal must not replace it.
    const lines = await refusedCallLines(session, {
      params,
      error,
      delivered: result.taskHash,
    }).catch(() => []);
    throw refusedFor(decodeRevert(revert, call.abi).text, lines);
  }
}

/** Returns what a revert without data means at an address: the store in use, or code without the function. */
async function emptyRevert(to: Address, session: Session): Promise<string> {
  const store = await destinationStore(undefined, session)
    .then(async (stores) => await stores.openForReading(undefined))
    .catch(() => undefined);
  if (store?.address.toLowerCase() === to.toLowerCase())
    return "it reverted without data, as the address is that of the execution store";
  return "it reverted without data, as a contract may that has no such function";
}

/** Throws an error of sending; where a node refuses an account that is not the network's, with those that are. */
async function throwUnsent(
  error: unknown,
  from: Address,
  network: ConnectedNetwork,
): Promise<never> {
  if (classifyFailure(error) !== "refused" || !(error instanceof StoreRpcError)) throw error;
  const accounts = await network.accounts();
  if (accounts.some((account) => account.toLowerCase() === from.toLowerCase())) throw error;
  throw new UnknownSender(from, network.networkName, accounts, error);
}

/** Sends the transaction unless a process did: the record with account and nonce is on the disk before it leaves. */
async function deliverOnce(outbox: Outbox): Promise<Delivery> {
  const { call, session, options, store, pipeline, target, item } = outbox;
  const { from, to, data } = call;
  const { force, signal, timeout } = options;
  const { sent } = await pipeline.submit<StoreTransaction>({
    kind: "delivery",
    target,
    items: [item],
    force,
    signal,
    label: `of ${call.text} for task ${call.result.taskHash}`,
    send: async (_, { idempotencyKey: id }) => {
      const nonce = await transactionCount(session.provider, from, "pending");
      const named = { serviceId: `${from} ${nonce}` };
      if (!store.move(id, ["sending"], "sending", named)) throw new NotRecorded(call.text);
      const transaction = { from, to, data, nonce: toHex(nonce) };
      const waiting = { signal, timeout };
      const mined = await transact(session.provider, transaction, waiting).catch(
        async (error: unknown) => await throwUnsent(error, from, session),
      );
      const { reverted, transactionHash, blockNumber, gasUsed } = mined;
      if (reverted) throw new Reverted(`transaction ${transactionHash} reverted`);
      const answer = { transactionHash, blockNumber, gasUsed };
      return { answer, serviceId: transactionHash, isDone: true };
    },
  });
  if (sent !== undefined) return { ...sent.answer, isEarlier: false };
  const earlier = await earlierDelivery(outbox);
  if (earlier === undefined) throw notKnown(outbox, "another process was sending it");
  return earlier;
}

function notKnown({ call, session }: Outbox, reason: string): Error {
  const { contract, text, from } = call;
  const again = suggested("hdp deliver", [], { network: session.networkName, after: "… --force" });
  return hdpError("HDP-3017", { contract, call: text, reason, from, again });
}

import { createHash } from "node:crypto";

import type { Hex } from "viem";

import { isHdpError } from "../errors/hdp-error.js";
import { SECRETS } from "../errors/secrets.js";
import { printable } from "../errors/printable.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { TaskStatus } from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import { KINDS, type SubmissionKind } from "./kinds.js";

/** What holds in one state of a submission. */
export interface StateRow {
  /** The word for users. */
  readonly shown: string;
  /** Whether the service accepted the submission and it did not fail. */
  readonly isLive: boolean;
  /** Whether it is unknown if the service accepted the submission. */
  readonly isUndecided: boolean;
  /** Whether something is left to do: `by kind` as the submission's kind says. */
  readonly unfinished: boolean | "by kind";
}

const over = (shown: string): StateRow => ({
  shown,
  isLive: false,
  isUndecided: false,
  unfinished: false,
});
const undecided = { shown: "unknown", isLive: false, isUndecided: true, unfinished: true } as const;
const live = { isLive: true, isUndecided: false, unfinished: "by kind" } as const;

/** All states of a submission. What a user can do in each stands in `recovery.ts`, which does not compile without it. */
export const STATES = {
  /** Recorded, and not sent yet: nothing has left this machine. */
  claimed: { shown: "not sent", isLive: false, isUndecided: false, unfinished: true },
  /** About to be sent or under way; without a later state it may have been accepted. */
  sending: undecided,
  /** Sent, without an answer that tells whether it was accepted. */
  unknown: undecided,
  /** The service is working on it. */
  accepted: { shown: "accepted", ...live },
  /** The service has ended its work on it, well. */
  finalized: { shown: "finalized", ...live },
  /** The service has ended its work on it without a result. */
  failed: over("failed"),
  /** Certainly not accepted. */
  refused: over("refused"),
  /** Given up by the user. */
  lost: over("given up"),
} as const satisfies Readonly<Record<string, StateRow>>;
/** State of a submission in the submission store. */
export type SubmissionState = keyof typeof STATES;

interface InState {
  readonly state: SubmissionState;
}

/** Returns whether it is unknown if the service accepted the submission. */
export function isUndecided({ state }: InState): boolean {
  return STATES[state].isUndecided;
}

/** Returns whether the service accepted the submission and it did not fail. */
export function isLive({ state }: InState): boolean {
  return STATES[state].isLive;
}

/** Returns whether a service may have had the submission: it was not only recorded, nor refused. */
export function mayHaveArrived({ state }: InState): boolean {
  return state !== "claimed" && state !== "refused";
}

/** Returns whether a submission has not ended, or its results were not read. A grow order never ends. */
export function isUnfinished({ state, kind, parts }: SubmissionRecord): boolean {
  const { unfinished } = STATES[state];
  if (unfinished !== "by kind") return unfinished;
  if (state === "accepted") return KINDS[kind].ends !== "never";
  return KINDS[kind].hasResults && parts.some(({ word }) => word === undefined);
}

/** A service's host, and what distinguishes services on one host. */
export interface ServicePlace {
  /** Host and port. */
  readonly host: string;
  /** A digest of the normalized address. */
  readonly endpoint: string;
}

/** Where submissions were made: at the service of an endpoint, or locally without one; for one chain or any. */
export interface Sought {
  /** Distinguishes services on one host: a digest of the normalized address. */
  readonly endpoint?: string | undefined;
  readonly destinationChainId?: ChainIdentifier | undefined;
}

/** Destination of a submission, as far as it may be stored: no key, path or query of a URL. */
export interface Target extends Sought {
  /** The network's name in the configuration. */
  readonly network: string;
  /** `local`, the API version of a service, or the interface. */
  readonly processor: string;
  /** Host and port of the service. */
  readonly host?: string | undefined;
  /** Hash of the first block of the destination chain. */
  readonly genesis?: Hex | undefined;
}

/** Returns whether two first blocks are known to be of different chains: both are known, and differ. */
export function areOfOtherChains(genesis: Hex | undefined, other: Hex | undefined): boolean {
  return genesis !== undefined && other !== undefined && genesis !== other;
}

/** One item to send: a task, or the body of another submission. Its identity is `identityOf` it. */
export interface WorkItem {
  /** The task hash, the program hash, or the digest of a body. */
  readonly hash: string;
  /** Equal for two parts with the same work at the same service for the same chain. */
  readonly identity: string;
}

/** A task, or the single body of any other submission, as it is recorded. */
export interface PartRecord extends WorkItem {
  /** The service's own hash of the task, where it differs. */
  readonly serviceHash?: Hex | undefined;
  /** The result, once it was read from the execution store. */
  readonly word?: Hex | undefined;
  readonly store?: Hex | undefined;
  readonly transactionHash?: Hex | undefined;
  readonly blockNumber?: bigint | undefined;
  /** A local run's result, with the data that the execution store does not have. */
  readonly computed?: TaskResult | undefined;
}

/** A state that a service reported, and when. */
interface ObservedState extends TaskStatus {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A submission's kind and the name that its caller gave it. */
export interface Labelled {
  readonly kind: SubmissionKind;
  /** The caller's name for the submission: a file's name. */
  readonly label?: string | undefined;
}

/** The ids of a submission. */
export interface SubmissionIds {
  readonly id: string;
  /** The service's id, known since acceptance. Of a delivery, its account and nonce, and its transaction's hash once mined. */
  readonly serviceId?: string | undefined;
}

/** A submission as it is begun. */
export interface BegunSubmission extends SubmissionIds, Target, Labelled {
  readonly state: SubmissionState;
  /** Whether it was sent although an equal submission was sent before. */
  readonly forced: boolean;
  readonly sender?: string | undefined;
  /** The request of a submission of tasks. Private module inputs have no values unless the record is in memory. */
  readonly request?: TaskRequest | undefined;
}

/** A submission that was sent, or is about to be. Times are milliseconds since 1970. */
export interface SubmissionRecord extends BegunSubmission {
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Why it was refused, has an unknown outcome or was given up. */
  readonly reason?: string | undefined;
  readonly seen?: ObservedState | undefined;
  readonly parts: readonly PartRecord[];
}

/** Returns the account and the nonce that a delivery has in place of a service's id until its transaction is mined. */
export function accountAndNonce(
  serviceId: string | undefined,
): readonly [string, string] | undefined {
  const [, account, nonce] = /^(0x[0-9a-f]{40}) (\d+)$/i.exec(serviceId ?? "") ?? [];
  return account === undefined || nonce === undefined ? undefined : [account, nonce];
}

/** Returns the id under which every screen shows a submission: the service's once it has one. It may be printed. */
export function shownId({ id, serviceId }: SubmissionIds): string {
  if (accountAndNonce(serviceId) !== undefined) return id;
  return printable(serviceId ?? "", 200) || id;
}

/** Returns the hashes of a submission's tasks, in request order. */
export function submittedHashes({ parts }: SubmissionRecord): Hex[] {
  return parts.map(({ hash }): Hex => `0x${hash.slice(2)}`);
}

/** Returns a service's host and a digest of its address, equal for all spellings: scheme, default port, `localhost`, `//`, `%76`. */
export function serviceAddress({ hostname, port: written, pathname }: URL): ServicePlace {
  const port = DEFAULT_PORTS.includes(written) ? "" : written;
  const spelled = hostname.replace(/\.$/, "");
  // One service on this machine, by either name.
  const name = spelled === "localhost" ? "127.0.0.1" : spelled;
  const path = pathname
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
    })
    .replace(/\/+/g, "/")
    .replace(/\/$/, "");
  const digest = createHash("sha256").update(`${name}:${port}${path}`).digest("hex");
  return { host: port === "" ? name : `${name}:${port}`, endpoint: digest.slice(0, 16) };
}

/** The default ports of http and https: the scheme doesn't distinguish services. */
const DEFAULT_PORTS = ["80", "443"];

/** Addresses, with what is not stored of them: user, path and query. Punctuation behind an address is not its own. */
const ADDRESS =
  /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']*)[^\s"']*?(?=[.,:;)]{0,2}(?:[\s"']|$))/gi;

/** Returns external text in a form to store and print: without secrets, paths of URLs and control characters. */
export function storedText(text: string): string {
  return printable(SECRETS.redact(text).replaceAll(ADDRESS, "$1$2"));
}

/** Returns a failure's reason to store, as a clause; of other packages' errors, which may hold keys, only the name. */
export function failureReason(error: unknown): string {
  if (isHdpError(error))
    return storedText(`${error.code}: ${error.shortMessage}`).replace(/\.$/, "");
  return error instanceof Error ? error.name : "unknown error";
}

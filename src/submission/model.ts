import { createHash } from "node:crypto";

import type { Hex } from "viem";

import { isHdpError } from "../errors/hdp-error.js";
import { SECRETS } from "../base/secrets.js";
import { printable } from "../base/text.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { TaskResult, TaskStatus } from "../request/lifecycle.js";
import type { TaskRequest } from "../request/task.js";

/** What is sent: tasks to a data processor, or something else that a service may charge for. */
export const KINDS = ["tasks", "storage-proof", "program", "grow-order"] as const;
export type SubmissionKind = (typeof KINDS)[number];

/**
 * - `claimed`: recorded, and not sent yet: nothing has left this machine
 * - `sending`: about to be sent or under way; without a later state it may have been accepted
 * - `unknown`: sent, and no answer says whether it was accepted
 * - `accepted`: the service works on it
 * - `finalized`, `failed`: the service is done with it
 * - `refused`: certainly not accepted
 * - `lost`: given up by the user
 */
export const STATES = ["claimed", "sending", "unknown", "accepted", "finalized", "failed", "refused", "lost"] as const;
export type SubmissionState = (typeof STATES)[number];

/** States in which nobody knows whether the service accepted the submission. */
export function isUndecided({ state }: Pick<SubmissionRecord, "state">): boolean {
  return state === "sending" || state === "unknown";
}

/** States of a submission that the service accepted and that did not fail. */
export function isLive({ state }: Pick<SubmissionRecord, "state">): boolean {
  return state === "accepted" || state === "finalized";
}

/** Whether something is left to do: it is not over, or results were not read. A grow order never ends. */
export function isUnfinished({ state, kind, parts }: SubmissionRecord): boolean {
  if (state === "finalized") return kind === "tasks" && parts.some(({ word }) => word === undefined);
  if (state === "accepted") return kind !== "grow-order";
  return state === "claimed" || state === "sending" || state === "unknown";
}

/** Where something is sent, as far as it may be stored: no key, path or query of a URL. */
export interface Target {
  /** The network's name in the configuration. */
  readonly network: string;
  /** `local`, the API version of a service, or the interface. */
  readonly processor: string;
  /** Host and port of the service. */
  readonly host?: string | undefined;
  /** Distinguishes services on one host: a digest of the normalized address. */
  readonly endpoint?: string | undefined;
  readonly destinationChainId?: ChainIdentifier | undefined;
  /** Hash of the first block of the destination chain. */
  readonly genesis?: Hex | undefined;
}

/** A task, or the one body of any other submission. */
export interface PartRecord {
  /** The task hash, the program hash, or the digest of a body. */
  readonly hash: string;
  /** Equal for two parts that are the same work at the same service for the same chain. */
  readonly identity: string;
  /** The service's own hash of the task, where it differs. */
  readonly serviceHash?: Hex | undefined;
  /** The result, once it was read from the execution store. */
  readonly word?: Hex | undefined;
  readonly store?: Hex | undefined;
  readonly transactionHash?: Hex | undefined;
  readonly blockNumber?: bigint | undefined;
  /** What a local run knows of its result. */
  readonly computed?: ComputedPart | undefined;
}

/** What a local run knows of its result beside what the execution store says. */
export type ComputedPart = Pick<
  TaskResult,
  | "word"
  | "store"
  | "transactionHash"
  | "blockNumber"
  | "gasUsed"
  | "proven"
  | "samples"
  | "output"
  | "module"
  | "anchor"
>;

/** A state that was observed at the data processor. */
export interface ObservedState extends TaskStatus {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Something that was sent, or is about to be. Times are milliseconds since 1970. */
export interface SubmissionRecord extends Target {
  readonly id: string;
  readonly kind: SubmissionKind;
  readonly state: SubmissionState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The service's id, known from acceptance on. */
  readonly serviceId?: string | undefined;
  /** The caller's name for it, a file's name. */
  readonly label?: string | undefined;
  /** Sent although the same was sent before. */
  readonly forced: boolean;
  /** Why it was refused, is of unknown outcome or was given up. */
  readonly reason?: string | undefined;
  /** The process that sends it. */
  readonly sender?: string | undefined;
  /** The state that was observed last. */
  readonly seen?: ObservedState | undefined;
  /** What was sent, of tasks. Private module inputs have no values unless the record is in memory. */
  readonly request?: TaskRequest | undefined;
  readonly parts: readonly PartRecord[];
}

/** Hashes of a submission's tasks, in request order. */
export function taskHashesOf({ parts }: Pick<SubmissionRecord, "parts">): Hex[] {
  return parts.map(({ hash }): Hex => `0x${hash.slice(2)}`);
}

/**
 * Host and a digest of a service's address. Spellings of one address are equal: the scheme, its default port, a dot
 * behind the host, `//`, percent-encoded letters, a slash at the end.
 */
export function placeOf({ hostname, port, pathname }: URL): Required<Pick<Target, "host" | "endpoint">> {
  const name = hostname.replace(/\.$/, "");
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

/**
 * Text from outside as it may be stored and shown: secrets and the paths of URLs are left out, what could control a
 * screen too.
 */
export function storedText(text: string): string {
  return printable(
    SECRETS.redact(text).replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']*)[^\s"']*/gi, "$1$2"),
  );
}

/** Why something failed, as it may be stored. Words of errors of others may hold addresses and keys: only their name. */
export function reasonOf(error: unknown): string {
  if (isHdpError(error)) return storedText(`${error.code}: ${error.shortMessage}`);
  return error instanceof Error ? error.name : "unknown error";
}

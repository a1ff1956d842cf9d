import { createHash } from "node:crypto";

import { z } from "zod";

import { jsonText } from "../base/json.js";
import { sealLine } from "../base/log-line.js";
import { chainIdentifier, decimal, hex, journaledRequest } from "./journaled-request.js";

/** Version of the line format, written in every line. */
export const FORMAT_VERSION = 1;

const common = {
  v: z.literal(FORMAT_VERSION),
  /** The journal's id of the submission: given at the intent, before the service has one. */
  id: z.string().min(1),
  at: z.string().datetime(),
};

const target = {
  destinationChainId: chainIdentifier,
  processor: z.string(),
  network: z.string(),
  endpointHost: z.string().optional(),
  /** Tells services on one host apart; lines of 0.1.0 have none. */
  endpointId: z.string().optional(),
  /**
   * First block of the chain that the results go to: a development chain that starts anew keeps its id. Lines of 0.1.0
   * have none.
   */
  genesis: hex.optional(),
  taskHashes: z.array(hex).min(1).readonly(),
};

const intent = z.object({
  ...common,
  event: z.literal("intent"),
  ...target,
  forced: z.boolean().optional(),
  request: journaledRequest,
});

/** Repeats the intent's target, so that an accepted submission survives the loss of its intent's line. */
const accepted = z.object({
  ...common,
  event: z.literal("accepted"),
  ...target,
  serviceId: z.string().min(1),
  serviceProcessor: z.string(),
  serviceTaskHashes: z.array(hex).readonly().optional(),
});

const refused = z.object({ ...common, event: z.literal("refused"), reason: z.string() });
const unknown = z.object({ ...common, event: z.literal("unknown"), reason: z.string() });

const status = z.object({
  ...common,
  event: z.literal("status"),
  name: z.string(),
  phase: z.enum(["pending", "finalized"]),
  detail: z.string().optional(),
});

const failed = z.object({
  ...common,
  event: z.literal("failed"),
  name: z.string(),
  detail: z.string().optional(),
});

const result = z.object({
  ...common,
  event: z.literal("result"),
  taskHash: hex,
  word: hex,
  store: hex,
  transactionHash: hex.optional(),
  blockNumber: decimal.optional(),
});

const lost = z.object({ ...common, event: z.literal("lost"), reason: z.string().optional() });

/** A person knows of damage in the file: it stops no submission any more. About no submission: the id is its own. */
const repaired = z.object({
  ...common,
  event: z.literal("repaired"),
  damage: z.array(z.object({ line: z.number().int().positive(), reason: z.string() })).readonly(),
});

/** What is sent to a service beside tasks, and may cost money. */
export const CALL_KINDS = ["storage-proof", "program", "grow-order"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

const callTarget = {
  kind: z.enum(CALL_KINDS),
  network: z.string(),
  endpointHost: z.string().optional(),
  endpointId: z.string().optional(),
  /** Tells bodies apart: a program's hash, else `sha256:` of the body. The body itself is not written down. */
  content: z.string().regex(/^(?:0x[0-9a-f]{1,64}|sha256:[0-9a-f]{64})$/),
  /** The caller's word for it: a file's name. */
  label: z.string().max(300).optional(),
};

/** The intent of a call: as for tasks, it is on the disk before anything is sent. */
const call = z.object({ ...common, event: z.literal("call"), ...callTarget, forced: z.boolean().optional() });

/** Repeats the call's target, so that it survives the loss of the intent's line. */
const callAccepted = z.object({
  ...common,
  event: z.literal("call-accepted"),
  ...callTarget,
  /** Missing where the reply names none: the replies to grow orders are not published. */
  serviceId: z.string().min(1).optional(),
});

export const journalEntry = z.discriminatedUnion("event", [
  call,
  callAccepted,
  intent,
  accepted,
  refused,
  unknown,
  status,
  failed,
  result,
  lost,
  repaired,
]);

/** One line of the journal. */
export type JournalEntry = z.output<typeof journalEntry>;
type EntryOf<E extends JournalEntry["event"]> = Extract<JournalEntry, { event: E }>;
export type IntentEntry = EntryOf<"intent">;
export type ResultEntry = EntryOf<"result">;
export type CallEntry = EntryOf<"call">;

/** Where a submission goes: what tells whether two submissions of one task are the same. */
export type SubmissionTarget = Pick<
  IntentEntry,
  "destinationChainId" | "processor" | "network" | "endpointHost" | "endpointId" | "genesis"
>;

/** Where a call goes, and what tells whether two calls are the same. */
export type CallTarget = Pick<CallEntry, "kind" | "network" | "endpointHost" | "endpointId" | "content" | "label">;

/**
 * What tells a service's address from others without showing it: paths may hold keys. The same with and without a
 * slash at its end.
 */
export function endpointIdOf({ protocol, host, pathname }: URL): string {
  const address = `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
  return createHash("sha256").update(address).digest("hex").slice(0, 16);
}

/** What tells an endpoint in a submission's or a call's target. */
export type Place = Required<Pick<SubmissionTarget, "endpointHost" | "endpointId">>;

/** Of an address, what may be written down: its host, and what tells it from others there. */
export function placeOf(endpoint: URL): Place {
  return { endpointHost: endpoint.host, endpointId: endpointIdOf(endpoint) };
}

/** Whether a submission was made at an endpoint. Lines of 0.1.0 only tell the host. */
export function isMadeAt(
  record: Pick<SubmissionTarget, "endpointHost" | "endpointId">,
  target: Pick<SubmissionTarget, "endpointHost" | "endpointId">,
): boolean {
  if (record.endpointHost !== target.endpointHost) return false;
  return record.endpointId === undefined || record.endpointId === target.endpointId;
}

/** Whether two submissions certainly went to different chains. */
export function isOnAnotherChain(
  record: Pick<SubmissionTarget, "genesis">,
  target: Pick<SubmissionTarget, "genesis">,
): boolean {
  return record.genesis !== undefined && target.genesis !== undefined && record.genesis !== target.genesis;
}

type WithoutCommon<E> = E extends JournalEntry ? Omit<E, "v" | "at"> : never;

/** An entry to append: the journal adds the format version and the time. */
export type NewEntry = WithoutCommon<JournalEntry>;

/**
 * One line, without its line feed. The entry goes through the schema on its way out: a field that the schema does not
 * name (a private input's value, an option carried along by mistake) cannot reach the disk.
 */
export function encodeEntry(entry: NewEntry, at: Date): string {
  const whole: unknown = JSON.parse(jsonText({ ...entry, v: FORMAT_VERSION, at: at.toISOString() }));
  return sealLine(jsonText(journalEntry.parse(whole)));
}

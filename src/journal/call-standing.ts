import { pastableName, suggested } from "../errors/suggested.js";
import { printable } from "../base/text.js";
import type { CallRecord } from "./call-record.js";
import type { CallKind } from "./journal-entry.js";
import { notAccepted, type Standing, type WayOut } from "./standing.js";

const WHAT: Readonly<Record<CallKind, string>> = {
  "storage-proof": "storage proof request",
  program: "program upload",
  "grow-order": "grow order",
};

/** What a call is: "storage proof request proof.json". */
export function nameOfCall({ kind, label }: Pick<CallRecord, "kind" | "label">): string {
  return label === undefined ? WHAT[kind] : `${WHAT[kind]} ${printable(label, 200)}`;
}

const COMMANDS: Readonly<Record<CallKind, string>> = {
  "storage-proof": "hdp:proof:submit",
  program: "hdp:program:upload",
  "grow-order": "hdp grow-orders create",
};

/** When, where, under which id and in which state something was sent, in one sentence without its beginning. */
export function sentBefore(record: CallRecord): string {
  const { firstAt, endpointHost, network, serviceId } = record;
  const id = serviceId === undefined ? "" : ` as ${printable(serviceId, 200)}`;
  return `sent ${firstAt} to ${endpointHost ?? "its service"} (network "${printable(network, 100)}")${id}, ${stateOfCall(record)}`;
}

/** The state in the words of its kind. */
export function stateOfCall({ kind, state, states }: CallRecord): string {
  const last = states.at(-1)?.name;
  const seen = last === undefined ? "" : ` (${printable(last, 200)})`;
  if (state === "finalized") return kind === "program" ? "stored" : `completed${seen}`;
  return state === "open" ? `accepted${seen}` : `${state}${seen}`;
}

function undecidedWays(record: CallRecord): WayOut[] {
  const { id, kind, network } = record;
  const again = suggested(COMMANDS[kind], [], { network, after: "<file> --force" });
  const lookUp: Readonly<Record<CallKind, WayOut>> = {
    "storage-proof": { kind: "look-up", text: "Look in the cloud console of the service whether it was accepted." },
    program: { kind: "look-up", text: `Ask the registry for it: ${suggested("hdp resume", [id], { network })}` },
    "grow-order": {
      kind: "look-up",
      text: `Look whether it is there: ${suggested("hdp grow-orders", [], { network })}`,
    },
  };
  const attach = suggested("hdp resume", [id], { network, after: "--accepted <service id>" });
  return [
    lookUp[kind],
    { kind: "attach", text: `If the service shows it, name its id: ${attach}` },
    {
      kind: "mark-lost",
      text: `Give it up: ${suggested("hdp resume", [id], { network, after: "--lost" })} (it can then be sent again).`,
    },
    { kind: "send-again", text: `Send it again: ${again} (if the first was accepted it is done, and paid, twice).` },
  ];
}

/** Explains the record of a call. Pure; the texts hold ids, names and what the service said of its state. */
export function explainCall(record: CallRecord): Standing {
  const { kind, network, serviceId, state } = record;
  const to = `${record.endpointHost ?? "its service"} at ${record.firstAt}`;
  const send: WayOut = { kind: "send-again", text: `Send it again: ${COMMANDS[kind]} <file>.` };
  switch (state) {
    case "intent":
    case "unknown":
      return { summary: notAccepted(record, state, to), waysOut: undecidedWays(record) };
    case "open":
    case "finalized": {
      const resume = suggested("hdp resume", [pastableName(serviceId ?? record.id, record.id)], { network });
      const waits = kind === "storage-proof" && state === "open";
      return {
        summary: `Was ${sentBefore(record)}.`,
        waysOut: waits ? [{ kind: "await", text: `Wait for it: ${resume}` }] : [],
      };
    }
    case "failed":
      return { summary: `Was ${sentBefore(record)}.`, waysOut: [send] };
    case "refused":
    case "lost":
      return { summary: notAccepted(record, state, to), waysOut: [send] };
  }
}

/** An explanation's ways out as an error's hints. */
export function hintsForCall(record: CallRecord): string[] {
  const { summary, waysOut } = explainCall(record);
  return [`${nameOfCall(record)}, ${record.id}: ${summary}`, ...waysOut.map((way) => way.text)];
}

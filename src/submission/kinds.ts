import { suggested } from "../errors/hdp-error.js";

/** A submission whose outcome is looked up. */
interface LookedUp {
  readonly id: string;
  readonly network: string;
  readonly hashes: readonly string[];
  /** The chain of the results. */
  readonly destination: string | undefined;
}

/** What holds for one kind of submissions. */
export interface Kind {
  /** Name in messages. */
  readonly name: string;
  /** The command that sends one, and what it takes. */
  readonly command: string;
  readonly takes: string;
  /** Whether its parts are tasks, whose results are read from an execution store. */
  readonly hasResults: boolean;
  /** When the service has ended its work on it: with its answer, when it says so later, or never. */
  readonly ends: "at-once" | "later" | "never";
  /** Sentence on a submission that has ended well. */
  readonly ended: string;
  /** Returns the next step of a user where it is unknown whether the service accepted it. */
  readonly lookUp: (submission: LookedUp) => string;
}

const DELIVERED = "<task> <Contract>@<address> <function>";

const ROWS = {
  tasks: {
    name: "submission",
    command: "hdp:submit",
    takes: "<file>",
    hasResults: true,
    ends: "later",
    ended: "Finalized, and every result was read.",
    lookUp: ({ hashes, network, destination = "the destination" }) => {
      const results = hashes.map((hash) => suggested("hdp:result", [hash], { network }));
      return `Look whether the results arrived on ${destination}: ${results.join(", ")}`;
    },
  },
  "storage-proof": {
    name: "storage proof request",
    command: "hdp:proof:submit",
    takes: "<file>",
    hasResults: false,
    ends: "later",
    ended: "Completed.",
    lookUp: () => "Look in the cloud console of the service whether it was accepted.",
  },
  program: {
    name: "program upload",
    command: "hdp:program:upload",
    takes: "<file>",
    hasResults: false,
    ends: "at-once",
    ended: "Completed.",
    lookUp: ({ id, network }) =>
      `Ask the registry for it: ${suggested("hdp resume", [id], { network })}`,
  },
  "grow-order": {
    name: "grow order",
    command: "hdp grow-orders create",
    takes: "<file>",
    hasResults: false,
    ends: "never",
    ended: "Completed.",
    lookUp: ({ network }) =>
      `Look whether it is there: ${suggested("hdp grow-orders", [], { network })}`,
  },
  decommitment: {
    name: "decommitment",
    command: "hdp service-tasks decommit",
    takes: "<query id> --destination <chain>",
    hasResults: false,
    ends: "never",
    ended: "Delivered.",
    lookUp: ({ network }) =>
      `Look whether it is there: ${suggested("hdp service-tasks", [], { network })}`,
  },
  delivery: {
    name: "delivery",
    command: "hdp deliver",
    takes: DELIVERED,
    hasResults: false,
    ends: "at-once",
    ended: "Delivered.",
    lookUp: ({ network }) =>
      `Deliver again, which looks for the transaction first: ${suggested("hdp deliver", [], { network, after: DELIVERED })}`,
  },
} satisfies Readonly<Record<string, Kind>>;

/** Kinds of submissions: tasks for a data processor, another request that a service may charge for, a transaction. */
export type SubmissionKind = keyof typeof ROWS;

/** All kinds. What a connection asks of a service for each stands in `plugin/actions/recorded-kinds.ts`. */
export const KINDS: Readonly<Record<SubmissionKind, Kind>> = ROWS;

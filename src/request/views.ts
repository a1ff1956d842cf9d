/** JSON that the dashboard displays, of a run or a development server. Integers are decimal text. Imports nothing. */

/** One computed task: its samples, or its module's run. */
export interface RunView {
  readonly title: string;
  readonly lines: readonly string[];
  readonly taskHash: string;
  /** The result with its unit. */
  readonly spoken?: string | undefined;
  /** The value of a datalake; a module's return value, or its panic. */
  readonly value: string;
  readonly word?: string | undefined;
  readonly proven: boolean;
  /** The trust anchor of the proofs. */
  readonly anchor?: string | undefined;
  readonly samples?: SamplesView | undefined;
  readonly module?: ModuleView | undefined;
}

/** Samples as parallel lists, with one item for each position. */
export interface SamplesView {
  /** Meaning of positions. */
  readonly unit: "block" | "transaction";
  /** `average` */
  readonly aggregate: string;
  readonly valueUnit?: "wei" | "gwei" | "ether" | "gas" | "date" | undefined;
  readonly positions: readonly string[];
  readonly values: readonly string[];
  /** The task's value if the samples ended here. */
  readonly aggregates: readonly string[];
  /** Whether the aggregate is a count, which has no unit and a separate axis. */
  readonly isCount: boolean;
  /** Indices of the values without a checked proof. */
  readonly unproven: readonly number[];
  /** How a value is proven. */
  readonly proof: string;
}

/** A module run, as the dashboard shows it. */
export interface ModuleView {
  readonly status: "returned" | "panicked";
  readonly steps: number;
  readonly generation: string;
  readonly printed: readonly string[];
  readonly reads: readonly { readonly what: string; readonly proven: boolean }[];
  /** Number of reads that are not listed. */
  readonly moreReads: number;
  /** Label, root before, root after. */
  readonly state: readonly (readonly [string, string, string])[];
  readonly profile?: ProfileView | undefined;
}

/** What a profile of a module run says of the whole run. */
export interface ProfileTotals {
  /** All steps of the run: those of the stacks together. */
  readonly steps: number;
  /** Whether the class has the names of its functions. */
  readonly named: boolean;
}

/** The profile of a module run, as the dashboard shows it. */
export interface ProfileView extends ProfileTotals {
  readonly frames: readonly string[];
  /** Indices of frames, outermost first; steps; milliseconds that a read waited. */
  readonly stacks: readonly (readonly [readonly number[], number, number?])[];
}

/** The reply to `GET /`, beside the server's name: the addresses of the chain's node and of the execution store. */
export interface DevServerInfo {
  readonly chainUrl?: string | undefined;
  readonly executionStore?: string | undefined;
  /** Hash of the chain's first block, which tells it from a chain that was started anew. */
  readonly firstBlock?: string | undefined;
}

/** A development server, with its newest submissions, programs and storage proof requests first. */
export interface ServerView extends DevServerInfo {
  readonly submissions: readonly SubmissionView[];
  readonly programs: readonly ProgramView[];
  readonly proofs: readonly ProofQueryView[];
  /** Absent if the server does not inject faults. */
  readonly faults?: FaultsView | undefined;
  /** Number of each. */
  readonly totals: {
    readonly submissions: number;
    readonly programs: number;
    readonly proofs: number;
  };
}

/** A submission, as the dashboard shows it. */
export interface SubmissionView {
  readonly id: string;
  /** The shape in which it was submitted. */
  readonly edition: string;
  readonly state: string;
  readonly phase: "pending" | "finalized" | "failed";
  /** The state that polls get in place of the real one while a fault holds the task. */
  readonly held?: string | undefined;
  /** States with the time of each, ISO 8601. */
  readonly transitions: readonly { readonly state: string; readonly at: string }[];
  /** States of a batch, each with its time once reached. */
  readonly batch?:
    readonly { readonly state: string; readonly at?: string | undefined }[] | undefined;
  readonly destination: string;
  /** Whether its results were finalized on another chain, or in another store, than those that the server has now. */
  readonly isElsewhere: boolean;
  readonly taskCount: number;
  /** The first 50 in lists. */
  readonly tasks: readonly TaskView[];
  readonly error?: string | undefined;
}

/** One page of the selected submissions. */
export interface SubmissionsView {
  /** Number of the selected submissions. */
  readonly total: number;
  readonly perPage: number;
  readonly submissions: readonly SubmissionView[];
}

/** A submission with all its tasks and what is known of it. */
export interface SubmissionDetails extends SubmissionView {
  /** The request as it was accepted, as JSON of a task file; absent for a result that was computed elsewhere. */
  readonly request?: string | undefined;
  /** The address of the page that explains its error. */
  readonly errorPage?: string | undefined;
  /** The chains that its tasks read. */
  readonly sources: readonly string[];
  /** Hashes of the programs that it runs, with what the registry has of them. */
  readonly programs: readonly { readonly hash: string; readonly about: string }[];
  readonly webhook?: WebhookView | undefined;
  /** The newest other submissions of its first task. */
  readonly others: readonly SubmissionView[];
}

/** A webhook with its attempts. */
interface WebhookView {
  readonly url: string;
  /** Absent until they have ended. */
  readonly attempts?: readonly { readonly at: string; readonly answer: string }[] | undefined;
}

/** One answered request, without its query, which may contain a key. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** 0 if the server ended the connection instead of answering. */
  readonly status: number;
  readonly milliseconds: number;
  readonly code?: string | undefined;
  /** The fault that a test injected into the answer. */
  readonly injected?: string | undefined;
}

/** An answered request of a client, as the dashboard shows it. */
export interface RequestView extends RequestLine {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A task of a submission, as the dashboard shows it. */
export interface TaskView {
  readonly hash: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** Whether the server can compute it again. */
  readonly isComputed: boolean;
  /** How a datalake task was sent; absent for a module of the user. */
  readonly form?: "datalake" | "module" | undefined;
  readonly result?: ResultView | undefined;
}

/** A finalized result, as the dashboard shows it. */
export interface ResultView {
  readonly word: string;
  /** What the word stands for, in decimal; absent where it is the root of another value than the run's. */
  readonly value?: string | undefined;
  readonly spoken?: string | undefined;
  readonly transactionHash?: string | undefined;
  readonly blockNumber?: string | undefined;
}

/** An uploaded program, as the dashboard shows it. */
interface ProgramView {
  readonly hash: string;
  readonly layout: string;
  readonly version: number;
  readonly bytes: number;
}

/** A storage proof request, as the dashboard shows it. */
export interface ProofQueryView {
  readonly id: string;
  readonly request: string;
  readonly chainId: string;
  /** `block:12` or `timestamp:1700000000`. */
  readonly time: string;
  readonly status: string;
  readonly created: string;
  readonly completed?: string | undefined;
  /** The requested values: `header: STATE_ROOT`. */
  readonly wanted: readonly string[];
  /** Why it could not be proven. */
  readonly error?: string | undefined;
}

/** A storage proof request with what was proven. */
export interface ProofDetails extends ProofQueryView {
  /** The address of the page that explains its error. */
  readonly errorPage?: string | undefined;
  /** The block that it was proven in. */
  readonly block?: { readonly number: string; readonly hash: string } | undefined;
  readonly values: readonly ProvenValue[];
  /** What clients get, with the proofs, as JSON. */
  readonly actions: string;
}

/** A proven value of a storage proof request. */
interface ProvenValue {
  /** `header`, or an account's address. */
  readonly of: string;
  /** A field, or a slot. */
  readonly name: string;
  /** Absent where the block's header does not have the field. */
  readonly value?: string | undefined;
}

/** The faults that wait, as the dashboard shows them. */
interface FaultsView {
  /** Waiting faults in the syntax of `--fault`, in order. */
  readonly waiting: readonly string[];
  /** Every kind with the syntax after its name. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly form: string;
    readonly moment: string;
  }[];
}

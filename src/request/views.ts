/** What the dashboard shows, as JSON: of a run, and of a development server. Integers are decimal text. It imports nothing. */

/** One computed task: its samples, or its module's run. */
export interface RunView {
  readonly title: string;
  readonly lines: readonly string[];
  readonly taskHash: string;
  /** The result as a sentence of its field. */
  readonly spoken?: string | undefined;
  /** The value of a datalake; what a module returned, or its panic. */
  readonly value: string;
  readonly word?: string | undefined;
  readonly proven: boolean;
  /** What the proofs rest on. */
  readonly anchor?: string | undefined;
  readonly samples?: SamplesView | undefined;
  readonly module?: ModuleView | undefined;
}

/** Lists are side by side: a value for each position. */
export interface SamplesView {
  /** What positions are. */
  readonly unit: "block" | "transaction";
  /** `average` */
  readonly aggregate: string;
  /** Unit of the values. */
  readonly valueUnit?: "wei" | "gwei" | "ether" | "gas" | "date" | undefined;
  readonly positions: readonly string[];
  readonly values: readonly string[];
  /** The task's value if the samples ended here. */
  readonly aggregates: readonly string[];
  /** Whether the aggregate is a count: it has no unit, and an axis of its own. */
  readonly isCount: boolean;
  /** Positions in the lists of values that no proof checked. */
  readonly unproven: readonly number[];
  /** How a value is proven. */
  readonly proof: string;
}

export interface ModuleView {
  readonly status: "returned" | "panicked";
  readonly steps: number;
  readonly generation: string;
  readonly printed: readonly string[];
  readonly reads: readonly { readonly what: string; readonly proven: boolean }[];
  /** Reads that are not listed. */
  readonly moreReads: number;
  /** Label, root before, root after. */
  readonly state: readonly (readonly [string, string, string])[];
  readonly profile?: ProfileView | undefined;
}

export interface ProfileView {
  /** All steps of the run. */
  readonly steps: number;
  /** Whether the class has the names of its functions. */
  readonly named: boolean;
  readonly frames: readonly string[];
  /** Indices of frames, outermost first; steps; milliseconds that a read waited. */
  readonly stacks: readonly (readonly [readonly number[], number, number?])[];
}

/** A development server, with its newest submissions, programs and storage proof requests first. */
export interface ServerView {
  readonly chainUrl?: string | undefined;
  readonly executionStore?: string | undefined;
  readonly submissions: readonly SubmissionView[];
  readonly programs: readonly ProgramView[];
  readonly proofs: readonly ProofQueryView[];
  /** Absent where none can be injected. */
  readonly faults?: FaultsView | undefined;
  /** How many there are of each. */
  readonly totals: { readonly submissions: number; readonly programs: number; readonly proofs: number };
}

export interface SubmissionView {
  readonly id: string;
  /** The shape in which it was submitted. */
  readonly edition: string;
  readonly state: string;
  readonly phase: "pending" | "finalized" | "failed";
  /** A fault holds it: what polls are answered in place of its state. */
  readonly held?: string | undefined;
  /** States with the time of each, ISO 8601. */
  readonly transitions: readonly { readonly state: string; readonly at: string }[];
  /** Of a batch: its states with the time of each, where it has come. */
  readonly batch?: readonly { readonly state: string; readonly at?: string | undefined }[] | undefined;
  readonly destination: string;
  readonly tasks: readonly TaskView[];
  readonly error?: string | undefined;
}

export interface TaskView {
  readonly hash: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly result?: ResultView | undefined;
}

export interface ResultView {
  readonly word: string;
  readonly spoken?: string | undefined;
  readonly transactionHash?: string | undefined;
}

export interface ProgramView {
  readonly hash: string;
  readonly layout: string;
  readonly version: number;
  readonly bytes: number;
}

export interface ProofQueryView {
  readonly id: string;
  readonly request: string;
  readonly chainId: string;
  /** `block:12` or `timestamp:1700000000`. */
  readonly time: string;
  readonly status: string;
  readonly created: string;
  readonly completed?: string | undefined;
  /** What is proven: `header: STATE_ROOT`. */
  readonly wanted: readonly string[];
}

export interface FaultsView {
  /** As `--fault` takes them, in order. */
  readonly waiting: readonly string[];
  /** Every kind with the form of what follows its name. */
  readonly kinds: readonly { readonly kind: string; readonly form: string; readonly moment: string }[];
}

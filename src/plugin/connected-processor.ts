import type { HdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import type { CallOptions } from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import type { ProcessorInfo, Submissions } from "../submission/submissions.js";
import type { ResultStore } from "./stores/result-store.js";

/** A connection as far as the id of its chain is asked for. */
export interface ChainNode {
  readonly networkName: string;
  chainId(): Promise<bigint>;
}

/** Where the results of one request go, resolved once for the request. */
export interface ResolvedDestination {
  readonly chain: ChainIdentifier;
  /** The store of its results on the connection. */
  readonly store: ResultStore;
  /** Returns the id that the node of a connection reports, asked once for each network. */
  readonly chainId: (of: ChainNode) => Promise<bigint>;
}

/** The data processor of a session with its submissions. */
export interface ConnectedProcessor {
  readonly info: ProcessorInfo;
  readonly submissions: Submissions;
  /** What a request is checked for before anything of it is sent or run, in order. */
  readonly checks: readonly SendCheck[];
  /** Asks a service a free question: any answer shows that it is there. Undefined where this process computes. */
  readonly requireAnswer?: (options?: CallOptions) => Promise<void>;
}

/** Returns the reasons for which a request would not be sent or run. */
export type SendCheck = (
  request: TaskRequest,
  destination: ResolvedDestination,
) => Promise<readonly HdpError[]>;

/** What knows the data processor of a connection. */
export interface ProcessorOwner {
  /** Returns the data processor, selected once. */
  processor(): Promise<ConnectedProcessor>;
}

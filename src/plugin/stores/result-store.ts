import type { Eip1193Provider } from "../../base/rpc.js";
import type { DestinationChain } from "../../journal/journaled-data-processor.js";
import type { Finalization } from "../../submission/backend/finalizer.js";
import type { TaskWord } from "../../request/lifecycle.js";
import type { ExecutionStore } from "../../store/execution-store.js";

/** Where the results of one destination chain are kept: an execution store on an EVM chain or on Starknet. */
export interface ResultStore {
  /** The chain the store is on; undefined on Starknet. */
  readonly provider?: Eip1193Provider | undefined;
  /** What tells the chain that the store is on from others. */
  chain(): Promise<DestinationChain>;
  /** Opens the store for reading; `address` names another one than the configured one. */
  openForReading(address?: string): Promise<ExecutionStore>;
  /** Whether a store is a mock, whose results are anybody's. */
  isMock(store: ExecutionStore): Promise<boolean>;
  /** Before anything is computed: throws where results could not be stored. Deploys nothing. */
  requireWritable(): Promise<void>;
  /** Stores results the local data processor has computed, all of them or none. */
  finalize(results: readonly TaskWord[]): Promise<Finalization>;
}

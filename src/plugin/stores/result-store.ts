import type { Eip1193Provider } from "../../base/rpc.js";
import type { TaskWord } from "../../request/task-result.js";
import type { ExecutionStore } from "../../store/execution-store.js";
import type { Finalization } from "../../submission/backend/finalizer.js";
import type { Destination } from "../../submission/submissions.js";

/** Store of the results of one destination chain: an execution store on an EVM chain or on Starknet. */
export interface ResultStore extends Destination {
  /** The chain the store is on; undefined on Starknet. */
  readonly provider?: Eip1193Provider | undefined;
  /** Opens the store for reading; `address` names another one than the configured one. */
  openForReading(address?: string): Promise<ExecutionStore>;
  isMock(store: ExecutionStore): Promise<boolean>;
  /** Throws if results could not be stored, before anything is computed. Deploys nothing. */
  requireWritable(): Promise<void>;
  /** Stores results the local data processor has computed, all of them or none. */
  finalize(results: readonly TaskWord[]): Promise<Finalization>;
}

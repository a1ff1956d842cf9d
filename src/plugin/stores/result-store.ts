import type { Address } from "viem";

import { isSameHex } from "../../base/hex.js";
import type { Eip1193Provider } from "../../base/rpc.js";
import { atPath, type HdpError, hdpError, isHdpError, suggested } from "../../errors/hdp-error.js";
import type { TaskResult, TaskWord } from "../../request/task-result.js";
import { type ExecutionStore, openExecutionStore } from "../../store/execution-store.js";
import type { Finalization } from "../../submission/backend/finalizer.js";
import type { Destination } from "../../submission/submissions.js";
import type { ConnectedNetwork } from "../connected-network.js";

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
  /** Stores chosen results without a proof: in a mock, or in a store of a fork. */
  finalizeChosen(results: readonly TaskWord[]): Promise<readonly TaskResult[]>;
}

/** Opens a store of an EVM chain. Where it is the configured one, an error names its line of the configuration. */
export async function openStore(
  network: ConnectedNetwork,
  address: string,
): Promise<ExecutionStore> {
  const { provider, config } = network;
  const { address: configured, kind } = config.executionStore;
  const opening = openExecutionStore({ provider, address, kind });
  if (configured === undefined || !isSameHex(configured, address)) return await opening;
  const path = network.configPath("executionStore.address");
  return await opening.catch((error: unknown) => {
    throw isHdpError(error) ? atPath(error, path) : error;
  });
}

/** Returns results as they are read after a transaction has stored them. */
export function storedResults(
  results: readonly TaskWord[],
  { store, transactionHash, blockNumber, gasUsed }: Finalization,
): readonly TaskResult[] {
  const stored = { store, transactionHash, blockNumber, gasUsed };
  return results.map((result) => ({ ...result, value: BigInt(result.word), ...stored }));
}

/** Returns the error of a store that is no mock, where only a mock takes results from an account. */
export function notMock(
  { networkName: network, isSimulated }: ConnectedNetwork,
  store: Address,
  path: string,
  hints: readonly string[] = [],
): HdpError {
  // A store that a command deploys in process ends with the command.
  const command = isSimulated
    ? "await hdp.deployExecutionStore()"
    : suggested("hdp store deploy", [], { network });
  return hdpError("HDP-6024", { store, chain: `network "${network}"`, command }, { path, hints });
}

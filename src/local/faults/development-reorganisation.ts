import type { Eip1193Provider } from "../provider.js";
import type { Reorganise } from "./faulty-finalization.js";
import { InjectedFaultError } from "./injected-fault-error.js";

/**
 * The present block of a development chain as the place where it forks. The new branch is one block longer than the
 * one it replaces and starts a minute later, so that every block of it has another hash.
 *
 * @throws InjectedFaultError HDP-4903 for a node without `evm_snapshot`
 */
export async function forkPointOf(provider: Eip1193Provider): Promise<Reorganise> {
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await provider.request({ method, params });
  try {
    const snapshot = await call("evm_snapshot");
    return async (depth) => {
      // The finalization's own block is the first of the `depth`; the others come on top of it.
      for (let mined = 1; mined < depth; mined += 1) await call("evm_mine");
      await call("evm_revert", snapshot);
      await call("evm_increaseTime", 60);
      for (let mined = 0; mined <= depth; mined += 1) await call("evm_mine");
    };
  } catch (error) {
    throw InjectedFaultError.noReorganisation(error);
  }
}

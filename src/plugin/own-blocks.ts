import { isRecord } from "../base/collections.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** Returns the first block that a development chain made itself: 0, or on a fork the one after the forked block. */
export async function firstOwnBlock({ provider }: ConnectedNetwork): Promise<number> {
  const metadata = await provider
    .request({ method: "hardhat_metadata", params: [] })
    .catch(() => undefined);
  const forked = isRecord(metadata) ? metadata["forkedNetwork"] : undefined;
  const block = isRecord(forked) ? forked["forkBlockNumber"] : undefined;
  return typeof block === "number" ? block + 1 : 0;
}

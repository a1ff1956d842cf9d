import type { Hex } from "viem";

import type { TaskStatus } from "../../request/lifecycle.js";
import type { ExecutionStore } from "../../store/execution-store.js";

/** What an execution store alone says of tasks. */
export async function storeStatus(store: ExecutionStore, taskHashes: readonly Hex[]): Promise<TaskStatus> {
  const states = await store.statuses(taskHashes);
  if (states.every((state) => state === "finalized")) return { name: "Finalized", phase: "finalized" };
  const name = states.includes("scheduled") ? "Scheduled" : "Unknown";
  return { name, phase: "pending", detail: `in store ${store.address}` };
}

import { poll } from "../base/polling.js";
import { pastableName, suggested } from "../errors/hdp-error.js";
import type { AwaitOptions, Submission, TaskStatus } from "../request/data-processor.js";
import type { ExecutionStore } from "../store/execution-store.js";
import type { Destination } from "./submissions.js";
import type { System } from "./system.js";

/** A wait for a store, and what the service said. */
interface StoreWait extends AwaitOptions {
  readonly network: string;
  readonly system: System;
  /** The status that the service gives: finalized. */
  readonly status: TaskStatus;
  /** Returns how many of the results the store has. */
  readonly count: (store: ExecutionStore) => Promise<number>;
}

/** Waits until the store has the results of a submission: it may lag behind the service's status. */
export async function whenStored(
  { id, taskHashes }: Submission,
  destination: Destination,
  { network, system, status, count, ...options }: StoreWait,
): Promise<void> {
  const store = await destination.openForReading();
  const commands = taskHashes.map((hash) => suggested("hdp:result", [hash], { network }));
  const giveUp = suggested("hdp resume", [pastableName(id, taskHashes[0])], {
    network,
    after: "--lost",
  });
  const otherStore = `. If they never come, the service stores results in another store: name that one in networks.${network}.hdp.executionStore.address`;
  const restarted = (await destination.chain()).startsAnew
    ? `. Where the chain was started anew or reverted since, give it up, so that its tasks can be sent again: ${giveUp}`
    : "";
  await poll<number>({
    options: { ...options, clock: system.clock, random: system.random },
    look: async () => await count(store),
    onNew: (found) => {
      const detail = `so far store ${store.address} has ${found} of ${taskHashes.length}`;
      if (found < taskHashes.length) options.onStatus?.({ ...status, detail });
    },
    shownAs: String,
    done: (found) => found === taskHashes.length,
    what: `the results of submission ${id} in store ${store.address}`,
    describe: (found) =>
      `the service says that it is finalized, the store has ${found} of ${taskHashes.length}`,
    comeBack: `Read them later: ${commands.join(", ")}${otherStore}${restarted}`,
  });
}

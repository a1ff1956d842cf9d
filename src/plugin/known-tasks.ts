import type { Hex } from "viem";

import { lowerCase } from "../base/hex.js";
import type { JournaledRequest } from "../journal/journaled-request.js";
import type { ChainIdentifier } from "../request/chains.js";
import { dropOldest } from "../base/collections.js";
import { HdpError } from "../errors/hdp-error.js";
import { taskHash } from "../request/task-hash.js";
import type { ModuleInput, Task, TaskRequest } from "../request/task.js";
import type { Session } from "./session.js";

/** A task with where its result goes. */
export interface KnownTask {
  readonly task: Task;
  readonly destinationChainId: ChainIdentifier;
}

/** Tasks of a session that can be asked about by hash; older ones are forgotten. */
const REMEMBERED = 10_000;

/** The tasks that were submitted in a session, and behind them those of the journal. */
export class KnownTasks {
  readonly #session: Session;
  readonly #submitted = new Map<Hex, KnownTask>();
  /** Of submissions that nobody has asked about yet: their hashes are not needed before. */
  #unhashed: KnownTask[] = [];

  public constructor(session: Session) {
    this.#session = session;
  }

  /** Keeps the tasks of a request that is submitted, so that their hashes are enough later in this process. */
  public remember({ destinationChainId, tasks }: TaskRequest): void {
    for (const task of tasks) this.#unhashed.push({ task, destinationChainId });
    if (this.#unhashed.length > 2 * REMEMBERED) this.#unhashed = this.#unhashed.slice(-REMEMBERED);
  }

  #hash(): void {
    for (const known of this.#unhashed.slice(-REMEMBERED)) this.#submitted.set(taskHash(known.task), known);
    this.#unhashed = [];
    dropOldest(this.#submitted, REMEMBERED);
  }

  /**
   * The task of a hash: submitted in this session, or sent to a service at any time and kept in the journal.
   *
   * @throws HdpError HDP-6204 where nobody knows it, HDP-6208 where its private inputs would be needed.
   */
  public async find(hash: Hex): Promise<KnownTask> {
    const name = lowerCase(hash);
    this.#hash();
    const here = this.#submitted.get(name);
    if (here !== undefined) return here;
    const { journalOf } = await import("./open-journal.js");
    const look = await journalOf(this.#session).look();
    for (const record of (await look.withTasks([name])).reverse()) {
      const at = record.taskHashes.findIndex((known) => lowerCase(known) === name);
      // A request is read from its line when it is asked for: only of those that have the task.
      const task = at < 0 ? undefined : record.request?.tasks[at];
      if (task !== undefined) return { task: complete(task, name), destinationChainId: record.destinationChainId };
    }
    throw new HdpError({
      code: "HDP-6204",
      path: "task",
      message: `nothing is known of a task with the hash ${hash}.`,
      hints: [
        "A hash says nothing of its task. Tasks sent to a service are in the journal, others are not:",
        "name the task file instead, for instance npx hardhat hdp verify tasks/fee.json",
      ],
    });
  }
}

function complete(task: JournaledRequest["tasks"][number], hash: Hex): Task {
  if (task.type === "DatalakeCompute") {
    const { type, datalake, compute } = task;
    const { aggregateFnId, aggregateFnCtx } = compute;
    return { type, datalake, compute: { aggregateFnId, ...(aggregateFnCtx === undefined ? {} : { aggregateFnCtx }) } };
  }
  const inputs = task.inputs.filter((input): input is ModuleInput => input.visibility === "public");
  if (inputs.length === task.inputs.length) return { ...task, inputs };
  throw new HdpError({
    code: "HDP-6208",
    path: "task",
    message: `the module task ${hash} has private inputs, and the journal keeps none of their values.`,
    hints: ["Name the task file, which has them."],
  });
}

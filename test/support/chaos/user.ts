import type { Hex } from "viem";

import type { Journal } from "../../../src/journal/journal.js";
import type { JournaledDataProcessor } from "../../../src/journal/journaled-data-processor.js";
import type { JournalRecord, RecordState } from "../../../src/journal/journal-record.js";
import { markLost, recordAccepted } from "../../../src/journal/settle-by-hand.js";
import { confirmResults } from "../../../src/submission/backend/finalizer.js";
import type { Fault } from "../../../src/submission/backend/faults/fault.js";
import { isHdpError, type HdpError } from "../../../src/errors/hdp-error.js";
import type { TaskResult } from "../../../src/request/lifecycle.js";
import { taskHash } from "../../../src/request/task-hash.js";
import { awaitSubmission } from "../../../src/entries/service.js";
import { chaosTask } from "./tasks.js";
import type { World } from "./world.js";

/**
 * What each error leaves in the journal. The last two are of the store: what it lost, or has wrongly, may have been
 * looked at when a later submission was of unknown outcome, given up or failed.
 */
const TRUTHS: Readonly<Record<string, readonly RecordState[]>> = {
  "HDP-5008": ["unknown"],
  "HDP-5005": ["unknown"],
  "HDP-2081": ["open"],
  "HDP-2091": ["failed"],
  "HDP-3001": ["finalized", "unknown", "open", "lost", "failed"],
  "HDP-4404": ["finalized", "unknown", "open", "lost", "failed"],
};

export interface Outcome {
  /** Codes of the errors on the way to the result, in order. */
  readonly errors: readonly string[];
  /** Requests that left the client. */
  readonly sent: number;
}

class Violation extends Error {}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

/**
 * A user who submits one task under faults and does what each error says, until the right result is read. At every
 * step the journal is compared with what happened.
 *
 * @throws Violation where something is lost, sent twice, wrong or untold
 */
export class ChaosUser {
  readonly #world: World;
  readonly #journal: Journal;
  readonly #processor: JournaledDataProcessor;
  readonly #hash: Hex;
  readonly #task: ReturnType<typeof chaosTask>;
  readonly #errors: string[] = [];
  #sent = 0;
  #force = false;

  public constructor(world: World, client: ReturnType<World["client"]>, index: number) {
    this.#world = world;
    this.#journal = client.journal;
    this.#processor = client.processor;
    this.#task = chaosTask(index);
    this.#hash = taskHash(this.#task);
  }

  public async live(faults: readonly Fault[]): Promise<Outcome> {
    this.#world.faults.clear();
    this.#world.faults.inject(...faults);
    this.#world.onSend = async () => {
      await this.#onSend();
    };
    for (let step = 0; step < 60; step += 1) {
      try {
        await this.#toTheResult();
        await this.#audit();
        return { errors: this.#errors, sent: this.#sent };
      } catch (error) {
        if (error instanceof Violation) throw error;
        must(isHdpError(error), `an error without a number: ${String(error)}`);
        this.#errors.push(error.code);
        await this.#doWhatItSays(error);
      }
    }
    throw new Violation(`no result after 60 steps: ${this.#errors.join(" ")}`);
  }

  async #toTheResult(): Promise<void> {
    const { world, hash } = { world: this.#world, hash: this.#hash };
    const request = { destinationChainId: "ETHEREUM_SEPOLIA" as const, tasks: [this.#task] };
    const submission = await this.#processor.submit(request, { force: this.#force });
    this.#force = false;
    await awaitSubmission(this.#processor, submission, { clock: world.clock, random: () => 0 });
    const stored = await world.store.readResult(hash);
    const computed = world.computed(hash);
    if (computed !== undefined) {
      confirmResults([{ ...stored, word: computed, value: BigInt(computed) }], [stored]);
    }
    must(stored.value === world.oracle.valueOf(this.#task), `read ${stored.value.toString()}, which is wrong`);
    await this.#processor.recordResults([{ submission, result: stored }]);
    await this.#decide(stored);
  }

  async #doWhatItSays(error: HdpError): Promise<void> {
    const records = await this.#records();
    // An undecided submission stands in the way also of a task that a later one failed for.
    const record = error.code === "HDP-5005" ? records.findLast(({ state }) => state === "unknown") : records.at(-1);
    must(record !== undefined, `${error.code} and nothing in the journal`);
    const truths = TRUTHS[error.code] ?? ["refused", "open"];
    must(truths.includes(record.state), `${error.code}, but the journal says ${record.state}`);
    if (record.state === "refused") must(!this.#isAccepted(record), "refused by the journal, accepted by the service");
    const { code } = error;
    if (code === "HDP-5005") await this.#settle(record);
    if (code === "HDP-2081") {
      must(error.message.includes("its last state was"), "a wait that ended without naming the state");
      await markLost(this.#journal, record.id);
    }
    // An open submission is asked first: its result may have come and gone unseen.
    if (code === "HDP-3001" || code === "HDP-4404") this.#force = code === "HDP-4404" || record.state !== "open";
  }

  /** The result is there: what was open or of unknown outcome has happened, as `hdp resume` records it. */
  async #decide({ taskHash: hash, word, store }: TaskResult): Promise<void> {
    for (const { id, state } of await this.#records()) {
      if (state === "unknown" || state === "open")
        await this.#journal.append({ event: "result", id, taskHash: hash, word, store });
    }
  }

  /** Looks into the service's list, as the error says, and tells the journal. */
  async #settle(record: JournalRecord): Promise<void> {
    const known = [...(await this.#journal.records()).records.values()].map(({ serviceId }) => serviceId);
    const found = this.#world
      .accepted()
      .findLast(({ id, hashes }) => hashes.includes(this.#hash) && !known.includes(id));
    if (found === undefined) await markLost(this.#journal, record.id);
    else await recordAccepted(this.#journal, record.id, found.id);
  }

  /** A request leaves: its intent is on the disk, and no earlier submission may still bring the result. */
  async #onSend(): Promise<void> {
    this.#sent += 1;
    const records = await this.#records();
    const last = records.at(-1);
    must(last?.state === "intent", "sent without an intent in the journal");
    const open = records.slice(0, -1).filter(({ state }) => !["refused", "lost", "failed"].includes(state));
    must(open.length === 0 || last.forced, `sent again while ${open.map(({ state }) => state).join(", ")}`);
  }

  /** At the end: every acceptance is in the journal, every record is closed, and the last one holds the result. */
  async #audit(): Promise<void> {
    const records = await this.#records();
    const ids = new Set(records.map(({ serviceId }) => serviceId));
    const mine = this.#world.accepted().filter(({ hashes }) => hashes.includes(this.#hash));
    // A cut connection leaves no id; where the result came all the same, its record is finished without one.
    const nameless = records.filter(({ state, serviceId }) => state === "finalized" && serviceId === undefined).length;
    const lost = mine.filter(({ id }) => !ids.has(id));
    must(lost.length <= nameless, `the service has ${lost.map(({ id }) => id).join(", ")}, the journal does not`);
    must(this.#sent === records.length, `${this.#sent} requests were sent, ${records.length} are in the journal`);
    const known = records.filter(({ serviceId }) => serviceId !== undefined).length;
    must(mine.length === known + lost.length, `the service accepted ${mine.length}, the journal says ${known}`);
    const finished = records.filter(({ results }) => results.has(this.#hash));
    must(finished.length > 0, "the result is not in the journal");
    for (const { results } of finished) {
      must(
        BigInt(results.get(this.#hash)?.word ?? 0) === this.#world.oracle.valueOf(this.#task),
        "a wrong result in it",
      );
    }
    const states = records.map(({ state }) => state);
    must(!states.includes("intent") && !states.includes("unknown"), `left as ${states.join(", ")}`);
  }

  #isAccepted({ serviceId }: JournalRecord): boolean {
    return serviceId !== undefined && this.#world.accepted().some(({ id }) => id === serviceId);
  }

  async #records(): Promise<JournalRecord[]> {
    const { records } = await this.#journal.records();
    return [...records.values()].filter(({ taskHashes }) => taskHashes.includes(this.#hash));
  }
}

import type { Hex } from "viem";

import { type HdpError, hdpError, isHdpError } from "../../../src/errors/hdp-error.js";
import { taskHash } from "../../../src/request/task-hash.js";
import type { Fault } from "../../../src/submission/backend/faults/fault.js";
import type { SubmissionRecord, SubmissionState } from "../../../src/submission/model.js";
import { settle } from "../../../src/submission/settle.js";
import { chaosTask } from "./tasks.js";
import type { Client, World } from "./world.js";

/** The states that each error may leave behind. */
const TRUTHS: Readonly<Record<string, readonly SubmissionState[]>> = {
  "HDP-5008": ["unknown"],
  "HDP-5005": ["unknown"],
  // The service does not end, or the store has lost what it said was there.
  "HDP-2081": ["accepted", "finalized"],
  "HDP-2091": ["failed"],
  // The chain was reorganised after the wait and before the read.
  "HDP-3001": ["accepted", "finalized"],
  "HDP-4404": ["finalized", "unknown", "accepted", "lost", "failed"],
};

export interface Outcome {
  /** Codes of the errors on the way to the result, in order. */
  readonly errors: readonly string[];
  /** Requests that left the client. */
  readonly sent: number;
}

class Violation extends Error {}

/** Whether an error is about a submission that need not be the newest: a later one of the task may have been given up. */
function isAbout({ code, message }: HdpError, { state, serviceId }: SubmissionRecord): boolean {
  if (code === "HDP-5005") return state === "unknown";
  return (
    code === "HDP-2081" && serviceId !== undefined && message.includes(`submission ${serviceId} `)
  );
}

function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

/**
 * A user who submits one task under faults and does what each error says, until the right result is read. At every
 * step the database is compared with what happened.
 *
 * @throws Violation where something is lost, sent twice, wrong or untold
 */
export class ChaosUser {
  readonly #world: World;
  readonly #client: Client;
  readonly #hash: Hex;
  readonly #task: ReturnType<typeof chaosTask>;
  readonly #errors: string[] = [];
  #sent = 0;
  #force = false;

  public constructor(world: World, client: Client, index: number) {
    this.#world = world;
    this.#client = client;
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
        this.#audit();
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
    const { submissions } = this.#client;
    const request = { destinationChainId: "ETHEREUM_SEPOLIA" as const, tasks: [this.#task] };
    const submission = await submissions.submit(request, { force: this.#force });
    this.#force = false;
    const { results } = await submissions.finish(submission);
    const [stored] = await results();
    must(stored !== undefined, "no result was read");
    const computed = world.computed(hash);
    if (computed !== undefined && computed !== stored.word) {
      throw hdpError("HDP-4404", {
        stored: stored.word,
        hash,
        computed,
        store: stored.store,
        advice: undefined,
      });
    }
    must(
      stored.value === world.oracle.valueOf(this.#task),
      `read ${stored.value.toString()}, which is wrong`,
    );
  }

  async #doWhatItSays(error: HdpError): Promise<void> {
    const records = this.#records();
    const record = records.findLast((one) => isAbout(error, one)) ?? records.at(-1);
    must(record !== undefined, `${error.code} and nothing in the database`);
    const truths = TRUTHS[error.code] ?? ["refused", "accepted"];
    must(truths.includes(record.state), `${error.code}, but the database says ${record.state}`);
    if (record.state === "refused")
      must(!this.#isAccepted(record), "recorded as refused, accepted by the service");
    const { code } = error;
    if (code === "HDP-5005") await this.#settle(record);
    if (code === "HDP-2081" && record.state === "accepted") {
      must(
        error.message.includes("its last state was"),
        "a wait that ended without naming the state",
      );
      await settle(this.#client.store, this.#client.pipeline, record, { as: "lost" });
    }
    const isGone = (code === "HDP-2081" || code === "HDP-3001") && record.state === "finalized";
    this.#force = code === "HDP-4404" || isGone;
  }

  /** Looks into the service's list, as the error says, and records what it shows. */
  async #settle(record: SubmissionRecord): Promise<void> {
    const { store, pipeline } = this.#client;
    const known = store.list().map(({ serviceId }) => serviceId);
    const found = this.#world
      .accepted()
      .findLast(({ id, hashes }) => hashes.includes(this.#hash) && !known.includes(id));
    await settle(
      store,
      pipeline,
      record,
      found === undefined ? { as: "lost" } : { as: "accepted", serviceId: found.id },
    );
  }

  /** A request leaves: it is recorded as being sent, and no earlier submission may still bring the result. */
  async #onSend(): Promise<void> {
    this.#sent += 1;
    const records = this.#records();
    const last = records.at(-1);
    must(last?.state === "sending", "sent without being recorded");
    const open = records
      .slice(0, -1)
      .filter(({ state }) => !["refused", "lost", "failed"].includes(state));
    must(
      open.length === 0 || last.forced,
      `sent again while ${open.map(({ state }) => state).join(", ")}`,
    );
    await Promise.resolve();
  }

  /** At the end: every acceptance is recorded, every record is closed, and the last one holds the result. */
  #audit(): void {
    const records = this.#records();
    const ids = new Set(records.map(({ serviceId }) => serviceId));
    const mine = this.#world.accepted().filter(({ hashes }) => hashes.includes(this.#hash));
    // A cut connection leaves no id; where the result came all the same, its record is finished without one.
    const nameless = records.filter(
      ({ state, serviceId }) => state === "finalized" && serviceId === undefined,
    ).length;
    const lost = mine.filter(({ id }) => !ids.has(id));
    must(
      lost.length <= nameless,
      `the service has ${lost.map(({ id }) => id).join(", ")}, the database does not`,
    );
    must(
      this.#sent === records.length,
      `${this.#sent} requests were sent, ${records.length} are recorded`,
    );
    const known = records.filter(({ serviceId }) => serviceId !== undefined).length;
    must(
      mine.length === known + lost.length,
      `the service accepted ${mine.length}, the database says ${known}`,
    );
    const words = records.flatMap(({ parts }) => parts.flatMap(({ word }) => word ?? []));
    must(words.length > 0, "the result is not recorded");
    must(
      words.every((word) => BigInt(word) === this.#world.oracle.valueOf(this.#task)),
      "a wrong result in it",
    );
    const states = records.map(({ state }) => state);
    must(
      !states.includes("sending") && !states.includes("unknown"),
      `left as ${states.join(", ")}`,
    );
  }

  #isAccepted({ serviceId }: SubmissionRecord): boolean {
    return serviceId !== undefined && this.#world.accepted().some(({ id }) => id === serviceId);
  }

  #records(): SubmissionRecord[] {
    return this.#client.store.withHashes([this.#hash]);
  }
}

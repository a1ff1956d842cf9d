import { Chain } from "./chain.js";
import { Chance, mixed } from "./chance.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import type { RemoteSubmissionsOptions } from "../../src/submission/remote-submissions.js";
import { isUndecided, type SubmissionRecord } from "../../src/submission/model.js";
import type { ProjectDatabase } from "./database.js";
import { Network } from "./network.js";
import type { Command, Fault, Plan } from "./plan.js";
import { type Blow, Process } from "./process.js";
import { Scheduler } from "./scheduler.js";
import { Service, wordOf } from "./service.js";
import { knownHash } from "./tasks.js";
import { Tool, type Word } from "./tool.js";

/** When the wall clock stands as a history begins. */
const BEGINNING = Date.parse("2026-01-01T00:00:00.000Z");

/** Milliseconds of slow work: longer than any command waits. */
const SLOW = 200_000;

/** Milliseconds that running tasks takes. */
const REHEARSAL = 2_000;

/** What is added to a command's id for the process that comes between. */
const BETWEEN = 100;

/** How a command ended. */
export interface Outcome {
  readonly command: Command;
  readonly process: Process;
  readonly began: number;
  readonly ended: number;
  readonly end: "success" | "error" | "killed";
  readonly error?: unknown;
  /** Results that it printed. */
  readonly words: readonly Word[];
}

/** Whether what a command would send fails when it is run before. */
export function failsToRehearse(command: number, { faults }: Plan): boolean {
  return faults.some((fault) => fault.kind === "rehearsal" && fault.command === command);
}

/** The world of one history: what outlives its processes, and what befell them. */
export class History {
  public readonly scheduler = new Scheduler();
  public readonly chain: Chain;
  public readonly service: Service;
  public readonly network: Network;
  public readonly outcomes: Outcome[] = [];
  public readonly violations: string[] = [];
  readonly #processes = new Map<string, Process>();
  /** What a database held that was replaced, with the living process that was sending it. */
  readonly #underWay = new Map<string, Process | undefined>();
  readonly #chance: Chance;
  /** Carries out a command while another process begins a transaction. */
  public onBetween: (command: Command) => void = () => undefined;
  #wallOffset = 0;
  #nodeCalls = 0;
  #works = 0;
  #answers = 0;
  #ids = 0;
  /** Nothing goes wrong any more. */
  #isCalm = false;
  /** Rows of the database were deleted. */
  public isDamaged = false;

  public constructor(
    public readonly plan: Plan,
    public readonly database: ProjectDatabase,
  ) {
    const { seed, chain, hasOwnHashes, takesOneTask, faults } = plan;
    const { scheduler } = this;
    this.#chance = new Chance(mixed(seed, 2));
    const after = (ms: number, act: () => void): unknown => scheduler.after(ms, act);
    const note = (line: string): void => {
      scheduler.note(line);
    };
    const failingCalls = new Set(
      faults.flatMap((fault) => (fault.kind === "node" ? [fault.call] : [])),
    );
    const failingWorks = new Set(
      faults.flatMap((fault) => (fault.kind === "failure" ? [fault.work] : [])),
    );
    const foreign = new Map(
      faults.flatMap((fault) =>
        fault.kind === "hashes" ? [[fault.answer, fault.are] as const] : [],
      ),
    );
    const slowWorks = new Set(
      faults.flatMap((fault) => (fault.kind === "slow" ? [fault.work] : [])),
    );
    this.chain = new Chain({
      isDevelopment: chain === "development",
      after,
      note,
      nextCall: () => {
        this.#nodeCalls += 1;
        return {
          takes: this.#chance.between(2, 60),
          fails: !this.#isCalm && failingCalls.has(this.#nodeCalls),
        };
      },
    });
    this.service = new Service({
      chain: this.chain,
      hasOwnHashes,
      takesOneTask,
      after,
      note,
      now: () => scheduler.now,
      mayNotKnow: (id, process) => this.#mayNotKnow(id, process),
      nextHashes: () => {
        this.#answers += 1;
        return this.#isCalm ? undefined : foreign.get(this.#answers);
      },
      nextWork: () => {
        this.#works += 1;
        if (this.#isCalm) return { takes: 10, fails: false };
        const usual = this.#chance.between(10, this.#chance.pick([100, 1_000, 20_000]));
        return {
          takes: slowWorks.has(this.#works) ? SLOW : usual,
          fails: failingWorks.has(this.#works),
        };
      },
    });
    this.network = new Network({
      scheduler,
      service: this.service,
      fraction: this.#chance.fraction,
      fates: new Map(
        faults.flatMap((fault) =>
          fault.kind === "network" ? [[fault.call, fault.fate] as const] : [],
        ),
      ),
      latency: () => this.#chance.between(5, 200),
    });
  }

  /** Sets off what befalls everybody at a time of its own. */
  public beginFaults(): void {
    for (const fault of this.plan.faults) {
      if (fault.kind === "delete rows") {
        this.scheduler.after(fault.at, () => {
          if (!this.#isCalm && this.database.deleteRows() > 0) this.isDamaged = true;
        });
      }
      if (fault.kind === "replace") this.#beginReplacement(fault);
      if (fault.kind !== "clock" && fault.kind !== "chain" && fault.kind !== "forget") continue;
      this.scheduler.after(fault.at, () => {
        if (this.#isCalm) return;
        if (fault.kind === "clock") this.#wallOffset += fault.jump;
        else if (fault.kind === "forget") this.service.forget();
        else if (fault.does === "reorganise") this.chain.reorganise();
        else if (fault.does === "revert") this.chain.revert();
        else this.chain.restart();
      });
    }
  }

  #beginReplacement({ at, from }: Fault & { readonly kind: "replace" }): void {
    const { scheduler, database } = this;
    let copy: ReturnType<ProjectDatabase["copy"]> = [];
    if (from !== undefined) scheduler.after(from, () => (copy = database.copy()));
    scheduler.after(at, () => {
      if (this.#isCalm) return;
      scheduler.note("the database is replaced");
      for (const { id, state, sender = "" } of database.records()) {
        const process = this.#processes.get(sender);
        const isUnderWay = state === "sending" && process?.isAlive === true;
        const wasLost = this.#underWay.has(id) && this.#underWay.get(id) === undefined;
        this.#underWay.set(id, isUnderWay && !wasLost ? process : undefined);
      }
      database.replace(copy);
    });
  }

  /** Whether a submission was recorded in a database that another program replaced, and nobody was left to record it anew. */
  public isLost(id: string): boolean {
    if (!this.#underWay.has(id)) return false;
    const process = this.#underWay.get(id);
    const mayNotRecord = this.plan.faults.some(({ kind }) => kind === "disk");
    return process === undefined || process.isKilled || mayNotRecord;
  }

  /** Whether a process may not know of a submission: the database was replaced, and what was under way is recorded later. */
  #mayNotKnow(id: string, name: string): boolean {
    const sender = this.#underWay.get(id);
    const process = this.#processes.get(name);
    if (this.isLost(id) || sender === undefined || process === undefined) return this.isLost(id);
    return sender.isAlive || process.startedAt <= sender.endedAt;
  }

  public calm(): void {
    this.#isCalm = true;
    this.network.calm();
  }

  public readonly violated = (sentence: string): void => {
    this.violations.push(sentence);
    this.scheduler.note(`VIOLATION ${sentence}`);
  };

  /** Runs a command in a new process. Resolves when it has ended, in whatever way. */
  public async run(
    command: Command,
    action: (tool: Tool) => Promise<readonly Word[] | undefined>,
  ): Promise<Outcome> {
    const { scheduler } = this;
    const process = this.#start(command.id);
    const tool = this.#toolOf(process, command);
    const began = scheduler.now;
    scheduler.note(`${process.name} begins: ${JSON.stringify(command.request)}`);
    const end = await Promise.race([
      action(tool).then(
        (words) => ({ end: "success" as const, words: words ?? [] }),
        (error: unknown) => ({ end: "error" as const, error, words: [] }),
      ),
      process.died.then(() => ({ end: "killed" as const, words: [] })),
    ]);
    const isKilled = !process.isAlive;
    const outcome: Outcome = {
      command,
      process,
      began,
      ended: scheduler.now,
      ...(isKilled ? { end: "killed", words: [] } : end),
    };
    const { error } = outcome;
    const words = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    scheduler.note(`${process.name} ends: ${outcome.end} ${words}`);
    // A command that has ended is no process any more.
    process.end();
    this.outcomes.push(outcome);
    return outcome;
  }

  /** Lets everything happen until nothing is left to happen. */
  public async passes(): Promise<void> {
    if (!(await this.scheduler.run())) this.violated("there is no end of it");
  }

  /** Whether nobody knows what became of a submission, and no living process waits for its answer. */
  public isLeftAlone(record: SubmissionRecord): boolean {
    return (
      isUndecided(record) && !(record.state === "sending" && this.#mayRun(record.sender ?? ""))
    );
  }

  #mayRun(process: string): boolean {
    return this.#processes.get(process)?.isAlive === true;
  }

  /** Milliseconds that commands wait for results. */
  public get timeout(): number {
    return this.plan.seed % 2 === 0 ? 30_000 : 60_000;
  }

  #start(command: number): Process {
    const blows = new Map<number, Blow>();
    for (const fault of this.#isCalm ? [] : this.plan.faults) {
      if ((fault.kind !== "kill" && fault.kind !== "stop") || fault.command !== command) continue;
      blows.set(fault.step, fault.kind === "kill" ? "kill" : { stop: fault.ms });
    }
    const name = `here:${this.#processes.size + 1}`;
    const wallTime = (): number => BEGINNING + Math.round(this.scheduler.now) + this.#wallOffset;
    const process = new Process({ scheduler: this.scheduler, name, wallTime, blows });
    this.#processes.set(name, process);
    return process;
  }

  #toolOf(process: Process, { id, request }: Command): Tool {
    const full = new Set<number>();
    for (const fault of this.#isCalm ? [] : this.plan.faults) {
      if (fault.kind === "disk" && fault.command === id) full.add(fault.transaction);
    }
    let transactions = 0;
    const isDiskFull = (): boolean => {
      transactions += 1;
      for (const fault of this.#isCalm ? [] : this.plan.faults) {
        if (fault.kind !== "between" || fault.command !== id || fault.transaction !== transactions)
          continue;
        this.onBetween({ id: id + BETWEEN, shell: 0, request: fault.request });
      }
      return full.has(transactions);
    };
    return new Tool({
      store: this.database.open({ process, isDiskFull }),
      system: {
        clock: process.clock,
        random: this.#chance.fraction,
        newId: () => `id-${(this.#ids += 1)}`,
        processes: { self: process.name, mayRun: (name) => this.#mayRun(name) },
      },
      dispatcher: this.network.dispatcherOf(process, {
        isForced: "force" in request,
        isRequested: request.do === "answer" || request.do === "watch",
      }),
      destination: this.chain.seenBy(process),
      timeout: this.timeout,
      rehearse: this.#rehearsalOf(process, id),
      oneTask: this.plan.takesOneTask,
    });
  }

  /** The run of tasks before they are sent; undefined in a history without a failing one. */
  #rehearsalOf(process: Process, command: number): RemoteSubmissionsOptions["rehearse"] {
    if (!this.plan.faults.some(({ kind }) => kind === "rehearsal")) return undefined;
    const fails = !this.#isCalm && failsToRehearse(command, this.plan);
    return async (tasks) =>
      await process.ask("for the values of the tasks", REHEARSAL, () => {
        if (fails) throw hdpError("HDP-4410", { panic: "it is not provable", program: "0x1" });
        return tasks.map((task) => {
          const hash = knownHash(task);
          const word = wordOf(hash);
          return {
            taskHash: hash,
            result: { taskHash: hash, word, value: BigInt(word), proven: true },
          };
        });
      });
  }
}

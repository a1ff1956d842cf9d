import type { Clock } from "../../src/base/clock.js";
import type { Scheduler } from "./scheduler.js";

/** Thrown by everything that a dead process still calls. */
export class Killed extends Error {
  public constructor() {
    super("the process was killed");
  }
}

/** What befalls a process as it takes a step: it dies, or stands still for some milliseconds. */
export type Blow = "kill" | { readonly stop: number };

export interface ProcessOptions {
  readonly scheduler: Scheduler;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly wallTime: () => number;
  /** What befalls it, by the number of the step. */
  readonly blows: ReadonlyMap<number, Blow>;
}

/**
 * A process of the operating system. Everything that it does beyond computing is a step: each may be its last, and it
 * may stand still at each that it waits for.
 */
export class Process {
  public readonly name: string;
  public readonly clock: Clock;
  public steps = 0;
  public isAlive = true;
  public isKilled = false;
  public readonly startedAt: number;
  public endedAt = Infinity;
  /** Milliseconds that it stood still. */
  public stood = 0;
  /** Resolves when it dies. */
  public readonly died: Promise<void>;
  readonly #options: ProcessOptions;
  readonly #held: (() => void)[] = [];
  #stopsFor = 0;
  #isStopped = false;
  #die: () => void = () => undefined;

  public constructor(options: ProcessOptions) {
    const { scheduler, name, wallTime } = options;
    this.#options = options;
    this.name = name;
    this.startedAt = scheduler.now;
    this.died = new Promise((resolve) => (this.#die = resolve));
    this.clock = {
      now: wallTime,
      monotonic: () => scheduler.now,
      after: (ms, act) => this.after(ms, "timer", act),
      sleep: async (ms, signal) => {
        if (signal?.aborted === true) return;
        await new Promise<void>((resolve) => {
          const cancel = this.after(ms, "wakes", resolve);
          signal?.addEventListener("abort", () => {
            cancel();
            resolve();
          });
        });
      },
    };
  }

  public isStopped(): boolean {
    return this.#isStopped || this.#stopsFor > 0;
  }

  /** Counts a step. @throws Killed where it is the last one, or the process is dead */
  public step(what: string): void {
    if (!this.isAlive) throw new Killed();
    this.steps += 1;
    const { scheduler, blows } = this.#options;
    scheduler.note(`${this.name} ${this.steps} ${what}`);
    const blow = blows.get(this.steps);
    if (blow === "kill") {
      this.kill();
      throw new Killed();
    }
    if (blow !== undefined) this.#stopsFor = blow.stop;
  }

  public end(): void {
    this.isAlive = false;
    this.endedAt = this.#options.scheduler.now;
  }

  public kill(): void {
    if (!this.isAlive) return;
    this.end();
    this.isKilled = true;
    this.#options.scheduler.note(`${this.name} is killed`);
    this.#die();
  }

  /** Calls `act` as a step after some milliseconds, later where the process stands still, never where it is dead. */
  public after(ms: number, what: string, act: () => void): () => void {
    let isCancelled = false;
    const happen = (): void => {
      if (isCancelled || !this.isAlive) return;
      if (this.isStopped()) {
        this.#hold(happen);
        return;
      }
      try {
        this.step(what);
      } catch {
        return;
      }
      if (this.isStopped()) this.#hold(act);
      else act();
    };
    const cancel = this.#options.scheduler.after(ms, happen);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Asks something outside, and is answered: `look` sees what is there halfway. */
  public async ask<T>(what: string, ms: number, look: () => T): Promise<T> {
    this.step(`asks ${what}`);
    return await new Promise((resolve, reject) => {
      this.#options.scheduler.after(ms / 2, () => {
        let answer: () => void;
        try {
          const value = look();
          answer = () => {
            resolve(value);
          };
        } catch (error) {
          answer = () => {
            reject(error instanceof Error ? error : new Error(String(error)));
          };
        }
        this.after(ms / 2, `hears ${what}`, answer);
      });
    });
  }

  #hold(act: () => void): void {
    this.#held.push(act);
    if (this.#isStopped) return;
    const { scheduler } = this.#options;
    this.#isStopped = true;
    scheduler.note(`${this.name} stands still`);
    this.stood += this.#stopsFor;
    scheduler.after(this.#stopsFor, () => {
      this.#isStopped = false;
      this.#stopsFor = 0;
      scheduler.note(`${this.name} goes on`);
      for (const held of this.#held.splice(0)) this.after(0, "goes on", held);
    });
  }
}

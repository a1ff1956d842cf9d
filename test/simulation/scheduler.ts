interface Event {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
  isCancelled: boolean;
}

/** Events that a history may take; more than these are taken for a loop without end. */
const MAX_EVENTS = 20_000;
/** Events of one turn of Node's event loop. A turn takes as long as an event. */
const STEPS = 20;

/**
 * Virtual time: events happen in the order of their times, and nothing happens between them but what they cause. The
 * same events give the same trace.
 */
export class Scheduler {
  /** Milliseconds since the beginning of the history. */
  public now = 0;
  readonly #notes: { readonly at: number; readonly line: string }[] = [];
  readonly #events: Event[] = [];
  #order = 0;

  /** Calls `act` after some milliseconds. Returns what prevents it. */
  public after(ms: number, act: () => void): () => void {
    const event: Event = {
      at: this.now + Math.max(ms, 0),
      order: (this.#order += 1),
      act,
      isCancelled: false,
    };
    this.#events.push(event);
    return () => {
      event.isCancelled = true;
    };
  }

  public note(line: string): void {
    this.#notes.push({ at: this.now, line });
  }

  /** What happened, a line each. */
  public get trace(): readonly string[] {
    return this.#notes.map(({ at, line }) => `${at.toFixed(0).padStart(7)} ${line}`);
  }

  /** Lets everything happen until nothing is left to happen. @returns false where there is no end of it */
  public async run(): Promise<boolean> {
    let count = 0;
    return await new Promise((resolve) => {
      let isOver = false;
      const step = (): void => {
        if (isOver) return;
        const event = this.#next();
        if (event === undefined || count === MAX_EVENTS) {
          isOver = true;
          resolve(event === undefined);
          return;
        }
        count += 1;
        this.now = event.at;
        event.act();
      };
      // Between two of them Node carries out all that follows from the last event: microtasks and ticks.
      const turn = (): void => {
        for (let index = 0; index < STEPS && !isOver; index += 1) setImmediate(step);
        if (!isOver) setImmediate(turn);
      };
      turn();
    });
  }

  #next(): Event | undefined {
    let first = -1;
    for (let index = 0; index < this.#events.length; index += 1) {
      const event = this.#events[index];
      if (event === undefined) break;
      if (event.isCancelled) {
        this.#events.splice(index, 1);
        index -= 1;
        continue;
      }
      const earliest = this.#events[first];
      if (
        earliest === undefined ||
        event.at < earliest.at ||
        (event.at === earliest.at && event.order < earliest.order)
      )
        first = index;
    }
    return first === -1 ? undefined : this.#events.splice(first, 1)[0];
  }
}

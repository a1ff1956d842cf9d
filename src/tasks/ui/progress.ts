import { createSpinner, type ISpinner } from "@nomicfoundation/hardhat-utils/spinner";

import { printable } from "../../base/untrusted-text.js";
import type { TaskStatus, WaitState } from "../../request/lifecycle.js";
import { elapsed } from "./format.js";
import { style, type Screen } from "./screen.js";

/** How often a changing detail is shown on a terminal, in milliseconds. */
const REDRAW_INTERVAL = 200;

/**
 * Shows observed states: one line each when it is over, with the processor's own word, the time since the start and
 * the last detail. On a terminal, the state under way is shown with a spinner on standard error.
 */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #start: number;
  #current: { status: TaskStatus; at: number } | undefined;
  #wait: WaitState | undefined;
  #spinner: ISpinner | undefined;
  #ticker: NodeJS.Timeout | undefined;
  readonly #timeout: number | undefined;
  #drawn = 0;

  /** @param options.timeout of the wait in milliseconds, where it is known before the first pause */
  public constructor(
    screen: Screen,
    { now = Date.now, timeout }: { now?: () => number; timeout?: number | undefined } = {},
  ) {
    this.#screen = screen;
    this.#now = now;
    this.#timeout = timeout;
    this.#start = now();
  }

  public readonly onStatus = (status: TaskStatus): void => {
    if (this.#current !== undefined && this.#current.status.name !== status.name) this.#print();
    const at = this.#current?.status.name === status.name ? this.#current.at : this.#now() - this.#start;
    this.#current = { status, at };
    if (status.phase === "pending") this.#draw(status);
    else this.end();
  };

  /** Shows when a wait polls next. Without a terminal it is printed once. */
  public readonly onPause = (state: WaitState): void => {
    const isFirst = this.#wait === undefined;
    this.#wait = state;
    if (process.stderr.isTTY) {
      this.#drawn = 0;
      if (this.#current !== undefined) this.#draw(this.#current.status);
    } else if (isFirst) {
      const timeout = elapsed(state.limitAt - this.#start);
      const next = elapsed(state.nextLookAt - this.#now());
      this.#screen.line(`  Waiting: next poll in ${next}, later ones less often, timeout ${timeout}`);
    }
  };

  /** Prints the state under way, for instance before an error is printed. */
  public end(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    this.#print();
    this.#current = undefined;
  }

  #print(): void {
    this.#spinner?.stop();
    this.#spinner = undefined;
    if (this.#current === undefined) return;
    const { status, at } = this.#current;
    const mark = status.phase === "failed" ? style.bad("✘") : style.good("✔");
    const columns = [status.name.padEnd(20), elapsed(at).padStart(7), status.detail ?? ""];
    this.#screen.line(`  ${mark} ${columns.join("   ").trimEnd()}`);
  }

  #draw(status: TaskStatus): void {
    if (process.stderr.isTTY && this.#ticker === undefined) {
      // Elapsed time goes on where nothing else changes.
      this.#ticker = setInterval(() => {
        if (this.#current !== undefined) this.#draw(this.#current.status);
      }, 1_000).unref();
    }
    const now = this.#now();
    if (this.#spinner !== undefined && now - this.#drawn < REDRAW_INTERVAL) return;
    this.#drawn = now;
    this.#spinner?.stop();
    const width = process.stderr.isTTY ? process.stderr.columns - 4 : 76;
    this.#spinner = createSpinner({
      text: printable(waiting(status, this.#times(now)), width),
      stream: process.stderr,
      enabled: process.stderr.isTTY,
    });
    this.#spinner.start();
  }

  #times(now: number): WaitTimes {
    const nextLook = this.#wait === undefined ? undefined : Math.max(0, this.#wait.nextLookAt - now);
    const timeout = this.#wait === undefined ? this.#timeout : this.#wait.limitAt - this.#start;
    return { elapsed: now - this.#start, nextLook, timeout };
  }
}

/** Milliseconds. */
interface WaitTimes {
  readonly elapsed: number;
  readonly nextLook: number | undefined;
  readonly timeout: number | undefined;
}

/** Returns the line of a wait: `Sampling 840 of 1,202   3.1 s   next poll in 0.5 s   timeout 10 min 0 s`. */
export function waiting({ name, detail }: Pick<TaskStatus, "name" | "detail">, times: WaitTimes): string {
  return [
    detail === undefined ? name : `${name} ${detail}`,
    elapsed(times.elapsed),
    ...(times.nextLook === undefined ? [] : [`next poll in ${elapsed(times.nextLook)}`]),
    ...(times.timeout === undefined ? [] : [`timeout ${elapsed(times.timeout)}`]),
  ].join("   ");
}

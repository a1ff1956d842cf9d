import { printable } from "../../base/text.js";
import type { TaskStatus, WaitState } from "../../request/lifecycle.js";
import { elapsed } from "./format.js";
import { mark, type Screen } from "./screen.js";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_INTERVAL = 100;

/**
 * Prints each state that was observed on a line of its own when it is over: the processor's own word, the time since the
 * start and the last detail. On a terminal, the state under way is drawn on standard error. Hardhat's spinner does not
 * fit: its text is fixed.
 */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #start: number;
  readonly #timeout: number | undefined;
  #current: { readonly status: TaskStatus; readonly since: number } | undefined;
  #wait: WaitState | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #frame = 0;

  /** @param options.timeout of the wait in milliseconds, where it is known before the first pause */
  public constructor(
    screen: Screen,
    { now = Date.now, timeout }: { now?: () => number; timeout?: number | undefined } = {},
  ) {
    this.#screen = screen;
    this.#now = now;
    this.#start = now();
    this.#timeout = timeout;
  }

  public readonly onStatus = (status: TaskStatus): void => {
    const isSame = this.#current?.status.name === status.name;
    if (!isSame) this.#print();
    const since = isSame ? (this.#current?.since ?? 0) : this.#now() - this.#start;
    this.#current = { status, since };
    if (status.phase !== "pending") this.end();
    else if (process.stderr.isTTY) this.#ticker ??= setInterval(() => this.#draw(), FRAME_INTERVAL).unref();
  };

  /** Shows when a wait polls next. Without a terminal it is printed once. */
  public readonly onPause = (state: WaitState): void => {
    if (this.#wait === undefined && !process.stderr.isTTY) {
      const timeout = elapsed(state.timeoutAt - this.#start);
      const next = elapsed(state.nextLookAt - this.#now());
      this.#screen.line(`  Waiting: next poll in ${next}, later ones less often, timeout ${timeout}`);
    }
    this.#wait = state;
  };

  /** Prints the state under way, for instance before an error is printed. */
  public end(): void {
    this.#print();
    this.#current = undefined;
  }

  #print(): void {
    if (this.#ticker !== undefined) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
      clearLine();
    }
    if (this.#current === undefined) return;
    const { status, since } = this.#current;
    const columns = [status.name.padEnd(20), elapsed(since).padStart(7), status.detail ?? ""];
    this.#screen.line(`  ${mark(status.phase !== "failed")} ${columns.join("   ").trimEnd()}`);
  }

  #draw(): void {
    if (this.#current === undefined) return;
    const now = this.#now();
    const text = waiting(this.#current.status, {
      elapsed: now - this.#start,
      nextPoll: this.#wait === undefined ? undefined : Math.max(0, this.#wait.nextLookAt - now),
      timeout: this.#wait === undefined ? this.#timeout : this.#wait.timeoutAt - this.#start,
    });
    clearLine();
    const frame = FRAMES.charAt(this.#frame++ % FRAMES.length);
    process.stderr.write(`${frame} ${printable(text, process.stderr.columns - 4)}`);
  }
}

function clearLine(): void {
  process.stderr.cursorTo(0);
  process.stderr.clearLine(0);
}

/** Returns the line of a wait, from milliseconds: `Sampling 840 of 1,202   3.1 s   next poll in 0.5 s   timeout 10 min 0 s`. */
export function waiting(
  { name, detail }: Pick<TaskStatus, "name" | "detail">,
  times: { elapsed: number; nextPoll: number | undefined; timeout: number | undefined },
): string {
  return [
    detail === undefined ? name : `${name} ${detail}`,
    elapsed(times.elapsed),
    ...(times.nextPoll === undefined ? [] : [`next poll in ${elapsed(times.nextPoll)}`]),
    ...(times.timeout === undefined ? [] : [`timeout ${elapsed(times.timeout)}`]),
  ].join("   ");
}

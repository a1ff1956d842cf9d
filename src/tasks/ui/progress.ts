import { createSpinner, type ISpinner } from "@nomicfoundation/hardhat-utils/spinner";

import { printable } from "../../base/untrusted-text.js";
import type { TaskStatus } from "../../request/lifecycle.js";
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
  #spinner: ISpinner | undefined;
  #drawn = 0;

  public constructor(screen: Screen, now: () => number = Date.now) {
    this.#screen = screen;
    this.#now = now;
    this.#start = now();
  }

  public readonly onStatus = (status: TaskStatus): void => {
    if (this.#current !== undefined && this.#current.status.name !== status.name) this.#print();
    const at = this.#current?.status.name === status.name ? this.#current.at : this.#now() - this.#start;
    this.#current = { status, at };
    if (status.phase === "pending") this.#draw(status);
    else this.end();
  };

  /** Prints what is under way, for instance before an error is shown. */
  public end(): void {
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

  #draw({ name, detail }: TaskStatus): void {
    const now = this.#now();
    if (this.#spinner !== undefined && now - this.#drawn < REDRAW_INTERVAL) return;
    this.#drawn = now;
    this.#spinner?.stop();
    const width = process.stderr.isTTY ? process.stderr.columns - 4 : 76;
    this.#spinner = createSpinner({
      text: printable([name, detail].filter((part) => part !== undefined).join("   "), width),
      stream: process.stderr,
      enabled: process.stderr.isTTY,
    });
    this.#spinner.start();
  }
}

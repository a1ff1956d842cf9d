import { printable } from "../../base/text.js";
import { CATALOGUE } from "../../errors/catalogue.js";
import type { HdpError } from "../../errors/hdp-error.js";
import type { TaskStatus, WaitState } from "../../request/task.js";
import type { StorageProofQuery } from "../../service/storage-proof.js";
import { elapsed } from "./format.js";
import { mark, printTable, type Screen } from "./screen.js";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/**
 * Prints each observed state on a line of its own when it has ended: the processor's own name of it, the time since the
 * start and the last detail. On a terminal, draws the current state on standard error. Hardhat's spinner is not used
 * because its text is fixed.
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
  #failure: HdpError | undefined;
  #trouble: Trouble | undefined;
  #saidAt = 0;

  /** @param options.timeout of the wait in milliseconds, where it is known before the first pause */
  public constructor(
    screen: Screen,
    { now = Date.now, timeout }: { now?: () => number; timeout?: number | undefined } = {},
  ) {
    this.#screen = screen;
    this.#now = now;
    this.#start = now();
    this.#timeout = timeout;
    this.#animate();
  }

  public readonly onStatus = (status: TaskStatus): void => {
    const isSame = this.#current?.status.name === status.name;
    if (!isSame) this.#print();
    const since = isSame ? (this.#current?.since ?? 0) : this.#now() - this.#start;
    this.#current = { status, since };
    if (status.phase !== "pending") this.end();
    else this.#animate();
  };

  /**
   * Shows when a wait polls next, and since when its polls have failed. Without a terminal, prints the former once, and
   * the latter at most once a minute.
   */
  public readonly onPause = (state: WaitState): void => {
    const now = this.#now();
    const next = elapsed(state.nextLookAt - now);
    const failure = this.#failure;
    this.#failure = undefined;
    const before = this.#trouble;
    const trouble = failure && { since: before?.since ?? now, what: troubleOf(failure) };
    this.#trouble = trouble;
    if (process.stderr.isTTY) this.#animate();
    else if (trouble !== undefined) {
      if (before !== undefined && now - this.#saidAt < 60_000) return;
      this.#saidAt = now;
      this.#screen.line(`  ${troubled(trouble)}, next try in ${next}`);
      if (before === undefined) this.#screen.line(`    ${failure?.shortMessage ?? ""}`);
    } else if (before !== undefined) {
      this.#screen.line("  The service answers again");
    } else if (this.#wait === undefined) {
      const timeout = elapsed(state.timeoutAt - this.#start);
      this.#screen.line(`  Waiting: next poll in ${next}, later ones less often, timeout ${timeout}`);
    }
    this.#wait = state;
  };

  /** Notes why a poll failed, for the next pause. */
  public readonly onTrouble = (failure: HdpError): void => {
    this.#failure = failure;
  };

  public readonly listeners = {
    ...{ onStatus: this.onStatus, onPause: this.onPause, onTrouble: this.onTrouble },
    onQueries: (queries: readonly StorageProofQuery[]): void => this.onStatus(queriesAsStatus(queries)),
  };

  #animate(): void {
    if (process.stderr.isTTY) this.#ticker ??= setInterval(() => this.#draw(), 100).unref();
  }

  /** Prints the current state, for instance before an error is printed. */
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
    const now = this.#now();
    const times = {
      elapsed: now - this.#start,
      nextPoll: this.#wait === undefined ? undefined : Math.max(0, this.#wait.nextLookAt - now),
      timeout: this.#wait === undefined ? this.#timeout : this.#wait.timeoutAt - this.#start,
    };
    const text = waiting(this.#current?.status ?? { name: "Waiting" }, times, this.#trouble);
    clearLine();
    const frame = FRAMES.charAt(this.#frame++ % FRAMES.length);
    process.stderr.write(`${frame} ${printable(text, (process.stderr.columns || 80) - 4)}`);
  }
}

/** A series of failed polls. */
interface Trouble {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly what: string;
}

/** Returns the failure in two or three words: "no connection". */
function troubleOf({ code }: HdpError): string {
  const { title } = CATALOGUE[code];
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

function troubled({ since, what }: Trouble): string {
  return `! ${what} since ${new Date(since).toTimeString().slice(0, 5)}`;
}

function clearLine(): void {
  process.stderr.cursorTo(0);
  process.stderr.clearLine(0);
}

/**
 * Returns the line of a wait, from milliseconds: `Sampling 840 of 1,202, 3.1 s, next poll in 0.5 s, timeout 10 min 0 s`,
 * while polls fail `! no connection since 14:05, next try in 4 s, timeout 10 min 0 s`.
 */
export function waiting(
  { name, detail }: Pick<TaskStatus, "name" | "detail">,
  times: { elapsed: number; nextPoll: number | undefined; timeout: number | undefined },
  trouble?: Trouble,
): string {
  const next = times.nextPoll === undefined ? undefined : elapsed(times.nextPoll);
  const seen = [detail === undefined ? name : `${name} ${detail}`, elapsed(times.elapsed)];
  return [
    ...(trouble === undefined ? seen : [`${troubled(trouble)}, next try in ${next ?? elapsed(0)}`]),
    ...(next === undefined || trouble !== undefined ? [] : [`next poll in ${next}`]),
    ...(times.timeout === undefined ? [] : [`timeout ${elapsed(times.timeout)}`]),
  ].join(", ");
}

export function printQueries(screen: Screen, found: readonly StorageProofQuery[]): void {
  if (found.length === 0) screen.line("  No queries yet: the request is being scheduled.");
  const rows = found.map(({ internal_id, status, typ, created_at, completed_at }) => {
    return [internal_id, status, typ ?? "", created_at ?? "", completed_at ?? ""];
  });
  if (rows.length > 0) printTable(screen, ["QUERY", "STATUS", "KIND", "CREATED", "COMPLETED"], rows);
}

export function queriesAsStatus(found: readonly StorageProofQuery[]): TaskStatus {
  if (found.length === 0) return { name: "Scheduled", phase: "pending" };
  const counts = new Map<string, number>();
  for (const { status } of found) counts.set(status, (counts.get(status) ?? 0) + 1);
  const name = [...counts].map(([status, count]) => `${String(count)} ${status}`).join(", ");
  return { name, phase: "pending", detail: `${String(found.length)} in all` };
}

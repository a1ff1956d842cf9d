import { printable } from "../../errors/printable.js";
import { CATALOGUE } from "../../errors/catalogue.js";
import type { HdpError } from "../../errors/hdp-error.js";
import type { TaskStatus, WaitState } from "../../request/data-processor.js";
import type { StorageProofQuery } from "../../service/storage-proof.js";
import { elapsed } from "../../base/text.js";
import { mark, printTable, type Screen } from "./screen.js";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Milliseconds. */
const MINUTE = 60_000;

interface Progress {
  readonly listeners: {
    readonly onStatus: (status: TaskStatus) => void;
    readonly onPause: (state: WaitState) => void;
    readonly onTrouble: (failure: HdpError) => void;
    readonly onQueries: (queries: readonly StorageProofQuery[]) => void;
  };
  /** Prints the current state, for instance before an error is printed. */
  readonly end: () => void;
}

/**
 * Prints each observed state on a line of its own when it has ended: the processor's own name of it, the time since the
 * start and the last detail. On a terminal, draws the current state on standard error. Hardhat's spinner is not used
 * because its text is fixed.
 *
 * @param options.timeout of the wait in milliseconds, where it is known before the first pause
 */
export function showProgress(
  screen: Screen,
  { now = Date.now, timeout }: { now?: () => number; timeout?: number | undefined } = {},
): Progress {
  const start = now();
  let current: { readonly status: TaskStatus; readonly since: number } | undefined;
  let wait: WaitState | undefined;
  let ticker: NodeJS.Timeout | undefined;
  let frame = 0;
  let failure: HdpError | undefined;
  let trouble: Trouble | undefined;
  let saidAt = 0;

  const draw = (): void => {
    const times = {
      elapsed: now() - start,
      nextPoll: wait && Math.max(0, wait.nextPollAt - now()),
      timeout: wait === undefined ? timeout : wait.timeoutAt - start,
    };
    const text = waiting(current?.status ?? { name: "Waiting" }, times, trouble);
    clearLine();
    const mark = FRAMES.charAt(frame++ % FRAMES.length);
    process.stderr.write(`${mark} ${printable(text, (process.stderr.columns || 80) - 4)}`);
  };
  const animate = (): void => {
    if (process.stderr.isTTY) ticker ??= setInterval(draw, 100).unref();
  };
  const end = (): void => {
    if (ticker !== undefined) {
      clearInterval(ticker);
      ticker = undefined;
      clearLine();
    }
    if (current === undefined) return;
    const { status, since } = current;
    const columns = [status.name.padEnd(20), elapsed(since).padStart(7), status.detail ?? ""];
    screen.line(`  ${mark(status.phase !== "failed")} ${columns.join("   ").trimEnd()}`);
    current = undefined;
  };
  const onStatus = (status: TaskStatus): void => {
    const before = current?.status.name === status.name ? current.since : undefined;
    if (before === undefined) end();
    current = { status, since: before ?? now() - start };
    if (status.phase !== "pending") end();
    else animate();
  };
  /** Prints since when polls have failed, at most once a minute. */
  const printTrouble = (failing: Trouble, reason: string, isNew: boolean, next: string): void => {
    if (!isNew && now() - saidAt < MINUTE) return;
    saidAt = now();
    screen.line(`  ${troubled(failing)}, next try in ${next}`);
    if (isNew) screen.line(`    ${reason}`);
  };
  /** Draws when a wait polls next; without a terminal prints it once. */
  const onPause = (state: WaitState): void => {
    const next = elapsed(state.nextPollAt - now());
    const before = trouble;
    const isFirst = wait === undefined;
    const reason = failure?.shortMessage ?? "";
    trouble = failure && { since: before?.since ?? now(), what: CATALOGUE[failure.code].title };
    failure = undefined;
    wait = state;
    if (process.stderr.isTTY) {
      animate();
      return;
    }
    if (trouble !== undefined) {
      printTrouble(trouble, reason, before === undefined, next);
      return;
    }
    if (before !== undefined) {
      screen.line("  The service answers again");
      return;
    }
    const last = elapsed(state.timeoutAt - start);
    if (isFirst)
      screen.line(`  Waiting: next poll in ${next}, later ones less often, timeout ${last}`);
  };
  animate();
  return {
    listeners: {
      onStatus,
      onPause,
      // The next pause tells why the poll failed.
      onTrouble: (error) => (failure = error),
      onQueries: (queries) => onStatus(queriesAsStatus(queries)),
    },
    end,
  };
}

/** A series of failed polls. */
interface Trouble {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Title of the error: "No connection". */
  readonly what: string;
}

function troubled({ since, what }: Trouble): string {
  return `! ${what.charAt(0).toLowerCase()}${what.slice(1)} since ${new Date(since).toTimeString().slice(0, 5)}`;
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
  { name, detail }: { readonly name: string; readonly detail?: string | undefined },
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

/** Prints the queries of a storage proof request as a table. */
export function printQueries(screen: Screen, found: readonly StorageProofQuery[]): void {
  if (found.length === 0) screen.line("  No queries yet: the request is being scheduled.");
  const rows = found.map(({ internal_id, status, typ, created_at, completed_at }) => {
    return [internal_id, status, typ ?? "", created_at ?? "", completed_at ?? ""];
  });
  if (rows.length > 0)
    printTable(screen, ["QUERY", "STATUS", "KIND", "CREATED", "COMPLETED"], rows);
}

/** Returns the state of a storage proof request from its queries. */
export function queriesAsStatus(found: readonly StorageProofQuery[]): TaskStatus {
  if (found.length === 0) return { name: "Scheduled", phase: "pending" };
  const groups = Map.groupBy(found, ({ status }) => status);
  const name = [...groups].map(([status, queries]) => `${queries.length} ${status}`).join(", ");
  return { name, phase: "pending", detail: `${String(found.length)} in all` };
}

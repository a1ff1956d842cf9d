import type { Hint } from "./hints/operand.js";
import type { InjectedState } from "./injected-state.js";
import { describeRead, type ModuleRead, type ReadModuleValue } from "./module-read.js";
import type { CallWatcher } from "./prepared-program.js";

/** What a program read at one place, and what it cost. */
export interface ProfiledRead {
  /** `header`, `account`, `storage`, …: the first word of the key. */
  readonly kind: string;
  /** The read in one line, with its block and chain. */
  readonly key: string;
  /** How often this was read here: one step each, the one that the machine stops at. */
  readonly times: number;
  /** Milliseconds until the answers were there. */
  readonly waited: number;
}

/** A function where it was called from: its place in the tree of calls. */
export interface CallNode {
  /** Index of the caller's node; -1 for the entry point. */
  readonly parent: number;
  readonly name: string;
  /** Steps in the function itself, its reads' among them. */
  readonly steps: number;
  /** In the order of their first time. */
  readonly reads: readonly ProfiledRead[];
}

/** Nodes that are kept: what is called beyond them counts for its caller. */
const MOST_NODES = 50_000;

/**
 * The name of the function whose first instruction is at an offset, which is undefined for a call whose target the
 * program computed. What is no function has none, and counts for its caller.
 */
export type FunctionNamer = (target: number | undefined) => string | undefined;

type StateCall = Pick<InjectedState, "call">;

interface TimedRead {
  readonly node: number;
  readonly read: ModuleRead | Parameters<StateCall["call"]>;
  waited: number;
}

/**
 * Counts a run's steps by function and by who called it, exactly: it is told of each call and each return.
 *
 * A function that calls itself, be it through others, is shown once: the inner call counts for the frame that it
 * repeats. Cairo's loops are such functions, and would otherwise be as deep as their turns.
 */
export class CallProfile implements CallWatcher {
  readonly #nameOf: FunctionNamer;
  readonly #now: () => number;
  readonly #parents: number[] = [];
  /** By node: its function, as an index of the next four. */
  readonly #functions: number[] = [];
  readonly #names: string[] = [];
  /** How often a function is on the stack, since which step it is there, and the steps that it was there before. */
  readonly #active: number[] = [];
  readonly #since: number[] = [];
  readonly #totals: number[] = [];
  #steps = new Float64Array(256);
  readonly #reads: TimedRead[] = [];
  readonly #children = new Map<string, number>();
  /** Nodes to return to, and how often each was called again while it ran. */
  #stack = new Int32Array(256);
  #again = new Float64Array(256);
  #depth = 0;
  #node = 0;
  #last = 0;

  /** @param now milliseconds of a clock that never goes back */
  public constructor(nameOf: FunctionNamer, now: () => number = () => performance.now()) {
    this.#nameOf = nameOf;
    this.#now = now;
  }

  /** Before the first step, which is at `pc`. */
  public begin(pc: number): void {
    this.#enter(this.#add(-1, this.#nameOf(pc) ?? "the entry point"), 0);
  }

  /** The functions that are running take the steps up to now. */
  public end(steps: number): void {
    this.#charge(steps);
    this.#active.forEach((times, index) => {
      if (times > 0) this.#totals[index] = (this.#totals[index] ?? 0) + steps - (this.#since[index] ?? 0);
    });
  }

  public call(_pc: number, target: number | undefined): Hint {
    let from = -1;
    let to = -1;
    return ({ steps }) => {
      const node = this.#node;
      if (node !== from) {
        from = node;
        to = this.#child(node, target);
      }
      if (to === node) {
        this.#again[this.#depth] = (this.#again[this.#depth] ?? 0) + 1;
        return;
      }
      // The call itself is the caller's.
      this.#charge(steps + 1);
      this.#stack[this.#depth] = node;
      this.#depth += 1;
      if (this.#depth === this.#stack.length) {
        this.#stack = grown(this.#stack, Int32Array);
        this.#again = grown(this.#again, Float64Array);
      }
      this.#again[this.#depth] = 0;
      this.#enter(to, steps + 1);
    };
  }

  public readonly leave: Hint = ({ steps }) => {
    const again = this.#again[this.#depth] ?? 0;
    if (again > 0) {
      this.#again[this.#depth] = again - 1;
      return;
    }
    if (this.#depth === 0) return;
    this.#charge(steps + 1);
    const index = this.#functions[this.#node] ?? 0;
    const active = (this.#active[index] ?? 0) - 1;
    this.#active[index] = active;
    if (active === 0) this.#totals[index] = (this.#totals[index] ?? 0) + steps + 1 - (this.#since[index] ?? 0);
    this.#depth -= 1;
    this.#node = this.#stack[this.#depth] ?? 0;
  };

  /** The same reads, each counted for the function that runs, with the time until its answer. */
  public watchReads(read: ReadModuleValue): ReadModuleValue {
    return (wanted) => this.#timed(wanted, () => read(wanted));
  }

  /** The same for injected state. */
  public watchState(state: StateCall): StateCall {
    return { call: (...call) => this.#timed(call, () => state.call(...call)) };
  }

  /** The tree of calls, callers before those they called. */
  public nodes(): readonly CallNode[] {
    const reads = this.#parents.map(() => new Map<string, ProfiledRead>());
    for (const { node, read, waited } of this.#reads) {
      const key = "kind" in read ? describeRead(read) : describeStateCall(read);
      const before = reads[node]?.get(key);
      const kind = key.split(".", 1)[0] ?? key;
      reads[node]?.set(key, { kind, key, times: (before?.times ?? 0) + 1, waited: (before?.waited ?? 0) + waited });
    }
    return this.#parents.map((parent, index) => ({
      parent,
      name: this.#names[this.#functions[index] ?? 0] ?? "",
      steps: this.#steps[index] ?? 0,
      reads: [...(reads[index]?.values() ?? [])],
    }));
  }

  /** Steps in each function and in all that it called. */
  public totals(): ReadonlyMap<string, number> {
    return new Map(this.#names.map((name, index) => [name, this.#totals[index] ?? 0]));
  }

  #enter(node: number, steps: number): void {
    const index = this.#functions[node] ?? 0;
    const active = this.#active[index] ?? 0;
    if (active === 0) this.#since[index] = steps;
    this.#active[index] = active + 1;
    this.#node = node;
  }

  #charge(steps: number): void {
    const node = this.#node;
    this.#steps[node] = (this.#steps[node] ?? 0) + steps - this.#last;
    this.#last = steps;
  }

  #child(node: number, target: number | undefined): number {
    const name = this.#nameOf(target);
    if (name === undefined) return node;
    for (let at = node; at >= 0; at = this.#parents[at] ?? -1) {
      if (this.#names[this.#functions[at] ?? 0] === name) return at;
    }
    const key = `${String(node)} ${name}`;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    if (this.#parents.length === MOST_NODES) return node;
    const added = this.#add(node, name);
    this.#children.set(key, added);
    return added;
  }

  #add(parent: number, name: string): number {
    const node = this.#parents.push(parent) - 1;
    if (node === this.#steps.length) this.#steps = grown(this.#steps, Float64Array);
    const known = this.#names.indexOf(name);
    const index = known < 0 ? this.#names.push(name) - 1 : known;
    this.#functions.push(index);
    return node;
  }

  #timed<T>(read: TimedRead["read"], work: () => T | Promise<T>): T | Promise<T> {
    const start = this.#now();
    const entry: TimedRead = { node: this.#node, read, waited: 0 };
    this.#reads.push(entry);
    const value = work();
    if (!(value instanceof Promise)) {
      entry.waited = this.#now() - start;
      return value;
    }
    return value.finally(() => {
      entry.waited = this.#now() - start;
    });
  }
}

/** `injectedState.read of label 0x766f746573 key 0x2a` */
function describeStateCall([selector, calldata]: Parameters<StateCall["call"]>): string {
  const [label = 0n, key = 0n] = calldata.slice(2);
  const of = `of label 0x${label.toString(16)}`;
  if (selector === 0n) return `injectedState.root ${of}`;
  return `injectedState.${selector === 1n ? "read" : "write"} ${of} key 0x${key.toString(16)}`;
}

function grown<T extends Int32Array | Float64Array>(array: T, Kind: new (length: number) => T): T {
  const larger = new Kind(array.length * 2);
  larger.set(array);
  return larger;
}

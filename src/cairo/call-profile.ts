import type { InjectedState } from "./injected-state.js";
import { describeRead, type ModuleRead, type ReadModuleValue } from "./module-read.js";

/** A function where it was called from: its place in the tree of calls. */
export interface CallNode {
  /** Index of the caller's node; -1 for the entry point. */
  readonly parent: number;
  readonly name: string;
  /** Steps in the function itself, one for each of its reads among them. */
  readonly steps: number;
}

/** Nodes that are kept: what is called beyond them counts for its caller. */
const MOST_NODES = 50_000;

/** The name of the function whose first instruction is at an offset. What is no function counts for its caller. */
export type FunctionNamer = (target: number) => string | undefined;

type StateCall = Pick<InjectedState, "call">;

/** A read, or a call of injected state: one step, the one that the machine stops at, and what it waited. */
export interface ProfiledRead {
  /** Index of the node of the function that made it. */
  readonly node: number;
  readonly read: ModuleRead | Parameters<StateCall["call"]>;
  /** Milliseconds until the answer was there. */
  waited: number;
}

/**
 * Counts a run's steps by function and by who called it, exactly: it is told of each call and each return.
 *
 * A function that calls itself, be it through others, is shown once: the inner call counts for the frame that it
 * repeats. Cairo's loops are such functions, and would otherwise be as deep as their turns.
 */
export class CallProfile {
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
  readonly #reads: ProfiledRead[] = [];
  readonly #children = new Map<string, number>();
  /** By target: where it was called from last, and its node there. */
  readonly #known: { readonly from: number; readonly to: number }[] = [];
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
    this.#run(this.#add(-1, this.#nameOf(pc) ?? "the entry point"), 0);
  }

  /** The functions that are running take the steps up to now. */
  public end(steps: number): void {
    this.#charge(steps);
    this.#active.forEach((times, index) => {
      if (times > 0) this.#totals[index] = (this.#totals[index] ?? 0) + steps - (this.#since[index] ?? 0);
    });
  }

  /** A function is called, and the call was the step before `steps`. */
  public enter(target: number, steps: number): void {
    const node = this.#node;
    const known = this.#known[target];
    const to = known?.from === node ? known.to : this.#child(node, target);
    if (to === node) {
      this.#again[this.#depth] = (this.#again[this.#depth] ?? 0) + 1;
      return;
    }
    // The call itself is the caller's.
    this.#charge(steps);
    this.#stack[this.#depth] = node;
    this.#depth += 1;
    if (this.#depth === this.#stack.length) {
      this.#stack = grown(this.#stack, Int32Array);
      this.#again = grown(this.#again, Float64Array);
    }
    this.#again[this.#depth] = 0;
    this.#run(to, steps);
  }

  /** The function that is running returns, and the return was the step before `steps`. */
  public leave(steps: number): void {
    const again = this.#again[this.#depth] ?? 0;
    if (again > 0) {
      this.#again[this.#depth] = again - 1;
      return;
    }
    if (this.#depth === 0) return;
    this.#charge(steps);
    const index = this.#functions[this.#node] ?? 0;
    const active = (this.#active[index] ?? 0) - 1;
    this.#active[index] = active;
    if (active === 0) this.#totals[index] = (this.#totals[index] ?? 0) + steps - (this.#since[index] ?? 0);
    this.#depth -= 1;
    this.#node = this.#stack[this.#depth] ?? 0;
  }

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
    return this.#parents.map((parent, index) => ({
      parent,
      name: this.#names[this.#functions[index] ?? 0] ?? "",
      steps: this.#steps[index] ?? 0,
    }));
  }

  /** In the order of the run. */
  public get reads(): readonly ProfiledRead[] {
    return this.#reads;
  }

  /** Steps in each function and in all that it called. */
  public totals(): ReadonlyMap<string, number> {
    return new Map(this.#names.map((name, index) => [name, this.#totals[index] ?? 0]));
  }

  #run(node: number, steps: number): void {
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

  #child(node: number, target: number): number {
    const to = this.#childNamed(node, target);
    this.#known[target] = { from: node, to };
    return to;
  }

  #childNamed(node: number, target: number): number {
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

  #timed<T>(read: ProfiledRead["read"], work: () => T | Promise<T>): T | Promise<T> {
    const start = this.#now();
    const entry: ProfiledRead = { node: this.#node, read, waited: 0 };
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

/** `injectedState.read of label 0x766f746573 key 0x2a`, and what `describeRead` says of the others. */
export function describeProfiledRead({ read }: ProfiledRead): string {
  if ("kind" in read) return describeRead(read);
  const [selector, calldata] = read;
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

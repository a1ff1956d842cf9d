import { bytecodeSource, type CompiledClass, requireMain } from "../program/compiled-class.js";
import type { ProfileTotals } from "../request/views.js";
import type { StateCalls } from "./module-state.js";
import { type AnswerRead, describeRead, type ModuleRead } from "./module-read.js";
import { RETURN_INSTRUCTION } from "./bytecode.js";

/** Steps of a function during a run. */
export interface ProfiledFunction {
  /** Full Cairo path, for loops with their place in the source; `fn@<offset>` where the class has no names. */
  readonly name: string;
  /** Steps in the function itself. */
  readonly self: number;
  /** Steps in the function and in what it called. */
  readonly total: number;
}

/** A call stack of a run, with its cost. Each read has its own. */
export interface ProfiledStack {
  /** Outermost first. A read has two frames, its kind and its key: `read storage`, `storage.slot of 0x…`. */
  readonly frames: readonly string[];
  readonly steps: number;
  /** Milliseconds that the run waited for the read's answer; undefined for a function. */
  readonly waited: number | undefined;
}

/** Steps of a run by function and by stack. */
export interface ModuleProfile extends ProfileTotals {
  /** Those with most steps of their own first. The step of a read is not counted as its function's own. */
  readonly functions: readonly ProfiledFunction[];
  readonly stacks: readonly ProfiledStack[];
}

/** Nodes that are kept: the steps of calls beyond them count for the caller. */
const MAX_NODES = 50_000;

/** Names of functions by the offset of their first instruction, where they are known. */
type Names = ReadonlyMap<number, string> | undefined;

interface Func {
  readonly name: string;
  /** How often it is on the stack. */
  active: number;
  /** The step since which it is there. */
  since: number;
  /** The steps that it was there before. */
  total: number;
}

/** A function where it was called from: a node in the tree of calls. */
interface Node {
  readonly caller: Node | undefined;
  readonly func: Func;
  readonly called: Map<Func, Node>;
  /** In the function itself, its reads included. */
  steps: number;
}

/** A read, or a call of injected state: one step, at which the machine stops. */
interface ProfiledRead {
  readonly node: Node;
  readonly read: ModuleRead | Parameters<StateCalls["call"]>;
  waited: number;
}

/**
 * Counts the steps of a run by function and caller, exactly: the machine reports each call and return.
 * A function that calls itself, directly or through others, has one node: the inner call counts for the outer one's.
 * Cairo's loops are such functions, and would otherwise be as deep as their turns.
 */
export class CallProfile {
  readonly #named: boolean;
  readonly #nameOf: (target: number) => string | undefined;
  readonly #now: () => number;
  readonly #functions = new Map<string, Func>();
  /** Callers before what they called. */
  readonly #nodes: Node[] = [];
  readonly #reads: ProfiledRead[] = [];
  /** By target of a call: the node that called it last, and its node there. */
  readonly #known: { readonly from: Node; readonly to: Node }[] = [];
  /** Nodes to return to: the running one itself where it has called itself. */
  readonly #callers: Node[] = [];
  #node: Node;
  /** The step up to which steps are counted. */
  #counted = 0;

  public constructor(
    compiled: CompiledClass,
    names: Names,
    now: () => number = () => performance.now(),
  ) {
    this.#named = names !== undefined;
    this.#nameOf = functionNamer(compiled, names);
    this.#now = now;
    this.#node = this.#add(undefined, this.#nameOf(requireMain(compiled).offset) ?? "main");
    this.#node.func.active = 1;
  }

  /** Ends the count at `steps`: the functions that are still running took the steps up to there. */
  public end(steps: number): void {
    this.#count(steps);
    for (const func of this.#functions.values()) {
      if (func.active > 0) func.total += steps - func.since;
    }
  }

  /** Notes that the step before `steps` called a function. */
  public enter(target: number, steps: number): void {
    const node = this.#node;
    const known = this.#known[target];
    const to = known?.from === node ? known.to : this.#child(node, target);
    this.#callers.push(node);
    if (to === node) return;
    this.#count(steps);
    const { func } = to;
    if (func.active === 0) func.since = steps;
    func.active += 1;
    this.#node = to;
  }

  /** Notes that the running function returned in the step before `steps`. */
  public leave(steps: number): void {
    const caller = this.#callers.pop();
    if (caller === undefined || caller === this.#node) return;
    this.#count(steps);
    const { func } = this.#node;
    func.active -= 1;
    if (func.active === 0) func.total += steps - func.since;
    this.#node = caller;
  }

  /** Returns a function that answers reads, and counts each for the running function, with the time until its answer. */
  public watchReads(read: AnswerRead): AnswerRead {
    return (wanted, use) => this.#timed(wanted, () => read(wanted, use));
  }

  public watchState(state: StateCalls): StateCalls {
    return { call: (...call) => this.#timed(call, () => state.call(...call)) };
  }

  public report(): ModuleProfile {
    const own = new Map(this.#nodes.map((node) => [node, node.steps]));
    for (const { node } of this.#reads) own.set(node, (own.get(node) ?? 0) - 1);
    const selves = new Map<Func, number>();
    const paths = new Map<Node, readonly string[]>();
    const stacks: ProfiledStack[] = [];
    for (const [node, steps] of own) {
      const { caller, func } = node;
      const frames = [...((caller && paths.get(caller)) ?? []), func.name];
      paths.set(node, frames);
      selves.set(func, (selves.get(func) ?? 0) + steps);
      if (steps > 0) stacks.push({ frames, steps, waited: undefined });
    }
    for (const { node, read, waited } of this.#reads) {
      const frames = [...(paths.get(node) ?? []), ...readFrames(read)];
      stacks.push({ frames, steps: 1, waited });
    }
    const functions = [...this.#functions.values()].map((func) => {
      return { name: func.name, self: selves.get(func) ?? 0, total: func.total };
    });
    functions.sort((a, b) => b.self - a.self || b.total - a.total);
    return { steps: this.#counted, named: this.#named, functions, stacks };
  }

  #count(steps: number): void {
    this.#node.steps += steps - this.#counted;
    this.#counted = steps;
  }

  /**
   * Returns the node of a call's target; the caller's own for constants and `ret`, whose address a program asks for by a
   * call.
   */
  #child(node: Node, target: number): Node {
    const name = this.#nameOf(target);
    const to = name === undefined ? node : this.#childNamed(node, name);
    this.#known[target] = { from: node, to };
    return to;
  }

  #childNamed(node: Node, name: string): Node {
    const func = this.#functions.get(name);
    if (func !== undefined) {
      for (let at: Node | undefined = node; at !== undefined; at = at.caller)
        if (at.func === func) return at;
      const known = node.called.get(func);
      if (known !== undefined) return known;
    }
    return this.#nodes.length === MAX_NODES ? node : this.#add(node, name);
  }

  #add(caller: Node | undefined, name: string): Node {
    const func = this.#functions.get(name) ?? { name, active: 0, since: 0, total: 0 };
    this.#functions.set(name, func);
    const node: Node = { caller, func, called: new Map(), steps: 0 };
    caller?.called.set(func, node);
    this.#nodes.push(node);
    return node;
  }

  #timed<T>(read: ProfiledRead["read"], work: () => T | Promise<T>): T | Promise<T> {
    const start = this.#now();
    const entry: ProfiledRead = { node: this.#node, read, waited: 0 };
    this.#reads.push(entry);
    const end = (): void => {
      entry.waited = this.#now() - start;
    };
    const value = work();
    if (value instanceof Promise) return value.finally(end);
    end();
    return value;
  }
}

/**
 * Returns a function's name by the offset of its first instruction; undefined for constants and `ret`, which are called
 * too.
 */
function functionNamer(
  compiled: CompiledClass,
  names: Names,
): (target: number) => string | undefined {
  const felts = bytecodeSource(compiled);
  const main = requireMain(compiled).offset;
  return (target) => {
    const isFunction =
      target >= 0 && target < felts.length && felts.at(target) !== RETURN_INSTRUCTION;
    if (!isFunction) return undefined;
    return names?.get(target) ?? (target === main ? "main" : `fn@${String(target)}`);
  };
}

/** Returns the name of the first function that is not the core library's, of functions as `Machine.running` gives them. */
export function innermostName(
  functions: Iterable<number>,
  compiled: CompiledClass,
  names: Names,
): string {
  const functionName = functionNamer(compiled, names);
  for (const target of functions) {
    const name = functionName(target);
    if (name?.startsWith("core::") === false) return name;
  }
  return functionName(requireMain(compiled).offset) ?? "main";
}

/**
 * Returns the two frames of a read: `read storage` and `storage.slot of 0x…`; of injected state `injectedState.read of
 * label 0x766f746573 key 0x2a`.
 */
function readFrames(read: ProfiledRead["read"]): readonly string[] {
  if ("kind" in read) return [`read ${read.kind}`, describeRead(read)];
  const [selector, calldata] = read;
  const [label = 0n, key = 0n] = calldata.slice(2);
  const call = ["root", "read", "write"][Number(selector)] ?? "write";
  const of = selector === 0n ? "" : ` key 0x${key.toString(16)}`;
  return ["read injectedState", `injectedState.${call} of label 0x${label.toString(16)}${of}`];
}

import { type CallProfile, describeProfiledRead, type FunctionNamer } from "../cairo/call-profile.js";
import { bytecodeSource, type CompiledClass, MAIN_SELECTOR } from "../program/compiled-class.js";

/** A function of a module with the steps that a run spent there. */
export interface ProfiledFunction {
  /** Full Cairo path, for loops with their place in the source; `fn@<offset>` where the class has no names. */
  readonly name: string;
  /** Steps in the function itself. */
  readonly self: number;
  /** Steps in the function and in what it called. */
  readonly total: number;
}

/** A call stack that a run was in, with what it cost there. A read has one each time. */
export interface ProfiledStack {
  /** Outermost first. A read has two frames, its kind and its key: `read storage`, `storage.slot of 0x…`. */
  readonly frames: readonly string[];
  readonly steps: number;
  /** Milliseconds that the run waited for the read's answer; undefined for a function. */
  readonly waited: number | undefined;
}

/** Where a run spent its steps, and what it waited for. */
export interface ModuleProfile {
  /** All steps of the run: those of the stacks together. */
  readonly steps: number;
  /** Whether the class says its functions' names. */
  readonly named: boolean;
  /** Those with most steps of their own first. A read's step is the read's. */
  readonly functions: readonly ProfiledFunction[];
  readonly stacks: readonly ProfiledStack[];
}

/** `ret`: a call of it tells a program an address, and is no function. */
const RETURN_INSTRUCTION = 0x208b7fff7fff7ffen;

/** Names for the functions of a class: those of its Sierra class, else the places in the bytecode. */
export function functionNamer(compiled: CompiledClass, names: ReadonlyMap<number, string> | undefined): FunctionNamer {
  const felts = bytecodeSource(compiled);
  const main = compiled.entryPointsByType.EXTERNAL.find(({ selector }) => selector === MAIN_SELECTOR)?.offset;
  return (target) => {
    if (target >= felts.length || felts.at(target) === RETURN_INSTRUCTION) return undefined;
    return names?.get(target) ?? (target === main ? "main" : `fn@${String(target)}`);
  };
}

/** What was counted of a run. */
export function moduleProfile(profile: CallProfile, named: boolean): ModuleProfile {
  const nodes = profile.nodes();
  const own = nodes.map(({ steps }) => steps);
  for (const { node } of profile.reads) own[node] = (own[node] ?? 0) - 1;
  const paths: (readonly string[])[] = [];
  const stacks: ProfiledStack[] = [];
  const selves = new Map<string, number>();
  nodes.forEach(({ parent, name }, index) => {
    const frames = [...(paths[parent] ?? []), name];
    const self = own[index] ?? 0;
    paths.push(frames);
    selves.set(name, (selves.get(name) ?? 0) + self);
    if (self > 0) stacks.push({ frames, steps: self, waited: undefined });
  });
  for (const made of profile.reads) {
    const { node, read, waited } = made;
    const kind = "kind" in read ? read.kind : "injectedState";
    const frames = [...(paths[node] ?? []), `read ${kind}`, describeProfiledRead(made)];
    stacks.push({ frames, steps: 1, waited });
  }
  const functions = [...profile.totals()].map(([name, total]) => ({ name, self: selves.get(name) ?? 0, total }));
  return {
    steps: nodes.reduce((sum, { steps }) => sum + steps, 0),
    named,
    functions: functions.sort((a, b) => b.self - a.self || b.total - a.total),
    stacks,
  };
}

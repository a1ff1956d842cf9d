import { hdpError } from "../errors/hdp-error.js";
import { isRecord } from "../base/collections.js";
import { formatFelt, isFelt, shortString } from "../base/felt.js";
import { injectedRoots, rootsByLabel } from "../request/injected-state.js";
import { parseWith } from "../request/reader.js";
import type {
  InjectedStateProofs,
  StateNode,
  StateReadProof,
  StateUpdateProof,
} from "../request/state-trie.js";
import {
  keyThrough,
  MissingStateNodeError,
  proveStateRead,
  proveStateUpdate,
  readState,
  StateNodeMap,
  computeStateRoot,
  writeState,
} from "../request/state-trie.js";

/** The tries of injected state as a run finds them. */
export interface InjectedStateStart {
  /** Root by label. A module reads and writes under these labels only. */
  readonly roots: ReadonlyMap<bigint, bigint>;
  /** Leaves behind the roots other than 0, by label. */
  readonly leaves?: ReadonlyMap<bigint, Iterable<readonly [bigint, bigint]>> | undefined;
  /** Has the nodes behind the other roots. */
  readonly server?: StateServer | undefined;
}

/** Injected state of a caller: the roots by label as in a task, or with the leaves or the server of their tries. */
export type InjectedStateInput = InjectedStateStart | Readonly<Record<string, bigint | string>>;

/** Returns where a run's tries start, from roots by label or as they are. @throws TaskRequestError HDP-1124, HDP-1103 */
export function injectedStart(given: InjectedStateInput = {}): InjectedStateStart {
  return isStart(given)
    ? given
    : { roots: rootsByLabel(parseWith(injectedRoots, given, {}, "injectedState")) };
}

function isStart(given: InjectedStateInput): given is InjectedStateStart {
  const roots: unknown = isRecord(given) ? given["roots"] : undefined;
  return (
    roots instanceof Map &&
    [...roots].flat().every((felt) => typeof felt === "bigint" && isFelt(felt))
  );
}

/** Stores tries. The run checks its answers: nodes by their hashes, a written root against the computed one. */
export interface StateServer {
  readonly prove: (label: bigint, root: bigint, key: bigint) => Promise<readonly StateNode[]>;
  /** Stores a write, so that later runs can start from its root. @returns the new root */
  readonly write: (label: bigint, root: bigint, key: bigint, value: bigint) => Promise<bigint>;
}

/** The effect of a run on one trie, with its roots. */
export interface InjectedStateOutcome extends InjectedStateProofs {
  readonly rootBefore: bigint;
  readonly rootAfter: bigint;
}

interface LabelState {
  readonly label: bigint;
  readonly rootBefore: bigint;
  root: bigint;
  readonly nodes: StateNodeMap;
  /** Keys written by this run: they exist, whatever their value. */
  readonly written: Set<bigint>;
  readonly writes: StateUpdateProof[];
  readonly reads: StateReadProof[];
}

const HANDLE_FELTS = 2;

/** Named arguments by selector. */
const CALLS = [["label"], ["label", "key"], ["label", "key", "value"]] as const;

/** Answers calls of injected state. */
export interface StateCalls {
  readonly call: InjectedState["call"];
}

/** The tries of injected state during a run: reads and writes leaves by label, and keeps a proof of each. */
export class InjectedState {
  readonly #labels = new Map<bigint, LabelState>();
  readonly #server: StateServer | undefined;

  public constructor(start: InjectedStateStart) {
    this.#server = start.server;
    for (const [label, root] of start.roots) {
      const nodes = new StateNodeMap();
      const leaves = start.leaves?.get(label);
      const computed = leaves === undefined ? root : computeStateRoot(nodes, leaves);
      if (computed !== root) {
        const values = {
          label: shortString(label),
          root: formatFelt(root),
          computed: formatFelt(computed),
        };
        throw hdpError("HDP-4422", values);
      }
      this.#labels.set(label, {
        label,
        rootBefore: root,
        root,
        nodes,
        written: new Set(),
        writes: [],
        reads: [],
      });
    }
  }

  /** Answers a call of the handler: 0 label (root, exists), 1 read (value, exists), 2 write (the new root). */
  public call(
    selector: bigint,
    calldata: readonly bigint[],
  ): readonly bigint[] | Promise<readonly bigint[]> {
    const names = selector < BigInt(CALLS.length) ? CALLS[Number(selector)] : undefined;
    const args = calldata.slice(HANDLE_FELTS);
    if (names?.length !== args.length) {
      const reason = `it is the call ${selector} of injected state with ${args.length} arguments`;
      const expected = "0 label (label), 1 read (label, key), 2 write (label, key, value)";
      throw hdpError("HDP-7115", { reason, expected });
    }
    const [label = 0n, key = 0n, value = 0n] = args;
    if (selector === 0n) {
      const known = this.#labels.get(label);
      return known === undefined ? [0n, 0n] : [known.root, 1n];
    }
    const state = this.#required(label);
    const server = this.#server;
    if (server !== undefined)
      return serve(server, state, selector === 1n ? { key } : { key, value });
    return selector === 1n ? read(state, key) : [write(state, key, value)];
  }

  public outcome(): readonly InjectedStateOutcome[] {
    return [...this.#labels.values()].map(({ label, rootBefore, root, writes, reads }) => {
      return { label, rootBefore, rootAfter: root, writes, reads };
    });
  }

  #required(label: bigint): LabelState {
    const state = this.#labels.get(label);
    if (state !== undefined) return state;
    const named = [...this.#labels.keys()].map((known) => shortString(known)).join(", ");
    throw hdpError("HDP-7118", {
      label: shortString(label),
      named: named === "" ? "none" : named,
    });
  }
}

type StateCall = InjectedState["call"];

/** Keeps the answers to a run's calls, for passes that repeat the run's beginning. */
export class AnsweredStateCalls {
  readonly #state: InjectedState;
  readonly #answered: { readonly call: string; readonly felts: readonly bigint[] }[] = [];

  public constructor(state: InjectedState) {
    this.#state = state;
  }

  public call(...call: Parameters<StateCall>): ReturnType<StateCall> {
    const keep = (felts: readonly bigint[]): readonly bigint[] => {
      this.#answered.push({ call: call.join(), felts });
      return felts;
    };
    const answered = this.#state.call(...call);
    return answered instanceof Promise ? answered.then(keep) : keep(answered);
  }

  /** Answers the same calls in the same order, and throws for any other. */
  public repeated(): StateCalls {
    let next = 0;
    return {
      call: (...call) => {
        const known = this.#answered[next];
        next += 1;
        if (known?.call !== call.join()) throw new Error("the run has not made this call so far");
        return known.felts;
      },
    };
  }
}

/** Reads or writes a key of a trie whose nodes are fetched as they are needed. */
async function serve(
  server: StateServer,
  state: LabelState,
  { key, value }: { readonly key: bigint; readonly value?: bigint },
): Promise<readonly bigint[]> {
  const { label, root } = state;
  if (value === undefined) return await withNodes(server, state, key, () => read(state, key));
  const after = await withNodes(server, state, key, () => write(state, key, value));
  const kept = await server.write(label, root, key, value);
  if (kept === after) return [after];
  const values = { label: shortString(label), kept: formatFelt(kept), computed: formatFelt(after) };
  throw hdpError("HDP-4426", values, { path: "hdp.local.stateServer" });
}

/** Repeats work after fetching each missing node, all of which belong to the run's initial trie. */
async function withNodes<T>(
  server: StateServer,
  state: LabelState,
  key: bigint,
  work: () => T,
): Promise<T> {
  const asked = new Set<bigint>();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MissingStateNodeError)) throw error;
      const through = keyThrough(state.nodes, state.root, key, error.hash);
      if (asked.has(through)) throw error;
      asked.add(through);
      for (const node of await server.prove(state.label, state.rootBefore, through))
        state.nodes.add(node);
    }
  }
}

function read(state: LabelState, key: bigint): readonly bigint[] {
  if (state.written.has(key)) return [readState(state.nodes, state.root, key), 1n];
  const proof = proveStateRead(state.nodes, state.root, key);
  state.reads.push(proof);
  return [proof.value, proof.value === 0n ? 0n : 1n];
}

function write(state: LabelState, key: bigint, value: bigint): bigint {
  state.writes.push(proveStateUpdate(state.nodes, state.root, key, value));
  state.root = writeState(state.nodes, state.root, key, value);
  state.written.add(key);
  return state.root;
}

import { z } from "zod";

import { formatFelt } from "../base/felt.js";
import {
  proveStateRead,
  readState,
  type StateNode,
  StateNodeMap,
  stateRootOf,
  writeState,
} from "../request/state-trie.js";
import type { FrontLog } from "./front-log.js";
import { FrontProblem } from "./front-problem.js";

const text = z.string().regex(/^0x[0-9a-f]+$/);

export const stateEntrySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("state-trie"), label: text, leaves: z.array(z.tuple([text, text])) }),
  z.object({ type: z.literal("state-write"), label: text, root: text, key: text, value: text }),
]);
export type StateEntry = z.infer<typeof stateEntrySchema>;

interface LabelTries {
  readonly nodes: StateNodeMap;
  /** Roots in the order in which they came to be; a root's place, from 1 on, is its id. */
  readonly roots: bigint[];
}

/** Tries of injected state by label, each at all of its roots: writing keeps what was there. */
export class StateTries {
  readonly #labels = new Map<bigint, LabelTries>();
  readonly #log: FrontLog;

  public constructor(log: FrontLog) {
    this.#log = log;
  }

  /** @returns the root of a trie of these leaves. @throws HdpError HDP-4421 for what is no entry */
  public async create(label: bigint, leaves: readonly (readonly [bigint, bigint])[]): Promise<bigint> {
    const root = this.#create(label, leaves);
    await this.#keep({
      type: "state-trie",
      label: formatFelt(label),
      leaves: leaves.map(([key, value]) => [formatFelt(key), formatFelt(value)]),
    });
    return root;
  }

  /** The value of a key, 0 where there is none. @throws FrontProblem HDP-4533 (404) for a root not known */
  public read(label: bigint, root: bigint, key: bigint): bigint {
    return readState(this.#at(label, root).nodes, root, key);
  }

  /** @returns the root behind the write. @throws as `read` */
  public async write(label: bigint, root: bigint, key: bigint, value: bigint): Promise<bigint> {
    const after = this.#write(label, root, key, value);
    const entry = { label, root, key, value };
    const felts = Object.fromEntries(Object.entries(entry).map(([name, felt]) => [name, formatFelt(felt)]));
    await this.#keep(stateEntrySchema.parse({ type: "state-write", ...felts }));
    return after;
  }

  /** The nodes from a root to a key. @throws as `read` */
  public nodesTo(label: bigint, root: bigint, key: bigint): readonly StateNode[] {
    return proveStateRead(this.#at(label, root).nodes, root, key).nodes;
  }

  /** As a run asks for them. */
  public async prove(label: bigint, root: bigint, key: bigint): Promise<readonly StateNode[]> {
    return await Promise.resolve(this.nodesTo(label, root, key));
  }

  /** A root's id, 0 for the empty trie. @throws as `read` */
  public idOf(label: bigint, root: bigint): number {
    return root === 0n ? 0 : this.#at(label, root).roots.indexOf(root) + 1;
  }

  /** Puts back what a log remembers. */
  public replay(entry: StateEntry): void {
    if (entry.type === "state-trie") {
      this.#create(
        BigInt(entry.label),
        entry.leaves.map(([key, value]) => [BigInt(key), BigInt(value)]),
      );
    } else this.#write(BigInt(entry.label), BigInt(entry.root), BigInt(entry.key), BigInt(entry.value));
  }

  #create(label: bigint, leaves: readonly (readonly [bigint, bigint])[]): bigint {
    const tries = this.#tries(label);
    return remember(tries, stateRootOf(tries.nodes, leaves));
  }

  #write(label: bigint, root: bigint, key: bigint, value: bigint): bigint {
    const tries = this.#at(label, root);
    return remember(tries, writeState(tries.nodes, root, key, value));
  }

  #tries(label: bigint): LabelTries {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    const made: LabelTries = { nodes: new StateNodeMap(), roots: [] };
    this.#labels.set(label, made);
    return made;
  }

  #at(label: bigint, root: bigint): LabelTries {
    const tries = this.#tries(label);
    if (root === 0n || tries.roots.includes(root)) return tries;
    throw new FrontProblem({
      code: "HDP-4533",
      status: 404,
      message: `the state server knows no trie with the label ${formatFelt(label)} and the root ${formatFelt(root)}.`,
      hints: ["Make it first: POST /create_trie with its label, keys and values."],
    });
  }

  async #keep(entry: StateEntry): Promise<void> {
    await this.#log.append(entry);
  }
}

function remember({ roots }: LabelTries, root: bigint): bigint {
  if (root !== 0n && !roots.includes(root)) roots.push(root);
  return root;
}

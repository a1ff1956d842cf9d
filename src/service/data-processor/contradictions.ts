import { keysOf } from "../../base/collections.js";
import { nearest } from "../../base/text.js";
import { notAllowed } from "../../errors/hdp-error.js";
import { EDITION_NAMES } from "./edition.js";

/**
 * Points on which published sources of API version `module-tasks` contradict each other, with both sides. The client
 * understands each; the development server takes or answers one of them, or both where none is chosen.
 */
export const CONTRADICTIONS = {
  /** The interface: one task a request on every page of an endpoint, batches in the introduction and the retired pages. */
  api: EDITION_NAMES,
  /** `destination_chain_id`: hexadecimal text, or an integer in the older version of the pages. */
  destination: ["hex", "integer"],
  /** A task's arguments: objects in `input.params` as the prover's type has them, or `task_inputs` as the sample has them. */
  inputs: ["params", "task_inputs"],
  /** Reply to an accepted task: with `status`, or without. */
  accepted: ["status", "bare"],
  /** Id in the reply for an unknown task: `taskId`, or `uuid` as the page of retry has it. */
  unknown: ["taskId", "uuid"],
  /** A Merkle mountain range of a decommitment: `{ "Poseidon": { … } }`, or `{ "hash": "poseidon", … }` of the prover. */
  mmrs: ["variant", "tagged"],
  /** The hash of a program in the registry and in tasks: of the bytecode by segments as in 2024, or of one list as the prover has it. */
  program: ["segments", "flat"],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

type Contradiction = keyof typeof CONTRADICTIONS;

/** One side of some contradictions: of the others, both are taken. */
export type PublishedSides = {
  readonly [NameT in Contradiction]?: (typeof CONTRADICTIONS)[NameT][number] | undefined;
};

/** Reads sides from a text like `inputs=params,accepted=bare`. @throws HdpError HDP-6003 */
export function readSides(text: string, path: string): PublishedSides {
  const names = keysOf(CONTRADICTIONS);
  const sides = text.split(",").map((one) => {
    const [written = "", side = ""] = one.split("=").map((part) => part.trim());
    const name = names.find((known) => known === written);
    if (name === undefined) {
      const near = nearest(written, names);
      const what = "a point on which sources contradict each other";
      throw notAllowed(written, what, { path, near, allowed: names.join(", ") });
    }
    const all: readonly string[] = CONTRADICTIONS[name];
    if (!all.includes(side)) {
      const near = nearest(side, all);
      throw notAllowed(side, `a side of ${name}`, { path, near, allowed: all.join(", ") });
    }
    return [name, side] as const;
  });
  return Object.fromEntries(sides);
}

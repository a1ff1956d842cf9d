import type { Generation, ModuleRead } from "../cairo/module-read.js";

/** What a run did, as far as the published provers may not do it. */
export interface RunFacts {
  readonly generation: Generation;
  readonly reads: readonly ModuleRead[];
  /** The first read of the receiver of a transaction that creates a contract. */
  readonly creation: ModuleRead | undefined;
  /** Whether Keccak got words that are no whole blocks. */
  readonly unpaddedKeccak: boolean;
  /** Whether the class is compiled with circuits, whose costs it reads: its `main` declares the builtin mul_mod. */
  readonly circuits: boolean;
}

/** What a published prover does with a run that it cannot make. */
interface ProverAnswer {
  /** A clause. */
  readonly then: string;
  /** Where this can be read. */
  readonly source: string;
}

/** Something that a published prover cannot run. */
export interface ProverGap extends ProverAnswer {
  /** What the run does, a clause without a subject: `reads header.blobGasUsed`. */
  readonly does: string;
}

interface Row extends ProverAnswer {
  /** What a run does that the row is about; undefined for a run that does not do it. */
  readonly does: (facts: RunFacts) => string | undefined;
}

/** Felts of the handle that the newest tag passes (6), and the newest commit (8). */
const PASSED_HANDLES = [6, 8];
const UNREAD_HEADER_FIELDS = [
  ...(["withdrawalsRoot", "blobGasUsed"] as const),
  ...(["excessBlobGas", "parentBeaconBlockRoot"] as const),
];
const TAG_AND_MAIN = "hdp-cairo v1.0.12 (2025-09-19) and 1e00936f (2025-11-21)";

/** What the newest tag of the prover and its newest commit cannot run, read in their sources. */
const ROWS: readonly Row[] = [
  {
    does: ({ generation: { name, handle } }) =>
      PASSED_HANDLES.includes(handle)
        ? undefined
        : `takes ${handle} felts in front of its inputs (generation ${name})`,
    then: "they pass 6 and 8, and the module panics",
    source: `${TAG_AND_MAIN}, src/contract_bootloader/contract.cairo`,
  },
  {
    does: ({ reads }) => {
      const read = reads.find(
        ({ kind, field }) =>
          kind === "header" && UNREAD_HEADER_FIELDS.some((unread) => unread === field),
      );
      return read && `reads header.${read.field} of block ${read.block}`;
    },
    then: 'their dry run ends with "Unsupported FunctionId"',
    source: `${TAG_AND_MAIN}, crates/types/src/cairo/evm/header.rs`,
  },
  {
    does: ({ creation }) =>
      creation?.kind === "transaction"
        ? `reads the receiver of transaction ${creation.index} of block ${creation.block}, which creates a contract`
        : undefined,
    then: "their dry run ends, since there is none",
    source: `${TAG_AND_MAIN}, crates/types/src/cairo/evm/transaction.rs`,
  },
  {
    does: ({ circuits }) => (circuits ? "is compiled with circuits (builtin mul_mod)" : undefined),
    then: "their table of builtin costs ends before mul_mod, and the run reads a cell that does not exist",
    source: `${TAG_AND_MAIN}, src/contract_bootloader/contract_dry_run.cairo`,
  },
  {
    does: ({ unpaddedKeccak }) =>
      unpaddedKeccak ? "calls Keccak with words that are no whole blocks of 17" : undefined,
    then: "their dry run answers with an error and their proof with a hash, so that no proof is made",
    source: `${TAG_AND_MAIN}, crates/syscall_handler/src/keccak.rs and src/contract_bootloader/execute_syscalls.cairo`,
  },
];

/** Returns what the published provers cannot run of a run that was made here. Empty for most runs. */
export function proverGaps(facts: RunFacts): readonly ProverGap[] {
  return ROWS.flatMap(({ does: doesOf, then, source }) => {
    const does = doesOf(facts);
    return does === undefined ? [] : [{ does, then, source }];
  });
}

/** Returns gaps as clauses. */
export function gapTexts(gaps: readonly ProverGap[]): readonly string[] {
  return gaps.map(({ does, then }) => `the module ${does}: ${then}`);
}

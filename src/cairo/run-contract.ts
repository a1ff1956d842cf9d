import { HdpError, hdpError } from "../errors/hdp-error.js";
import { memoized } from "../base/collections.js";
import { isFelt } from "../base/felt.js";
import { MAX_TURN, Turns } from "../base/turns.js";
import {
  bytecodeSource,
  type CompiledClass,
  type CompiledEntryPoint,
  requireMain,
} from "../program/compiled-class.js";
import { BuiltinSet } from "./builtins/builtin-set.js";
import type { CallProfile } from "./profile.js";
import { type Frame, panickedFrames, stoppedFrames } from "./frames.js";
import type { MachineState } from "./machine-state.js";
import { Machine, type StackedCall } from "./machine.js";
import { Memory, MemoryLimit } from "./memory.js";
import { Program } from "./bytecode.js";
import {
  EXECUTION_SEGMENT,
  inconsistent,
  isUnset,
  pointer,
  STACK_BASE,
  type Word,
} from "./words.js";

/** Gas of one use of pedersen, bitwise, ec_op, poseidon, add_mod and mul_mod: the table programs read their costs from. */
const BUILTIN_COSTS = [4050n, 583n, 4085n, 491n, 230n, 604n];
/** All runs of the process take turns, so that other work does not wait for each of them. */
const TURNS = new Turns();
/** Steps between two checks of the clock: a millisecond of quick steps, some fifty of large multiplications. */
const SLICE = 100_000;

/** Cells of the entry point's stack beside the builtins: gas, system, the calldata's ends, what the return restores. */
const LAID_OUT = 6;

const DEFAULT_STEPS = 100_000_000;
/** Maximum number of memory cells of a run that names no other. */
export const DEFAULT_MEMORY_CELLS = 2 ** 27;

/** Practically unlimited, as the data processor's 2^64 - 1, but fits a cell, since every loop decrements the gas. */
const DEFAULT_GAS = 2n ** 50n - 1n;

const processClock = (): number => performance.now();

/** Limits of a run. A run that meets one ends with an error that names it. */
export interface RunLimits {
  /** Default 100 million. */
  readonly maxSteps?: number | undefined;
  /** Cells of memory, 8 bytes each. Default 2^27, 1 GiB. */
  readonly maxMemoryCells?: number | undefined;
  /** Default 2^50 - 1, practically unlimited. A module that runs out of gas panics. */
  readonly gas?: bigint | undefined;
}

/** Answers a system call: reads its request at the pointer, writes its response, returns the pointer behind it. */
export type SyscallHandler = (machine: MachineState, at: Word) => Word | Promise<Word>;

/** A call of a class, which may be run several times. */
export interface ContractCall {
  readonly program: PreparedClass;
  readonly calldata: readonly bigint[];
  readonly limits?: RunLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One run of a call, with what answers its system calls. */
export interface ContractRun extends ContractCall {
  readonly syscall: SyscallHandler;
  readonly profile?: CallProfile | undefined;
  /** Called at the end of the run, also if it fails. */
  readonly onSteps?: ((steps: number) => void) | undefined;
  /** Names the place where a run was stopped, for its error. Default: the place in the bytecode. */
  readonly placeOf?: ((frames: readonly Frame[]) => string | Promise<string>) | undefined;
  /** Whether a function, by its first instruction, is one that no panic is looked for in. Default: none is. */
  readonly isLibrary?: ((target: number) => boolean) | undefined;
  /** Milliseconds of a clock that never goes back; the process's own by default. */
  readonly now?: (() => number) | undefined;
}

/** What a run returned or panicked with, and what it took. */
export interface RunOutput {
  /** Felts the module returned, or panicked with. */
  readonly retdata: readonly bigint[];
  readonly steps: number;
  /** Gas used, by the module's own account. */
  readonly gas: bigint;
}

/** The end of a run, as the machine has it. */
export interface ContractResult extends RunOutput {
  readonly panicked: boolean;
  /** The functions that ran when it panicked, innermost first; none where it returned. */
  readonly panickedIn: readonly Frame[];
  /** Printed felts, one list for each print. */
  readonly printed: readonly (readonly bigint[])[];
}

/** A compiled class with its decoded program, which several runs share. */
export interface PreparedClass {
  readonly casm: CompiledClass;
  readonly program: Program;
}

/** Decodes the bytecode and the hints of a class for its runs. */
export function prepareClass(casm: CompiledClass, genericOnly = false): PreparedClass {
  return { casm, program: new Program(bytecodeSource(casm), casm.hints, genericOnly) };
}

/** Prepares a class once: later runs find the instructions that earlier ones reached. */
export const preparedClass = memoized((casm: CompiledClass) => prepareClass(casm));

/** Runs `main` to its end and checks its memory as a proof would; a panic is a result. @throws HDP-7007, HDP-71xx */
export async function runContract(run: ContractRun): Promise<ContractResult> {
  const { program, casm } = run.program;
  const entry = requireMain(casm);
  const memory = new Memory(run.limits?.maxMemoryCells ?? DEFAULT_MEMORY_CELLS, program);
  const builtins = new BuiltinSet(memory);
  const end = { fp: pointer(memory.segments.add(), 0), pc: pointer(memory.segments.add(), 0) };
  const machine = new Machine(program, memory, builtins, {
    end,
    calls: run.profile,
    now: run.now ?? processClock,
  });
  try {
    const syscalls = layOut(machine, run, entry);
    const syscallEnd = await execute(machine, run, syscalls);
    return await finish(machine, run, entry, syscallEnd);
  } catch (error) {
    throw await placed(error, machine, run);
  } finally {
    run.profile?.end(machine.steps);
    run.onSteps?.(machine.steps);
    memory.segments.release();
  }
}

/** Returns an error of a run with the function that it ended in, unless it names a place of its own. */
async function placed(error: unknown, machine: Machine, run: ContractRun): Promise<unknown> {
  const path = await describePlace(machine, run);
  if (error instanceof MemoryLimit) {
    const { bound, option } = error;
    const values = { bound, option, steps: machine.steps, cells: machine.memory.segments.size };
    return hdpError("HDP-7110", values, { path, cause: error });
  }
  // Other classes of errors are told apart by what they carry.
  if (!(error instanceof HdpError) || error.constructor !== HdpError) return error;
  if (error.path !== undefined) return error;
  const { code, shortMessage: message, source, hints, cause } = error;
  return new HdpError({ code, message, path, source, hints, cause });
}

/** Returns where a run was stopped: a line of a source, else a place in the bytecode. */
async function describePlace(machine: Machine, { placeOf, program }: ContractRun): Promise<string> {
  const frames = stoppedFrames(machine, entryCall(program.casm));
  return (await placeOf?.(frames)) ?? `bytecode[${machine.pc}]`;
}

/** Returns the call of `main`, which is no call of the stack: its frame begins behind what `layOut` puts there. */
function entryCall(casm: CompiledClass): StackedCall {
  const { offset, builtins } = requireMain(casm);
  return { target: offset, call: NaN, fp: STACK_BASE + builtins.length + LAID_OUT };
}

/** Lays out the call's stack: builtins, gas, system, calldata, what the return restores. Returns the system pointer. */
function layOut(machine: Machine, run: ContractRun, entry: CompiledEntryPoint): Word {
  const { memory, program, end } = machine;
  const { gas = DEFAULT_GAS } = run.limits ?? {};
  if (!isFelt(gas)) throw hdpError("HDP-1118", { value: String(gas) }, { path: "limits.gas" });
  const costs = pointer(memory.segments.add(), 0);
  memory.storeFelts(costs, BUILTIN_COSTS);
  program.setCosts(costs);
  const syscalls = pointer(memory.segments.add(), 0);
  const calldata = pointer(memory.segments.add(), 0);
  const calldataEnd = memory.storeFelts(calldata, run.calldata);
  const pointers = [syscalls, calldata, calldataEnd, end.fp, end.pc];
  // LAID_OUT of them beside the builtins.
  const stack = [
    ...machine.builtins.initialPointers(entry.builtins),
    memory.word(gas),
    ...pointers,
  ];
  stack.forEach((word, index) =>
    memory.store(pointer(EXECUTION_SEGMENT, STACK_BASE + index), word),
  );
  machine.ap = STACK_BASE + stack.length;
  machine.fp = machine.ap;
  machine.pc = entry.offset;
  return syscalls;
}

/** Runs a call to its return, answering its system calls. Returns the pointer behind the last. @throws HdpError HDP-7109 */
async function execute(machine: Machine, run: ContractRun, syscalls: Word): Promise<Word> {
  const maxSteps = run.limits?.maxSteps ?? DEFAULT_STEPS;
  const now = run.now ?? processClock;
  let next = syscalls;
  await TURNS.next();
  let began = now();
  for (;;) {
    run.signal?.throwIfAborted();
    const left = maxSteps - machine.steps;
    if (left <= 0) {
      const values = { steps: maxSteps, cells: machine.memory.segments.size };
      throw hdpError("HDP-7109", values, { path: await describePlace(machine, run) });
    }
    const pause = machine.run(Math.min(SLICE, left), began + MAX_TURN);
    if (pause === "returned") return next;
    if (pause === "syscall") {
      if (machine.syscall !== next)
        throw inconsistent("system calls do not follow one another in memory");
      const answered = run.syscall(machine, next);
      next = typeof answered === "number" ? answered : await answered;
    }
    if (now() - began < MAX_TURN) continue;
    await TURNS.next();
    began = now();
  }
}

/** Reads the return values (builtins, gas, system, failure flag, data) and holds all memory to the machine's rules. */
async function finish(
  machine: Machine,
  run: ContractRun,
  entry: CompiledEntryPoint,
  syscallEnd: Word,
) {
  const { memory } = machine;
  const { casm } = run.program;
  const { isLibrary = () => false } = run;
  const value = (fromEnd: number): Word => machine.cell("ap", -fromEnd);
  const returned = new Map(
    entry.builtins.map((name, index) => [name, value(5 + entry.builtins.length - index)]),
  );
  await TURNS.through(machine.builtins.verify(returned), run.signal);
  if (value(4) !== syscallEnd)
    throw inconsistent("the module returned another end of its system calls");
  if (!memory.segments.stack.subarray(0, STACK_BASE).every(isUnset)) {
    throw inconsistent("a cell below the stack was written");
  }
  const flag = memory.felt(value(3), "the failure flag");
  if (flag !== 0n && flag !== 1n) throw inconsistent(`the failure flag is ${flag}`);
  return {
    panicked: flag === 1n,
    panickedIn: flag === 1n ? panickedFrames(machine, entryCall(casm), isLibrary) : [],
    retdata: memory.feltsBetween(value(2), value(1), "the returned data"),
    steps: machine.steps,
    gas: (run.limits?.gas ?? DEFAULT_GAS) - memory.felt(value(5), "the gas left"),
    printed: machine.hintState.printed,
  };
}

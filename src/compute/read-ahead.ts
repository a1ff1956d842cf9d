import {
  describeRead,
  type ModuleRead,
  type ModuleValue,
  type RunUse,
} from "../cairo/module-read.js";
import {
  readersAhead,
  type ChainReaders,
  type ChainValue,
  readChainValue,
  findReader,
} from "./module-values.js";
import { Strides } from "./strides.js";

/** Maximum number of reads that are fetched together. */
const MAX_WINDOW = 1_024;
/** Maximum for each read that was needed of those fetched before, and where none was. */
const [PER_NEEDED, SMALL_WINDOW] = [4, 16];
/** Maximum number of blocks of which a pass collects transactions and receipts: each is read as a whole. */
const MAX_WHOLE_BLOCKS = 16;
/** Maximum number of steps of a pass, and steps of all passes for each millisecond that the run has waited: about half of it. */
const [MAX_PASS_STEPS, STEPS_PER_MS] = [10_000_000, 5_000];
/** Milliseconds of a wait that are none: a node this near is read one by one, as fast as passes would find the reads. */
const NEAR = 2;
/** Milliseconds that a run waits for the other reads of a batch once it has its own. */
const MAX_WAIT = 1_000;

/** Limits of one pass. */
interface PassLimits {
  readonly maxSteps: number;
  /** Memory that the waiting run leaves of its own limit, in cells. */
  readonly maxMemoryCells: number;
}

/** Runs a program from its start. Returns the steps made, however it ended. */
export type Pass = (
  answer: (wanted: ModuleRead) => ModuleValue,
  limits: PassLimits,
) => Promise<number>;

interface ReadAheadOptions {
  readonly readers: ChainReaders;
  readonly pass: Pass;
  /** What the run is likely to read: fetched with its first read. Any list will do. */
  readonly expected?: readonly ModuleRead[] | undefined;
  /** Maximum of the run and a pass together. */
  readonly maxMemoryCells: number;
}

/** Ends a pass that has collected what it may. */
class PassEnd extends Error {}

/**
 * Reads for a run of a module, in batches. At a read that is not there yet the run waits, and the program runs once more
 * from its start, in a pass: it gets a guess for each value that is not known, and so goes on to its next reads. The reads
 * of the pass are fetched together, and the run finds them. A pass has no other effect: it decides nothing about the run,
 * which takes each value from its own reader. Where a pass would take too long, the strides of the run's last reads say what
 * is likely to come next.
 */
export class ReadAhead {
  readonly #options: ReadAheadOptions;
  readonly #ahead: ChainReaders;
  /** Reads that are expected of chains that the run has not read so far. */
  #expected: readonly ModuleRead[];
  /** Chains that the run has read: a pass opens no other. */
  readonly #chains = new Set<bigint>();
  /** Values by read: those that the run has, and those that were fetched ahead. */
  readonly #known = new Map<string, ModuleValue>();
  /** Reads that were fetched ahead and not needed so far. */
  readonly #unused = new Set<string>();
  /** The last value of each field: what a read of the field is likely to resemble. */
  readonly #last = new Map<string, ModuleValue>();
  /** Steps that passes may still make: together they take less time than the run has waited for reads. */
  #credit = 0;
  readonly #strides = new Strides();
  /** Milliseconds that the run waited for its last read that was not known. */
  #lastWait = 0;
  /** Number of reads fetched ahead that the run needed since the last fetch. */
  #needed = 0;
  /** Number of reads to make one by one before the next fetch, now and after the last fetch. */
  #single = 0;
  #pause = 0;
  #fetches = 0;

  public constructor(options: ReadAheadOptions) {
    this.#options = options;
    this.#ahead = readersAhead(options.readers);
    this.#expected = (options.expected ?? []).filter((read) => !isOfWholeBlock(read));
  }

  /** Returns the value of a read of the run. */
  public async read(wanted: ModuleRead, use: RunUse): Promise<ChainValue> {
    const key = describeRead(wanted);
    this.#chains.add(wanted.chainId);
    this.#strides.add(wanted);
    const isKnown = this.#known.has(key);
    if (this.#unused.delete(key)) this.#needed += 1;
    const others = isKnown ? [] : await this.#next(wanted, key, use);
    const began = performance.now();
    const fetching = others.map(async ([other, read]) => await this.#fetch(other, read));
    // A read that fails ahead is not known. The run gets its error if it needs the value.
    const fetched = fetching.length > 0 ? Promise.allSettled(fetching) : undefined;
    const read = await readChainValue(this.#options.readers, wanted);
    if (!isKnown) this.#waited(performance.now() - began);
    this.#known.set(key, read.value);
    this.#last.set(fieldPath(wanted), read.value);
    if (fetched !== undefined) await within(MAX_WAIT, fetched);
    return read;
  }

  #waited(milliseconds: number): void {
    this.#lastWait = milliseconds;
    this.#credit += Math.max(0, milliseconds - NEAR) * STEPS_PER_MS;
  }

  /** Returns the reads to fetch with one that is not known. */
  async #next(wanted: ModuleRead, key: string, use: RunUse): Promise<[string, ModuleRead][]> {
    if (this.#expected.length > 0) {
      const expected = await this.#takeExpected(wanted, key);
      if (expected.length > 0) return expected;
    }
    if (this.#single > 0) {
      this.#single -= 1;
      return [];
    }
    const canRepeat = this.#canRepeat(use);
    if (!canRepeat && this.#lastWait < NEAR) return [];
    if ((await findReader(this.#ahead, wanted)) === undefined) return [];
    return canRepeat ? await this.#byPass(key, use) : this.#byStrides();
  }

  /** Returns whether a pass may run: it needs the run's steps to get to where the run waits, and some to go on. */
  #canRepeat({ steps }: RunUse): boolean {
    return 2 * steps <= MAX_PASS_STEPS && this.#credit >= Math.max(1, 2 * steps);
  }

  async #byPass(key: string, { cells }: RunUse): Promise<[string, ModuleRead][]> {
    const { needed, collected } = await this.#collect(this.#options.maxMemoryCells - cells);
    const window = this.#windowAfter(needed, MAX_WINDOW);
    collected.delete(key);
    return [...collected].slice(0, window);
  }

  #byStrides(): [string, ModuleRead][] {
    if (this.#strides.next(1).length === 0) return [];
    const window = this.#windowAfter(this.#needed, SMALL_WINDOW);
    this.#needed = 0;
    const next = this.#strides.next(window).map((read) => [describeRead(read), read] as const);
    return [...new Map(next)].filter(([key]) => !this.#known.has(key));
  }

  /** Returns the reads that are expected of a read's chain, once. */
  async #takeExpected(wanted: ModuleRead, key: string): Promise<[string, ModuleRead][]> {
    const expected = this.#expected.filter(({ chainId }) => chainId === wanted.chainId);
    if (expected.length === 0 || (await findReader(this.#ahead, wanted)) === undefined) return [];
    this.#expected = this.#expected.filter(({ chainId }) => chainId !== wanted.chainId);
    const keyed = new Map(expected.map((read) => [describeRead(read), read]));
    keyed.delete(key);
    return [...keyed].slice(0, MAX_WINDOW);
  }

  /** Adapts to what the last fetch brought. Fetches that bring nothing become rare: after 1, 3, 7, … further reads. */
  #windowAfter(needed: number, first: number): number {
    this.#fetches += 1;
    if (this.#fetches === 1) return first;
    this.#pause = needed === 0 ? 2 * this.#pause + 1 : 0;
    this.#single = this.#pause;
    return Math.min(MAX_WINDOW, Math.max(SMALL_WINDOW, PER_NEEDED * needed));
  }

  async #fetch(key: string, wanted: ModuleRead): Promise<void> {
    const { value } = await readChainValue(this.#ahead, wanted);
    if (this.#known.has(key)) return;
    this.#known.set(key, value);
    this.#unused.add(key);
  }

  /** Runs a pass. Returns the reads of values that are not known, and how many fetched ahead it or the run needed. */
  async #collect(maxMemoryCells: number): Promise<{
    readonly needed: number;
    readonly collected: Map<string, ModuleRead>;
  }> {
    const collected = new Map<string, ModuleRead>();
    const wholeBlocks = new Set<string>();
    const used = new Set<string>();
    const answer = (wanted: ModuleRead): ModuleValue => {
      const key = describeRead(wanted);
      if (this.#unused.has(key)) used.add(key);
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      if (!this.#chains.has(wanted.chainId)) return this.#guess(wanted);
      if (isOfWholeBlock(wanted)) wholeBlocks.add(`${wanted.chainId}:${wanted.block}`);
      if (wholeBlocks.size > MAX_WHOLE_BLOCKS) throw new PassEnd();
      collected.set(key, wanted);
      if (collected.size > MAX_WINDOW) throw new PassEnd();
      return this.#guess(wanted);
    };
    const maxSteps = Math.min(MAX_PASS_STEPS, Math.floor(this.#credit));
    this.#credit -= await this.#options.pass(answer, { maxSteps, maxMemoryCells });
    const needed = this.#needed + used.size;
    this.#needed = 0;
    return { needed, collected };
  }

  #guess(wanted: ModuleRead): ModuleValue {
    return this.#last.get(fieldPath(wanted)) ?? firstGuess(wanted);
  }
}

function fieldPath({ kind, field }: ModuleRead): string {
  return `${kind}.${field}`;
}

/** Returns the guess for a field of which nothing was read: 1 can be a divisor and is no absent value. */
function firstGuess({ kind, field }: ModuleRead): ModuleValue {
  if (kind === "bytecode") return "0x";
  if (field === "logsBloom" || field === "data") return [1n];
  return 1n;
}

function isOfWholeBlock({ kind }: ModuleRead): boolean {
  return kind === "transaction" || kind === "receipt" || kind === "log";
}

/** Waits for work, at most so many milliseconds. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}

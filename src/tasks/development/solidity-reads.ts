import type { Hex } from "viem";

import { lowerCase, otherDigits, toWord } from "../../base/hex.js";
import { writtenIn } from "../../plugin/written-hash.js";
import { identifyChain } from "../../request/chains.js";
import { TRANSACTION_TYPES } from "../../request/fields.js";
import type { FieldDifference } from "../../request/task-differences.js";
import { differenceLine, writtenLine } from "../../submission/explanation-lines.js";
import type { WordVocabulary } from "../../submission/field-numbers.js";
import { distinctWords } from "../../submission/known-words.js";
import { type FieldChange, taskWords, type TaskWords } from "../../submission/task-words.js";
import { type FormedTask, type WordFinding, WordSearch } from "../../submission/word-search.js";
import { accountsOfTest } from "./solidity-accounts.js";
import {
  accountText,
  fieldName,
  functionName,
  moduleText,
  operatorName,
  parseTaskText,
  taskText,
} from "./solidity-task-text.js";
import { namespacesOf, readSources, type SoliditySource, wordsOf } from "./solidity-words.js";

/** A task that a kit's log has, in words where the test named it. */
interface LoggedTask {
  readonly hash: Hex;
  readonly text: string;
}

/** A read of a task that its test did not name, as the kit's log has it. */
interface UnnamedRead {
  readonly asked: Hex;
  /** What is finalized in the asked store, the latest first. */
  readonly finalized: readonly LoggedTask[];
}

const ASKED = /^hdp: no result of task (0x[0-9a-f]{64}): (.*)$/;
const FINALIZED = /^hdp: finalized is task (0x[0-9a-f]{64}): (.*)$/;
/** Lines that say why already. */
const EXPLAINED = /^hdp: (?:the hash is zero|store 0x|asked was store)/;
const UNNAMED = "not named by this test";

/** Returns the last failed read of a test's logs, where the test did not name its task and the log does not say what it was. */
function findUnnamedRead(logs: readonly string[]): UnnamedRead | undefined {
  const lines = linesOf(logs);
  const start = lines.findLastIndex((line) => ASKED.test(line));
  const asked = toTask(ASKED, lines[start] ?? "");
  if (asked?.text !== UNNAMED) return undefined;
  const below = lines.slice(start + 1);
  if (below.some((line) => EXPLAINED.test(line))) return undefined;
  return { asked: asked.hash, finalized: below.flatMap((line) => toTask(FINALIZED, line) ?? []) };
}

/** Returns the tasks that logs have in words, by their hashes. */
function namedTasks(logs: readonly string[]): ReadonlyMap<Hex, string> {
  const tasks = linesOf(logs).flatMap(
    (line) => toTask(ASKED, line) ?? toTask(FINALIZED, line) ?? [],
  );
  const named = tasks.filter(({ text }) => text !== UNNAMED);
  return new Map(named.map(({ hash, text }) => [hash, text]));
}

function linesOf(logs: readonly string[]): readonly string[] {
  return logs.flatMap((log) => log.split("\n")).map((line) => line.trim());
}

function toTask(pattern: RegExp, line: string): LoggedTask | undefined {
  const [, hash, text] = pattern.exec(line) ?? [];
  return hash === undefined || text === undefined ? undefined : { hash: lowerCase(hash), text };
}

/** A failed test with a failed read in its logs. */
export interface AskingTest {
  readonly name: string;
  /** Name of its function: its numbers come first. */
  readonly test: string;
  /** Its file, below the project's folder. */
  readonly source: string;
  readonly logs: readonly string[];
}

/** Returns the milliseconds since some moment. */
type Clock = () => number;

interface ExplainOptions {
  /** Milliseconds that the searches of all tests may take. */
  readonly within: number;
  readonly now: Clock;
}

/** Returns what is known of the tasks that contracts asked for and no test named, a paragraph for each test. */
export async function explainReads(
  tests: readonly AskingTest[],
  root: string,
  options: ExplainOptions,
): Promise<readonly string[]> {
  const named = namedTasks(tests.flatMap(({ logs }) => logs));
  const reads: ExplainedRead[] = [];
  for (const { name, test, source, logs } of tests) {
    const read = findUnnamedRead(logs);
    if (read === undefined) continue;
    const sources = await readSources(source, root);
    reads.push(new ExplainedRead(name, read, { sources, test, named }));
  }
  searchInTurns(reads, options);
  return reads.flatMap((read) => [`  ${read.name}:`, ...read.lines().map((line) => `    ${line}`)]);
}

/** Milliseconds of a search until it is another's turn: what is likely is tried for each test before anything else. */
const TURN = 10;

function searchInTurns(reads: readonly ExplainedRead[], { now, within }: ExplainOptions): void {
  const end = now() + within;
  let waiting = reads;
  while (waiting.length > 0 && now() < end) {
    for (const read of waiting) {
      const turnEnd = Math.min(now() + TURN, end);
      read.search(() => now() >= turnEnd);
    }
    waiting = waiting.filter(({ isDone }) => !isDone);
  }
}

interface ReadContext {
  /** The test's source, then those that it imports. */
  readonly sources: readonly SoliditySource[];
  /** Name of the test's function: its numbers come first. */
  readonly test: string;
  /** Tasks that other tests of the run named. */
  readonly named: ReadonlyMap<Hex, string>;
}

/** A failed read, and the search for the task that a contract asked for, by the numbers of the sources. */
class ExplainedRead {
  public readonly name: string;
  readonly #read: UnnamedRead;
  readonly #tasks: readonly FormedTask[];
  readonly #context: ReadContext;
  #started: WordSearch | undefined;

  public constructor(name: string, read: UnnamedRead, context: ReadContext) {
    this.name = name;
    this.#read = read;
    this.#context = context;
    const { finalized } = read;
    this.#tasks = finalized.flatMap(({ text, hash }) => parseTaskText(text, hash) ?? []);
  }

  /** Whether more time finds no more. */
  public get isDone(): boolean {
    return (
      this.#known() !== undefined || this.#tasks.length === 0 || this.#started?.isDone === true
    );
  }

  /** Begins the search, or goes on with it, until its time `isOver`. */
  public search(isOver: () => boolean): void {
    if (this.isDone) return;
    const { sources, test } = this.#context;
    this.#started ??= new WordSearch(this.#read.asked, this.#tasks, vocabularyOf(sources, test));
    this.#started.run(isOver);
  }

  /** Which task the contract asked for, and in what it differs from one that is finalized, as far as it was found. */
  public lines(): readonly string[] {
    const { asked, finalized } = this.#read;
    const literal = literalLines(asked, this.#context.sources);
    const known = this.#known();
    if (known !== undefined) return [...known, ...literal];
    const found = this.#started?.finding;
    if (found !== undefined) return [...foundLines(found), ...literal];
    const isCut = this.#started?.isDone === false;
    return [...literal, ...unknownLines(finalized, this.#tasks, isCut)];
  }

  /** What needs no search: a mistyped hash, or a task that another test named. */
  #known(): readonly string[] | undefined {
    const { asked, finalized } = this.#read;
    const mistyped = finalized.find(({ hash }) => otherDigits(asked, hash) <= MAX_DIGITS);
    if (mistyped !== undefined) return mistypedLines(asked, mistyped);
    const text = this.#context.named.get(asked);
    return text === undefined ? undefined : [`Asked:      ${text}`, ANOTHER_TEST];
  }
}

/** A task hash that is mistyped differs in fewer digits. */
const MAX_DIGITS = 4;

function mistypedLines(asked: Hex, { hash, text }: LoggedTask): readonly string[] {
  return [
    `Finalized:  ${text}`,
    differenceLine({ field: "taskHash", asked, found: hash }),
    "The hash differs from the nearest in few digits: copy it again.",
  ];
}

const ANOTHER_TEST =
  "Another test of this run named it, and has a store of its own: finalize it in this one.";

function literalLines(asked: Hex, sources: readonly SoliditySource[]): readonly string[] {
  const [first] = sources.flatMap((source) => writtenIn(source, asked) ?? []);
  return first === undefined ? [] : [writtenLine(first)];
}

function vocabularyOf(sources: readonly SoliditySource[], test: string): WordVocabulary {
  return {
    words: wordsOf(sources, test),
    accounts: accountsOfTest(),
    namespaces: distinctWords(namespacesOf(sources)),
  };
}

function foundLines(finding: WordFinding): readonly string[] {
  const words = taskWords(finding.of.task, finding.of.form);
  const finalized = `Finalized:  ${taskText(words, new Map())}`;
  switch (finding.cause) {
    case "form": {
      const found = finding.of.form === "module" ? "datalake" : "module";
      return [finalized, differenceLine({ field: "form", asked: finding.of.form, found })];
    }
    case "encoding":
      return [
        finalized,
        differenceLine({ field: "encoding", asked: finding.encoding, found: rightEncoding(words) }),
        "HdpTaskHash of hardhat-hdp/contracts/libraries encodes it.",
      ];
    case "inputs":
      return inputLines(words, finding.inputs, finalized);
    case "fields": {
      const values = new Map(finding.changes.map(({ field, value }) => [field.name, value]));
      const differences = finding.changes.map((change) => difference(words, change));
      return [
        `Asked:      ${taskText(words, values)}`,
        finalized,
        ...differences.map(differenceLine),
        ...originLines(finding.changes, finding.originOf),
      ];
    }
  }
}

function rightEncoding({ task, form }: TaskWords): string {
  return task.type === "Module" || form === "module"
    ? "abi.encode(programHash, inputs)"
    : "bytes.concat(keccak256(abi.encode(type, …)), abi.encode(function, operator, value))";
}

function difference(words: TaskWords, { field, value }: FieldChange): FieldDifference {
  return {
    field: field.name,
    asked: valueText(words, field, value),
    found: valueText(words, field, field.value),
  };
}

function valueText({ task }: TaskWords, { kind }: FieldChange["field"], value: bigint): string {
  switch (kind) {
    case "chain":
      return identifyChain(value) ?? String(value);
    case "function":
      return functionName(value);
    case "operator":
      return operatorName(value);
    case "address":
      return accountText(value);
    case "slot":
      return toWord(value);
    case "program":
    case "input":
      return `0x${value.toString(16)}`;
    case "types":
      return typesText(value);
    case "field": {
      if (task.type === "Module") return String(value);
      const { kind: of } = task.datalake.sampledProperty;
      return of === "storage" ? String(value) : `${of}.${fieldName(of, value)}`;
    }
    case "block":
    case "index":
    case "step":
    case "value":
      return String(value);
  }
}

/** Returns the types of transactions of a word, a byte each; the number where it is no such word. */
function typesText(word: bigint): string {
  const bytes = Buffer.from(toWord(word).slice(-8), "hex");
  const isOfTypes = word < 2n ** 32n && bytes.every((byte) => byte < 2);
  const types = TRANSACTION_TYPES.filter((_, at) => bytes[at] === 1);
  return isOfTypes && types.length > 0 ? types.join(", ") : String(word);
}

function originLines(
  changes: readonly FieldChange[],
  originOf: WordFinding["originOf"],
): readonly string[] {
  return changes.flatMap(({ field, origin }) => {
    const asked = origin === undefined ? [] : [`The asked ${field.name} is ${origin}.`];
    const there = field.kind === "slot" ? originOf(field.value) : undefined;
    return there === undefined ? asked : [...asked, `The ${field.name} there is ${there}.`];
  });
}

const NONE = "none";

function inputLines(
  words: TaskWords,
  inputs: readonly bigint[],
  finalized: string,
): readonly string[] {
  const [program = 0n, ...given] = words.fields.map(({ value }) => value);
  const one = inputDifference(inputs, given);
  return [`Asked:      ${moduleText(program, inputs)}`, finalized, differenceLine(one)];
}

/** Returns the input that only one of two lists has; both lists where they differ in more. */
function inputDifference(asked: readonly bigint[], found: readonly bigint[]): FieldDifference {
  const at = [...asked, ...found].findIndex((_, index) => asked[index] !== found[index]);
  const field = `inputs[${at}]`;
  const hex = (value: bigint | undefined): string =>
    value === undefined ? NONE : `0x${value.toString(16)}`;
  if (String(asked) === String(found.toSpliced(at, 1)))
    return { field, asked: NONE, found: hex(found[at]) };
  if (String(found) === String(asked.toSpliced(at, 1)))
    return { field, asked: hex(asked[at]), found: NONE };
  const list = (values: readonly bigint[]): string => values.map(hex).join(", ") || NONE;
  return { field: "inputs", asked: list(asked), found: list(found) };
}

function unknownLines(
  finalized: readonly LoggedTask[],
  tasks: readonly FormedTask[],
  isCut: boolean,
): readonly string[] {
  if (finalized.length === 0) return [`Nothing is finalized to compare it with. ${NAME_IT}`];
  const isNamed = finalized.some(({ text }) => text !== UNNAMED);
  if (tasks.length === 0) return [isNamed ? TOO_MANY : NONE_NAMED, NAME_IT];
  return [isCut ? CUT : TRIED, NAME_IT];
}

const NONE_NAMED = "The test named none of the finalized tasks, so that nothing could be tried.";
const TOO_MANY =
  "The log does not have all inputs of the finalized tasks, so that nothing could be tried.";
const CUT =
  "Not all that comes to mind could be tried in time, and nothing of it has the asked hash.";
const TRIED =
  "Tried were other numbers in one field or two, numbers and accounts of the sources and slots of their mappings among them, inputs in another order, and other encodings: none has the asked hash.";
const NAME_IT =
  "Name the task in the test as the contract derives it (avgBaseFee, blocksTask, moduleTask, …): the log has it in words then.";

import { z } from "zod";
import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { HdpError, hdpError } from "../errors/hdp-error.js";
import { parseWith, type Reader } from "../request/reader.js";
import type { ModuleTask } from "../request/task.js";
import { described, object, optional } from "../request/value-readers.js";
import { type Abi, type ArgumentsOf, parseSierraAbi, type VisibilityOf } from "./abi/abi.js";
import { encodeArguments, type EncodeArgumentsOptions } from "./abi/arguments.js";
import type { CompiledClass } from "./compiled-class.js";
import {
  ENTRY_POINT_TYPES,
  parseClassJson,
  rememberedClass,
  requireMain,
  segmentStarts,
} from "./compiled-class.js";
import { programHash } from "./program-hash.js";
import { COMPILED_SUFFIX, sierraPath } from "./scarb.js";

/** A module with its arguments, typed by an ABI that is given `as const`. */
export interface TypedModule<TAbi extends Abi> {
  readonly abi: TAbi;
  readonly compiledClass: CompiledClass;
  readonly arguments: ArgumentsOf<TAbi>;
  /** Arguments that are private; all others are public. */
  readonly visibility?: VisibilityOf<TAbi>;
}

/**
 * Returns a module task from named arguments, typed by the ABI.
 * @example
 * const abi = [{ type: "function", name: "main", … }] as const;
 * typedModuleTask({ abi, compiledClass, arguments: { block_number: 5186021, address: "0x13cb…f0d5" } });
 * @throws HdpError as {@link encodeArguments}.
 */
export function typedModuleTask<const TAbi extends Abi>(module: TypedModule<TAbi>): ModuleTask {
  const { abi, compiledClass, visibility } = module;
  return taskOfModule(abi, compiledClass, module.arguments, { visibility });
}

/** Returns a module task from named arguments in a file's form. */
function taskOfModule(
  abi: Abi,
  compiled: CompiledClass,
  values: unknown,
  options: EncodeArgumentsOptions,
): ModuleTask {
  requireMain(compiled);
  return {
    type: "Module",
    programHash: programHash(compiled),
    inputs: encodeArguments(abi, values, options),
  };
}

/** A task that names its module by class, ready to be given to `hdp.run` or `hdp.submit`. */
export interface NamedModuleTask {
  readonly type: "Module";
  readonly module: {
    readonly class: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly visibility?: Readonly<Record<string, "public" | "private">>;
    readonly generation?: string;
  };
  readonly injected_state?: Readonly<Record<string, `0x${string}` | bigint>>;
  readonly [key: string]: unknown;
}

/** What a task by a module's name may give beside its arguments. */
export interface NamedModuleOptions {
  /** Visibility by argument; public where none is given. */
  readonly visibility?: Readonly<Record<string, "public" | "private">> | undefined;
  /** Roots of the tries it may read and write, by label. */
  readonly injectedState?: Readonly<Record<string, `0x${string}` | bigint>> | undefined;
  /** Calling convention of a local run. */
  readonly generation?: string | undefined;
}

/**
 * Names a module of the project for a task: by the name of its contract or package, by the path of its compiled class, or by
 * a folder that has the class with its Sierra class.
 * @example
 * const result = await hdp.run(module("Balance").args({ chain_id: 1, account, first_block: 4, last_block: 7 }));
 */
export function module(name: string): {
  /** Returns the task with these arguments, each checked against its Cairo type when the task is read. */
  readonly args: (
    values?: Readonly<Record<string, unknown>>,
    options?: NamedModuleOptions,
  ) => NamedModuleTask;
} {
  return {
    args: (values = {}, { visibility, injectedState, generation } = {}) => ({
      type: "Module",
      module: {
        class: name,
        arguments: values,
        ...(visibility === undefined ? {} : { visibility }),
        ...(generation === undefined ? {} : { generation }),
      },
      ...(injectedState === undefined ? {} : { injected_state: injectedState }),
    }),
  };
}

/** A compiled class that a task file named, for local runs. */
export interface ReferencedProgram {
  /** Path of the compiled class, as written. */
  readonly file: string;
  readonly programHash: Hex;
  /** Content of the compiled class's file, parsed from JSON. */
  readonly compiledClassJson: unknown;
  readonly abi: Abi;
  /** By the offset of a function's first instruction, where the Sierra class has them. */
  readonly functionNames: ReadonlyMap<number, string> | undefined;
  /** Content of the Sierra class's file, parsed from JSON, where it says the lines of its statements. */
  readonly sierraClassJson: unknown;
  /** As the task file names it. */
  readonly generation: string | undefined;
}

/** A task request with resolved modules, ready to be parsed. */
export interface ResolvedModules {
  /** Raw JSON in which every `module` is replaced by `programHash` and `inputs`; empty ones for those with errors. */
  readonly json: unknown;
  readonly programs: readonly ReferencedProgram[];
  /** One for each module that cannot be resolved, in the order of the tasks. */
  readonly errors: readonly HdpError[];
}

/** A place in a task file that names a module by its class, with the files that are needed to resolve it. */
export interface ModuleReference {
  /** Path in the JSON: `tasks[0].module`. */
  readonly path: string;
  readonly compiledClassFile: string;
  /** Undefined where neither `sierra` nor Scarb's naming says it. */
  readonly sierraClassFile: string | undefined;
}

/** Text of a file by its path as the task file writes it; undefined where there is no such file. */
export type LoadFile = (path: string) => string | undefined;

const text: Reader<string> = {
  read: (value, place) =>
    typeof value === "string" && value !== "" ? value : place.reportType(value, "text"),
  form: () => ({ type: "string", minLength: 1 }),
};

const optionalText = optional(text, undefined);

const anyObject: Reader<Readonly<Record<string, unknown>>> = {
  read: (value, place) => (isRecord(value) ? value : place.reportType(value, "an object")),
  form: () => ({ type: "object" }),
};

/** Reads the `module` of a task file: a class with arguments by name, in place of `programHash` and `inputs`. */
export const moduleForm = object({
  class: described("Path of the compiled class, relative to this file.", text),
  sierra: described(
    "Path of the Sierra class, where Scarb would not put it beside the compiled one.",
    optionalText,
  ),
  arguments: described("Arguments of main by name.", optional(anyObject, undefined)),
  visibility: described(
    "Arguments that are private, by name; others are public.",
    optional(anyObject, undefined),
  ),
  generation: described(
    "Calling convention for a local run, where the class does not show it.",
    optionalText,
  ),
});

/** Returns the modules that raw JSON of a task request, or of one task, names by class. Ignores other tasks. */
export function findModuleReferences(json: unknown): ModuleReference[] {
  return listTasks(json).flatMap(({ task, prefix }) => {
    const form = hasModule(task) ? task.module : undefined;
    if (!isRecord(form) || typeof form["class"] !== "string") return [];
    const { class: compiledClassFile, sierra } = form;
    const sierraClassFile = typeof sierra === "string" ? sierra : sierraPath(compiledClassFile);
    return [{ path: `${prefix}module`, compiledClassFile, sierraClassFile }];
  });
}

/**
 * Returns raw JSON of a task request, or of one task, with every `module` replaced by `programHash` and `inputs`, ready
 * to be parsed. The argument is not changed.
 * @param load reads a file that a module names.
 * @throws HdpError HDP-7001 to HDP-7023 for the classes, TaskRequestError for the form and the arguments.
 */
export function withResolvedModules(json: unknown, load: LoadFile): unknown {
  const resolved = resolveModules(json, load);
  const [error] = resolved.errors;
  if (error !== undefined) throw error;
  return resolved.json;
}

/** Returns the JSON of {@link withResolvedModules}, the programs, and the errors of all modules. */
export function resolveModules(json: unknown, load: LoadFile): ResolvedModules {
  const programs: ReferencedProgram[] = [];
  const errors: HdpError[] = [];
  const tasks = listTasks(json).map(({ task, prefix }) => {
    if (!hasModule(task)) return task;
    const { module, programHash, inputs, ...rest } = task;
    try {
      for (const [name, value] of Object.entries({ programHash, inputs })) {
        if (value !== undefined) throw hdpError("HDP-7020", { name }, { path: `${prefix}${name}` });
      }
      const { task: resolved, ...program } = resolveModule(module, `${prefix}module`, load);
      programs.push(program);
      return { ...rest, programHash: resolved.programHash, inputs: resolved.inputs };
    } catch (error) {
      if (!(error instanceof HdpError)) throw error;
      errors.push(error);
      return { ...rest, programHash: "0x0", inputs: [] };
    }
  });
  return { json: isRequest(json) ? { ...json, tasks } : tasks[0], programs, errors };
}

/** Returns the task and the program of a `module` in a task file, whose files it loads. */
function resolveModule(
  form: unknown,
  path: string,
  load: LoadFile,
): ReferencedProgram & { readonly task: ModuleTask } {
  const {
    class: file,
    sierra,
    arguments: values,
    visibility,
    generation,
  } = parseWith(moduleForm, form, {}, path);
  const compiledClassJson = loadedClass(file, `${path}.class`, load);
  const compiled = rememberedClass(compiledClassJson, { file });
  const sierraFile = sierra ?? sierraPath(file);
  const sierraJson = loadedSierraClass(sierraFile, path, load);
  const abi = parseSierraAbi(sierraJson, { file: sierraFile });
  if (!haveSameFunctions(compiled, sierraJson))
    throw hdpError("HDP-7023", { compiled: file }, { path: sierraFile });
  const task = taskOfModule(abi, compiled, values, { visibility, path });
  const names = functionNames(compiled, sierraJson);
  return {
    file,
    task,
    programHash: task.programHash,
    compiledClassJson,
    abi,
    functionNames: names,
    sierraClassJson: withLines(sierraJson),
    generation,
  };
}

/** Returns the JSON of a compiled class. @throws HdpError HDP-7022 where there is no such file */
function loadedClass(file: string, path: string, load: LoadFile): unknown {
  const text = load(file);
  if (text !== undefined) return parseClassJson(text, file);
  throw hdpError("HDP-7022", { kind: "compiled class", place: file, example: undefined }, { path });
}

/** Returns the JSON of a Sierra class. @throws HdpError HDP-7022 where there is no such file, or none can be named */
function loadedSierraClass(file: string | undefined, path: string, load: LoadFile): unknown {
  const text = file === undefined ? undefined : load(file);
  if (text !== undefined) return parseClassJson(text, file);
  const kind = "Sierra class, which has the ABI of the arguments,";
  const place = file ?? `the compiled class's name does not end with ${COMPILED_SUFFIX}`;
  throw hdpError("HDP-7022", { kind, place, example: "path" }, { path });
}

function isRequest(json: unknown): json is { readonly tasks: readonly unknown[] } {
  return isRecord(json) && Array.isArray(json["tasks"]);
}

/** Returns tasks with the text that their fields' paths start with. */
function listTasks(json: unknown): { readonly task: unknown; readonly prefix: string }[] {
  if (!isRequest(json)) return [{ task: json, prefix: "" }];
  return json.tasks.map((task, index) => ({ task, prefix: `tasks[${index}].` }));
}

function hasModule(
  task: unknown,
): task is Readonly<Record<string, unknown>> & { readonly module: unknown } {
  return isRecord(task) && "module" in task;
}

const externalFunctions = z.object({
  entry_points_by_type: z.object({ EXTERNAL: z.array(z.object({ selector: z.string() })) }),
});

function haveSameFunctions(compiled: CompiledClass, sierra: unknown): boolean {
  const selectors = compiled.entryPointsByType.EXTERNAL.map(({ selector }) => selector);
  const entries = externalFunctions.safeParse(sierra).data?.entry_points_by_type.EXTERNAL ?? [];
  const others = entries.map(({ selector }) =>
    /^0x[0-9a-fA-F]{1,64}$/.test(selector) ? BigInt(selector) : undefined,
  );
  return (
    selectors.length === others.length && selectors.every((selector) => others.includes(selector))
  );
}

const entry = z.object({
  selector: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
  function_idx: z.number().int(),
});
const sierraSchema = z.object({
  sierra_program_debug_info: z.object({
    user_func_names: z.array(z.tuple([z.number().int(), z.string()])).min(1),
  }),
  entry_points_by_type: z.object({
    EXTERNAL: z.array(entry),
    L1_HANDLER: z.array(entry),
    CONSTRUCTOR: z.array(entry),
  }),
});

/** Returns a Sierra class if it says where its statements come from; undefined for any other, of which nothing more is read. */
export function withLines(sierraClass: unknown): unknown {
  const debug = isRecord(sierraClass) ? sierraClass["sierra_program_debug_info"] : undefined;
  const annotations = isRecord(debug) ? debug["annotations"] : undefined;
  return isRecord(annotations) && LINES in annotations ? sierraClass : undefined;
}

/** The key under which the compiler's `unstable-add-statements-code-locations-debug-info` writes where statements come from. */
export const LINES = "github.com/software-mansion/cairo-coverage";

/**
 * Returns the names of a class's functions by the offset of their first instruction.
 * The compiler writes functions in the order of their numbers and makes a segment of each, before those of constants;
 * the Sierra class says the names by number (with `sierra-replace-ids`, which Scarb's dev profile sets).
 * @returns undefined where the Sierra class has no names, or the two don't fit: an entry point is elsewhere then
 */
export function functionNames(
  compiled: CompiledClass,
  sierraClass: unknown,
): ReadonlyMap<number, string> | undefined {
  const sierra = sierraSchema.safeParse(sierraClass).data;
  const starts = segmentStarts(compiled.bytecodeSegmentLengths);
  if (sierra === undefined || starts === undefined) return undefined;
  const { sierra_program_debug_info: debug, entry_points_by_type: entryPoints } = sierra;
  const fits = ENTRY_POINT_TYPES.every((type) =>
    entryPoints[type].every(({ selector, function_idx }) => {
      const known = compiled.entryPointsByType[type].find(
        (candidate) => candidate.selector === BigInt(selector),
      );
      return known !== undefined && starts[function_idx] === known.offset;
    }),
  );
  if (!fits) return undefined;
  const names = new Map<number, string>();
  for (const [index, name] of debug.user_func_names) {
    const start = starts[index];
    if (start === undefined) return undefined;
    // Without the constants that the compiler specialized a function for: `a::b[12-34]{ 0, NotSpecialized, }`.
    names.set(start, name.replace(/(?<!::|^)\{.*\}$/s, ""));
  }
  return names;
}

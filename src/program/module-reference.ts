import type { Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { HdpError, hdpError } from "../errors/hdp-error.js";
import type { ModuleTask } from "../request/task.js";
import { type Abi, parseSierraAbi } from "./abi/abi.js";
import { type CompiledClass, parseCompiledClass, parseClassJson } from "./compiled-class.js";
import { functionNames } from "./function-names.js";
import { untypedModuleTask } from "./module-task.js";
import { programHashOfText } from "./program-hash.js";
import { COMPILED_SUFFIX, sierraPathOf } from "./scarb.js";

/** The `module` of a task file: a compiled class with arguments by name, in place of `programHash` and `inputs`. */
export interface ModuleForm {
  /** Path of the compiled class, as written; the reader of files decides what it is relative to. */
  readonly class: string;
  /** Path of the Sierra class, where it does not lie beside the compiled class by Scarb's naming. */
  readonly sierra?: string | undefined;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** Visibility by argument, `public` where none is given. */
  readonly visibility?: Readonly<Record<string, unknown>> | undefined;
  /** Calling convention for a local run, where the class does not show it: one of docs/cairo-vm.md's generations. */
  readonly generation?: string | undefined;
}

/** A compiled class that a task file named, for who runs modules here. */
export interface ReferencedProgram {
  readonly programHash: Hex;
  /** Content of the compiled class's file, parsed from JSON. */
  readonly compiledClassJson: unknown;
  readonly abi: Abi;
  /** By the offset of a function's first instruction, where the Sierra class says them. */
  readonly functionNames: ReadonlyMap<number, string> | undefined;
  /** As the task file names it. */
  readonly generation: string | undefined;
}

/** What is left to parse of a task request that named modules by their classes. */
export interface ResolvedModules {
  /** Raw JSON in which every `module` is replaced by `programHash` and `inputs`; empty ones for those with mistakes. */
  readonly json: unknown;
  readonly programs: readonly ReferencedProgram[];
  /** One for each module that cannot be resolved, in the order of the tasks. */
  readonly mistakes: readonly HdpError[];
}

/** A place in a task file that names a module by its class, with the files that are needed to resolve it. */
export interface ModuleReference {
  /** Path in the JSON: `tasks[0].module`. */
  readonly path: string;
  readonly compiledClassFile: string;
  /** Undefined where neither `sierra` nor Scarb's naming says it. */
  readonly sierraClassFile: string | undefined;
}

/** Fields of a task that say which module it is. */
const MODULE_FIELDS = new Set(["module", "programHash", "inputs"]);

/** Text of a file by its path as the task file writes it; undefined where there is no such file. */
export type LoadFile = (path: string) => string | undefined;

/** The form of {@link ModuleForm}. */
export const moduleFormSchema = z.strictObject({
  class: z.string().min(1).describe("Path of the compiled class, relative to this file."),
  sierra: z
    .string()
    .min(1)
    .optional()
    .describe("Path of the Sierra class, where Scarb would not put it beside the compiled one."),
  arguments: z.record(z.unknown()).optional().describe("Arguments of main by name."),
  visibility: z.record(z.unknown()).optional().describe("Arguments that are private, by name; others are public."),
  generation: z
    .string()
    .min(1)
    .optional()
    .describe("Calling convention for a local run, where the class does not show it."),
});

/** Modules that raw JSON of a task request, or of one task, names by class. Other tasks are passed over. */
export function findModuleReferences(json: unknown): ModuleReference[] {
  return tasksOf(json).flatMap(({ task, path }) => {
    if (!hasModule(task)) return [];
    const parsed = moduleFormSchema.safeParse(task.module);
    return parsed.success ? [{ path: `${path}module`, ...filesOf(parsed.data) }] : [];
  });
}

/**
 * Raw JSON of a task request, or of one task, with every `module` replaced by `programHash` and `inputs`, ready to be
 * parsed. The argument is not changed.
 *
 * @param load reads a file that a module names.
 * @throws HdpError HDP-7020 to HDP-7023 for the form and the files, otherwise as {@link resolveModuleTask}.
 */
export function withResolvedModules(json: unknown, load: LoadFile): unknown {
  const resolved = resolveModules(json, load);
  const [mistake] = resolved.mistakes;
  if (mistake !== undefined) throw mistake;
  return resolved.json;
}

/**
 * The same with the programs, and with every module's mistake instead of the first one's: the rest can still be parsed,
 * so that all mistakes of a file are told at once.
 */
export function resolveModules(json: unknown, load: LoadFile): ResolvedModules {
  const programs: ReferencedProgram[] = [];
  const mistakes: HdpError[] = [];
  const resolve = (task: unknown, path: string): unknown => {
    if (!hasModule(task)) return task;
    try {
      const { program, resolved } = resolveTask(task, path, load);
      programs.push(program);
      return resolved;
    } catch (error) {
      if (!(error instanceof HdpError)) throw error;
      mistakes.push(error);
      const rest = Object.entries(task).filter(([name]) => !MODULE_FIELDS.has(name));
      return { ...Object.fromEntries(rest), programHash: "0x0", inputs: [] };
    }
  };
  const isRequest = isRecord(json) && Array.isArray(json["tasks"]);
  const resolved = isRequest
    ? { ...json, tasks: tasksOf(json).map(({ task, path }) => resolve(task, path)) }
    : resolve(json, "");
  return { json: resolved, programs, mistakes };
}

export interface ResolveModuleInput {
  readonly module: ModuleForm;
  /** Content of `module.class`, parsed from JSON. */
  readonly compiledClassJson: unknown;
  /** Content of the Sierra class, parsed from JSON. Not needed by a module that has no arguments given. */
  readonly sierraClassJson?: unknown;
  /** Place of the module in the user's input, for errors. */
  readonly path?: string | undefined;
}

/**
 * The module task that a compiled class and named arguments stand for. The program hash is the registry's.
 *
 * @throws HdpError HDP-7001 and HDP-7002 for the compiled class, HDP-7005 for the Sierra class, HDP-7022
 * without one, HDP-7023 where the two are not of one contract, HDP-7007 to HDP-7014 for the arguments.
 */
export function resolveModuleTask(input: ResolveModuleInput): ModuleTask {
  return resolveClasses(input).task;
}

function resolveClasses(
  input: ResolveModuleInput,
  compiledText?: string,
): { readonly task: ModuleTask } & Pick<ReferencedProgram, "abi" | "functionNames"> {
  const { module, compiledClassJson, sierraClassJson, path } = input;
  const { compiledClassFile, sierraClassFile } = filesOf(module);
  const compiled = parseCompiledClass(compiledClassJson, { file: compiledClassFile });
  if (sierraClassJson === undefined) throw noSierraClass(path, sierraClassFile);
  const abi = parseSierraAbi(sierraClassJson, { file: sierraClassFile });
  refuseForeignSierra(compiled, sierraClassJson, compiledClassFile, sierraClassFile);
  const hash = compiledText === undefined ? undefined : () => programHashOfText(compiledText, compiled);
  const task = untypedModuleTask(abi, compiled, module.arguments, { visibility: module.visibility, path, hash });
  return { task, abi, functionNames: functionNames(compiled, sierraClassJson) };
}

function resolveTask(
  task: TaskWithModule,
  prefix: string,
  load: LoadFile,
): { readonly resolved: unknown; readonly program: ReferencedProgram } {
  const path = `${prefix}module`;
  const { module: raw, ...rest } = task;
  for (const name of ["programHash", "inputs"]) {
    if (name in rest)
      throw wrongForm(`${prefix}${name}`, `\`${name}\` stands beside \`module\`, from which it is computed`);
  }
  const parsed = moduleFormSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrongForm([path, ...(issue?.path ?? [])].join("."), issue?.message ?? "wrong form");
  }
  const { compiledClassFile, sierraClassFile } = filesOf(parsed.data);
  const compiledText = load(compiledClassFile);
  if (compiledText === undefined) throw noCompiledClass(`${path}.class`, compiledClassFile);
  const sierraText = sierraClassFile === undefined ? undefined : load(sierraClassFile);
  const compiledClassJson = parseClassJson(compiledText, compiledClassFile);
  const {
    task: { programHash, inputs },
    ...known
  } = resolveClasses(
    {
      module: parsed.data,
      compiledClassJson,
      sierraClassJson: sierraText === undefined ? undefined : parseClassJson(sierraText, sierraClassFile),
      path,
    },
    compiledText,
  );
  return {
    resolved: { ...rest, programHash, inputs },
    program: { programHash, compiledClassJson, ...known, generation: parsed.data.generation },
  };
}

function filesOf(module: ModuleForm): Omit<ModuleReference, "path"> {
  return { compiledClassFile: module.class, sierraClassFile: module.sierra ?? sierraPathOf(module.class) };
}

type TaskWithModule = Readonly<Record<string, unknown>> & { readonly module: unknown };

/** Tasks with the text that their fields' paths start with. */
function tasksOf(json: unknown): { readonly task: unknown; readonly path: string }[] {
  if (isRecord(json) && Array.isArray(json["tasks"])) {
    return json["tasks"].map((task: unknown, index) => ({ task, path: `tasks[${index}].` }));
  }
  return [{ task: json, path: "" }];
}

function hasModule(task: unknown): task is TaskWithModule {
  return isRecord(task) && "module" in task;
}

/** Both classes list the selectors of the contract's external functions. */
function refuseForeignSierra(
  compiled: CompiledClass,
  sierra: unknown,
  compiledFile: string,
  sierraFile: string | undefined,
): void {
  const parsed = z
    .object({ entry_points_by_type: z.object({ EXTERNAL: z.array(z.object({ selector: z.string() })) }) })
    .safeParse(sierra);
  const selectors = compiled.entryPointsByType.EXTERNAL.map(({ selector }) => selector);
  const others = parsed.data?.entry_points_by_type.EXTERNAL.map(({ selector }) => toSelector(selector)) ?? [];
  if (selectors.length === others.length && selectors.every((selector) => others.includes(selector))) return;
  throw hdpError("HDP-7023", { compiled: compiledFile }, { path: sierraFile });
}

function toSelector(text: string): bigint | undefined {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) ? BigInt(text) : undefined;
}

function wrongForm(path: string, problem: string): HdpError {
  return hdpError("HDP-7020", { problem }, { path });
}

function noSierraClass(path: string | undefined, file: string | undefined): HdpError {
  const kind = "Sierra class, which has the ABI of the arguments,";
  const place = file ?? `the compiled class's name does not end with ${COMPILED_SUFFIX}`;
  return hdpError("HDP-7022", { kind, place, example: "path" }, { path });
}

function noCompiledClass(path: string, file: string): HdpError {
  return hdpError("HDP-7022", { kind: "compiled class", place: file, example: undefined }, { path });
}

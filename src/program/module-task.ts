import type { Hex } from "viem";

import type { ModuleTask } from "../request/task.js";
import type { Abi, ArgumentsOf, VisibilityOf } from "./abi/abi.js";
import { encodeArguments } from "./abi/arguments.js";
import { type CompiledClass, requireMain } from "./compiled-class.js";
import { programHash } from "./program-hash.js";

/** A module with its arguments, typed by an ABI that is given `as const`. */
export interface TypedModule<TAbi extends Abi> {
  readonly abi: TAbi;
  readonly compiledClass: CompiledClass;
  readonly arguments: ArgumentsOf<TAbi>;
  /** Arguments that are private; all others are public. */
  readonly visibility?: VisibilityOf<TAbi>;
}

/**
 * A module task from named arguments.
 *
 * @example
 * const abi = [{ type: "function", name: "main", … }] as const;
 * typedModuleTask({ abi, compiledClass, arguments: { block_number: 5186021, address: "0x13cb…f0d5" } });
 * @throws HdpError as {@link encodeArguments}.
 */
export function typedModuleTask<const TAbi extends Abi>(module: TypedModule<TAbi>): ModuleTask {
  const { abi, compiledClass, visibility } = module;
  return taskOfModule(abi, compiledClass, module.arguments, { visibility });
}

/** A module task from named arguments of any form, as files have them. `path` is their place in the file, for errors. */
export function taskOfModule(
  abi: Abi,
  compiledClass: CompiledClass,
  values: unknown,
  options: {
    readonly visibility?: unknown;
    readonly path?: string | undefined;
    /** Returns the program hash, where it is known already. */
    readonly hash?: (() => Hex) | undefined;
  } = {},
): ModuleTask {
  requireMain(compiledClass);
  const hash = options.hash?.() ?? programHash(compiledClass);
  return { type: "Module", programHash: hash, inputs: encodeArguments(abi, values, options) };
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

export interface NamedModuleOptions {
  /** Visibility by argument; public where none is given. */
  readonly visibility?: Readonly<Record<string, "public" | "private">> | undefined;
  /** Roots of the tries it may read and write, by label. */
  readonly injectedState?: Readonly<Record<string, `0x${string}` | bigint>> | undefined;
  /** Calling convention of a local run. */
  readonly generation?: string | undefined;
}

/** A module whose arguments are given by name. */
export interface NamedModule {
  /** The task with these arguments, each checked against its Cairo type when the task is read. */
  readonly args: (values?: Readonly<Record<string, unknown>>, options?: NamedModuleOptions) => NamedModuleTask;
}

/**
 * A module of the project, by the name of its contract or package, by the path of its compiled class, or by a folder
 * that has the class with its Sierra class.
 *
 * @example
 * const result = await hdp.run(module("Balance").args({ chain_id: 1, account, first_block: 4, last_block: 7 }));
 */
export function module(name: string): NamedModule {
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

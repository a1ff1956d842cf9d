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
 * moduleTask({ abi, compiledClass, arguments: { block_number: 5186021, address: "0x13cb…f0d5" } });
 * @throws HdpError as {@link encodeArguments}.
 */
export function moduleTask<const TAbi extends Abi>(module: TypedModule<TAbi>): ModuleTask {
  const { abi, compiledClass, visibility } = module;
  return untypedModuleTask(abi, compiledClass, module.arguments, { visibility });
}

/** The same for arguments that come from a file. `path` is put before the places that errors name. */
export function untypedModuleTask(
  abi: Abi,
  compiledClass: CompiledClass,
  values: unknown,
  options: {
    readonly visibility?: unknown;
    readonly path?: string | undefined;
    /** The program hash, where it may be known. */
    readonly hash?: (() => Hex) | undefined;
  } = {},
): ModuleTask {
  requireMain(compiledClass);
  const hash = options.hash?.() ?? programHash(compiledClass);
  return { type: "Module", programHash: hash, inputs: encodeArguments(abi, values, options) };
}

import type { Hex } from "viem";

import { isRecord } from "../../base/collections.js";
import { serviceFailure } from "../http/service-errors.js";

/**
 * Members that a compiled class must have for the published prover's parser: `CasmContractClass` of
 * cairo-lang-starknet-classes 2.12.3, whose other members are optional.
 */
const CLASS_MEMBERS = ["prime", "compiler_version", "bytecode", "hints", "entry_points_by_type"];

/**
 * Returns a compiled class that a service can parse.
 * @throws ServiceFailure HDP-2023 where the class is not known, or lacks a member
 */
export function requireWholeClass(
  programHash: Hex,
  compiledClass: unknown,
  path: string,
): Readonly<Record<string, unknown>> {
  const refused = (reason: string): never => {
    throw serviceFailure("HDP-2023", { hash: programHash, reason }, { path });
  };
  if (!isRecord(compiledClass)) return refused("its compiled class is not known here");
  const missing = CLASS_MEMBERS.filter((name) => compiledClass[name] === undefined);
  return missing.length === 0
    ? compiledClass
    : refused(`its compiled class has no ${missing.join(", ")}`);
}

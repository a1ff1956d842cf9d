import { HdpError } from "../errors.js";
import type { CompiledClass, CompiledEntryPoint } from "./compiled-class.js";

/** Selector of `main`, the only function of a module that the data processor calls: sn_keccak("main"). */
export const MAIN_SELECTOR = 0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7n;

/**
 * The entry point that the data processor calls.
 *
 * @throws HdpError HDP-7007 where the class has no external function `main`.
 */
export function requireMain(compiled: CompiledClass): CompiledEntryPoint {
  const main = compiled.entryPointsByType.EXTERNAL.find(({ selector }) => selector === MAIN_SELECTOR);
  if (main === undefined) throw noMainFunction();
  return main;
}

/** HDP-7007 for a class or an ABI. */
export function noMainFunction(): HdpError {
  return new HdpError({
    code: "HDP-7007",
    message: "the contract has no external function `main`, which the data processor calls.",
    hints: ["Declare it: #[external(v0)] pub fn main(ref self: ContractState, hdp: HDP, …) -> …"],
  });
}

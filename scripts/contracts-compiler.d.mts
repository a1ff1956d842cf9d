import type { Abi, Hex } from "viem";

export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

export const compilerVersion: string;
export function compile(paths: readonly string[], settings?: object): Readonly<Record<string, CompiledContract>>;

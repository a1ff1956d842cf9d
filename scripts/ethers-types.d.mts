import type { CompiledContract } from "./contracts-compiler.mjs";

export function writeEthersTypes(contracts: Readonly<Record<string, CompiledContract>>, folder: string): Promise<void>;

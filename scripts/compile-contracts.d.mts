import type { CompiledContract } from "./contracts-compiler.mjs";

export function compileShipped(): Readonly<Record<string, CompiledContract>>;
export function generate(contracts: Readonly<Record<string, CompiledContract>>): Readonly<Record<string, string>>;

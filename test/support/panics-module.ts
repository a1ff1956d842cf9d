import { readFileSync } from "node:fs";

import { type ModuleRun, runModule } from "../../src/compute/run-module.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { parseCompiledClass } from "../../src/program/compiled-class.js";
import { functionNames } from "../../src/program/module-task.js";

const SOURCE = readFileSync(new URL("../cairo/panics/src/kinds.cairo", import.meta.url), "utf8");

/** The line of each kind of panic in the module of test/cairo/panics: the one that ends with its number. */
export const PANIC_LINES: ReadonlyMap<number, number> = new Map(
  SOURCE.split("\n").flatMap((text, index) => {
    const kind = /\/\/ (\d+)$/.exec(text)?.[1];
    return kind === undefined ? [] : [[Number(kind), index + 1] as const];
  }),
);

/** Classes of the module, parsed from JSON. */
export interface PanicsClasses {
  readonly casm: unknown;
  readonly sierra: unknown;
}

function refuse(): never {
  throw hdpError("HDP-4101", { block: 1, chain: "the chain", head: 0 });
}

/** Calls the module for one kind of panic. The read that one of them makes is refused. */
export async function panicOf(kind: number, { casm, sierra }: PanicsClasses): Promise<ModuleRun> {
  return await runModule(casm, {
    inputs: [BigInt(kind), 1n].map((value) => ({ visibility: "public", value })),
    generation: "head",
    leadingFelts: 8,
    read: refuse,
    functionNames: functionNames(parseCompiledClass(casm), sierra),
    sierraClass: sierra,
  });
}

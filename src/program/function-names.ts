import { z } from "zod";

import { type CompiledClass, ENTRY_POINT_TYPES, type SegmentLengths } from "./compiled-class.js";

const entry = z.object({ selector: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/), function_idx: z.number().int() });
const sierraSchema = z.object({
  sierra_program_debug_info: z.object({ user_func_names: z.array(z.tuple([z.number().int(), z.string()])).min(1) }),
  entry_points_by_type: z.object({
    EXTERNAL: z.array(entry),
    L1_HANDLER: z.array(entry),
    CONSTRUCTOR: z.array(entry),
  }),
});

/**
 * Names of a class's functions by the offset of their first instruction.
 *
 * The compiler writes functions in the order of their numbers and makes a segment of each, before those of constants;
 * the Sierra class says the names by number (with `sierra-replace-ids`, which Scarb's dev profile sets).
 *
 * @returns undefined where the Sierra class has no names, or the two don't fit: an entry point is elsewhere then
 */
export function functionNames(compiled: CompiledClass, sierraClass: unknown): ReadonlyMap<number, string> | undefined {
  const sierra = sierraSchema.safeParse(sierraClass).data;
  const starts = segmentStarts(compiled.bytecodeSegmentLengths);
  if (sierra === undefined || starts === undefined) return undefined;
  const { sierra_program_debug_info: debug, entry_points_by_type: entryPoints } = sierra;
  const fits = ENTRY_POINT_TYPES.every((type) =>
    entryPoints[type].every(({ selector, function_idx }) => {
      const known = compiled.entryPointsByType[type].find((candidate) => candidate.selector === BigInt(selector));
      return known !== undefined && starts[function_idx] === known.offset;
    }),
  );
  if (!fits) return undefined;
  const names = new Map<number, string>();
  for (const [index, name] of debug.user_func_names) {
    const start = starts[index];
    if (start === undefined) return undefined;
    names.set(start, shortened(name));
  }
  return names;
}

function segmentStarts(lengths: SegmentLengths | undefined): readonly number[] | undefined {
  if (lengths === undefined || typeof lengths === "number") return undefined;
  const starts: number[] = [];
  let at = 0;
  for (const length of lengths) {
    if (typeof length !== "number") return undefined;
    starts.push(at);
    at += length;
  }
  return starts;
}

/** Without the constants that the compiler specialized a function for: `a::b[12-34]{ 0, NotSpecialized, }`. */
function shortened(name: string): string {
  return name.replace(/(?<!::|^)\{.*\}$/s, "");
}

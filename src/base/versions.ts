/** Returns the three numbers of the first version in a text (`scarb 2.13.1 (…)`); undefined where there is none. */
function versionIn(text: string): readonly number[] | undefined {
  const [, ...numbers] = /(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return numbers.length === 0 ? undefined : numbers.map(Number);
}

type Numbers = readonly number[];

/** What each comparator of a range asks of a version. */
const COMPARATORS: Readonly<Record<string, (version: Numbers, bound: Numbers) => boolean>> = {
  ">=": (version, bound) => compare(version, bound) >= 0,
  "<": (version, bound) => compare(version, bound) < 0,
  "^": (version, bound) => compare(version, bound) >= 0 && version[0] === bound[0],
};

/** Returns whether a version satisfies a range of comparators `>=`, `<` and `^` (from 1.0.0 on), all of which must hold. */
export function satisfies(version: string, range: string): boolean {
  const numbers = versionIn(version);
  if (numbers === undefined) return false;
  return range.split(/[\s,]+/).every((one) => {
    const [, sign = "", rest = ""] = /^(>=|<|\^)(.*)$/.exec(one) ?? [];
    const bound = versionIn(`${rest}.0.0`);
    return bound !== undefined && COMPARATORS[sign]?.(numbers, bound) === true;
  });
}

/** Returns a negative number for an older version, 0 for the same one. */
function compare(one: Numbers, other: Numbers): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

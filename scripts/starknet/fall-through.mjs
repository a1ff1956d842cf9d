// Sierra marks "goes on with the next statement" by the greatest number of the machine the compiler runs on.
// wasm-cairo's machine has 32 bits, that of everything else that reads Sierra has 64 and would take the mark for a jump
// to statement 2^32-1.

const MARK_32 = 0xffffffffn;
const MARK_64 = "0xffffffffffffffff";
const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
/** Felts before the compressed program: the versions of Sierra and of the compiler, three each. */
const VERSIONS = 6;

/**
 * The felts of a Sierra class with the mark of 64-bit machines. The program is a table of its distinct values and
 * indices into it, so the mark is one entry of the table, and so would be a constant of the same value: it is an error
 * when the value stands anywhere but at a branch's target.
 *
 * @param {readonly string[]} felts
 * @returns {string[]}
 */
export function widenFallThrough(felts) {
  const values = decompress(felts.slice(VERSIONS).map(BigInt));
  const marks = values.flatMap((value, index) => (value === MARK_32 ? [index] : []));
  if (marks.length > 0 && !areBranchTargets(values, marks)) {
    throw new Error("The program has 0xffffffff elsewhere than at branches: its 32-bit marks can't be told apart.");
  }
  const tableEnd = VERSIONS + 2 + Number(BigInt(felts[VERSIONS] ?? "0"));
  return felts.map((felt, index) =>
    index >= VERSIONS + 2 && index < tableEnd && BigInt(felt) === MARK_32 ? MARK_64 : felt,
  );
}

/**
 * The program's values: size of the table, padding of that size to a power of two, the table, how many values there
 * are, then indices, as many in a felt as fit below the prime, the first one lowest.
 *
 * @param {readonly bigint[]} packed
 * @returns {bigint[]}
 */
export function decompress([size = 0n, padding = 0n, ...rest]) {
  const table = rest.slice(0, Number(size));
  const [count = 0n, ...words] = rest.slice(Number(size));
  const base = size + padding;
  let perFelt = 0;
  for (let room = PRIME; room > base; room /= base) perFelt++;
  const values = [];
  for (let word of words) {
    for (let left = Math.min(perFelt, Number(count) - values.length); left > 0; left--) {
      values.push(table[Number(word % base)] ?? 0n);
      word /= base;
    }
  }
  return values;
}

/**
 * Whether all marks are targets of branches. Where the list of statements begins is not known without reading all
 * declarations before it, so every place is tried from which statements can be read that have these very targets.
 *
 * @param {readonly bigint[]} values
 * @param {readonly number[]} marks
 */
function areBranchTargets(values, marks) {
  for (let start = 0; start < (marks[0] ?? 0); start++) {
    const found = fallThroughs(values, start);
    if (found?.length === marks.length && found.every((index, position) => index === marks[position])) return true;
  }
  return false;
}

/**
 * Positions of targets that fall through, in the statements listed from `start`, or undefined when none can be read
 * there. A statement is 0, libfunc, arguments, branches (each a target and results), or 1 and what it returns; lists
 * begin with their length.
 *
 * @param {readonly bigint[]} values
 * @param {number} start
 * @returns {number[] | undefined}
 */
function fallThroughs(values, start) {
  const statements = values[start] ?? 0n;
  const marks = [];
  let at = start + 1;
  const skipList = () => {
    at += 1 + Number(values[at] ?? 0n);
  };
  for (let left = statements; left > 0n; left--) {
    if (at >= values.length) return undefined;
    const kind = values[at++];
    if (kind === 1n) {
      skipList();
      continue;
    }
    if (kind !== 0n) return undefined;
    at++;
    skipList();
    for (let branches = values[at++] ?? 0n; branches > 0n; branches--) {
      const target = values[at];
      if (target === undefined || (target !== MARK_32 && target >= statements)) return undefined;
      if (target === MARK_32) marks.push(at);
      at++;
      skipList();
    }
  }
  return at < values.length ? marks : undefined;
}

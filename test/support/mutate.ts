import { mulberry32 } from "../../src/submission/backend/faults/chaos.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const deep = (depth: number): Json => {
  let value: Json = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  0.5,
  "",
  "0x",
  "0xzz",
  `0x${"f".repeat(65)}`,
  "9".repeat(400),
  "\u0000\ud800",
  "__proto__",
  "a".repeat(10_000),
  [],
  {},
  deep(500),
  { toString: "no function", constructor: null, ["__proto__x"]: 1 },
];
const ODD_TEXTS = [
  "{",
  "}",
  "[",
  "]",
  '"',
  ",",
  ":",
  "\\u",
  "\u0000",
  "\uFEFF",
  "null",
  "1e999",
  "-",
  "//",
  "\n",
  "__proto__",
];

/** One to four changes of a JSON document or of its text, the same for the same seed. */
export function mutatedText(document: unknown, seed: number): string {
  const random = mulberry32(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  let value = structuredClone(document) as Json;
  for (let change = below(3); change >= 0; change -= 1) value = changed(value, below);
  let text = JSON.stringify(value);
  if (below(2) === 0) return text;
  for (let change = below(3); change >= 0; change -= 1) {
    const at = below(text.length + 1);
    const length = below(12);
    const odd = ODD_TEXTS[below(ODD_TEXTS.length)] ?? "";
    const middle =
      [odd, "", text.slice(at, at + length).repeat(3), String.fromCharCode(below(65_536))][
        below(4)
      ] ?? "";
    text = text.slice(0, at) + middle + text.slice(at + (below(2) === 0 ? 0 : length));
  }
  return below(20) === 0 ? text.slice(0, below(text.length)) : text;
}

/** The same as a value, where the text of it is JSON. */
export function mutatedValue(document: unknown, seed: number): unknown {
  for (let next = seed; ; next += 1_000_003) {
    try {
      return JSON.parse(mutatedText(document, next));
    } catch {
      // The next mutation may be JSON.
    }
  }
}

function changed(value: Json, below: (limit: number) => number): Json {
  const odd = (): Json => ODD_VALUES[below(ODD_VALUES.length)] ?? null;
  if (typeof value !== "object" || value === null || below(8) === 0) return odd();
  if (Array.isArray(value)) {
    const at = below(value.length + 1);
    if (at === value.length) return [...value, odd()];
    return value.flatMap((item, index) =>
      index !== at ? [item] : ([[changed(item, below)], [], [item, item]][below(3)] ?? []),
    );
  }
  const keys = Object.keys(value);
  const key = keys[below(keys.length)] ?? "more";
  const { [key]: old = null, ...others } = value;
  const kinds: readonly (() => Json)[] = [
    () => ({ ...others, [key]: changed(old, below) }),
    () => ({ ...others, [key]: changed(old, below) }),
    () => others,
    () => ({ ...others, [`${key}_`]: old }),
    () => ({ ...value, unknown: odd() }),
  ];
  return kinds[below(kinds.length)]?.() ?? null;
}

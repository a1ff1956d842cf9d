import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";
import {
  formatFelt,
  isFelt,
  SHORT_STRING_LENGTH,
  shortString,
  shortStringFelt,
} from "../base/felt.js";
import { grouped } from "../base/text.js";
import { quote, type Reader } from "./reader.js";
import { felt, toFelt } from "./value-readers.js";

/** Roots of the tries that a module may read and write, by label: felts, lower-case hex, in the order of the labels. */
export type InjectedRoots = Readonly<Record<string, Hex>>;

/** Returns the felt of a label: 0x hex as a number, other text as a short string; undefined if it is neither. */
export function labelFelt(text: string): bigint | undefined {
  if (/^0x[0-9a-f]+$/i.test(text)) return isFelt(BigInt(text)) ? BigInt(text) : undefined;
  return /^[ -~]+$/.test(text) && text.length <= SHORT_STRING_LENGTH
    ? shortStringFelt(text)
    : undefined;
}

/** Maximum number of tries: far more than a module uses, and few enough for linear work. */
const MAX_ROOTS = 100;

/** Reads `{ "my_trie": "0x0" }`: labels as text or 0x felt, roots as felts. */
export const injectedRoots: Reader<InjectedRoots> = {
  read: (value, place) => {
    if (!isRecord(value))
      return place.reportType(value, 'an object of labels and roots: { "my_trie": "0x0" }');
    const entries = Object.entries(value);
    if (entries.length > MAX_ROOTS) {
      const entry = `an object of ${grouped(entries.length)} labels`;
      return place.report("HDP-1124", {
        entry,
        reason: `a module starts from at most ${MAX_ROOTS} tries`,
      });
    }
    const roots = new Map<bigint, bigint>();
    for (const [text, written] of entries) {
      const refuse = (reason: string): null =>
        place.report(
          "HDP-1124",
          { entry: `${quote(text)}: ${quote(written)}`, reason },
          { value: written },
        );
      const [label, root] = [labelFelt(text), toFelt(written)];
      if (label === undefined)
        refuse(`a label is text of at most ${SHORT_STRING_LENGTH} characters, or a felt as 0x hex`);
      else if (root === undefined) refuse('a root is a felt as 0x hex, "0x0" for a new trie');
      else if (roots.has(label)) refuse(`the label ${quote(shortString(label))} is named twice`);
      else roots.set(label, root);
    }
    if (roots.size < entries.length) return null;
    const ordered = [...roots].sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(
      ordered.map(([label, root]) => [formatFelt(label), formatFelt(root)]),
    );
  },
  // The JSON Schema does not validate labels; `read` does.
  form: () => ({ type: "object", additionalProperties: felt.form() }),
};

/** Returns the roots of a task's injected state as felts, by label. */
export function rootsByLabel(roots: InjectedRoots = {}): ReadonlyMap<bigint, bigint> {
  return new Map(Object.entries(roots).map(([label, root]) => [BigInt(label), BigInt(root)]));
}

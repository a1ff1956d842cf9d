import type { Hex } from "viem";

import { formatFelt, isFelt, SHORT_STRING_LENGTH, shortString, shortStringFelt } from "../base/felt.js";
import { type Reader, quote, readFelt, wrongType } from "./readers.js";

/** Roots of the tries that a module may read and write, by label: felts, lower-case hex, in the order of the labels. */
export type InjectedRoots = Readonly<Record<string, Hex>>;

/** The felt of a label: 0x hex as it is, other text as a short string; undefined for what is neither. */
export function labelFelt(text: string): bigint | undefined {
  if (/^0x[0-9a-f]+$/i.test(text)) return isFelt(BigInt(text)) ? BigInt(text) : undefined;
  return /^[ -~]+$/.test(text) && text.length <= SHORT_STRING_LENGTH ? shortStringFelt(text) : undefined;
}

/** Reads `{ "my_trie": "0x0" }`: labels as text or 0x felt, roots as felts. Without any label it is undefined. */
export const readInjectedRoots: Reader<InjectedRoots> = (value, report) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    report(wrongType(value, 'an object of labels and roots: { "my_trie": "0x0" }'));
    return undefined;
  }
  const roots = new Map<bigint, bigint>();
  const refused: string[] = [];
  const refuse = (message: string, wrong: unknown, hint: string): void => {
    refused.push(message);
    report({ code: "HDP-1124", message, value: wrong, hints: [hint] });
  };
  for (const [text, given] of Object.entries(value)) {
    const label = labelFelt(text);
    const root = rootFelt(given);
    if (label === undefined) {
      refuse(
        `${quote(text)} is no label.`,
        text,
        `A label is text of at most ${String(SHORT_STRING_LENGTH)} characters, or a felt as 0x hex.`,
      );
    } else if (root === undefined) {
      refuse(
        `The root of ${quote(text)} is ${quote(given)}, which is no felt.`,
        given,
        'A root is 0x hex; a new trie starts at "0x0".',
      );
    } else if (roots.has(label)) {
      refuse(
        `The label ${quote(shortString(label))} is named twice.`,
        text,
        `${quote(text)} is the felt ${formatFelt(label)}: name each label once.`,
      );
    } else roots.set(label, root);
  }
  return refused.length === 0 ? injectedRoots(roots) : undefined;
};

// Labels are told by the reader: text of at most 31 characters, or a felt.
readInjectedRoots.form = () => ({ type: "object", additionalProperties: readFelt.form?.() ?? {} });

function rootFelt(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return isFelt(value) ? value : undefined;
  return typeof value === "string" && /^0x[0-9a-f]+$/i.test(value) && isFelt(BigInt(value)) ? BigInt(value) : undefined;
}

function injectedRoots(roots: ReadonlyMap<bigint, bigint>): InjectedRoots {
  const ordered = [...roots].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(ordered.map(([label, root]) => [formatFelt(label), formatFelt(root)]));
}

/** The roots as the machine takes them. */
export function rootsByLabel(roots: InjectedRoots = {}): ReadonlyMap<bigint, bigint> {
  return new Map(Object.entries(roots).map(([label, root]) => [BigInt(label), BigInt(root)]));
}

/** Whether two tasks start from the same tries. */
export function sameInjectedRoots(left: InjectedRoots | undefined, right: InjectedRoots | undefined): boolean {
  const [one, other] = [rootsByLabel(left), rootsByLabel(right)];
  return one.size === other.size && [...one].every(([label, root]) => other.get(label) === root);
}

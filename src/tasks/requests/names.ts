import { win32 } from "node:path";

import { hdpError } from "../../errors/hdp-error.js";

export function stemOf(path: string): string {
  // win32 accepts slashes of both kinds.
  return win32.parse(path).name;
}

/** Returns a text as a Cairo name: `my_gate` for `My-Gate`, with the prefix if it would not begin with a letter. */
export function cairoName(text: string, prefix: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `${prefix}_${name}`.replace(/_$/, "");
}

/** Throws if two entries of a generated file would have one name. @throws HdpError HDP-6086 */
export function requireNames(what: string, things: readonly Record<"name" | "from", string>[], path?: string): void {
  const first = new Map<string, string>();
  for (const { name, from } of things) {
    const other = first.get(name);
    if (other !== undefined) throw hdpError("HDP-6086", { what, name, first: other, second: from }, { path });
    first.set(name, from);
  }
}

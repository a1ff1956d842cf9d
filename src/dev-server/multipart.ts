import { grouped } from "../base/text.js";
import { tooLarge, unreadable } from "./refusals.js";

/** Maximum number of parts of a form, which usually has one; reading many is slow. */
const MAX_PARTS = 16;
const MAX_HEAD_BYTES = 16 * 2 ** 10;

/**
 * Returns the file of a multipart form, and its other parts as text.
 *
 * @param names names of the file's part, the first of which is the current one
 * @throws HttpRefusal HDP-4517 (400) for anything else, HDP-4529 for too many parts
 */
export function formIn(
  type: string,
  body: Buffer,
  names: readonly [string, ...string[]],
): { readonly file: Buffer; readonly form: Readonly<Record<string, string>> } {
  const wanted = `a multipart form with the file as its part ${names[0]}: curl -F ${names[0]}=@file`;
  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(type)?.[1];
  if (boundary === undefined)
    throw unreadable(`its content type is "${type.slice(0, 80)}"`, wanted);
  const parts = new Map<string, Buffer>();
  for (const part of splitParts(body, boundary)) {
    const end = part.subarray(0, MAX_HEAD_BYTES).indexOf("\r\n\r\n");
    if (end < 0 && part.length > MAX_HEAD_BYTES) {
      throw tooLarge(`the head of a part has more than ${grouped(MAX_HEAD_BYTES)} bytes`);
    }
    const name = /;\s*name=(?:"([^"]*)"|([^\s;]+))/i.exec(
      part.toString("utf8", 0, Math.max(0, end)),
    );
    if (name === null) throw unreadable("it is not a multipart form", wanted);
    parts.set(name[1] ?? name[2] ?? "", part.subarray(end + 4));
  }
  const found = names.find((name) => parts.has(name)) ?? names[0];
  const file = parts.get(found);
  if (file === undefined) throw unreadable(`the form has no part ${names[0]}`, wanted);
  parts.delete(found);
  return {
    file,
    form: Object.fromEntries([...parts].map(([name, content]) => [name, content.toString()])),
  };
}

/** Returns the parts between the boundaries of a form, without a copy. @throws HttpRefusal HDP-4529 for too many parts */
function splitParts(body: Buffer, boundary: string): readonly Buffer[] {
  const mark = `\r\n--${boundary}`;
  const parts: Buffer[] = [];
  // The first boundary is not preceded by a line break.
  let at = body.indexOf(mark.slice(2)) - 2;
  for (;;) {
    const begin = at + mark.length;
    at = body.indexOf(mark, begin);
    if (at < 0) return parts;
    if (parts.length === MAX_PARTS) throw tooLarge(`the form has more than ${MAX_PARTS} parts`);
    parts.push(body.subarray(begin + 2, at));
  }
}

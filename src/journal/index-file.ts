import { createHash, type Hash } from "node:crypto";
import { endianness } from "node:os";

import { z } from "zod";

import type { RememberedPosition } from "../base/append-log.js";
import type { AppendHandle, DurableFs, ReadHandle } from "../base/durable-fs.js";
import { jsonOrUndefined } from "../base/json.js";
import type { DamagedLine } from "../base/log-line.js";
import { JournalIndex } from "./journal-index.js";

/** Another number for every change of what an index holds, of how a line is read, or of what becomes of an entry. */
const INDEX_VERSION = 1;
/** Of the first line; a longer one is not written. */
const LONGEST_HEADER = 64 * 1024;
const PIECE = 1024 * 1024;
const DIGEST_LENGTH = 32;
const MODE = 0o644;

const header = z.object({
  v: z.literal(INDEX_VERSION),
  endianness: z.literal(endianness()),
  /** The part of the journal that is covered, and its SHA-256. */
  offset: z.number().int().nonnegative(),
  lines: z.number().int().nonnegative(),
  digest: z.string(),
  damage: z.array(
    z.object({ line: z.number(), kind: z.enum(["torn", "damaged", "newer"]), reason: z.string() }).strict(),
  ),
  repaired: z.array(z.string()),
  /** Lengths of the columns in bytes. */
  columns: z.array(z.number().int().nonnegative()),
});

/** What a journal said up to a position. */
export interface Indexed {
  readonly position: RememberedPosition;
  readonly index: JournalIndex;
  readonly damage: readonly DamagedLine[];
  readonly repaired: ReadonlySet<string>;
}

/**
 * Writes an index beside its journal: a line of JSON, the columns, and the SHA-256 of both. It takes the name when it is
 * whole. Nothing is synced: one that a loss of power left unfinished is known by its SHA-256, and made anew.
 * None is written where there is too much damage to be told of.
 */
export async function writeIndex(
  fs: DurableFs,
  path: string,
  { position, index, damage, repaired }: Indexed,
): Promise<void> {
  const columns = index.columns();
  const told: z.input<typeof header> = {
    ...{ v: INDEX_VERSION, endianness: endianness(), ...position, damage: [...damage], repaired: [...repaired] },
    columns: columns.map(({ length }) => length),
  };
  const first = Buffer.from(`${JSON.stringify(told)}\n`);
  if (first.length > LONGEST_HEADER) return;
  const draft = `${path}.new`;
  await fs.remove(draft);
  const handle = await fs.openAppend(draft, MODE);
  try {
    const hash = createHash("sha256");
    for (const part of [first, ...columns]) await writePart(handle, part, hash);
    await writePart(handle, hash.digest());
  } finally {
    await handle.close();
  }
  await fs.replace(path, draft);
}

async function writePart(handle: AppendHandle, part: Uint8Array, hash?: Hash): Promise<void> {
  for (let at = 0; at < part.length;) {
    const piece = part.subarray(at, at + PIECE);
    const taken = await handle.write(piece);
    if (taken === 0) throw new Error("nothing more was taken");
    hash?.update(piece.subarray(0, taken));
    at += taken;
  }
}

/** An index as it was written; undefined where there is none, or one that is not whole or of another version. */
export async function readIndex(fs: DurableFs, path: string): Promise<Indexed | undefined> {
  const file = await fs.openRead(path);
  if (file === undefined) return undefined;
  try {
    return await readWhole(file);
  } finally {
    await file.close();
  }
}

async function readWhole(file: ReadHandle): Promise<Indexed | undefined> {
  const beginning = Buffer.from(await file.readAt(0, LONGEST_HEADER));
  const first = beginning.subarray(0, beginning.indexOf(10) + 1);
  const told = header.safeParse(jsonOrUndefined(first.toString("utf8")));
  if (!told.success) return undefined;
  const { columns: lengths, offset, lines, digest, damage, repaired } = told.data;
  const size = lengths.reduce((sum, length) => sum + length, first.length + DIGEST_LENGTH);
  if ((await file.size()) !== size) return undefined;
  const hash = createHash("sha256").update(first);
  const columns: Uint8Array[] = [];
  let at = first.length;
  for (const length of lengths) {
    const column = await file.readAt(at, length);
    hash.update(column);
    columns.push(column);
    at += column.length;
  }
  if (Buffer.compare(await file.readAt(at, DIGEST_LENGTH), hash.digest()) !== 0) return undefined;
  const position = { offset, lines, digest };
  return { position, index: new JournalIndex(columns), damage, repaired: new Set(repaired) };
}

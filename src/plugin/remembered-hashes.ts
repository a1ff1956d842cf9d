import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Hex } from "viem";
import { z } from "zod";

import { readTextFile } from "../base/files.js";

/** Classes below this size are hashed within a moment. */
const LEAST_CHARACTERS = 500_000;
/** Hashes that are kept, the latest ones. */
const MOST_HASHES = 64;
const MOST_BYTES = 64 * 1024;

const pairs = z.record(z.string().regex(/^[0-9a-f]{64}$/), z.string().regex(/^0x(?!0)[0-9a-f]{1,64}$/));

/**
 * The program hash of the class that `text` holds. That of a large class takes seconds: it is kept in Hardhat's cache, by
 * the SHA-256 of the text. A cache that cannot be read is empty, one that cannot be written stays as it is.
 *
 * @param cache folder of the project's cache
 */
export async function rememberedHash(cache: string, text: string, compute: () => Hex): Promise<Hex> {
  if (text.length < LEAST_CHARACTERS) return compute();
  const path = join(cache, "hdp", "program-hashes.json");
  const key = createHash("sha256").update(text).digest("hex");
  const known = await read(path);
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const hash = compute();
  // Another process may have written meanwhile.
  const latest = [...(await read(path)), [key, hash] as const].slice(-MOST_HASHES);
  await write(path, JSON.stringify(Object.fromEntries(latest)));
  return hash;
}

async function read(path: string): Promise<ReadonlyMap<string, Hex>> {
  try {
    const parsed = pairs.parse(JSON.parse(await readTextFile(path, MOST_BYTES)));
    return new Map(Object.entries(parsed).map(([key, hash]) => [key, `0x${hash.slice(2)}`]));
  } catch {
    return new Map();
  }
}

/** In one step: who reads meanwhile sees the old file or the new one. */
async function write(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, path);
  } catch {
    // The hash is computed again the next time.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

import { existsSync, type Stats } from "node:fs";
import { constants, open, stat, type FileHandle } from "node:fs/promises";

import { grouped } from "./text.js";

/**
 * A file that comes with this package, by its path in it, wherever the code that asks has been put.
 *
 * @example shipped("contracts/starknet/artifacts/class-hashes.json")
 */
export function shipped(path: string): URL {
  return new URL(path, packageFolder());
}

function packageFolder(): URL {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    if (existsSync(new URL("package.json", folder))) return folder;
    if (folder.pathname === "/") throw new Error(`There is no package round ${import.meta.url}.`);
  }
}

/** A file or stream that is not read for what it is, in words that fit into brackets. */
export class UnreadableError extends Error {}

/** The code of an operating system error, such as `ENOENT`; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why something could not be read, for a message: the system's code where it gave one, otherwise the error's text. */
export function systemErrorWord(error: unknown): string {
  if (error instanceof UnreadableError) return error.message;
  return systemErrorCode(error) ?? String(error);
}

const MIB = 1024 * 1024;
/** Task files and request bodies: far more than any service takes. */
export const MOST_BYTES = 16 * MIB;
/** Compiled classes with their debug information, and files of state. */
export const MOST_CLASS_BYTES = 64 * MIB;
/** Recorded chains: about what a text can hold. */
export const MOST_FIXTURE_BYTES = 500 * MIB;

const PIECE = 64 * 1024;

/** Values of a JSON text, far more than any request has: 100,000 inputs of modules are 200,000 of them. */
const MOST_VALUES = 500_000;

/**
 * Reading JSON takes time and memory by its values, not by its length: they are told by their commas.
 *
 * @throws UnreadableError
 */
export function requireFewValues(text: string): void {
  let commas = 0;
  for (let at = text.indexOf(","); at !== -1; at = text.indexOf(",", at + 1)) {
    commas += 1;
    if (commas >= MOST_VALUES) throw new UnreadableError(`it has more than ${grouped(MOST_VALUES)} values`);
  }
}

/**
 * The text of a file that a person has named. What is no file, or too long, is refused before it is read: a named pipe
 * would be waited for, and a device may never end.
 *
 * @throws UnreadableError for what is refused, otherwise the system's own error
 */
export async function readTextFile(path: string, most = MOST_BYTES): Promise<string> {
  const file = await openFile(path, most);
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE);
      if (bytesRead === 0) return Buffer.concat(pieces).toString("utf8");
      bytes += bytesRead;
      // Files of /proc say that they are empty, and others may grow meanwhile.
      if (bytes > most) throw tooLong(undefined, most);
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** @throws as {@link readTextFile} */
export async function requireFile(path: string, most: number): Promise<void> {
  await (await openFile(path, most)).close();
}

/** The text of a stream. @throws UnreadableError for one that is too long */
export async function readTextStream(stream: AsyncIterable<unknown>, most = MOST_BYTES): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const buffer = piece instanceof Uint8Array ? Buffer.from(piece) : Buffer.from(String(piece));
    bytes += buffer.length;
    if (bytes > most) throw tooLong(undefined, most);
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

async function openFile(path: string, most: number): Promise<FileHandle> {
  check(await stat(path), most);
  // What was put in its place since then is not waited for either.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(await file.stat(), most);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function check(entry: Stats, most: number): void {
  if (!entry.isFile()) throw new UnreadableError(`it is ${kindOf(entry)}, not a file`);
  if (entry.size > most) throw tooLong(entry.size, most);
}

function kindOf(entry: Stats): string {
  if (entry.isDirectory()) return "a directory";
  if (entry.isFIFO()) return "a named pipe";
  if (entry.isSocket()) return "a socket";
  return "a device";
}

function tooLong(bytes: number | undefined, most: number): UnreadableError {
  const has = bytes === undefined ? "it is longer" : `it has ${grouped(bytes)} bytes, more`;
  return new UnreadableError(`${has} than the ${most / MIB} MiB that are read`);
}

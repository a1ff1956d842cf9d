import { existsSync, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

import { type ErrorContext, hdpError } from "../errors/hdp-error.js";
import { grouped } from "./text.js";

/** Returns the URL of a file of this package by its path, from the sources and from bundled chunks alike. */
export function shipped(path: string): URL {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    if (existsSync(new URL("package.json", folder))) return new URL(path, folder);
    if (folder.pathname === "/")
      throw new Error(`No folder above ${import.meta.url} has a package.json.`);
  }
}

/** Returns whether modules in the folder can resolve a package. */
export function hasPackage(name: string, folder: string): boolean {
  const above = createRequire(join(folder, "package.json")).resolve.paths(name) ?? [];
  return above.some((modules) => existsSync(join(modules, name)));
}

/** Returns the path of a file named in a command: relative to the working directory, otherwise to the project. */
export function namedPath(path: string, projectRoot: string): string {
  const here = resolve(path);
  return existsSync(here) ? here : resolve(projectRoot, path);
}

/** A file or stream that is refused. The message is a clause, as in "it is a directory, not a file". */
export class UnreadableError extends Error {}

/** Returns the code of an operating system error, such as `ENOENT`; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/** Returns why a read failed: the system's error code if there is one, otherwise the error's text. */
export function systemErrorWord(error: unknown): string {
  if (error instanceof UnreadableError) return error.message;
  return systemErrorCode(error) ?? String(error);
}

const MIB = 1024 * 1024;
/** Maximum bytes of task files and request bodies: far more than any service takes. */
const MAX_BYTES = 16 * MIB;
/** Maximum bytes of compiled classes with their debug information, and of files of state. */
export const MAX_CLASS_BYTES = 64 * MIB;
/** Maximum bytes of recorded chains: the proofs of some 5,000 samples. */
export const MAX_FIXTURE_BYTES = 56 * MIB;

/** Returns the text of a file; refuses pipes, devices and long files unread. @throws UnreadableError or the system's */
export async function readTextFile(path: string, maxBytes = MAX_BYTES): Promise<string> {
  const file = await openFile(path, maxBytes);
  try {
    // Files in /proc report a size of 0, and other files may grow while they are read.
    return await readTextStream(file.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await file.close();
  }
}

/** Returns the text of a file that a user named; `what` is its content, for the error. @throws HdpError HDP-6001 */
export async function readNamedFile(
  what: string,
  path: string,
  { maxBytes, ...context }: ErrorContext & { readonly maxBytes?: number } = {},
): Promise<string> {
  return await readTextFile(path, maxBytes).catch((cause: unknown) => {
    throw hdpError(
      "HDP-6001",
      { what, reason: systemErrorWord(cause), path },
      { ...context, cause },
    );
  });
}

/** Throws unless a file can be read and has at most `maxBytes`. Reads nothing of it. @throws as {@link readTextFile} */
export async function requireFile(path: string, maxBytes: number): Promise<void> {
  await (await openFile(path, maxBytes)).close();
}

/** Returns the text of a stream. @throws UnreadableError where it is too long */
export async function readTextStream(
  stream: AsyncIterable<unknown>,
  maxBytes = MAX_BYTES,
): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const buffer = piece instanceof Uint8Array ? Buffer.from(piece) : Buffer.from(String(piece));
    bytes += buffer.length;
    if (bytes > maxBytes) throw tooLong(undefined, maxBytes);
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

async function openFile(path: string, maxBytes: number): Promise<FileHandle> {
  const entry = await stat(path);
  if (!entry.isFile()) throw new UnreadableError(`it is ${describeEntry(entry)}, not a file`);
  if (entry.size > maxBytes) throw tooLong(entry.size, maxBytes);
  return await open(path);
}

function describeEntry(entry: Stats): string {
  if (entry.isDirectory()) return "a directory";
  if (entry.isFIFO()) return "a named pipe";
  if (entry.isSocket()) return "a socket";
  return "a device";
}

function tooLong(bytes: number | undefined, maxBytes: number): UnreadableError {
  const has = bytes === undefined ? "it is longer" : `it has ${grouped(bytes)} bytes, more`;
  return new UnreadableError(`${has} than the ${maxBytes / MIB} MiB that are read`);
}

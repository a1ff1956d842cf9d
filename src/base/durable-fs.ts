import { constants } from "node:fs";
import { link, mkdir, open, readFile, rename, rm, writeFile, type FileHandle } from "node:fs/promises";

import { systemErrorCode } from "./files.js";

/** An open file at whose end lines are written. */
export interface AppendHandle {
  /** What follows the file's last line feed: nothing unless a writer died in the middle of a line. */
  unfinished(): Promise<Uint8Array>;
  /** One write at the file's end, wherever other processes moved it to. Returns how many bytes were taken. */
  write(bytes: Uint8Array): Promise<number>;
  /** Takes bytes off the file's end. Only for who holds the file alone: another process's write would be cut too. */
  cut(bytes: number): Promise<void>;
  /** Returns when the file's content is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file that is read piece by piece: it may be longer than the longest text. */
export interface ReadHandle {
  size(): Promise<number>;
  /** The bytes from a position on, at most `length`; fewer at the file's end. `into` may be used for them. */
  readAt(position: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** What locks and logs need of a file system: small, so that a test can end a process between any two of its calls. */
export interface DurableFs {
  makeDirectory(path: string): Promise<void>;
  /** Returns when the directory's list of names is on the disk. */
  syncDirectory(path: string): Promise<void>;
  /** Opens for appending, creating the file where there is none; `mode` is for a new one. */
  openAppend(path: string, mode: number): Promise<AppendHandle>;
  /** Undefined when there is no such file. */
  openRead(path: string): Promise<ReadHandle | undefined>;
  /** A short file's text, or undefined when there is none. */
  read(path: string): Promise<string | undefined>;
  /**
   * Creates a file with its whole content at once, or returns false when there is one already.
   * `token` is unique to the call and may name a draft beside it.
   */
  createExclusive(path: string, text: string, token: string): Promise<boolean>;
  /** Gives a file another's name in one step, in place of that one. */
  replace(path: string, by: string): Promise<void>;
  /** Removes a file; no error when there is none. */
  remove(path: string): Promise<void>;
}

const LINE_FEED = 10;

async function readPiece(
  file: FileHandle,
  position: number,
  length: number,
  into: Uint8Array = new Uint8Array(length),
): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(into, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function unfinishedLine(file: FileHandle): Promise<Uint8Array> {
  const { size } = await file.stat();
  // Almost always the last byte is the line feed.
  for (let length = 1; length < size; length = Math.min(length * 4096, size)) {
    const tail = await readPiece(file, size - length, length);
    const at = tail.lastIndexOf(LINE_FEED);
    if (at !== -1) return tail.subarray(at + 1);
  }
  const whole = await readPiece(file, 0, size);
  return whole.subarray(whole.lastIndexOf(LINE_FEED) + 1);
}

async function openAppend(path: string, mode: number): Promise<AppendHandle> {
  const file = await open(path, constants.O_APPEND | constants.O_RDWR | constants.O_CREAT, mode);
  return {
    unfinished: async () => await unfinishedLine(file),
    write: async (bytes) => (await file.write(bytes)).bytesWritten,
    cut: async (bytes) => {
      await file.truncate((await file.stat()).size - bytes);
    },
    sync: async () => {
      await file.sync();
    },
    close: async () => {
      await file.close();
    },
  };
}

function orNoFile(error: unknown): undefined {
  if (systemErrorCode(error) === "ENOENT") return undefined;
  throw error;
}

async function openRead(path: string): Promise<ReadHandle | undefined> {
  const file = await open(path, "r").catch(orNoFile);
  if (file === undefined) return undefined;
  return {
    size: async () => (await file.stat()).size,
    readAt: async (position, length, into) => await readPiece(file, position, length, into),
    close: async () => {
      await file.close();
    },
  };
}

/** What file systems without hard links answer: FAT, some network and container mounts. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Creates a file that only one process can have made, with its content; `warn` is told once where links are missing. */
export function exclusiveCreator(
  makeLink: (existing: string, path: string) => Promise<void>,
  warn: (sentence: string) => void,
): DurableFs["createExclusive"] {
  let isTold = false;
  return async (path, text, token) => {
    // A link appears with its content in one step: nobody can read a file that is created but not yet written.
    const draft = `${path}.${token}.tmp`;
    await writeFile(draft, text, { flag: "wx" });
    try {
      await makeLink(draft, path);
      return true;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "EEXIST") return false;
      if (!NO_LINKS.has(code)) throw error;
      if (!isTold) warn(withoutLinks(path, code ?? ""));
      isTold = true;
    } finally {
      await rm(draft, { force: true });
    }
    return await createInPlace(path, text);
  };
}

function withoutLinks(path: string, code: string): string {
  return `hardhat-hdp: the file system of ${path} has no hard links (${code}). Locks are made without them: keep the folder on another file system where several machines share it.`;
}

/** Without hard links the name comes first and the content right after it: readers wait for a file that is empty. */
async function createInPlace(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The real file system. */
export const nodeFs: DurableFs = {
  makeDirectory: async (path) => {
    await mkdir(path, { recursive: true });
  },
  syncDirectory: async (path) => {
    // Windows cannot open a directory; its file systems keep names without being asked.
    if (process.platform === "win32") return;
    const directory = await open(path, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
  openAppend,
  openRead,
  read: async (path) => await readFile(path, "utf8").catch(orNoFile),
  createExclusive: exclusiveCreator(link, (sentence) => {
    process.emitWarning(sentence);
  }),
  replace: async (path, by) => {
    await rename(by, path);
  },
  remove: async (path) => {
    await rm(path, { force: true });
  },
};

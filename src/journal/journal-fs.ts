import { constants } from "node:fs";
import { link, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";

/** An open file at whose end lines are written. */
export interface AppendHandle {
  /** The file's last byte, or undefined when the file is empty. */
  lastByte(): Promise<number | undefined>;
  /** One write at the file's end, wherever other processes moved it to. Returns how many bytes were taken. */
  write(bytes: Uint8Array): Promise<number>;
  /** Returns when the file's content is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The journal's view of a file system: small, so that a test can end a process between any two of its calls. */
export interface JournalFs {
  makeDirectory(path: string): Promise<void>;
  /** Returns when the directory's list of names is on the disk. */
  syncDirectory(path: string): Promise<void>;
  /** Opens for appending, creating the file where there is none. */
  openAppend(path: string): Promise<AppendHandle>;
  /** The file's text, or undefined when there is none. */
  read(path: string): Promise<string | undefined>;
  /**
   * Creates a file with its whole content at once, or returns false when there is one already.
   * `token` is unique to the call and may name a draft beside it.
   */
  createExclusive(path: string, text: string, token: string): Promise<boolean>;
  /** Removes a file; no error when there is none. */
  remove(path: string): Promise<void>;
}

/** The code of an operating system error, such as `ENOENT`. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

async function openForAppend(path: string): Promise<AppendHandle> {
  const file = await open(path, constants.O_APPEND | constants.O_RDWR | constants.O_CREAT, 0o644);
  return {
    lastByte: async () => {
      const { size } = await file.stat();
      if (size === 0) return undefined;
      const { buffer } = await file.read(new Uint8Array(1), 0, 1, size - 1);
      return buffer[0];
    },
    write: async (bytes) => (await file.write(bytes)).bytesWritten,
    sync: async () => {
      await file.sync();
    },
    close: async () => {
      await file.close();
    },
  };
}

/** The real file system. */
export const nodeJournalFs: JournalFs = {
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
  openAppend: openForAppend,
  read: async (path) =>
    await readFile(path, "utf8").catch((error: unknown) => {
      if (systemErrorCode(error) === "ENOENT") return undefined;
      throw error;
    }),
  createExclusive: async (path, text, token) => {
    // A link appears with its content in one step: nobody can read a file that is created but not yet written.
    const draft = `${path}.${token}.tmp`;
    await writeFile(draft, text, { flag: "wx" });
    try {
      await link(draft, path);
      return true;
    } catch (error) {
      if (systemErrorCode(error) === "EEXIST") return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  },
  remove: async (path) => {
    await rm(path, { force: true });
  },
};

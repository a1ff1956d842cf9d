import { dirname } from "node:path";

import type { DurableFs } from "../../src/base/durable-fs.js";

/** The end of a simulated process. */
export class Crash extends Error {}

/** One simulated process: it ends at its `crashAt`-th step, and everything it does afterwards fails. */
export class Lifetime {
  public steps = 0;
  readonly #crashAt: number;

  public constructor(crashAt = Number.POSITIVE_INFINITY) {
    this.#crashAt = crashAt;
  }

  public get isDead(): boolean {
    return this.steps > this.#crashAt;
  }

  /** A point at which the process may end. */
  public step(): void {
    if (!this.isDead) this.steps += 1;
    if (this.isDead) throw new Crash("the process ended");
  }
}

interface StoredFile {
  bytes: Buffer;
  /** How many of the bytes survive a loss of power. */
  synced: number;
  nameSynced: boolean;
  /** What the name stood for before, until its change is synced. */
  previous?: StoredFile | undefined;
}

/** A disk on which written and durable are different things. */
export class MemoryDisk {
  public readonly files = new Map<string, StoredFile>();

  public text(path: string): string {
    return this.files.get(path)?.bytes.toString() ?? "";
  }

  /** What would be left of a file if the power failed now. */
  public durableText(path: string): string {
    const file = this.files.get(path);
    return file?.nameSynced === true ? file.bytes.subarray(0, file.synced).toString() : "";
  }

  /** Keeps what was synced, and `kept` (0 to 1) of what was not. */
  public losePower(kept: number): void {
    for (const [path, { previous }] of this.files) if (previous !== undefined) this.files.set(path, previous);
    for (const [path, file] of this.files) {
      if (!file.nameSynced) this.files.delete(path);
      const unsynced = file.bytes.length - file.synced;
      file.bytes = file.bytes.subarray(0, file.synced + Math.floor(unsynced * kept));
      file.synced = file.bytes.length;
    }
  }
}

/** A process's view of the disk: it may end before, in the middle of and after each operation. */
export function memoryFs(disk: MemoryDisk, life = new Lifetime(), tornAt = 0.5): DurableFs {
  const during = async <T>(action: () => T): Promise<T> => {
    await Promise.resolve();
    life.step();
    const value = action();
    life.step();
    return value;
  };
  const fileAt = (path: string): StoredFile => {
    const file = disk.files.get(path) ?? { bytes: Buffer.alloc(0), synced: 0, nameSynced: false };
    disk.files.set(path, file);
    return file;
  };
  return {
    makeDirectory: async () => {
      await during(() => undefined);
    },
    syncDirectory: async (directory) => {
      await during(() => {
        for (const [path, file] of disk.files) {
          if (dirname(path) === directory) Object.assign(file, { nameSynced: true, previous: undefined });
        }
      });
    },
    openAppend: async (path) =>
      await during(() => {
        const file = fileAt(path);
        return {
          unfinished: async () => await during(() => file.bytes.subarray(file.bytes.lastIndexOf(10) + 1)),
          cut: async (bytes: number) => {
            await during(() => {
              file.bytes = file.bytes.subarray(0, file.bytes.length - bytes);
            });
          },
          write: async (bytes: Uint8Array) =>
            await during(() => {
              const before = file.bytes;
              file.bytes = Buffer.concat([before, bytes.subarray(0, Math.floor(bytes.length * tornAt))]);
              life.step();
              file.bytes = Buffer.concat([before, bytes]);
              return bytes.length;
            }),
          sync: async () => {
            await during(() => {
              file.synced = file.bytes.length;
            });
          },
          close: async () => {
            await Promise.resolve();
          },
        };
      }),
    openRead: async (path) =>
      await during(() => {
        const file = disk.files.get(path);
        if (file === undefined) return undefined;
        return {
          size: async () => await during(() => file.bytes.length),
          readAt: async (position: number, length: number) =>
            await during(() => file.bytes.subarray(position, position + length)),
          close: async () => {
            await Promise.resolve();
          },
        };
      }),
    read: async (path) => await during(() => disk.files.get(path)?.bytes.toString()),
    createExclusive: async (path, text) =>
      await during(() => {
        if (disk.files.has(path)) return false;
        fileAt(path).bytes = Buffer.from(text);
        return true;
      }),
    replace: async (path, by) => {
      await during(() => {
        const previous = disk.files.get(path);
        disk.files.set(path, { ...fileAt(by), nameSynced: previous?.nameSynced ?? false, previous });
        disk.files.delete(by);
      });
    },
    remove: async (path) => {
      await during(() => disk.files.delete(path));
    },
  };
}

import type { Hex } from "viem";

import { dropOldest, isRecord } from "../base/collections.js";
import { Turns } from "../base/turns.js";
import { type ServerDatabase, textIn } from "./database.js";
import { parseUploadedClass } from "./uploaded-class.js";
import type { StoredProgram } from "./route.js";

/** Compiled classes by program hash. */
export class ProgramStore {
  readonly #database: ServerDatabase;
  readonly #parsed = new Map<string, WeakRef<object>>();
  readonly #bytes = new Map<string, WeakRef<Buffer>>();

  public constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Resolves once a class is on disk. @throws HdpError of area 7xxx if the text is not a compiled class */
  public async add(text: string): Promise<StoredProgram> {
    const program = await parseUploadedClass(text, new Turns());
    await this.#database.write(() => this.put(program));
    return program;
  }

  /** Stores a class unless it is already stored. Call it inside `write` of the database. */
  public put({ hash, text, layout, version }: StoredProgram): void {
    this.#database.run(
      "INSERT INTO program (hash, text, layout, version) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      hash,
      text,
      layout,
      version,
    );
    this.#database.forget("program", text.length);
  }

  /** Returns the JSON of a program: shared by many tasks that begin with a large class, so it must not be changed. */
  public json(hash: string): unknown {
    const parsed = this.#parsed.get(hash)?.deref();
    const stored = parsed === undefined ? this.get(hash) : undefined;
    if (stored === undefined) return parsed;
    const json: unknown = JSON.parse(stored.text);
    if (isRecord(json)) this.#parsed.set(hash, new WeakRef(json));
    dropOldest(this.#parsed, 100);
    return json;
  }

  /** Returns the body of a reply with a program: replies that wait for their clients at the same time share it. */
  public bytes({ hash, text }: StoredProgram): Buffer {
    const bytes = this.#bytes.get(hash)?.deref() ?? Buffer.from(text);
    this.#bytes.set(hash, new WeakRef(bytes));
    dropOldest(this.#bytes, 100);
    return bytes;
  }

  /** Returns whether a program is stored, without reading its text. */
  public has(hash: string): boolean {
    return (
      this.#database.get("SELECT 1 FROM program WHERE hash = ?", canonicalHash(hash)) !== undefined
    );
  }

  /** Returns the program of a hash, in any letter case and with or without leading zeros. */
  public get(hash: string): StoredProgram | undefined {
    const canonical = canonicalHash(hash);
    const row = this.#database.get(
      "SELECT text, layout, version FROM program WHERE hash = ?",
      canonical,
    );
    if (row === undefined) return undefined;
    const [text, layout] = [textIn(row, "text"), textIn(row, "layout")];
    return { hash: canonical, text, layout, version: Number(row["version"]) };
  }
}

/** Returns the stored form of a hash; no program has one that is not a felt. */
export function canonicalHash(hash: string): Hex {
  return /^0x[0-9a-fA-F]{1,64}$/.test(hash) ? `0x${BigInt(hash).toString(16)}` : "0x";
}

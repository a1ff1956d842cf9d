import { createHash } from "node:crypto";

import { inWords } from "../errors/hdp-error.js";
import { type ServerDatabase, textIn } from "./database.js";
import { HttpRefusal } from "./refusals.js";
import { type Decided, type Headers, type Reply, textReply } from "./route.js";

/** An `Idempotency-Key` with a digest of the request that it was sent with. */
export interface Idempotency {
  readonly key: string;
  readonly digest: string;
}

const MAX_KEY_LENGTH = 255;

/** Returns the request's `Idempotency-Key`, if it has one, with a digest of `content`. @throws HttpRefusal HDP-4526 (400) */
export function readIdempotency(
  headers: Headers,
  pathname: string,
  content: readonly (string | Uint8Array)[],
): Idempotency | undefined {
  const key = headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return undefined;
  if (key.length > MAX_KEY_LENGTH) {
    const fault = `has ${key.length} characters, more than ${MAX_KEY_LENGTH}`;
    throw new HttpRefusal(inWords("HDP-4526", { key: JSON.stringify(key.slice(0, 20)), fault }));
  }
  const hash = createHash("sha256").update(`${pathname}\n`);
  for (const part of content) hash.update(part);
  return { key, digest: hash.digest("hex") };
}

/** Commits a reply's writes before it is sent. Answers a repeated `Idempotency-Key` (IETF draft) by the first reply. */
export class Acceptance {
  readonly #database: ServerDatabase;
  readonly #pending = new Map<
    string,
    { readonly digest: string; readonly reply: Promise<Reply> }
  >();

  public constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Returns the reply of `handle` once its writes are on disk, or the kept reply to a request with the same key.
   * @throws HttpRefusal HDP-4526 (422) if the key was used with another request; any error of `handle`
   */
  public async accept(
    given: Idempotency | undefined,
    handle: () => Promise<Decided>,
  ): Promise<Reply> {
    if (given === undefined) return await this.#written(handle, given);
    const known = this.#pending.get(given.key) ?? this.#stored(given.key);
    if (known !== undefined) {
      if (known.digest !== given.digest) {
        const values = {
          key: JSON.stringify(given.key),
          fault: "was sent before with another request",
        };
        throw new HttpRefusal(inWords("HDP-4526", values), { status: 422 });
      }
      return { ...(await known.reply), cut: undefined };
    }
    const reply = this.#written(handle, given);
    this.#pending.set(given.key, { digest: given.digest, reply });
    try {
      return await reply;
    } finally {
      this.#pending.delete(given.key);
    }
  }

  async #written(handle: () => Promise<Decided>, given: Idempotency | undefined): Promise<Reply> {
    const decided = await handle();
    const reply = typeof decided === "function" ? decided() : decided;
    const { write, begin, body } = reply;
    if (write === undefined) {
      // The rows read may belong to a transaction that is not committed yet.
      await this.#database.settled();
      return reply;
    }
    await this.#database.write(() => {
      write();
      if (given === undefined || body === undefined) return;
      const { key, digest } = given;
      this.#database.insert("idempotency_key", {
        key,
        digest,
        type: body.type,
        text: body.text.toString(),
      });
      this.#database.forget("idempotency_key", body.text.length);
    });
    begin?.();
    return reply;
  }

  #stored(key: string): { readonly digest: string; readonly reply: Reply } | undefined {
    const row = this.#database.get(
      "SELECT digest, type, text FROM idempotency_key WHERE key = ?",
      key,
    );
    if (row === undefined) return undefined;
    return {
      digest: textIn(row, "digest"),
      reply: textReply(textIn(row, "text"), textIn(row, "type")),
    };
  }
}

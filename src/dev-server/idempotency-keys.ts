import { createHash } from "node:crypto";
import { z } from "zod";

import { dropOldest } from "../base/collections.js";
import type { FrontLog } from "./front-log.js";
import { FrontProblem, type FrontRequest } from "./front-problem.js";
import type { Idempotency } from "./task-record.js";

const MAX_KEY = 255;
/** Uploads whose keys are known; a class that is sent again under an older key is stored already. */
const REMEMBERED = 10_000;

/**
 * The request's `Idempotency-Key`, if it has one.
 *
 * @param content what tells bodies apart, where that is not the body byte for byte
 * @throws FrontProblem 400 for one that is too long.
 */
export function idempotencyOf(
  { headers, params, body }: Pick<FrontRequest, "headers" | "params" | "body">,
  path: string,
  content: string | Uint8Array = body,
): Idempotency | undefined {
  const key = headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return undefined;
  if (key.length > MAX_KEY) {
    throw new FrontProblem({
      code: "HDP-4526",
      status: 400,
      message: `the Idempotency-Key has ${key.length} characters, more than ${MAX_KEY}.`,
      hints: ["Nothing was accepted."],
    });
  }
  const digest = createHash("sha256")
    .update(JSON.stringify([path, params]))
    .update(content)
    .digest("hex");
  return { key, digest };
}

/** What was accepted under a key. */
export interface Keyed<R> {
  readonly digest: string | undefined;
  readonly record: R;
}

type Found<R> = Keyed<R> | undefined | Promise<Keyed<R> | undefined>;

/**
 * Answers the same key with what was accepted the first time, as the draft for the header `Idempotency-Key` has it: also
 * while the first request is still being accepted, and after a restart.
 */
export class IdempotencyKeys<R> {
  readonly #find: (key: string) => Found<R>;
  readonly #pending = new Map<string, { readonly digest: string; readonly record: Promise<R> }>();

  public constructor(find: (key: string) => Found<R>) {
    this.#find = find;
  }

  /**
   * What was accepted under the key; else what `accept` makes of it.
   *
   * @throws FrontProblem HDP-4526 (422) where the key came with another body before.
   */
  public async once<A extends { readonly record: R }>(
    given: Idempotency | undefined,
    accept: () => Promise<A>,
  ): Promise<A | { readonly record: R }> {
    if (given === undefined) return await accept();
    const { key, digest } = given;
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      if (pending.digest !== digest) throw otherBody(key);
      return { record: await pending.record };
    }
    // No waiting where there is none: the next with the key would pass, too.
    const finding = this.#find(key);
    const known = finding instanceof Promise ? await finding : finding;
    if (known !== undefined) {
      if (known.digest !== digest) throw otherBody(key);
      return { record: known.record };
    }
    const accepting = accept();
    const record = accepting.then((acceptance) => acceptance.record);
    // A refusal is thrown to the first who asked, and the key is free again.
    record.catch(() => undefined);
    this.#pending.set(key, { digest, record });
    try {
      return await accepting;
    } finally {
      this.#pending.delete(key);
    }
  }
}

export const uploadEntrySchema = z.object({
  type: z.literal("upload"),
  key: z.string(),
  digest: z.string(),
  programHash: z.string(),
});
export type UploadEntry = z.infer<typeof uploadEntrySchema>;

/** Under which keys which programs were uploaded. */
export class UploadKeys {
  readonly #log: FrontLog;
  readonly #known = new Map<string, Keyed<string>>();

  public constructor(log: FrontLog) {
    this.#log = log;
  }

  public find(key: string): Keyed<string> | undefined {
    return this.#known.get(key);
  }

  /** Remembers a key; a program whose key is lost in a crash is stored all the same. */
  public async keep({ key, digest }: Idempotency, programHash: string): Promise<void> {
    const entry: UploadEntry = { type: "upload", key, digest, programHash };
    await this.#log.append(entry);
    this.replay(entry);
  }

  /** Puts back what a log remembers. */
  public replay({ key, digest, programHash }: UploadEntry): void {
    this.#known.set(key, { digest, record: programHash });
    dropOldest(this.#known, REMEMBERED);
  }
}

function otherBody(key: string): FrontProblem {
  return new FrontProblem({
    code: "HDP-4526",
    status: 422,
    message: `the Idempotency-Key ${JSON.stringify(key)} was sent before with another body.`,
    hints: ["Nothing was accepted. Send another request under another key, or the same one again."],
  });
}

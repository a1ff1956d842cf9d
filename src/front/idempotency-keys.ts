import { createHash } from "node:crypto";

import { FrontProblem, type FrontRequest } from "./front-problem.js";
import type { TaskBook } from "./task-book.js";
import type { Idempotency, TaskRecord } from "./task-record.js";

const MAX_KEY = 255;

/** The request's `Idempotency-Key`, if it has one. @throws FrontProblem 400 for one that is too long. */
export function idempotencyOf({ headers, params, body }: FrontRequest, path: string): Idempotency | undefined {
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
    .update(body)
    .digest("hex");
  return { key, digest };
}

/**
 * Answers the same key with the task of the first time, as the draft for the header `Idempotency-Key` has it: also
 * while the first request is still being accepted, and after a restart.
 */
export class IdempotencyKeys {
  readonly #tasks: TaskBook;
  readonly #pending = new Map<string, { readonly digest: string; readonly record: Promise<TaskRecord> }>();

  public constructor(tasks: TaskBook) {
    this.#tasks = tasks;
  }

  /**
   * The task that was accepted under the key; else what `accept` makes of it.
   *
   * @throws FrontProblem HDP-4526 (422) where the key came with another body before.
   */
  public async once<A extends { readonly record: TaskRecord }>(
    given: Idempotency | undefined,
    accept: () => Promise<A>,
  ): Promise<A | { readonly record: TaskRecord }> {
    if (given === undefined) return await accept();
    const { key, digest } = given;
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      if (pending.digest !== digest) throw otherBody(key);
      return { record: await pending.record };
    }
    // No waiting where there is none: the next with the key would pass, too.
    const finding = this.#tasks.index.findByKey(key);
    const known = finding && (await finding);
    if (known !== undefined) {
      if (known.accepted.idempotency?.digest !== digest) throw otherBody(key);
      return { record: known };
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

function otherBody(key: string): FrontProblem {
  return new FrontProblem({
    code: "HDP-4526",
    status: 422,
    message: `the Idempotency-Key ${JSON.stringify(key)} was sent before with another body.`,
    hints: ["Nothing was accepted. Send another request under another key, or the same one again."],
  });
}

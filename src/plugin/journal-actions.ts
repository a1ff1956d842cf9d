import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import type { JournalActions } from "./action-types.js";
import { atTheEdge } from "./plugin-error.js";

/** `hdp.journal`. Loads the journal at the first call. */
export class LazyJournalActions implements JournalActions {
  readonly #context: HookContext;
  readonly #connection: () => Promise<NetworkConnection<string>>;

  public constructor(context: HookContext, connection: () => Promise<NetworkConnection<string>>) {
    this.#context = context;
    this.#connection = connection;
  }

  public readonly list: JournalActions["list"] = async () =>
    await atTheEdge(async () => {
      const { listSubmissions } = await import("./resume-submission.js");
      return await listSubmissions(await this.#connection());
    });

  public readonly resume: JournalActions["resume"] = async (id, options = {}) =>
    await atTheEdge(async () => {
      const { resumeSubmission } = await import("./resume-submission.js");
      return await resumeSubmission(this.#context, await this.#connection(), id, options);
    });
}

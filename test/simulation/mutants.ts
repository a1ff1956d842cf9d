/** A text of a file of the source, and what takes its place. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** A defect planted into the source. */
export interface Mutant extends Edit {
  /** What the source does wrong with it. */
  readonly does: string;
  /** What else would hold it up. */
  readonly also?: readonly Edit[];
}

const pipeline = "src/submission/pipeline.ts";
const plan = "src/submission/plan.ts";
const settle = "src/submission/settle.ts";
const store = "src/submission/submission-store.ts";
const remoteSubmissions = "src/submission/remote-submissions.ts";
const serverDatabase = "src/dev-server/database.ts";
const client = "src/service/http/http-client.ts";
const polling = "src/base/polling.ts";
const transport = "src/service/http/transport.ts";

/** Defects that were made, or could be: the simulation has to notice every one. */
export const MUTANTS: readonly Mutant[] = [
  {
    does: "leaves no mark before it sends",
    file: pipeline,
    find: `store.move(id, ["claimed"], "sending", { sender: self })`,
    put: `store.byId(id) !== undefined`,
  },
  {
    does: "sends although another process took its claim over",
    file: pipeline,
    find: `if (!withNothingSent(() => store.move(id, ["claimed"], "sending", { sender: self })))\n        continue;`,
    put: `if (!store.move(id, ["claimed"], "sending", { sender: self })) void store.move(id, ["refused", "lost"], "sending", { sender: self });`,
  },
  {
    does: "sends although the rehearsal failed",
    file: remoteSubmissions,
    find: `const rehearsals = await this.rehearse(request, options, destination);`,
    put: `const rehearsals = await this.rehearse(request, options, destination).catch(() => []);`,
  },
  {
    does: "marks only after sending",
    file: pipeline,
    find: `const { answer, serviceId, serviceHashes, processor, isDone } = await send()
      .finally(() => void answered.add(id))
      .catch((error: unknown) => {`,
    put: `this.#options.store.move(id, ["sending"], "claimed");
    const { answer, serviceId, serviceHashes, processor, isDone } = await send()
      .finally(() => void answered.add(id))
      .catch((error: unknown) => {
      this.#options.store.move(id, ["claimed"], "sending");`,
  },
  {
    does: "takes an unknown outcome for a refusal",
    file: pipeline,
    find: `const outcome = this.#options.outcomeOf(error);`,
    put: `const outcome = "refused" as ReturnType<PipelineOptions["outcomeOf"]>;`,
  },
  {
    does: "waits for nobody who is sending the same",
    file: plan,
    find: `kind: isBeingSent(undecided) ? "wait" : "undecided"`,
    put: `kind: isBeingSent(undecided) ? "send" : "undecided"`,
  },
  {
    does: "sends what nobody knows to be accepted",
    file: plan,
    find: `kind: isBeingSent(undecided) ? "wait" : "undecided"`,
    put: `kind: isBeingSent(undecided) ? "wait" : "send"`,
  },
  {
    does: "never asks whether the service has lost what it accepted",
    file: pipeline,
    find: `if (isLost) gone.add(id);`,
    put: ``,
  },
  {
    does: "takes a service that fails for one that has lost what it accepted",
    file: pipeline,
    find: `(error: unknown) => isServiceFailure(error, "not-found"),`,
    put: `() => true,`,
  },
  {
    does: "sends again what another process has sent again, as the service had lost it",
    file: plan,
    find: `if (gone?.has(record.id) === true) return true;`,
    put: `if (gone !== undefined && gone.size > 0) return true;`,
  },
  {
    does: "sends what was accepted before",
    file: plan,
    find: `if (live !== undefined)\n    return`,
    put: `if (live?.state === "finalized")\n    return`,
  },
  {
    does: "sends what is open where no index prevents it",
    file: plan,
    find: `if (live !== undefined)\n    return`,
    put: `if (live?.state === "finalized")\n    return`,
    also: [
      { file: plan, find: `const other = known.findLast(`, put: `const other = [].findLast(` },
      {
        file: "src/submission/schema.ts",
        find: `CREATE UNIQUE INDEX part_live`,
        put: `CREATE INDEX part_live`,
      },
    ],
  },
  {
    does: "believes what was read of the store before the lock",
    file: plan,
    find: `const parts = before.find(({ id }) => id === record.id)?.parts ?? [];`,
    put: `const parts = before.length === 0 ? [] : record.parts;`,
  },
  {
    does: "takes a result for gone on a live chain",
    file: remoteSubmissions,
    find: `startsAnew ? store.withHashes(taskHashes) : []`,
    put: `store.withHashes(taskHashes)`,
  },
  {
    does: "gives up what became accepted meanwhile",
    file: settle,
    find: `return ["claimed", "sending", "unknown"];`,
    put: `return ["claimed", "sending", "unknown", "accepted"];`,
  },
  {
    does: "does not wait for the answer before giving up",
    file: settle,
    find: `const isEarly = isAnswered && as !== "accepted";`,
    put: `const isEarly = false;`,
  },
  {
    does: "takes it for a refusal that the registry does not know the program",
    file: settle,
    find: `if (isHdpError(error, "HDP-2041"))\n      throw`,
    put: `if (isHdpError(error, "HDP-2041")) store.move(record.id, ["sending", "unknown"], "refused");
    if (isHdpError(error, "HDP-2041")) throw`,
  },
  {
    does: "loses the service's id",
    file: store,
    find: "service_id = coalesce(?, service_id)",
    put: "service_id = coalesce(service_id, substr(?, 1, 5))",
  },
  {
    does: "loses the service's hashes",
    file: pipeline,
    find: `const change = { serviceId, serviceHashes, processor };`,
    put: `const change = { serviceId, processor };`,
  },
  {
    does: "never asks for the service's hash after an answer was lost",
    file: remoteSubmissions,
    find: `await this.#askServiceHash(record, options);`,
    put: `void 0;`,
  },
  {
    does: "waits by the wall clock",
    file: polling,
    find: `const end = clock.monotonic() + timeout;`,
    put: `const end = clock.now() + timeout; clock.monotonic = () => clock.now();`,
  },
  {
    does: "waits for results without end",
    file: polling,
    find: `if (now >= lastPoll || now + asked > lastPoll) throw timedOut(ending(), trouble?.failure);`,
    put: ``,
    also: [
      {
        file: polling,
        find: `limitedSignal(end - clock.monotonic(),`,
        put: `limitedSignal(2 ** 40,`,
      },
    ],
  },
  {
    does: "repeats a call that may have been accepted",
    file: client,
    find: `if (parts.once !== undefined && !wasRefused(failure))\n        throw outcomeUnknown(failure, parts.once, context);`,
    put: ``,
  },
  {
    does: "takes 409 for a refusal",
    file: client,
    find: `new Set([400, 401, 403, 404, 413, 415, 422, 429])`,
    put: `new Set([400, 401, 403, 404, 409, 413, 415, 422, 429, 502])`,
  },
  {
    does: "takes a broken connection for one that was not made",
    file: transport,
    find: "/^(ECONNREFUSED|",
    put: "/^(ECONNREFUSED|ECONNRESET|",
  },
  {
    does: "sends no idempotency key",
    file: client,
    find: `"idempotency-key": idempotencyKey,`,
    put: ``,
  },
  {
    does: "lets a call run without a limit",
    file: transport,
    find: `const limit = limitedSignal(wire.timeout, wire.signal, wire.clock);`,
    put: `const limit = limitedSignal(2 ** 40, wire.signal, wire.clock);`,
  },
  {
    does: "says that nothing was sent after it was",
    file: pipeline,
    find: `hdpError("HDP-5007", values, { hints, cause });`,
    put: `hdpError("HDP-5007", values, { hints: [...hints, "Nothing was sent."], cause });`,
  },
  {
    does: "reports success where the database was deleted while it sent",
    file: pipeline,
    find: `store.byId(id) !== undefined) return true;`,
    put: `true) return true;`,
  },
  {
    does: "takes a hash of the service that was finalized before as the task's",
    file: remoteSubmissions,
    find: `if (finalized === undefined) return;`,
    put: `if (finalized === undefined || finalized) return;`,
    also: [
      {
        file: "src/submission/records.ts",
        find: `return this.#options.store.isHashOfOther(hash, taskHash);`,
        put: `return hash === taskHash;`,
      },
    ],
  },
  {
    does: "does not notice that rows were deleted",
    file: store,
    find: `if (typeof incomplete === "string") throw rowsDeleted(incomplete);`,
    put: ``,
  },
  {
    does: "says that nothing was sent, after a request for another task of the submission",
    file: "src/submission/submission-parts.ts",
    find: `"$1 else $2"`,
    put: `"$1 $2"`,
  },
  {
    does: "releases the work of a submission that is being sent",
    file: plan,
    find: `if (force === true || record.state === "claimed") return true;`,
    put: `if (force === true || record.state === "claimed" || record.state === "sending") return true;`,
  },
  {
    does: "waits for the service of a result that is in the store",
    file: remoteSubmissions,
    find: `if (isUnknown && (await this.#reader.hasAll(submission))) return FINALIZED;`,
    put: ``,
  },
  {
    does: "offers no way out where the service has forgotten",
    file: settle,
    find: `return withHint(\n    withHint(error, "The service may have forgotten the submission."),\n    giveUp(record),\n  );`,
    put: `return withHint(error, "The service may be busy.");`,
  },
  {
    does: "answers before what it promises is written",
    file: serverDatabase,
    find: `await group.committed;\n    return result;`,
    put: `return result;`,
  },
  {
    does: "commits a transaction in which a write failed",
    file: serverDatabase,
    find: `if (failure !== undefined) throw failure.error;\n      this.commit();`,
    put: `this.commit();`,
    also: [
      {
        file: serverDatabase,
        find: `if (group.failure !== undefined) throw group.failure.error;`,
        put: ``,
      },
    ],
  },
  {
    does: "shows what is not committed",
    file: "src/dev-server/idempotency.ts",
    find: `await this.#database.settled();`,
    put: ``,
  },
  {
    does: "forgets the keys of requests",
    file: "src/dev-server/idempotency.ts",
    find: `if (given === undefined || body === undefined) return;`,
    put: `if (given === undefined || body !== undefined) return;`,
  },
  {
    does: "remembers a request that failed",
    file: "src/dev-server/idempotency.ts",
    find: `this.#pending.delete(given.key);`,
    put: ``,
  },
  {
    does: "takes the text of the newest upload of a class",
    file: "src/dev-server/program-store.ts",
    find: `VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    put: `VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text`,
  },
  {
    does: "gives a root another id each time",
    file: "src/dev-server/state-tries.ts",
    find: `INSERT INTO trie_root (label, root, id) SELECT ?, ?, coalesce(max(id), 0) + 1 FROM trie_root WHERE label = ? ON CONFLICT DO NOTHING`,
    put: `INSERT OR REPLACE INTO trie_root (label, root, id) SELECT ?, ?, coalesce(max(id), 0) + 1 FROM trie_root WHERE label = ?`,
  },
  {
    does: "sends again what a contract asked for and that failed",
    file: plan,
    find: `if (input.isRequested === true && failed !== undefined) return`,
    put: `if (input.isRequested === false && failed !== undefined) return`,
  },
  {
    does: "retries without taking what failed for being sent",
    file: pipeline,
    find: `if (store.move(id, ["failed"], "sending", { sender: system.processes.self })) return;`,
    put: `if (store.byId(id)?.state === "failed") return;`,
  },
  {
    does: "retries what is open in another submission",
    file: pipeline,
    find: `if (reason !== undefined) throw hdpError("HDP-5021", { id: shownId(record), reason });`,
    put: ``,
  },
  {
    does: "forgets in a retry what was seen of it as failed",
    file: pipeline,
    find: `answer: await send(once),
      serviceId,`,
    put: `answer: await send(once),`,
  },
];

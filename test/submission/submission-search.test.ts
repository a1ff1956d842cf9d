import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect } from "chai";
import fc from "fast-check";
import { pad, toHex } from "viem";

import type { SubmissionState } from "../../src/types.js";
import { keysOf } from "../../src/base/collections.js";
import { isUnfinished, STATES } from "../../src/submission/model.js";
import { searchClause, type SubmissionFilter } from "../../src/submission/submission-search.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";

const NETWORKS = ["sepolia", "mainnet"] as const;
const LABELS = ["tasks/fee.json", "tasks/gas.json", undefined] as const;
const NAMES = keysOf(STATES);

interface Made {
  readonly id: string;
  readonly state: SubmissionState;
  readonly created: number;
  readonly network: string;
  readonly label: string | undefined;
  readonly hash: `0x${string}`;
  readonly kind: "tasks" | "storage-proof";
  readonly read: boolean;
}

const made = fc.record({
  state: fc.constantFrom(...NAMES),
  network: fc.constantFrom(...NETWORKS),
  label: fc.constantFrom(...LABELS),
  hash: fc.integer({ min: 0, max: 3 }).map((at) => pad(toHex(at), { size: 32 })),
  kind: fc.constantFrom("tasks" as const, "storage-proof" as const),
  read: fc.boolean(),
});

function insert(store: SubmissionStore, one: Made): void {
  const { id, kind, network, label, hash } = one;
  const target = { network, processor: "tasks", host: "h", endpoint: "e", label };
  const part = { hash, identity: id, live: false };
  store.insert({ ...target, id, kind, state: one.state, forced: false, parts: [part] });
  if (!one.read) return;
  const state = one.state;
  const word = pad("0x1", { size: 32 });
  store.recordResults(id, [{ taskHash: hash, word, value: 1n, store: `0x${"07".repeat(20)}` }]);
  store.move(id, NAMES, state);
}

/** What a filter means, row by row. */
function selected(
  all: readonly Made[],
  filter: SubmissionFilter,
  store: SubmissionStore,
): string[] {
  const { states, since, taskHashes, network, label, newest, unfinished = false } = filter;
  const found = all.filter(
    (one) =>
      (states?.includes(one.state) ?? true) &&
      (since === undefined || one.created >= since.getTime()) &&
      (taskHashes?.includes(one.hash) ?? true) &&
      (network === undefined || one.network === network) &&
      (label === undefined || one.label?.includes(label) === true),
  );
  const open = unfinished
    ? found.filter(({ id }) => isUnfinished(store.byId(id) ?? expect.fail()))
    : found;
  return (newest === undefined ? open : open.slice(-newest)).map(({ id }) => id);
}

describe("the search of submissions", () => {
  it("selects the rows that each filter means, oldest first, and the newest of them", () => {
    fc.assert(
      fc.property(
        fc.array(made, { maxLength: 12 }),
        fc.record({
          states: fc.option(fc.subarray([...NAMES]), { nil: undefined }),
          since: fc.option(
            fc.integer({ min: 0, max: 12 }).map((at) => new Date(at)),
            { nil: undefined },
          ),
          taskHashes: fc.option(fc.constant([pad(toHex(1), { size: 32 })]), { nil: undefined }),
          network: fc.option(fc.constantFrom(...NETWORKS), { nil: undefined }),
          label: fc.option(fc.constantFrom("fee", "tasks/", "none"), { nil: undefined }),
        }),
        fc.record({
          unfinished: fc.boolean(),
          newest: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
        }),
        (rows, filter, { unfinished, newest }) => {
          let now = 0;
          const store = new SubmissionStore({ now: () => now });
          const all = rows.map((row, created): Made => ({ ...row, created, id: `id-${created}` }));
          for (const one of all) {
            now = one.created;
            insert(store, one);
          }
          for (const whole of [
            { ...filter, newest },
            { ...filter, unfinished },
          ]) {
            const found = store.list(whole).map(({ id }) => id);
            expect(found).to.deep.equal(selected(all, whole, store));
          }
          store.close();
        },
      ),
      { numRuns: 150 },
    );
  });

  it("counts the ids that begin with a text, of this project and of the service", () => {
    const store = new SubmissionStore({ now: () => 0 });
    expect(store.alike("ab")).to.equal(0);
    const row = { state: "sending", network: "n", processor: "tasks", forced: false } as const;
    for (const id of ["ab1", "ab2", "b"])
      store.insert({ ...row, id, kind: "tasks", parts: [{ hash: id, identity: id, live: false }] });
    store.move("b", ["sending"], "accepted", { serviceId: "ab3" });
    expect([
      store.alike("ab"),
      store.alike("ab1"),
      store.alike("b"),
      store.alike("c"),
    ]).to.deep.equal([3, 1, 1, 0]);
    store.close();
  });

  it("searches one index alone, whatever the filter, and reads the rows that it returns by their place", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hdp-search-"));
    const path = join(folder, "submissions.db");
    const store = new SubmissionStore({ path, now: () => 0 });
    store.list();
    store.transaction(() => undefined);
    store.close();
    const database = new DatabaseSync(path);
    const filters: readonly SubmissionFilter[] = [
      {},
      { newest: 50 },
      { states: ["failed"], since: new Date(), newest: 50 },
      { network: "sepolia", label: "fee", newest: 50 },
      { taskHashes: ["0x1"] },
      { unfinished: true },
    ];
    for (const filter of filters) {
      const { sql, values } = searchClause(filter);
      const plan = database
        .prepare(`EXPLAIN QUERY PLAN SELECT * FROM submission ${sql}`)
        .all(...values)
        .map(({ detail }) => String(detail));
      const text = plan.join("\n");
      expect(text).to.match(/(SCAN|SEARCH) submission USING COVERING INDEX submission_list/);
      expect(text).to.match(/SEARCH submission USING INTEGER PRIMARY KEY \(rowid=\?\)/);
      // No table is scanned, and nothing is sorted but what is returned.
      expect(
        plan.filter((step) =>
          /^SCAN (?!submission USING COVERING|wanted|json_each|part USING)/.test(step),
        ),
        text,
      ).to.deep.equal([]);
    }
    database.close();
    await rm(folder, { recursive: true });
  });
});

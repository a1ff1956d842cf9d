import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { ServerDatabase } from "../../src/dev-server/database.js";
import { failure } from "../support/failure.js";

describe("the development server's database", () => {
  let folder: string;
  let database: ServerDatabase;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-server-"));
    database = ServerDatabase.open(folder);
  });
  afterEach(async () => {
    await database.end();
    await rm(folder, { recursive: true });
  });

  const put = async (key: string, text = ""): Promise<number> =>
    await database.write(() =>
      database.run("INSERT INTO idempotency_key (key, text) VALUES (?, ?)", key, text),
    );
  const keys = (): unknown[] =>
    database.all("SELECT key FROM idempotency_key ORDER BY number").map(({ key }) => key);
  /** Leaves room for about so many pages of 4 KiB. */
  const limit = (pages: number): void => {
    const used = Number(database.get("PRAGMA page_count")?.["page_count"]);
    database.get(`PRAGMA max_page_count = ${used + pages}`);
  };

  it("commits the writes of one turn of the event loop together", async () => {
    let commits = 0;
    const commit = database.commit.bind(database);
    database.commit = () => {
      commits += 1;
      commit();
    };
    expect(
      await Promise.all(Array.from({ length: 50 }, async (_, at) => await put(String(at)))),
    ).to.have.length(50);
    expect(commits).to.equal(1);
    await put("later");
    expect([commits, keys().length]).to.deep.equal([2, 51]);
  });

  it("undoes all writes of a transaction where one fails, and goes on with the next", async () => {
    await put("first");
    const writes = [put("second"), put("first"), put("third")].map(
      async (write) => await failure(write),
    );
    for (const words of await Promise.all(writes))
      expect(words).to.contain("UNIQUE constraint failed");
    expect(keys()).to.deep.equal(["first"]);
    await put("fourth");
    expect(keys()).to.deep.equal(["first", "fourth"]);
  });

  it("refuses what does not fit on the disk, keeps nothing of it, and writes again once there is room", async () => {
    limit(2);
    expect(await failure(put("large", "x".repeat(100_000)))).to.match(
      /HDP-5101.*database or disk is full/,
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(keys()).to.deep.equal([]);
    limit(100);
    await put("large", "x".repeat(100_000));
    expect(keys()).to.deep.equal(["large"]);
  });

  it("keeps what happened already as soon as there is room, and reports the full disk once", async () => {
    limit(2);
    const reports: unknown[] = [];
    const write = (): void => {
      database.run(
        "INSERT INTO idempotency_key (key, text) VALUES ('end', ?)",
        "x".repeat(100_000),
      );
    };
    const kept = database.keep(write, {
      signal: new AbortController().signal,
      onFailure: (error) => reports.push(error),
    });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    limit(100);
    await kept;
    expect(reports.map(String)).to.have.length(1);
    expect(keys()).to.deep.equal(["end"]);
  });

  it("gives up keeping when the server closes: the work begins anew with the folder", async () => {
    limit(2);
    const write = (): void => {
      database.run(
        "INSERT INTO idempotency_key (key, text) VALUES ('end', ?)",
        "x".repeat(100_000),
      );
    };
    const kept = database.keep(write, { signal: AbortSignal.abort(), onFailure: () => undefined });
    expect(await failure(kept)).to.contain("HDP-5101");
  });
});

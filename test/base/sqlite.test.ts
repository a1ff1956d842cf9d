import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";

import { expect } from "chai";

import { isHdpError } from "../../src/entries/request.js";
import { Database, type DatabaseOptions } from "../../src/base/sqlite.js";

const SCHEMA = "CREATE TABLE item (name TEXT PRIMARY KEY, size INTEGER NOT NULL) STRICT;";

describe("a database file", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-sqlite-"));
    path = join(folder, "made", "items.db");
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const open = (options: Partial<DatabaseOptions> = {}): Database =>
    new Database({ path, schema: SCHEMA, version: 1, ...options });

  function failure(action: () => unknown): { readonly code: string; readonly message: string } {
    try {
      action();
    } catch (error) {
      if (isHdpError(error)) return error;
      throw error;
    }
    throw new Error("nothing was thrown");
  }

  it("keeps what a transaction wrote for the next process", () => {
    const database = open();
    expect(
      database.transaction(() => database.run("INSERT INTO item VALUES (?, ?)", "a", 1)),
    ).to.equal(1);
    database.close();
    const again = open();
    expect(again.all("SELECT name, size FROM item").map((row) => ({ ...row }))).to.deep.equal([
      { name: "a", size: 1 },
    ]);
    expect(again.get("SELECT 1 FROM item WHERE name = ?", "b")).to.equal(undefined);
    again.close();
  });

  it("undoes a transaction that throws, and throws the same", () => {
    const database = open();
    const stop = new Error("stop");
    expect(() =>
      database.transaction(() => {
        database.run("INSERT INTO item VALUES ('a', 1)");
        throw stop;
      }),
    ).to.throw(stop);
    expect(database.all("SELECT * FROM item")).to.deep.equal([]);
    database.close();
  });

  it("keeps a checksum of each row where a table has one, which other programs can read and not change", () => {
    const schema = "CREATE TABLE note (text TEXT, size INTEGER, checksum INTEGER) STRICT;";
    const database = open({ schema });
    database.run("INSERT INTO note (text, size) VALUES ('a', 1), ('b', NULL)");
    database.run("UPDATE note SET size = 2 WHERE text = 'b'");
    const kept = { text: "b", size: 2, checksum: crc32('["text","b","size",2]') };
    expect({ ...database.get("SELECT * FROM note WHERE text = 'b'") }).to.deep.equal(kept);
    const other = new DatabaseSync(path);
    expect({ ...other.prepare("SELECT * FROM note WHERE text = 'b'").get() }).to.deep.equal(kept);
    expect(() => {
      other.exec("UPDATE note SET size = 3");
    }).to.throw("no such function: checksum");
    other.exec("UPDATE note SET checksum = 7 WHERE text = 'b'");
    for (const use of [
      () => database.get("SELECT * FROM note WHERE text = 'b'"),
      () => database.all("SELECT * FROM note"),
      () => database.run("UPDATE note SET size = 3"),
    ]) {
      expect(failure(use).message).to.include(
        `HDP-5102 in ${path}: the database cannot be read: a row has another`,
      );
    }
    expect(
      database.get("SELECT size FROM note")?.["size"],
      "what is read of a row alone is not compared",
    ).to.equal(1);
    other.close();
    database.close();
  });

  it("leaves a violated constraint to the caller", () => {
    const database = open();
    database.run("INSERT INTO item VALUES ('a', 1)");
    expect(() => database.run("INSERT INTO item VALUES ('a', 2)")).to.throw(
      "UNIQUE constraint failed: item.name",
    );
    database.close();
  });

  it("names another process that is writing (HDP-5103)", () => {
    const one = open();
    const other = open({ busyTimeout: 10 });
    one.transaction(() => {
      expect(failure(() => other.run("INSERT INTO item VALUES ('a', 1)")).message).to.contain(
        `HDP-5103 in ${path}: another process has held the database for 0.01 s or longer.`,
      );
    });
    one.close();
    other.close();
  });

  it("refuses a file that is no database, and one that was cut (HDP-5102)", async () => {
    open().close();
    const whole = await readFile(path);
    await writeFile(path, "no database at all ".repeat(300));
    expect(failure(open).message).to.contain(
      "the database cannot be read: file is not a database.",
    );
    await writeFile(path, whole);
    await truncate(path, 5_000);
    expect(failure(() => open().all("SELECT * FROM item")).code).to.equal("HDP-5102");
  });

  it("says that a file is damaged where SQLite finds a length that no value can have (HDP-5102)", () => {
    const tooLong = failure(() => open().get("SELECT zeroblob(2000000000)"));
    expect(tooLong.message).to.contain("the database cannot be read: string or blob too big.");
  });

  it("refuses a file of another version (HDP-5105)", () => {
    open({ version: 2 }).close();
    expect(failure(open).message).to.contain(
      "the database is of version 2, and this hardhat-hdp reads version 1.",
    );
  });

  it("says why a file cannot be written (HDP-5101)", async () => {
    await writeFile(join(folder, "made"), "a file where the folder would be");
    expect(failure(open).code).to.equal("HDP-5101");
    const full = new Database({ schema: SCHEMA, version: 1 });
    full.run("PRAGMA max_page_count = 2");
    expect(
      failure(() => full.run("INSERT INTO item VALUES (?, 1)", "x".repeat(20_000))).message,
    ).to.contain("the database cannot be written: database or disk is full.");
    full.close();
  });

  it("prints no warning of Node's", () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", onWarning);
    open().close();
    process.off("warning", onWarning);
    expect(warnings).to.deep.equal([]);
  });
});

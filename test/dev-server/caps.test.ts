import { expect } from "chai";

import { ServerDatabase } from "../../src/dev-server/database.js";
import { StateTries } from "../../src/dev-server/state-tries.js";
import { LocalDataProcessor, startDevServer } from "../../src/entries/local.js";
import { post, silentNode } from "./fixture.js";

const answered = ({ status, text }: { status: number; text: string }): unknown => [
  status,
  (JSON.parse(text) as { code?: string }).code,
];

/** A server whose node answers nothing and whose modules never end. */
async function waiting(): Promise<Awaited<ReturnType<typeof startDevServer>>> {
  const silent = silentNode();
  const providerFor = (): typeof silent => silent;
  const never = (): Promise<never> => new Promise(() => undefined);
  const processor = new LocalDataProcessor({
    providerFor,
    sink: { finalize: never },
    runModule: never,
  });
  const server = await startDevServer({ processor, providerFor });
  const close = async (): Promise<void> => {
    await server.close();
    silent.end();
  };
  return { ...server, close };
}

describe("development server: what it keeps", () => {
  let database: ServerDatabase;
  beforeEach(() => {
    database = ServerDatabase.open(undefined);
  });
  afterEach(async () => {
    await database.end();
  });
  const ids = (table: string): unknown[] =>
    database.all(`SELECT id FROM ${table} ORDER BY number`).map(({ id }) => id);
  const query = (id: string, status: string, characters: number): void => {
    const row = [id, status, "x".repeat(characters)];
    database.run(
      "INSERT INTO proof_query (id, query, status, actions) VALUES (?, '', ?, ?)",
      ...row,
    );
    database.forget("proof_query", characters);
  };

  it("keeps the newest rows, and those that are not finished", () => {
    database.run(
      "INSERT INTO proof_query (number, id, query, status, actions) VALUES (1, 'a', '', 'PROCESSING', '')",
    );
    database.run(
      "INSERT INTO proof_query (number, id, query, status, actions) VALUES (2, 'b', '', 'COMPLETED', '')",
    );
    database.run(
      "INSERT INTO proof_query (number, id, query, status, actions) VALUES (20001, 'c', '', 'FAILED', '')",
    );
    query("d", "COMPLETED", 0);
    expect(ids("proof_query")).to.deep.equal(["a", "c", "d"]);
  });

  it("keeps the newest characters of queries with their proofs, and those that are not finished", () => {
    const eight = 2 ** 23;
    query("open", "PROCESSING", 100);
    for (const id of ["a", "b", "c"]) query(id, "COMPLETED", eight);
    expect(ids("proof_query")).to.deep.equal(["open", "a", "b", "c"]);
    query("d", "COMPLETED", eight);
    expect(ids("proof_query")).to.deep.equal(["open", "b", "c", "d"]);
  });

  it("keeps 200,000 nodes of tries, after a restart, too", () => {
    database.run(
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 199999) INSERT INTO trie_node (hash, left, right, length) SELECT 'x' || i, '', '', 0 FROM n",
    );
    const view = new StateTries(database).view();
    view.create(1n, [[1n, 1n]]);
    expect(() => view.create(1n, [[2n, 1n]])).to.throw(/199,999 nodes of tries are kept/);
  });
});

describe("development server: what is under way", () => {
  it("takes at most 100,000 tasks and inputs at a time", async () => {
    const server = await waiting();
    try {
      const inputs = Array.from({ length: 6_600 }, () => ({ visibility: "public", value: "0x1" }));
      const body = (at: number): object => ({
        destinationChainId: "ETHEREUM_SEPOLIA",
        tasks: [{ type: "Module", programHash: `0x${at}`, inputs }],
      });
      const replies: unknown[] = [];
      for (let at = 1; at <= 16; at += 1)
        replies.push(answered(await post(`${server.url}/tasks`, body(at))));
      expect(replies).to.deep.equal([
        ...Array.from({ length: 15 }, () => [200, undefined]),
        [429, "HDP-4531"],
      ]);
    } finally {
      await server.close();
    }
  });

  it("takes at most 2 MiB of queries of storage proofs at a time, however few they are", async () => {
    const server = await waiting();
    try {
      const slots = Array.from(
        { length: 12_000 },
        (_, at) => `0x${at.toString(16).padStart(64, "0")}`,
      );
      const body = {
        destination_chain_id: "SN_SEPOLIA",
        data: { "1": { "block:1": { accounts: {} } } },
      };
      Object.assign(body.data["1"]["block:1"].accounts, { [`0x${"1".repeat(40)}`]: { slots } });
      const replies: unknown[] = [];
      for (let at = 1; at <= 3; at += 1)
        replies.push(answered(await post(`${server.url}/submit-request`, body)));
      expect(replies).to.deep.equal([
        [200, undefined],
        [200, undefined],
        [429, "HDP-4531"],
      ]);
    } finally {
      await server.close();
    }
  });
});

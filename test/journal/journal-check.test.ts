import { expect } from "chai";

import { checkJournal, repairJournal } from "../../src/journal/journal-check.js";
import { encodeEntry } from "../../src/journal/journal-entry.js";
import { memoryFs } from "../support/memory-disk.js";
import { errorOf, hashOf, journalOn, PATH, requestOf } from "./support/fixtures.js";
import { setUp, type Setup } from "./support/setup.js";

function write({ disk }: Setup, text: string): void {
  const bytes = Buffer.from(text);
  disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
}

/** Two submissions: of the first the answer is damaged, of the second everything; and a writer that ended. */
async function damaged(): Promise<Setup> {
  const setup = setUp();
  await setup.processor.submit(requestOf(1));
  await setup.processor.submit(requestOf(2));
  const [intent1 = "", accepted1 = "", intent2 = "", accepted2 = ""] = setup.disk.text(PATH).split("\n");
  write(
    setup,
    [
      intent1,
      accepted1.replace("task-1", "task-9"),
      intent2.replace("0x", "0y"),
      accepted2.slice(0, 40),
      `${intent1.slice(0, 50)}${encodeEntry({ event: "lost", id: "other" }, new Date(0))}`,
      "",
    ].join("\n"),
  );
  return setup;
}

describe("journal: check and repair", () => {
  it("says what is left of each line, and what the others know", async () => {
    const { disk } = await damaged();
    const journal = journalOn({ fs: memoryFs(disk) });
    const { path, submissions, damage } = await checkJournal(journal);
    expect([path, submissions]).to.deep.equal([PATH, 1]);
    const [id] = (await journal.records()).records.keys();
    const lines = damage.map(({ line, kind, event, taskHashes, state }) => ({ line, kind, event, taskHashes, state }));
    expect(damage[0]?.id).to.equal(id);
    expect(lines).to.deep.equal([
      { line: 2, kind: "damaged", event: "accepted", taskHashes: [hashOf(1)], state: "intent" },
      { line: 3, kind: "damaged", event: "intent", taskHashes: [], state: undefined },
      { line: 4, kind: "damaged", event: undefined, taskHashes: [], state: undefined },
      { line: 5, kind: "torn", event: "lost", taskHashes: [], state: "intent" },
    ]);
  });

  it("lets submissions pass after a repair, in every process, and changes no line", async () => {
    const { disk } = await damaged();
    const before = disk.text(PATH);
    const journal = journalOn({ fs: memoryFs(disk) });
    expect((await repairJournal(journal)).damage.length).to.equal(4);
    expect(disk.text(PATH).startsWith(before)).to.equal(true);
    for (const one of [journal, journalOn({ fs: memoryFs(disk) })]) {
      expect((await checkJournal(one)).damage.map(({ kind }) => kind)).to.deep.equal(["torn"]);
    }
    const again = disk.text(PATH);
    await repairJournal(journal);
    expect(disk.text(PATH)).to.equal(again);
  });

  it("still knows what is not certain after a repair", async () => {
    const setup = await damaged();
    await repairJournal(setup.journal);
    const error = await errorOf(async () => await setup.processor.submit(requestOf(1)));
    expect(error.code).to.equal("HDP-5005");
    expect((await setup.processor.submit(requestOf(2))).id).to.equal("task-3");
  });

  it("stops at damage that came after the repair", async () => {
    const setup = await damaged();
    await repairJournal(setup.journal);
    write(setup, `${setup.disk.text(PATH)}nonsense\n`);
    expect((await errorOf(async () => await setup.processor.submit(requestOf(3)))).code).to.equal("HDP-5012");
  });

  it("finds nothing where nothing is", async () => {
    const { journal, disk } = setUp();
    expect(await repairJournal(journal)).to.deep.equal({ path: PATH, submissions: 0, damage: [] });
    expect(disk.text(PATH)).to.equal("");
  });
});

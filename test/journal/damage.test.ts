import { expect } from "chai";

import { checkJournal, repairJournal } from "../../src/journal/journal-check.js";
import { encodeEntry } from "../../src/journal/journal-entry.js";
import { JournaledDataProcessor } from "../../src/journal/journaled-data-processor.js";
import { memoryFs } from "../support/memory-disk.js";
import { errorOf, journalOn, PATH, requestOf, taskHash } from "./support/fixtures.js";
import { setUp, type Setup } from "./support/setup.js";
import { outcomeOf } from "./support/test-service.js";

/** Rewrites the journal's file. */
function rewrite({ disk }: Setup, change: (lines: string[]) => string[]): void {
  const lines = disk.text(PATH).split("\n").slice(0, -1);
  const bytes = Buffer.from(`${change(lines).join("\n")}\n`);
  disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
}

/** What can happen to a line on a disk or in an editor. */
const DAMAGES: Readonly<Record<string, (line: string) => string>> = {
  "a flipped bit": (line) => line.replace('"processor":"tasks"', '"processor":"tasjs"'),
  "a flipped bit in a task hash": (line) => line.replace(/0{10}1"/, '0000000000"'),
  "a cut end": (line) => line.slice(0, 60),
  "a cut beginning": (line) => line.slice(60),
  zeroes: (line) => "\0".repeat(line.length),
  "a merge's mark": () => "<<<<<<< HEAD",
};

describe("journal: damage", () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    for (const line of [0, 1]) {
      it(`stops submissions where line ${line + 1} has ${name}`, async () => {
        const setup = setUp();
        await setup.processor.submit(requestOf(1));
        await setup.processor.submit(requestOf(2));
        const intact = setup.disk.text(PATH);
        rewrite(setup, (lines) => lines.map((text, index) => (index === line ? damage(text) : text)));
        expect(setup.disk.text(PATH)).to.not.equal(intact);
        // What a process has read already it knows; another one finds the damage.
        const journal = journalOn({ fs: memoryFs(setup.disk) });
        const processor = new JournaledDataProcessor({
          ...{ processor: setup.service, journal, taskHash, outcomeOf, network: "sepolia" },
        });
        const error = await errorOf(async () => await processor.submit(requestOf(3)));
        expect([error.code, error.path]).to.deep.equal(["HDP-5012", `${PATH}:${line + 1}`]);
        expect(error.shortMessage).to.match(/^line \d of the journal cannot be read \(.+\)\. Nothing was sent\.$/);
        expect(error.hints.join("\n")).to.match(/hdp journal --check[^]*hdp journal --repair/);
        expect((await errorOf(async () => await processor.submit(requestOf(1), { force: true }))).code).to.equal(
          "HDP-5012",
        );
        expect(setup.service.arrivals.length).to.equal(2);
      });
    }
  }

  it("keeps a task from being sent that may be the very one whose request is lost, also when it is repaired", async () => {
    const setup = setUp();
    const module = { type: "Module", programHash: "0x7", inputs: [], injectedState: { "0x1": "0x5" } } as const;
    const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [module] } as const;
    const { id } = await setup.processor.submit(request);
    rewrite(setup, ([intent = "", ...others]) => [intent.replace('"0x5"', '"0x6"'), ...others]);
    const journal = journalOn({ fs: memoryFs(setup.disk) });
    await repairJournal(journal);
    const processor = new JournaledDataProcessor({
      ...{ processor: setup.service, journal, taskHash, outcomeOf, network: "sepolia" },
      endpoint: new URL("https://hdp.example.org/v1"),
    });
    const error = await errorOf(async () => await processor.submit(request));
    expect(error.code).to.equal("HDP-5005");
    expect(error.shortMessage).to.match(
      /^whether submission \S+, of the same task hash, started from the same injected state is not known: the journal has lost what was sent\. Nothing was sent\.$/,
    );
    expect(error.hints[0]).to.equal(`Task ${taskHash(module)}`);
    expect(error.hints.join("\n")).to.include(`hdp resume ${id}`).and.to.include("--force sends the task");
    expect(setup.service.arrivals.length).to.equal(1);
    await processor.submit(request, { force: true });
    expect(setup.service.arrivals.length).to.equal(2);
  });

  it("is told of two hundred thousand lines as of one", async () => {
    const setup = setUp();
    await setup.processor.submit(requestOf(1));
    const garbage = Array.from({ length: 200_000 }, () => "garbage");
    rewrite(setup, (lines) => [...garbage, ...lines]);
    const { damage } = await checkJournal(journalOn({ fs: memoryFs(setup.disk) }));
    expect([damage.length, damage[0]?.line, damage.at(-1)?.line]).to.deep.equal([200_000, 1, 200_000]);
  });

  it("stops submissions where the file's end has zeroes, with or without its line feeds, and lines behind them", async () => {
    for (const [name, damage] of Object.entries({
      "the last line": (text: string) => text.replace(/[^\n]+\n$/, (line) => "\0".repeat(line.length)),
      "its end": (text: string) => `${text.slice(0, -200)}${"\0".repeat(200)}`,
      everything: (text: string) => "\0".repeat(text.length),
    })) {
      const setup = setUp();
      await setup.processor.submit(requestOf(1));
      const bytes = Buffer.from(damage(setup.disk.text(PATH)));
      for (const behind of ["", encodeEntry({ event: "lost", id: "a" }, new Date(0))]) {
        const all = Buffer.concat([bytes, Buffer.from(behind)]);
        setup.disk.files.set(PATH, { bytes: all, synced: all.length, nameSynced: true });
        const journal = journalOn({ fs: memoryFs(setup.disk) });
        const processor = new JournaledDataProcessor({
          ...{ processor: setup.service, journal, taskHash, outcomeOf, network: "sepolia" },
        });
        const error = await errorOf(async () => await processor.submit(requestOf(1)));
        expect([name, error.code]).to.deep.equal([name, "HDP-5012"]);
        expect(setup.service.arrivals.length).to.equal(1);
      }
    }
  });

  it("counts several damaged lines", async () => {
    const setup = setUp();
    await setup.processor.submit(requestOf(1));
    rewrite(setup, () => ["x", "y"]);
    const error = await errorOf(async () => await setup.processor.submit(requestOf(1)));
    expect(error.shortMessage).to.contain("2 lines, the first of them line 1, of the journal cannot be read");
  });

  it("takes the unfinished line of a process that was ended for what it is, wherever it ended", async () => {
    const whole = encodeEntry({ event: "lost", id: "a" }, new Date(0));
    for (let cut = 1; cut < whole.length; cut += 1) {
      const setup = setUp();
      await setup.processor.submit(requestOf(1));
      const bytes = Buffer.from(`${setup.disk.text(PATH)}${whole.slice(0, cut)}`);
      setup.disk.files.set(PATH, { bytes, synced: bytes.length, nameSynced: true });
      expect((await setup.processor.submit(requestOf(2))).id, `cut at ${cut}`).to.equal("task-2");
      expect((await setup.processor.submit(requestOf(1))).id, `cut at ${cut}`).to.equal("task-1");
      const { damage } = await setup.journal.records();
      expect(
        damage.map(({ line, kind }) => [line, kind]),
        `cut at ${cut}`,
      ).to.deep.equal([[3, "torn"]]);
    }
  });

  it("reads lines without a checksum, as 0.1.0 wrote them", async () => {
    const setup = setUp();
    await setup.processor.submit(requestOf(1));
    rewrite(setup, (lines) => lines.map((line) => line.replace(/,"sum":"[0-9a-f]{8}"\}$/, "}")));
    expect(setup.disk.text(PATH)).to.not.include("sum");
    expect((await setup.processor.submit(requestOf(1))).id).to.equal("task-1");
    expect((await setup.journal.records()).damage).to.deep.equal([]);
  });
});

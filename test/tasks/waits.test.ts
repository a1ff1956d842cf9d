import { expect } from "chai";
import fc from "fast-check";

import { printable } from "../../src/errors/printable.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { showProgress, waiting } from "../../src/tasks/ui/progress.js";
import { style, terminalScreen, wrapped } from "../../src/tasks/ui/screen.js";

const WORD = `0x${"5c".repeat(32)}`;

describe("waits", () => {
  it("show the state, the time since the start, the next poll and the timeout", () => {
    const status = { name: "Sampling", detail: "840 of 1,202" };
    const line = waiting(status, { elapsed: 3_100, nextPoll: 500, timeout: 600_000 });
    expect(line).to.equal("Sampling 840 of 1,202, 3.1 s, next poll in 0.5 s, timeout 10 min 0 s");
    expect(printable(line), "as it is drawn").to.equal(line);
    expect(
      waiting({ name: "Received" }, { elapsed: 0, nextPoll: undefined, timeout: undefined }),
    ).to.equal("Received, 0.0 s");
  });

  it("announces a wait once where nothing is redrawn, and each state in one line", () => {
    const lines: string[] = [];
    let now = 1_000;
    const progress = showProgress({ line: (text = "") => lines.push(text) }, { now: () => now });
    progress.listeners.onStatus({ name: "Received", phase: "pending" });
    progress.listeners.onPause({ nextPollAt: now + 500, timeoutAt: now + 3_600_000 });
    now += 500;
    progress.listeners.onPause({ nextPollAt: now + 675, timeoutAt: 3_601_000 });
    now += 2_500;
    progress.listeners.onStatus({ name: "Finalized", phase: "finalized" });
    expect(lines).to.deep.equal([
      "  Waiting: next poll in 0.5 s, later ones less often, timeout 60 min 0 s",
      "  ✔ Received                 0.0 s",
      "  ✔ Finalized                3.0 s",
    ]);
  });
});

describe("waits for a service that is gone", () => {
  const since = new Date(2026, 0, 1, 14, 5).getTime();
  const gone = hdpError("HDP-2063", {
    service: "the data processor",
    endpoint: "GET https://x",
    reason: "ECONNREFUSED",
  });

  it("show since when, and the next try, on a terminal", () => {
    const times = { elapsed: 3_100, nextPoll: 4_000, timeout: 600_000 };
    expect(waiting({ name: "Received" }, times, { since, what: "no connection" })).to.equal(
      "! no connection since 14:05, next try in 4.0 s, timeout 10 min 0 s",
    );
  });

  it("print it at once and then each minute elsewhere, and when the service answers again", () => {
    const lines: string[] = [];
    let now = since;
    const progress = showProgress({ line: (text = "") => lines.push(text) }, { now: () => now });
    const { onStatus, onPause, onTrouble } = progress.listeners;
    for (let second = 0; second < 130; second += 10) {
      now = since + second * 1_000;
      onTrouble(gone);
      onPause({ nextPollAt: now + 10_000, timeoutAt: since + 3_600_000 });
    }
    now += 10_000;
    onStatus({ name: "Received", phase: "pending" });
    onPause({ nextPollAt: now + 10_000, timeoutAt: since + 3_600_000 });
    onPause({ nextPollAt: now + 10_000, timeoutAt: since + 3_600_000 });
    progress.end();
    expect(lines).to.deep.equal([
      "  ! no connection since 14:05, next try in 10 s",
      "    no connection to the data processor for GET https://x (ECONNREFUSED).",
      "  ! no connection since 14:05, next try in 10 s",
      "  ! no connection since 14:05, next try in 10 s",
      "  The service answers again",
      "  ✔ Received               2 min 10 s",
    ]);
  });
});

describe("lines on a terminal", () => {
  it("fit 70 columns without cutting a word, and are indented below their first", () => {
    const line = `          store 0x5FbDB2315678afecb367f032d93F642f64180aa3, 64 samples, all proven, block 1,066`;
    expect(wrapped(line, 70)).to.deep.equal([
      "          store 0x5FbDB2315678afecb367f032d93F642f64180aa3, 64",
      "            samples, all proven, block 1,066",
    ]);
    expect(wrapped("  short", 70)).to.deep.equal(["  short"]);
    const hash = `0x${"5c".repeat(32)}`;
    expect(wrapped(`          hash ${hash}`, 70)).to.deep.equal(["          hash", `    ${hash}`]);
    expect(wrapped(`          hash ${hash}`, 60)).to.deep.equal(["          hash", `    ${hash}`]);
    // A hash stays beside its label where it can begin further left.
    expect(wrapped(`          hash ${hash}`, 80)).to.deep.equal([`         hash ${hash}`]);
  });

  it("continue below the text beside their label", () => {
    expect(
      wrapped("  Destination  ETHEREUM_SEPOLIA (network default, local data processor)", 60),
    ).to.deep.equal([
      "  Destination  ETHEREUM_SEPOLIA (network default, local data",
      "               processor)",
    ]);
  });

  it("leave whole what is to be copied", () => {
    const command = `npx hardhat hdp:result ${WORD} --network sepolia`;
    expect(wrapped(`  Read the results of it later: ${command}`, 70)).to.deep.equal([
      "  Read the results of it later:",
      `    ${command}`,
    ]);
    const marked = style.command(command);
    expect(wrapped(`  Read the results of it later: ${marked}`, 70).at(-1)).to.equal(
      `    ${marked}`,
    );
  });

  it("wraps lines on terminals only", () => {
    const line = "  word".repeat(20);
    const written = (terminal: object): string => {
      let text = "";
      const stream = { write: (piece: string) => (text += piece), ...terminal };
      terminalScreen(false, { stdout: stream, stderr: stream }).line(line);
      return text;
    };
    expect(written({})).to.equal(`${line}\n`);
    const rows = written({ isTTY: true, columns: 70 }).trimEnd().split("\n");
    expect(rows).to.have.length(2);
    for (const row of rows) expect(row.length).to.be.at.most(70);
  });

  it("keep every word in its order (property)", () => {
    const words = fc.array(fc.stringMatching(/^[a-z0-9,.]{1,30}$/), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 10 }), (list, indent) => {
        const pieces = wrapped(" ".repeat(indent) + list.join(" "), 70);
        expect(pieces.flatMap((piece) => piece.trim().split(/\s+/))).to.deep.equal(list);
        for (const piece of pieces) expect(piece.length).to.be.at.most(70);
      }),
    );
  });
});

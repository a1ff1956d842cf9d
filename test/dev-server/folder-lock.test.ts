import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { expect } from "chai";

import { childScript } from "../support/child-script.js";

interface Racer {
  tell(line: string): void;
  says(): Promise<string>;
  /** Lets it give back what it has, and waits for its end. */
  end(): Promise<void>;
}

async function racer(): Promise<Racer> {
  const script = await childScript(join(import.meta.dirname, "processes", "folder-lock-child.ts"));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = new Promise<void>((resolve) =>
    child.once("close", () => {
      resolve();
    }),
  );
  return {
    tell: (line) => child.stdin.write(`${line}\n`),
    says: async () => {
      const next = await lines.next();
      return next.done === true ? "ended" : next.value;
    },
    end: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

describe("local front: the lock of its data folder", () => {
  it("lets one of several processes in, also where a killed one left its lock", async () => {
    const ROUNDS = 60;
    const root = await mkdtemp(join(tmpdir(), "hdp-lock-"));
    const racers = await Promise.all(Array.from({ length: 4 }, racer));
    try {
      for (const each of racers) expect(await each.says()).to.equal("ready");
      const wrong: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const folder = join(root, String(round));
        await mkdir(folder);
        // No process has so high a number.
        if (round % 4 !== 0) await writeFile(join(folder, "lock"), "99999999");
        const at = Date.now() + 20;
        for (const each of racers) each.tell(`${folder} ${at}`);
        const said = (await Promise.all(racers.map(async (each) => await each.says()))).toSorted();
        if (said.join() !== "HDP-4503,HDP-4503,HDP-4503,got") wrong.push(`round ${round}: ${said.join()}`);
      }
      expect(wrong).to.deep.equal([]);
      await Promise.all(
        racers.map(async (each) => {
          await each.end();
        }),
      );
      expect(existsSync(join(root, String(ROUNDS - 1), "lock"))).to.equal(false);
    } finally {
      await Promise.all(
        racers.map(async (each) => {
          await each.end();
        }),
      );
      await rm(root, { recursive: true, force: true });
    }
  }).timeout(60_000);
});

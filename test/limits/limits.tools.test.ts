import { spawnSync } from "node:child_process";

import { expect } from "chai";
import { z } from "zod";

import { cases } from "./cases.js";

const measured = z.object({ seconds: z.number(), mebibytes: z.number(), outcome: z.string() });

/** What any reply and any file up to its documented limit may take: processor time, and memory with Node's own. */
const MAX_SECONDS = 2;
const MAX_MEBIBYTES = 512;

describe("replies and files at their limits", function () {
  this.timeout(60_000);
  const rows: string[] = [];

  after(() => {
    console.log(rows.join("\n"));
  });

  for (const name of Object.keys(cases)) {
    it(`are read or refused in ${MAX_SECONDS} s and ${MAX_MEBIBYTES} MiB: ${name}`, () => {
      const args = ["--import", "./test/support/typescript.mjs", "test/limits/measure.ts", name];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 50_000 });
      const { seconds, mebibytes, outcome } = measured.parse(JSON.parse(stdout === "" ? `"${stderr}"` : stdout));
      rows.push(`      ${name.padEnd(48)} ${seconds.toFixed(2)} s ${mebibytes.toFixed(0).padStart(4)} MiB  ${outcome}`);
      expect(seconds, outcome).to.be.lessThan(MAX_SECONDS);
      expect(mebibytes, outcome).to.be.lessThan(MAX_MEBIBYTES);
    });
  }
});

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

import { expect } from "chai";

import { cases } from "./cases.js";
import type { Cost } from "./measure.js";
import { GARBAGE, MAX_MEBIBYTES } from "../support/peak-memory.js";
import { LOAD } from "../support/processor-time.js";

/** Seconds of processor time that any reply and any file up to its documented limit may take. */
const MAX_SECONDS = 2;

/** Inputs that one process reads, one after another: loading the package takes longer than most of them. */
const AT_A_TIME = 6;

describe("replies and files at their limits", () => {
  const rows: string[] = [];
  let child: ChildProcess | undefined;

  after(() => {
    child?.kill();
    console.log(rows.join("\n"));
  });

  async function costOf(name: string, isFirst: boolean): Promise<Cost> {
    if (isFirst) child?.kill();
    if (isFirst || child?.connected !== true) {
      const execArgv = ["--expose-gc", "--import", "./test/support/typescript.mjs"];
      child = fork(new URL("measure.ts", import.meta.url), {
        execArgv,
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
    }
    let words = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (words += text));
    child.send(name);
    const [cost] = (await Promise.race([
      once(child, "message"),
      once(child, "close").then(() => [undefined]),
    ])) as [Cost | undefined];
    if (cost === undefined) throw new Error(`the process that reads "${name}" ended:\n${words}`);
    return cost;
  }

  for (const [at, name] of Object.keys(cases).entries()) {
    it(`reads or refuses in ${MAX_SECONDS} s and ${MAX_MEBIBYTES} MiB: ${name}`, async () => {
      let cost = await costOf(name, at % AT_A_TIME === 0);
      // Memory that the inputs before it left behind is not its own.
      if (cost.mebibytes >= MAX_MEBIBYTES) cost = await costOf(name, true);
      const { seconds, mebibytes, outcome } = cost;
      const figures = `${seconds.toFixed(2)} s ${mebibytes.toFixed(0).padStart(4)} MiB`;
      rows.push(
        `      ${name.padEnd(48)} ${figures} ${seconds > MAX_SECONDS || mebibytes > MAX_MEBIBYTES ? "(!)" : "   "} ${outcome}`,
      );
      expect(seconds, outcome).to.be.lessThan(LOAD * MAX_SECONDS);
      expect(mebibytes, outcome).to.be.lessThan(GARBAGE * MAX_MEBIBYTES);
    });
  }
});

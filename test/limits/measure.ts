import { cases } from "./cases.js";

/** Prints what one input costs: run by `limits.tools.test.ts` in a process of its own, whose peak of memory is the input's. */
const name = process.argv[2] ?? "";
const prepare = cases[name];
if (prepare === undefined) throw new Error(`no input is called "${name}"`);
const work = await prepare();
let longest = 0;
let last = performance.now();
const beat = (): void => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
};
const timer = setInterval(beat, 2);
// The first turn of the loop is not the work's.
await new Promise((resolve) => setTimeout(resolve, 10));
longest = 0;
last = performance.now();
const [began, cpu] = [performance.now(), process.cpuUsage()];
let outcome = "answered";
try {
  const answer = await work();
  if (typeof answer === "string") outcome = answer;
} catch (error) {
  outcome = error instanceof Error ? error.message : String(error);
}
const { user, system } = process.cpuUsage(cpu);
beat();
clearInterval(timer);
console.log(
  JSON.stringify({
    seconds: (user + system) / 1e6,
    wall: (performance.now() - began) / 1e3,
    blocked: longest / 1e3,
    mebibytes: process.resourceUsage().maxRSS / 1024,
    outcome: outcome.replace(/\s+/g, " ").slice(0, 160),
  }),
);
process.exit(0);

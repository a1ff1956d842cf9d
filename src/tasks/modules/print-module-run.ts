import { shortString } from "../../base/felt.js";
import type { ModuleDryRun } from "../../plugin/actions/module-runs.js";
import { cairoText, feltsText } from "../ui/format.js";
import { grouped, plural } from "../../base/text.js";
import { type Screen, style } from "../ui/screen.js";

/** Reads that are listed for people; `--json` has all. */
const SHOWN_READS = 20;

type Read = ModuleDryRun["reads"][number];

/** Felts of a class that is hashed a second time just to show it: in about half a second. */
const QUICKLY_HASHED = 100_000;

/** What a module read, how long it ran and what it returned. */
export function printModuleRun(screen: Screen, dryRun: ModuleDryRun, name: string, compiledClass: unknown): void {
  const { run, reads, proven, programHash, rule, decoded } = dryRun;
  const line = (label: string, text: string): void => {
    screen.line(`  ${style.strong(label.padEnd(14))}  ${text}`);
  };
  screen.line();
  const mark = run.status === "returned" ? style.good("✔") : style.bad("✘");
  line(name, `${mark} ${run.status}, ${plural(run.steps, "step")}, generation ${run.generation}`);
  line("Program hash", `${programHash}  (registry)`);
  if (feltsOf(compiledClass) > QUICKLY_HASHED) line("", "hdp:program-hash <file> and --json tell the newer prover's");
  else line("", `${dryRun.flatProgramHash}  (newer prover, segments ignored)`);
  line("Reads", `${grouped(reads.length)}${reads.length === 0 ? "" : proven ? ", all proven" : ", not all proven"}`);
  reads.slice(0, SHOWN_READS).forEach((read) => {
    screen.line(`                  ${read.proven ? "proven  " : "unproven"}  ${describeRead(read)}`);
  });
  if (reads.length > SHOWN_READS) {
    screen.line(`                  and ${grouped(reads.length - SHOWN_READS)} more (--json lists all)`);
  }
  for (const { label, rootBefore, rootAfter, writes } of run.injectedState) {
    const roots = `0x${rootBefore.toString(16)} -> 0x${rootAfter.toString(16)}`;
    line("State", `${shortString(label)}  ${roots}, ${plural(writes.length, "write")}`);
  }
  run.printed.forEach((text) => {
    line("Printed", text);
  });
  if (run.status === "panicked") {
    line("Panic", run.message);
    return;
  }
  if (decoded !== undefined) line("Returned", cairoText(decoded));
  line("Felts", feltsText(run.retdata));
  const stored = (which: typeof rule): string => (which === rule ? "  <- stored by a submission here" : "");
  line("Output root", `${run.outputRoot}${stored("output-root")}`);
  if (run.value !== undefined) line("Raw value", `${grouped(run.value)}${stored("value")}`);
}

function feltsOf(json: unknown): number {
  if (typeof json !== "object" || json === null || !("bytecode" in json)) return 0;
  return Array.isArray(json.bytecode) ? json.bytecode.length : 0;
}

/** `account.balance of 0xf39f… in block 0 of chain 11155111 = 10,000` */
function describeRead(read: Read): string {
  const place = [
    "address" in read ? ` of ${read.address}` : "",
    "slot" in read ? ` slot ${read.slot}` : "",
    "index" in read ? ` ${grouped(read.index)}` : "",
    "logIndex" in read ? ` log ${grouped(read.logIndex)}` : "",
  ].join("");
  const [low = 0n, high = 0n, ...more] = read.felts;
  const value = more.length > 0 ? plural(read.felts.length, "felt") : grouped(low + (high << 128n));
  return `${read.kind}.${read.field}${place}, block ${grouped(read.block)} of chain ${read.chainId.toString()}: ${value}`;
}

import { feltsText, formatFelt, shortString } from "../../base/felt.js";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { shipped } from "../../base/files.js";
import { toWord } from "../../base/hex.js";
import { SECRETS } from "../../errors/secrets.js";
import { grouped } from "../../base/text.js";
import type { Explanation } from "../../plugin/actions/inspection-actions.js";
import type { ModuleProfile } from "../../plugin/actions/program-actions.js";
import type { InspectedModule } from "../../plugin/local-node.js";
import { describeTask, spokenValue, sampleUnit } from "../../request/describe-task.js";
import { FUNCTIONS } from "../../request/fields.js";
import { valueWord } from "../../request/task-form.js";
import type { Datalake } from "../../request/task.js";
import type { ProfileView, RunView } from "../../request/views.js";
import { anchorText, cairoText, readLine, numbered } from "./format.js";
import { printFields, type Screen } from "./screen.js";

type InspectedRun = Explanation | InspectedModule;

/** Opens one HTML file with the system's browser, or with the command in `BROWSER`; "none" opens nothing. */
export async function openRuns(runs: readonly InspectedRun[], screen: Screen): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), "hdp-")), "run.html");
  await writeFile(path, await runPage(runs));
  printFields(screen, [["Page", path]]);
  const { BROWSER: browser = "" } = process.env;
  if (browser === "none") return;
  const [command = "", ...args] =
    browser === "" ? (OPENERS[process.platform] ?? ["xdg-open"]) : [browser];
  const opener = spawn(command, [...args, path], { detached: true, stdio: "ignore" });
  // The path is printed, so that a user without a browser here can open the file elsewhere.
  opener.on("error", () => undefined).unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Returns runs as one HTML file, which loads nothing and whose policy allows only its own script. */
export async function runPage(runs: readonly InspectedRun[]): Promise<string> {
  const [style, code] = await Promise.all(
    ["page.css", "page.js"].map(
      async (name) => await readFile(shipped(`dist/dashboard/${name}`), "utf8"),
    ),
  );
  // Escapes the end tag of the element.
  const script = (code ?? "").replaceAll("</script", "<\\/script");
  const data = JSON.stringify(SECRETS.redactValue(runs.map(runView))).replaceAll("<", "\\u003c");
  const policy = `default-src 'none'; script-src ${contentPolicyHash(script)}; style-src ${contentPolicyHash(style ?? "")}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<title>hardhat-hdp</title>
<link rel="icon" href="data:,">
<style>${style ?? ""}</style>
<div id="page"></div>
<script id="runs" type="application/json">${data}</script>
<script type="module">${script}</script>
</html>
`;
}

function contentPolicyHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const PROOFS: Readonly<Record<Datalake["sampledProperty"]["kind"], string>> = {
  header: "each header by its block hash",
  account: "each header by its block hash, each account by a proof under its state root",
  storage: "each header by its block hash, each account and slot by proofs under its state root",
  tx: "the header by its block hash, the transactions by its transactions root",
  tx_receipt: "the header by its block hash, the receipts by its receipts root",
};

const [MAX_READS, MAX_STACKS] = [1_000, 5_000];

/** Returns a run as the dashboard shows it. */
export function runView(inspected: InspectedRun): RunView {
  return "dryRun" in inspected ? moduleView(inspected) : samplesView(inspected);
}

/** Returns a datalake task with its samples, as the dashboard shows it. */
function samplesView({
  task,
  taskHash,
  form,
  samples,
  value,
  proven,
  anchor,
  unit,
}: Explanation): RunView {
  const { title, lines } = describeTask(task);
  const { sampledProperty } = task.datalake;
  const { aggregateFnId } = task.compute;
  return {
    title,
    lines,
    taskHash,
    proven,
    value: grouped(value),
    word: valueWord(value, form),
    spoken: spokenValue(value, task),
    anchor: anchor && anchorText(anchor),
    samples: {
      unit,
      aggregate: FUNCTIONS[aggregateFnId].title,
      valueUnit: sampleUnit(task),
      positions: samples.map(({ position }) => position.toString()),
      values: samples.map((sample) => sample.value.toString()),
      aggregates: samples.map(({ aggregate }) => aggregate.toString()),
      isCount: aggregateFnId === "count",
      unproven: samples.flatMap((sample, index) => (sample.proven ? [] : [index])),
      proof: PROOFS[sampledProperty.kind],
    },
  };
}

/** Returns a module's run, as the dashboard shows it. */
function moduleView({ task, dryRun, profile }: InspectedModule): RunView {
  const { run, reads, proven, taskHash, rule, decoded, anchors } = dryRun;
  const { title, lines } = describeTask(task);
  const returned = decoded === undefined ? feltsText(run.retdata) : cairoText(decoded);
  return {
    title,
    lines,
    taskHash,
    proven,
    value: run.status === "panicked" ? run.message : returned,
    anchor: anchors.length === 0 ? undefined : anchors.map((one) => anchorText(one)).join("; "),
    word: rule === "value" && run.value !== undefined ? toWord(run.value) : run.outputRoot,
    module: {
      status: run.status,
      steps: run.steps,
      generation: run.generation,
      printed: run.printed,
      reads: reads
        .slice(0, MAX_READS)
        .map((read) => ({ what: readLine(read), proven: read.proven })),
      moreReads: Math.max(0, reads.length - MAX_READS),
      state: run.injectedState.map(
        ({ label, rootBefore, rootAfter }) =>
          [shortString(label), formatFelt(rootBefore), formatFelt(rootAfter)] as const,
      ),
      profile: profile && profileView(profile),
    },
  };
}

/** Returns the stacks with the most steps, and those of the longest reads; each name is written once. */
function profileView({ steps, named, stacks }: ModuleProfile): ProfileView {
  const { names, indexOf } = numbered();
  const reads = stacks
    .filter(({ waited }) => waited !== undefined)
    .sort((a, b) => (b.waited ?? 0) - (a.waited ?? 0));
  const calls = stacks
    .filter(({ waited }) => waited === undefined)
    .sort((a, b) => b.steps - a.steps);
  const shown = [...calls.slice(0, MAX_STACKS), ...reads.slice(0, MAX_READS)].map(
    (stack): ProfileView["stacks"][number] => {
      const indices = stack.frames.map(indexOf);
      return stack.waited === undefined
        ? [indices, stack.steps]
        : [indices, stack.steps, stack.waited];
    },
  );
  return { steps, named, frames: [...names.keys()], stacks: shown };
}

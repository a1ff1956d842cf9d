// Writes docs/images/{tests,submit,explain}.svg: commands that are run, with what they print, line by line in the time they
// took. Run after `npm run build`: npm run docs:pictures
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

import { wrapped } from "../src/tasks/ui/screen.js";
import { hardhatCli, root } from "./root.js";

const COLUMNS = 92;
const LINE = 16;
const CHARACTER = 8.1;
const PADDING = 18;
/** Seconds that each command's typing takes, and the pause before the next one. */
const TYPING = 0.6;

interface Line {
  /** Seconds after the picture's start. */
  readonly at: number;
  readonly text: string;
}

/** Names of the classes of colours, by their ANSI codes; 0, 22 and 39 end one. */
const CLASSES: Readonly<Record<string, string>> = {
  1: "bold",
  2: "dim",
  31: "red",
  32: "green",
  33: "yellow",
  34: "blue",
  36: "cyan",
  90: "dim",
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A line's text as `tspan` elements of its colours. */
function spans(text: string): string {
  const open = new Set<string>();
  let svg = "";
  // eslint-disable-next-line no-control-regex -- these are the codes of colours
  for (const part of text.split(/(\u001B\[[\d;]*m)/)) {
    // eslint-disable-next-line no-control-regex -- as above
    const codes = /^\u001B\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (part !== "") svg += `<tspan class="${[...open].join(" ")}">${escaped(part)}</tspan>`;
      continue;
    }
    for (const code of codes.split(";")) {
      const name = CLASSES[code];
      if (name !== undefined) open.add(name);
      else if (code === "22") ["bold", "dim"].forEach((one) => open.delete(one));
      else if (code === "39")
        ["red", "green", "yellow", "blue", "cyan"].forEach((one) => open.delete(one));
      else open.clear();
    }
  }
  return svg;
}

// All lines are seen at first, as in print; after two seconds each one waits for its time again.
const STYLE = `
text { font: 13.5px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #1f2430 }
.frame { fill: #f7f8fa; stroke: #d6dae1 }
.bold { font-weight: 700 } .dim { fill: #6b7280 } .red { fill: #b42318 } .green { fill: #15803d } .yellow { fill: #a16207 }
.blue { fill: #1d4ed8 } .cyan { fill: #0e7490 } .prompt { fill: #6b7280 }
@media (prefers-color-scheme: dark) {
  text { fill: #e5e7eb } .frame { fill: #14171f; stroke: #2b303b }
  .dim, .prompt { fill: #9ca3af } .red { fill: #f87171 } .green { fill: #4ade80 } .yellow { fill: #facc15 }
  .blue { fill: #93c5fd } .cyan { fill: #67e8f9 }
}
@media screen and (prefers-reduced-motion: no-preference) {
  .line { animation: wait 0s 2s } @keyframes wait { from, to { opacity: 0 } }
}`;

function picture(title: string, lines: readonly Line[]): string {
  const last = lines.findLastIndex(({ text }) => text !== "") + 1;
  const shown = lines.slice(0, last).flatMap(({ at, text }) => {
    const pieces =
      stripVTControlCharacters(text).length <= COLUMNS ? [text] : wrapped(text, COLUMNS);
    return pieces.map((piece) => ({ at, text: piece }));
  });
  const width = Math.ceil(COLUMNS * CHARACTER) + 2 * PADDING;
  const height = Math.ceil(shown.length * LINE) + 2 * PADDING;
  const rows = shown.flatMap(({ at, text }, row) => {
    if (text.trim() === "") return [];
    const y = PADDING + row * LINE + 13;
    return `<text class="line" style="animation-duration:${at.toFixed(1)}s" x="${PADDING}" y="${y}">${spans(text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

const project = mkdtempSync(join(root, "test", ".pictures-"));
const env = { ...process.env, FORCE_COLOR: "1", HH_TEST: "" };

/** Runs a command and returns its lines with the seconds at which they came. */
async function run(args: readonly string[], from: number): Promise<Line[]> {
  const began = performance.now();
  const lines: Line[] = [{ at: from, text: `\u001B[90m$\u001B[39m npx hardhat ${args.join(" ")}` }];
  const child = spawn(process.execPath, [hardhatCli, ...args], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  createInterface({ input: child.stdout }).on("line", (text) => {
    lines.push({ at: from + TYPING + (performance.now() - began) / 1_000, text });
  });
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`hardhat ${args.join(" ")}: ${errors}`);
  const ended = lines.findLastIndex(({ text }) => text.trim() !== "") + 1;
  return [...lines.slice(0, ended), { at: lines.at(-1)?.at ?? from, text: "" }];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const port = await freePort();
writeFileSync(join(project, "package.json"), '{ "type": "module" }');
symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
writeFileSync(
  join(project, "hardhat.config.ts"),
  `import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp, hardhatViem, hardhatMocha],
  solidity: { version: "0.8.28", path: ${JSON.stringify(createRequire(import.meta.url).resolve("solc/soljson.js"))} },
  hdp: { local: { edition: "module-tasks" } },
  networks: { chain: { type: "http", url: "http://127.0.0.1:${port}" } },
});
`,
);
const images = join(root, "docs", "images");
const write = (name: string, title: string, lines: readonly Line[]): void => {
  writeFileSync(join(images, `${name}.svg`), picture(title, lines));
};
const node = spawn(
  process.execPath,
  [hardhatCli, "node", "--hostname", "127.0.0.1", "--port", String(port)],
  {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  },
);
try {
  await new Promise<void>((resolve, reject) => {
    let printed = "";
    node.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes("Started HTTP")) resolve();
    });
    node.once("exit", (code) => {
      reject(new Error(`hardhat node ended with ${String(code)}`));
    });
  });
  const started = await run(["hdp:init"], 0);
  const tests = await run(["test"], (started.at(-1)?.at ?? 0) + TYPING);
  write("tests", "hdp:init writes a project whose tests pass", [...started, ...tests]);

  // Blocks whose base fees differ, so that there is an average to see.
  writeFileSync(
    join(project, "mine.ts"),
    `import { network } from "hardhat";
const { hdp } = await network.create("chain");
for (const gwei of [9, 12, 11, 15, 24, 19, 14, 10, 8, 9, 13, 17, 12]) await hdp.mine(1, { baseFee: BigInt(gwei) * 10n ** 9n });
`,
  );
  await run(["run", "mine.ts"], 0);
  const task = {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "DatalakeCompute",
        datalake: {
          type: "BlockSampled",
          chainId: "ETHEREUM_SEPOLIA",
          blockRangeStart: 1,
          blockRangeEnd: 12,
          sampledProperty: "header.base_fee_per_gas",
        },
        compute: { aggregateFnId: "avg" },
      },
    ],
  };
  writeFileSync(join(project, "tasks", "fee.json"), JSON.stringify(task));
  const submit = ["hdp:submit", "tasks/fee.json", "--network", "chain"];
  write("submit", "hdp:submit computes, proves and finalizes a task", await run(submit, 0));
  const explain = ["hdp", "explain", "tasks/fee.json", "--network", "chain"];
  write("explain", "hdp explain shows each sample of a task", await run(explain, 0));
} finally {
  node.kill();
  rmSync(project, { recursive: true });
}

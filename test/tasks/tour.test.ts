import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { taskHash, parseTaskRequest } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { KEY_VARIABLE, remoteNetwork } from "../support/remote-project.js";
import { type CommandRun, keptOutput, runCommand } from "../support/run-command.js";
import { SERVICE_KEY, type ServiceServer, serviceServer } from "../support/service-server.js";

const KEEP_THEM = "HDP_KEEP_SCREENS=1 npx mocha test/tasks/tour.test.ts";
/** Kept screens, one file for each. Codes of colours stand as `‹36›`. */
const KEPT = join(import.meta.dirname, "screens");
/** What hdp:init writes. */
const WRITTEN = ["AGENTS.md", ".agents", ".gitignore", "gas-insurance", "contracts", "test"];
const WIDTHS = [60, 80, 120] as const;

const task = (property: string, fn: object, from = 0, to = 0): object => ({
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: from,
    blockRangeEnd: to,
    increment: 1,
    sampledProperty: property,
  },
  compute: fn,
});
const request = (...tasks: object[]): object => ({ destinationChainId: "ETHEREUM_SEPOLIA", tasks });
const FEE = request(task("header.base_fee_per_gas", { aggregateFnId: "avg" }, 1, 24));
const FILES: Readonly<Record<string, object>> = {
  "fee.json": FEE,
  "several.json": request(
    task("header.base_fee_per_gas", { aggregateFnId: "max" }, 1, 24),
    task(
      "account.0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266.balance",
      { aggregateFnId: "min" },
      2,
      4,
    ),
    task(
      "header.base_fee_per_gas",
      { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare: "25000000000" } },
      1,
      24,
    ),
  ),
  "wrong.json": request(
    task("header.base_fee", { aggregateFnId: "avg" }),
    task("header.number", { aggregateFnId: "count" }),
  ),
};

describe("a tour of the screens", () => {
  const folder = mkdtempSync(join(tmpdir(), "hdp-tour-"));
  let hre: HardhatRuntimeEnvironment;
  let server: ServiceServer;

  before(async () => {
    mkdirSync(join(folder, "tasks"));
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const [name, json] of Object.entries(FILES))
      writeFileSync(join(folder, "tasks", name), JSON.stringify(json));
    const chain = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, folder);
    server = await serviceServer(await chain.network.create());
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    hre = await environment();
    await submitTwo();
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A chain whose blocks are the same each time. */
  async function environment(): Promise<HardhatRuntimeEnvironment> {
    const made = await createHardhatRuntimeEnvironment(
      {
        plugins: [hardhatHdp],
        networks: {
          default: { type: "edr-simulated", initialDate: new Date("2026-01-01T00:00:00Z") },
          ...remoteNetwork(server.url, "tasks").networks,
        },
      },
      {},
      folder,
    );
    const { hdp } = await made.network.getOrCreate();
    const baseFee = Array.from(
      { length: 24 },
      (_, at) => BigInt(20 + ((at * 7) % 13)) * 10n ** 9n + 176_000_000n,
    );
    await hdp.mine(24, { baseFee, interval: 12 });
    return made;
  }

  /** Sends to a service: one that accepts, and one whose answer is lost. */
  async function submitTwo(): Promise<void> {
    const { hdp } = await hre.network.create("remote");
    server.state.id = "01JPJ03YJTW3Q8K2V5M7N9";
    await hdp.submit("tasks/several.json");
    server.state.mishap = "drop";
    await hdp.submit("tasks/fee.json").catch(() => undefined);
  }

  const FEE_HASH = taskHash(parseTaskRequest(FEE).tasks[0] ?? expect.fail());
  const SCREENS: Readonly<
    Record<string, readonly [command: string, args: Record<string, unknown>]>
  > = {
    "check-of-a-valid-file": ["check", { file: "tasks/several.json" }],
    "check-of-a-wrong-file": ["check", { file: "tasks/wrong.json" }],
    submit: ["submit", { file: "tasks/fee.json" }],
    "submit-of-several": ["submit", { file: "tasks/several.json" }],
    result: ["result", { taskHash: FEE_HASH }],
    verify: ["verify", { task: "tasks/fee.json" }],
    explain: ["explain", { file: "tasks/fee.json" }],
    "explain-of-a-count": ["explain", { file: "tasks/several.json", task: 3 }],
    list: ["list", {}],
    "list-of-unfinished": ["list", { unfinished: true }],
    overview: ["", {}],
    "fields-of-transactions": ["fields", { kind: "tx" }],
    doctor: ["doctor", {}],
    "error-of-a-number": ["error", { number: "4101" }],
    init: ["init", {}],
    "init-of-an-example": ["init", { example: "gas-insurance" }],
    node: ["node", { port: 0, hdpPort: 0 }],
  };

  for (const [name, [command, args]] of Object.entries(SCREENS)) {
    it(`shows ${name} as it was kept`, async () => {
      let kept = "";
      for (const width of WIDTHS) {
        for (const colour of [false, true]) {
          for (const one of WRITTEN) rmSync(join(folder, one), { recursive: true, force: true });
          const shown = await onTerminal(width, colour, async () => await run(command, args));
          kept += `=== ${width} columns${colour ? ", with colour" : ""}\n${shown}`;
        }
      }
      compare(`${name}.txt`, kept);
    });
  }

  it("shows in hdp:node the API version that the project's tests take", async () => {
    const project = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp: { local: { edition: "module-tasks" } } },
      {},
      folder,
    );
    const { stdout } = await run("node", { port: 0, hdpPort: 0 }, project);
    expect(stdout).to.contain('        apiKey: "local",\n            edition: "module-tasks",\n');
  });

  /** Runs a command; the overview is the task without a name, and hdp:node ends as by Ctrl-C. */
  async function run(
    command: string,
    args: Record<string, unknown>,
    project = hre,
  ): Promise<Pick<CommandRun, "stdout" | "error">> {
    const listeners = process.listeners("SIGINT");
    const interrupt = setInterval(() => {
      process.listeners("SIGINT").forEach((one) => listeners.includes(one) || one("SIGINT"));
    }, 20);
    try {
      return await runToItsEnd(command, args, project);
    } finally {
      clearInterval(interrupt);
    }
  }

  async function runToItsEnd(
    command: string,
    args: Record<string, unknown>,
    project: HardhatRuntimeEnvironment,
  ): Promise<Pick<CommandRun, "stdout" | "error">> {
    if (command !== "") return await runCommand(command, args, project);
    return await keptOutput(async () => {
      await project.tasks.getTask(["hdp"]).run({});
    });
  }

  /** What a command prints, and the message of its error, on a terminal of this width. */
  async function onTerminal(
    columns: number,
    colour: boolean,
    run: () => Promise<Pick<CommandRun, "stdout" | "error">>,
  ): Promise<string> {
    const { stdout, env } = process;
    const { isTTY, columns: before } = stdout;
    process.env = {
      ...env,
      // Whether a machine has Scarb and snforge is not shown.
      PATH: "",
      NO_COLOR: colour ? undefined : "1",
      FORCE_COLOR: colour ? "1" : undefined,
    };
    Object.assign(stdout, { isTTY: true, columns, getColorDepth: () => (colour ? 8 : 1) });
    try {
      const { stdout: text, error } = await run();
      return same(error instanceof Error ? `${text}${error.message}\n` : text);
    } finally {
      Object.assign(stdout, { isTTY, columns: before, getColorDepth: undefined });
      process.env = env;
    }
  }
});

/** What differs from run to run, as the same; escape characters as `‹…›`. */
function same(text: string): string {
  return (
    text
      .replaceAll(/\d\.\d s\b/g, "0.0 s")
      .replaceAll(/\d+ d \d+ h/g, "30 d 1 h")
      .replaceAll(/(?<=Node +|Hardhat +|viem +)\d+\.\d+\.\d+/g, "1.2.3")
      .replaceAll(/\bblock (?:2[4-9]|[3-9]\d)\b/g, "block 30")
      .replaceAll(/0x[0-9a-f]{4}…[0-9a-f]{4}/g, "0x1234…5678")
      .replaceAll(/\bblock \d+(?=,| \(0x)/g, "block 30")
      .replaceAll(/\d+,\d+ gas/g, "33,732 gas")
      .replaceAll(/\d+,\d+ bytes/g, "13,880 bytes")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:40000")
      .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g, "2026-01-01T00:00:00.000Z")
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        `0f8c7e1a-0000-4000-8000-${"0".repeat(12)}`,
      )
      .replaceAll(/^ {2}[0-9a-f]{8} /gm, "  0f8c7e1a ")
      // eslint-disable-next-line no-control-regex -- the codes of colours
      .replaceAll(/\u001b\[(\d+)m/g, "‹$1›")
  );
}

function compare(file: string, text: string): void {
  const path = join(KEPT, file);
  if (process.env["HDP_KEEP_SCREENS"] === "1") {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(path, text);
  }
  expect(
    text,
    `test/tasks/screens/${file} differs. To keep the new screen, and look at it: ${KEEP_THEM}`,
  ).to.equal(existsSync(path) ? readFileSync(path, "utf8") : "");
}

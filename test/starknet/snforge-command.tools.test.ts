import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";

import { cairoFolder } from "../../scripts/starknet/cairo-packages.js";
import { type CliResult, hardhat, root } from "../support/hardhat-cli.js";
import { withScarbCache } from "../support/scarb-cache.js";
import { type FolderFiles, withToolsLibrary, writeFiles } from "../support/snforge.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const EXAMPLE = join(root, "examples", "one-task-three-tests");
const CAIRO = `{ package: "cairo", fixtures: { tasks: ["tasks/fee.json"], out: "cairo/tests/fixtures.cairo" } }`;

const UNFINALIZED = "0xbe3a9bd28434357e26e61f59c5fe8cca56d9162be8c35bb34ff909a39ee467b3";
/** A test that reads a task which has no result. */
const READS_TOO_EARLY = `
use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait};

#[test]
fn reads_too_early() {
    let contract_address = hardhat_hdp_testing::deploy_execution_store().contract_address;
    let store = IExecutionStoreDispatcher { contract_address };
    store.getDataProcessorFinalizedTaskResult(${UNFINALIZED});
}
`;

describe("npx hardhat test cairo", function () {
  this.timeout(600_000);

  let project: string;

  /** The example in a folder of its own, with the given configuration of `hdp.cairo`. */
  function copyExample(cairo: string): string {
    const folder = mkdtempSync(join(root, "test", ".cairo-"));
    cpSync(EXAMPLE, folder, {
      recursive: true,
      filter: (path) => !/\/(artifacts|cache|target|node_modules)$/.test(path),
    });
    const config = readFileSync(join(folder, "hardhat.config.ts"), "utf8");
    writeFileSync(
      join(folder, "hardhat.config.ts"),
      config.replace("hdp: {", `hdp: { cairo: ${cairo},`),
    );
    return folder;
  }

  afterEach(() => {
    rmSync(project, { recursive: true, force: true });
  });

  it("says what to install where snforge is missing, and is not registered without a Cairo package", async () => {
    project = copyExample('{ package: "cairo", snforge: "no-such-snforge" }');
    const missing = await hardhat(["test", "cairo"], { cwd: project });
    expect(missing.code).to.equal(1);
    expect(missing.stderr)
      .to.contain("HDP-7031")
      .and.contain('the program "no-such-snforge" does not start');
    renameSync(join(project, "cairo", "Scarb.toml"), join(project, "cairo", "Scarb.lock"));
    const empty = await hardhat(["test", "cairo"], { cwd: project });
    expect(empty.code).to.equal(1);
    expect(empty.stderr)
      .to.contain("HDP-6073 in hdp.cairo.package: ")
      .and.contain('cairo" is not a Scarb package');
    const help = await hardhat(["test", "--help"], { cwd: EXAMPLE });
    expect(help.stdout).to.contain("test mocha").and.not.contain("test cairo");
  });

  it("computes fixtures anew and joins the summary and the exit code of npx hardhat test", async function () {
    const tools = starknetToolsOrSkip(this);
    project = copyExample(CAIRO);
    prepareScarb(project, tools);
    const fixtures = join(project, "cairo", "tests", "fixtures.cairo");
    const committed = readFileSync(fixtures, "utf8");
    writeFileSync(fixtures, "// out of date\n");
    const run = async (...args: string[]): Promise<CliResult> =>
      await withScarbCache(tools, join(project, "cairo"), async () => {
        return await hardhat(args, { cwd: project, env: tools.env });
      });
    const all = await run("test");
    expect(all.code, `${all.stdout}${all.stderr}`).to.equal(0);
    expect(all.stdout).to.contain("9 passing (3 solidity, 2 mocha, 4 cairo)");
    expect(readFileSync(fixtures, "utf8")).to.equal(committed);

    const chosen = await run("test", "cairo", "shuts_above");
    expect(chosen.code, chosen.stderr).to.equal(0);
    expect(chosen.stdout).to.contain("Tests: 1 passed, 0 failed, 0 ignored, 3 filtered out");

    // Another base fee, and the Cairo test that names the old result fails; and a read of a task without a result.
    const config = readFileSync(join(project, "hardhat.config.ts"), "utf8");
    const dearer =
      'networks: { default: { type: "edr-simulated", initialBaseFeePerGas: 8_000_000_000n } }';
    writeFileSync(
      join(project, "hardhat.config.ts"),
      config.replace("solidity: {", `${dearer},\n  solidity: {`),
    );
    appendFileSync(join(project, "cairo", "tests", "task_test.cairo"), READS_TOO_EARLY);
    const failing = await run("test", "cairo");
    expect(failing.code).to.equal(1);
    const halves = UNFINALIZED.slice(2).match(/.{32}/g) ?? [];
    const words = halves.map((half) => `0x${half}`).join(", ");
    expect(failing.stdout).to.contain(`('TASK_NOT_FINALIZED'), ${words}, `);
    expect(failing.stdout).to.contain(
      "[FAIL] cairo_integrationtest::task_test::the_task_file_is_this_task",
    );
    expect(readFileSync(fixtures, "utf8")).to.contain("FEE_RESULT: u256 = 0x1dcd65000;");
  });

  it("counts the tests of all packages of a workspace", async function () {
    const tools = starknetToolsOrSkip(this);
    project = mkdtempSync(join(root, "test", ".cairo-"));
    // Without its share in the workspace's settings, Scarb builds snforge's plugin with cargo.
    const member = (name: string, tests: string): FolderFiles => ({
      [`cairo/${name}/Scarb.toml`]: `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2024_07"\n\n[tool]\nscarb.workspace = true\n\n[dev-dependencies]\nsnforge_std.workspace = true\n`,
      [`cairo/${name}/src/lib.cairo`]: "pub fn one() -> felt252 {\n    1\n}\n",
      [`cairo/${name}/tests/lib.cairo`]: `#[test]\nfn holds() {\n    assert(${name}::one() == 1, 'one');\n}\n${tests}`,
    });
    const workspace =
      '[workspace]\nmembers = ["a", "b"]\n\n[workspace.dependencies]\nsnforge_std = "0.63.0"\n\n[workspace.tool.scarb]\nallow-prebuilt-plugins = ["snforge_std"]\n';
    writeFiles(project, {
      "package.json": '{ "name": "trial", "type": "module" }',
      "hardhat.config.ts":
        'import { defineConfig } from "hardhat/config";\nimport hardhatHdp from "hardhat-hdp";\n\nexport default defineConfig({\n  plugins: [hardhatHdp],\n  hdp: { cairo: { package: "cairo", snforgeArgs: ["--workspace"] } },\n});\n',
      "cairo/Scarb.toml": withToolsLibrary(workspace, tools),
      ...member("a", "#[test]\n#[ignore]\nfn is_slow() {}\n"),
      ...member("b", "#[test]\nfn fails() {\n    assert(b::one() == 2, 'two');\n}\n"),
    });
    const { code, stdout, stderr } = await withScarbCache(
      tools,
      join(project, "cairo"),
      async () => {
        return await hardhat(["test", "--no-compile"], { cwd: project, env: tools.env });
      },
    );
    expect(code, stderr).to.equal(1);
    expect(stdout, stderr).to.contain("Tests summary: 2 passed, 1 failed, 1 ignored");
    expect(stdout).to.match(/2 passing \(2 cairo\)\s+1 failing \(1 cairo\)/);
  });

  it("writes fixtures again when a task file changes", async function () {
    const tools = starknetToolsOrSkip(this);
    // What snforge says of the tests is held above: here it need only start.
    project = copyExample(CAIRO.replace("package:", 'snforge: "true", package:'));
    const fixtures = join(project, "cairo", "tests", "fixtures.cairo");
    writeFileSync(fixtures, "// out of date\n");
    const watching = start(["test", "cairo", "--watch"], project, tools.env);
    try {
      await until(() => watching.output().includes("Watching 1 task file"));
      expect(readFileSync(fixtures, "utf8")).to.contain("FEE_TASK");
      const tasks = join(project, "tasks", "fee.json");
      writeFileSync(tasks, readFileSync(tasks, "utf8").replace('"avg"', '"max"'));
      await until(() => readFileSync(fixtures, "utf8").includes("Task hash: maximum"));
      // As editors do that write beside the file and put it in its place, more than once.
      for (const [fn, title] of [
        ["min", "minimum"],
        ["sum", "sum"],
      ] as const) {
        writeFileSync(
          `${tasks}.new`,
          readFileSync(tasks, "utf8").replace(/"aggregateFnId": "\w+"/, `"aggregateFnId": "${fn}"`),
        );
        renameSync(`${tasks}.new`, tasks);
        await until(() => readFileSync(fixtures, "utf8").includes(`Task hash: ${title}`));
      }
    } finally {
      watching.child.kill("SIGINT");
    }
  });
});

/** Paths of the installed package become those of this repository, and snforge's library the tools'. */
function prepareScarb(project: string, tools: StarknetTools): void {
  const file = join(project, "cairo", "Scarb.toml");
  const manifest = readFileSync(file, "utf8").replaceAll(
    "../../../contracts/starknet/",
    cairoFolder,
  );
  writeFileSync(file, withToolsLibrary(manifest, tools));
}

function start(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): { readonly child: ChildProcess; output(): string } {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (holds()) return;
    await sleep(100);
  }
  throw new Error("It did not come to pass in a minute.");
}

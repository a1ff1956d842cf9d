import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { Address } from "viem";

import {
  type Eip1193Provider,
  openRecording,
  parseRecordingText,
} from "../../src/entries/local.js";
import { asModule, blockSampled, header, taskHash } from "../../src/entries/request.js";
import { finalizeTasks } from "../../src/entries/store.js";
import { command, type CliResult, fixtureProject, hardhat, root } from "../support/hardhat-cli.js";
import { serve, type RpcServer } from "../support/rpc-server.js";

/** The task of test/fixture-project/tasks/fee.json. */
const TASK = blockSampled({ from: 0, to: 0, property: header("base_fee_per_gas") }).avg();
const HASH = taskHash(TASK);
const MODULE_HASH = taskHash(asModule(TASK));
const WORD = `0x${"3b9aca00".padStart(64, "0")}` as const;

describe("hdp verify, hdp explain and hdp record", () => {
  let provider: Eip1193Provider;
  let server: RpcServer;
  let folder: string;
  let store: Address;

  const onNode = async (...args: string[]): Promise<CliResult> =>
    await hardhat([...args, "--config", "node.config.ts", "--network", "served"], {
      env: { HDP_TEST_NODE: server.url },
    });

  /** What results of this moment rest on. */
  async function head(): Promise<unknown> {
    const block = await provider.request({
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    });
    const { hash, number } = block as { hash: string; number: string };
    const source = { network: "served", chainId: "31337", chain: "ETHEREUM_SEPOLIA" };
    return { kind: "node", hash, number: BigInt(number).toString(), source };
  }

  before(async () => {
    provider = (await (await createHardhatRuntimeEnvironment({})).network.create()).provider;
    server = await serve(provider);
    folder = await mkdtemp(join(tmpdir(), "hdp-cli-inspection-"));
    const { stdout, stderr, code } = await onNode("hdp:submit", "tasks/fee.json", "--json");
    expect(code, stderr).to.equal(0);
    store = (JSON.parse(stdout) as { results: { store: Address }[] }).results[0]?.store ?? "0x";
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("verifies what another process finalized", async () => {
    const { code, stdout, stderr } = await onNode(
      "hdp",
      "verify",
      "tasks/fee.json",
      "--store",
      store,
    );
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain("average of header.base_fee_per_gas").and.to.contain(HASH);
    expect(stdout)
      .to.contain(`Stored    1 gwei on average   (${WORD})`)
      .and.to.contain(`Computed  1 gwei on average   (${WORD})`);
    expect(stdout)
      .to.contain("1 sample, all proven")
      .and.to.contain("✔ The stored value is the one that chain data gives.");
  });

  it("shows both words and the first values of a difference, and exits with 1", async () => {
    await finalizeTasks({
      provider,
      store,
      results: [{ taskHash: HASH, word: `0x${"7".padStart(64, "0")}` }],
    });
    const { code, stdout, stderr } = await onNode(
      "hdp",
      "verify",
      "tasks/fee.json",
      "--store",
      store,
    );
    expect(code).to.equal(1);
    expect(stderr).to.equal("");
    expect(stdout)
      .to.contain("Stored    0.000000007 gwei on average   (0x")
      .and.to.contain("Computed  1 gwei");
    expect(stdout)
      .to.contain("✘ The stored value is not the one")
      .and.to.contain("block 0   1,000,000,000   proven");
    const json = await onNode("hdp", "verify", "tasks/fee.json", "--store", store, "--json");
    expect(json.code).to.equal(1);
    const document = JSON.parse(json.stdout) as { agrees: boolean; results: unknown[] };
    expect(document.agrees).to.equal(false);
    expect(document.results).to.deep.equal([
      {
        anchor: await head(),
        taskHash: HASH,
        store,
        agrees: false,
        stored: `0x${"7".padStart(64, "0")}`,
        computed: WORD,
        samples: 1,
        proven: true,
        firstSamples: [{ block: "0", value: "1000000000", proven: true }],
      },
    ]);
  });

  it("says when nothing is stored, and of several tasks how many agree", async () => {
    const input = await readFile(
      join(import.meta.dirname, "..", "fixture-project", "tasks", "fee.json"),
      "utf8",
    );
    const request = JSON.parse(input) as { tasks: { compute: unknown }[] };
    request.tasks.push(
      ...request.tasks.map((task) => ({ ...task, compute: { aggregateFnId: "max" } })),
    );
    const { code, stdout } = await hardhat(["hdp", "verify"], { input: JSON.stringify(request) });
    expect(code).to.equal(1);
    expect(stdout)
      .to.contain("✘ Nothing is finalized under this hash.")
      .and.to.contain("✘ 0 of 2 tasks agree.");
  });

  it("leaves an output file as it was where the disk is full", async () => {
    const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
    const full = ["-c", 'ulimit -f 1 && exec "$@"', "sh", process.execPath, cli];
    const out = join(folder, "full.svg");
    const explain = async (): Promise<CliResult> =>
      await command("sh", [...full, "hdp", "explain", "tasks/fee.json", "--out", out], {
        cwd: fixtureProject,
      });
    const first = await explain();
    expect(first.code, first.stderr).to.equal(1);
    expect(first.stderr).to.match(/HDP-6207 in --out: ".*full\.svg" can't be written \(EFBIG\)\./);
    expect((await readdir(folder)).filter((name) => name.startsWith("full"))).to.deep.equal([]);
    await writeFile(out, "before", { mode: 0o640 });
    expect((await explain()).stderr).to.contain("HDP-6207");
    expect(await readFile(out, "utf8")).to.equal("before");
    expect((await hardhat(["hdp", "explain", "tasks/fee.json", "--out", out])).code).to.equal(0);
    expect(await readFile(out, "utf8")).to.match(/^<svg /);
    expect((await stat(out)).mode & 0o777).to.equal(0o640);
  });

  it("explains on the screen, in a file and as JSON", async () => {
    for (const [extension, says] of [["svg", "<svg "], ["csv", "block,value,proven,aggregate\n0,1000000000,true,"], ["json", '"unit": "block"']] as const) {
      const out = join(folder, `fee.${extension}`);
      const { code, stdout, stderr } = await hardhat(["hdp", "explain", "tasks/fee.json", "--out", out]);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.contain("1 gwei ┤█████").and.to.contain(`✔ Written to ${out}`);
      expect(await readFile(out, "utf8")).to.contain(says);
    } // prettier-ignore
    const { stdout, stderr } = await hardhat([
      "hdp",
      "explain",
      "tasks/history.json",
      "--json",
      "--task",
      "1",
    ]);
    expect(JSON.parse(stdout)).to.deep.equal({
      error: {
        code: "HDP-4101",
        message: "block 63 does not exist, the latest block of the chain is 0.",
        path: null,
        hints: ["Read up to block 0, or wait for block 63."],
      },
    });
    expect(stderr).to.contain("HDP-4101");
    const json = await hardhat(["hdp", "explain", "tasks/fee.json", "--json", "--open"], {
      env: { BROWSER: "none" },
    });
    const page = await readFile(/Page +(\S+run\.html)/.exec(json.stderr)?.[1] ?? "", "utf8");
    expect(page).to.contain('"spoken":"1 gwei on average"');
    expect(JSON.parse(json.stdout)).to.deep.include({
      taskHash: HASH,
      value: "1000000000",
      elements: "1",
    });
  });

  it("records a fixture that can be opened", async () => {
    const out = join(folder, "fixtures", "fee.json");
    const { code, stdout, stderr } = await onNode(
      "hdp",
      "record",
      "tasks/fee.json",
      "-o",
      out,
      "--json",
    );
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({
      networkName: "served",
      out,
      taskHashes: [HASH, MODULE_HASH],
      chains: [{ chain: "ETHEREUM_SEPOLIA", nodeChainId: "31337", blocks: 1, nodes: 0 }],
    });
    const { taskHashes } = await openRecording(parseRecordingText(await readFile(out, "utf8")));
    expect(taskHashes).to.deep.equal([HASH, MODULE_HASH]);
  });

  const wrongInputs: readonly { name: string; args: string[]; code: string; says: string }[] = [
    { name: "another format", args: ["hdp", "explain", "tasks/none.json", "-o", "x.png"], code: "HDP-6003", says: ".svg, .csv, .json" },
    { name: "an unknown hash", args: ["hdp", "verify", `0x${"12".repeat(32)}`], code: "HDP-6204", says: "0x1212" },
    { name: "a task that is not there", args: ["hdp", "explain", "tasks/fee.json", "--task", "2"], code: "HDP-6003", says: "the request has 1" },
    { name: "recording to nowhere", args: ["hdp", "record", "tasks/fee.json"], code: "HDP-6016", says: "--out" },
  ]; // prettier-ignore
  for (const { name, args, code: expected, says } of wrongInputs) {
    it(`refuses ${name} without a stack`, async () => {
      const { code, stdout, stderr } = await hardhat(args);
      expect(code).to.equal(1);
      expect(stderr).to.contain(expected).and.to.contain(says);
      expect(stderr).not.to.match(/\n\s+at /);
      expect(stdout).to.equal("");
    });
  }
});

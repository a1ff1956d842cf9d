import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { fixtureProject, root } from "../support/hardhat-cli.js";

interface RunningNode {
  readonly output: string;
  readonly chain: string;
  readonly front: string;
  /** As Ctrl-C does. Resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

async function runNode(...args: readonly string[]): Promise<RunningNode> {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  const ports = ["--hostname", "127.0.0.1", "--port", "0", "--hdp-port", "0"];
  const child = spawn(process.execPath, [cli, "hdp:node", ...ports, ...args], {
    cwd: fixtureProject,
    env: { ...process.env, NO_COLOR: "1", HH_TEST: "", NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes("Ctrl-C ends both.")) resolve();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    void ended.then((code) => {
      reject(new Error(`hdp:node ended with ${code ?? "a signal"}: ${output}`));
    });
  });
  const address = (name: string): string =>
    new RegExp(`${name}\\s+(http://127\\.0\\.0\\.1:\\d+)`).exec(output)?.[1] ?? "";
  return {
    output,
    chain: address("Chain"),
    front: address("Data processor"),
    interrupt: async () => {
      child.kill("SIGINT");
      return await ended;
    },
  };
}

describe("hdp:node", () => {
  it("runs a chain and the front beside it, keeps the key to itself and ends with Ctrl-C", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "hdp-node-"));
    const key = "sk_node-8Wq3";
    const node = await runNode("--api-key", key, "--data-dir", dataDir);
    try {
      expect(node.output).to.include(dataDir).and.include("/swagger/").and.not.include(key);
      const info = (await (await fetch(node.front)).json()) as { chainUrl: string; executionStore: string };
      expect(info.chainUrl).to.equal(node.chain);
      expect(node.output).to.include(info.executionStore);
      const code = await fetch(node.chain, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getCode", params: [info.executionStore, "latest"] }),
      });
      expect(((await code.json()) as { result: string }).result.length).to.be.greaterThan(100);
      expect((await fetch(`${node.front}/grow-orders`, { headers: { "api-key": "other" } })).status).to.equal(403);
      expect((await fetch(`${node.front}/grow-orders`, { headers: { "api-key": key } })).status).to.equal(200);
    } finally {
      expect(await node.interrupt()).to.equal(0);
      await rm(dataDir, { recursive: true, force: true });
    }
  }).timeout(60_000);
});

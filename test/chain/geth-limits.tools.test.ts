import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { Hex } from "viem";

import { evaluate } from "../../src/entries/local.js";
import { httpReads } from "../../src/base/http-reads.js";
import { account, blockSampled, header, toTaskJson } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { hdpFailure } from "../support/failure.js";
import { freePort, gethEnv, hasGeth } from "../support/geth.js";
import { runCommand } from "../support/run-command.js";

const BLOCKS = 160;
const TO = "0x00000000000000000000000000000000000000aa";

for (const scheme of ["path", "hash"]) {
  describe(`a geth that keeps no old state (${scheme} scheme) and limits batches`, function () {
    this.timeout(180_000);
    let folder = join(tmpdir(), "hdp-geth-limits-none");
    let child: ChildProcess | undefined;
    let url: string;
    let head: bigint;

    const rpc = async (method: string, ...params: unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const reply = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const { result } = (await reply.json()) as { result: unknown };
      return result;
    };

    before(async function () {
      if (!hasGeth()) {
        console.log("      skipped: no geth on this machine");
        this.skip();
      }
      folder = await mkdtemp(join(tmpdir(), "hdp-geth-limits-"));
      const port = String(await freePort());
      url = `http://127.0.0.1:${port}`;
      const args = [
        "--dev",
        "--dev.period",
        "0",
        "--datadir",
        join(folder, "data"),
        "--state.scheme",
        scheme,
      ];
      args.push(
        "--history.state",
        "32",
        "--http",
        "--http.port",
        port,
        "--http.api",
        "eth,net,web3,dev",
      );
      args.push("--rpc.batch-request-limit", "7", "--rpc.batch-response-max-size", "6000");
      args.push(
        "--ipcdisable",
        "--nodiscover",
        "--port",
        "0",
        "--authrpc.port",
        String(await freePort()),
      );
      child = spawn("geth", args, { stdio: "ignore", env: gethEnv });
      while ((await rpc("eth_chainId").catch(() => undefined)) === undefined) {
        if (child.exitCode !== null) throw new Error(`geth ended with ${child.exitCode}`);
        await sleep(100);
      }
      const [from] = (await rpc("eth_accounts")) as Hex[];
      for (let sent = 0; sent < BLOCKS; sent += 1) {
        const hash = await rpc("eth_sendTransaction", { from, to: TO, value: "0x1" });
        while ((await rpc("eth_getTransactionReceipt", hash)) === null) await sleep(5);
      }
      head = BigInt((await rpc("eth_blockNumber")) as Hex);
    });
    after(async () => {
      if (child !== undefined) {
        const ended = once(child, "exit");
        child.kill("SIGINT");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    });

    const provider = () => httpReads({ url: async () => await Promise.resolve(url) });
    const balances = (from: bigint, to: bigint) =>
      blockSampled({ from, to, property: account(TO, "balance") }).max();

    it("gives all headers and late balances, proven, in batches as small as it takes them", async () => {
      const headers = blockSampled({ from: 0n, to: head, property: header("number") }).sum();
      const all = await evaluate(headers, { provider: provider(), prove: "require" });
      expect(all).to.deep.equal({
        value: (head * (head + 1n)) / 2n,
        samples: Number(head) + 1,
        proven: true,
      });
      const late = await evaluate(balances(head - 60n, head), {
        provider: provider(),
        prove: "require",
      });
      expect(late).to.deep.equal({ value: BigInt(BLOCKS), samples: 61, proven: true });
    });

    it("names the block and its distance from the head before it computes anything", async () => {
      for (const prove of ["require", "when-possible"] as const) {
        const { code, shortMessage } = await hdpFailure(
          evaluate(balances(1n, 3n), { provider: provider(), prove }),
        );
        expect([code, prove], shortMessage).to.deep.equal(["HDP-4208", prove]);
        expect(shortMessage).to.contain(`block 1, ${head - 1n} blocks behind its head ${head},`);
      }
      await writeFile(join(folder, "package.json"), "{}");
      const request = {
        destinationChainId: "ETHEREUM_SEPOLIA",
        tasks: [toTaskJson(balances(1n, 3n))],
      };
      await writeFile(join(folder, "old.json"), JSON.stringify(request));
      const networks = {
        dev: { type: "http" as const, url, hdp: { dataProcessor: "local" as const } },
      };
      const hre = await createHardhatRuntimeEnvironment(
        { plugins: [hardhatHdp], networks },
        { network: "dev" },
        folder,
      );
      const { stdout } = await runCommand("check", { file: join(folder, "old.json") }, hre);
      expect(stdout).to.match(
        /✘ the node has no state of block 1, \d+ blocks behind its head \d+, .*\(HDP-4208\)/,
      );
      expect(stdout).to.contain("1 with blocks or state that are not there");
    });

    it("lets hdp doctor say its limit of batches, and from which block on it has state", async () => {
      await writeFile(join(folder, "package.json"), "{}");
      const hre = await createHardhatRuntimeEnvironment(
        { plugins: [hardhatHdp], networks: { dev: { type: "http", url } } },
        { network: "dev" },
        folder,
      );
      const { stdout } = await runCommand("doctor", {}, hre);
      expect(stdout)
        .to.match(/✔ answers +Geth\/\S+, at block \d+/)
        .and.to.match(/! batches +7 calls in one request\n +Long ranges take many requests/)
        .and.to.match(/✔ proofs +right, for an account and a slot in block \d+/)
        .and.to.match(/✔ transactions +those of block \d+ are proven/);
      const [, latest, from] =
        /! old state +accounts and slots of the latest (\d+) blocks only, from block (\d+) on\n +Start geth with --gcmode archive/.exec(
          stdout,
        ) ?? [];
      expect(Number(latest), stdout).to.be.within(33, 140);
      expect(Number(from)).to.equal(Number(head) - Number(latest) + 1);
      const first = BigInt(from ?? 0);
      await evaluate(balances(first, first), { provider: provider(), prove: "require" });
      const earlier = evaluate(balances(first - 1n, first), { provider: provider() });
      expect(await hdpFailure(earlier)).to.include({ code: "HDP-4208" });
    });
  });
}

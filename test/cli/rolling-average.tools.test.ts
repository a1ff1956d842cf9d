import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { createPublicClient, getAddress, http, parseAbi } from "viem";

import { hardhat, root } from "../support/hardhat-cli.js";
import { type RunningNode, runServer } from "../support/running-node.js";
import { Chance } from "../simulation/chance.js";

const ABI = parseAbi(["function deliveries(uint256 period) view returns (uint256)"]);
const PERIODS = 5n;
const SEED = Number(process.env["HDP_SEED"] ?? Date.now() % 1_000_000);

describe("the job of the recipe rolling-average", function () {
  this.timeout(400_000);
  let folder: string;
  let node: RunningNode | undefined;

  before(async () => {
    folder = await mkdtemp(join(root, "test", ".rolling-"));
    await cp(join(root, "examples", "rolling-average"), folder, { recursive: true });
    const file = join(folder, "hardhat.config.ts");
    const config = (await readFile(file, "utf8")).replace(
      'solidity: "0.8.28"',
      'solidity: { version: "0.8.28", path: createRequire(import.meta.url).resolve("solc/soljson.js") },\n  networks: { running: { type: "http", url: process.env.CHAIN ?? "http://127.0.0.1:1" } }',
    );
    await writeFile(file, `import { createRequire } from "node:module";\n${config}`);
    const ports = ["--hostname", "127.0.0.1", "--port", "0", "--hdp-port", "0"];
    node = await runServer(["hdp:node", ...ports], folder);
  });
  after(async () => {
    await node?.interrupt();
    await rm(folder, { recursive: true, force: true });
  });

  it(`delivers each period exactly once while it is killed at random and started again (HDP_SEED=${SEED})`, async () => {
    const chance = new Chance(SEED);
    const chain = node?.chain ?? "";
    const env = { CHAIN: chain };
    const deployed = await hardhat(["run", "jobs/deploy.ts", "--network", "running"], {
      cwd: folder,
      env,
    });
    expect(deployed.code, deployed.stderr).to.equal(0);
    const address = getAddress(/0x[0-9a-fA-F]{40}\s*$/.exec(deployed.stdout)?.[0].trim() ?? "");
    const client = createPublicClient({ transport: http(chain), cacheTime: 0 });
    const deliveriesOf = async (period: bigint): Promise<bigint> =>
      await client.readContract({
        address,
        abi: ABI,
        functionName: "deliveries",
        args: [period],
      });
    const mineTo = async (block: bigint): Promise<void> => {
      while ((await client.getBlockNumber()) < block)
        await client.request({ method: "evm_mine" as never, params: [] as never });
    };

    let kills = 0;
    for (let period = 0n; period < PERIODS; period += 1n) {
      await mineTo(period * 10n + 9n);
      for (let attempt = 0; (await deliveriesOf(period)) === 0n; attempt += 1) {
        // The last attempts are left alone.
        const life = attempt < 3 ? chance.between(900, 4_000) : 60_000;
        kills += (await runJob(folder, { ...env, ROLLING_AVERAGE: address }, life)) ? 1 : 0;
        expect(attempt, "attempts of a period").to.be.lessThan(6);
      }
      if (chance.happens(0.5)) await runJob(folder, { ...env, ROLLING_AVERAGE: address }, 3_000);
    }
    expect(kills).to.be.greaterThan(0);
    const counts = await Promise.all([0n, 1n, 2n, 3n, 4n].map(deliveriesOf));
    expect(counts).to.deep.equal([1n, 1n, 1n, 1n, 1n]);
  });
});

/** Runs the job, and kills it after some milliseconds. @returns whether it was killed */
async function runJob(cwd: string, env: Record<string, string>, life: number): Promise<boolean> {
  const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
  const child = spawn(process.execPath, [cli, "run", "jobs/run.ts", "--network", "running"], {
    cwd,
    env: { ...process.env, ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const end = new AbortController();
  const killed = sleep(life, undefined, { signal: end.signal }).then(
    () => child.kill("SIGKILL"),
    () => false,
  );
  const code = await ended;
  end.abort();
  if (code !== null) expect(code, output).to.equal(0);
  return (await killed) && code === null;
}

import { spawn } from "node:child_process";
import { join } from "node:path";

import { expect } from "chai";
import { numberToHex } from "viem";

import { finalizeTasksOnStarknet, ownStarknetMock } from "../../src/store/starknet/mock.js";
import { openStarknetExecutionStore } from "../../src/store/starknet/starknet-execution-store.js";
import { root } from "../support/hardhat-cli.js";
import { type DevnetAccount, StarknetDevnet } from "../support/starknet-devnet.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const ROUNDS = 10;
const PROCESSES = 3;
const word = (value: bigint): `0x${string}` => numberToHex(value, { size: 32 });

describe("several processes with one account of a devnet", function () {
  this.timeout(1_200_000);

  let tools: StarknetTools;

  before(function () {
    tools = starknetToolsOrSkip(this);
  });

  async function firstUse(rpcUrl: string, { address, privateKey }: DevnetAccount, number: number): Promise<string> {
    const script = join(import.meta.dirname, "processes", "first-use.ts");
    const child = spawn(process.execPath, ["--import", "tsx", script, rpcUrl, address, number.toString()], {
      cwd: root,
      env: { ...process.env, TEST_KEY: privateKey },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return await new Promise((done) => child.on("close", (code) => done(`${String(code)} ${output}`)));
  }

  it("all deploy the same mock and finalize in it, ten times on a fresh devnet", async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const devnet = await StarknetDevnet.start(tools);
      try {
        const { rpcUrl } = devnet;
        const account = await devnet.account();
        const runs = Array.from({ length: PROCESSES }, async (_, number) => await firstUse(rpcUrl, account, number));
        const ended = await Promise.all(runs);
        const stores = ended.map((text) => /^0 \{"store":"(0x[0-9a-f]{64})"/.exec(text)?.[1]);
        expect(new Set(stores).size, `round ${round.toString()}: ${ended.join("\n")}`).to.equal(1);
        const [address = ""] = stores;
        const store = await openStarknetExecutionStore({ rpcUrl, address });
        for (const [task, value] of [
          [1n, 7n],
          [100n, 8n],
          [101n, 8n],
          [102n, 8n],
        ] as const) {
          expect((await store.readResult(word(task))).value).to.equal(value);
        }
      } finally {
        await devnet.end();
      }
    }
  });

  it("finalizes more tasks than a transaction may emit events", async () => {
    const devnet = await StarknetDevnet.start(tools);
    try {
      const { rpcUrl } = devnet;
      const { address: accountAddress, privateKey } = await devnet.account();
      const options = { rpcUrl, accountAddress, privateKey: () => privateKey };
      const address = await ownStarknetMock(options);
      const results = Array.from({ length: 1001 }, (_, index) => ({
        taskHash: word(BigInt(index + 1)),
        word: word(7n),
      }));
      await finalizeTasksOnStarknet({ ...options, address, results });
      const store = await openStarknetExecutionStore({ rpcUrl, address });
      for (const task of [1n, 500n, 501n, 1001n]) expect((await store.readResult(word(task))).value).to.equal(7n);
    } finally {
      await devnet.end();
    }
  });
});

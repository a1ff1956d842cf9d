import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { numberToHex } from "viem";

import { finalizeTasksOnStarknet, openStarknetExecutionStore } from "../../src/entries/store.js";
import { ownStarknetMock } from "../../src/store/starknet/mock.js";
import { root } from "../support/hardhat-cli.js";
import { type DevnetAccount, StarknetDevnet } from "../support/starknet-devnet.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const ROUNDS = 4;
const PROCESSES = 3;
const word = (value: bigint): `0x${string}` => numberToHex(value, { size: 32 });

describe("several processes with one account of a devnet", function () {
  this.timeout(1_200_000);

  let tools: StarknetTools;

  before(function () {
    tools = starknetToolsOrSkip(this);
  });

  it("all deploy the same mock and finalize in it, four times on a fresh devnet", async () => {
    const processes: UsingProcess[] = [];
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        const devnet = await StarknetDevnet.start(tools);
        try {
          const { rpcUrl } = devnet;
          // The same in each round: accounts follow from the seed.
          const account = await devnet.account();
          while (processes.length < PROCESSES)
            processes.push(new UsingProcess(account, processes.length));
          const ended = await Promise.all(processes.map(async (one) => await one.use(rpcUrl)));
          const stores = ended.map((text) => /^\{"store":"(0x[0-9a-f]{64})"/.exec(text)?.[1]);
          expect(new Set(stores).size, `round ${round.toString()}: ${ended.join("\n")}`).to.equal(
            1,
          );
          const [address] = stores;
          expect(address, ended.join("\n")).to.not.equal(undefined);
          const store = await openStarknetExecutionStore({ rpcUrl, address: address ?? "" });
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
    } finally {
      for (const one of processes) one.end();
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
      for (const task of [1n, 500n, 501n, 1001n])
        expect((await store.readResult(word(task))).value).to.equal(7n);
    } finally {
      await devnet.end();
    }
  });
});

/** A process that uses the account on one devnet after the other. */
class UsingProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #output = "";

  public constructor({ address, privateKey }: DevnetAccount, number: number) {
    const script = join(import.meta.dirname, "processes", "first-use.ts");
    this.#child = spawn(process.execPath, ["--import", "tsx", script, address, number.toString()], {
      cwd: root,
      env: { ...process.env, TEST_KEY: privateKey },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  /** Returns the line that it answers, or all it wrote where it ended. */
  public async use(rpcUrl: string): Promise<string> {
    this.#output = "";
    this.#child.stdin.write(`${rpcUrl}\n`);
    while (!/^\{.*\}\n/m.test(this.#output)) {
      if (this.#child.exitCode !== null)
        return `${this.#child.exitCode.toString()} ${this.#output}`;
      await sleep(20);
    }
    return /^\{.*\}$/m.exec(this.#output)?.[0] ?? "";
  }

  public end(): void {
    this.#child.kill();
  }
}

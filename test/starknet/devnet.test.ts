import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { z } from "zod";

import { isHdpError } from "../../src/base/errors.js";
import { declareStarknetMock, deployStarknetMock } from "../../src/store/starknet/devnet.js";
import { finalizeOnStarknet } from "../../src/store/starknet/finalize-on-starknet.js";
import { openStarknetExecutionStore } from "../../src/store/starknet/starknet-execution-store.js";
import { rpcTransport } from "./rpc-double.js";

const TASK = "0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307";
const WORD = "0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f";
const CLASS_HASH = "0x24a261e1b640ed2fd86064fa8a10a22a01ff36363e02398764ecc70cc040cfa";

describe("the Cairo mock on a Starknet network that refuses", () => {
  it("says what was refused, in the network's words and without its address", async () => {
    const { baseFetch } = rpcTransport(() => ({ error: { code: 63, message: "See https://node.invalid/SECRET" } }));
    const options = { rpcUrl: "http://node.invalid", baseFetch, accountAddress: "0x1", privateKey: () => "0x2" };
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      "declare the mock": () => declareStarknetMock(options),
      "finalize the task": () => finalizeOnStarknet({ ...options, address: "0x3", taskHash: TASK, word: WORD }),
    };
    for (const [what, work] of Object.entries(works)) {
      const error: unknown = await work().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!isHdpError(error, "HDP-8008")) throw new Error(`${what}: ${String(error)}`);
      expect(error.shortMessage).to.contain(`refused to ${what}`).and.contain("See <url>").and.not.contain("SECRET");
    }
  });
});

describe("the Cairo mock on a Starknet devnet", function () {
  this.timeout(180_000);

  const binary = process.env["HDP_STARKNET_DEVNET"] ?? "starknet-devnet";
  let devnet: ChildProcess | undefined;
  let rpcUrl: string;

  before(async function () {
    if (spawnSync(binary, ["--version"]).status !== 0) {
      console.log(`      skipped: no ${binary} (cargo install --locked starknet-devnet, or set HDP_STARKNET_DEVNET)`);
      this.skip();
    }
    const port = await freePort();
    rpcUrl = `http://127.0.0.1:${port}`;
    devnet = spawn(binary, ["--seed", "1", "--port", String(port)], { stdio: "ignore" });
    for (let tries = 0; tries < 300 && !(await alive(rpcUrl)); tries++) await sleep(100);
  });

  after(() => {
    devnet?.kill();
  });

  it("is declared, deployed and finalized, and its result is read back", async () => {
    const [account] = accounts.parse(await devnetCall(rpcUrl, "devnet_getPredeployedAccounts"));
    if (account === undefined) throw new Error("The devnet has no accounts.");
    const options = { rpcUrl, accountAddress: account.address, privateKey: () => account.private_key };
    const mock = await deployStarknetMock(options);
    expect(mock.classHash).to.equal(CLASS_HASH);
    expect((await declareStarknetMock(options)).transactionHash).to.equal(undefined);
    const store = await openStarknetExecutionStore({ rpcUrl, address: mock.address });
    expect(await store.status(TASK)).to.equal("none");
    const early: unknown = await store.readResult(TASK).catch((error: unknown) => error);
    expect(isHdpError(early, "HDP-3001")).to.equal(true);

    await finalizeOnStarknet({ ...options, address: mock.address, taskHash: TASK, word: WORD });
    expect(await store.status(TASK)).to.equal("finalized");
    expect((await store.readResult(TASK)).word).to.equal(WORD);
    const entrypoint = "getFinalizedTaskResult";
    const byAlias = await openStarknetExecutionStore({ rpcUrl, address: mock.address, entrypoint });
    expect((await byAlias.readResult(TASK)).word).to.equal(WORD);
    const stored = { rpcUrl, address: mock.address, entrypoint: "noSuchName", readStorage: true };
    expect((await (await openStarknetExecutionStore(stored)).readResult(TASK)).word).to.equal(WORD);

    const twice: unknown = await finalizeOnStarknet({
      ...options,
      address: mock.address,
      taskHash: TASK,
      word: WORD,
    }).catch((error: unknown) => error);
    expect(isHdpError(twice, "HDP-8008")).to.equal(true);
  });
});

const accounts = z.array(z.object({ address: z.string(), private_key: z.string() }));

async function devnetCall(url: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return z.object({ result: z.unknown() }).parse(await response.json()).result;
}

async function alive(url: string): Promise<boolean> {
  return await fetch(`${url}/is_alive`).then(
    (response) => response.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}

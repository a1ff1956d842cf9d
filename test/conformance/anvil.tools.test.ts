import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { createWalletClient, custom, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";

import { evaluate } from "../../src/entries/local.js";
import { httpReads } from "../../src/base/http-reads.js";
import {
  account,
  blockSampled,
  header,
  taskRequest,
  transactionsInBlock,
  tx,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { startServerBeside } from "../../src/plugin/local-node.js";
import { type Anvil, startAnvil } from "../support/anvil.js";
import { send } from "../support/clients.js";
import { hdpFailure } from "../support/failure.js";
import { foundryOrSkip } from "../support/foundry.js";
import { runCommand } from "../support/run-command.js";
import { compiledContract } from "../support/compiled-contract.js";

/** anvil's first account, and its key. */
const MY_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ME = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const SEPOLIA_STORE = "0x396bF739f7b37D81f6CdD4571fDEF298150db88f";
const numbers = (to: number, from = 1) =>
  blockSampled({ from, to, property: header("number") }).sum();
const nonces = (from: number, to: number) =>
  blockSampled({ from, to, property: account(ME, "nonce") }).max();

describe("anvil", () => {
  let folder: string;
  const running: Anvil[] = [];

  before(async function () {
    foundryOrSkip(this, "anvil");
    folder = await mkdtemp(join(tmpdir(), "hdp-anvil-"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (anvil) => await anvil.stop()));
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function connect({ url }: Anvil, service = false): Promise<NetworkConnection> {
    const hre = await createHardhatRuntimeEnvironment(
      {
        plugins: [hardhatHdp],
        ...(service
          ? { hdp: { dataProcessor: { url: "http://127.0.0.1:1", apiKey: "key" } } }
          : {}),
        networks: { anvil: { type: "http", url } },
      },
      {},
      folder,
    );
    return await hre.network.create("anvil");
  }

  async function anvil(...options: readonly string[]): Promise<NetworkConnection> {
    const started = await startAnvil(...options);
    running.push(started);
    return await connect(started);
  }

  it("gives no state root in block 0, and proves accounts from block 1 on", async () => {
    const { hdp } = await anvil();
    const { message } = await hdpFailure(hdp.run(nonces(0, 0)));
    expect(message)
      .to.contain("HDP-4202")
      .and.contain("as block 0 of anvil has: sample from block 1 on");
    expect((await hdp.run(numbers(0, 0)))[0]).to.include({ value: 0n, proven: true });
    await hdp.mine(2);
    expect((await hdp.run(nonces(1, 3)))[0]).to.include({ proven: true });
  });

  it("lets hdp doctor say that it can't prove block 0, or transactions of a block with blobs", async () => {
    const started = await startAnvil();
    running.push(started);
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], networks: { anvil: { type: "http", url: started.url } } },
      { network: "anvil" },
      folder,
    );
    const { provider } = await hre.network.create("anvil");
    await provider.request({ method: "anvil_mine", params: ["0x1"] });
    const client = createWalletClient({
      account: privateKeyToAccount(MY_KEY),
      chain: foundry,
      transport: custom(provider),
    });
    const point = new Uint8Array([0xc0, ...new Uint8Array(47)]);
    const kzg = { blobToKzgCommitment: () => point, computeBlobKzgProof: () => point };
    const blobs = [new Uint8Array(131_072)];
    const fees = { maxFeePerBlobGas: 10n ** 10n, maxFeePerGas: 10n ** 10n };
    await client.sendTransaction({ type: "eip4844", blobs, kzg, to: ME, ...fees });
    // anvil mines after it has answered.
    while ((await provider.request({ method: "eth_blockNumber" })) !== "0x2") await sleep(20);
    const { stdout } = await runCommand("doctor", {}, hre);
    expect(stdout)
      .to.match(/✔ answers +anvil\/v[\d.]+\S*, at block 2/)
      .and.to.match(/✔ batches +100 calls in one request/)
      .and.to.match(/✔ proofs +right, /)
      .and.to.match(
        /! block 0 +its header has the root of an empty state: .*\n +Sample from block 1/,
      )
      .and.to.match(/! transactions +those of block 2, which has blobs, can't be proven: /);
  });

  it("mines every block of hardhat_mine, and proves what anvil_ methods set after one block", async () => {
    const { hdp, provider } = await anvil();
    await provider.request({ method: "hardhat_mine", params: ["0xc"] });
    const set = "0x00000000000000000000000000000000000000ab";
    await provider.request({ method: "anvil_setBalance", params: [set, "0x7"] });
    await provider.request({
      method: "anvil_setStorageAt",
      params: [set, "0x1", numberToHex(9, { size: 32 })],
    });
    const balance = (at: number) =>
      blockSampled({ from: at, to: at, property: account(set, "balance") }).max();
    const { message } = await hdpFailure(hdp.run(balance(12)));
    expect(message)
      .to.contain("HDP-4202")
      .and.contain("anvil_setStorageAt and the like")
      .and.contain("mine one block");
    await hdp.mine();
    expect((await hdp.run(balance(13)))[0]).to.include({ value: 7n, proven: true });
    expect((await hdp.run(nonces(1, 11)))[0]).to.include({ samples: 11, proven: true });
  });

  it("proves transactions of impersonated senders, which have no signature", async () => {
    const { hdp, provider } = await anvil("--auto-impersonate");
    const from = "0x00000000000000000000000000000000000000bb";
    await provider.request({ method: "anvil_setBalance", params: [from, "0xde0b6b3a7640000"] });
    const { blockNumber } = await send(provider, { from, to: ME, value: "0x3" });
    const task = transactionsInBlock({
      block: blockNumber,
      from: 0,
      to: 1,
      property: tx("value"),
    }).sum();
    expect((await hdp.run(task))[0]).to.include({ value: 3n, proven: true });
  });

  it("serves as the chain of a development server beside it", async () => {
    const first = await anvil();
    const node = await startServerBeside(first, {
      hdpPort: 0,
      apiKey: undefined,
      dataDir: undefined,
    });
    try {
      const dataProcessor = { url: node.server.url, apiKey: "local" };
      const hdp = { dataProcessor, executionStore: { address: node.executionStore } };
      const networks = { anvil: { type: "http" as const, url: running[0]?.url ?? "", hdp } };
      const hre = await createHardhatRuntimeEnvironment(
        { plugins: [hardhatHdp], networks },
        {},
        folder,
      );
      const connection = await hre.network.create("anvil");
      const [{ value, store }] = await connection.hdp.run(numbers(1));
      expect([value, store]).to.deep.equal([1n, node.executionStore]);
    } finally {
      await node.close();
    }
  });

  it("keeps store and results in a --state file, and old state with --preserve-historical-states", async () => {
    for (const kept of [[], ["--preserve-historical-states"]]) {
      const options = ["--state", join(folder, `state-${kept.length}.json`), ...kept];
      const first = await anvil(...options);
      await first.hdp.mine(3);
      const [{ store, value }] = await first.hdp.run(numbers(2));
      await running.pop()?.stop();
      const { hdp } = await anvil(...options);
      expect(await hdp.store.current({ deploy: false })).to.include({ address: store });
      expect(await hdp.readResult(numbers(2))).to.include({ value });
      expect((await hdp.run(numbers(3)))[0]).to.include({ value: 6n, proven: true });
      if (kept.length > 0) expect((await hdp.run(nonces(1, 3)))[0]).to.include({ proven: true });
      else {
        const { message } = await hdpFailure(hdp.run(nonces(1, 3)));
        expect(message)
          .to.contain("HDP-4208")
          .and.contain("block 1,")
          .and.contain("--preserve-historical-states");
      }
    }
  });

  it("forks another node: old blocks are proven by that node, new ones are read unproven", async () => {
    const origin = await anvil("--chain-id", "777");
    await origin.hdp.mine(4);
    const { hdp } = await anvil("--fork-url", running[0]?.url ?? "");
    expect((await hdp.run(numbers(4)))[0]).to.include({ value: 10n, proven: true });
    expect((await hdp.run(nonces(1, 4)))[0]).to.include({ value: 0n, proven: true });
    const { to } = await hdp.mine(2);
    expect((await hdp.run(numbers(Number(to), Number(to))))[0]).to.include({
      value: to,
      proven: true,
    });
    expect((await hdp.run(nonces(Number(to), Number(to))))[0]).to.include({
      value: 3n,
      proven: false,
    });
    const strict = {
      provider: httpReads({ url: async () => await Promise.resolve(running[1]?.url ?? "") }),
    };
    const { code, message } = await hdpFailure(
      evaluate(nonces(Number(to), Number(to)), { ...strict, prove: "require" }),
    );
    expect(code).to.equal("HDP-4204");
    expect(message).to.contain("mined on a fork, and its header has no state root");
  });

  it("counts as a development chain with the id of a live one, and stands for no other known chain", async () => {
    const started = await startAnvil("--chain-id", "11155111");
    running.push(started);
    // A service for all networks is not used: this chain is for trying things out.
    const { hdp } = await connect(started, true);
    const own = blockSampled({
      chainId: "ETHEREUM_SEPOLIA",
      from: 0,
      to: 0,
      property: header("number"),
    }).sum();
    const [{ store }] = await hdp.run(own);
    expect(store).to.not.equal(SEPOLIA_STORE);
    const other = blockSampled({
      chainId: "BASE_MAINNET",
      from: 0,
      to: 0,
      property: header("number"),
    }).sum();
    const request = taskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [other] });
    expect((await hdpFailure(hdp.run(request))).message).to.contain("HDP-4605");
  });

  it("forks a chain with its published store, in which values of one's choice are written", async () => {
    const sepolia = await anvil("--chain-id", "11155111");
    const { contractAddress } = await send(sepolia.provider, {
      data: compiledContract("RealSatellite").bytecode,
    });
    const code: unknown = await sepolia.provider.request({
      method: "eth_getCode",
      params: [contractAddress, "latest"],
    });
    await sepolia.provider.request({ method: "anvil_setCode", params: [SEPOLIA_STORE, code] });
    await sepolia.hdp.mine();
    const { hdp } = await anvil("--fork-url", running[0]?.url ?? "");
    expect(await hdp.store.current()).to.include({ address: SEPOLIA_STORE, mock: false });
    expect(await hdp.finalize(numbers(2), 7n)).to.include({ value: 7n });
    expect(await hdp.readResult(numbers(2))).to.include({ value: 7n, store: SEPOLIA_STORE });
    expect((await hdpFailure(hdp.run(numbers(2)))).message)
      .to.contain("HDP-6024")
      .and.contain("hdp.finalize(task, value)");
    const { address } = await hdp.deployExecutionStore();
    expect((await hdp.run(numbers(1)))[0]).to.include({ store: address, proven: true });
  });
});

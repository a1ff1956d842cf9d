import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { type Abi, concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";

import hardhatHdp from "../../src/index.js";
import { ethCallAnswer, ethCallInputs } from "../../src/compute/proven-call.js";
import { outputDigest, rootOfFelt } from "../../src/entries/request.js";
import {
  DELEGATE,
  deployment,
  DIFFERING_OPCODES,
  DIFFERING_PRECOMPILES,
  type OpcodeCase,
} from "../conformance/eth-call/opcodes.js";
import { failure, hdpFailure } from "../support/failure.js";
import { withSlowClock } from "../support/jumping-clock.js";
import { root } from "../support/hardhat-cli.js";
import { runCommand } from "../support/run-command.js";
import { ethCallClass } from "../support/eth-call-class.js";
import { serve } from "../support/rpc-server.js";

const CLASS = ethCallClass();

describe("hdp.ethCall", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), "hdp-eth-call-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function connect(ethCallModule?: string, url?: string): Promise<NetworkConnection<string>> {
    const hre = await createHardhatRuntimeEnvironment(
      {
        plugins: [hardhatHdp],
        hdp: {
          // Submissions over a node are recorded, which is not to be seen by the tests beside.
          dataDir: join(folder, url === undefined ? "hdp" : "far"),
          local: ethCallModule === undefined ? {} : { ethCallModule },
        },
        networks: url === undefined ? {} : { far: { type: "http", url } },
      },
      {},
      folder,
    );
    return await hre.network.create(url === undefined ? undefined : "far");
  }

  it("says how to make the module where it is missing", async () => {
    const { hdp } = await connect();
    expect(await failure(hdp.ethCall({ to: `0x${"11".repeat(20)}`, data: "0x" })))
      .to.include("HDP-4424")
      .and.to.include("--template eth-call");
  });

  it("decodes an answer and refuses an output that is not one", () => {
    const digest = outputDigest("0xabcd");
    const printedFelts = [[7n], [21_000n, 0xabn, 0xcdn]];
    expect(ethCallAnswer({ retdata: [digest], printedFelts })).to.deep.equal({
      success: true,
      gasUsed: 21_000n,
      data: "0xabcd",
    });
    expect(ethCallAnswer({ retdata: [digest + (1n << 250n)], printedFelts })).to.deep.equal({
      success: false,
      gasUsed: 21_000n,
      data: "0xabcd",
    });
    for (const output of [
      { retdata: [], printedFelts },
      { retdata: [1n, digest], printedFelts },
      { retdata: [5n, 1n, 21_000n, 2n, 0xabn, 0xcdn], printedFelts },
      { retdata: [digest], printedFelts: [] },
      { retdata: [digest], printedFelts: [[]] },
      { retdata: [digest], printedFelts: [[21_000n, 0xabn, 0x1cdn]] },
      { retdata: [digest], printedFelts: [[21_000n, 0xcdn, 0xabn]] },
      { retdata: [digest], printedFelts: [[21_000n, 0xabn, 0xcdn, 0n]] },
      { retdata: [digest + (2n << 250n)], printedFelts: [[21_000n]] },
    ]) {
      expect(() => ethCallAnswer(output))
        .to.throw()
        .with.property("code", "HDP-4425");
    }
  });

  it("finalizes the call like any task and decodes it by the ABI", async function () {
    const { hdp, provider } = await connect(CLASS);
    const { address } = await hdp.deployExecutionStore();
    const abi: Abi = parseAbi(["function CHAIN_ID() view returns (uint256)"]);
    const answer = await hdp.ethCall({ to: address, abi, functionName: "CHAIN_ID" });
    const data: Hex = encodeFunctionData({ abi, functionName: "CHAIN_ID" });
    const expected: unknown = await provider.request({
      method: "eth_call",
      params: [{ to: address, data }, "latest"],
    });
    expect(answer.success).to.equal(true);
    expect(answer.data).to.equal(expected);
    expect(answer.value).to.equal(BigInt(String(expected)));
    expect(answer.result.proven).to.equal(true);
    expect((await hdp.readResult(answer.result.taskHash)).word).to.equal(answer.result.word);
    expect(answer.result.word, "as a contract computes it").to.equal(
      rootOfFelt(outputDigest(answer.data)),
    );
  });

  it("takes at most 13 round trips, the finalizing transaction's included, over a node without access lists", async () => {
    const { provider } = await (await createHardhatRuntimeEnvironment({})).network.create();
    const node = await serve(provider, { delayMs: 10 });
    const { hdp } = await connect(CLASS, node.url);
    const { address: to } = await hdp.deployExecutionStore();
    const abi: Abi = parseAbi(["function CHAIN_ID() view returns (uint256)"]);
    const before = node.trips();
    await withSlowClock(async () => {
      const call = await hdp.ethCall({ to, abi, functionName: "CHAIN_ID" });
      expect(call).to.include({ success: true });
    });
    expect(node.trips() - before).to.be.at.most(13);
    await node.close();
  });

  it("holds the run to the limits that the call names, which the next call names anew", async function () {
    const { hdp } = await connect(CLASS);
    const { address: to } = await hdp.deployExecutionStore();
    const abi: Abi = parseAbi(["function CHAIN_ID() view returns (uint256)"]);
    const call = { to, abi, functionName: "CHAIN_ID" };
    const { code } = await hdpFailure(hdp.ethCall(call, { maxSteps: 1_000 }));
    expect(code).to.equal("HDP-7109");
    const { code: memory } = await hdpFailure(hdp.ethCall(call, { maxMemoryCells: 10_000 }));
    expect(memory).to.equal("HDP-7110");
    expect((await hdp.ethCall(call)).success).to.equal(true);
  });

  describe("against the node's own answer", () => {
    let connection: NetworkConnection<string>;
    const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
      await connection.provider.request({ method, params: [...params] });

    before(async function () {
      connection = await connect(CLASS);
      for (let number = 1; number <= 17; number += 1)
        await rpc("hardhat_setBalance", pad(number), "0x1");
    });

    const pad = (number: number): Hex => numberToHex(number, { size: 20 });

    async function deploy(code: Hex): Promise<Hex> {
      const [from] = (await rpc("eth_accounts")) as readonly Hex[];
      const hash = await rpc("eth_sendTransaction", { from, data: deployment(code) });
      const receipt = (await rpc("eth_getTransactionReceipt", hash)) as {
        readonly contractAddress: Hex;
      };
      return receipt.contractAddress;
    }

    async function expectRefused(
      to: Hex,
      { ours, cause }: Pick<OpcodeCase, "ours" | "cause">,
    ): Promise<void> {
      const { code, message } = await hdpFailure(connection.hdp.ethCall({ to, data: "0x" }));
      expect(code, message).to.equal("HDP-4428");
      expect(message).to.match(ours).and.to.include(cause).and.to.include("Nothing was finalized");
      expect(message.includes("--even-if-different")).to.equal(
        !message.includes("gives no answer"),
      );
      expect(await connection.hdp.submissions.list(), "submissions").to.deep.equal([]);
    }

    for (const opcode of [...DIFFERING_OPCODES, ...DIFFERING_PRECOMPILES]) {
      it(`refuses to finalize ${opcode.name}`, async () => {
        await expectRefused(await deploy(opcode.code), opcode);
      });
    }

    it("refuses to finalize an account that EIP-7702 delegates, called or on the way", async () => {
      const delegated = pad(0x7702);
      await rpc("hardhat_setCode", delegated, concatHex(["0xef0100", await deploy(DELEGATE)]));
      await rpc("hardhat_mine");
      const caller = concatHex(["0x60205f5f5f73", delegated, "0x5afa5060205ff3"]);
      const cause = "an account delegated by EIP-7702";
      await expectRefused(delegated, { ours: /reverts with 0x/, cause });
      await expectRefused(await deploy(caller), { ours: /returns 0x/, cause });
    });

    it("refuses an account without code and an answer of other types, before anything is sent", async () => {
      const { hdp } = connection;
      const abi = parseAbi(["function total() view returns (uint256)"]);
      const [, friend = "0x"] = (await rpc("eth_accounts")) as readonly Hex[];
      for (const request of [
        { to: friend, data: "0x12345678" },
        { to: friend, abi, functionName: "total" },
      ] as const)
        expect(await failure(hdp.ethCall(request))).to.match(
          /HDP-4429: .* has no code, so there is nothing to call\./,
        );
      const short = await deploy("0x60015f5360015ff3");
      expect(await failure(hdp.ethCall({ to: short, abi, functionName: "total" }))).to.match(
        /HDP-4429: .* 0x01 is not what total returns by the ABI\./,
      );
      expect(await hdp.submissions.list()).to.deep.equal([]);
      const nothing = await deploy("0x00");
      expect(
        await hdp.ethCall({ to: nothing, data: "0x" }),
        "code that returns nothing",
      ).to.include({ data: "0x" });
    });

    it("says that a caller has to afford the gas", async () => {
      const [, , poor = "0x"] = (await rpc("eth_accounts")) as readonly Hex[];
      await rpc("hardhat_setBalance", poor, "0x1");
      await rpc("hardhat_mine");
      const to = await deploy("0x00");
      const message = await failure(connection.hdp.ethCall({ to, from: poor, data: "0x" }));
      expect(message).to.include("the caller cannot afford 50,000,000 gas at the block's price");
    });

    it("finalizes the module's answer where that is accepted, and says that it differs", async () => {
      const to = await deploy("0x5f5f5260205ff3");
      const same = await connection.hdp.ethCall({ to, data: "0x" });
      expect(same.matchesNode).to.equal(true);
      const gas = await deploy("0x465f5260205ff3");
      const { matchesNode, data, result } = await connection.hdp.ethCall(
        { to: gas, data: "0x" },
        { evenIfDifferent: true },
      );
      expect(matchesNode).to.equal(false);
      expect(BigInt(data)).to.equal(11155111n);
      expect((await connection.hdp.readResult(result.taskHash)).word).to.equal(result.word);
    });
  });

  it("refuses what cannot be compared, and takes an answer that differs by an option of the command", async function () {
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp: { local: { ethCallModule: CLASS } } },
      {},
      folder,
    );
    const { hdp, provider } = await hre.network.getOrCreate();
    const chainId = "0x465f5260205ff3";
    const contract = numberToHex(0xc0de, { size: 20 });
    await provider.request({ method: "hardhat_setCode", params: [contract, chainId] });
    await provider.request({ method: "hardhat_mine" });
    const call = { contract, function: "0x", arguments: [] };
    const refused = await runCommand("eth-call", call, hre);
    expect(String(refused.error))
      .to.include("HDP-4428")
      .and.to.include("Likely cause: CHAINID of a stand-in chain.");
    expect(refused.stdout).to.equal("");
    const taken = await runCommand("eth-call", { ...call, evenIfDifferent: true }, hre);
    expect(taken.error).to.equal(undefined);
    expect(taken.stdout).to.match(/Call +✔ returned otherwise than the node, block 1, [\d,]+ gas/);
    const { address: to } = await hdp.deployExecutionStore();
    const data = encodeFunctionData({
      abi: parseAbi(["function CHAIN_ID() view returns (uint256)"]),
    });
    const from: Hex = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    const block = BigInt(String(await provider.request({ method: "eth_blockNumber" })));
    const request = { to, data, from, block };
    const inputs = [...ethCallInputs({ chainId: 11155111n, ...request })];
    const programHash = await hdp.program.register(CLASS);
    await hdp.replay(await hdp.record({ type: "Module", programHash, inputs }));
    const message = await failure(hdp.ethCall(request));
    expect(message).to.include("eth_call gives no answer (recorded data stand for the chain)");
    expect((await hdp.ethCall(request, { evenIfDifferent: true })).matchesNode).to.equal(false);
  });

  it("runs from the command line, which prints three commands where the module is missing", async function () {
    const call = { contract: `0x${"11".repeat(20)}`, function: "total()(uint256)", arguments: [] };
    const without = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, folder);
    const missing = String((await runCommand("eth-call", call, without)).error);
    for (const text of [
      "hdp module new eth_call --template eth-call",
      "hdp module build eth_call",
      "ethCallModule",
    ])
      expect(missing).to.contain(text);
    expect(
      String((await runCommand("eth-call", { ...call, contract: "0x12" }, without)).error),
    ).to.contain("HDP-1110");
    for (const [given, says] of [
      [{ function: "total(" }, 'HDP-6003 in function: "total(" is not a call of a function.'],
      [
        { function: "of(uint256)", arguments: ["x"] },
        '"of(uint256) x" is not a call of a function.',
      ],
      [
        { function: "of(uint256[])", arguments: ["[1"] },
        '"of(uint256[]) [1" is not a call of a function.',
      ],
      [{ block: "last" }, 'HDP-6003 in --block: "last" is not an integer of 0 or more.'],
    ] as const) {
      expect(
        String((await runCommand("eth-call", { ...call, ...given }, without)).error),
      ).to.contain(says);
    }
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp: { local: { ethCallModule: CLASS } } },
      {},
      folder,
    );
    const { hdp } = await hre.network.getOrCreate();
    const { address } = await hdp.deployExecutionStore();
    const made = await runCommand(
      "eth-call",
      { ...call, contract: address, function: "CHAIN_ID()(uint256)" },
      hre,
    );
    expect(made.error).to.equal(undefined);
    const hash = /Task hash\s+(0x[0-9a-f]{64})/.exec(made.stdout)?.[1] ?? expect.fail(made.stdout);
    const word = /Stored word\s+(0x[0-9a-f]{64})/.exec(made.stdout)?.[1];
    expect((await hdp.readResult(`0x${hash.slice(2)}`)).word, "as a contract reads it").to.equal(
      word,
    );
    expect(readFileSync(join(root, "docs", "modules.md"), "utf8"), "as documented").to.include(
      made.stdout.trim(),
    );
  });
});

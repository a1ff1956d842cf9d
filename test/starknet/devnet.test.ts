import { expect } from "chai";

import { isHdpError } from "../../src/base/errors.js";
import { declareStarknetMock, deployStarknetMock } from "../../src/store/starknet/devnet.js";
import { finalizeOnStarknet } from "../../src/store/starknet/finalize-on-starknet.js";
import { openStarknetExecutionStore } from "../../src/store/starknet/starknet-execution-store.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { starknetToolsOrSkip } from "../support/starknet-tools.js";
import { rpcTransport } from "./rpc-double.js";

const TASK = "0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307";
const WORD = "0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f";
const CLASS_HASH = "0x1e67c9385a1681105b8f01548d343bfcc174f223fb2186a3e3d3cd2c3c2261e";

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

  let devnet: StarknetDevnet | undefined;
  let rpcUrl: string;

  before(async function () {
    devnet = await StarknetDevnet.start(starknetToolsOrSkip(this));
    ({ rpcUrl } = devnet);
  });

  after(async () => await devnet?.end());

  it("is declared, deployed and finalized, and its result is read back", async () => {
    if (devnet === undefined) throw new Error("No devnet.");
    const account = await devnet.account();
    const options = { rpcUrl, accountAddress: account.address, privateKey: () => account.privateKey };
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

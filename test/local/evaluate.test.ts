import { expect } from "chai";
import type { Hex } from "viem";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { evaluate } from "../../src/local/evaluate.js";
import type { DatalakeComputeTask } from "../../src/request/task.js";

const ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

describe("evaluate over a Hardhat network", () => {
  it("averages, proves accounts and slots, and reads transactions", async () => {
    const hre = await createHardhatRuntimeEnvironment({});
    const { provider } = await hre.network.create();
    await provider.request({ method: "hardhat_mine", params: ["0x5"] });
    await provider.request({ method: "hardhat_setBalance", params: [ALICE, "0xde0b6b3a7640000"] });
    await provider.request({
      method: "hardhat_setStorageAt",
      params: [ALICE, `0x1`, `0x${"00".repeat(31)}2a`],
    });
    await provider.request({ method: "hardhat_mine", params: ["0x1"] });
    await provider.request({
      method: "eth_sendTransaction",
      params: [{ from: ALICE, to: ALICE, value: "0x7", type: "0x2" }],
    });
    const run = (datalake: DatalakeComputeTask["datalake"]) =>
      evaluate(
        { type: "DatalakeCompute", datalake, compute: { aggregateFnId: "sum" } },
        { provider, prove: "require" },
      );
    const range = { chainId: "ETHEREUM_SEPOLIA", blockRangeStart: 6n, blockRangeEnd: 6n, increment: 1n } as const;
    expect(
      await run({
        type: "BlockSampled",
        ...range,
        sampledProperty: { kind: "account", address: ALICE, field: "balance" },
      }),
    ).to.deep.equal({ value: 10n ** 18n, samples: 1, proven: true });
    const slot: Hex = `0x${"00".repeat(31)}01`;
    expect(
      await run({ type: "BlockSampled", ...range, sampledProperty: { kind: "storage", address: ALICE, slot } }),
    ).to.deep.equal({ value: 42n, samples: 1, proven: true });
    const t = {
      chainId: "ETHEREUM_SEPOLIA",
      targetBlock: 7n,
      startIndex: 0n,
      endIndex: 1n,
      increment: 1n,
      includedTypes: { legacy: true, eip2930: true, eip1559: true, eip4844: true },
    } as const;
    expect(
      await run({ type: "TransactionsInBlock", ...t, sampledProperty: { kind: "tx", field: "value" } }),
    ).to.deep.equal({ value: 7n, samples: 1, proven: true });
    expect(
      await run({
        type: "TransactionsInBlock",
        ...t,
        sampledProperty: { kind: "tx_receipt", field: "cumulative_gas_used" },
      }),
    ).to.deep.equal({ value: 21000n, samples: 1, proven: true });
  });
});

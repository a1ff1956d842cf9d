import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { network } from "hardhat";
import { executionStore } from "hardhat-hdp/ignition";
import { blockSampled, HDP_FORM, header, taskHash } from "hardhat-hdp/request";

import FeeGate from "../ignition/modules/FeeGate.js";

const averageBaseFee = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();
const task = { hash: taskHash(averageBaseFee), form: HDP_FORM.datalake };
const { hash } = task;

describe("FeeGate with node:test", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, viem } = await network.create();
    const { address } = await hdp.store.current();
    const gate = await viem.deployContract("FeeGate", [address, await hdp.task(averageBaseFee)]);
    await hdp.assertions.notFinalized(averageBaseFee);
    const [{ value }] = await hdp.run(averageBaseFee);
    await hdp.assertions.finalized(averageBaseFee, value);
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), true);
  });

  it("reverts with the store's own error before the task is finalized", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store.current();
    const gate = await viem.deployContract("FeeGate", [store.address, task]);
    await viem.assertions.revertWithCustomError(
      gate.write.update([7n]),
      store.contract,
      "NotFinalized",
    );
    await viem.assertions.revertWithCustomError(
      store.contract.read.getDataProcessorFinalizedTaskResult([hash]),
      store.contract,
      "NotFinalized",
    );
    const { transactionHash } = await hdp.finalize(averageBaseFee, 7n);
    assert(transactionHash !== undefined);
    await viem.assertions.emitWithArgs(transactionHash, store.contract, "TaskFinalized", [
      hash,
      `0x${"7".padStart(64, "0")}`,
    ]);
    assert.equal(BigInt(await store.contract.read.getDataProcessorFinalizedTaskResult([hash])), 7n);
  });

  it("finalizes through the typed mock, by an operator of our choice and those it names", async () => {
    const { hdp, viem } = await network.create();
    const [, first, second, stranger] = await viem.getWalletClients();
    const operators = [second.account.address];
    const store = await hdp.deployExecutionStore({ operator: first.account.address, operators });
    assert.equal(store.operator.toLowerCase(), first.account.address);
    const word = `0x${"7".padStart(64, "0")}` as const;
    await viem.assertions.revertWithCustomError(
      store.contract.write.finalizeTask([hash, word], { account: stranger.account }),
      store.contract,
      "Unauthorized",
    );
    await store.contract.write.finalizeTask([hash, word], { account: second.account });
    await hdp.assertions.finalized(hash, 7n);
    await store.contract.write.finalizeTask([hash, `0x${"8".padStart(64, "0")}`]);
    await hdp.assertions.finalized(averageBaseFee, 8);
    await hdp.run(averageBaseFee);
    await assert.rejects(hdp.assertions.finalized(averageBaseFee, 7n), {
      code: "ERR_ASSERTION",
      expected: 7n,
    });
    await assert.rejects(
      hdp.assertions.notFinalized(averageBaseFee),
      /is finalized with \d+ in the execution store/,
    );
  });

  it("deploys with Ignition a mock that hdp then finalizes in", async () => {
    const { hdp, ignition } = await network.create();
    const { store, gate } = await ignition.deploy(FeeGate);
    assert.equal(await hdp.store.current({ deploy: false }), undefined);
    const used = await hdp.store.use(store.address);
    assert.equal(used.address.toLowerCase(), store.address.toLowerCase());
    const [{ value }] = await hdp.run(averageBaseFee);
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), true);
  });

  it("deploys with Ignition a mock of the kind that is named", async () => {
    const connection = await network.create();
    const store = await executionStore(connection, { kind: "execution-store" });
    const deployed = await connection.ignition.deploy(
      buildModule("Kind", (m) => ({ store: store(m) })),
    );
    assert.equal(await deployed.store.read.getTaskStatus([hash]), 0);
    await connection.viem.assertions.revert(deployed.store.read.getDataProcessorTaskStatus([hash]));
  });

  it("uses in Ignition the store that is there", async () => {
    const connection = await network.create();
    const { address } = await connection.hdp.store.current();
    const store = await executionStore(connection);
    const module = buildModule("There", (m) => ({
      store: store(m),
      gate: m.contract("FeeGate", [store(m), task]),
    }));
    const deployed = await connection.ignition.deploy(module);
    assert.equal(deployed.store.address, address);
    assert.equal((await deployed.gate.read.store()).toLowerCase(), address.toLowerCase());
  });

  it("finds the slots of variables in the compiler's layout", async () => {
    const { hdp, viem, provider } = await network.create();
    const vault = await viem.deployContract("Vault");
    const holder = "0x00000000000000000000000000000000000000ab";
    await vault.write.put([holder, 77n, "Anna", 3n]);
    const slots = [
      await hdp.storageOf("Vault", "total"),
      await hdp.storageOf("Vault", "accounts", holder, "balance"),
      await hdp.storageOf("Vault", "named", "Anna", 3n),
    ];
    const words = await Promise.all(
      slots.map((slot) =>
        provider.request({ method: "eth_getStorageAt", params: [vault.address, slot, "latest"] }),
      ),
    );
    assert.deepEqual(words.map(BigInt as (word: unknown) => bigint), [5n, 77n, 78n]);
    for (const [variable, ...keys] of [
      ["first"],
      ["accounts"],
      ["none"],
      ["accounts", holder, "low"],
      ["total", "1"],
    ]) {
      await assert.rejects(hdp.storageOf("Vault", variable ?? "", ...keys), { code: "HDP-6126" });
    }
  });

  it("uses in Ignition the known store of a chain", async () => {
    const connection = await network.create("known");
    // A published store, as far as asking goes: the code of a mock.
    const address = "0x396bF739f7b37D81f6CdD4571fDEF298150db88f";
    const { hdp, provider } = await network.create();
    const mock = await hdp.deployExecutionStore();
    const code = await provider.request({
      method: "eth_getCode",
      params: [mock.address, "latest"],
    });
    await connection.provider.request({ method: "hardhat_setCode", params: [address, code] });
    const store = await executionStore(connection);
    const module = buildModule("Known", (m) => ({ gate: m.contract("FeeGate", [store(m), task]) }));
    const { gate } = await connection.ignition.deploy(module);
    assert.equal(await gate.read.store(), address);
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { network } from "hardhat";
import { parseCompiledClassText, programHash } from "hardhat-hdp/program";
import { type Hex, pad, parseAbiItem, toEventSelector } from "viem";

import { type ReceiptToRead, receiptsToRead } from "../scripts/receipts.js";

const CLASS = "compiled/events_Module.compiled_contract_class.json";
const DEPOSITED = parseAbiItem("event Deposited(address indexed from, uint256 amount)");
const topic0 = toEventSelector(DEPOSITED);
/** The mark of a value's place in the module's output. */
const PLACE = 2n ** 128n;

describe("DepositRecord", () => {
  async function deploy() {
    const { hdp, viem, provider } = await network.create();
    const client = await viem.getPublicClient();
    const mine = async (blocks: Hex = "0x1") =>
      await provider.request({ method: "hardhat_mine", params: [blocks] });
    const vault = await viem.deployContract("Vault"); // block 1
    await vault.write.deposit([5n]); // block 2, two logs of 5
    await mine("0x2"); // blocks 3 and 4: nothing
    await provider.request({ method: "evm_setAutomine", params: [false] });
    const [wallet, other] = await viem.getWalletClients();
    await other.sendTransaction({ to: wallet.account.address, value: 1n });
    await vault.write.deposit([7n]);
    await mine(); // block 5: a payment, and two logs of 7
    await provider.request({ method: "evm_setAutomine", params: [true] });
    const store = await hdp.deployExecutionStore();
    const program = pad(programHash(parseCompiledClassText(readFileSync(CLASS, "utf8"))));
    const recordOf = async (first: bigint, last: bigint) =>
      await viem.deployContract("DepositRecord", [
        store.address,
        program,
        vault.address,
        first,
        last,
      ]);
    const range = (first: bigint, last: bigint) => ({
      emitter: vault.address,
      topic0,
      first,
      last,
    });
    const sumOf = async (first: bigint, last: bigint, receipts: readonly ReceiptToRead[]) => {
      const module = {
        class: CLASS,
        arguments: {
          chain_id: 11155111,
          emitter: vault.address,
          topic0,
          first_block: first,
          last_block: last,
          receipts,
        },
      };
      const [{ taskHash, output, module: run }] = await hdp.run({
        destinationChainId: "ETHEREUM_SEPOLIA",
        tasks: [{ type: "Module", module }],
      });
      const [count, sumLow, sumHigh, excludedBlocks, readBlocks, openReceipts] = (output ?? []).map(
        (felt) => felt % PLACE,
      );
      const found = { count, sumLow, sumHigh, excludedBlocks, readBlocks, openReceipts };
      return { taskHash, found, reads: run?.reads, steps: run?.steps };
    };
    return { client, vault, recordOf, range, sumOf };
  }

  const asked = (receipts: readonly ReceiptToRead[]) =>
    receipts.map(({ block, ...rest }) => ({ blockNumber: block, ...rest }));

  it("keeps the sum that the node's logs have, as what was deposited at least", async () => {
    const { client, vault, recordOf, range, sumOf } = await deploy();
    const record = await recordOf(2n, 5n);
    const logs = await client.getLogs({
      address: vault.address,
      event: DEPOSITED,
      fromBlock: 2n,
      toBlock: 5n,
    });
    const sum = logs.reduce((total, { args }) => total + (args.amount ?? 0n), 0n);
    const receipts = await receiptsToRead(client, range(2n, 5n), "event");
    const { taskHash, found } = await sumOf(2n, 5n, receipts);
    assert.equal(taskHash, await record.read.taskHash([asked(receipts)]));
    // Block 5 has a receipt that was not read.
    assert.deepEqual(found, {
      count: BigInt(logs.length),
      sumLow: sum,
      sumHigh: 0n,
      excludedBlocks: 2n,
      readBlocks: 1n,
      openReceipts: 2n,
    });
    await record.write.acceptAtLeast([asked(receipts), found]);
    assert.equal(await record.read.depositedAtLeast(), 24n);
    const more = { ...found, sumLow: 25n };
    await assert.rejects(record.write.acceptAtLeast([asked(receipts), more]), /WrongOutput/);
  });

  it("proves less where a caller leaves logs out, and never that there were none", async () => {
    const { client, recordOf, range, sumOf } = await deploy();
    const record = await recordOf(2n, 5n);
    const all = await receiptsToRead(client, range(2n, 5n), "all");
    assert.equal(all.length, 3);
    assert.equal((await sumOf(2n, 5n, all)).found.readBlocks, 2n);
    const hidden = all.map((receipt) => ({ ...receipt, logs: 0n }));
    const { found } = await sumOf(2n, 5n, hidden);
    assert.equal(found.count, 0n);
    await assert.rejects(
      record.write.acceptNothing([asked(hidden), found]),
      /MayBeIncomplete\(0, 2\)/,
    );
    const { found: unseen } = await sumOf(2n, 5n, []);
    await assert.rejects(record.write.acceptNothing([[], unseen]), /MayBeIncomplete\(2, 0\)/);
  });

  it("keeps that nothing was deposited where the bloom of each block excludes it", async () => {
    const { client, recordOf, range, sumOf } = await deploy();
    const record = await recordOf(3n, 4n);
    const receipts = await receiptsToRead(client, range(3n, 4n), "all");
    const { found, reads } = await sumOf(3n, 4n, receipts);
    assert.equal(reads, 2);
    await record.write.acceptNothing([asked(receipts), found]);
    assert.equal(await record.read.nothingDeposited(), true);
  });
});

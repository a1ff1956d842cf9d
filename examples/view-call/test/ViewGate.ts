import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

import { network } from "hardhat";
import { parseCompiledClassText, programHash } from "hardhat-hdp/program";
import { outputDigest, rootOfFelt } from "hardhat-hdp/request";
import { numberToHex, pad, parseEther } from "viem";

// Built as README.md says.
const CLASS = "eth_call/target/dev/eth_call_Module.compiled_contract_class.json";

describe("ViewGate", () => {
  async function deploy(program: `0x${string}`) {
    const { hdp, viem } = await network.create();
    const [{ account }] = await viem.getWalletClients();
    const staking = await viem.deployContract("Staking"); // block 1
    await staking.write.stake({ value: parseEther("3") }); // block 2
    await hdp.mine(4); // power at block 6: 3 ether for 4 blocks
    const store = await hdp.deployExecutionStore();
    const gate = await viem.deployContract("ViewGate", [
      store.address,
      pad(program),
      staking.address,
      6n,
    ]);
    return { hdp, staking, gate, account: account.address };
  }

  it("admits by the answer alone", async () => {
    const { hdp, gate, account } = await deploy("0x1234");
    // What the module would return: the digest of a value of our choice, finalized without running it.
    const answer = numberToHex(parseEther("12"), { size: 32 });
    const root = rootOfFelt(outputDigest(answer));
    await hdp.finalize(await gate.read.powerTask([account]), BigInt(root));
    await assert.rejects(gate.write.enter([parseEther("13")]), /WrongOutput/);
    await gate.write.enter([parseEther("12")]);
    assert.equal(await gate.read.admitted([account]), true);
  });

  it("admits by the proven call", async function () {
    if (!existsSync(CLASS)) this.skip();
    const program = programHash(parseCompiledClassText(readFileSync(CLASS, "utf8")));
    const { hdp, staking, gate, account } = await deploy(program);
    const { abi, address: to } = staking;
    const call = { to, from: account, abi, functionName: "power", args: [account], block: 6n };
    const { value, result } = await hdp.ethCall(call);
    assert.equal(value, parseEther("12"));
    assert.equal(result.taskHash, await gate.read.powerTask([account]));
    await gate.write.enter([parseEther("12")]);
    assert.equal(await gate.read.admitted([account]), true);
  });
});

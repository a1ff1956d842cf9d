import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { blockSampled, header, taskHash } from "../../../src/entries/request.js";
import hardhatHdp from "../../../src/index.js";
import { compiledContract } from "../../support/compiled-contract.js";

/** Reads a task of blocks 0 to 10 where that of blocks 0 to 9 is finalized, as a user's test does with viem. */
export async function failingRead(): Promise<void> {
  const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatViem, hardhatHdp] });
  const { hdp, viem } = await hre.network.create();
  const { abi, bytecode } = compiledContract("ResultsHarness");
  const [wallet] = await viem.getWalletClients();
  const client = await viem.getPublicClient();
  const { address: store } = await hdp.deployExecutionStore();
  const hash = await wallet?.deployContract({ abi: abi, bytecode, args: [] });
  const { contractAddress } = await client.getTransactionReceipt({ hash: hash ?? "0x" });
  const blocks = (to: number) =>
    blockSampled({ from: 0, to, property: header("base_fee_per_gas") }).avg();
  await hdp.finalize(blocks(9), 7n);
  await client.readContract({
    abi: abi,
    address: contractAddress ?? "0x",
    functionName: "read",
    args: [store, taskHash(blocks(10))],
  });
}

/** Reads a result that is not there. */
export async function failingResult(): Promise<void> {
  const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] });
  const { hdp } = await hre.network.create();
  await hdp.readResult(blockSampled({ from: 0, to: 10, property: header("number") }).max());
}

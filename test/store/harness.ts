import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, padHex } from "viem";

import {
  type DeployedMock,
  deployExecutionStoreMock,
  hdpExecutionStoreAbi,
  hdpSatelliteAbi,
  type MockKind,
} from "../../src/entries/store.js";
import { taskHash } from "../../src/request/task-hash.js";
import type { ModuleTask } from "../../src/request/task.js";
import type { ExecutionStore } from "../../src/store/execution-store.js";
import { decodeRevert, type Provider, revertData, transact, transactWithStore } from "../../src/store/transact.js";
import { compiledContract } from "../support/compiled-contract.js";

export interface Chain {
  readonly provider: Provider;
  /** 20 funded accounts. */
  readonly accounts: readonly Hex[];
  close(): Promise<void>;
}

/** A fresh in-process chain that mines every transaction at once. */
export async function createChain(): Promise<Chain> {
  const hre = await createHardhatRuntimeEnvironment({});
  const connection = await hre.network.create();
  const provider: Provider = connection.provider;
  const accounts = (await provider.request({ method: "eth_accounts" })) as Hex[];
  return { provider, accounts, close: () => connection.close() };
}

export async function deployMock(chain: Chain, kind?: MockKind): Promise<DeployedMock> {
  return await deployExecutionStoreMock({ provider: chain.provider, kind });
}

/** Requests a module task without inputs on chain, which schedules it; returns its hash. */
export async function requestModule(
  provider: Provider,
  { address, kind }: Pick<ExecutionStore, "address" | "kind">,
  task: ModuleTask,
): Promise<Hex> {
  const args = [{ programHash: padHex(task.programHash, { size: 32 }), inputs: [] }] as const;
  const data =
    kind === "satellite"
      ? encodeFunctionData({ abi: hdpSatelliteAbi, functionName: "requestDataProcessorExecutionOfTask", args })
      : encodeFunctionData({ abi: hdpExecutionStoreAbi, functionName: "requestExecutionOfModuleTask", args });
  await transactWithStore(provider, { store: address, data });
  return taskHash(task);
}

/** Deploys a contract of test/store/contracts. */
export async function deployHarness(
  chain: Chain,
  name: string,
  args: readonly unknown[] = [],
): Promise<{ address: Hex; abi: Abi }> {
  const { abi, bytecode } = compiledContract(name);
  const [from] = chain.accounts;
  if (from === undefined) throw new Error("no account");
  const receipt = await transact(chain.provider, { from, data: encodeDeployData({ abi, bytecode, args }) });
  if (receipt.contractAddress === undefined) throw new Error(`${name} was not deployed`);
  return { address: receipt.contractAddress, abi };
}

/** Sends a transaction; answers the logs, or the text of its revert. */
export async function send(
  chain: Chain,
  transaction: { from?: Hex | undefined; to: Hex; data: Hex },
): Promise<{ reverted?: string; logs: readonly { data: Hex; topics: readonly Hex[]; address: Hex }[] }> {
  const from = transaction.from ?? chain.accounts[0] ?? "0x";
  try {
    const { transactionHash } = await transact(chain.provider, { ...transaction, from });
    const receipt = await chain.provider.request({ method: "eth_getTransactionReceipt", params: [transactionHash] });
    return receipt as { logs: { data: Hex; topics: Hex[]; address: Hex }[] };
  } catch (error) {
    const data = revertData(error);
    if (data === undefined) throw error;
    return { reverted: decodeRevert(data).text, logs: [] };
  }
}

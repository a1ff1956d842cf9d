import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  padHex,
} from "viem";

import {
  type DeployedMock,
  deployExecutionStoreMock,
  type ExecutionStore,
  hdpExecutionStoreAbi,
  hdpSatelliteAbi,
  type MockKind,
} from "../../src/entries/store.js";
import { type ModuleTask, taskHash } from "../../src/entries/request.js";
import { decodeRevert, revertData } from "../../src/store/reverts.js";
import type { Provider } from "../../src/store/node-requests.js";
import { transact, transactWithStore } from "../../src/store/transact.js";
import { compiledContract } from "../support/compiled-contract.js";

export interface Chain {
  readonly provider: Provider;
  /** 20 funded accounts. */
  readonly accounts: readonly Hex[];
  close(): Promise<void>;
}

/** A fresh in-process chain that mines every transaction at once, and as for Solidity tests takes code of any size. */
export async function createChain(): Promise<Chain> {
  const hre = await createHardhatRuntimeEnvironment({
    networks: { default: { type: "edr-simulated", allowUnlimitedContractSize: true } },
  });
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
      ? encodeFunctionData({
          abi: hdpSatelliteAbi,
          functionName: "requestDataProcessorExecutionOfTask",
          args,
        })
      : encodeFunctionData({
          abi: hdpExecutionStoreAbi,
          functionName: "requestExecutionOfModuleTask",
          args,
        });
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
  return { address: await deploy(chain.provider, encodeDeployData({ abi, bytecode, args })), abi };
}

/** Deploys bytecode from the first account of a node that mines every transaction at once. */
export async function deploy(provider: Provider, data: Hex): Promise<Hex> {
  const [from] = (await provider.request({ method: "eth_accounts" })) as Hex[];
  const hash = await provider.request({ method: "eth_sendTransaction", params: [{ from, data }] });
  const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
  const { contractAddress } = receipt as { contractAddress: Hex | null };
  if (contractAddress === null) throw new Error("nothing was deployed");
  return contractAddress;
}

/** Returns what a function of a contract returns; rejects with the node's error where it reverts. */
export async function callContract(
  { provider }: Pick<Chain, "provider">,
  { address, abi }: { readonly address: Hex; readonly abi: Abi },
  functionName: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const to = { to: address, data: encodeFunctionData({ abi, functionName, args }) };
  const data = (await provider.request({ method: "eth_call", params: [to, "latest"] })) as Hex;
  return decodeFunctionResult({ abi, functionName, data });
}

/** Returns the data of a revert, in the in-process node's error; undefined for another error. */
export function revertOf(error: unknown): Hex | undefined {
  return (error as { readonly data?: Hex }).data;
}

/** Sends a transaction; answers the logs, or the text of its revert. */
export async function send(
  chain: Chain,
  transaction: { from?: Hex | undefined; to: Hex; data: Hex },
): Promise<{
  reverted?: string;
  logs: readonly { data: Hex; topics: readonly Hex[]; address: Hex }[];
}> {
  const from = transaction.from ?? chain.accounts[0] ?? "0x";
  try {
    const { transactionHash } = await transact(chain.provider, { ...transaction, from });
    const receipt = await chain.provider.request({
      method: "eth_getTransactionReceipt",
      params: [transactionHash],
    });
    return receipt as { logs: { data: Hex; topics: Hex[]; address: Hex }[] };
  } catch (error) {
    const data = revertData(error);
    if (data === undefined) throw error;
    return { reverted: decodeRevert(data).text, logs: [] };
  }
}

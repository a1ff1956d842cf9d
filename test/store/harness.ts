import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Abi, encodeDeployData, type Hex } from "viem";

import { type DeployedMock, deployExecutionStoreMock, type MockKind } from "../../src/entries/store.js";
import { decodeRevert, type Provider, revertData, transact } from "../../src/store/transact.js";
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

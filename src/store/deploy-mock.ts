import type { Address, Hex } from "viem";
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, getAddress } from "viem/utils";

import { CHAIN_IDS, type ChainIdentifier } from "../request/chains.js";
import { hdpExecutionStoreMockAbi, hdpExecutionStoreMockBytecode } from "./generated/hdp-execution-store-mock.js";
import { refusal } from "./reverts.js";
import { ethCall, type Provider, revertData, sender, StoreRpcError, transact, type WaitOptions } from "./transact.js";

/** Program hash of the mock's local data processor: it names no published program. */
export const MOCK_PROGRAM_HASH: Hex = `0x${"0".repeat(60)}1234`;

export interface DeployMockOptions extends WaitOptions {
  readonly provider: Provider;
  /** Deployer, owner and first operator. Default: the node's first account. */
  readonly from?: Address | undefined;
  /** More accounts that may finalize. */
  readonly operators?: readonly Address[] | undefined;
  /** Program whose facts finalize batches. Default `MOCK_PROGRAM_HASH`. */
  readonly programHash?: Hex | undefined;
  /** Source chain whose MMR roots the store caches. Default ETHEREUM_SEPOLIA. */
  readonly sourceChain?: ChainIdentifier | undefined;
}

export interface DeployedMock {
  readonly address: Address;
  readonly kind: "execution-store";
  readonly from: Address;
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
}

/**
 * Deploys the execution store mock, with its facts registry and aggregators factory mocks, in one transaction.
 *
 * The mock answers to the execution store's and to the satellite's function names. It is for tests and development:
 * its operators can finalize any result.
 */
export async function deployExecutionStoreMock(options: DeployMockOptions): Promise<DeployedMock> {
  const { provider, operators = [], programHash = MOCK_PROGRAM_HASH, sourceChain = "ETHEREUM_SEPOLIA" } = options;
  const from = await sender(provider, options.from, options.signal);
  const data = encodeDeployData({
    abi: hdpExecutionStoreMockAbi,
    bytecode: hdpExecutionStoreMockBytecode,
    args: [programHash, CHAIN_IDS[sourceChain], operators],
  });
  try {
    const receipt = await transact(provider, { from, data }, options);
    if (receipt.contractAddress === undefined || receipt.reverted) {
      throw new StoreRpcError("eth_sendTransaction", "the deployment of the execution store mock was reverted");
    }
    const { transactionHash, blockNumber, gasUsed } = receipt;
    const address = getAddress(receipt.contractAddress);
    return { address, kind: "execution-store", from, transactionHash, blockNumber, gasUsed };
  } catch (error) {
    const reason = revertData(error);
    if (reason === undefined) throw error;
    throw refusal(reason, { store: "0x", from });
  }
}

/** Whether the contract at an address says of itself that it is a mock: a real store has no `IS_MOCK`. */
export async function isMockStore(provider: Provider, address: Address, signal?: AbortSignal): Promise<boolean> {
  const abi = hdpExecutionStoreMockAbi;
  try {
    const data = await ethCall(provider, address, encodeFunctionData({ abi, functionName: "IS_MOCK" }), signal);
    return data.length === 66 && decodeFunctionResult({ abi, functionName: "IS_MOCK", data });
  } catch (error) {
    if (revertData(error) !== undefined) return false;
    throw error;
  }
}

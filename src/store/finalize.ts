import type { Address, Hex } from "viem";
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, getAddress, keccak256, toHex } from "viem/utils";

import { HdpError } from "../errors/hdp-error.js";
import { CHAIN_IDS, type ChainIdentifier } from "../request/chains.js";
import type { TaskWord } from "../request/lifecycle.js";
import { requireTaskHash, storeAddress } from "./execution-store.js";
import { hdpExecutionStoreMockAbi, hdpExecutionStoreMockBytecode } from "./generated/hdp-execution-store-mock.js";
import {
  calldataOf,
  ethCall,
  type Provider,
  type Receipt,
  refusal,
  request,
  revertData,
  sender,
  StoreRpcError,
  transact,
  type WaitOptions,
} from "./transact.js";

/** Sends a transaction to a store's contract and waits for it; a revert becomes the error that explains it. */
export async function transactWithStore(
  provider: Provider,
  call: { readonly store: Address; readonly to?: Address; readonly from?: Address | undefined; readonly data: Hex },
  options: WaitOptions = {},
): Promise<Receipt> {
  const from = await sender(provider, call.from, options.signal);
  const transaction = { from, to: call.to ?? call.store, data: call.data };
  try {
    const receipt = await transact(provider, transaction, options);
    if (!receipt.reverted) return receipt;
    // Mined and reverted: the same call again says why. Where it succeeds now, the reason is lost.
    await request(provider, "eth_call", [transaction, "latest"], options.signal);
  } catch (error) {
    const reason = revertData(error);
    if (reason === undefined) throw error;
    throw refusal(reason, { store: call.store, from });
  }
  throw refusal("0x", { store: call.store, from });
}

export interface FinalizeOptions extends WaitOptions {
  readonly provider: Provider;
  readonly store: Address;
  /** An operator. Default: the node's first account. */
  readonly from?: Address | undefined;
  readonly results: readonly TaskWord[];
}

export interface StoreTransaction {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
}

/** The last transaction, the gas of all, and all. */
export interface FinalizedTasks extends StoreTransaction {
  readonly transactions: readonly StoreTransaction[];
}

/**
 * Tasks of one transaction: a new one takes about 48,000 gas, and Ethereum allows 16,777,216 in a transaction
 * (EIP-7825).
 */
export const TASKS_PER_TRANSACTION = 300;

const finalizeCalldata = calldataOf(hdpExecutionStoreMockAbi, "finalizeTasks");

/**
 * Finalizes results in an execution store mock, without proofs: one transaction for up to 300 of them.
 *
 * Errors: HDP-3004 not an operator, HDP-3007 the store accepts proven results only, HDP-3012 nothing to finalize.
 */
export async function finalizeTasks(options: FinalizeOptions): Promise<FinalizedTasks> {
  const { provider, from, results } = options;
  const store = storeAddress(options.store);
  const transactions: StoreTransaction[] = [];
  for (let start = 0; start < results.length; start += TASKS_PER_TRANSACTION) {
    const part = results.slice(start, start + TASKS_PER_TRANSACTION);
    const data = finalizeCalldata(
      part.map((result) => requireTaskHash(result.taskHash)),
      part.map((result) => result.word),
    );
    const { transactionHash, blockNumber, gasUsed } = await transactWithStore(provider, { store, from, data }, options);
    transactions.push({ transactionHash, blockNumber, gasUsed });
  }
  const last = transactions.at(-1);
  if (last === undefined) {
    throw new HdpError({
      code: "HDP-3012",
      message: "there is nothing to finalize: the list of results is empty.",
      hints: ["Pass at least one task hash with its result word."],
    });
  }
  return { ...last, gasUsed: transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n), transactions };
}

export interface AddOperatorsOptions extends WaitOptions {
  readonly provider: Provider;
  readonly store: Address;
  /** An operator: operators appoint operators. Default: the node's first account. */
  readonly from?: Address | undefined;
  readonly accounts: readonly Address[];
}

/**
 * Lets more accounts finalize in an execution store mock, one transaction each.
 *
 * Errors: HDP-3004 not an operator.
 */
export async function addOperators(options: AddOperatorsOptions): Promise<void> {
  const { provider, from, accounts } = options;
  const store = storeAddress(options.store);
  for (const account of accounts) {
    const data = encodeFunctionData({
      abi: hdpExecutionStoreMockAbi,
      functionName: "grantRole",
      args: [keccak256(toHex("OPERATOR_ROLE")), storeAddress(account)],
    });
    await transactWithStore(provider, { store, from, data }, options);
  }
}

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

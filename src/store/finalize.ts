import type { Address, Hex } from "viem";
import {
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
} from "viem/utils";

import { requireAddress, requireTaskHash } from "../base/hex.js";
import { hdpError } from "../errors/hdp-error.js";
import { CHAIN_IDS, type ChainIdentifier } from "../request/chains.js";
import type { TaskWord } from "../request/task-result.js";
import { type MockKind, mockKindNumber, type StoreKind } from "./execution-store.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";
import type { MockTransactionOptions, StoreTransaction, WaitOptions } from "./transact.js";
import type { Provider } from "./node-requests.js";
import { ethCallUnlessReverted, StoreRpcError } from "./node-requests.js";
import { explainRevert } from "./reverts.js";
import { sender, transact, transactWithStore } from "./transact.js";

/** Options of finalizing tasks in a mock. */
export interface FinalizeTasksOptions extends MockTransactionOptions {
  readonly results: readonly TaskWord[];
}

/** The last transaction, with the gas of all transactions and their list. */
export interface FinalizedTasks extends StoreTransaction {
  readonly transactions: readonly StoreTransaction[];
}

/** Maximum number of tasks in a transaction: a new one takes about 48,000 gas, and Ethereum allows 16,777,216 (EIP-7825). */
export const TASKS_PER_TRANSACTION = 300;

/** Selector and parameters of `finalizeTasks(bytes32[],bytes32[])`: a constant, so that no call hashes it. */
const FINALIZE_TASKS = {
  selector: "0x0365292f",
  parameters: [{ type: "bytes32[]" }, { type: "bytes32[]" }],
} as const;

/** Selector of `owner()`. */
const OWNER = "0x8da5cb5b";

/**
 * Finalizes results in an execution store mock, without proofs, up to 300 per transaction.
 * @throws HdpError HDP-3004 not an operator, HDP-3007 a store that accepts proven results only, HDP-1120 nothing
 */
export async function finalizeTasks(options: FinalizeTasksOptions): Promise<FinalizedTasks> {
  const { provider, from, results } = options;
  const store = requireAddress(options.store);
  const { selector, parameters } = FINALIZE_TASKS;
  const transactions: StoreTransaction[] = [];
  for (let start = 0; start < results.length; start += TASKS_PER_TRANSACTION) {
    const part = results.slice(start, start + TASKS_PER_TRANSACTION);
    const taskHashes = part.map(({ taskHash }) => requireTaskHash(taskHash));
    const words = part.map(({ word }) => word);
    const data = concatHex([selector, encodeAbiParameters(parameters, [taskHashes, words])]);
    transactions.push(await transactWithStore(provider, { store, from, data }, options));
  }
  const last = transactions.at(-1);
  if (last === undefined) throw hdpError("HDP-1120", { items: "results to finalize" });
  return {
    ...last,
    gasUsed: transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n),
    transactions,
  };
}

/** keccak256("OPERATOR_ROLE") */
const OPERATOR_ROLE = "0x97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b929";

/** Options of adding operators to a mock. */
export interface AddOperatorsOptions extends MockTransactionOptions {
  readonly accounts: readonly Address[];
}

/** Lets more accounts finalize in an execution store mock, one transaction each. @throws HDP-3004 not an operator */
export async function addOperators(options: AddOperatorsOptions): Promise<void> {
  const { provider, from, accounts } = options;
  const store = requireAddress(options.store);
  for (const account of accounts) {
    const args = [OPERATOR_ROLE, requireAddress(account)] as const;
    const data = encodeFunctionData({
      abi: hdpExecutionStoreMockAbi,
      functionName: "grantRole",
      args,
    });
    await transactWithStore(provider, { store, from, data }, options);
  }
}

/** Program hash of the mock's local data processor, which no published program has. */
export const MOCK_PROGRAM_HASH: Hex = `0x${"0".repeat(60)}1234`;

/** Options of deploying a mock. */
export interface DeployMockOptions extends WaitOptions {
  readonly provider: Provider;
  /** Deployer, owner and first operator. Default: the node's first account. */
  readonly from?: Address | undefined;
  readonly operators?: readonly Address[] | undefined;
  /** Program whose facts finalize batches. Default `MOCK_PROGRAM_HASH`. */
  readonly programHash?: Hex | undefined;
  /** Source chain whose MMR roots the store caches. Default ETHEREUM_SEPOLIA. */
  readonly sourceChain?: ChainIdentifier | undefined;
  /** Kind that the mock stands for. Default "satellite", the kind of all published stores. */
  readonly kind?: MockKind | undefined;
}

/** A deployed mock, with the transaction that deployed it. */
export interface DeployedMock extends StoreTransaction {
  readonly address: Address;
  /** Kind of the function names that contracts read it by. */
  readonly kind: StoreKind;
  readonly from: Address;
}

/**
 * Deploys the execution store mock, with its facts registry and aggregators factory mocks, in one transaction.
 * Contracts read the mock, and request tasks in it, by the function names of its kind only. It is for tests and
 * development: its operators can finalize any result.
 */
export async function deployExecutionStoreMock(options: DeployMockOptions): Promise<DeployedMock> {
  const { provider, operators = [], programHash = MOCK_PROGRAM_HASH } = options;
  const { sourceChain = "ETHEREUM_SEPOLIA", kind = "satellite" } = options;
  const from = await sender(provider, options.from, options.signal);
  const { hdpExecutionStoreMockBytecode: bytecode } =
    await import("./generated/hdp-execution-store-mock-bytecode.js");
  const data = encodeDeployData({
    abi: hdpExecutionStoreMockAbi,
    bytecode,
    args: [programHash, CHAIN_IDS[sourceChain], operators, mockKindNumber(kind)],
  });
  try {
    const { contractAddress, reverted, ...transaction } = await transact(
      provider,
      { from, data },
      options,
    );
    if (contractAddress === undefined || reverted) {
      throw new StoreRpcError(
        "eth_sendTransaction",
        "the deployment of the execution store mock was reverted",
      );
    }
    const readAs = kind === "satellite-develop" ? "satellite" : kind;
    return { address: getAddress(contractAddress), kind: readAs, from, ...transaction };
  } catch (error) {
    throw explainRevert(error, undefined, from);
  }
}

/** Returns a function that reads a flag of mocks by its selector: false for all other contracts. */
function flagOfMocks(selector: Hex) {
  return async (provider: Provider, store: Address, signal?: AbortSignal): Promise<boolean> => {
    const answer = await ethCallUnlessReverted(provider, store, selector, signal);
    return answer?.length === 66 && BigInt(answer) === 1n;
  };
}

/** Returns whether a contract is a mock: real stores have no `IS_MOCK()`. */
export const isMockStore = flagOfMocks("0x47e83912");

/** Returns whether a store is a mock that accepts proven results only. Reads the contract: a revert may undo it. */
export const requiresAuthentication = flagOfMocks("0x16745d47");

/** Returns the account that deployed a mock, its `owner()`; undefined where a contract names none. */
export async function mockDeployer(
  provider: Provider,
  store: Address,
): Promise<Address | undefined> {
  const answer = await ethCallUnlessReverted(provider, store, OWNER);
  return answer?.length === 66 ? `0x${answer.slice(26)}` : undefined;
}

/** Returns whether an account may finalize in a mock. */
export async function isOperator(
  provider: Provider,
  store: Address,
  account: Address,
): Promise<boolean> {
  const args = [OPERATOR_ROLE, account] as const;
  const data = encodeFunctionData({
    abi: hdpExecutionStoreMockAbi,
    functionName: "hasRole",
    args,
  });
  const answer = await ethCallUnlessReverted(provider, store, data);
  return answer?.length === 66 && BigInt(answer) === 1n;
}

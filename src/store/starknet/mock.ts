import { readFile } from "node:fs/promises";

import type { Account, CairoAssembly, CompiledSierra, RpcProvider } from "starknet";
import type { Hex } from "viem";

import { isRecord } from "../../base/collections.js";
import { shipped } from "../../base/files.js";
import { jsonText } from "../../base/json.js";
import { executed, openAccount, refused, type StarknetAccountOptions, starknetHex, TRANSACTION } from "./account.js";
import {
  boundedFetch,
  loadStarknet,
  nodeOptions,
  starknetFailure,
  type StarknetNode,
  starknetReadError,
} from "./node.js";
import { starknetAddress } from "./starknet-execution-store.js";

export interface DeclaredMock {
  readonly classHash: Hex;
  /** Undefined when the class was declared before. */
  readonly transactionHash: Hex | undefined;
}

export interface DeployedStarknetMock extends DeclaredMock {
  readonly address: Hex;
}

/**
 * Declares the Cairo mock of the execution store, unless its class is declared already.
 *
 * Errors: HDP-3008 not an address, HDP-8001 starknet.js is missing, HDP-8008 the network refused.
 */
export async function declareStarknetMock(options: StarknetAccountOptions): Promise<DeclaredMock> {
  return await declare(await openAccount(options));
}

/**
 * Declares the Cairo mock where needed and deploys it. The account is its owner, and so may finalize.
 *
 * Errors: those of `declareStarknetMock`.
 */
export async function deployStarknetMock(options: StarknetAccountOptions): Promise<DeployedStarknetMock> {
  return await deploy(options, {});
}

/**
 * Returns the account's own mock, deploying it where the network has none yet. Its address follows from its class and
 * the account, so that every process finds it; the contract there is known by its class hash.
 *
 * Errors: those of `declareStarknetMock`.
 */
export async function ownStarknetMock(options: StarknetAccountOptions): Promise<Hex> {
  const found = await findOwnStarknetMock(options);
  return found ?? (await deploy(options, { salt: OWN_SALT, unique: false })).address;
}

/**
 * Returns the address of the account's own mock, undefined where the network has none yet. Sends nothing.
 *
 * Errors: HDP-3006 the node failed to answer, HDP-3008 not an address, HDP-8001 starknet.js is missing.
 */
export async function findOwnStarknetMock(
  options: Omit<StarknetAccountOptions, "privateKey">,
): Promise<Hex | undefined> {
  const { hash } = await loadStarknet();
  const owner = starknetAddress(options.accountAddress);
  const classHash = await shippedClassHash();
  const address = starknetAddress(hash.calculateContractAddressFromHash(OWN_SALT, classHash, [owner], 0));
  const provider = await providerOf(options);
  try {
    return BigInt(await provider.getClassHashAt(address, "latest")) === BigInt(classHash) ? address : undefined;
  } catch (error) {
    const failure = starknetFailure(error);
    if (failure.kind === "no-contract") return undefined;
    throw starknetReadError(failure, "starknet_getClassHashAt", address, "a class hash");
  }
}

/** Tells the chain of a node from others, as far as the node answers. */
export interface StarknetChain {
  /** Hash of its first block, without leading zeros. */
  readonly genesis: Hex | undefined;
  /** Whether it is a devnet, which may start anew with the same chain id. */
  readonly startsAnew: boolean;
}

/** How long a node may take to tell its chain, in milliseconds. */
const CHAIN_TIMEOUT = 10_000;

/** Returns what tells the chain from others. Where the node does not answer, nothing is known and it is not a devnet. */
export async function starknetChain(rpcUrl: string): Promise<StarknetChain> {
  const provider = await providerOf({ rpcUrl, baseFetch: boundedFetch({ timeout: CHAIN_TIMEOUT }) });
  const [block, startsAnew] = await Promise.all([
    provider.getBlockWithTxHashes(0).catch(() => undefined),
    isDevnet(provider).catch(() => false),
  ]);
  const hash = block !== undefined && "block_hash" in block ? block.block_hash : undefined;
  return { genesis: hash === undefined ? undefined : starknetHex(hash), startsAnew };
}

/** Only devnets have this method. */
async function isDevnet(provider: RpcProvider): Promise<boolean> {
  const reply = await provider.channel.fetch("devnet_getConfig");
  const answer: unknown = await reply.json();
  return isRecord(answer) && "result" in answer;
}

/** Functions that finalize without a proof. Stores of the service have none of them. */
const MOCK_FUNCTIONS = ["finalize", "setOperator"];

/**
 * Returns whether the contract at an address is an execution store mock, by the functions of its ABI.
 *
 * Errors: HDP-3002 no contract, HDP-3006 the node failed to answer.
 */
export async function isStarknetMock(rpcUrl: string, address: string): Promise<boolean> {
  const provider = await providerOf({ rpcUrl });
  try {
    const { abi } = await provider.getClassAt(address, "latest");
    const text = typeof abi === "string" ? abi : jsonText(abi);
    return MOCK_FUNCTIONS.every((name) => new RegExp(`"name"\\s*:\\s*"${name}"`).test(text));
  } catch (error) {
    throw starknetReadError(starknetFailure(error), "starknet_getClassAt", starknetAddress(address), "an ABI");
  }
}

async function providerOf(node: StarknetNode): Promise<RpcProvider> {
  const { RpcProvider: Provider } = await loadStarknet();
  return new Provider(nodeOptions(node));
}

/** Any constant number serves. This is the short string 'hardhat-hdp'. */
const OWN_SALT = "0x686172646861742d686470";

async function deploy(
  options: StarknetAccountOptions,
  place: { readonly salt?: string; readonly unique?: boolean },
): Promise<DeployedStarknetMock> {
  const account = await openAccount(options);
  const declared = await declare(account);
  return await refused("deploy the mock", async () => {
    const constructorCalldata = [starknetAddress(options.accountAddress)];
    const payload = { classHash: declared.classHash, constructorCalldata, ...place };
    // Not `deployContract`: it polls every five seconds and does not say why a deployment was reverted.
    const { transaction_hash: hash } = await account.deploy(payload, TRANSACTION);
    const receipt = await executed(account, hash);
    if (receipt.type !== "INVOKE") throw new Error(`transaction ${hash} is of type ${receipt.type}`);
    const deployed = account.deployer.parseDeployerEvent(receipt);
    return { ...declared, address: starknetAddress(deployed.contract_address) };
  });
}

async function declare(account: Account): Promise<DeclaredMock> {
  const contract = await shippedJson("ExecutionStoreMock.contract_class.json");
  const casm = await shippedJson("ExecutionStoreMock.compiled_contract_class.json");
  if (!isSierraClass(contract) || !isCasmClass(casm)) throw new Error("The shipped class of the mock is damaged.");
  const classHash = await shippedClassHash();
  return await refused("declare the mock", async () => {
    // With the hash given, starknet.js does not hash the class (three times).
    const declared = await account.declareIfNot({ contract, casm, classHash }, TRANSACTION);
    const isNew = declared.transaction_hash !== "";
    if (isNew) await executed(account, declared.transaction_hash);
    return {
      classHash: starknetHex(declared.class_hash),
      transactionHash: isNew ? starknetHex(declared.transaction_hash) : undefined,
    };
  });
}

async function shippedClassHash(): Promise<string> {
  const hashes = await shippedJson("class-hashes.json");
  if (isRecord(hashes) && typeof hashes["classHash"] === "string") return hashes["classHash"];
  throw new Error("The shipped class hashes of the mock are damaged.");
}

async function shippedJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(shipped(`contracts/starknet/artifacts/${name}`), "utf8"));
}

function isSierraClass(value: unknown): value is CompiledSierra {
  return isRecord(value) && "sierra_program" in value && "abi" in value;
}

function isCasmClass(value: unknown): value is CairoAssembly {
  return isRecord(value) && "bytecode" in value && "entry_points_by_type" in value;
}

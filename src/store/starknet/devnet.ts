import { readFile } from "node:fs/promises";

import type { Account, CairoAssembly, CompiledSierra } from "starknet";
import type { Hex } from "viem";

import { jsonText } from "../../base/json.js";
import { shipped } from "../../base/files.js";
import { executed, openAccount, refused, type StarknetAccountOptions, starknetHex, TRANSACTION } from "./account.js";
import { boundedFetch, classifyStarknetFailure, loadStarknet, nodeOptions, starknetStoreError } from "./node.js";
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
 * Declares the Cairo mock of the execution store, unless its class is there already.
 *
 * Errors: HDP-8001 starknet.js is missing, HDP-8006 not an address, HDP-8008 the network refused.
 */
export async function declareStarknetMock(options: StarknetAccountOptions): Promise<DeclaredMock> {
  const account = await openAccount(options);
  const { classHash, transactionHash } = await declare(account);
  return { classHash, transactionHash };
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
 * The account's own mock: the one that an earlier process deployed on this network, or a new one. Its address follows
 * from its class and the account, so that every process finds it; what is there is known by its class hash.
 *
 * Errors: those of `declareStarknetMock`.
 */
export async function ownStarknetMock(options: StarknetAccountOptions): Promise<Hex> {
  const found = await findOwnStarknetMock(options);
  return found ?? (await deploy(options, { salt: OWN_SALT, unique: false })).address;
}

/**
 * The address of the account's own mock, undefined where this network has none yet. Reads only.
 *
 * Errors: HDP-8001 starknet.js is missing, HDP-8005 the node refused, HDP-8006 not an address.
 */
export async function findOwnStarknetMock(
  options: Omit<StarknetAccountOptions, "privateKey">,
): Promise<Hex | undefined> {
  const { hash, RpcProvider } = await loadStarknet();
  const owner = starknetAddress(options.accountAddress);
  const classHash = await shippedClassHash();
  const address = starknetAddress(hash.calculateContractAddressFromHash(OWN_SALT, classHash, [owner], 0));
  const provider = new RpcProvider(nodeOptions(options));
  try {
    return BigInt(await provider.getClassHashAt(address, "latest")) === BigInt(classHash) ? address : undefined;
  } catch (error) {
    const failure = classifyStarknetFailure(error);
    if (failure.kind === "no-contract") return undefined;
    throw starknetStoreError(failure, address, ["getClassHashAt"]);
  }
}

/** What tells the chain of a node from others, as far as the node answers. */
export interface StarknetChain {
  /** Hash of its first block, 0x and 64 digits. */
  readonly genesis: Hex | undefined;
  /** Whether it is a devnet, which may start anew with the same chain id. */
  readonly startsAnew: boolean;
}

/** Never rejects for what the node answers: nothing is known then, and the node is no devnet. */
export async function starknetChain(rpcUrl: string): Promise<StarknetChain> {
  const { RpcProvider } = await loadStarknet();
  const provider = new RpcProvider(nodeOptions({ rpcUrl }));
  const [block, startsAnew] = await Promise.all([
    provider.getBlockWithTxHashes(0).catch(() => undefined),
    isDevnet(rpcUrl),
  ]);
  const hash = block !== undefined && "block_hash" in block ? block.block_hash : undefined;
  const genesis = hash === undefined ? undefined : starknetHex(hash);
  return { genesis, startsAnew };
}

/** Milliseconds for a node to say whether it is a devnet. */
const PATIENCE = 10_000;
const MOST_CONFIG_BYTES = 2 ** 20;

/** Whether a node answers to a method that only devnets have. */
async function isDevnet(nodeUrl: string): Promise<boolean> {
  try {
    const response = await boundedFetch({ deadline: PATIENCE, maxBytes: MOST_CONFIG_BYTES })(nodeUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "devnet_getConfig", params: {} }),
    });
    const answer: unknown = await response.json();
    return typeof answer === "object" && answer !== null && "result" in answer;
  } catch {
    return false;
  }
}

/** Functions that finalize by hand, which no store of the service has. */
const MOCK_FUNCTIONS = ["finalize", "setOperator"];

/**
 * Whether the contract at an address is an execution store mock: its ABI has the functions of one.
 *
 * Errors: HDP-8002 no contract, HDP-8005 the node refused.
 */
export async function isStarknetMock(rpcUrl: string, address: string): Promise<boolean> {
  const { RpcProvider } = await loadStarknet();
  try {
    const { abi } = await new RpcProvider(nodeOptions({ rpcUrl })).getClassAt(address, "latest");
    const text = typeof abi === "string" ? abi : jsonText(abi);
    return MOCK_FUNCTIONS.every((name) => new RegExp(`"name"\\s*:\\s*"${name}"`).test(text));
  } catch (error) {
    throw starknetStoreError(classifyStarknetFailure(error), starknetAddress(address), ["getClassAt"]);
  }
}

/** Any number serves, as long as it stays the same. The short string 'hardhat-hdp'. */
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
    // Not `deployContract`: it waits by itself, asks every five seconds, and does not say why a deployment was reverted.
    const { transaction_hash: hash } = await account.deploy(payload, TRANSACTION);
    const receipt = await executed(account, hash);
    if (receipt.type !== "INVOKE") throw new Error(`transaction ${hash} is a ${receipt.type}, no deployment`);
    const deployed = account.deployer.parseDeployerEvent(receipt);
    return { ...declared, address: starknetAddress(deployed.contract_address) };
  });
}

async function declare(account: Account): Promise<DeclaredMock> {
  const contract = await artifact("contract_class");
  const casm = await artifact("compiled_contract_class");
  const classHash = await shippedClassHash();
  if (!isSierraClass(contract) || !isCasmClass(casm)) throw new Error("The shipped class of the mock is damaged.");
  return await refused("declare the mock", async () => {
    // Known, so that starknet.js need not hash the class: it would three times.
    const declared = await account.declareIfNot({ contract, casm, classHash }, TRANSACTION);
    const { transaction_hash: transactionHash } = declared;
    if (transactionHash !== "") await executed(account, transactionHash);
    return {
      classHash: starknetHex(declared.class_hash),
      transactionHash: transactionHash === "" ? undefined : starknetHex(transactionHash),
    };
  });
}

async function artifact(kind: "contract_class" | "compiled_contract_class"): Promise<unknown> {
  return await shippedArtifact(`ExecutionStoreMock.${kind}.json`);
}

async function shippedClassHash(): Promise<string> {
  const hashes = await shippedArtifact("class-hashes.json");
  if (typeof hashes === "object" && hashes !== null && "classHash" in hashes && typeof hashes.classHash === "string") {
    return hashes.classHash;
  }
  throw new Error("The shipped class hashes of the mock are damaged.");
}

async function shippedArtifact(name: string): Promise<unknown> {
  return JSON.parse(await readFile(shipped(`contracts/starknet/artifacts/${name}`), "utf8"));
}

function isSierraClass(value: unknown): value is CompiledSierra {
  return typeof value === "object" && value !== null && "sierra_program" in value && "abi" in value;
}

function isCasmClass(value: unknown): value is CairoAssembly {
  return typeof value === "object" && value !== null && "bytecode" in value && "entry_points_by_type" in value;
}

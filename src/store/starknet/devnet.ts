import { readFile } from "node:fs/promises";

import type { Hex } from "viem";
import type { Account, CompiledSierra, CairoAssembly } from "starknet";

import { HdpError } from "../../request/errors.js";
import { requireTaskHash } from "../execution-store.js";
import { loadStarknet } from "./load-starknet.js";
import { starknetAddress } from "./starknet-execution-store.js";
import { splitWord } from "./u256.js";

/** An account that pays for and signs transactions, on a devnet as a rule. */
export interface StarknetAccountOptions {
  readonly rpcUrl: string;
  /** Sends the requests to `rpcUrl`. Default: the global fetch. */
  readonly baseFetch?: typeof fetch | undefined;
  readonly accountAddress: string;
  /** Called when a transaction is to be signed for the first time; the key is kept nowhere else. */
  readonly privateKey: () => string | Promise<string>;
}

export interface DeclaredMock {
  readonly classHash: Hex;
  /** Undefined when the class was declared before. */
  readonly transactionHash: Hex | undefined;
}

export interface DeployedStarknetMock extends DeclaredMock {
  readonly address: Hex;
}

export interface FinalizeOnStarknetOptions extends StarknetAccountOptions {
  /** The mock's address. */
  readonly address: string;
  readonly taskHash: Hex;
  /** The result, 32 bytes. */
  readonly word: Hex;
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
  const account = await openAccount(options);
  const declared = await declare(account);
  return await refused("deploy the mock", async () => {
    const constructorCalldata = [starknetAddress(options.accountAddress)];
    const deployed = await account.deployContract({ classHash: declared.classHash, constructorCalldata });
    await account.provider.waitForTransaction(deployed.transaction_hash);
    return { ...declared, address: starknetAddress(deployed.contract_address) };
  });
}

/**
 * Stores a result in the Cairo mock, as one of its operators.
 *
 * Errors: those of `declareStarknetMock`, HDP-3011 not a task hash.
 */
export async function finalizeOnStarknet(
  options: FinalizeOnStarknetOptions,
): Promise<{ readonly transactionHash: Hex }> {
  const task = splitWord(requireTaskHash(options.taskHash));
  const result = splitWord(options.word);
  const contractAddress = starknetAddress(options.address);
  const account = await openAccount(options);
  return await refused("finalize the task", async () => {
    const calldata = [task.low, task.high, result.low, result.high].map(String);
    const sent = await account.execute({ contractAddress, entrypoint: "finalize", calldata });
    await account.provider.waitForTransaction(sent.transaction_hash);
    return { transactionHash: hex(sent.transaction_hash) };
  });
}

async function openAccount(options: StarknetAccountOptions): Promise<Account> {
  const address = starknetAddress(options.accountAddress);
  const { Account: StarknetAccount } = await loadStarknet();
  const { rpcUrl: nodeUrl, baseFetch } = options;
  const provider = baseFetch === undefined ? { nodeUrl } : { nodeUrl, baseFetch };
  return new StarknetAccount({ provider, address, signer: await options.privateKey() });
}

async function declare(account: Account): Promise<DeclaredMock> {
  const contract = await artifact("contract_class");
  const casm = await artifact("compiled_contract_class");
  if (!isSierraClass(contract) || !isCasmClass(casm)) throw new Error("The shipped class of the mock is damaged.");
  return await refused("declare the mock", async () => {
    const declared = await account.declareIfNot({ contract, casm });
    const { transaction_hash: transactionHash } = declared;
    if (transactionHash !== "") await account.provider.waitForTransaction(transactionHash);
    return {
      classHash: hex(declared.class_hash),
      transactionHash: transactionHash === "" ? undefined : hex(transactionHash),
    };
  });
}

/** The same depth below the package in `src` and in `dist`. */
async function artifact(kind: "contract_class" | "compiled_contract_class"): Promise<unknown> {
  const file = `../../../contracts/starknet/artifacts/ExecutionStoreMock.${kind}.json`;
  return JSON.parse(await readFile(new URL(file, import.meta.url), "utf8"));
}

function isSierraClass(value: unknown): value is CompiledSierra {
  return typeof value === "object" && value !== null && "sierra_program" in value && "abi" in value;
}

function isCasmClass(value: unknown): value is CairoAssembly {
  return typeof value === "object" && value !== null && "bytecode" in value && "entry_points_by_type" in value;
}

async function refused<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // starknet.js quotes the whole request, class included; its own sentence is the last line's end.
    const reason = message.slice(-300).replace(/\b\w+:\/\/\S+/g, "<url>");
    throw new HdpError({
      code: "HDP-8008",
      message: `the Starknet network refused to ${what}: ${reason}`,
      hints: ["Check that the account is deployed and funded there, and that it owns the mock."],
    });
  }
}

function hex(value: string): Hex {
  return `0x${BigInt(value).toString(16)}`;
}

import { readFile } from "node:fs/promises";

import type { Account, CairoAssembly, CompiledSierra } from "starknet";
import type { Hex } from "viem";

import { executed, NO_TIP, openAccount, refused, type StarknetAccountOptions, starknetHex } from "./account.js";
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
  const account = await openAccount(options);
  const declared = await declare(account);
  return await refused("deploy the mock", async () => {
    const constructorCalldata = [starknetAddress(options.accountAddress)];
    const deployed = await account.deployContract({ classHash: declared.classHash, constructorCalldata }, NO_TIP);
    await executed(account, deployed.transaction_hash);
    return { ...declared, address: starknetAddress(deployed.contract_address) };
  });
}

async function declare(account: Account): Promise<DeclaredMock> {
  const contract = await artifact("contract_class");
  const casm = await artifact("compiled_contract_class");
  if (!isSierraClass(contract) || !isCasmClass(casm)) throw new Error("The shipped class of the mock is damaged.");
  return await refused("declare the mock", async () => {
    const declared = await account.declareIfNot({ contract, casm }, NO_TIP);
    const { transaction_hash: transactionHash } = declared;
    if (transactionHash !== "") await executed(account, transactionHash);
    return {
      classHash: starknetHex(declared.class_hash),
      transactionHash: transactionHash === "" ? undefined : starknetHex(transactionHash),
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

import { readFile } from "node:fs/promises";
import type { CompiledSierra, RpcProvider } from "starknet";
import type { Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../../base/collections.js";
import { formatFelt } from "../../base/felt.js";
import { shipped } from "../../base/files.js";
import { jsonText } from "../../base/json.js";
import { boundedFetch, loadStarknet, starknetProvider, starknetAddress } from "./starknet-js.js";
import { executed, refused, TRANSACTION, untilAlone } from "./starknet-transactions.js";
import { isText, requireOption } from "./typed-options.js";
import {
  openAccount,
  type StarknetAccountAddress,
  type StarknetAccountOptions,
  type StarknetJsAccount,
} from "./starknet-account.js";
import { starknetFailure, starknetReadError } from "./starknet-failures.js";

/** A declared class of the Starknet mock. */
export interface DeclaredMock {
  readonly classHash: Hex;
  /** Undefined when the class was declared before. */
  readonly transactionHash: Hex | undefined;
}

/** A deployed Starknet mock. */
export interface DeployedStarknetMock extends DeclaredMock {
  readonly address: Hex;
}

/**
 * Declares the Cairo mock of the execution store, unless its class is declared already.
 * @throws HdpError HDP-8023 an option of the wrong type, HDP-1110 not an address, HDP-8022 not a key, HDP-8001 starknet.js
 * is missing, HDP-8008 the network refused.
 */
export async function declareStarknetMock(options: StarknetAccountOptions): Promise<DeclaredMock> {
  const account = await openAccount(options);
  const contract = await shippedJson("ExecutionStoreMock.contract_class.json");
  if (!isSierraClass(contract)) throw new Error("The shipped class of the mock is damaged.");
  const { classHash, compiledClassHash, compiledClassHashPoseidon } = await shippedHashes();
  const { compareVersions } = await loadStarknet();
  const send = async (): Promise<DeclaredMock> => {
    const isOld = compareVersions(await account.provider.getStarknetVersion(), "0.14.1") < 0;
    // Without the hashes, starknet.js would hash the class (three times), and need the compiled class.
    const hashes = {
      classHash,
      compiledClassHash: isOld ? compiledClassHashPoseidon : compiledClassHash,
    };
    const declared = await account.declareIfNot({ contract, ...hashes }, TRANSACTION);
    const isNew = declared.transaction_hash !== "";
    if (isNew) await executed(account, declared.transaction_hash);
    return {
      classHash: formatFelt(BigInt(declared.class_hash)),
      transactionHash: isNew ? formatFelt(BigInt(declared.transaction_hash)) : undefined,
    };
  };
  return await untilAlone(
    async () => await refused(`declare the mock from the account ${account.address}`, send),
  );
}

/** Where a mock is deployed. */
export interface StarknetMockPlace {
  /** Salt of its address, a felt. Default: a random one. */
  readonly salt?: string | undefined;
  /** Whether the address follows from the account's own address too; false: from class, owner and salt alone. Default true. */
  readonly unique?: boolean | undefined;
}

/**
 * Declares the Cairo mock where needed and deploys it. The account is its owner, and so may finalize.
 * @throws those of `declareStarknetMock`
 */
export async function deployStarknetMock(
  options: StarknetAccountOptions,
  place: StarknetMockPlace = {},
): Promise<DeployedStarknetMock> {
  requirePlace(place);
  const { salt, unique = true } = place;
  const declared = await declareStarknetMock(options);
  const account = await openAccount(options);
  return await refused(`deploy the mock from the account ${account.address}`, async () => {
    const constructorCalldata = [starknetAddress(account.address)];
    const payload = { classHash: declared.classHash, constructorCalldata, unique };
    // `deployContract` polls every five seconds and does not report why a deployment was reverted.
    const { transaction_hash: hash } = await account.deploy(
      salt === undefined ? payload : Object.assign(payload, { salt }),
      TRANSACTION,
    );
    const receipt = await executed(account, hash);
    if (receipt.type !== "INVOKE")
      throw new Error(`transaction ${hash} is of type ${receipt.type}`);
    const deployed = account.deployer.parseDeployerEvent(receipt);
    return { ...declared, address: starknetAddress(deployed.contract_address) };
  });
}

/** @throws HdpError HDP-8023 */
function requirePlace(place: StarknetMockPlace): void {
  requireOption("salt", place.salt, [isSalt, "0x and up to 63 hexadecimal digits", '"0x1"']);
  requireOption("unique", place.unique, [isFlag, "true or false", "false"]);
}

function isSalt(value: unknown): boolean {
  return value === undefined || (isText(value) && /^0x[0-9a-fA-F]{1,63}$/.test(value));
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

/**
 * Returns the mock of the account that is in use, deploying the first one where the network has none yet. Its address is
 * derived from the class, the account and its number, so that every process finds it; the contract is recognized by its
 * class hash.
 * @throws those of `declareStarknetMock`
 */
export async function ownStarknetMock(options: StarknetAccountOptions): Promise<Hex> {
  // Another process may deploy it at the same time.
  return await untilAlone(async () => {
    const owned = await ownMocks(options);
    return owned.at(-1) ?? (await deployNumbered(options, 0)).address;
  });
}

/**
 * Deploys one more mock of the account, which every process uses from then on.
 * @throws those of `declareStarknetMock`
 */
export async function deployNextStarknetMock(
  options: StarknetAccountOptions,
): Promise<DeployedStarknetMock> {
  return await untilAlone(
    async () => await deployNumbered(options, (await ownMocks(options)).length),
  );
}

/**
 * Returns the address of the account's mock that is in use, undefined where the network has none yet. Sends nothing.
 * @throws HdpError HDP-4103 the node failed to answer, HDP-1110 not an address, HDP-8001 starknet.js is missing.
 */
export async function findOwnStarknetMock(
  options: StarknetAccountAddress | StarknetJsAccount,
): Promise<Hex | undefined> {
  return (await ownMocks(options)).at(-1);
}

/** Salt of an account's first mock, an arbitrary constant: the short string 'hardhat-hdp'. The next ones count on. */
const OWN_SALT = 0x686172646861742d686470n;

async function deployNumbered(
  options: StarknetAccountOptions,
  number: number,
): Promise<DeployedStarknetMock> {
  return await deployStarknetMock(options, { salt: mockSalt(number), unique: false });
}

function mockSalt(number: number): Hex {
  return formatFelt(OWN_SALT + BigInt(number));
}

/** Returns the addresses of an account's own mocks, the first one first. */
async function ownMocks(
  options: StarknetAccountAddress | StarknetJsAccount,
): Promise<readonly Hex[]> {
  const { hash } = await loadStarknet();
  const { classHash } = await shippedHashes();
  const { provider, owner } = await readOwner(options);
  const owned: Hex[] = [];
  for (;;) {
    const salt = mockSalt(owned.length);
    const address = starknetAddress(
      hash.calculateContractAddressFromHash(salt, classHash, [owner], 0),
    );
    if (!(await hasClass(provider, address, classHash))) return owned;
    owned.push(address);
  }
}

async function readOwner(
  options: StarknetAccountAddress | StarknetJsAccount,
): Promise<{ readonly provider: RpcProvider; readonly owner: Hex }> {
  if ("accountAddress" in options)
    return {
      provider: await starknetProvider(options),
      owner: starknetAddress(options.accountAddress),
    };
  const { provider, address } = options.account;
  return { provider, owner: starknetAddress(address) };
}

async function hasClass(provider: RpcProvider, address: Hex, classHash: string): Promise<boolean> {
  try {
    return BigInt(await provider.getClassHashAt(address, "latest")) === BigInt(classHash);
  } catch (error) {
    const failure = starknetFailure(error);
    if (failure.kind === "no-contract") return false;
    throw starknetReadError(failure, "starknet_getClassHashAt", address, "a class hash");
  }
}

/** Timeout for identifying a node's chain, in milliseconds. */
const CHAIN_TIMEOUT = 10_000;

/** Returns the hash of a chain's first block, without leading zeros, and whether it is a devnet, as far as known. */
export async function starknetChain(
  rpcUrl: string,
): Promise<{ genesis: Hex | undefined; startsAnew: boolean }> {
  const provider = await starknetProvider({
    rpcUrl,
    baseFetch: boundedFetch({ timeout: CHAIN_TIMEOUT }),
  });
  const [block, config] = await Promise.all([
    provider.getBlockWithTxHashes(0).catch(() => undefined),
    // Only devnets have this method.
    provider.channel
      .fetch("devnet_getConfig")
      .then(async (reply): Promise<unknown> => await reply.json())
      .catch(() => undefined),
  ]);
  const hash = block !== undefined && "block_hash" in block ? block.block_hash : undefined;
  const genesis = hash === undefined ? undefined : formatFelt(BigInt(hash));
  return { genesis, startsAnew: isRecord(config) && "result" in config };
}

/** Returns the block of a transaction; throws where the node does not know it. */
export async function starknetTransactionBlock(
  rpcUrl: string,
  transactionHash: Hex,
): Promise<bigint | undefined> {
  const receipt = await (await starknetProvider({ rpcUrl })).getTransactionReceipt(transactionHash);
  return receipt.isSuccess() ? BigInt(receipt.block_number) : undefined;
}

/** Functions that finalize without a proof, which no store of the service has. */
const MOCK_FUNCTIONS = ["finalize", "set_operator"];

/** Returns whether a contract is a store mock, by its ABI. @throws HDP-3002 no contract, HDP-4103 no answer */
export async function isStarknetMock(rpcUrl: string, address: string): Promise<boolean> {
  const provider = await starknetProvider({ rpcUrl });
  try {
    const { abi } = await provider.getClassAt(address, "latest");
    const text = typeof abi === "string" ? abi : jsonText(abi);
    return MOCK_FUNCTIONS.every((name) => new RegExp(`"name"\\s*:\\s*"${name}"`).test(text));
  } catch (error) {
    throw starknetReadError(
      starknetFailure(error),
      "starknet_getClassAt",
      starknetAddress(address),
      "an ABI",
    );
  }
}

const classHashes = z.object({
  classHash: z.string(),
  compiledClassHash: z.string(),
  compiledClassHashPoseidon: z.string(),
});

async function shippedHashes(): Promise<z.output<typeof classHashes>> {
  return classHashes.parse(await shippedJson("class-hashes.json"));
}

async function shippedJson(name: string): Promise<unknown> {
  return JSON.parse(
    await readFile(shipped(`contracts/starknet/hardhat_hdp_testing/artifacts/${name}`), "utf8"),
  );
}

function isSierraClass(value: unknown): value is CompiledSierra {
  return isRecord(value) && "sierra_program" in value && "abi" in value;
}

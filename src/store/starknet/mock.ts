import { readFile } from "node:fs/promises";
import type { Account, Call, CompiledSierra } from "starknet";
import type { Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../../base/collections.js";
import { formatFelt } from "../../base/felt.js";
import { shipped } from "../../base/files.js";
import { halvesOf, requireTaskHash, splitWord } from "../../base/hex.js";
import { jsonText } from "../../base/json.js";
import { plural } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { TaskWord } from "../../request/task-result.js";
import type { ExecutionStore } from "../execution-store.js";
import type { StoreTransaction } from "../transact.js";
import { openStarknetExecutionStore } from "./starknet-execution-store.js";
import {
  boundedFetch,
  executed,
  loadStarknet,
  openAccount,
  providerOf,
  refused,
  type StarknetAccountAddress,
  type StarknetAccountOptions,
  starknetAddress,
  starknetFailure,
  starknetReadError,
  TRANSACTION,
  untilAlone,
} from "./starknet-js.js";

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
 * @throws HdpError HDP-1110 not an address, HDP-8001 starknet.js is missing, HDP-8008 the network refused.
 */
export async function declareStarknetMock(options: StarknetAccountOptions): Promise<DeclaredMock> {
  const account = await openAccount(options);
  const contract = await shippedJson("ExecutionStoreMock.contract_class.json");
  if (!isSierraClass(contract)) throw new Error("The shipped class of the mock is damaged.");
  const { classHash, compiledClassHash, compiledClassHashPoseidon } = await shippedHashes();
  const { compareVersions } = await loadStarknet();
  const send = async (): Promise<DeclaredMock> => {
    const isOld =
      compareVersions(await (await providerOf(options)).getStarknetVersion(), "0.14.1") < 0;
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

/**
 * Declares the Cairo mock where needed and deploys it. The account is its owner, and so may finalize.
 * @throws those of `declareStarknetMock`
 * @param place salt of the address; not `unique`, the address depends on class, account and salt alone
 */
export async function deployStarknetMock(
  options: StarknetAccountOptions,
  place: { readonly salt?: string; readonly unique?: boolean } = {},
): Promise<DeployedStarknetMock> {
  const declared = await declareStarknetMock(options);
  const account = await openAccount(options);
  return await refused(`deploy the mock from the account ${account.address}`, async () => {
    const constructorCalldata = [starknetAddress(options.accountAddress)];
    const payload = { classHash: declared.classHash, constructorCalldata, ...place };
    // `deployContract` polls every five seconds and does not report why a deployment was reverted.
    const { transaction_hash: hash } = await account.deploy(payload, TRANSACTION);
    const receipt = await executed(account, hash);
    if (receipt.type !== "INVOKE")
      throw new Error(`transaction ${hash} is of type ${receipt.type}`);
    const deployed = account.deployer.parseDeployerEvent(receipt);
    return { ...declared, address: starknetAddress(deployed.contract_address) };
  });
}

/**
 * Returns the account's own mock, deploying it where the network has none yet. The address is derived from the class
 * and the account, so that every process finds it; the contract is recognized by its class hash.
 * @throws those of `declareStarknetMock`
 */
export async function ownStarknetMock(options: StarknetAccountOptions): Promise<Hex> {
  // Another process may deploy it at the same time.
  return await untilAlone(async () => {
    const found = await findOwnStarknetMock(options);
    return found ?? (await deployStarknetMock(options, { salt: OWN_SALT, unique: false })).address;
  });
}

/**
 * Returns the address of the account's own mock, undefined where the network has none yet. Sends nothing.
 * @throws HdpError HDP-4103 the node failed to answer, HDP-1110 not an address, HDP-8001 starknet.js is missing.
 */
export async function findOwnStarknetMock(
  options: StarknetAccountAddress,
): Promise<Hex | undefined> {
  const { hash } = await loadStarknet();
  const owner = starknetAddress(options.accountAddress);
  const { classHash } = await shippedHashes();
  const address = starknetAddress(
    hash.calculateContractAddressFromHash(OWN_SALT, classHash, [owner], 0),
  );
  const provider = await providerOf(options);
  try {
    return BigInt(await provider.getClassHashAt(address, "latest")) === BigInt(classHash)
      ? address
      : undefined;
  } catch (error) {
    const failure = starknetFailure(error);
    if (failure.kind === "no-contract") return undefined;
    throw starknetReadError(failure, "starknet_getClassHashAt", address, "a class hash");
  }
}

/** Timeout for identifying a node's chain, in milliseconds. */
const CHAIN_TIMEOUT = 10_000;

/** Returns the hash of a chain's first block, without leading zeros, and whether it is a devnet, as far as known. */
export async function starknetChain(
  rpcUrl: string,
): Promise<{ genesis: Hex | undefined; startsAnew: boolean }> {
  const provider = await providerOf({
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
export async function starknetBlockOf(
  rpcUrl: string,
  transactionHash: Hex,
): Promise<bigint | undefined> {
  const receipt = await (await providerOf({ rpcUrl })).getTransactionReceipt(transactionHash);
  return receipt.isSuccess() ? BigInt(receipt.block_number) : undefined;
}

/** Functions that finalize without a proof, which no store of the service has. */
const MOCK_FUNCTIONS = ["finalize", "setOperator"];

/** Returns whether a contract is a store mock, by its ABI. @throws HDP-3002 no contract, HDP-4103 no answer */
export async function isStarknetMock(rpcUrl: string, address: string): Promise<boolean> {
  const provider = await providerOf({ rpcUrl });
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

/** Salt of the mock, an arbitrary constant: the short string 'hardhat-hdp'. */
const OWN_SALT = "0x686172646861742d686470";

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

/** Options of finalizing tasks in a Starknet mock. */
export interface FinalizeTasksOnStarknetOptions extends StarknetAccountOptions {
  readonly address: string;
  readonly results: readonly TaskWord[];
}

/** The transaction that finalized, and the store with all digits of its address. Gas is L2 gas. */
export interface StarknetFinalization extends StoreTransaction {
  readonly store: Hex;
}

/** Calls per transaction: Starknet allows 1,000 events, and fees emit events too. */
const MAX_CALLS = 500;

/**
 * Stores results in the Cairo mock as one of its operators, up to 500 per transaction, which stores all of them or
 * none. Skips tasks that the mock has finalized with the same result, since it finalizes a task once. Returns the last
 * transaction; if all are finalized, sends nothing and returns the transaction that finalized the last task.
 * @throws those of `openStarknetExecutionStore`, HDP-3011 not a task hash, HDP-8008 the network refused, HDP-4404 a
 * task has another result.
 */
export async function finalizeTasksOnStarknet(
  options: FinalizeTasksOnStarknetOptions,
): Promise<StarknetFinalization> {
  return await untilAlone(async () => {
    const { rpcUrl, baseFetch, results } = options;
    const store = await openStarknetExecutionStore({ rpcUrl, baseFetch, address: options.address });
    const finalized = await Promise.all(
      results.map(async (result) => await isFinalized(store, result)),
    );
    const calls = results
      .filter((_, position) => finalized[position] === false)
      .map(({ taskHash, word }): Call => {
        const calldata = halvesOf(requireTaskHash(taskHash), word).map(String);
        return { contractAddress: store.address, entrypoint: "finalize", calldata };
      });
    const account = await openAccount(options);
    let sent: StoreTransaction | undefined;
    for (let first = 0; first < calls.length; first += MAX_CALLS) {
      sent = await send(account, store.address, calls.slice(first, first + MAX_CALLS));
    }
    if (sent !== undefined) return { store: store.address, ...sent };
    const last = results.at(-1);
    const found = last && (await findFinalization(account, store.address, last.taskHash));
    if (found === undefined)
      throw new Error("The tasks are finalized in the store, but it has no event of that.");
    return { store: store.address, ...found };
  });
}

/** Returns whether the store has exactly this result. */
async function isFinalized(store: ExecutionStore, { taskHash, word }: TaskWord): Promise<boolean> {
  if ((await store.status(taskHash)) !== "finalized") return false;
  const kept = await store.readResult(taskHash);
  if (kept.value === BigInt(word)) return true;
  const advice = "finalizes a task once. Deploy another mock: npx hardhat hdp starknet deploy-mock";
  throw hdpError("HDP-4404", {
    stored: kept.word,
    hash: taskHash,
    computed: word,
    store: store.address,
    advice,
  });
}

async function send(
  account: Account,
  store: Hex,
  calls: readonly Call[],
): Promise<StoreTransaction> {
  const action = `finalize ${plural(calls.length, "task")} in the mock ${store} from the account ${account.address}`;
  return await refused(action, async () => {
    const sent = await account.execute([...calls], TRANSACTION);
    const receipt = await executed(account, sent.transaction_hash);
    return {
      transactionHash: formatFelt(BigInt(sent.transaction_hash)),
      blockNumber: BigInt(receipt.block_number),
      gasUsed: BigInt(receipt.execution_resources.l2_gas),
    };
  });
}

/** Finds the transaction that finalized a task, by the mock's events (hash low and high first), oldest first. */
async function findFinalization(
  { provider }: Account,
  address: Hex,
  taskHash: Hex,
): Promise<StoreTransaction | undefined> {
  const { hash } = await loadStarknet();
  const { low, high } = splitWord(taskHash);
  const keys = [[hash.getSelectorFromName("TaskFinalized")]];
  const filter = {
    address,
    keys,
    from_block: { block_number: 0 },
    to_block: "latest",
    chunk_size: 1000,
  } as const;
  return await refused(`list the events of the mock ${address}`, async () => {
    let page: Awaited<ReturnType<typeof provider.getEvents>> | undefined;
    do {
      const continued = page?.continuation_token;
      page = await provider.getEvents({
        ...filter,
        ...(continued && { continuation_token: continued }),
      });
      const found = page.events.find(
        ({ data }) => BigInt(data[0] ?? -1) === low && BigInt(data[1] ?? -1) === high,
      );
      if (found === undefined) continue;
      const receipt = await provider.getTransactionReceipt(found.transaction_hash);
      return {
        transactionHash: formatFelt(BigInt(found.transaction_hash)),
        blockNumber: BigInt(found.block_number ?? 0),
        gasUsed: receipt.isSuccess() ? BigInt(receipt.execution_resources.l2_gas) : 0n,
      };
    } while (page.continuation_token !== undefined);
    return undefined;
  });
}

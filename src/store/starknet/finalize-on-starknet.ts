import type { Account, Call } from "starknet";
import type { Hex } from "viem";

import { formatFelt } from "../../base/felt.js";
import { splitHalves, requireTaskHash, splitWord } from "../../base/hex.js";
import { plural } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { TaskWord } from "../../request/task-result.js";
import type { ExecutionStore } from "../execution-store.js";
import type { StoreTransaction } from "../transact.js";
import { openStarknetExecutionStore } from "./starknet-execution-store.js";
import { executed, refused, TRANSACTION, untilAlone } from "./starknet-transactions.js";
import { isText, requireOption } from "./typed-options.js";
import { loadStarknet } from "./starknet-js.js";
import { openAccount, type StarknetAccountOptions } from "./starknet-account.js";

/** Options of finalizing tasks in a Starknet mock. */
export type FinalizeTasksOnStarknetOptions = StarknetAccountOptions & {
  /** Address of the mock. */
  readonly address: string;
  /** Tasks with the word to store for each, `0x` and 64 hexadecimal digits. */
  readonly results: readonly TaskWord[];
};

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
 * @throws those of `declareStarknetMock` and `openStarknetExecutionStore`, HDP-3011 not a task hash, HDP-4404 a task has
 * another result.
 */
export async function finalizeTasksOnStarknet(
  options: FinalizeTasksOnStarknetOptions,
): Promise<StarknetFinalization> {
  const account = await openAccount(options);
  requireResults(options);
  const { address, results } = options;
  return await untilAlone(async () => {
    const store = await openStarknetExecutionStore({ provider: account.provider, address });
    const finalized = await Promise.all(
      results.map(async (result) => await isFinalized(store, result)),
    );
    const calls = results
      .filter((_, position) => finalized[position] === false)
      .map(({ taskHash, word }): Call => {
        const calldata = splitHalves(requireTaskHash(taskHash), word).map(String);
        return { contractAddress: store.address, entrypoint: "finalize", calldata };
      });
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

const ADDRESS = [isText, "the address of the mock, as text", '"0x…"'] as const;
const RESULTS = [
  Array.isArray,
  "a list of { taskHash, word }",
  '[{ taskHash: "0x…", word: "0x…" }]',
] as const;
const TASK_HASH = [isText, "a task hash", '"0x…"'] as const;
const WORD = [isWord, "0x and 64 hexadecimal digits", '"0x…"'] as const;

/** @throws HdpError HDP-8023, HDP-3011 */
function requireResults({ address, results }: FinalizeTasksOnStarknetOptions): void {
  requireOption("address", address, ADDRESS);
  requireOption("results", results, RESULTS);
  for (const [position, { taskHash, word }] of results.entries()) {
    const path = `results[${position.toString()}]`;
    requireOption(`${path}.taskHash`, taskHash, TASK_HASH);
    requireTaskHash(taskHash, `${path}.taskHash`);
    requireOption(`${path}.word`, word, WORD);
  }
}

function isWord(value: unknown): boolean {
  return isText(value) && /^0x[0-9a-fA-F]{64}$/.test(value);
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

import { keccak } from "@scure/starknet";
import type { Account } from "starknet";
import type { Hex } from "viem";

import type { StoreTransaction } from "../finalize.js";
import { refused, starknetHex } from "./account.js";
import { splitWord } from "./u256.js";

const PAGE = 1000;

/**
 * The transaction that finalized a task in a mock, from the mock's events (`TaskFinalized`: hash low and high, result
 * low and high, nothing indexed), oldest first; undefined where there is none.
 */
export async function findStarknetFinalization(
  { provider }: Account,
  address: Hex,
  taskHash: Hex,
): Promise<StoreTransaction | undefined> {
  const { low, high } = splitWord(taskHash);
  const key = `0x${keccak(new TextEncoder().encode("TaskFinalized")).toString(16)}`;
  return await refused("list the mock's events", async () => {
    let continuation: string | undefined;
    do {
      const page = await provider.getEvents({
        address,
        keys: [[key]],
        from_block: { block_number: 0 },
        to_block: "latest",
        chunk_size: PAGE,
        ...(continuation === undefined ? {} : { continuation_token: continuation }),
      });
      const found = page.events.find(({ data }) => BigInt(data[0] ?? -1) === low && BigInt(data[1] ?? -1) === high);
      if (found !== undefined) {
        const receipt = await provider.getTransactionReceipt(found.transaction_hash);
        return {
          transactionHash: starknetHex(found.transaction_hash),
          blockNumber: BigInt(found.block_number ?? 0),
          gasUsed: receipt.isSuccess() ? BigInt(receipt.execution_resources.l2_gas) : 0n,
        };
      }
      continuation = page.continuation_token;
    } while (continuation !== undefined);
    return undefined;
  });
}

import { hexToBigInt, keccak256, type Hex, type PublicClient } from "viem";

/** A receipt that the module reads, and how many of its logs. */
export interface ReceiptToRead {
  readonly block: bigint;
  readonly transaction: bigint;
  readonly logs: bigint;
}

export interface EventRange {
  readonly emitter: Hex;
  readonly topic0: Hex;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Returns the receipts for the module's argument `receipts`, as the node has them.
 * @param which "event": those with a log of the event, enough for "at least";
 *   "all": all of each block that the bloom does not exclude, which shows that no other transaction has the event.
 */
export async function receiptsToRead(
  client: PublicClient,
  { emitter, topic0, first, last }: EventRange,
  which: "event" | "all",
): Promise<ReceiptToRead[]> {
  const found: ReceiptToRead[] = [];
  for (let block = first; block <= last; block += 1n) {
    const { logsBloom, transactions } = await client.getBlock({ blockNumber: block });
    if (!mayHave(logsBloom ?? "0x", emitter) || !mayHave(logsBloom ?? "0x", topic0)) continue;
    for (const hash of transactions) {
      const { logs, transactionIndex } = await client.getTransactionReceipt({ hash });
      const hasEvent = logs.some(
        ({ address, topics }) => address === emitter.toLowerCase() && topics[0] === topic0,
      );
      if (which === "all" || hasEvent)
        found.push({ block, transaction: BigInt(transactionIndex), logs: BigInt(logs.length) });
    }
  }
  return found;
}

/** Returns whether a bloom filter has the three bits of an address or a topic. */
function mayHave(bloom: Hex, value: Hex): boolean {
  const hash = keccak256(value).slice(2, 14);
  return (hash.match(/.{4}/g) ?? []).every((pair) => {
    const bit = hexToBigInt(`0x${pair}`) % 2048n;
    return (hexToBigInt(bloom) >> bit) % 2n === 1n;
  });
}

import type { Address, Hex } from "viem";

import { BoundedCache } from "../base/collections.js";
import type { Anchor } from "../request/task-result.js";
import type { AccountState, ChainReader, Read, SlotRead } from "./chain-reader.js";

/** Maximum number of remembered values of each kind; what is read again after so many others is fetched again. */
const MAX_REMEMBERED = 50_000;

/** Reads each value of a chain once: a program that reads what was sampled before waits for no node. */
export class RememberingReader implements ChainReader {
  public readonly readAhead: number | undefined;
  readonly #reader: ChainReader;
  readonly #headers = new BoundedCache<bigint, Read<readonly Hex[]>>(MAX_REMEMBERED);
  readonly #accounts = new BoundedCache<string, Read<AccountState>>(MAX_REMEMBERED);
  readonly #slots = new BoundedCache<string, SlotRead>(MAX_REMEMBERED);
  readonly #transactions = new BoundedCache<string, Read<Hex>>(MAX_REMEMBERED);
  readonly #receipts = new BoundedCache<string, Read<Hex>>(MAX_REMEMBERED);

  public constructor(reader: ChainReader) {
    this.#reader = reader;
    this.readAhead = reader.readAhead;
  }

  public async header(block: bigint): Promise<Read<readonly Hex[]>> {
    return await this.#headers.get(block, async () => await this.#reader.header(block));
  }

  public async account(block: bigint, address: Address): Promise<Read<AccountState>> {
    return await this.#accounts.get(
      joinKey(block, address),
      async () => await this.#reader.account(block, address),
    );
  }

  public async storage(block: bigint, address: Address, slot: Hex): Promise<SlotRead> {
    return await this.#slots.get(
      joinKey(block, address, slot),
      async () => await this.#reader.storage(block, address, slot),
    );
  }

  public async transaction(block: bigint, index: number): Promise<Read<Hex>> {
    return await this.#transactions.get(
      joinKey(block, index),
      async () => await this.#reader.transaction(block, index),
    );
  }

  public async receipt(block: bigint, index: number): Promise<Read<Hex>> {
    return await this.#receipts.get(
      joinKey(block, index),
      async () => await this.#reader.receipt(block, index),
    );
  }

  public async anchor(): Promise<Anchor | undefined> {
    return await this.#reader.anchor?.();
  }

  public async latestBlock(): Promise<bigint | undefined> {
    return await this.#reader.latestBlock?.();
  }
}

function joinKey(...parts: readonly (bigint | number | string)[]): string {
  return parts.join(":").toLowerCase();
}

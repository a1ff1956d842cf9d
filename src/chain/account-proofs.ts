import type { Address, Hex } from "viem";

import { type RpcClient, UnsupportedReadError } from "../base/rpc.js";
import { type AccountState, cannotProve, type ProveMode } from "./chain-reader.js";
import { quantity, type RpcObject, rpcObject } from "./rpc-json.js";
import { verifyAccount, verifySlot } from "./state-proof.js";
import { HashedNodes } from "./trie.js";

/** Slots of one call: nodes bound them, and the length of their answers. */
const MOST_SLOTS = 100;

/** What is asked of an account in a block by one call. */
interface Asked {
  /** With the place of each in the answer. */
  readonly slots: Map<Hex, number>;
  /** `undefined` where the node cannot prove, and need not. */
  readonly answer: Promise<RpcObject | undefined>;
  /** Verified once, for all slots. */
  account?: AccountState;
}

/** A value by its proof under a state root. */
export type Prove<T> = (stateRoot: Hex) => T;

/**
 * Accounts and slots by eth_getProof: what is asked of one account in one block in a turn of the event loop goes into one
 * call, whichever task asks for it.
 */
export class AccountProofs {
  readonly #rpc: RpcClient;
  readonly #prove: ProveMode;
  readonly #nodes = new HashedNodes();
  readonly #asked = new Map<string, Asked>();
  #turn: Promise<void> | undefined;

  public constructor(rpc: RpcClient, prove: ProveMode) {
    this.#rpc = rpc;
    this.#prove = prove;
  }

  /**
   * The account; `undefined` where values are to be read without a proof. What is returned throws HDP-4202 where the
   * proof does not hold.
   */
  public async account(block: bigint, address: Address): Promise<Prove<AccountState> | undefined> {
    if (this.#prove === "never") return undefined;
    const asked = this.#ask(block, address);
    const proof = await asked.answer;
    return proof && ((stateRoot) => this.#verified(asked, block, address, stateRoot, proof));
  }

  /** The word of a slot, in the same way. */
  public async slot(block: bigint, address: Address, slot: Hex): Promise<Prove<bigint> | undefined> {
    if (this.#prove === "never") return undefined;
    const asked = this.#ask(block, address, slot);
    const proof = await asked.answer;
    return (
      proof &&
      ((stateRoot) => {
        const account = this.#verified(asked, block, address, stateRoot, proof);
        return verifySlot(block, account, address, slot, proof, asked.slots.get(slot), this.#nodes);
      })
    );
  }

  #verified(asked: Asked, block: bigint, address: Address, stateRoot: Hex, proof: RpcObject): AccountState {
    return (asked.account ??= verifyAccount(block, stateRoot, address, proof, this.#nodes));
  }

  #ask(block: bigint, address: Address, slot?: Hex): Asked {
    const key = `${block}:${address}`;
    let asked = this.#asked.get(key);
    if (asked === undefined || (asked.slots.size === MOST_SLOTS && slot !== undefined && !asked.slots.has(slot))) {
      const slots = new Map<Hex, number>();
      asked = { slots, answer: this.#call(key, block, address, slots) };
      this.#asked.set(key, asked);
    }
    if (slot !== undefined && !asked.slots.has(slot)) asked.slots.set(slot, asked.slots.size);
    return asked;
  }

  /** One for all that is asked for in one go. */
  #nextTurn(): Promise<void> {
    if (this.#turn === undefined) {
      this.#turn = new Promise(setImmediate);
      queueMicrotask(() => (this.#turn = undefined));
    }
    return this.#turn;
  }

  async #call(key: string, block: bigint, address: Address, slots: Asked["slots"]): Promise<RpcObject | undefined> {
    await this.#nextTurn();
    if (this.#asked.get(key)?.slots === slots) this.#asked.delete(key);
    try {
      const answer = await this.#rpc.call("eth_getProof", [address, [...slots.keys()], quantity(block)]);
      return rpcObject(answer, `account ${address} in block ${block}`);
    } catch (error) {
      if (!(error instanceof UnsupportedReadError)) throw error;
      if (this.#prove === "require") throw cannotProve(block, `account ${address}`, error.message, error);
      return undefined;
    }
  }
}

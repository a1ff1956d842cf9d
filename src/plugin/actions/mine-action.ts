import { isHdpError, notAllowed } from "../../errors/hdp-error.js";
import { askNode, isAnswer } from "../../base/rpc.js";
import { bigIntField, quantity, rpcObject } from "../../chain/node-rpc.js";
import { withHint } from "../../service/http/service-errors.js";
import type { Scope } from "../session.js";

/** Options of `hdp.mine`. */
export interface MineOptions {
  /** Base fee in wei, of each block or a list with one for each. Default: by EIP-1559, an eighth less per block. */
  readonly baseFee?: bigint | readonly bigint[] | undefined;
  /** Seconds from block to block. Default: the node's own, usually 1. */
  readonly interval?: number | undefined;
}

/** Numbers of the first and last mined block, both included, as in the ranges of tasks. */
export interface MinedBlocks {
  readonly from: bigint;
  readonly to: bigint;
}

/** The member of `hdp` that mines blocks. */
export interface MineActions {
  /**
   * Mines blocks on a development node so that each of them can be proven. `hardhat_mine` of 8 or more blocks, as
   * `mine` of Hardhat's network helpers sends it, skips most of them. Pending transactions go into the first block.
   *
   * @throws HdpError HDP-6003 for a number of blocks outside 1 to 100,000, a list of another length, or an invalid
   * interval; HDP-4103 where the node has no such methods
   */
  readonly mine: (blocks?: number | bigint, options?: MineOptions) => Promise<MinedBlocks>;
}

const MAX_BLOCKS = 100_000;
const NEEDS =
  "hdp.mine needs a node that mines on request: Hardhat's, anvil. geth mines for each transaction.";

/** Returns the base fee of each block; empty where none is given. */
function baseFees(baseFee: MineOptions["baseFee"], count: number): readonly bigint[] {
  if (baseFee === undefined) return [];
  return typeof baseFee === "object" ? baseFee : Array<bigint>(count).fill(baseFee);
}

/** Returns the action over a connection. */
export function mineActions(scope: Scope): MineActions {
  return {
    mine: async (blocks = 1, { baseFee, interval } = {}) => {
      const count = Number(blocks);
      const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_BLOCKS;
      requireThat(isCount, blocks, "1 to 100,000 blocks", "blocks");
      const fees = baseFees(baseFee, count);
      const fits = baseFee === undefined || fees.length === count;
      requireThat(
        fits,
        `a list of ${fees.length}`,
        `a base fee for each of the ${count} blocks`,
        "baseFee",
      );
      const wrong = fees.filter(
        (fee: unknown) => typeof fee !== "bigint" || fee < 0n || fee >= 2n ** 128n,
      );
      requireThat(
        wrong.length === 0,
        wrong[0],
        "a base fee in wei, a bigint below 2^128",
        "baseFee",
      );
      const isInterval = interval === undefined || (Number.isInteger(interval) && interval >= 1);
      requireThat(isInterval, interval, "a whole number of seconds, 1 or more", "interval");
      const session = await scope.session();
      const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
        await askNode(session.provider, method, params).catch((error: unknown) => {
          throw isHdpError(error) && isAnswer(error.cause) ? withHint(error, NEEDS) : error;
        });
      const block = rpcObject(
        await ask("eth_getBlockByNumber", "latest", false),
        "the latest block",
      );
      const head = bigIntField(block, "number");
      const time = Number(bigIntField(block, "timestamp"));
      for (let index = 0; index < count; index += 1) {
        const fee = fees[index];
        if (fee !== undefined) await ask("hardhat_setNextBlockBaseFeePerGas", quantity(fee));
        await ask("evm_mine", ...(interval === undefined ? [] : [time + interval * (index + 1)]));
      }
      return { from: head + 1n, to: head + BigInt(count) };
    },
  };
}

function requireThat(holds: boolean, value: unknown, allowed: string, path: string): void {
  if (!holds) throw notAllowed(value, allowed, { path });
}

import type * as Starknet from "starknet";
import type { Hex } from "viem";

import { limitedSignal } from "../../base/clock.js";
import { isFelt } from "../../base/felt.js";
import { readTextStream, UnreadableError } from "../../base/files.js";
import { excessOfValues } from "../../base/json.js";
import { learnAddress } from "../../errors/secrets.js";
import { hdpError } from "../../errors/hdp-error.js";

/** starknet.js, typed by the package itself. */
export type StarknetJs = typeof Starknet;

/** Loads starknet.js, an optional peer. @throws HdpError HDP-8001 where it is missing or of another major version */
export async function loadStarknet(
  load: () => Promise<StarknetJs> = async () => await import("starknet"),
): Promise<StarknetJs> {
  try {
    return await load();
  } catch (cause) {
    throw hdpError("HDP-8001", {}, { cause });
  }
}

/** A Starknet node. */
export interface StarknetNode {
  readonly rpcUrl: string;
  /** Fetch function for the node. Default: the global fetch, limited to 30 s for an answer to a read, and to 32 MiB. */
  readonly baseFetch?: typeof fetch | undefined;
}

/** Returns a provider. starknet.js itself limits neither the wait for an answer nor its length. */
export async function starknetProvider({
  rpcUrl,
  baseFetch = boundedFetch(),
}: StarknetNode): Promise<Starknet.RpcProvider> {
  const { RpcProvider: Provider } = await loadStarknet();
  return new Provider({ nodeUrl: learnAddress(rpcUrl), baseFetch });
}

/** Prefix of methods that send a transaction: their caller sets the timeout. */
const SENDS = '"starknet_add';

/**
 * Returns a fetch for JSON-RPC that reads whole answers, within limits: `timeout` (milliseconds) of a call that reads,
 * by default 30,000, and `maxBytes`, by default 32 MiB.
 */
export function boundedFetch(
  {
    timeout = 30_000,
    maxBytes = 32 * 2 ** 20,
  }: { readonly timeout?: number; readonly maxBytes?: number } = {},
  send: typeof fetch = fetch,
): typeof fetch {
  return async (url, init) => {
    const isSending = typeof init?.body === "string" && init.body.includes(SENDS);
    const given = init?.signal ?? undefined;
    const limit = isSending ? undefined : limitedSignal(timeout, given);
    try {
      const reply = await send(url, { ...init, signal: limit?.signal ?? given ?? null });
      if (reply.body === null) return reply;
      const text = await readTextStream(reply.body, maxBytes);
      const excess = excessOfValues(text);
      if (excess !== undefined) throw new UnreadableError(excess);
      return new Response(text, {
        status: reply.status,
        statusText: reply.statusText,
        headers: reply.headers,
      });
    } catch (cause) {
      if (limit?.expired() === true)
        throw new Error(`no answer within ${timeout / 1000} s`, { cause });
      if (cause instanceof UnreadableError)
        throw new Error(`the answer was not read: ${cause.message}`, { cause });
      throw cause;
    } finally {
      limit?.release();
    }
  };
}

/** Returns the address with 64 digits. @throws HdpError HDP-1110 */
export function starknetAddress(address: string): Hex {
  if (/^0x[0-9a-fA-F]{1,64}$/.test(address) && BigInt(address) !== 0n && isFelt(BigInt(address))) {
    return `0x${BigInt(address).toString(16).padStart(64, "0")}`;
  }
  const reason =
    ": on Starknet it is 0x and up to 64 hexadecimal digits, smaller than the field's prime and not 0";
  throw hdpError("HDP-1110", {
    value: `"${address}"`,
    reason,
    digits: undefined,
    checksum: undefined,
  });
}

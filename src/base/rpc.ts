import { HdpError } from "./errors.js";
import { Limiter } from "./limiter.js";
import { retrying } from "./retry.js";

/** The part of EIP-1193 that reading needs: Hardhat's, viem's and wallets' providers all fit. */
export interface Eip1193Provider {
  request(args: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** A provider that sends several calls together: it bounds by itself what is in flight. */
export interface BatchingProvider extends Eip1193Provider {
  /** Calls that may usefully wait for an answer at once. */
  readonly callsAtOnce: number;
}

/** `undefined` for a provider that sends every call by itself. */
export function callsAtOnce(provider: Eip1193Provider): number | undefined {
  return "callsAtOnce" in provider && typeof provider.callsAtOnce === "number" ? provider.callsAtOnce : undefined;
}

/** The node does not offer the method, or not for that block. Caught where another way of reading exists. */
export class UnsupportedReadError extends Error {}

const UNSUPPORTED_CODES: readonly unknown[] = [-32601, -32004, 4200];
const UNSUPPORTED_TEXT =
  /unsupported|not supported|not available|not implemented|does not exist|method not found|missing trie node|proof window|too old|pruned/i;

export interface RpcClientOptions {
  /** Shared by everything that may be in flight together. */
  readonly limiter?: Limiter;
  readonly signal?: AbortSignal | undefined;
}

/** Bounded, abortable JSON-RPC calls whose failures say which method and block they were about. */
export class RpcClient {
  readonly #provider: Eip1193Provider;
  readonly #limiter: Limiter;
  readonly #signal: AbortSignal | undefined;

  public constructor(provider: Eip1193Provider, options: RpcClientOptions = {}) {
    this.#provider = provider;
    const together = callsAtOnce(provider);
    this.#limiter = together === undefined ? (options.limiter ?? new Limiter()) : new Limiter(together);
    this.#signal = options.signal;
  }

  /**
   * @throws UnsupportedReadError where the node does not offer the method for these parameters.
   * @throws HdpError HDP-4103 where the call fails otherwise; the signal's reason after an abort.
   */
  public async call(method: string, params: readonly unknown[]): Promise<unknown> {
    await this.#limiter.acquire();
    try {
      this.#signal?.throwIfAborted();
      return await retrying(() => this.#provider.request({ method, params }), {
        signal: this.#signal,
        onRetry: () => {
          this.#limiter.narrow();
        },
      });
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw readFailure(method, params, error);
    } finally {
      this.#limiter.release();
    }
  }
}

function readFailure(method: string, params: readonly unknown[], cause: unknown): Error {
  const words = sentence(cause);
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  if (UNSUPPORTED_CODES.includes(code) || UNSUPPORTED_TEXT.test(words)) {
    return new UnsupportedReadError(words, { cause });
  }
  const call = `${method}(${params.map((item) => JSON.stringify(item)).join(", ")})`;
  return new HdpError({
    code: "HDP-4103",
    // The node's words end as a sentence: the hint may follow on the same line.
    message: `the node failed to answer ${call}: ${/[.!?]$/.test(words) ? words : `${words}.`}`,
    hints: ["The sentence after the colon is the node's own. Nothing was finalized."],
    cause,
  });
}

/** The first line of a provider's message, without the addresses of nodes: they may hold a key. */
function sentence(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return (message.split("\n", 1)[0] ?? "").replace(/\b\w+:\/\/\S+/g, "<url>") || "no reason given";
}

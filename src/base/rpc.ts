import { HdpError } from "../errors/hdp-error.js";
import { limitedSignal, unlessAborted } from "./clock.js";
import { Limiter } from "./limiter.js";
import { type RetryOptions, retryingAfter } from "./retry.js";
import { printable } from "./untrusted-text.js";

interface Pending {
  readonly due: number;
  readonly reject: (reason: unknown) => void;
  readonly lateness: () => Error;
}

/**
 * Calls that wait for an answer and give up at a deadline or with a signal, whether or not what they wait for takes
 * notice of either. One timer and one listener serve all of them: making both for each of 10,000 reads shows.
 */
export class PendingCalls {
  readonly #deadline: number;
  readonly #signal: AbortSignal | undefined;
  readonly #pending = new Set<Pending>();
  #timer: NodeJS.Timeout | undefined;

  /** @param deadline milliseconds that a call may wait; it may be noticed an eighth later */
  public constructor(deadline: number, signal: AbortSignal | undefined) {
    this.#deadline = deadline;
    this.#signal = signal;
  }

  /** @throws what `lateness` makes at the deadline, the signal's reason, otherwise what the work throws */
  public run<T>(work: () => Promise<T>, lateness: () => Error): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#signal?.throwIfAborted();
      const working = work();
      const pending: Pending = { due: performance.now() + this.#deadline, reject, lateness };
      this.#add(pending);
      working.then(
        (value) => {
          this.#remove(pending);
          resolve(value);
        },
        (error: unknown) => {
          this.#remove(pending);
          reject(error instanceof Error ? error : new Error(String(error), { cause: error }));
        },
      );
    });
  }

  #add(pending: Pending): void {
    this.#pending.add(pending);
    if (this.#pending.size > 1) return;
    this.#signal?.addEventListener("abort", this.#abort);
    this.#timer ??= setInterval(this.#sweep, Math.max(5, Math.min(this.#deadline / 8, 1_000)));
    this.#timer.ref();
  }

  #remove(pending: Pending): void {
    this.#pending.delete(pending);
    if (this.#pending.size > 0) return;
    this.#signal?.removeEventListener("abort", this.#abort);
    // Kept for the next call, and ended by the next sweep if there is none; it must not keep the process from ending.
    this.#timer?.unref();
  }

  readonly #abort = (): void => {
    for (const pending of [...this.#pending]) {
      this.#remove(pending);
      pending.reject(this.#signal?.reason);
    }
  };

  readonly #sweep = (): void => {
    const now = performance.now();
    for (const pending of [...this.#pending]) {
      if (pending.due > now) continue;
      this.#remove(pending);
      pending.reject(pending.lateness());
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };
}

/** The part of EIP-1193 that is needed: Hardhat's, viem's and wallets' providers all fit. */
export interface Eip1193Provider {
  request(args: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

export interface ProviderCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the answer, in milliseconds. Default 30,000. */
  readonly deadline?: number | undefined;
}

const DEADLINE = 30_000;

/** The node gave no answer in time. It may have taken the request all the same. */
export class NoAnswerError extends Error {
  public constructor(method: string, deadline: number) {
    super(`no answer to ${method} within ${(deadline / 1000).toString()} s`);
  }
}

/**
 * One call to a node. It ends with the signal and at the deadline, also where the provider takes no notice of either:
 * what the provider then still does in the background (a connection that is kept open, an answer that goes on
 * arriving) is out of reach, and so is the length of an answer, which a provider gives as a whole or not at all.
 * Callers that need both bounded talk HTTP themselves.
 *
 * @throws NoAnswerError at the deadline, the signal's reason, otherwise what the provider throws
 */
export async function callProvider(
  provider: Eip1193Provider,
  method: string,
  params: readonly unknown[],
  { signal, deadline = DEADLINE }: ProviderCallOptions = {},
): Promise<unknown> {
  signal?.throwIfAborted();
  const limit = limitedSignal(deadline, signal);
  try {
    const answer = await unlessAborted(provider.request({ method, params }), limit.signal);
    signal?.throwIfAborted();
    if (answer === undefined) throw new NoAnswerError(method, deadline);
    return answer.value;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    limit.release();
  }
}

/** Hardhat's numbers of a node that does not answer, or not in JSON-RPC. */
const NO_NODE: readonly unknown[] = ["HHE702", "HHE703", "HHE704"];

/** Whether a call failed by a mistake that Hardhat names with a number, such as the chain id that is configured. */
export function isHardhatMistake(error: unknown): error is Error {
  if (!(error instanceof Error) || !("errorCode" in error)) return false;
  return typeof error.errorCode === "string" && /^HHE\d/.test(error.errorCode) && !NO_NODE.includes(error.errorCode);
}

/**
 * One call to a node whose failure is an answer of its own: no revert, no other way of asking.
 *
 * @throws HdpError HDP-4103 where the node refuses or does not answer; a mistake that Hardhat names as it is
 */
export async function askNode(
  provider: Eip1193Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    throw callFailure(method, params, error);
  }
}

/** What {@link askNode} throws of a failed call. */
export function callFailure(method: string, params: readonly unknown[], cause: unknown): Error {
  if (cause instanceof HdpError || isHardhatMistake(cause)) return cause;
  const call = `${method}(${params.map((item) => JSON.stringify(item)).join(", ")})`;
  const words = providerSentence(cause);
  return new HdpError({
    code: "HDP-4103",
    // The node's words end as a sentence: the hint may follow on the same line.
    message: `the node failed to answer ${call}: ${/[.!?]$/.test(words) ? words : `${words}.`}`,
    hints: [
      "The sentence after the colon is the node's own. Nothing was finalized.",
      "Check that the network's node is reachable and its address right, then run the command again.",
    ],
    cause,
  });
}

/** The first line of a provider's message, without the addresses of nodes: they may hold a key. */
export function providerSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const words = printable((message.split("\n", 1)[0] ?? "").replace(/\b\w+:\/\/\S+/g, "<url>")) || "no reason given";
  const status = statusOf(error);
  return status === undefined || words.includes(status) ? words : `${words} (HTTP status ${status})`;
}

/** Hardhat's own words leave out what the node answered with. */
function statusOf(error: unknown): string | undefined {
  for (let depth = 0, one = error; depth < 6 && one instanceof Error; depth += 1, one = one.cause) {
    if ("statusCode" in one && typeof one.statusCode === "number") return one.statusCode.toString();
  }
  return undefined;
}

/** A provider that sends several calls together: it bounds by itself what is in flight. */
export interface BatchingProvider extends Eip1193Provider {
  /** Calls that may usefully wait for an answer at once. */
  readonly callsAtOnce: number;
}

/**
 * Calls to ask of a provider at once: twice what waits for an answer, so that the next ones are there when a reply comes.
 * `undefined` for a provider that sends every call by itself.
 */
export function callsAhead(provider: Eip1193Provider): number | undefined {
  return "callsAtOnce" in provider && typeof provider.callsAtOnce === "number" ? 2 * provider.callsAtOnce : undefined;
}

/** The node does not offer the method, or not for that block. Caught where another way of reading exists. */
export class UnsupportedReadError extends Error {}

const UNSUPPORTED_CODES: readonly unknown[] = [-32601, -32004, 4200];
const UNSUPPORTED_TEXT =
  /unsupported|not supported|not available|not implemented|does not exist|method not found|missing trie node|proof window|too old|pruned/i;

export interface RpcClientOptions extends ProviderCallOptions {
  /** Shared by everything that may be in flight together. */
  readonly limiter?: Limiter;
}

/** Bounded, abortable JSON-RPC reads, repeated while a node is busy, whose failures say which method and block they were about. */
export class RpcClient {
  readonly #provider: Eip1193Provider;
  readonly #limiter: Limiter;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  readonly #calls: PendingCalls;
  readonly #retries: RetryOptions;

  public constructor(provider: Eip1193Provider, { limiter = new Limiter(), ...options }: RpcClientOptions = {}) {
    this.#provider = provider;
    const together = callsAhead(provider);
    this.#limiter = together === undefined ? limiter : new Limiter(together);
    this.#signal = options.signal;
    this.#deadline = options.deadline ?? DEADLINE;
    this.#calls = new PendingCalls(this.#deadline, options.signal);
    this.#retries = {
      signal: options.signal,
      onRetry: () => {
        this.#limiter.narrow();
      },
    };
  }

  /**
   * @throws UnsupportedReadError where the node does not offer the method for these parameters.
   * @throws HdpError HDP-4103 where the call fails otherwise; the signal's reason after an abort.
   */
  public async call(method: string, params: readonly unknown[]): Promise<unknown> {
    if (!this.#limiter.tryAcquire()) await this.#limiter.acquire();
    try {
      return await this.#once(method, params);
    } catch (error) {
      try {
        return await retryingAfter(error, async () => await this.#once(method, params), this.#retries);
      } catch (last) {
        this.#signal?.throwIfAborted();
        throw readFailure(method, params, last);
      }
    } finally {
      this.#limiter.release();
    }
  }

  #once(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#calls.run(
      () => this.#provider.request({ method, params }),
      () => new NoAnswerError(method, this.#deadline),
    );
  }
}

function readFailure(method: string, params: readonly unknown[], cause: unknown): Error {
  if (cause instanceof HdpError || isHardhatMistake(cause)) return cause;
  const words = providerSentence(cause);
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  if (UNSUPPORTED_CODES.includes(code) || UNSUPPORTED_TEXT.test(words)) {
    return new UnsupportedReadError(words, { cause });
  }
  return callFailure(method, params, cause);
}

import { type Clock, systemClock } from "./clock.js";
import { isRecord } from "./collections.js";
import { DEFAULT_TIMEOUT, type Eip1193Provider, NoAnswerError, type RpcCall } from "./rpc.js";

export interface BoundedProvider extends Eip1193Provider {
  /** Number of calls worth keeping in flight or queued. */
  readonly readAhead: number;
}

export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Sends calls. Resolves when the answer has arrived, with a function that reads the outcomes in order. */
export type Send = (calls: readonly Required<RpcCall>[]) => Promise<() => readonly Outcome[]>;

/** An error in a node's answer, or an answer that is not JSON-RPC. */
export interface NodeError extends Error {
  readonly code?: number | undefined;
  readonly data?: unknown;
  readonly statusCode?: number | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** Whether the node may answer the same call in a smaller batch. */
  readonly isOfBatch?: boolean | undefined;
}

export function nodeError(
  message: string,
  details: Omit<NodeError, "name" | "message"> = {},
): NodeError {
  return Object.assign(new Error(message), details);
}

interface Waiting {
  readonly method: string;
  readonly params: readonly unknown[];
  /** How often in a row the node was too busy for this call while it answered no other. */
  failures: number;
  /** Number of calls answered before the last failure of this one. */
  answered: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Sent {
  readonly calls: readonly Waiting[];
  /** In the time of `performance.now()`. */
  readonly due: number;
}

interface QueueOptions {
  /** Maximum number of requests in flight. */
  readonly width: number;
  readonly maxCalls: number;
  /** Milliseconds after which the queue gives up a request that `send` did not end. It may take an eighth more. */
  readonly timeout?: number | undefined;
  readonly clock?: Clock | undefined;
}

const MAX_ATTEMPTS = 6;
const FIRST_PAUSE = 100;
const MAX_PAUSE = 5_000;
/** Longest accepted `Retry-After`: the queue waits for a limit of a minute, not for one of a day. */
const MAX_RETRY_AFTER = 60_000;

/**
 * A queue of a node's reads. It batches the calls of one turn of the event loop, at most `maxCalls`. While `width`
 * requests are in flight, the others wait and make the next batch larger. A batch that the node refuses is sent again in
 * halves, and later ones are no larger. When the node is busy or the connection breaks, the queue pauses and sends the
 * calls again, in smaller batches; it gives a call up after six failures during which the node answered nothing else.
 */
export class NodeReads implements BoundedProvider {
  public readonly readAhead: number;
  readonly #send: Send;
  readonly #width: number;
  readonly #clock: Clock;
  readonly #isBatching: boolean;
  readonly #queue: Waiting[] = [];
  readonly #sent = new Set<Sent>();
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #maxCalls: number;
  /** Size of the largest batch that the node accepts, as far as is known. */
  #largest: number;
  #pauses = 0;
  #answers = 0;
  #isScheduled = false;

  public constructor(
    send: Send,
    { width, maxCalls, timeout = Infinity, clock = systemClock }: QueueOptions,
  ) {
    this.#send = send;
    this.#width = Math.max(1, Math.floor(width));
    this.#maxCalls = maxCalls;
    this.#largest = maxCalls;
    this.#timeout = timeout;
    this.#clock = clock;
    this.#isBatching = maxCalls > 1;
    // Twice the calls in flight, so that the next batches are complete when an answer arrives.
    this.readAhead = this.#isBatching ? 2 * this.#width * maxCalls : this.#width;
  }

  public request({ method, params = [] }: RpcCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ method, params, failures: 0, answered: 0, resolve, reject });
      this.#next();
    });
  }

  /** Sends as many calls as allowed; batches at the end of this turn of the event loop. */
  #next(): void {
    if (!this.#isBatching) this.#begin(1);
    if (!this.#isBatching || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin(1);
    });
  }

  /** Sends requests of at least `minimum` calls. */
  #begin(minimum: number): void {
    while (this.#pauses === 0 && this.#sent.size < this.#width && this.#queue.length >= minimum) {
      this.#request(this.#queue.splice(0, this.#maxCalls));
    }
  }

  #request(calls: readonly Waiting[]): void {
    const sent = { calls, due: performance.now() + this.#timeout };
    this.#sent.add(sent);
    this.#watch();
    this.#send(calls).then(
      (read) => this.#answered(sent, read),
      (error: unknown) => this.#answered(sent, () => calls.map(() => ({ error }))),
    );
  }

  #answered(sent: Sent, read: () => readonly Outcome[]): void {
    // The request may have been given up meanwhile.
    if (!this.#sent.delete(sent)) return;
    const { calls } = sent;
    if (this.#sent.size === 0) this.#timer?.unref();
    if (!this.#isBatching) {
      this.#settle(calls, read());
      return;
    }
    // Sends the next batch before this answer is read, so that a distant node is not idle.
    this.#begin(this.#maxCalls);
    this.#next();
    setImmediate(() => this.#settle(calls, read()));
  }

  #settle(calls: readonly Waiting[], outcomes: readonly Outcome[]): void {
    const again: Waiting[] = [];
    let pause = 0;
    // A node that was busy may accept larger batches again.
    if (outcomes.every((one) => "result" in one))
      this.#maxCalls = Math.min(this.#largest, this.#maxCalls + 1);
    calls.forEach((call, index) => {
      const outcome = outcomes[index] ?? { error: new Error("the call has no outcome") };
      if ("result" in outcome) {
        this.#answers += 1;
        call.resolve(outcome.result);
        return;
      }
      const { error } = outcome;
      const isSmaller = calls.length > 1 && isRecord(error) && error["isOfBatch"] === true;
      if (isSmaller) this.#maxCalls = Math.min(this.#maxCalls, Math.ceil(calls.length / 2));
      if (isSmaller && !isTransient(error)) this.#largest = this.#maxCalls;
      if (call.answered !== this.#answers) call.failures = 0;
      call.answered = this.#answers;
      if (isTransient(error) && call.failures < MAX_ATTEMPTS - 1) {
        pause = Math.max(pause, pauseAfter(call.failures, error));
        call.failures += 1;
        again.push(call);
      } else if (isSmaller && !isTransient(error)) {
        again.push(call);
      } else {
        call.reject(error);
      }
    });
    if (again.length > 0) this.#queue.unshift(...again);
    if (pause > 0) void this.#pause(pause);
    else this.#next();
  }

  /** Starts one timer for all requests: a timer for each of 10,000 calls takes longer than the queue itself. */
  #watch(): void {
    if (this.#timeout === Infinity) return;
    this.#timer ??= setInterval(this.#giveUp, Math.max(5, Math.min(this.#timeout / 8, 1_000)));
    if (this.#sent.size === 1) this.#timer.ref();
  }

  readonly #giveUp = (): void => {
    const now = performance.now();
    for (const sent of this.#sent) {
      if (sent.due > now) continue;
      this.#answered(sent, () =>
        sent.calls.map(({ method }) => ({ error: new NoAnswerError(method, this.#timeout) })),
      );
    }
    if (this.#sent.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };

  async #pause(ms: number): Promise<void> {
    this.#pauses += 1;
    await this.#clock.sleep(ms);
    this.#pauses -= 1;
    this.#next();
  }
}

/** Returns the next pause. Pauses double, with jitter against simultaneous retries, and respect `Retry-After`. */
function pauseAfter(failures: number, error: unknown): number {
  const longest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** failures);
  const seconds =
    isRecord(error) && typeof error["retryAfter"] === "number" ? error["retryAfter"] : 0;
  return Math.max(longest * (0.5 + Math.random() / 2), Math.min(1000 * seconds, MAX_RETRY_AFTER));
}

/** Codes of broken connections, and the HTTP status 503 as an error code. */
const TRANSIENT_CODES: readonly unknown[] = [
  503,
  ...["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_SOCKET", "UND_ERR_CONNECT_TIMEOUT"],
];
const TRANSIENT_STATUSES: readonly unknown[] = [429, 502, 503, 504];

function isTransient(error: unknown): boolean {
  for (let depth = 0, one = error; depth < 6 && isRecord(one); depth += 1, one = one["cause"]) {
    if (TRANSIENT_CODES.includes(one["code"]) || TRANSIENT_STATUSES.includes(one["statusCode"]))
      return true;
    if (nodeLimit(one["code"], String(one["message"])) === "rate") return true;
  }
  return false;
}

export const DEFAULT_CONCURRENCY = 16;

export interface BoundOptions {
  /** Calls in flight at once. Default 16. */
  readonly concurrency?: number | undefined;
  /** Milliseconds that a call waits for its answer. Default 30,000. */
  readonly timeout?: number | undefined;
}

/** Returns the provider itself if it limits its calls, otherwise a queue of single calls to it. */
export function boundedReads(
  provider: Eip1193Provider,
  options: BoundOptions = {},
): BoundedProvider {
  if (isBounded(provider)) return provider;
  const { concurrency = DEFAULT_CONCURRENCY, timeout = DEFAULT_TIMEOUT } = options;
  const send: Send = async ([call]) => {
    if (call === undefined) return () => [];
    const result = await provider.request({ method: call.method, params: call.params });
    return () => [{ result }];
  };
  return new NodeReads(send, { width: concurrency, maxCalls: 1, timeout });
}

function isBounded(provider: Eip1193Provider): provider is BoundedProvider {
  return "readAhead" in provider;
}

/** `rate`: the same call may pass in a moment; `batch`: a smaller batch may pass; `query`: the call itself asks for too much. */
type Limit = "rate" | "batch" | "query";

/** A limit, the error code or message by which a node reports it, and the source: a thread on GitHub, or a test. */
export type NodeLimit = readonly [node: string, of: Limit, sign: number | RegExp, source: string];

/** The first row that matches decides. HTTP statuses are checked separately. */
export const NODE_LIMITS: readonly NodeLimit[] = [
  ["Infura and others", "query", /returned more than|block range/i, "latticexyz/mud/issues/1522"],
  ["geth", "batch", /batch too large/i, "base/node/issues/234"],
  ["geth", "batch", -32003, "test/chain/geth-limits.tools.test.ts"],
  ["nethermind", "batch", /batch size/i, "NethermindEth/nethermind/pull/5122"],
  ["jsonrpsee", "batch", /batch request|batch response/i, "paritytech/jsonrpsee/pull/1107"],
  ["erigon", "batch", /\bbatch\b/i, "erigontech/erigon/issues/18074"],
  [
    "OpenEthereum",
    "batch",
    /too large|too big|size (?:limit|exceeded)/i,
    "openethereum/parity-ethereum/issues/8961",
  ],
  ["Infura (EIP-1474)", "rate", -32005, "MetaMask/eth-json-rpc-infura/issues/33"],
  ["Alchemy", "rate", 429, "latticexyz/mud/issues/1522"],
  ["QuickNode", "rate", -32012, "latticexyz/mud/issues/1522"],
  ["QuickNode", "rate", -32007, "EspressoSystems/espresso-network/pull/4838"],
  ["Base", "rate", -32016, "base/node/issues/368"],
  [
    "Tenderly and others",
    "rate",
    /rate limit|too many requests/i,
    "fluencelabs/dev-rewards/issues/20",
  ],
];

export function nodeLimit(code: unknown, words: string): Limit | undefined {
  const limit = NODE_LIMITS.find(([, , sign]) =>
    typeof sign === "number" ? sign === code : sign.test(words),
  );
  return limit?.[1];
}

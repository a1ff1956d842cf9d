import { type Clock, systemClock } from "./clock.js";
import { isOfBatch, isTransient } from "./node-errors.js";
import { Retries } from "./retries.js";
import { DEFAULT_TIMEOUT, type Eip1193Provider, NoAnswerError, type RpcCall } from "./rpc.js";

/** A provider that limits its calls in flight. */
export interface BoundedProvider extends Eip1193Provider {
  /** Number of calls worth keeping in flight or queued. */
  readonly readAhead: number;
}

/** What became of a call. */
export type ReadOutcome = { readonly result: unknown } | { readonly error: unknown };

/** Sends calls. Resolves when the answer has arrived, with a function that reads the outcomes in order. */
export type Send = (calls: readonly Required<RpcCall>[]) => Promise<() => readonly ReadOutcome[]>;

interface WaitingCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly retries: Retries;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface SentBatch {
  readonly calls: readonly WaitingCall[];
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
  readonly #queue: WaitingCall[] = [];
  readonly #sent = new Set<SentBatch>();
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #size: BatchSize;
  #pauses = 0;
  #answers = 0;
  #isScheduled = false;

  public constructor(
    send: Send,
    { width, maxCalls, timeout = Infinity, clock = systemClock }: QueueOptions,
  ) {
    this.#send = send;
    this.#width = Math.max(1, Math.floor(width));
    this.#size = new BatchSize(maxCalls);
    this.#timeout = timeout;
    this.#clock = clock;
    this.#isBatching = maxCalls > 1;
    // Twice the calls in flight, so that the next batches are complete when an answer arrives.
    this.readAhead = this.#isBatching ? 2 * this.#width * maxCalls : this.#width;
  }

  /** Queues a call. Rejects with the node's error, or with the failure of the last attempt. */
  public request({ method, params = [] }: RpcCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ method, params, retries: new Retries(), resolve, reject });
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
      this.#request(this.#queue.splice(0, this.#size.calls));
    }
  }

  #request(calls: readonly WaitingCall[]): void {
    const sent = { calls, due: performance.now() + this.#timeout };
    this.#sent.add(sent);
    this.#watch();
    this.#send(calls).then(
      (read) => this.#answered(sent, read),
      (error: unknown) => this.#answered(sent, () => calls.map(() => ({ error }))),
    );
  }

  #answered(sent: SentBatch, read: () => readonly ReadOutcome[]): void {
    // The request may have been given up meanwhile.
    if (!this.#sent.delete(sent)) return;
    const { calls } = sent;
    if (this.#sent.size === 0) this.#timer?.unref();
    if (!this.#isBatching) {
      this.#settle(calls, read());
      return;
    }
    // Sends the next batch before this answer is read, so that a distant node is not idle.
    this.#begin(this.#size.calls);
    this.#next();
    setImmediate(() => this.#settle(calls, read()));
  }

  #settle(calls: readonly WaitingCall[], outcomes: readonly ReadOutcome[]): void {
    if (outcomes.every((one) => "result" in one)) this.#size.grow();
    const again: WaitingCall[] = [];
    let pause = 0;
    calls.forEach((call, index) => {
      const outcome = outcomes[index] ?? { error: new Error("the call has no outcome") };
      if ("result" in outcome) {
        this.#answers += 1;
        call.resolve(outcome.result);
        return;
      }
      const next = this.#pauseBefore(call, outcome.error, calls.length);
      if (next === undefined) {
        call.reject(outcome.error);
        return;
      }
      pause = Math.max(pause, next);
      again.push(call);
    });
    if (again.length > 0) this.#queue.unshift(...again);
    if (pause > 0) void this.#pause(pause);
    else this.#next();
  }

  /** Returns the pause before a failed call is sent again, perhaps 0; undefined if it is not. */
  #pauseBefore({ retries }: WaitingCall, error: unknown, calls: number): number | undefined {
    const isSmaller = calls > 1 && isOfBatch(error);
    if (isSmaller) this.#size.halve(calls);
    const pause = retries.pauseAfter(error, this.#answers);
    if (!isSmaller || isTransient(error)) return pause;
    this.#size.fix();
    return 0;
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

/** Calls in flight at once, where the caller does not say how many. */
export const DEFAULT_CONCURRENCY = 16;

/** Limits of the calls to a provider. */
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

/** How many calls a batch to a node has: fewer after a refusal, and more again while the node answers. */
class BatchSize {
  #calls: number;
  /** Size of the largest batch that the node accepts, as far as is known. */
  #largest: number;

  public constructor(maxCalls: number) {
    this.#calls = maxCalls;
    this.#largest = maxCalls;
  }

  /** Maximum number of calls of the next batch. */
  public get calls(): number {
    return this.#calls;
  }

  /** Allows one call more, up to the largest size: a node that was busy may accept larger batches again. */
  public grow(): void {
    this.#calls = Math.min(this.#largest, this.#calls + 1);
  }

  /** Halves a batch of `calls` that the node did not answer. */
  public halve(calls: number): void {
    this.#calls = Math.min(this.#calls, Math.ceil(calls / 2));
  }

  /** Keeps the current size as the largest: the node refused a batch for its size, whatever its load. */
  public fix(): void {
    this.#largest = this.#calls;
  }
}

import { type Dispatcher, EnvHttpProxyAgent, request } from "undici";

import { isRecord } from "../base/collections.js";
import type { BatchingProvider } from "../base/rpc.js";
import { limitedSignal } from "../base/clock.js";
import { jsonOrUndefined, shownJson } from "../base/json.js";
import { isTransient } from "../base/retry.js";
import { systemErrorCode } from "../base/files.js";

export interface BatchProviderOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Limit of one HTTP request, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Calls in a batch at most. Default 100. */
  readonly maxCalls?: number | undefined;
  /** Bytes of an answer at most. Default 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** HTTP requests in flight at most. Default 6. */
  readonly width?: number | undefined;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
  /** About its length as JSON. */
  readonly bytes: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly statusCode: number;
  /** Seconds; not a number where the node names none. */
  readonly retryAfter: number;
  readonly text: string;
}

const MAX_CALLS = 100;
const MAX_REQUEST_BYTES = 256 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const WIDTH = 6;
const TIMEOUT_MS = 30_000;
/** Answered batches after which one more request is let in flight again. */
const CALM = 8;

/** What a node answered in place of a result, or that it did not answer in JSON-RPC. */
export class NodeAnswerError extends Error {
  public constructor(
    message: string,
    public readonly code: number | undefined,
    public readonly data?: unknown,
    public readonly statusCode?: number,
    public readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/**
 * Reads over HTTP in JSON-RPC batches: what is asked for in one turn of the event loop goes together, and while as many
 * requests are in flight as may be, the rest waits and makes the next batches larger. A batch that the node refuses is
 * sent again in halves, in the end as single calls, and later ones are no larger than what it took. Where the node is
 * busy there are fewer requests at a time. For reads only: a call may be made more than once.
 */
export class BatchProvider implements BatchingProvider {
  public readonly callsAtOnce: number;
  readonly #options: BatchProviderOptions;
  readonly #widest: number;
  #width: number;
  #maxCalls: number;
  #calm = 0;
  #inFlight = 0;
  #queue: Call[] = [];
  #scheduled = false;
  #nextId = 1;
  #dispatcher: Dispatcher | undefined;

  public constructor(options: BatchProviderOptions) {
    this.#options = options;
    this.#widest = this.#width = Math.max(1, Math.floor(options.width ?? WIDTH));
    this.#maxCalls = Math.max(1, Math.floor(options.maxCalls ?? MAX_CALLS));
    this.callsAtOnce = this.#widest * this.#maxCalls;
  }

  public request({
    method,
    params = [],
  }: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const bytes = 64 + method.length + JSON.stringify(params).length;
      this.#queue.push({ id: this.#nextId++, method, params, bytes, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#begin(1);
    });
  }

  /** Fills what may be in flight with batches of so many calls at least. */
  #begin(least: number): void {
    while (this.#queue.length >= least && this.#inFlight < this.#width) void this.#send(this.#take());
  }

  #take(): Call[] {
    let bytes = 0;
    let count = 0;
    for (const call of this.#queue) {
      bytes += call.bytes;
      if (count === this.#maxCalls || (count > 0 && bytes > MAX_REQUEST_BYTES)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** Settles every one of the calls, or has them sent again. */
  async #send(calls: readonly Call[]): Promise<void> {
    let answer: unknown;
    try {
      const reply = await this.#post(calls);
      // The connection is free for the next batch once the event loop has turned: that goes before this reply is read.
      await new Promise(setImmediate);
      answer = answerOf(reply, calls.length > 1);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (calls.length > 1 && failure instanceof NodeAnswerError && !isTransient(failure)) {
        this.#sendSmaller(calls, calls.length);
        return;
      }
      if (isTransient(failure)) this.#narrow();
      for (const call of calls) call.reject(failure);
      return;
    }
    this.#widen();
    const answers = new Map<unknown, Readonly<Record<string, unknown>>>();
    for (const one of Array.isArray(answer) ? (answer as unknown[]) : [answer]) {
      if (isRecord(one)) answers.set(one["id"], one);
    }
    const unanswered: Call[] = [];
    for (const call of calls) {
      const one = answers.get(call.id);
      const failure = one === undefined ? new NodeAnswerError(LEFT_OUT, undefined) : failureOf(one);
      if (failure === undefined) call.resolve(one?.["result"]);
      else if (calls.length > 1 && (one === undefined || isTooLarge(failure))) unanswered.push(call);
      else {
        if (isTransient(failure)) this.#narrow();
        call.reject(failure);
      }
    }
    if (unanswered.length > 0) this.#sendSmaller(unanswered, calls.length);
  }

  /** Before everything else that waits, in batches of at most half of the `size` that was too much. */
  #sendSmaller(calls: readonly Call[], size: number): void {
    this.#maxCalls = Math.min(this.#maxCalls, Math.ceil(size / 2));
    this.#queue.unshift(...calls);
    this.#schedule();
  }

  /** Lets the next batch go when a reply has arrived, not when it is read: a far node is not kept waiting. */
  async #post(calls: readonly Call[]): Promise<Reply> {
    const { url, headers, timeout = TIMEOUT_MS, maxAnswerBytes = MAX_ANSWER_BYTES } = this.#options;
    this.#dispatcher ??= new EnvHttpProxyAgent({
      connections: this.#widest,
      maxResponseSize: maxAnswerBytes,
      // Idle connections must not keep a process from ending, nor be found dead by the next read.
      keepAliveTimeout: 4_000,
    });
    const body = calls.map(({ id, method, params }) => ({ jsonrpc: "2.0", id, method, params }));
    const limit = limitedSignal(timeout, undefined);
    this.#inFlight += 1;
    try {
      const {
        statusCode,
        headers: replied,
        body: text,
      } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body.length === 1 ? body[0] : body),
        signal: limit.signal,
        dispatcher: this.#dispatcher,
      });
      return { statusCode, retryAfter: Number(replied["retry-after"]), text: await text.text() };
    } catch (error) {
      return connectionFailure(error, limit.expired());
    } finally {
      limit.release();
      this.#inFlight -= 1;
      this.#begin(this.#maxCalls);
      this.#schedule();
    }
  }

  #narrow(): void {
    this.#calm = 0;
    this.#width = Math.max(1, Math.floor(this.#width / 2));
  }

  #widen(): void {
    this.#calm += 1;
    if (this.#calm < CALM || this.#width >= this.#widest) return;
    this.#calm = 0;
    this.#width += 1;
  }
}

const LEFT_OUT = "the node left the call out of its answer";

/** @throws NodeAnswerError where the node answered, but not the calls one by one. */
function answerOf({ statusCode, retryAfter, text }: Reply, isBatch: boolean): unknown {
  if (statusCode !== 200) throw statusFailure(statusCode, retryAfter, text);
  const answer = jsonOrUndefined(text);
  if (answer === undefined) throw new NodeAnswerError("the answer is no JSON", undefined);
  if (Array.isArray(answer) === isBatch) return answer;
  throw (
    (isRecord(answer) ? failureOf(answer) : undefined) ?? new NodeAnswerError("the answer is no JSON-RPC", undefined)
  );
}

function failureOf(answer: Readonly<Record<string, unknown>>): NodeAnswerError | undefined {
  const error = answer["error"];
  if (error === undefined || error === null) return undefined;
  if (!isRecord(error)) return new NodeAnswerError(shownJson(error), undefined);
  const { code, message, data } = error;
  return new NodeAnswerError(
    typeof message === "string" ? message : "no reason given",
    typeof code === "number" ? code : undefined,
    data,
  );
}

/** A batch's answers together, not this one, are more than the node sends. */
function isTooLarge({ message, code }: NodeAnswerError): boolean {
  return code === -32003 || /too large|too big|size (?:limit|exceeded)|batch/i.test(message);
}

/** An answer that is too long for a batch may do for its calls one by one; anything else concerns all calls. */
function connectionFailure(error: unknown, isLate: boolean): never {
  const code = systemErrorCode(error);
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    throw new NodeAnswerError("the answer is longer than is read", undefined);
  }
  if (isLate) throw new Error("no answer in time", { cause: error });
  // Of several addresses of a node the system tells a code and no words.
  const words = error instanceof Error && error.message !== "" ? error.message : String(code ?? error);
  throw new Error(`the connection failed: ${words}`, { cause: error });
}

function statusFailure(statusCode: number, retryAfter: number, text: string): NodeAnswerError {
  const answer = jsonOrUndefined(text);
  const said = isRecord(answer) ? failureOf(answer) : undefined;
  return new NodeAnswerError(
    said?.message ?? `the node answered with HTTP status ${statusCode}`,
    said?.code,
    said?.data,
    statusCode,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

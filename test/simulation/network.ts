/* eslint-disable @typescript-eslint/no-deprecated -- what undici's own `request` gives a dispatcher has the older names */
import { Dispatcher, FormData } from "undici";

import type { Process } from "./process.js";
import type { Scheduler } from "./scheduler.js";
import type { SaidByUser, Service, ServiceReply } from "./service.js";

/** What befalls a request and its answer on the way. */
interface Fate {
  /** Whether the request arrives: late is after its sender gave up. */
  readonly arrives: "in time" | "late" | "twice" | "never";
  /** What its sender hears: the answer, nothing, a broken connection, an answer of somebody between, or a part of it. */
  readonly hears:
    | "answer"
    | "late answer"
    | "nothing"
    | "refused connection"
    | "reset"
    | "cut body"
    | "garbage"
    | "empty 500"
    | number;
}

/** What may befall a call, by a name that says it. A status is answered by something between, not by the service. */
export const FATES = {
  "no connection is made": { arrives: "never", hears: "refused connection" },
  "it is lost, and the connection breaks": { arrives: "never", hears: "reset" },
  "it is lost, and nothing is heard": { arrives: "never", hears: "nothing" },
  "it arrives, and the connection breaks": { arrives: "in time", hears: "reset" },
  "it arrives, and nothing is heard": { arrives: "in time", hears: "nothing" },
  "it arrives late, and nothing is heard": { arrives: "late", hears: "nothing" },
  "it arrives late, and the connection breaks at once": { arrives: "late", hears: "reset" },
  "it arrives twice": { arrives: "twice", hears: "answer" },
  "the answer is late": { arrives: "in time", hears: "late answer" },
  "the answer is cut": { arrives: "in time", hears: "cut body" },
  "the answer is a page": { arrives: "in time", hears: "garbage" },
  "a proxy answers 502 for it": { arrives: "in time", hears: 502 },
  "a proxy answers 504 for it, which never arrives": { arrives: "never", hears: 504 },
  "a proxy redirects it": { arrives: "never", hears: 302 },
  "it is refused with 400": { arrives: "never", hears: 400 },
  "it is refused with 401": { arrives: "never", hears: 401 },
  "it is refused with 402": { arrives: "never", hears: 402 },
  "it is refused with 409": { arrives: "never", hears: 409 },
  "it is refused with 429": { arrives: "never", hears: 429 },
  "it is refused with 500": { arrives: "never", hears: 500 },
  "it is refused with 503": { arrives: "never", hears: 503 },
  "it fails with 500 and no body": { arrives: "never", hears: "empty 500" },
} as const satisfies Readonly<Record<string, Fate>>;

export type FateName = keyof typeof FATES;

const USUAL: Fate = { arrives: "in time", hears: "answer" };

/** Later than any attempt waits, and any call with its repetitions. */
const LATE = 95_000;

export interface NetworkOptions {
  readonly scheduler: Scheduler;
  readonly service: Service;
  /** What befalls the calls, by their number from 1. */
  readonly fates: ReadonlyMap<number, FateName>;
  /** Milliseconds that the next message takes. */
  readonly latency: () => number;
  /** A number in [0, 1). */
  readonly fraction: () => number;
}

/** The network between processes and the service. What is under way outlives its sender. */
export class Network {
  readonly #options: NetworkOptions;
  #calls = 0;
  #isCalm = false;
  readonly #underWay = new Map<string, number>();
  readonly #answered = new Set<string>();
  /** The processes that have sent a POST. */
  readonly #senders = new Set<string>();

  public constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** From now on everything arrives. */
  public calm(): void {
    this.#isCalm = true;
  }

  /** Whether a request with this idempotency key may still arrive. */
  public isUnderWay(key: string): boolean {
    return (this.#underWay.get(key) ?? 0) > 0;
  }

  /** Whether the service's own answer to it came back whole. */
  public wasAnswered(key: string): boolean {
    return this.#answered.has(key);
  }

  /** Whether a process has sent a POST, whatever became of it. */
  public hasPosted(process: Process): boolean {
    return this.#senders.has(process.name);
  }

  /** The network as a process has it, for the real HTTP client. */
  public dispatcherOf(process: Process, says: SaidByUser): Dispatcher {
    return new ProcessDispatcher(process, (call) => {
      this.#send(call, process, says);
    });
  }

  #send(call: Call, process: Process, says: SaidByUser): void {
    const { scheduler, service, fates, latency, fraction } = this.#options;
    this.#calls += 1;
    if (call.method === "POST") this.#senders.add(process.name);
    const name = this.#isCalm ? undefined : fates.get(this.#calls);
    const { arrives, hears } = name === undefined ? USUAL : FATES[name];
    scheduler.note(
      `${process.name} sends call ${this.#calls} ${call.method} ${call.path}${name === undefined ? "" : `: ${name}`}`,
    );
    const there = latency();
    const times = {
      "in time": [there],
      late: [LATE + there],
      twice: [there, there + latency()],
      never: [],
    }[arrives];
    let reply: ServiceReply | undefined;
    const sentAt = scheduler.now;
    const { key } = call;
    for (const time of times) {
      if (key !== undefined) this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
      scheduler.after(time, () => {
        if (key !== undefined) this.#underWay.set(key, (this.#underWay.get(key) ?? 0) - 1);
        reply = service.handle({ ...call, ...says, sender: process.name, sentAt });
      });
    }
    if (hears === "nothing") return;
    const back =
      (arrives === "late" ? 0 : there) + latency() + (hears === "late answer" ? LATE : 0);
    process.after(back, `hears of call ${call.method} ${call.path}`, () => {
      const { status, body } = reply ?? { status: 500, body: "" };
      if (hears === "refused connection") call.fail(networkError("ECONNREFUSED", "connect"));
      else if (hears === "reset") call.fail(networkError("ECONNRESET", "read"));
      else if (hears === "empty 500") {
        service.misleads(process.name);
        call.answer(500, "");
      } else if (hears === "garbage") call.answer(200, "<html>Welcome</html>");
      else if (typeof hears === "number") call.answer(hears, '{"error":"not now"}');
      else if (hears === "cut body")
        call.cut(status, body.slice(0, Math.floor(fraction() * body.length)));
      else {
        if (key !== undefined && reply !== undefined) this.#answered.add(key);
        call.answer(status, body);
      }
    });
  }
}

/** A call as the HTTP client makes it, and what it can be told. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
  answer(status: number, body: string): void;
  /** The connection ends within the body. */
  cut(status: number, body: string): void;
  fail(error: Error): void;
}

class ProcessDispatcher extends Dispatcher {
  readonly #process: Process;
  readonly #send: (call: Call) => void;

  public constructor(process: Process, send: (call: Call) => void) {
    super();
    this.#process = process;
    this.#send = send;
  }

  public override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const { method, path, body, headers } = options;
    const call = { isOver: false };
    const fail = (error: Error): void => {
      if (call.isOver) return;
      call.isOver = true;
      handler.onError?.(error);
    };
    const begin = (status: number, text: string): boolean => {
      if (call.isOver) return false;
      handler.onHeaders?.(status, JSON_HEADERS, () => undefined, "");
      if (text !== "") handler.onData?.(Buffer.from(text));
      return true;
    };
    handler.onConnect?.((error) => {
      fail(error ?? new Error("aborted"));
    });
    // What a dead process still does reaches nobody.
    this.#process.step(`calls ${method} ${path}`);
    if (call.isOver) return true;
    this.#send({
      method,
      path,
      key: keyIn(headers),
      body: textOf(body),
      fail,
      answer: (status, text) => {
        if (!begin(status, text)) return;
        call.isOver = true;
        handler.onComplete?.([]);
      },
      cut: (status, text) => {
        if (begin(status, text)) fail(networkError("ECONNRESET", "read"));
      },
    });
    return true;
  }
}

const JSON_HEADERS = ["content-type", "application/json"].map((text) => Buffer.from(text));

function keyIn(headers: Dispatcher.DispatchOptions["headers"]): string | undefined {
  const key: unknown =
    headers === null || headers === undefined ? undefined : Reflect.get(headers, "idempotency-key");
  return typeof key === "string" ? key : undefined;
}

/** The text of a body; of a form, the name of its file. */
function textOf(body: Dispatcher.DispatchOptions["body"]): string {
  if (typeof body === "string") return body;
  if (!(body instanceof FormData)) return "";
  const [part] = [...body.values()];
  return typeof part === "object" ? part.name : "";
}

function networkError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

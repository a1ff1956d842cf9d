import { Agent, request } from "undici";

import type { Clock } from "../base/clock.js";
import { errorMessage } from "../base/text.js";
import { Limiter } from "../base/turns.js";
import { isLoopback } from "../base/loopback.js";
import { badRequest } from "./refusals.js";

/** Allowed targets of webhooks: this machine only, also the named hosts, or any host. */
export type WebhookTargets = "loopback" | readonly string[] | "anywhere";

/** Pauses before each attempt, in milliseconds. */
const PAUSES = [0, 1_000, 5_000];
/** Timeout of an attempt with its answer, in milliseconds. */
const TIMEOUT = 5_000;
/** Maximum number of parallel attempts: thousands of tasks may end together. */
const AT_ONCE = 32;

/** One attempt to deliver a webhook: its time in ISO 8601, and the status or why there was none. */
export interface WebhookAttempt {
  readonly at: string;
  readonly answer: string;
}

/** The receiver's status, or why there was none, and whether the receiver has taken the body. */
interface Answer {
  readonly answer: string;
  readonly isReceived: boolean;
}

type Attempt = WebhookAttempt & Answer;

/** Delivers webhooks. Redirects are not followed. */
export class WebhookSender {
  readonly #targets: WebhookTargets;
  readonly #clock: Clock;
  readonly #limiter = new Limiter(AT_ONCE);
  readonly #agent = new Agent();

  public constructor(targets: WebhookTargets, clock: Clock) {
    this.#targets = targets;
    this.#clock = clock;
  }

  /** Returns the normalized address. @throws HttpRefusal HDP-4518 for an address that is not allowed */
  public check(text: string): string {
    const refused = (fault: string): Error =>
      badRequest(`webhook_url: "${text.slice(0, 200)}" ${fault}`);
    if (!URL.canParse(text)) throw refused("is not a URL");
    const { protocol, hostname, href } = new URL(text);
    if (protocol !== "http:" && protocol !== "https:")
      throw refused("is not a URL of http or https");
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const isAllowed =
      this.#targets === "anywhere" ||
      (this.#targets !== "loopback" && this.#targets.includes(host));
    if (isAllowed || isLoopback(host)) return href;
    throw refused("is not an address of this machine: send 127.0.0.1, localhost or [::1]");
  }

  /** Sends a JSON body, with at most three attempts, which it returns. Resolves even if all of them failed. */
  public async notify(url: string, body: string, signal: AbortSignal): Promise<WebhookAttempt[]> {
    const attempts: WebhookAttempt[] = [];
    for (const pause of PAUSES) {
      await this.#clock.sleep(pause, signal);
      const attempt = await this.#limiter.run(async () => await this.#attempt(url, body, signal));
      if (attempt === undefined) break;
      const { at, answer, isReceived } = attempt;
      attempts.push({ at, answer });
      if (isReceived) break;
    }
    return attempts;
  }

  /** Ends open connections. */
  public async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Makes one attempt when its turn comes; none where the server has begun to close. */
  async #attempt(url: string, body: string, closing: AbortSignal): Promise<Attempt | undefined> {
    if (closing.aborted) return undefined;
    const at = new Date(this.#clock.now()).toISOString();
    return { at, ...(await this.#post(url, body, closing)) };
  }

  async #post(url: string, body: string, closing: AbortSignal): Promise<Answer> {
    const headers = { "content-type": "application/json" };
    const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT)]);
    try {
      const reply = await request(url, {
        method: "POST",
        headers,
        body,
        signal,
        dispatcher: this.#agent,
      });
      await reply.body.dump();
      return { answer: String(reply.statusCode), isReceived: reply.statusCode < 300 };
    } catch (error) {
      return { answer: errorMessage(error), isReceived: false };
    }
  }
}

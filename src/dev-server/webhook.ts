import { lookup, type LookupAddress } from "node:dns";
import { lookup as lookupAll } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Agent, request } from "undici";

import type { Clock } from "../base/clock.js";
import { FrontProblem } from "./front-problem.js";
import type { TaskRecord } from "./task-record.js";
import { isFailure } from "./task-states.js";

/** Where webhooks may be sent: to this machine only, to hosts that are named as well, or anywhere. */
export type WebhookTargets = "loopback" | readonly string[] | "anywhere";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
LOOPBACK.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** Pauses before the second and third attempt, in milliseconds. */
const PAUSES = [1_000, 5_000];
const TIMEOUT_MS = 5_000;

/**
 * Delivers webhooks. A name is resolved when the connection is made, and the connection goes to an address that was
 * checked: a name that changes its mind reaches nothing else. Redirects are not followed.
 */
export class WebhookSender {
  readonly #targets: WebhookTargets;
  readonly #clock: Clock;
  readonly #guarded: Agent;
  readonly #open: Agent;

  public constructor(targets: WebhookTargets, clock: Clock) {
    this.#targets = targets;
    this.#clock = clock;
    const options = { connectTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    this.#guarded = new Agent({ ...options, connect: { lookup: loopbackLookup } });
    this.#open = new Agent(options);
  }

  /** @throws FrontProblem HDP-4521 (400) for an address that would not be called. */
  public async check(text: string): Promise<string> {
    if (!URL.canParse(text)) throw refused(text, "is no address");
    const url = new URL(text);
    if (url.protocol !== "http:" && url.protocol !== "https:") throw refused(text, "is not of http or https");
    const host = bareHost(url);
    if (!this.#isOpen(host) && !(await leadsHome(host))) throw refused(text, "is not on this machine");
    return url.href;
  }

  /** Tries three times; a receiver that never answers well is given up. Resolves in any case. */
  public async notify(record: TaskRecord, signal: AbortSignal): Promise<void> {
    const { webhookUrl } = record.accepted;
    if (webhookUrl === undefined) return;
    const body = JSON.stringify(webhookBody(record));
    for (const pause of [0, ...PAUSES]) {
      if (pause > 0) await this.#clock.sleep(pause, signal);
      if (signal.aborted || (await this.#post(webhookUrl, body, signal))) return;
    }
  }

  public async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#open.destroy()]);
  }

  async #post(url: string, body: string, signal: AbortSignal): Promise<boolean> {
    const host = bareHost(new URL(url));
    const isOpen = this.#isOpen(host);
    // A literal address is not looked up, so it is checked here.
    if (!isOpen && isIP(host) !== 0 && !isLoopback(host)) return true;
    try {
      const reply = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal,
        dispatcher: isOpen ? this.#open : this.#guarded,
      });
      await reply.body.dump();
      return reply.statusCode < 300;
    } catch {
      return false;
    }
  }

  #isOpen(host: string): boolean {
    return this.#targets === "anywhere" || (this.#targets !== "loopback" && this.#targets.includes(host));
  }
}

/** As published; `transaction_hash` on success only, `error` on failure only. */
function webhookBody({ accepted, state, updatedAt, results, error }: TaskRecord): Readonly<Record<string, string>> {
  const common = { status: state, task_id: accepted.id, timestamp: updatedAt };
  if (isFailure(state)) return { ...common, error: error ?? state };
  const transaction = results[0]?.transactionHash;
  return transaction === undefined ? common : { ...common, transaction_hash: transaction };
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether an address, or one of those that a name stands for now, is of this machine. */
async function leadsHome(host: string): Promise<boolean> {
  if (isIP(host) !== 0) return isLoopback(host);
  try {
    return (await lookupAll(host, { all: true })).some(({ address }) => isLoopback(address));
  } catch {
    return false;
  }
}

function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) {
      callback(error, []);
      return;
    }
    const local = addresses.filter(({ address }) => isLoopback(address));
    const [first] = local;
    if (first === undefined) callback(new Error(`${hostname} is not on this machine`), []);
    else if (options.all === true) callback(null, local);
    else callback(null, first.address, first.family);
  });
};

function refused(text: string, fault: string): FrontProblem {
  return new FrontProblem({
    code: "HDP-4521",
    status: 400,
    message: `webhook_url "${text.slice(0, 200)}" ${fault}.`,
    hints: ["Webhooks are sent to loopback addresses (127.0.0.1, localhost, [::1]) unless others are allowed."],
  });
}

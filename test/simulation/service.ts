import type { Hex } from "viem";

import { taskHash } from "../../src/request/task-hash.js";
import { parseTaskRequest } from "../../src/request/parse.js";
import type { Chain } from "./chain.js";
import type { ForeignHashes } from "./plan.js";

/** What is said of a request by the command that sends it. A service sees none of it: it is for the checks. */
export interface SaidByUser {
  /** `--force`. */
  readonly isForced: boolean;
  /** A contract asked for it: then it is sent once, also after it failed. */
  readonly isRequested: boolean;
}

export interface ServiceRequest extends SaidByUser {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  /** The text of a JSON body, or the name of a file. */
  readonly body: string;
  /** The process that sent it. A service does not see it. */
  readonly sender: string;
  /** When it was sent. */
  readonly sentAt: number;
}

export interface ServiceReply {
  readonly status: number;
  readonly body: string;
}

/** Something that the service accepted, and has to be paid for. */
export interface Acceptance {
  readonly id: string;
  readonly kind: "tasks" | "storage-proof" | "program" | "grow-order";
  /** What the client called it: the id of its record. */
  readonly key: string | undefined;
  /** Task hashes, a program hash, or the text of a body. */
  readonly contents: readonly string[];
  readonly sender: string;
  readonly isForced: boolean;
  readonly sentAt: number;
  readonly acceptedAt: number;
  readonly genesis: Hex;
  /** Without force, and somebody works on the same already, or has done it. */
  isSecond: boolean;
  /** Keys of the retries that it accepted. */
  readonly retries: string[];
  /** How often results had vanished from the chain when its own arrived. */
  reverts?: number;
  state: "working" | "finalized" | "failed";
  isForgotten: boolean;
  /** Whether the user gave it up after it was forgotten. */
  isGivenUp?: boolean;
}

export interface ServiceOptions {
  readonly chain: Chain;
  /** The service hashes tasks in its own way, and stores results under that hash. */
  readonly hasOwnHashes: boolean;
  /** The service refuses requests of several tasks. */
  readonly takesOneTask?: boolean | undefined;
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => unknown;
  readonly note: (line: string) => void;
  /** Whether a process may not know of a record's request, as the database was replaced. */
  readonly mayNotKnow: (key: string, process: string) => boolean;
  /** Hashes of others that the next answer to a submission of tasks names. */
  readonly nextHashes: () => ForeignHashes | undefined;
  /** Milliseconds that it works on the next submission, and how that ends. */
  readonly nextWork: () => { readonly takes: number; readonly fails: boolean };
}

/** A service that remembers what reached it, whatever its callers believe. */
export class Service {
  public readonly acceptances: Acceptance[] = [];
  /** How often it forgot what has ended. */
  public losses = 0;
  /** Processes that were answered as if a program were unknown, by a registry that failed. */
  readonly #misled = new Set<string>();
  readonly #options: ServiceOptions;

  public constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** What the console of the service shows of a record's request. */
  public shows(key: string): Acceptance | undefined {
    return this.acceptances.find((one) => one.key === key);
  }

  /** The service loses what it has ended. */
  public forget(): void {
    this.#options.note("service forgets what has ended");
    this.losses += 1;
    for (const one of this.acceptances) if (one.state !== "working") one.isForgotten = true;
  }

  /** Whether all that was accepted of some content is forgotten. */
  public hasLost(kind: Acceptance["kind"], content: string): boolean {
    const accepted = this.acceptances.filter(
      (one) => one.kind === kind && one.contents.includes(content),
    );
    return accepted.length > 0 && accepted.every(({ isForgotten }) => isForgotten);
  }

  /** A process hears a failure that looks as if the registry did not know a program. */
  public misleads(process: string): void {
    this.#misled.add(process);
  }

  public handle(request: ServiceRequest): ServiceReply {
    const { method, path, body } = request;
    const [, root, id] = path.split(/[/?]/);
    if (method === "POST" && root === "tasks" && id === undefined) {
      const hashes = hashesOf(body);
      if (this.#options.takesOneTask === true && hashes.length > 1)
        return { status: 400, body: "one task a request" };
      const { acceptance, isNew } = this.#accept("tasks", hashes, request);
      if (isNew) this.#work(acceptance);
      const taskHashes = this.#hashesOf(hashes);
      return json({ uuid: acceptance.id, ...(taskHashes === undefined ? {} : { taskHashes }) });
    }
    if (method === "POST" && path.endsWith("/retry")) return this.#retry(id ?? "", request);
    if (method === "POST" && root === "submit-request") {
      const { acceptance, isNew } = this.#accept("storage-proof", [body], request);
      if (isNew) this.#work(acceptance);
      return json({ request_id: acceptance.id, status: "PROCESSING" });
    }
    if (method === "POST" && root === "grow-orders") {
      const { acceptance } = this.#accept("grow-order", [body], request);
      acceptance.state = "finalized";
      return json({ id: acceptance.id });
    }
    if (method === "POST" && root === "submit-program") {
      const { acceptance } = this.#accept("program", [body], request);
      acceptance.state = "finalized";
      return { status: 200, body };
    }
    const found = this.acceptances.find((one) => one.id === id && !one.isForgotten);
    if (root === "get-metadata") {
      const hash = new URLSearchParams(path.split("?")[1]).get("program_hash") ?? "";
      const stored = this.acceptances.filter(
        ({ kind, isForgotten }) => kind === "program" && !isForgotten,
      );
      const isKnown = stored.some(({ contents }) => contents.includes(hash));
      return isKnown ? json({ layout: "starknet", version: 2 }) : { status: 404, body: "" };
    }
    if (found === undefined) return { status: 404, body: '{"error":"not found"}' };
    if (root === "grow-orders") return json({ id: found.id });
    if (root === "get_queries") {
      const status = { working: "PROCESSING", finalized: "COMPLETED", failed: "FAILED" }[
        found.state
      ];
      return json({ queries: [{ internal_id: `${found.id}-1`, status }] });
    }
    if (path.endsWith("/details")) {
      const [hash = "", ...others] = found.contents;
      return json({
        taskHash: this.#options.hasOwnHashes && others.length === 0 ? ownHash(hash) : null,
      });
    }
    const status = {
      working: "DryRunStarted",
      finalized: "TaskDecommitmentCompleted",
      failed: "DryRunFailed",
    }[found.state];
    return json({
      taskId: found.id,
      status,
      errorMessage: found.state === "failed" ? "out of gas" : null,
    });
  }

  /** Works on a failed task again, once for each key. */
  #retry(id: string, request: ServiceRequest): ServiceReply {
    const { key = "" } = request;
    const found = this.acceptances.find((one) => one.id === id && !one.isForgotten);
    if (found === undefined) return { status: 404, body: '{"error":"Task not found"}' };
    if (found.retries.includes(key)) return json({ uuid: id });
    if (found.state !== "failed") return { status: 400, body: '{"error":"not failed"}' };
    const { kind, contents } = found;
    if (this.#isOpen(kind, contents, { ...request, isRequested: false })) found.isSecond = true;
    found.retries.push(key);
    found.state = "working";
    this.#options.note(`service works again on ${id}`);
    this.#work(found);
    return json({ uuid: id, status: "accepted" });
  }

  /** The hashes that an answer names: the service's own, or those of others. */
  #hashesOf(hashes: readonly Hex[]): readonly Hex[] | undefined {
    const { nextHashes, hasOwnHashes, chain } = this.#options;
    const own = hasOwnHashes ? hashes.map(ownHash) : undefined;
    const [first = "0x"] = hashes;
    switch (nextHashes()) {
      case "the same":
        return hashes.map(() => ownHash(first));
      case "finalized before":
        return chain.last === undefined ? own : hashes.map(() => chain.last ?? first);
      case "too few":
        return hashes.slice(1);
      case undefined:
        return own;
    }
  }

  /** A key that was seen before names the same request again. */
  #accept(
    kind: Acceptance["kind"],
    contents: readonly string[],
    request: ServiceRequest,
  ): { readonly acceptance: Acceptance; readonly isNew: boolean } {
    const { key, isForced, sender, sentAt } = request;
    const known = key === undefined ? undefined : this.shows(key);
    if (known !== undefined) return { acceptance: known, isNew: false };
    const { chain, note, now } = this.#options;
    const id = `${kind}-${this.acceptances.length + 1}`;
    const isSecond = !isForced && this.#isOpen(kind, contents, request);
    const acceptance: Acceptance = {
      id,
      kind,
      key,
      contents,
      sender,
      isForced,
      isSecond,
      retries: [],
      sentAt,
      acceptedAt: now(),
      genesis: chain.genesisSeenBy(sender),
      state: "working",
      isForgotten: false,
    };
    this.acceptances.push(acceptance);
    note(`service accepts ${contents.map((one) => one.slice(0, 8)).join(" ")} as ${id}`);
    return { acceptance, isNew: true };
  }

  /**
   * Whether the same was accepted for the same chain: by force only before this was sent, as force waits for nobody.
   */
  #isOpen(
    kind: Acceptance["kind"],
    contents: readonly string[],
    { sender, sentAt, key, isRequested }: ServiceRequest,
  ): boolean {
    const genesis = this.#options.chain.genesisSeenBy(sender);
    return this.acceptances.some((one) => {
      const isOver =
        isRequested && one.state === "failed" ? one.isGivenUp === true : this.isGone(one);
      if (one.kind !== kind || isOver || (one.isForced && one.acceptedAt >= sentAt)) return false;
      if (kind === "tasks" && this.#wasOvertaken(one)) return false;
      if (one.key !== undefined && this.#options.mayNotKnow(one.key, sender)) return false;
      // Requests may arrive in another order than they were sent in: whoever sent the other one may not have known of this.
      const wasSentLater = one.sentAt > sentAt;
      if (wasSentLater && key !== undefined && this.#options.mayNotKnow(key, one.sender))
        return false;
      // A registry stores a program once.
      if (kind === "program" && this.#misled.has(sender)) return false;
      return (
        (kind !== "tasks" || one.genesis === genesis) &&
        one.contents.some((content) => contents.includes(content))
      );
    });
  }

  /** Whether the same by force was faster, and its result vanished with the state of a development chain. */
  #wasOvertaken({ state, contents }: Acceptance): boolean {
    if (state !== "working" || this.#options.chain.reverts === 0) return false;
    return this.acceptances.some(
      (one) => one.isForced && one.contents.some((content) => contents.includes(content)),
    );
  }

  /**
   * Whether it will not come to anything: failed, forgotten, or vanished with the state of a development chain. On a live
   * chain a request that is paid for and has no result on the chain counts until the user gives it up.
   */
  public isGone({ kind, state, isForgotten, isGivenUp, genesis, reverts }: Acceptance): boolean {
    const { chain } = this.#options;
    if (state === "failed") return true;
    const isPaid = kind === "storage-proof" || kind === "grow-order";
    if (isForgotten) return !isPaid || chain.isDevelopment || isGivenUp === true;
    return (
      kind === "tasks" &&
      (genesis !== chain.genesis || (reverts ?? chain.reverts) !== chain.reverts)
    );
  }

  #work(acceptance: Acceptance): void {
    const { after, nextWork, note, chain, hasOwnHashes } = this.#options;
    const { takes, fails } = nextWork();
    after(takes, () => {
      acceptance.state = fails ? "failed" : "finalized";
      note(`service ${fails ? "fails at" : "has done"} ${acceptance.id}`);
      if (acceptance.kind !== "tasks" || fails || acceptance.genesis !== chain.genesis) return;
      // Results arrive a while after the service has said that they did.
      after(500, () => {
        if (acceptance.genesis !== chain.genesis) return;
        acceptance.reverts = chain.reverts;
        for (const hash of acceptance.contents) {
          chain.finalize(asHex(hasOwnHashes ? ownHash(hash) : hash), wordOf(hash));
        }
      });
    });
  }
}

/** The hash that a service with its own hashes gives a task. */
export function ownHash(hash: string): Hex {
  return `0xee${hash.slice(4)}`;
}

/** The result of a task. */
export function wordOf(hash: string): Hex {
  return `0x${"00".repeat(24)}${hash.slice(-16)}`;
}

const hashed = new Map<string, readonly Hex[]>();

/** The hashes of a request's tasks: parsed as any service has to, once for each text. */
function hashesOf(body: string): readonly Hex[] {
  const hashes =
    hashed.get(body) ?? parseTaskRequest(JSON.parse(body)).tasks.map((task) => taskHash(task));
  hashed.set(body, hashes);
  return hashes;
}

function asHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}

function json(value: unknown): ServiceReply {
  return { status: 200, body: JSON.stringify(value) };
}

import type { Hex } from "viem";

import { taskHash } from "../../src/request/task-hash.js";
import { parseTaskRequest } from "../../src/request/parse.js";
import type { Chain } from "./chain.js";

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  /** The text of a JSON body, or the name of a file. */
  readonly body: string;
  /** Whether the user said `--force`, and the process that sent it. A service sees neither: they are for the checks. */
  readonly isForced: boolean;
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
  readonly kind: "tasks" | "storage-proof" | "program";
  /** What the client called it: the id of its record. */
  readonly key: string | undefined;
  /** Task hashes, a program hash, or the text of a body. */
  readonly contents: readonly string[];
  readonly sender: string;
  readonly isForced: boolean;
  readonly acceptedAt: number;
  readonly genesis: Hex;
  /** Without force, and somebody works on the same already, or has done it. */
  readonly isSecond: boolean;
  /** How often results had vanished from the chain when its own arrived. */
  reverts?: number;
  state: "working" | "finalized" | "failed";
  isForgotten: boolean;
}

export interface ServiceOptions {
  readonly chain: Chain;
  /** The service hashes tasks in its own way, and stores results under that hash. */
  readonly hasOwnHashes: boolean;
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => unknown;
  readonly note: (line: string) => void;
  /** Milliseconds that it works on the next submission, and how that ends. */
  readonly nextWork: () => { readonly takes: number; readonly fails: boolean };
}

/** A service that remembers what reached it, whatever its callers believe. */
export class Service {
  public readonly acceptances: Acceptance[] = [];
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
    for (const one of this.acceptances) if (one.state !== "working") one.isForgotten = true;
  }

  public handle(request: ServiceRequest): ServiceReply {
    const { method, path, body } = request;
    const [, root, id] = path.split(/[/?]/);
    if (method === "POST" && root === "tasks") {
      const hashes = hashesOf(body);
      const { acceptance, isNew } = this.#accept("tasks", hashes, request);
      if (isNew) this.#work(acceptance);
      const theirs = this.#options.hasOwnHashes ? { taskHashes: hashes.map(ownHash) } : {};
      return json({ uuid: acceptance.id, ...theirs });
    }
    if (method === "POST" && root === "submit-request") {
      const { acceptance, isNew } = this.#accept("storage-proof", [body], request);
      if (isNew) this.#work(acceptance);
      return json({ request_id: acceptance.id, status: "PROCESSING" });
    }
    if (method === "POST" && root === "submit-program") {
      this.#accept("program", [body], request);
      return { status: 200, body };
    }
    const found = this.acceptances.find((one) => one.id === id && !one.isForgotten);
    if (root === "get-metadata") {
      const hash = new URLSearchParams(path.split("?")[1]).get("program_hash") ?? "";
      const isKnown = this.acceptances.some(({ kind, contents }) => kind === "program" && contents.includes(hash));
      return isKnown ? json({ layout: "starknet", version: 2 }) : { status: 404, body: "" };
    }
    if (found === undefined) return { status: 404, body: '{"error":"not found"}' };
    if (root === "get_queries") {
      const status = { working: "PROCESSING", finalized: "COMPLETED", failed: "FAILED" }[found.state];
      return json({ queries: [{ internal_id: `${found.id}-1`, status }] });
    }
    if (path.endsWith("/details")) {
      const [hash = "", ...others] = found.contents;
      return json({ taskHash: this.#options.hasOwnHashes && others.length === 0 ? ownHash(hash) : null });
    }
    const status = {
      working: "DryRunStarted",
      finalized: "TaskDecommitmentCompleted",
      failed: "DryRunFailed",
    }[found.state];
    return json({ taskId: found.id, status, errorMessage: found.state === "failed" ? "out of gas" : null });
  }

  /** A key that was seen before names the same request again. */
  #accept(
    kind: Acceptance["kind"],
    contents: readonly string[],
    request: ServiceRequest,
  ): { readonly acceptance: Acceptance; readonly isNew: boolean } {
    const { key, isForced, sender } = request;
    const known = key === undefined ? undefined : this.shows(key);
    if (known !== undefined) return { acceptance: known, isNew: false };
    const { chain, note, now } = this.#options;
    const id = `${kind}-${this.acceptances.length + 1}`;
    const isSecond = !isForced && this.#isOpen(kind, contents, request);
    const acceptance: Acceptance = {
      ...{ id, kind, key, contents, sender, isForced, isSecond, acceptedAt: now() },
      ...{ genesis: chain.genesisSeenBy(sender), state: "working", isForgotten: false },
    };
    this.acceptances.push(acceptance);
    note(`service accepts ${contents.map((one) => one.slice(0, 8)).join(" ")} as ${id}`);
    return { acceptance, isNew: true };
  }

  /**
   * Whether the same was accepted for the same chain: by force only before this was sent, as force waits for nobody.
   */
  #isOpen(kind: Acceptance["kind"], contents: readonly string[], { sender, sentAt }: ServiceRequest): boolean {
    const genesis = this.#options.chain.genesisSeenBy(sender);
    return this.acceptances.some((one) => {
      if (one.kind !== kind || this.isGone(one) || (one.isForced && one.acceptedAt >= sentAt)) return false;
      if (kind === "tasks" && this.#wasOvertaken(one)) return false;
      return (
        (kind !== "tasks" || one.genesis === genesis) && one.contents.some((content) => contents.includes(content))
      );
    });
  }

  /** Whether the same by force was faster, and its result vanished with the state of a development chain. */
  #wasOvertaken({ state, contents }: Acceptance): boolean {
    if (state !== "working" || this.#options.chain.reverts === 0) return false;
    return this.acceptances.some((one) => one.isForced && one.contents.some((content) => contents.includes(content)));
  }

  /** Whether it will not come to anything: failed, forgotten, or vanished with the state of a development chain. */
  public isGone({ kind, state, isForgotten, genesis, reverts }: Acceptance): boolean {
    const { chain } = this.#options;
    if (isForgotten || state === "failed") return true;
    return kind === "tasks" && (genesis !== chain.genesis || (reverts ?? chain.reverts) !== chain.reverts);
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
  const hashes = hashed.get(body) ?? parseTaskRequest(JSON.parse(body)).tasks.map((task) => taskHash(task));
  hashed.set(body, hashes);
  return hashes;
}

function asHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}

function json(value: unknown): ServiceReply {
  return { status: 200, body: JSON.stringify(value) };
}

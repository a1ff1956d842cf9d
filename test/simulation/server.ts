import { setImmediate } from "node:timers/promises";

import { formatFelt } from "../../src/base/felt.js";
import { jsonText } from "../../src/base/json.js";
import { Turns } from "../../src/base/turns.js";
import { NO_BODY } from "../../src/dev-server/body.js";
import { Acceptance, readIdempotency } from "../../src/dev-server/idempotency.js";
import { toRefusal } from "../../src/dev-server/refusals.js";
import { textReply } from "../../src/dev-server/route.js";
import { openParts, type ServerParts } from "../../src/dev-server/server.js";
import type { DevServerProcessor } from "../../src/dev-server/task-service.js";
import { toTaskRequestJson } from "../../src/request/task-json.js";
import { stateNodeHash, type StateNode, computeStateRoot } from "../../src/request/state-trie.js";
import { taskHash } from "../../src/request/task-hash.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "../dev-server/small-class.js";
import { requestOf } from "../submission/world.js";
import {
  openDatabase,
  type Counts,
  type OpenedDatabase,
  type ServerFault,
} from "./server-database.js";

/** What a client asks of the development server, by turns of the event loop after the server has started. */
export type ServerCommand = { readonly turn: number } & (
  | { readonly do: "upload"; readonly spaces: number }
  | { readonly do: "module"; readonly version: string }
  | { readonly do: "trie"; readonly keys: readonly number[] }
  | { readonly do: "write"; readonly key: number }
  | { readonly do: "task"; readonly task: number }
  | { readonly do: "prove" }
  | { readonly do: "order"; readonly number: number }
  /** Looks for the class of all uploads. */
  | { readonly do: "look" }
);

/** A history of a server: what is asked of its first process, and what befalls each of its processes. */
export interface ServerPlan {
  readonly commands: readonly ServerCommand[];
  readonly faults: readonly (readonly ServerFault[])[];
}

export interface ServerReport {
  readonly violations: readonly string[];
  /** What each process did with its database. */
  readonly counts: readonly Counts[];
}

interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly json?: unknown;
  readonly file?: string;
  readonly form?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The same class for every number of spaces, in another text. */
function classText(spaces: number): string {
  return JSON.stringify(SMALL_CLASS, undefined, spaces);
}

const LABEL = "0x1";

/** Leaves of a trie: each key with one more. */
function leavesOf(keys: readonly number[]): [bigint, bigint][] {
  return keys.map((key) => [BigInt(key), BigInt(key) + 1n]);
}

/** The root that a trie of keys has. */
function rootOf(keys: readonly number[]): string {
  const nodes = new Map<bigint, StateNode>();
  const add = (node: StateNode): bigint => {
    const hash = stateNodeHash(node);
    nodes.set(hash, node);
    return hash;
  };
  return formatFelt(computeStateRoot({ get: (hash) => nodes.get(hash), add }, leavesOf(keys)));
}

function callOf(command: ServerCommand): Call {
  switch (command.do) {
    case "upload":
      return { method: "POST", path: "/submit-program", file: classText(command.spaces) };
    case "module": {
      const form = { name: "mean", version: command.version };
      return { method: "POST", path: "/modules/upload", file: classText(0), form };
    }
    case "trie": {
      const [keys, values] = [0, 1].map((at) =>
        leavesOf(command.keys).map((leaf) => formatFelt(leaf[at] ?? 0n)),
      );
      return { method: "POST", path: "/create_trie", json: { trie_label: LABEL, keys, values } };
    }
    case "write": {
      const [[key, value] = [0n, 0n]] = leavesOf([command.key]);
      const json = {
        trie_label: LABEL,
        trie_root: "0x0",
        key: formatFelt(key),
        value: formatFelt(value),
      };
      return { method: "POST", path: "/write", json };
    }
    case "task":
      return {
        method: "POST",
        path: "/tasks",
        json: JSON.parse(jsonText(toTaskRequestJson(requestOf(command.task)))),
      };
    case "prove": {
      const json = {
        destination_chain_id: "1",
        data: { "1": { "block:2": { header: ["BLOCK_NUMBER"] } } },
      };
      return { method: "POST", path: "/submit-request", json };
    }
    case "order":
      return { method: "POST", path: "/grow-orders", json: { number: command.number } };
    case "look":
      return { method: "GET", path: `/get-program?program_hash=${SMALL_CLASS_HASH}` };
  }
}

/** Where what was answered can be seen. Without an answer: where it would be, as far as that can be said. */
function seenAt(command: ServerCommand, answer: Answer | undefined): string[] {
  const answered = answer === undefined ? {} : jsonIn(answer);
  const idOf = (member: string): string[] =>
    typeof answered[member] === "string" ? [answered[member]] : [];
  switch (command.do) {
    case "upload":
    case "look":
      return [`/get-program?program_hash=${SMALL_CLASS_HASH}`];
    case "module":
      // Without the whole answer its class may be that of another upload.
      return idOf("id").flatMap((id) => [
        `/modules/${id}/versions`,
        `/get-program?program_hash=${SMALL_CLASS_HASH}`,
      ]);
    case "trie":
    case "write": {
      const keys = command.do === "trie" ? command.keys : [command.key];
      const trie = `trie_label=${LABEL}&trie_root=${rootOf(keys)}`;
      return [
        `/get_trie_root_node_idx?${trie}`,
        ...keys.map((key) => `/read?${trie}&key=${formatFelt(BigInt(key))}`),
      ];
    }
    case "task":
      return idOf("uuid").map((id) => `/tasks/${id}/mmrs`);
    case "prove":
      return idOf("request_id").map((id) => `/get_queries/${id}`);
    case "order":
      return idOf("id").map((id) => `/grow-orders/${id}`);
  }
}

/** Lists that count what was accepted, with the commands that add to them. */
const COUNTED = [
  ["/tasks", /"uuid"/g, "task"],
  ["/grow-orders", /"order"/g, "order"],
] as const;

const HEADERS = { "X-API-KEY": "key", "api-key": "key" };

/** Carries out a plan: its commands, then once more after a restart, with all that was answered looked at after each start. */
export async function simulateServer(plan: ServerPlan): Promise<ServerReport> {
  return await new ServerHistory(plan).run();
}

let histories = 0;

class ServerHistory {
  readonly #plan: ServerPlan;
  readonly #violations: string[] = [];
  readonly #counts: Counts[] = [];
  /** The answer to each command that was answered. */
  readonly #answers = new Map<ServerCommand, Answer>();
  /** What was seen where, once something was: it does not change any more. */
  readonly #seen = new Map<string, string>();
  readonly #name = `server-${(histories += 1)}`;
  #ids = 0;

  public constructor(plan: ServerPlan) {
    this.#plan = plan;
  }

  public async run(): Promise<ServerReport> {
    // Keeps what is in memory while no process of the server is there.
    const keeper = openDatabase(this.#name, []);
    const { faults } = this.#plan;
    for (let life = 0; life <= faults.length + 1; life += 1)
      await this.#live(life, faults[life] ?? []);
    keeper.kill();
    return { violations: this.#violations, counts: this.#counts };
  }

  /** One process of the server: answers what it is asked, until it is killed or ended. */
  async #live(life: number, faults: readonly ServerFault[]): Promise<void> {
    const isLast = life > this.#plan.faults.length;
    const opened = openDatabase(this.#name, faults);
    const server = this.#start(opened, isLast);
    if (server !== undefined) {
      if (life > 0) await this.#look(server, `process ${life + 1}`, faults);
      await this.#ask(server);
      if (isLast) {
        for (const command of this.#plan.commands) {
          const { status, text } = this.#answers.get(command) ?? { status: 200, text: "" };
          if (status >= 300)
            this.#violations.push(`${command.do} is refused without a cause: ${text}`);
        }
        await this.#look(server, "the last process, after everything was asked again", []);
        await this.#count(server);
      }
    } else if (opened.isAlive() && faults.length === 0)
      this.#violations.push(`process ${life + 1} does not start`);
    this.#counts.push(opened.counts);
    opened.kill();
  }

  #start(opened: OpenedDatabase, isLast: boolean): Server | undefined {
    const never = async (): Promise<never> => await new Promise(() => undefined);
    const processor: DevServerProcessor = {
      submit: async ({ destinationChainId, tasks }) => {
        const taskHashes = tasks.map((task) => taskHash(task));
        return await Promise.resolve({
          id: taskHashes.join(),
          processor: "local",
          destinationChainId,
          taskHashes,
        });
      },
      // What would end later is begun anew by the next process.
      wait: async () =>
        isLast ? await Promise.resolve({ name: "Finalized", phase: "finalized" }) : await never(),
      results: async () => await Promise.resolve([]),
    };
    const newId = (): string => `id-${(this.#ids += 1)}`;
    try {
      const parts = openParts({ processor, providerFor: never, newId }, opened.database);
      parts.proofs.resume();
      void parts.tasks.resume().catch(() => undefined);
      return new Server(parts, opened);
    } catch {
      return undefined;
    }
  }

  /** Asks for everything at its turn; what was answered before has to be answered as before. */
  async #ask(server: Server): Promise<void> {
    const { commands } = this.#plan;
    const last = Math.max(...commands.map(({ turn }) => turn));
    const asked: Promise<void>[] = [];
    for (let turn = 0; turn <= last; turn += 1) {
      for (const [at, command] of commands.entries()) {
        if (command.turn === turn) asked.push(this.#askFor(server, command, `key-${at}`));
      }
      await setImmediate();
    }
    await Promise.all(asked);
  }

  async #askFor(server: Server, command: ServerCommand, key: string): Promise<void> {
    let answer = await server.answer(callOf(command), key);
    if (answer?.status === 500 && command.do !== "look") {
      this.#answers.set(command, answer);
      // What befell it befalls it once. A client hears of it, and asks again, in later turns.
      await setImmediate();
      answer = await server.answer(callOf(command), key);
      if (answer?.status === 500)
        this.#violations.push(`${command.do} is answered 500 twice: ${answer.text}`);
    }
    if (answer === undefined) return;
    const before = this.#answers.get(command);
    if (command.do === "look") {
      if (answer.status === 200)
        this.#isSeen(`/get-program?program_hash=${SMALL_CLASS_HASH}`, answer, "a client");
      return;
    }
    const isAccepted = answer.status < 300;
    if (before === undefined || before.status >= 300) this.#answers.set(command, answer);
    else if (!isAccepted && answer.status < 500) {
      this.#violations.push(`${command.do} was accepted, and is refused now: ${answer.text}`);
    } else if (isAccepted && before.text !== answer.text) {
      this.#violations.push(`${command.do} was answered ${before.text}, and now ${answer.text}`);
    }
  }

  /** Looks for all that was accepted, and for nothing that was refused. */
  async #look(server: Server, who: string, faults: readonly ServerFault[]): Promise<void> {
    const wanted = new Set<string>();
    const unknown = new Set<string>();
    for (const command of this.#plan.commands) {
      const answer = this.#answers.get(command);
      // One that was not answered may have been accepted or not.
      if (command.do === "look") continue;
      for (const path of seenAt(command, answer)) {
        if (answer !== undefined && answer.status < 300) wanted.add(path);
        if (answer === undefined) unknown.add(path);
      }
    }
    for (const path of [...wanted, ...this.#seen.keys()]) {
      const answer = await server.answerInPeace({ method: "GET", path }, faults);
      if (answer === undefined) return;
      this.#isSeen(path, answer, who);
    }
    for (const command of this.#plan.commands) {
      const answer = this.#answers.get(command);
      if (answer === undefined || answer.status < 300) continue;
      for (const path of seenAt(command, undefined)) {
        // A read of a refused trie may be of another one with the same nodes: its index says whose it is.
        if (wanted.has(path) || unknown.has(path) || this.#seen.has(path)) continue;
        const found = await server.answerInPeace({ method: "GET", path }, faults);
        if (found === undefined) return;
        if (found.status < 300)
          this.#violations.push(`${command.do} was refused, and ${who} answers ${path}`);
      }
    }
  }

  #isSeen(path: string, { status, text }: Answer, who: string): void {
    const before = this.#seen.get(path) ?? text;
    if (status >= 300)
      this.#violations.push(`${path} was accepted, and ${who} answers ${status} ${text}`);
    else if (!isSame(before, text))
      this.#violations.push(`${path} was ${before}, and ${who} answers ${text}`);
    else this.#seen.set(path, text);
  }

  /** In the end each command was accepted once. */
  async #count(server: Server): Promise<void> {
    for (const [path, pattern, kind] of COUNTED) {
      const found =
        (await server.answer({ method: "GET", path }, "list"))?.text.match(pattern)?.length ?? 0;
      const wanted = this.#plan.commands.filter((command) => command.do === kind).length;
      if (found !== wanted)
        this.#violations.push(`${path} lists ${found}, and ${wanted} were wanted`);
    }
  }
}

/** The routes of a process of the server, without HTTP. */
class Server {
  readonly #parts: ServerParts;
  readonly #opened: OpenedDatabase;
  readonly #acceptance: Acceptance;
  // Each turn of the event loop has time for everything: what happens does not depend on the machine.
  readonly #turns = new Turns(() => 0);

  public constructor(parts: ServerParts, opened: OpenedDatabase) {
    this.#parts = parts;
    this.#opened = opened;
    this.#acceptance = new Acceptance(parts.database);
  }

  /** What a client hears; undefined where the process dies before. */
  public async answer(
    { method, path, json, file, form }: Call,
    key: string,
  ): Promise<Answer | undefined> {
    const { pathname, searchParams: query } = new URL(path, "http://localhost");
    const route = this.#parts.routes.find(
      (one) => one.method === method && one.pattern.test(pathname),
    );
    if (route === undefined) throw new Error(`there is no ${method} ${path}`);
    const params = route.pattern.exec(pathname)?.groups ?? {};
    const headers = { ...HEADERS, "idempotency-key": key };
    const body = { ...NO_BODY, json, file: Buffer.from(file ?? ""), form: form ?? {} };
    const given =
      route.once === true
        ? readIdempotency(headers, pathname, [jsonText({ json, file, form })])
        : undefined;
    const request = {
      ...body,
      params,
      query,
      headers,
      requireKey: () => undefined,
      turns: this.#turns,
    };
    const reply = await this.#acceptance
      .accept(given, async () => await route.handle(request))
      .catch((error: unknown) => toRefusal(error)?.reply ?? textReply(String(error), "", 500));
    if (!this.#opened.isAlive()) return undefined;
    return { status: reply.status, text: String(reply.body?.text ?? "") };
  }

  /** Asks twice where a read may have failed: one that did is not remembered. */
  public async answerInPeace(
    call: Call,
    faults: readonly ServerFault[],
  ): Promise<Answer | undefined> {
    const answer = await this.answer(call, "look");
    return answer?.status === 500 && faults.length > 0 ? await this.answer(call, "look") : answer;
  }
}

/** Versions of a module come to be one after another; all else stays as it was. */
function isSame(before: string, now: string): boolean {
  return now === before || (before.startsWith("[") && now.startsWith(`${before.slice(0, -1)},`));
}

function jsonIn({ text }: Answer): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

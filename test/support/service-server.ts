import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { parseTaskRequest } from "../../src/request/parse.js";
import { unorderedRoot } from "../../src/request/output-root.js";
import { taskHash } from "../../src/request/task-hash.js";
import { httpServer, sendJson, sendText, type OddServer, type SeenRequest } from "./odd-servers.js";

/** Key that the server takes. */
export const SERVICE_KEY = "sk_live-7Qm4Zt9.Xw2Ea8";

/** How the next submission goes. */
export type Mishap = "none" | "refuse" | "drop" | "fail";

export interface ServiceServer extends OddServer {
  /** Task hashes of each accepted submission, in order. */
  readonly accepted: { readonly id: string; readonly hashes: readonly Hex[] }[];
  /** `hold`: submissions stay without a result; `mishap`: how the next one goes. */
  readonly state: {
    hold: boolean;
    mishap: Mishap;
    /** The id of submissions, in place of one that counts them. */
    id: string | undefined;
    /** Another hash for tasks than ours, as services of 2024 had. */
    rehash: ((hash: Hex) => Hex) | undefined;
    /** Milliseconds by which the store is behind the final state. */
    lag: number;
    /** What modules return, and what the service says of it, as felts. */
    returned: readonly bigint[] | undefined;
    published: readonly bigint[] | undefined;
  };
  /** What was asked, without status reads. */
  posts(): SeenRequest[];
}

interface Accepted {
  readonly id: string;
  readonly hashes: readonly Hex[];
  looks: number;
  fails: boolean;
}

/** Value that the server finalizes for a task: no constant, and the same for each run of the task. */
export function valueOf(hash: Hex): bigint {
  return BigInt(hash) % 1_000_003n;
}

/**
 * A data processor over HTTP in all three editions: it parses and hashes what it is sent and, when asked for the state
 * the second time, finalizes values into a chain's mock store.
 */
export async function serviceServer(
  chain: Pick<NetworkConnection<string>, "hdp">,
): Promise<ServiceServer> {
  const accepted: Accepted[] = [];
  const state: ServiceServer["state"] = {
    hold: false,
    mishap: "none",
    id: undefined,
    rehash: undefined,
    lag: 0,
    returned: undefined,
    published: undefined,
  };

  const accept = (hashes: readonly Hex[], prefix: string): Accepted => {
    const id = state.id ?? `${prefix}-${String(accepted.length + 1)}`;
    const made = { id, hashes, looks: 0, fails: state.mishap === "fail" };
    accepted.push(made);
    return made;
  };
  const advance = async (id: string): Promise<"pending" | "finalized" | "failed" | "unknown"> => {
    const found = accepted.find((one) => one.id === id);
    if (found === undefined) return "unknown";
    found.looks += 1;
    if (found.fails) return "failed";
    if (state.hold || found.looks < 2) return "pending";
    const finalize = async (): Promise<void> => {
      for (const hash of found.hashes) {
        await chain.hdp.finalize(
          hash,
          state.returned === undefined ? valueOf(hash) : unorderedRoot(state.returned),
        );
      }
    };
    if (found.looks === 2 && state.lag > 0)
      setTimeout(() => void finalize().catch(() => undefined), state.lag).unref();
    else if (found.looks === 2) await finalize();
    return "finalized";
  };

  const server = await httpServer((request, response) => {
    const url = new URL(request.url, "http://service");
    const isBatch = url.pathname === "/submit-batch";
    if (request.method === "POST" && (isBatch || url.pathname === "/tasks")) {
      const key = isBatch ? url.searchParams.get("apiKey") : request.headers["x-api-key"];
      if (key !== SERVICE_KEY) {
        sendText(response, 401, `wrong key ${String(key)}`);
        return;
      }
      if (state.mishap === "refuse") {
        sendJson(response, 400, { error: "not today" });
        return;
      }
      const hashes = hashesOf(JSON.parse(request.body)).map((hash) => state.rehash?.(hash) ?? hash);
      const made = accept(hashes, isBatch ? "batch" : "task");
      if (state.mishap === "drop") response.destroy();
      else if (isBatch) sendJson(response, 200, { batchId: made.id, taskHashes: hashes });
      else sendJson(response, 201, { uuid: made.id, message: "accepted" });
      return;
    }
    const [, , taskId, read] = url.pathname.split("/");
    const task = accepted.find((one) => one.id === taskId);
    if (read === "retry" && request.method === "POST") {
      if (task?.fails !== true) {
        sendJson(response, 400, { error: "not failed" });
        return;
      }
      Object.assign(task, { fails: false, looks: 0 });
      sendJson(response, 200, { message: "queued", status: "accepted", uuid: task.id });
      return;
    }
    if (read === "state_transitions" && task !== undefined) {
      const passed = task.fails ? ["Received", "DryRunFailed"] : ["Received", "DryRunStarted"];
      const state_transitions = passed.map((to_status, at) => ({
        id: `${task.id}-${at}`,
        task_id: task.id,
        from_status: passed[at - 1] ?? null,
        to_status,
        created_at: `2026-11-27T00:00:0${at}.000Z`,
      }));
      sendJson(response, 200, { taskId: task.id, state_transitions });
      return;
    }
    if (read === "details" && task !== undefined) {
      sendJson(response, 200, { taskId: task.id, taskHash: task.hashes[0] });
      return;
    }
    const preimageOf = /^\/tasks\/([^/]+)\/output_preimage$/.exec(url.pathname)?.[1];
    if (preimageOf !== undefined && state.published !== undefined) {
      const outputPreimage = state.published.map((felt) => `0x${felt.toString(16)}`);
      sendJson(response, 200, { taskId: preimageOf, outputPreimage });
      return;
    }
    const id =
      /^\/tasks\/([^/]+)\/status$/.exec(url.pathname)?.[1] ??
      /^\/batch-query\/(.+)$/.exec(url.pathname)?.[1];
    if (request.method !== "GET" || id === undefined) {
      sendText(response, 404, "no such path");
      return;
    }
    const words = url.pathname.startsWith("/batch-query")
      ? { pending: "Opened", finalized: "Finalized", failed: "FAILED" }
      : {
          pending: "DryRunStarted",
          finalized: "TaskDecommitmentCompleted",
          failed: "DryRunFailed",
        };
    void advance(id).then((phase) => {
      if (phase === "unknown") sendText(response, 404, "no such task");
      else if (phase === "failed")
        sendJson(response, 200, { status: words.failed, errorMessage: "the module panicked" });
      else sendJson(response, 200, { status: words[phase] });
    });
  });
  return {
    url: server.url,
    seen: server.seen,
    close: async () => await server.close(),
    accepted,
    state,
    posts: () => server.seen.filter(({ method }) => method === "POST"),
  };
}

/** Hashes of a request in the specification's shape, or of a module task in the published one. */
function hashesOf(body: unknown): Hex[] {
  if (
    typeof body === "object" &&
    body !== null &&
    "program_hash" in body &&
    "task_inputs" in body
  ) {
    const task = { type: "Module", programHash: body.program_hash, inputs: body.task_inputs };
    return parseTaskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] }).tasks.map(
      (one) => taskHash(one),
    );
  }
  return parseTaskRequest(body, { fields: "encodable" }).tasks.map((one) => taskHash(one));
}

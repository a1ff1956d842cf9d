import type { ServerResponse } from "node:http";

import { parseCompiledClassText, programHash } from "../../src/entries/program.js";
import { httpServer, sendJson, sendText, type OddServer, type SeenRequest } from "./odd-servers.js";
import { SERVICE_KEY } from "./service-server.js";

/** One base address for the program registry, the storage proof interface and the reads of edition module-tasks. */
export interface InterfacesServer extends OddServer {
  /** What the registry answers instead of the class's own hash. */
  readonly state: { answerHash: string | undefined };
}

const TIME = "2026-01-01T00:00:00Z";

export async function interfacesServer(): Promise<InterfacesServer> {
  const programs = new Set<string>();
  const orders = new Map<string, Record<string, unknown>>();
  const looks = new Map<string, number>();
  const state: InterfacesServer["state"] = { answerHash: undefined };

  const registry = (request: SeenRequest, url: URL, response: ServerResponse): boolean => {
    if (url.pathname === "/submit-program" && request.method === "POST") {
      if (url.searchParams.get("apiKey") !== SERVICE_KEY) sendText(response, 401, "wrong key");
      else {
        // The one part of the form is a JSON object, between the part's head and the closing boundary.
        const file = request.body.slice(
          request.body.indexOf("{"),
          request.body.lastIndexOf("}") + 1,
        );
        const hash = state.answerHash ?? programHash(parseCompiledClassText(file));
        programs.add(hash);
        sendText(response, 200, hash);
      }
      return true;
    }
    if (url.pathname !== "/get-metadata") return false;
    if (!programs.has(url.searchParams.get("program_hash") ?? "")) sendText(response, 500, "");
    else sendJson(response, 200, { layout: "recursive_with_poseidon", version: 2 });
    return true;
  };

  const storageProof = (request: SeenRequest, url: URL, response: ServerResponse): boolean => {
    const [, first, id, verb] = url.pathname.split("/");
    const isProof = ["submit-request", "get_queries", "get_actions", "grow-orders"].includes(
      first ?? "",
    );
    if (!isProof) return false;
    if (request.headers["api-key"] !== SERVICE_KEY) sendText(response, 401, "wrong key");
    else if (first === "submit-request")
      sendJson(response, 200, { request_id: "request-1", status: "OK" });
    else if (first === "get_queries" && id?.startsWith("request-") !== true)
      sendText(response, 404, "no such request");
    else if (first === "get_queries") {
      const seen = looks.get(id ?? "") ?? 0;
      looks.set(id ?? "", seen + 1);
      const status = seen === 0 ? "PENDING" : "COMPLETED";
      sendJson(response, 200, {
        queries: [{ internal_id: "query-1", status, typ: "accounts", created_at: TIME }],
      });
    } else if (first === "get_actions")
      sendJson(response, 200, { actions: [{ query: id, step: "PROOF" }] });
    else if (verb === "cancel") {
      orders.set(id ?? "", { ...orders.get(id ?? ""), cancelled: true });
      sendJson(response, 200, orders.get(id ?? ""));
    } else if (request.method === "POST") {
      const order = {
        ...(JSON.parse(request.body) as object),
        id: `order-${String(orders.size + 1)}`,
      };
      orders.set(order.id, order);
      sendJson(response, 201, order);
    } else if (id === undefined) sendJson(response, 200, [...orders.values()]);
    else if (orders.has(id)) sendJson(response, 200, orders.get(id));
    else sendText(response, 404, "no such order");
    return true;
  };

  const moduleTasks = (request: SeenRequest, url: URL, response: ServerResponse): boolean => {
    const [, first, id, what] = url.pathname.split("/");
    if (first !== "tasks") return false;
    const record = {
      status: "TaskDecommitmentCompleted",
      destinationChainId: "0xaa36a7",
      createdAt: TIME,
      updatedAt: TIME,
    };
    const mmrs = [
      { id: "mmr-1", root: "0x1", size: "7", chain_id: "0xaa36a7", hashing_function: "poseidon" },
    ];
    if (what === "status") {
      const isKey = request.headers["x-api-key"] === SERVICE_KEY;
      sendText(response, isKey ? 404 : 401, isKey ? "no such task" : "wrong key");
    } else if (request.method === "POST" && what === "retry") {
      if (request.headers["x-api-key"] !== SERVICE_KEY) sendText(response, 401, "wrong key");
      else sendJson(response, 200, { uuid: id, message: "retried", status: "Received" });
    } else if (id === undefined) {
      const [page, perPage] = ["hdp_tasks_page", "hdp_tasks_per_page"].map((name) =>
        Number(url.searchParams.get(name)),
      );
      const tasks = [{ uuid: "task-9", programName: "sum", ...record }];
      sendJson(response, 200, { tasks, pagination: { page, perPage, total: 1, totalPages: 1 } });
    } else if (what === "details")
      sendJson(response, 200, { taskId: id, ...record, taskHash: "0xabc", taskInputs: [], mmrs });
    else if (what === "mmrs") sendJson(response, 200, { taskId: id, mmrs });
    else if (what === "output_preimage")
      sendJson(response, 200, { taskId: id, outputPreimage: ["0x7"] });
    else if (what === "state_transitions") {
      const step = {
        id: "1",
        task_id: id,
        from_status: null,
        to_status: "Received",
        created_at: TIME,
      };
      sendJson(response, 200, { taskId: id, state_transitions: [step] });
    } else return false;
    return true;
  };

  const server = await httpServer((request, response) => {
    const url = new URL(request.url.replace(/^\/(dp|sp)(?=\/)/, ""), "http://service");
    if (request.url === "/dp/is-alive")
      sendJson(response, 200, { status: "healthy", database: "operational" });
    else if (request.url === "/sp/is-alive") sendJson(response, 200, { message: "Alive!" });
    else if (
      ![registry, storageProof, moduleTasks].some((handle) => handle(request, url, response))
    ) {
      sendText(response, 404, "no such path");
    }
  });
  return { url: server.url, seen: server.seen, close: async () => await server.close(), state };
}

/** A small compiled class with one entry point. */
export const compiledClass = {
  prime: "0x800000000000011000000000000000000000000000000000000000000000001",
  compiler_version: "2.10.0",
  bytecode: ["0x480680017fff8000", "0x7", "0x208b7fff7fff7ffe"],
  bytecode_segment_lengths: [2, 1],
  hints: [],
  entry_points_by_type: {
    EXTERNAL: [
      {
        selector: "0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7",
        offset: 0,
        builtins: ["range_check"],
      },
    ],
    L1_HANDLER: [],
    CONSTRUCTOR: [],
  },
};

import { moduleTaskHealthSchema } from "../../service/data-processor/module-tasks-edition.js";
import { storageProofAliveSchema } from "../../service/storage-proof.js";
import { FrontProblem, jsonReply } from "../front-problem.js";
import type { Route } from "../router.js";

/** Liveness, and the paths that the specification says must not be used any more. */
export function healthRoutes(): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/is-alive",
      interface: "this server",
      summary: "Liveness of all interfaces; needs no key",
      reply: moduleTaskHealthSchema.merge(storageProofAliveSchema),
      // Two interfaces publish this path: the body is the record of both.
      handle: () =>
        jsonReply(200, { message: "Alive!", status: "healthy", database: "operational", queues: "operational" }),
    },
    retired("POST", "/submit-batch-query", "POST /submit-request (or POST /submit-batch for a batch of tasks)"),
    retired("GET", "/batch-query-status", "GET /get_queries/{request_id}"),
  ];
}

function retired(method: Route["method"], path: string, current: string): Route {
  return {
    method,
    path,
    interface: "storage proof",
    summary: `Retired: use ${current}`,
    reply: "text",
    hidden: true,
    handle: () => {
      throw new FrontProblem({
        code: "HDP-4512",
        status: 410,
        message: `${path} is retired.`,
        hints: [`Use ${current}.`],
      });
    },
  };
}

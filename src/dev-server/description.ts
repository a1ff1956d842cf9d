import { readFile } from "node:fs/promises";

import { shipped } from "../base/files.js";
import { moduleTaskHealthSchema } from "../service/data-processor/module-tasks-client.js";
import { storageProofAliveSchema } from "../service/storage-proof.js";
import { pageFile } from "./dashboard.js";
import { jsonReply, type Route, routesOf, textReply } from "./route.js";

/** The reply to `GET /`, in addition to the server's name. */
export interface DevServerInfo {
  /** Address of the chain node that runs with the server. */
  readonly chainUrl?: string | undefined;
  /** Address of the execution store for results. */
  readonly executionStore?: string | undefined;
}

export function aliveRoutes(): readonly Route[] {
  return routesOf("this server", undefined, {
    "GET /is-alive": {
      summary: "Liveness of all interfaces; needs no key",
      reply: moduleTaskHealthSchema.merge(storageProofAliveSchema),
      // Two interfaces publish this path: the body has the members of both.
      handle: () => jsonReply({ message: "Alive!", status: "healthy", database: "operational", queues: "operational" }),
    },
  });
}

/** Returns the routes that describe the server: its information, its OpenAPI document and a page of that document. */
export function descriptionRoutes(info: DevServerInfo = {}): readonly Route[] {
  let file: Promise<Buffer> | undefined;
  const document = {
    summary: "The description as an OpenAPI document: npm run schema writes it",
    reply: "text",
    handle: async () => textReply(await (file ??= readFile(shipped("docs/openapi.json"))), "application/json"),
  } as const;
  return routesOf("this server", undefined, {
    "GET /": {
      summary: "What this server is, and what it finalizes into; the dashboard for a browser",
      reply: "text",
      handle: async ({ headers }) => {
        if (String(headers["accept"] ?? "").includes("text/html")) return await pageFile("index.html");
        const about = {
          name: "hardhat-hdp development server",
          ...info,
          swagger: "/swagger/",
          openapi: "/openapi.json",
        };
        return { ...jsonReply(about), headers: { vary: "accept" } };
      },
    },
    "GET /openapi.json": document,
    "GET /api-docs/openapi.json": document,
    "GET /swagger/": {
      summary: "The description as a page from which requests can be sent",
      reply: "text",
      handle: async () => await pageFile("endpoints.html"),
    },
    "GET /swagger": {
      summary: "The page's address without its slash",
      reply: "text",
      handle: () => ({ status: 308, headers: { location: "/swagger/" } }),
    },
  });
}

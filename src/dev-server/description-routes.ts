import { readFile } from "node:fs/promises";

import { shipped } from "../base/files.js";
import { moduleTaskHealthSchema } from "../service/data-processor/module-tasks-client.js";
import { storageProofAliveSchema } from "../service/storage-proof.js";
import { pageFile } from "./pages.js";
import {
  jsonReply,
  ownRoutes,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
  textReply,
} from "./route.js";
import type { DevServerInfo } from "../request/views.js";

/** Returns the route that says whether the server is alive. */
export function aliveRoutes(): readonly Route[] {
  return publishedRoutes({
    "GET /is-alive": {
      summary: "Liveness of all interfaces; needs no key",
      reply: moduleTaskHealthSchema.merge(storageProofAliveSchema),
      handle: alive,
    },
  });
}

/** Returns the routes that describe the server: its information, its OpenAPI document and a page of that document. */
export function descriptionRoutes(info: DevServerInfo = {}): readonly Route[] {
  const document = {
    summary: "The description as an OpenAPI document: npm run schema writes it",
    reply: "text",
    handle: openApiReader(),
  } as const;
  return ownRoutes(
    { interface: "this server", key: undefined, keyNeeded: "never" },
    {
      "GET /": {
        summary: "What this server is, and what it finalizes into; the dashboard for a browser",
        reply: "text",
        handle: async (request) => await about(info, request),
      },
      "GET /openapi.json": document,
      "GET /api-docs/openapi.json": document,
      "GET /swagger/": {
        summary: "The description as a page from which requests can be sent",
        reply: "text",
        handle: async ({ headers }) => await pageFile("endpoints.html", headers),
      },
      "GET /swagger": {
        summary: "The page's address without its slash",
        reply: "text",
        handle: () => ({ status: 308, headers: { location: "/swagger/" } }),
      },
    },
  );
}

/** Returns the reply to `GET /is-alive`, which two interfaces publish: with the members of both. */
function alive(): Reply {
  return jsonReply({
    message: "Alive!",
    status: "healthy",
    database: "operational",
    queues: "operational",
  });
}

async function about(info: DevServerInfo, { headers }: Request): Promise<Reply> {
  if (headers.accept?.includes("text/html") === true) return await pageFile("index.html", headers);
  const name = "hardhat-hdp development server";
  const { chainUrl, executionStore } = info;
  const text = { name, chainUrl, executionStore, swagger: "/swagger/", openapi: "/openapi.json" };
  return { ...jsonReply(text), headers: { vary: "accept" } };
}

/** Returns a handler that reads the document once. */
function openApiReader(): () => Promise<Reply> {
  let file: Promise<Buffer> | undefined;
  return async () => {
    file ??= readFile(shipped("docs/openapi.json"));
    return textReply(await file, "application/json");
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { HdpError } from "../base/errors.js";
import type { FaultQueue } from "../processor/faults/fault-queue.js";
import { readBody } from "./body.js";
import { FrontProblem, type FrontReply, jsonReply } from "./front-problem.js";
import { checkKey } from "./key-check.js";
import { type Route, Router } from "./router.js";

export interface FrontServerOptions {
  readonly routes: readonly Route[];
  /** 0: a free one. */
  readonly port: number;
  readonly apiKey: string | undefined;
  readonly faults: FaultQueue | undefined;
  /** For a request's body, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** Told of failures that are nobody's but this server's. */
  readonly onFailure: (error: unknown) => void;
}

export interface FrontServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Answers what was asked, then ends all connections. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Connections that may wait to be taken; more than are opened at once in any sensible trial. */
const BACKLOG = 4_096;
const HEADERS_TIMEOUT_MS = 10_000;
/** How long `close` waits for answers that are under way, in milliseconds. */
const PATIENCE_MS = 2_000;
/** Every page may use the server, as every page may use a development chain. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, accept, x-api-key, api-key",
  "access-control-max-age": "600",
} as const;
/** Methods that carry no body here: whatever comes is not waited for. */
const NO_BODY = new Uint8Array(0);

/**
 * Serves routes on 127.0.0.1.
 *
 * @throws HdpError HDP-4501 where the port cannot be listened on.
 */
export async function serve(options: FrontServerOptions): Promise<FrontServer> {
  const router = new Router(options.routes);
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: 0 }, (request, response) => {
    void respond(request, response, router, options);
  });
  await listen(server, options.port);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return { url: `http://${HOST}:${port}`, close: async () => await closed(server) };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  router: Router,
  options: FrontServerOptions,
): Promise<void> {
  let reply: FrontReply;
  try {
    reply = await replyTo(request, router, options);
  } catch (error) {
    if (error instanceof FrontProblem) {
      ({ reply } = error);
    } else {
      options.onFailure(error);
      // What went wrong inside may hold paths or addresses: it is told to the operator only.
      reply = jsonReply(500, { error: "Internal Server Error" });
    }
  }
  if (reply.cut === true) request.socket.destroy();
  else send(request, response, reply);
}

async function replyTo(
  request: IncomingMessage,
  router: Router,
  { apiKey, faults, bodyTimeoutMs }: FrontServerOptions,
): Promise<FrontReply> {
  const method = request.method ?? "";
  const url = parseTarget(request.url ?? "");
  if (method === "OPTIONS") return { status: 204 };
  const burst = faults?.takeForCall();
  if (burst !== undefined) return jsonReply(burst, { error: "This fault was injected by a test." });
  const { route, params } = router.match(method, url.pathname);
  const head = { method, params, query: url.searchParams, headers: request.headers };
  if (route.key !== undefined) checkKey(head, route.key, apiKey);
  const limits = { maxBytes: route.body?.maxBytes ?? 0, timeoutMs: bodyTimeoutMs };
  const body = route.body === undefined ? NO_BODY : await readBody(request, limits);
  return await route.handle({ ...head, body });
}

function parseTarget(target: string): URL {
  const text = `http://${HOST}${target}`;
  if (target.startsWith("/") && URL.canParse(text)) return new URL(text);
  throw new FrontProblem({ code: "HDP-4510", status: 404, message: "nothing is served at that address." });
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: FrontReply): void {
  const text = body === undefined ? undefined : Buffer.from(body.text);
  // A body nobody read would be taken for the next request.
  const isUnread = !request.complete;
  response.writeHead(status, {
    ...CORS,
    "x-content-type-options": "nosniff",
    ...(body === undefined ? {} : { "content-type": body.type }),
    ...(status === 204 ? {} : { "content-length": String(text?.length ?? 0) }),
    ...(isUnread ? { connection: "close" } : {}),
    ...headers,
  });
  response.end(text);
  if (isUnread) endUnread(request);
}

/** Lets a client that is still sending read the answer, then ends the connection. */
function endUnread(request: IncomingMessage): void {
  const { socket } = request;
  request.on("error", () => undefined).resume();
  const timer = setTimeout(() => socket.destroy(), 1_000);
  timer.unref();
  socket.once("close", () => {
    clearTimeout(timer);
  });
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(
        new HdpError({
          code: "HDP-4501",
          path: "port",
          message: `the local front cannot listen on port ${port}: ${error.message}.`,
          hints: ["Give another port (--hdp-port), or 0 for any that is free."],
          cause: error,
        }),
      );
    });
    server.listen({ port, host: HOST, backlog: BACKLOG }, resolve);
  });
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
    }, PATIENCE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

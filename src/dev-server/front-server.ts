import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { HdpError } from "../errors/hdp-error.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { jsonBody, readBody } from "./body.js";
import { FrontProblem, type FrontReply, jsonReply } from "./front-problem.js";
import { checkKey } from "./key-check.js";
import type { FrontLimits } from "./limits.js";
import { type Route, Router } from "./router.js";
import { Turns } from "./turns.js";
import { admit, type CorsOrigins } from "./web-guard.js";

export interface FrontServerOptions {
  readonly routes: readonly Route[];
  /** 0: a free one. */
  readonly port: number;
  readonly apiKey: string | undefined;
  readonly faults: FaultQueue | undefined;
  /** For a request's body, in milliseconds. */
  readonly bodyTimeoutMs: number;
  readonly limits: FrontLimits;
  /** Where it listens: an address or a name of this machine. */
  readonly host: string;
  readonly corsOrigins: CorsOrigins;
  /** Told of every request when it was answered. */
  readonly onRequest: (line: RequestLine) => void;
  /** Told of failures that are nobody's but this server's. */
  readonly onFailure: (error: unknown) => void;
}

export interface FrontServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** Answers what was asked, then ends all connections. */
  close(): Promise<void>;
}

/** One answered request. Without its query, which may hold a key. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** 0: the connection was ended in place of an answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** The catalogue number of a refusal. */
  readonly code?: string | undefined;
}

/** Connections that may wait to be taken; more than are opened at once in any sensible trial. */
const BACKLOG = 4_096;
const HEADERS_TIMEOUT_MS = 10_000;
/** How long a connection stays open on which nothing moves: no request, and nothing of an answer is taken. */
const SILENCE_MS = 120_000;
/** How long `close` waits for answers that are under way, in milliseconds. */
const PATIENCE_MS = 2_000;
/** Methods that carry no body here: whatever comes is not waited for. */
const NO_BODY = { body: new Uint8Array(0), json: undefined, compiledClass: undefined };

/**
 * Serves routes over HTTP.
 *
 * @throws HdpError HDP-4501 where the port cannot be listened on.
 */
export async function serve(options: FrontServerOptions): Promise<FrontServer> {
  const router = new Router(options.routes);
  const inFlight = new InFlight(options.limits.bytesInFlight);
  const turns = new Turns(options.limits.bytesInFlight);
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: 0 }, (request, response) => {
    turns.enter(request.socket, response, () => void respond(request, response, { router, options, inFlight, turns }));
  });
  server.maxConnections = options.limits.connections;
  server.timeout = SILENCE_MS;
  server.on("connection", (socket) => turns.open(socket));
  await listen(server, options.host, options.port);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return { url: `http://${reachable(options.host)}:${port}`, close: async () => await closed(server) };
}

interface Serving {
  readonly router: Router;
  readonly options: FrontServerOptions;
  readonly inFlight: InFlight;
  readonly turns: Turns;
}

async function respond(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { options, turns } = serving;
  const started = performance.now();
  let reply: FrontReply;
  let code: string | undefined;
  let cors: Readonly<Record<string, string>> = {};
  try {
    cors = admit(request.headers, [options.host], options.corsOrigins);
    reply = await replyTo(request, serving);
  } catch (error) {
    if (error instanceof FrontProblem) {
      ({ reply, code } = error);
    } else {
      options.onFailure(error);
      // What went wrong inside may hold paths or addresses: it is told to the operator only.
      reply = jsonReply(500, { error: "Internal Server Error" });
    }
  }
  if (reply.cut === true) request.socket.destroy();
  else if (!request.socket.destroyed) {
    turns.hold(request.socket, reply.body?.text.length ?? 0);
    send(request, response, { ...reply, headers: { ...cors, ...reply.headers } });
  }
  options.onRequest({
    method: request.method ?? "",
    path: (request.url ?? "").split("?", 1)[0] ?? "",
    status: reply.cut === true ? 0 : reply.status,
    milliseconds: performance.now() - started,
    code,
  });
}

async function replyTo(request: IncomingMessage, { router, options, inFlight }: Serving): Promise<FrontReply> {
  const { apiKey, faults, bodyTimeoutMs, limits } = options;
  const method = request.method ?? "";
  const url = parseTarget(request.url ?? "");
  if (method === "OPTIONS") return { status: 204 };
  const burst = faults?.takeForCall();
  if (burst !== undefined) return jsonReply(burst, { error: "This fault was injected by a test." });
  const { route, params } = router.match(method, url.pathname);
  const head = { method, params, query: url.searchParams, headers: request.headers };
  if (route.key !== undefined) checkKey(head, route.key, apiKey);
  const { body: expected } = route;
  if (expected === undefined) return await route.handle({ ...head, ...NO_BODY });
  const mayHaveClass = expected.type === "multipart" || expected.mayHaveClass === true;
  const maxBytes = mayHaveClass ? limits.classBytes : limits.bodyBytes;
  const release = inFlight.take(announcedBytes(request, maxBytes));
  try {
    const body = await readBody(request, { maxBytes, timeoutMs: bodyTimeoutMs });
    if (expected.type === "multipart") return await route.handle({ ...head, ...NO_BODY, body });
    return await route.handle({ ...head, body, ...(await jsonBody(request.headers, body, limits, mayHaveClass)) });
  } finally {
    release();
  }
}

/** What a body may come to: what it says, or all that it may have where it does not say. */
function announcedBytes(request: IncomingMessage, maxBytes: number): number {
  const { "content-length": length } = request.headers;
  return length === undefined ? maxBytes : Math.min(Number(length), maxBytes);
}

/** Bytes of bodies that are read or worked on. */
class InFlight {
  readonly #most: number;
  #bytes = 0;

  public constructor(most: number) {
    this.#most = most;
  }

  /** @returns what gives them back. @throws FrontProblem HDP-4532 (503) where there is no room. */
  public take(bytes: number): () => void {
    if (this.#bytes > 0 && this.#bytes + bytes > this.#most) {
      throw new FrontProblem({
        code: "HDP-4532",
        status: 503,
        message: "the server is reading as much as it may at a time",
        hints: ["Send the request again in a moment."],
        headers: { "retry-after": "1", connection: "close" },
      });
    }
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }
}

function parseTarget(target: string): URL {
  const text = `http://localhost${target}`;
  if (target.startsWith("/") && URL.canParse(text)) return new URL(text);
  throw new FrontProblem({ code: "HDP-4510", status: 404, message: "nothing is served at that address." });
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: FrontReply): void {
  const text = typeof body?.text === "string" ? Buffer.from(body.text) : body?.text;
  // A body nobody read would be taken for the next request.
  const isUnread = !request.complete;
  response.writeHead(status, {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
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

/** "All addresses" is where it listens, not where it can be reached. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isHost = error.code === "ENOTFOUND" || error.code === "EADDRNOTAVAIL" || error.code === "EAI_AGAIN";
      reject(
        new HdpError({
          code: "HDP-4501",
          path: isHost ? "host" : "port",
          message: `the local front cannot listen on ${isHost ? `the address ${host}` : `port ${port}`}: ${error.message}.`,
          hints: [
            isHost
              ? "Give an address of this machine (--host): 127.0.0.1, or 0.0.0.0 for all it has."
              : "Give another port (--hdp-port), or 0 for any that is free.",
          ],
          cause: error,
        }),
      );
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
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

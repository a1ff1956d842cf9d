import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { systemErrorCode } from "../base/files.js";
import { Limiter, Turns } from "../base/turns.js";
import { grouped, errorMessage } from "../base/text.js";
import { type HdpError, hdpError, inWords } from "../errors/hdp-error.js";
import type { RequestLine } from "../request/views.js";
import { admit, requireKey } from "./access.js";
import { maxBytes, NO_BODY, type ReadBody, readBody, receiveBody } from "./body.js";
import { type Acceptance, readIdempotency } from "./idempotency.js";
import { HttpRefusal, toRefusal, tooBusy } from "./refusals.js";
import { isOwnPath } from "./request-log.js";
import { jsonReply, type Reply, type Request, type Route } from "./route.js";
import type { ServerContext } from "./task-service.js";

/** See `DevServerOptions`. */
interface HttpServerOptions {
  readonly limits: ServerContext["limits"];
  readonly faults: ServerContext["faults"];
  readonly onFailure: ServerContext["onFailure"];
  readonly routes: readonly Route[];
  readonly host: string;
  readonly port: number;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly bodyTimeout: number;
  readonly acceptance: Acceptance;
  readonly onRequest: (line: RequestLine) => void;
  /** Aborts when the server closes, which ends streams. */
  readonly closing: AbortSignal;
}

interface Budget {
  /** Limits long bodies being received and handled. */
  readonly arriving: Limiter;
  /** Limits received bodies being handled. */
  readonly bodies: Limiter;
  readonly turns: Turns;
  /** Unread bytes of replies. */
  unsent: number;
}

/** Weight of a body that may contain a class, while it is received. */
const CLASS_WEIGHT = 16;

/** Maximum size of a body that is received without waiting for others, in bytes. */
const SHORT_BODY = 2 ** 16;
/** Bytes of a body for one unit of weight while it is handled: parsed values take many times its memory. */
const UNIT = 2 ** 15;

/** Connections that may wait to be accepted. */
const BACKLOG = 4_096;
// In milliseconds:
const HEADERS_TIMEOUT = 10_000;
/** For an idle connection. */
const IDLE_TIMEOUT = 120_000;
/** For open requests when the server closes. */
const CLOSE_TIMEOUT = 2_000;
/** Maximum number of unread bytes of a stream. */
const MAX_UNREAD = 2 ** 24;
/** Maximum number of unread bytes of replies before another long one. */
const MAX_UNSENT = 2 ** 25;
/** For a client that continues to send a refused body, to read the answer. */
const UNREAD_TIMEOUT = 1_000;

/** Serves routes over HTTP. @throws HdpError HDP-4501 if the server cannot listen */
export async function serve(
  options: HttpServerOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { host, limits } = options;
  const atOnce = (): Limiter => new Limiter(limits.atOnce);
  const budget: Budget = { arriving: atOnce(), bodies: atOnce(), turns: new Turns(), unsent: 0 };
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT, requestTimeout: 0 },
    (request, response) => {
      void respond(request, response, options, budget);
    },
  );
  server.maxConnections = limits.connections;
  server.timeout = IDLE_TIMEOUT;
  const port = await listen(server, host, options.port);
  return { url: `http://${reachable(host)}:${port}`, close: async () => await closed(server) };
}

/** Answers a request, sends what it could not do as a refusal, and reports it to `onRequest`. */
async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpServerOptions,
  budget: Budget,
): Promise<void> {
  const started = performance.now();
  const { method = "", headers, url = "" } = request;
  let reply: Reply;
  let code: string | undefined;
  let cors: Readonly<Record<string, string>> = {};
  try {
    cors = admit(headers, options.host, options.corsOrigins, options.publicUrl);
    reply = await replyTo(request, options, budget);
    const bytes = reply.body?.text.length ?? 0;
    if (bytes > SHORT_BODY && budget.unsent > MAX_UNSENT) {
      const found = `${grouped(budget.unsent)} bytes of replies wait for their clients`;
      throw tooBusy("replies", found, "Send the request again once they were read.");
    }
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined) options.onFailure(error);
    code = refusal?.code;
    // Internal errors may contain paths and addresses, which clients must not see.
    reply = refusal?.reply ?? jsonReply({ error: "Internal Server Error" }, 500);
  }
  const shared = { ...reply, headers: { ...cors, ...reply.headers } };
  if (reply.cut === true) request.socket.destroy();
  else if (reply.stream === undefined) send(request, response, shared, budget);
  else void stream(response, shared, options);
  const [path = ""] = url.split("?", 1);
  const milliseconds = performance.now() - started;
  options.onRequest({
    method,
    path,
    status: reply.cut === true ? 0 : reply.status,
    milliseconds,
    code,
    injected: reply.injected,
  });
}

/** Returns the reply to a request, after its fault, its route, its key and its body. @throws HttpRefusal */
async function replyTo(
  message: IncomingMessage,
  options: HttpServerOptions,
  budget: Budget,
): Promise<Reply> {
  const { apiKey, faults, limits, acceptance } = options;
  const { method = "", headers } = message;
  const url = parseTarget(method, message.url ?? "");
  if (method === "OPTIONS") return { status: 204 };
  // Requests of the server's own pages do not consume faults meant for other clients.
  const burst = isOwnPath(url.pathname) ? undefined : faults?.takeForCall();
  if (burst !== undefined) {
    const answer = jsonReply({ error: "This fault was injected by a test." }, burst);
    return { ...answer, injected: "http-burst" };
  }
  const [route, params] = matchRoute(options.routes, method, url.pathname);
  const { key, keyNeeded, body: expected } = route;
  const head = { params, query: url.searchParams, headers };
  const checkKey = (): void => {
    if (key !== undefined) requireKey(head, key, apiKey);
  };
  if (keyNeeded === "always" || (keyNeeded === "when set" && apiKey !== undefined)) checkKey();
  const { turns } = budget;
  const handle = async (body: ReadBody): Promise<Reply> => {
    const given =
      route.once === true ? readIdempotency(headers, url.pathname, body.content) : undefined;
    const request: Request = { ...head, ...body, requireKey: checkKey, turns };
    return await acceptance.accept(given, async () => await route.handle(request));
  };
  if (expected === undefined) {
    await turns.next();
    return await handle(NO_BODY);
  }
  const bytes = Math.min(Number(headers["content-length"] ?? Infinity), maxBytes(expected, limits));
  const weight = bytes > limits.bodyBytes ? CLASS_WEIGHT : 1;
  const receiveAndHandle = async (): Promise<Reply> => {
    const content = await receiveBody(message, expected, { limits, timeout: options.bodyTimeout });
    return await budget.bodies.run(
      async () =>
        await handle(await readBody(headers["content-type"], content, expected, { limits, turns })),
      Math.ceil(content.length / UNIT),
    );
  };
  // A long body that arrives slowly delays only other long bodies. One that waits takes memory until it is handled.
  return bytes <= SHORT_BODY
    ? await receiveAndHandle()
    : await budget.arriving.run(receiveAndHandle, weight);
}

function parseTarget(method: string, target: string): URL {
  const text = `http://localhost${target}`;
  if (target.startsWith("/") && URL.canParse(text)) return new URL(text);
  throw notServed(method, target);
}

/** Paths retired by the specification, with their replacements. */
const RETIRED = new Map([
  ["/submit-batch-query", "POST /submit-request, or POST /submit-batch for a batch of tasks"],
  ["/batch-query-status", "GET /get_queries/{request_id}"],
]);

/** @throws HttpRefusal HDP-4510 if the path is unknown (404), does not accept the method (405) or is retired (410) */
function matchRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): readonly [Route, Request["params"]] {
  const found = routes.filter(({ pattern }) => pattern.test(pathname));
  // Node sends the headers of a HEAD request's reply without its body.
  const route = found.find((one) => one.method === (method === "HEAD" ? "GET" : method));
  const methods = found.flatMap((one) => (one.method === "GET" ? ["GET", "HEAD"] : one.method));
  if (route === undefined) throw notServed(method, pathname, methods);
  const params = decoded(route.pattern.exec(pathname)?.groups ?? {});
  if (params === undefined) throw notServed(method, pathname);
  return [route, params];
}

/** Returns the decoded parameters; undefined for invalid percent encoding. */
function decoded(
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
  } catch {
    return undefined;
  }
}

function notServed(method: string, pathname: string, allowed: readonly string[] = []): HttpRefusal {
  const current = RETIRED.get(pathname);
  const methods = allowed.length === 0 ? undefined : allowed.join(", ");
  const words = inWords("HDP-4510", { method, path: pathname.slice(0, 200), methods, current });
  if (methods === undefined)
    return new HttpRefusal(words, { status: current === undefined ? 404 : 410 });
  return new HttpRefusal(words, {
    status: 405,
    headers: { allow: `${[...new Set(allowed)].join(", ")}, OPTIONS` },
  });
}

const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Streams a reply until the client disconnects or stops reading, or the server closes. */
async function stream(
  response: ServerResponse,
  reply: Reply,
  options: HttpServerOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  // A connection kept alive would delay the close of the server.
  response.writeHead(reply.status, { ...SAFE_HEADERS, ...reply.headers, connection: "close" });
  const write = (text: string): void => {
    if (response.writableLength > MAX_UNREAD) response.destroy();
    else response.write(text);
  };
  await reply
    .stream?.(write, AbortSignal.any([gone.signal, options.closing]))
    .catch(options.onFailure);
  response.end();
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  budget: Budget,
): void {
  const { status, headers, body } = reply;
  const bytes = body?.text.length ?? 0;
  // The client may have left meanwhile.
  if (response.closed) return;
  budget.unsent += bytes;
  response.once("close", () => (budget.unsent -= bytes));
  // An unread body would be parsed as the next request.
  const isUnread = !request.complete;
  response.writeHead(status, {
    ...SAFE_HEADERS,
    ...(body === undefined ? {} : { "content-type": body.type }),
    ...(status === 204 || status === 304 ? {} : { "content-length": String(bytes) }),
    ...(isUnread ? { connection: "close" } : {}),
    ...headers,
  });
  response.end(body?.text);
  if (isUnread) endUnread(request);
}

/** Ends a connection after a delay in which a client that is still sending can read the answer. */
function endUnread(request: IncomingMessage): void {
  const { socket } = request;
  request.on("error", () => undefined).resume();
  const timer = setTimeout(() => socket.destroy(), UNREAD_TIMEOUT);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

/** Returns a host by which the server can be reached if it listens on all addresses. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

const ADDRESS_FAULTS = ["ENOTFOUND", "EADDRNOTAVAIL", "EAI_AGAIN"];

async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ port, host, backlog: BACKLOG });
    await once(server, "listening");
  } catch (error) {
    throw notListening(host, port, error);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function notListening(host: string, port: number, cause: unknown): HdpError {
  const server = "the development server";
  const reason = errorMessage(cause);
  if (ADDRESS_FAULTS.includes(systemErrorCode(cause) ?? "")) {
    const remedy = "an address of this machine (--host): 127.0.0.1, or 0.0.0.0 for all it has";
    const values = { server, place: `the address ${host}`, reason, remedy };
    return hdpError("HDP-4501", values, { path: "host", cause });
  }
  const remedy = "another port (--hdp-port), or 0 for any that is free";
  return hdpError(
    "HDP-4501",
    { server, place: `port ${port}`, reason, remedy },
    { path: "port", cause },
  );
}

async function closed(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  const done = once(server, "close");
  server.close();
  await done;
  clearTimeout(timer);
}

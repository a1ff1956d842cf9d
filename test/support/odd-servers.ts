import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  createServer as createSocketServer,
  type AddressInfo,
  type Server as SocketServer,
  type Socket,
} from "node:net";

/** What a test server was asked. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface OddServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

export type Answer = (request: SeenRequest, response: ServerResponse, index: number) => void;

/** An HTTP server on 127.0.0.1 that notes what it is asked and answers as the test says. */
export async function httpServer(answer: Answer): Promise<OddServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const noted = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      seen.push(noted);
      answer(noted, response, seen.length - 1);
    });
  });
  const url = await listen(server);
  return {
    url,
    seen,
    close: async () => {
      server.closeAllConnections();
      await closed(server);
    },
  };
}

/** A raw socket server on 127.0.0.1: `react` gets the socket once a request's first bytes are there, and its number. */
export async function rawServer(
  react: (socket: Socket, index: number) => void,
): Promise<OddServer & { readonly requests: () => number }> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createSocketServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => {
      react(socket, requests++);
    });
  });
  const url = await listen(server);
  return {
    url,
    seen: [],
    requests: () => requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

/** An address on 127.0.0.1 at which nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createSocketServer();
  const url = await listen(server);
  await closed(server);
  return url;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));
}

export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
}

async function listen(server: Server | SocketServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server | SocketServer): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

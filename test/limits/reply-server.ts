import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

import type { LongText } from "./long-text.js";

/**
 * The server that answers every request with one long text. It runs in a worker, so that its work is not counted as that of
 * the client which is measured.
 */
interface ServerData {
  readonly status: number;
  readonly text: LongText;
}

const { status, text } = workerData as ServerData;
const piece = Buffer.from(text.unit.repeat(Math.max(1, Math.floor(65_536 / text.unit.length))));
const perPiece = piece.length / Buffer.byteLength(text.unit);

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.on("error", () => undefined);
    response.writeHead(status, { "content-type": "application/json" });
    response.write(text.head);
    let left = text.times;
    const go = (): void => {
      while (left > 0) {
        const now = Math.min(left, perPiece);
        left -= now;
        if (!response.write(piece.subarray(0, (now * piece.length) / perPiece))) {
          response.once("drain", go);
          return;
        }
      }
      response.end(text.tail);
    };
    go();
  });
});
server.listen(0, "127.0.0.1", () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
});

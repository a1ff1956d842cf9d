import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { LongText } from "./long-text.js";

/** What the server answers every request with. */
export interface Reply {
  readonly status: number;
  readonly text: LongText;
}

// In a process of its own, so that neither its work nor its memory counts as those of the client which is measured. Each
// message says what is answered from then on, and is itself answered with the port.
let reply: Reply | undefined;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.on("error", () => undefined);
    if (reply === undefined) return;
    const { status, text } = reply;
    const piece = Buffer.from(text.unit.repeat(Math.max(1, Math.floor(65_536 / text.unit.length))));
    const perPiece = piece.length / Buffer.byteLength(text.unit);
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
server.listen(0, "127.0.0.1");
process.on("message", (next: Reply) => {
  reply = next;
  process.send?.((server.address() as AddressInfo).port);
});
process.on("disconnect", () => process.exit());

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";

import { openStarknetExecutionStore } from "../../src/entries/store.js";
import { isHdpError } from "../../src/entries/request.js";
import { boundedFetch } from "../../src/store/starknet/starknet-js.js";

describe("boundedFetch", () => {
  let server: Server;
  let url: string;
  let answer: RequestListener;
  let closed = 0;

  before(async () => {
    server = createServer((request, response) => {
      response.once("close", () => (closed += 1));
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  /** An answer that never ends, as fast as it is read. */
  const endless: RequestListener = (_request, response) => {
    const piece = Buffer.alloc(2 ** 16, 0x20);
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.writeHead(200, { "content-type": "application/json" }).on("drain", write);
    write();
  };
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    await work.then(String, (error: unknown) => error);
  const post = (method: string): RequestInit => ({
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
  });

  it("stops reading an endless answer and closes the connection", async () => {
    answer = endless;
    const before = closed;
    const error = await failure(boundedFetch({ maxBytes: 2 ** 20 })(url, post("starknet_call")));
    expect(String(error)).to.match(/^Error: the answer was not read: .*1 MiB/);
    for (let look = 0; look < 100 && closed === before; look += 1)
      await new Promise((go) => setTimeout(go, 20));
    expect(closed).to.equal(before + 1);
  });

  it("times out while reading, also in the middle of an answer, but not while sending a transaction", async () => {
    answer = () => undefined;
    const bounded = boundedFetch({ timeout: 100 });
    expect(String(await failure(bounded(url, post("starknet_call"))))).to.equal(
      "Error: no answer within 0.1 s",
    );
    answer = (_request, response) => response.writeHead(200).write("{");
    expect(String(await failure(bounded(url, post("starknet_call"))))).to.equal(
      "Error: no answer within 0.1 s",
    );
    answer = (_request, response) => setTimeout(() => response.end("{}"), 300);
    const reply = await bounded(url, post("starknet_addInvokeTransaction"));
    expect(await reply.json()).to.deep.equal({});
  });

  it("does not pass on an answer of too many values", async () => {
    answer = (_request, response) => response.end(`{"result":[${"{},".repeat(500_000)}0]}`);
    const error = await failure(boundedFetch()(url, post("starknet_call")));
    expect(String(error)).to.equal(
      "Error: the answer was not read: it has more than 1,000,000 values",
    );
  });

  it("keeps status, headers and text, and follows the caller's signal", async () => {
    answer = (_request, response) => response.writeHead(429, { "retry-after": "7" }).end("busy");
    const reply = await boundedFetch()(url, post("starknet_call"));
    expect([reply.status, reply.headers.get("retry-after"), await reply.text()]).to.deep.equal([
      429,
      "7",
      "busy",
    ]);
    answer = () => undefined;
    const signal = AbortSignal.timeout(50);
    const error = await failure(boundedFetch()(url, { ...post("starknet_call"), signal }));
    expect(error).to.be.instanceOf(Error).and.have.property("name", "AbortError");
  });

  it("bounds the memory of a store whose node sends an endless answer", async () => {
    answer = endless;
    const error = await failure(openStarknetExecutionStore({ rpcUrl: url, address: "0x1" }));
    expect(isHdpError(error, "HDP-4103"), String(error)).to.equal(true);
    expect(String(error)).to.contain("32 MiB");
  });
});

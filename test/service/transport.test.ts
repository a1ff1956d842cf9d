import { expect } from "chai";
import { Dispatcher, FormData, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";

import { systemClock } from "../../src/base/clock.js";
import { sendOnce, type WireFailure, type WireReply, type WireRequest } from "../../src/service/http/transport.js";
import { httpServer, sendText } from "../support/odd-servers.js";

const networkError = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

const REQUEST: WireRequest = {
  method: "POST",
  url: new URL("http://127.0.0.1:9/"),
  headers: {},
  body: "{}",
  timeout: 5_000,
  maxBytes: 1_000,
  signal: undefined,
  dispatcher: undefined,
  clock: systemClock,
};

/** How the transport takes an error that the HTTP library reports. */
async function outcomeOf(error: Error): Promise<WireReply | WireFailure> {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.get("http://127.0.0.1:9").intercept({ path: "/", method: "POST" }).replyWithError(error);
  const outcome = await sendOnce({ ...REQUEST, dispatcher: agent });
  await agent.close();
  return outcome;
}

async function reasonOf(error: Error): Promise<string> {
  const outcome = await outcomeOf(error);
  return outcome.type === "failure" ? outcome.reason : outcome.type;
}

describe("transport", () => {
  it("reports a request as not sent only where no connection can have carried it", async () => {
    expect(await reasonOf(networkError("ECONNREFUSED", "connect"))).to.equal("not-sent");
    expect(await reasonOf(networkError("EAI_AGAIN", "getaddrinfo"))).to.equal("not-sent");
    expect(await reasonOf(networkError("ETIMEDOUT", "connect"))).to.equal("not-sent");
    expect(await reasonOf(networkError("EHOSTUNREACH", "connect"))).to.equal("not-sent");
    expect(await reasonOf(networkError("CERT_HAS_EXPIRED", "handshake"))).to.equal("not-sent");
    expect(await reasonOf(networkError("ETIMEDOUT", "read"))).to.equal("broken");
    expect(await reasonOf(networkError("EHOSTUNREACH", "write"))).to.equal("broken");
    expect(await reasonOf(networkError("ECONNRESET", "read"))).to.equal("broken");
    expect(await reasonOf(new Error("unknown"))).to.equal("broken");
  });

  it("needs proof of every address that was tried", async () => {
    const refused = networkError("ECONNREFUSED", "connect");
    expect(await reasonOf(new AggregateError([refused, networkError("ENETUNREACH", "connect")]))).to.equal("not-sent");
    expect(await reasonOf(new AggregateError([refused, networkError("ECONNRESET", "read")]))).to.equal("broken");
    expect(await reasonOf(new AggregateError([]))).to.equal("broken");
  });

  it("reports the library's words, or the system's code where it has none", async () => {
    const both = Object.assign(new AggregateError([networkError("ECONNREFUSED", "connect")]), { code: "ECONNREFUSED" });
    const failed = { type: "failure", reason: "not-sent", code: "ECONNREFUSED" } as const;
    expect(await outcomeOf(both)).to.deep.equal({ ...failed, message: "ECONNREFUSED" });
    expect(await outcomeOf(networkError("ECONNREFUSED", "connect"))).to.deep.equal({
      ...failed,
      message: "connect ECONNREFUSED",
    });
    const broken = { type: "failure", reason: "broken", code: "" } as const;
    expect(await outcomeOf(new Error("unknown"))).to.deep.equal({ ...broken, message: "unknown" });
    class Odd extends Dispatcher {
      public override dispatch(): boolean {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is thrown is the library's choice
        throw "no error";
      }
    }
    expect(await sendOnce({ ...REQUEST, dispatcher: new Odd() })).to.deep.equal({ ...broken, message: "no error" });
  });

  it("sends forms over an agent of its own, and other bodies over the process's", async () => {
    const server = await httpServer((request, response) => {
      sendText(response, 200, request.body);
    });
    const own = getGlobalDispatcher();
    const global = new MockAgent();
    global.disableNetConnect();
    const pool = global.get(server.url);
    for (let reply = 0; reply < 2; reply += 1) pool.intercept({ path: "/", method: "POST" }).reply(200, "global");
    setGlobalDispatcher(global);
    try {
      const post = { ...REQUEST, url: new URL(server.url) };
      for (const body of ["{}", undefined]) {
        expect(await sendOnce({ ...post, body })).to.include({ type: "reply", status: 200, text: "global" });
      }
      expect(server.seen).to.deep.equal([]);
      for (const value of ["first", "second"]) {
        const form = new FormData();
        form.set("part", value);
        const reply = await sendOnce({ ...post, body: form });
        expect(reply).to.include({ type: "reply", status: 200 });
        expect(reply).to.have.property("text").that.contains(`name="part"\r\n\r\n${value}\r\n`);
      }
    } finally {
      setGlobalDispatcher(own);
      await global.close();
      await server.close();
    }
  });
});

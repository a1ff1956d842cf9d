import { expect } from "chai";
import { Dispatcher, FormData, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";

import { systemClock } from "../../src/base/clock.js";
import { type WireReply, ServiceFailure } from "../../src/service/http/service-errors.js";
import { sendAttempt, type WireRequest } from "../../src/service/http/transport.js";
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
const CALL = { service: "it", endpoint: "POST it", key: undefined };

/** How the transport takes an error that the HTTP library reports. */
async function outcomeOf(error: Error): Promise<WireReply | ServiceFailure> {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.get("http://127.0.0.1:9").intercept({ path: "/", method: "POST" }).replyWithError(error);
  const outcome = await sendAttempt({ ...REQUEST, dispatcher: agent }, CALL);
  await agent.close();
  return outcome;
}

async function codeOf(error: Error): Promise<string | undefined> {
  const outcome = await outcomeOf(error);
  return outcome instanceof ServiceFailure ? outcome.code : undefined;
}

const NOT_SENT = "HDP-2063";
const BROKEN = "HDP-2064";

describe("transport", () => {
  it("reports a request as not sent only where no connection can have carried it", async () => {
    expect(await codeOf(networkError("ECONNREFUSED", "connect"))).to.equal(NOT_SENT);
    expect(await codeOf(networkError("EAI_AGAIN", "getaddrinfo"))).to.equal(NOT_SENT);
    expect(await codeOf(networkError("ETIMEDOUT", "connect"))).to.equal(NOT_SENT);
    expect(await codeOf(networkError("EHOSTUNREACH", "connect"))).to.equal(NOT_SENT);
    expect(await codeOf(networkError("CERT_HAS_EXPIRED", "handshake"))).to.equal(NOT_SENT);
    expect(await codeOf(networkError("ETIMEDOUT", "read"))).to.equal(BROKEN);
    expect(await codeOf(networkError("EHOSTUNREACH", "write"))).to.equal(BROKEN);
    expect(await codeOf(networkError("ECONNRESET", "read"))).to.equal(BROKEN);
    expect(await codeOf(new Error("unknown"))).to.equal(BROKEN);
  });

  it("needs proof of every address that was tried", async () => {
    const refused = networkError("ECONNREFUSED", "connect");
    expect(
      await codeOf(new AggregateError([refused, networkError("ENETUNREACH", "connect")])),
    ).to.equal(NOT_SENT);
    expect(
      await codeOf(new AggregateError([refused, networkError("ECONNRESET", "read")])),
    ).to.equal(BROKEN);
    expect(await codeOf(new AggregateError([]))).to.equal(BROKEN);
  });

  it("reports the library's words, or the system's code where it has none", async () => {
    const both = Object.assign(new AggregateError([networkError("ECONNREFUSED", "connect")]), {
      code: "ECONNREFUSED",
    });
    const connection = "no connection to it for POST it";
    expect(await outcomeOf(both)).to.include({
      code: NOT_SENT,
      shortMessage: `${connection} (ECONNREFUSED).`,
    });
    const refused = await outcomeOf(networkError("ECONNREFUSED", "connect"));
    expect(refused).to.include({
      code: NOT_SENT,
      shortMessage: `${connection} (connect ECONNREFUSED).`,
    });
    // The library's error contains raw data.
    expect(refused).not.to.have.property("cause");
    const broken = (reason: string) => ({
      code: BROKEN,
      shortMessage: `the connection to it broke during POST it (${reason}).`,
    });
    expect(await outcomeOf(new Error("unknown"))).to.include(broken("unknown"));
    const wordless = Object.assign(new Error(""), { code: "ECONNRESET" });
    expect(await outcomeOf(wordless)).to.include(broken("ECONNRESET"));
    class Odd extends Dispatcher {
      public override dispatch(): boolean {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what is thrown is the library's choice
        throw "no error";
      }
    }
    expect(await sendAttempt({ ...REQUEST, dispatcher: new Odd() }, CALL)).to.include(
      broken("no error"),
    );
  });

  it("sends forms over an agent of its own, and other bodies over the process's", async () => {
    const server = await httpServer((request, response) => {
      sendText(response, 200, request.body);
    });
    const own = getGlobalDispatcher();
    const global = new MockAgent();
    global.disableNetConnect();
    const pool = global.get(server.url);
    for (let reply = 0; reply < 2; reply += 1)
      pool.intercept({ path: "/", method: "POST" }).reply(200, "global");
    setGlobalDispatcher(global);
    try {
      const post = { ...REQUEST, url: new URL(server.url) };
      for (const body of ["{}", undefined]) {
        expect(await sendAttempt({ ...post, body }, CALL)).to.include({
          status: 200,
          text: "global",
        });
      }
      expect(server.seen).to.deep.equal([]);
      for (const value of ["first", "second"]) {
        const form = new FormData();
        form.set("part", value);
        const reply = await sendAttempt({ ...post, body: form }, CALL);
        expect(reply).to.include({ status: 200 });
        expect(reply).to.have.property("text").that.contains(`name="part"\r\n\r\n${value}\r\n`);
      }
    } finally {
      setGlobalDispatcher(own);
      await global.close();
      await server.close();
    }
  });
});

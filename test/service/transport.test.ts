import { expect } from "chai";
import { MockAgent } from "undici";

import { sendOnce } from "../../src/service/http/transport.js";

const networkError = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** How the transport takes an error that the HTTP library reports. */
async function reasonOf(error: Error): Promise<string> {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.get("http://127.0.0.1:9").intercept({ path: "/", method: "POST" }).replyWithError(error);
  const outcome = await sendOnce({
    method: "POST",
    url: new URL("http://127.0.0.1:9/"),
    headers: {},
    body: "{}",
    timeoutMs: 5_000,
    maxBytes: 1_000,
    signal: undefined,
    dispatcher: agent,
  });
  await agent.close();
  return outcome.type === "failure" ? outcome.reason : outcome.type;
}

describe("transport", () => {
  it("takes a request as not sent only where no connection can have carried it", async () => {
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
});

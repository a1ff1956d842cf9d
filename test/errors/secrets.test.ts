import { inspect } from "node:util";

import { expect } from "chai";

import { coverSecrets, learnAddress, SECRETS } from "../../src/errors/secrets.js";
import { hdpError } from "../../src/errors/hdp-error.js";

describe("the keys that a process knows", () => {
  it("finds keys in the user, password, query and key-like segments of an address", () => {
    const address =
      "https://user12:pass%2F34@node.example/v2/Zq3hY8mK2w/base-path/aaaaaaaaaabbbbbbbbbb?key=Q-7x9c&n=1#f";
    expect(learnAddress(address)).to.equal(address);
    expect(SECRETS.redact("user12 pass/34 Zq3hY8mK2w aaaaaaaaaabbbbbbbbbb Q-7x9c")).to.equal(
      Array.from({ length: 5 }, () => "[redacted]").join(" "),
    );
    expect(SECRETS.redact("https://node.example/v2/base-path?n=1")).to.equal(
      "https://node.example/v2/base-path?n=1",
    );
    expect(learnAddress("no address")).to.equal("no address");
    expect(learnAddress("http://host/%E0%A4%A%A%A%A12345678")).to.contain("%E0");
    expect(SECRETS.redact("at %E0%A4%A%A%A%A12345678")).to.equal("at [redacted]");
  });

  it("finds keys of basic authentication, as they are sent", () => {
    learnAddress("https://someone:4Kd9%2Fw2Q@node.example");
    for (const pair of ["someone:4Kd9/w2Q", "someone:4Kd9%2Fw2Q"]) {
      expect(SECRETS.redact(`Basic ${Buffer.from(pair).toString("base64")}`)).to.match(
        /^Basic \[redacted\]=*$/,
      );
    }
  });

  it("finds keys of the proxies of the environment", () => {
    for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"]) {
      const before = process.env[name];
      process.env[name] = `http://user:pw-of-${name}@127.0.0.1:3128`;
      learnAddress("https://node.example");
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
      expect(SECRETS.redact(`wrong password pw-of-${name}`)).to.equal("wrong password [redacted]");
    }
  });

  it("leaves keys out of errors, of their causes and data, and of what Hardhat prints with stacks", () => {
    SECRETS.learn("sk_test-4Yb8Kd2");
    const words = "at sk_test-4Yb8Kd2";
    const first = Object.assign(new Error(words), {
      data: { url: [words] },
      agent: new URL("http://host/"),
    });
    const all = new AggregateError([new Error(words)], words);
    first.cause = all;
    all.cause = first;
    const error = hdpError(
      "HDP-4103",
      { call: words, reason: words, whose: words },
      { path: words, source: words, hints: [words], cause: first },
    );
    const shown = [inspect(error, { depth: 10, showHidden: true }), error.stack].join();
    expect(shown).to.contain("at [redacted]").and.not.to.contain("4Yb8Kd2");
    expect(first.data).to.deep.equal({ url: ["at [redacted]"] });
    expect(first.agent).to.be.instanceOf(URL);
    let deep: unknown = words;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const nested = Object.assign(new Error("e"), { data: deep });
    coverSecrets(nested);
    expect(nested.data).to.equal(undefined);
    coverSecrets(words);
  });
});

import { createHash } from "node:crypto";

import { expect } from "chai";

import { SECRETS } from "../../src/errors/secrets.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import { serviceAddress, failureReason, shownId, storedText } from "../../src/submission/model.js";

const digestOf = (address: string): string =>
  createHash("sha256").update(address).digest("hex").slice(0, 16);

describe("the place of a service", () => {
  for (const [url, host, address] of [
    ["https://hdp.example.org", "hdp.example.org", "hdp.example.org:"],
    ["https://hdp.example.org./v1", "hdp.example.org", "hdp.example.org:/v1"],
    [
      "http://hdp.example.org.:8080//v1//tasks/",
      "hdp.example.org:8080",
      "hdp.example.org:8080/v1/tasks",
    ],
    ["https://HDP.example.org:443/%761/%2f%e4", "hdp.example.org", "hdp.example.org:/v1/%2F%E4"],
    ["http://hdp.example.org:443/v1", "hdp.example.org", "hdp.example.org:/v1"],
    ["https://hdp.example.org:80/v1", "hdp.example.org", "hdp.example.org:/v1"],
    ["http://localhost:8000/", "127.0.0.1:8000", "127.0.0.1:8000"],
    ["http://127.0.0.1:8000", "127.0.0.1:8000", "127.0.0.1:8000"],
    ["http://[::1]:8545/a?key=b", "[::1]:8545", "[::1]:8545/a"],
  ] as const) {
    it(`of ${url} is ${host} with the digest of ${address}`, () => {
      expect(serviceAddress(new URL(url))).to.deep.equal({ host, endpoint: digestOf(address) });
    });
  }
});

describe("the id that screens show", () => {
  for (const [serviceId, shown] of [
    [undefined, "own-id"],
    ["01JPJ03Y", "01JPJ03Y"],
    [`0x${"ab".repeat(32)}`, `0x${"ab".repeat(32)}`],
    // A delivery that was not sent, or not mined yet.
    [`0x${"00".repeat(19)}01 0`, "own-id"],
  ] as const) {
    it(`reads ${shown} where the service's is ${serviceId ?? "not known"}`, () => {
      expect(shownId({ id: "own-id", serviceId })).to.equal(shown);
    });
  }
});

describe("stored text", () => {
  before(() => {
    SECRETS.learn("s3cret");
  });

  it("contains no secrets, and of addresses the scheme and the host only", () => {
    expect(
      storedText("s3cret: GET https://a.example/v1?key=1 of https://me:pw@b.example:80/x failed"),
    ).to.equal("[redacted]: GET https://a.example of https://b.example:80 failed");
  });

  it("keeps the punctuation behind an address", () => {
    expect(
      storedText("POST https://a.example/tasks?key=1: it broke (see https://b.example:80/x)."),
    ).to.equal("POST https://a.example: it broke (see https://b.example:80).");
    expect(storedText('"https://a.example/x:y", https://a.example:')).to.equal(
      '"https://a.example", https://a.example:',
    );
  });

  it("says what an error of this package says, and of another error its name only", () => {
    const own = hdpError("HDP-5010", {
      name: "s3cret at https://a.example/key",
      kind: "",
      other: undefined,
      look: undefined,
      alike: undefined,
    });
    expect(failureReason(own)).to.equal(
      'HDP-5010: there is no submission "[redacted] at https://a.example"',
    );
    expect(failureReason(new RangeError("s3cret"))).to.equal("RangeError");
    expect(failureReason("s3cret")).to.equal("unknown error");
  });
});

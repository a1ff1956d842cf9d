import { expect } from "chai";
import fc from "fast-check";

import type { KeyPlacement } from "../../src/entries/service.js";
import { isLoopback } from "../../src/base/loopback.js";
import { admit, corsOrigin, requireKey, requireOwnPage } from "../../src/dev-server/access.js";
import { HttpRefusal } from "../../src/dev-server/refusals.js";

/** Returns the code, status and message of the refusal that an action throws; undefined if it throws none. */
function refusal(action: () => unknown): readonly [string, number, string] | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    return [error.code, error.reply.status, error.shortMessage];
  }
}

const OWN_HOST = "hdp.test";
const ORIGIN = "http://localhost:3000";

const isAdmittedHost = (host: string): boolean =>
  refusal(() => admit({ host }, OWN_HOST, [])) === undefined;

describe("development server: admission of hosts", () => {
  const admitted = [
    "localhost",
    "localhost:8546",
    "hdp.localhost:8546",
    "127.0.0.1:8546",
    "10.1.2.3",
    "[::1]:8546",
    "[2001:db8::1]",
    "[::ffff:127.0.0.1]",
    OWN_HOST,
    `${OWN_HOST}:8546`,
  ];
  for (const host of admitted) {
    it(`admits the host ${host}`, () => {
      expect(isAdmittedHost(host)).to.equal(true);
    });
  }

  const refused = [
    "",
    "a b",
    "evillocalhost",
    "evil-localhost:8546",
    "localhost.example",
    "127.0.0.1.example",
    "localhost.",
    "[::1",
    `x${OWN_HOST}`,
    `${OWN_HOST}x`,
    `sub.${OWN_HOST}`,
  ];
  for (const host of refused) {
    it(`refuses the host "${host}"`, () => {
      expect(refusal(() => admit({ host }, OWN_HOST, ["*"]))?.slice(0, 2)).to.deep.equal([
        "HDP-4527",
        403,
      ]);
    });
  }

  it("refuses a request without a host", () => {
    expect(refusal(() => admit({}, OWN_HOST, ["*"]))?.slice(0, 2)).to.deep.equal(["HDP-4527", 403]);
  });

  it("refuses every name that only ends or begins with one of its own", () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(label, fc.constantFrom("localhost", OWN_HOST), (word, own) => {
        expect(isAdmittedHost(`${word}${own}`)).to.equal(false);
        expect(isAdmittedHost(`${word}-${own}`)).to.equal(false);
        expect(isAdmittedHost(`${own}.${word}`)).to.equal(false);
      }),
    );
  });

  it("quotes at most 100 characters of a refused host", () => {
    const [, , message] = refusal(() => admit({ host: "x".repeat(300) }, OWN_HOST, [])) ?? [];
    expect(message).to.include(`"${"x".repeat(100)}"`);
  });
});

describe("development server: admission of origins", () => {
  const host = "localhost:8546";
  const cors = (origin: string | undefined, origins: readonly string[]) =>
    admit(origin === undefined ? { host } : { host, origin }, OWN_HOST, origins);

  it("returns no CORS headers for a request without an origin", () => {
    expect(cors(undefined, ["*"])).to.deep.equal({});
  });

  const admitted: readonly (readonly [string, readonly string[]])[] = [
    [`http://${host}`, []],
    [ORIGIN, [ORIGIN]],
    [ORIGIN, ["http://other.test", ORIGIN]],
    ["https://example.org", ["*"]],
    ["null", ["*"]],
  ];
  for (const [origin, origins] of admitted) {
    it(`admits the origin ${origin} where ${origins.join(", ") || "none"} is allowed`, () => {
      expect(cors(origin, origins)).to.deep.equal({
        "access-control-allow-methods": "GET, HEAD, POST, PATCH, OPTIONS",
        "access-control-allow-headers": "content-type, accept, x-api-key, api-key, idempotency-key",
        "access-control-max-age": "600",
        "access-control-allow-origin": origin,
        vary: "origin",
      });
    });
  }

  it("admits the origin that a proxy serves it at by the browser's word, and by its configured address", () => {
    const origin = "https://abc-8546.app.github.dev";
    const proxied = new URL(origin).host;
    const rewritten = { host, origin };
    const kept = { host: proxied, origin };
    const codes = (headers: Parameters<typeof admit>[0], publicUrl?: string) =>
      refusal(() => admit(headers, OWN_HOST, [], publicUrl))?.[0];
    expect(codes({ ...rewritten, "sec-fetch-site": "same-origin" })).to.equal(undefined);
    expect(
      codes({ ...rewritten, origin: `https://${host}`, "sec-fetch-site": "same-origin" }),
    ).to.equal(undefined);
    for (const site of [undefined, "none", "same-site", "cross-site"])
      expect(codes({ ...rewritten, "sec-fetch-site": site })).to.equal("HDP-4528");
    // A name that may be pointed at this machine is refused whatever the browser says.
    expect(codes({ ...kept, "sec-fetch-site": "same-origin" })).to.equal("HDP-4527");
    expect(codes(kept, origin)).to.equal(undefined);
    expect(codes(rewritten, origin)).to.equal(undefined);
    expect(codes({ ...kept, origin: "https://example.org" }, origin)).to.equal("HDP-4528");
    expect(codes({ ...kept, host: "example.org" }, origin)).to.equal("HDP-4527");
    const hints = [{ host: "x.dev" }, rewritten].map((headers) => {
      try {
        return admit(headers, OWN_HOST, []);
      } catch (error) {
        return error instanceof HttpRefusal ? error.hints.join(" ") : error;
      }
    });
    for (const hint of hints) expect(hint).to.include("--public-url");
  });

  const refused = [
    `${ORIGIN}0`,
    `${ORIGIN}.example.org`,
    "http://localhost:300",
    "http://localhost",
    "https://localhost:3000",
    "http://sub.localhost:3000",
    "http://LOCALHOST:3000",
    `http://${host}0`,
    `http://${host}.example.org`,
    `https://${host}`,
    "http://localhost:854",
    "null",
    "",
  ];
  for (const origin of refused) {
    it(`refuses the origin "${origin}" where ${ORIGIN} is allowed`, () => {
      const [code, status, message] = refusal(() => cors(origin, [ORIGIN])) ?? [];
      expect([code, status]).to.deep.equal(["HDP-4528", 403]);
      expect(message).to.include(JSON.stringify(origin));
    });
  }

  it("refuses every extension and every part of an allowed origin", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.nat({ max: ORIGIN.length - 1 }),
        (more, length) => {
          expect(refusal(() => cors(ORIGIN + more, [ORIGIN]))).to.not.equal(undefined);
          expect(refusal(() => cors(more + ORIGIN, [ORIGIN]))).to.not.equal(undefined);
          expect(refusal(() => cors(ORIGIN.slice(0, length), [ORIGIN]))).to.not.equal(undefined);
        },
      ),
    );
  });
});

describe("development server: what only its own pages may do", () => {
  const host = "localhost:8546";
  const own = `http://${host}`;
  const publicUrl = "https://hdp.example.org";
  const cases: readonly (readonly [
    site: string | undefined,
    origin: string | undefined,
    message?: string,
  ])[] = [
    [undefined, undefined],
    [undefined, own],
    [undefined, publicUrl],
    ["none", undefined],
    ["none", own],
    ["same-origin", undefined],
    ["same-origin", ORIGIN],
    [undefined, ORIGIN, JSON.stringify(ORIGIN)],
    [undefined, "null", '"null"'],
    ["none", ORIGIN, JSON.stringify(ORIGIN)],
    ["same-site", undefined, "another origin"],
    ["cross-site", undefined, "another origin"],
    ["cross-site", own, JSON.stringify(own)],
    ["same-site", publicUrl, JSON.stringify(publicUrl)],
  ];
  for (const [site, origin, message] of cases) {
    const what = `sec-fetch-site ${site ?? "missing"} and origin ${origin ?? "missing"}`;
    it(`${message === undefined ? "admits" : "refuses"} ${what}`, () => {
      const headers = { host, ...(origin && { origin }), ...(site && { "sec-fetch-site": site }) };
      const found = refusal(() => requireOwnPage(headers, publicUrl));
      if (message === undefined) expect(found).to.equal(undefined);
      else {
        expect(found?.slice(0, 2)).to.deep.equal(["HDP-4528", 403]);
        expect(found?.[2]).to.include(message);
      }
    });
  }

  it("knows no public address where none is configured", () => {
    const headers = { host, origin: publicUrl };
    expect(refusal(() => requireOwnPage(headers, undefined))?.[0]).to.equal("HDP-4528");
  });
});

describe("development server: origins given to --cors", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["*", "*"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["https://example.org/path?query", "https://example.org"],
    ["HTTP://Example.org:80", "http://example.org"],
    ["ftp://example.org", undefined],
    ["file:///tmp", undefined],
    ["example.org", undefined],
    ["", undefined],
    ["**", undefined],
  ];
  for (const [text, origin] of cases) {
    it(`reads "${text}" as ${origin ?? "no origin"}`, () => {
      expect(corsOrigin(text)).to.equal(origin);
    });
  }
});

describe("development server: loopback hosts", () => {
  const loopback = ["localhost", "a.localhost", "127.0.0.1", "127.255.255.255", "::1"];
  for (const host of [...loopback, "::ffff:127.0.0.1", "::ffff:7f01:203"]) {
    it(`takes ${host} for this machine`, () => {
      expect(isLoopback(host)).to.equal(true);
    });
  }
  const others = ["notlocalhost", "localhost.org", "126.255.255.255", "128.0.0.0", "::2", "::"];
  for (const host of [...others, "::ffff:128.0.0.1", "0.0.0.0", "10.0.0.1", ""]) {
    it(`takes "${host}" for another machine`, () => {
      expect(isLoopback(host)).to.equal(false);
    });
  }
});

describe("development server: keys", () => {
  const header: KeyPlacement = { in: "header", name: "X-API-KEY" };
  const proof: KeyPlacement = { in: "header", name: "api-key" };
  const query: KeyPlacement = { in: "query", name: "apiKey" };
  const given = (
    place: KeyPlacement,
    key: string | undefined,
    expected: string | undefined,
  ): readonly [string, number, string] | undefined => {
    const headers = key === undefined ? {} : { [place.name.toLowerCase()]: key };
    const parameters = new URLSearchParams(key === undefined ? {} : { [place.name]: key });
    return refusal(() => {
      requireKey(
        place.in === "header"
          ? { headers, query: new URLSearchParams() }
          : { headers: {}, query: parameters },
        place,
        expected,
      );
    });
  };

  for (const place of [header, proof, query]) {
    const name = `${place.in === "header" ? "header" : "query parameter"} ${place.name}`;

    it(`accepts any key in the ${name} where the server has none`, () => {
      expect(given(place, "k", undefined)).to.equal(undefined);
    });

    it(`accepts the server's key in the ${name}`, () => {
      expect(given(place, "the-key", "the-key")).to.equal(undefined);
    });

    for (const key of ["the-ke", "the-key ", "the-key1", "THE-KEY", "thf-key"]) {
      it(`refuses the key "${key}" in the ${name}`, () => {
        const [code, status, message = ""] = given(place, key, "the-key") ?? [];
        expect([code, status]).to.deep.equal(["HDP-4513", 403]);
        expect(message).to.include(name).and.include("wrong");
        expect(message).to.not.include("the-key");
      });
    }

    for (const key of [undefined, ""]) {
      for (const expected of [undefined, "the-key"]) {
        it(`refuses ${key === undefined ? "no" : "an empty"} key in the ${name} (${expected ?? "any"})`, () => {
          const [code, status, message = ""] = given(place, key, expected) ?? [];
          expect([code, status]).to.deep.equal(["HDP-4513", 401]);
          expect(message).to.include(name).and.include("missing");
        });
      }
    }
  }

  it("looks for a key only in its own place", () => {
    const sent = {
      headers: { "x-api-key": "the-key" },
      query: new URLSearchParams({ "X-API-KEY": "the-key" }),
    };
    expect(refusal(() => requireKey(sent, query, "the-key"))?.[1]).to.equal(401);
    expect(refusal(() => requireKey(sent, proof, "the-key"))?.[1]).to.equal(401);
    const inQuery = { headers: {}, query: new URLSearchParams({ "X-API-KEY": "the-key" }) };
    expect(refusal(() => requireKey(inQuery, header, "the-key"))?.[1]).to.equal(401);
  });

  it("answers a missing X-API-KEY with the published body, and other keys with the error", () => {
    const body = (place: KeyPlacement): unknown => {
      try {
        requireKey({ headers: {}, query: new URLSearchParams() }, place, undefined);
        return undefined;
      } catch (error) {
        const text = error instanceof HttpRefusal ? error.reply.body?.text.toString() : undefined;
        return JSON.parse(text ?? "null");
      }
    };
    expect(body(header)).to.deep.equal({ error: "Missing Herodotus Cloud X-API-KEY header" });
    expect(body(proof)).to.include({ code: "HDP-4513" });
    expect(body(query)).to.include({ code: "HDP-4513" });
  });
});

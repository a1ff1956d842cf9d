import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";
import { privateKeyToAccount } from "viem/accounts";
import { recoverTypedDataAddress } from "viem";

import {
  challengeTime,
  type LoginChallenge,
  typedDataToSign,
} from "../../src/service/login/challenge.js";
import { requireLogin } from "../../src/service/login/login-checks.js";
import { LoginClient } from "../../src/service/login/login-client.js";
import { SECRETS } from "../../src/errors/secrets.js";
import { hdpFailure, hdpThrown } from "../support/failure.js";

const account = privateKeyToAccount(`0x${"1f".repeat(32)}`);
const OTHER = `0x${"ab".repeat(20)}`;
const NOW = Date.UTC(2026, 10, 27);
const CHECK = { wallet: account.address, host: "auth-billing.api.herodotus.cloud", now: NOW };

function challenge(change: Partial<LoginChallenge> = {}): LoginChallenge {
  return {
    challengeToken: "challenge-token-1",
    nonce: "n-7f3a",
    issuedAt: NOW / 1000 - 5,
    expiresAt: NOW / 1000 + 300,
    statement: "Sign in to the console of herodotus.cloud.",
    eip712: login(),
    ...change,
  };
}

function login(
  more: {
    domain?: Record<string, unknown>;
    members?: { name: string; type: string }[];
    message?: Record<string, unknown>;
    primaryType?: string;
  } = {},
): LoginChallenge["eip712"] {
  const primaryType = more.primaryType ?? "Web3Login";
  const members = [
    { name: "wallet", type: "address" },
    { name: "statement", type: "string" },
    { name: "nonce", type: "string" },
    { name: "issuedAt", type: "uint256" },
    ...(more.members ?? []),
  ];
  return {
    domain: { name: "Herodotus Cloud", version: "1", chainId: 1, ...more.domain },
    types: { [primaryType]: members },
    primaryType,
    message: {
      wallet: account.address,
      statement: "Sign in to the console of herodotus.cloud.",
      nonce: "n-7f3a",
      issuedAt: NOW / 1000 - 5,
      ...more.message,
    },
  };
}

const typed = (eip712: LoginChallenge["eip712"]): LoginChallenge => challenge({ eip712 });

describe("the challenge of a login", () => {
  it("accepts a challenge that is a login of this wallet at this service", () => {
    expect(() => requireLogin(challenge(), CHECK)).not.to.throw();
    expect(() =>
      requireLogin(challenge({ expiresAt: "2026-11-27T00:10:00Z" }), CHECK),
    ).not.to.throw();
  });

  const refused: readonly (readonly [string, LoginChallenge, string])[] = [
    ["an expired one", challenge({ expiresAt: NOW / 1000 }), "it expired at 2026-11-27"],
    ["an expiry that is no time", challenge({ expiresAt: "soon" }), 'its expiry "soon"'],
    ["another wallet", typed(login({ message: { wallet: OTHER } })), `the account ${OTHER}`],
    [
      "a second account",
      typed(login({ members: [{ name: "helper", type: "address" }], message: { helper: OTHER } })),
      `the account ${OTHER}`,
    ],
    ["an empty wallet", typed(login({ message: { wallet: "" } })), '"wallet" (address) is not'],
    [
      "no wallet",
      typed({
        ...login(),
        types: { Web3Login: login().types["Web3Login"]?.slice(1, 3) ?? [] },
        message: { statement: challenge().statement, nonce: "n-7f3a" },
      }),
      "does not name the account",
    ],
    [
      "another account within a sentence",
      challenge({
        statement: `Sign in, and link ${OTHER}.`,
        eip712: login({ message: { statement: `Sign in, and link ${OTHER}.` } }),
      }),
      `the account ${OTHER}`,
    ],
    [
      "an account in 32 bytes",
      typed(
        login({
          members: [{ name: "session", type: "bytes32" }],
          message: { session: `0x${"00".repeat(12)}${"ab".repeat(20)}` },
        }),
      ),
      '"session" (bytes32) is not readable',
    ],
    [
      "an amount under another name",
      typed(
        login({
          members: [{ name: "level", type: "uint256" }],
          message: { level: "1".repeat(20) },
        }),
      ),
      '"level" (uint256) is not readable',
    ],
    [
      "the domain of another service, which takes logins without a contract",
      typed({
        ...login({ primaryType: "ClobAuth", domain: { name: "ClobAuthDomain", chainId: 137 } }),
      }),
      'its domain "ClobAuthDomain" is not one of herodotus',
    ],
    [
      "no name in its domain",
      typed({ ...login(), domain: { version: "1" } }),
      'its domain "" is not one of herodotus',
    ],
    [
      "a type of the domain that leaves out what is shown",
      typed({ ...login(), types: { ...login().types, EIP712Domain: [] } }),
      "the type of its domain is another",
    ],
    [
      "a member of the domain in another type",
      typed(login({ domain: { chainId: "0x1", version: "1" } })),
      'its domain has the member "chainId"',
    ],
    [
      "a name that is more than a name",
      typed(login({ members: [{ name: "kind,uint256 level", type: "string" }] })),
      '"kind,uint256 level" is not a name',
    ],
    [
      "a member that comes twice",
      typed(login({ members: [{ name: "nonce", type: "string" }] })),
      'the member "nonce" twice',
    ],
    [
      "a list, which may delegate rights",
      typed(
        login({
          members: [{ name: "resources", type: "string[]" }],
          message: { resources: ["urn:recap:eyJ"] },
        }),
      ),
      "of type string[]",
    ],
    [
      "another service behind a user name",
      typed(
        login({
          members: [{ name: "uri", type: "string" }],
          message: { uri: "https://herodotus.cloud@evil.example/" },
        }),
      ),
      "it names evil.example",
    ],
    [
      "another service at the end of a sentence",
      challenge({
        statement: "Sign in to evil.example.",
        eip712: login({ message: { statement: "Sign in to evil.example." } }),
      }),
      "it names evil.example",
    ],
    [
      "another service in other letters",
      typed(
        login({
          members: [{ name: "uri", type: "string" }],
          message: { uri: "https://h\u0435rodotus.cloud/" },
        }),
      ),
      "it names h\u0435rodotus.cloud",
    ],
    [
      "a domain with a contract",
      typed(login({ domain: { verifyingContract: OTHER } })),
      "names a contract (verifyingContract)",
    ],
    [
      "another service in the domain",
      typed(login({ domain: { name: "Herodotus evil.example.com" } })),
      "it names evil.example.com",
    ],
    [
      "another service in an address",
      typed(
        login({
          members: [{ name: "uri", type: "string" }],
          message: { uri: "https://herodotus.cloud.evil.com/login" },
        }),
      ),
      "it names herodotus.cloud.evil.com",
    ],
    ["a permit", typed(login({ primaryType: "PermitSingle" })), '"PermitSingle" could be more'],
    ["an order", typed(login({ primaryType: "OrderComponents" })), '"OrderComponents"'],
    [
      "an amount",
      typed(login({ members: [{ name: "amount", type: "uint256" }], message: { amount: 1 } })),
      '"amount" could be more',
    ],
    [
      "a receiver",
      typed(login({ members: [{ name: "to", type: "string" }], message: { to: account.address } })),
      '"to" could be more',
    ],
    [
      "bytes",
      typed(login({ members: [{ name: "blob", type: "bytes" }], message: { blob: "0x" } })),
      "of type bytes",
    ],
    [
      "a nested struct",
      typed({
        ...login(),
        types: { ...login().types, Inner: [{ name: "amount", type: "uint256" }] },
      }),
      "it holds the structs Web3Login, Inner",
    ],
    ["another sentence", challenge({ statement: "Harmless." }), "its statement is not what"],
    ["another nonce", challenge({ nonce: "other" }), "the nonce of the challenge is not in it"],
    ["a member without a type", typed(login({ message: { hidden: 1 } })), '"hidden" has no type'],
  ];
  for (const [what, one, reason] of refused) {
    it(`refuses a challenge with ${what}`, () => {
      const error = hdpThrown(() => requireLogin(one, CHECK));
      expect(error.code).to.equal("HDP-2100");
      expect(error.message).to.contain(reason);
    });
  }

  it("takes the domain's own type where the service sends it", () => {
    const { types, ...rest } = login();
    const EIP712Domain = typedDataToSign(login()).types["EIP712Domain"] ?? [];
    const sent = typed({ ...rest, types: { ...types, EIP712Domain } });
    expect(() => requireLogin(sent, CHECK)).not.to.throw();
  });

  it("knows of another service no host but the configured one", () => {
    const check = { ...CHECK, host: "login.example.co.uk" };
    const at = (name: string, uri: string): LoginChallenge => {
      const statement = "Sign in.";
      const members = [{ name: "uri", type: "string" }];
      return challenge({
        statement,
        eip712: login({ domain: { name }, members, message: { uri, statement } }),
      });
    };
    const own = "Login of login.example.co.uk";
    expect(() => requireLogin(at(own, "https://login.example.co.uk"), check)).not.to.throw();
    const ofOthers = [
      at(own, "https://bank.co.uk"),
      at(own, "https://other.example.co.uk"),
      at("Herodotus Cloud", "https://login.example.co.uk"),
    ];
    for (const one of ofOthers)
      expect(hdpThrown(() => requireLogin(one, check)).code).to.equal("HDP-2100");
  });

  it("signs a challenge with the domain's type, over the four members as they came", async () => {
    const toSign = typedDataToSign(login());
    expect(toSign.types["EIP712Domain"]?.map(({ name }) => name)).to.deep.equal([
      "name",
      "version",
      "chainId",
    ]);
    const signature = await account.signTypedData(login());
    expect(await recoverTypedDataAddress({ ...toSign, signature })).to.equal(account.address);
  });

  it("reads times in unix seconds and in ISO 8601", () => {
    expect(challengeTime(1_700_000_000)).to.equal(1_700_000_000_000);
    expect(challengeTime("1700000000")).to.equal(1_700_000_000_000);
    expect(challengeTime("2026-11-27T00:00:00Z")).to.equal(NOW);
    expect(challengeTime("tomorrow")).to.equal(undefined);
  });
});

describe("the client of the login", () => {
  let server: Server;
  let url: string;
  let seen: string[];
  let replies: Record<string, unknown>;

  beforeEach(async () => {
    seen = [];
    replies = {
      "/auth/web3/challenge": challenge(),
      "/auth/web3/session": {
        accessToken: "access-token-aaaa",
        refreshToken: "refresh-token-bbbb",
        expiresAt: 1,
        selectedProject: "01JPROJECT",
      },
      "/api-keys": { data: [{ apiKey: "project-key-cccc", name: "default" }] },
    };
    server = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? "", "http://localhost");
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const token = request.headers.authorization ?? "";
        seen.push(`${request.method ?? ""} ${pathname}${search} ${token} ${body}`.trim());
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(replies[pathname]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const signed = {
    wallet: account.address,
    challengeToken: "challenge-token-1",
    signature: `0x${"5a".repeat(65)}`,
  } as const;

  it("exchanges a signed challenge over the bearer channel for the project's key", async () => {
    const client = new LoginClient({ url });
    expect((await client.challenge(account.address)).nonce).to.equal("n-7f3a");
    expect(await client.apiKey(signed)).to.equal("project-key-cccc");
    expect(seen).to.deep.equal([
      `GET /auth/web3/challenge?wallet=${account.address}`,
      `POST /auth/web3/session  ${JSON.stringify({ ...signed, channel: "bearer" })}`,
      "GET /api-keys?projectId=01JPROJECT&limit=10&offset=0 Bearer access-token-aaaa",
    ]);
  });

  it("redacts every secret of the replies", async () => {
    await new LoginClient({ url }).apiKey(signed);
    const secrets = ["access-token-aaaa", "refresh-token-bbbb", "project-key-cccc"];
    for (const secret of secrets) expect(SECRETS.redact(`x ${secret} y`)).not.to.contain(secret);
  });

  it("quotes no token of a reply that lacks a member", async () => {
    replies["/auth/web3/session"] = { accessToken: "token-of-a-broken-reply" };
    const error = await hdpFailure(new LoginClient({ url }).apiKey(signed));
    expect(error.code).to.equal("HDP-2070");
    expect(error.message).to.contain("selectedProject").and.not.to.contain("token-of-a-broken");
  });

  it("refuses a key that no call could send, before it is kept, and quotes none of it", async () => {
    replies["/api-keys"] = { data: [{ apiKey: "key-dddd with white space" }] };
    const error = await hdpFailure(new LoginClient({ url }).apiKey(signed));
    expect(error.code).to.equal("HDP-2070");
    expect(error.message)
      .to.contain("data.0.apiKey: it holds a character that is not printable ASCII")
      .and.not.contain("key-dddd");
  });

  it("refuses a project without a key", async () => {
    replies["/api-keys"] = { data: [] };
    const error = await hdpFailure(new LoginClient({ url }).apiKey(signed));
    expect(error.code).to.equal("HDP-2101");
    expect(error.message).to.contain("01JPROJECT");
  });
});

import { randomBytes } from "node:crypto";

import type { Address, Hex } from "viem";
import { getAddress, hashTypedData, recoverAddress } from "viem/utils";
import { z } from "zod";

import type { Clock } from "../base/clock.js";
import { dropOldest } from "../base/collections.js";
import { lowerCase } from "../base/hex.js";
import { readAs } from "./body.js";
import { inWords } from "../errors/hdp-error.js";
import { HttpRefusal } from "./refusals.js";
import { jsonReply, publishedRoutes, type Reply, type Request, type Route } from "./route.js";

/** Maximum number of open challenges and sessions, the latest ones. */
const MAX_OPEN = 1_000;
const CHALLENGE_SECONDS = 300;
const SESSION_SECONDS = 3_600;
const STATEMENT = "Log in to the development server.";

const challengeSchema = z.object({
  challengeToken: z.string(),
  nonce: z.string(),
  issuedAt: z.number(),
  expiresAt: z.number(),
  statement: z.string(),
  eip712: z.object({
    domain: z.record(z.unknown()),
    types: z.record(z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.record(z.unknown()),
  }),
});

const walletSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "expected an address");

const challengeQuerySchema = z.object({ wallet: walletSchema });

const sessionRequestSchema = z.object({
  wallet: walletSchema,
  challengeToken: z.string(),
  signature: z
    .string()
    .regex(/^0x[0-9a-fA-F]*$/, "expected 0x and hex digits")
    .transform((text): Hex => `0x${text.slice(2)}`),
  channel: z.literal("bearer", {
    errorMap: () => ({ message: 'expected "bearer": this server has no cookies' }),
  }),
});

const sessionSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresAt: z.number(),
  selectedProject: z.string(),
});

const keysSchema = z.object({ data: z.array(z.object({ apiKey: z.string() })) });

/** What the login shares with the server. */
export interface LoginContext {
  readonly clock: Clock;
  /** The server's own key. No wallet gets it: with a key set, the login refuses. */
  readonly apiKey: string | undefined;
}

/** Returns the typed data that a wallet signs to log in. Its domain names the server as the client does. */
function loginTypedData({ wallet, nonce, issuedAt, host }: OpenChallenge) {
  return {
    domain: { name: `hardhat-hdp development server at ${host}`, version: "1" },
    types: {
      Login: [
        { name: "wallet", type: "address" },
        { name: "statement", type: "string" },
        { name: "nonce", type: "string" },
        { name: "issuedAt", type: "string" },
      ],
    },
    primaryType: "Login",
    message: { wallet, statement: STATEMENT, nonce, issuedAt: String(issuedAt) },
  } as const;
}

interface OpenChallenge {
  readonly wallet: Address;
  readonly nonce: string;
  readonly issuedAt: number;
  /** The host that the client asked. */
  readonly host: string;
}

/** The login by wallet of the hosted service, in memory: a wallet that signs its challenge gets a key of its own. */
class Logins {
  readonly #context: LoginContext;
  readonly #challenges = new Map<string, OpenChallenge>();
  readonly #sessions = new Map<string, { readonly project: string; readonly expiresAt: number }>();

  public constructor(context: LoginContext) {
    this.#context = context;
  }

  get #seconds(): number {
    return Math.floor(this.#context.clock.now() / 1000);
  }

  public challenge({ query, headers }: Request): Reply {
    if (this.#context.apiKey !== undefined) throw refused("this server was started with a key");
    // Wallets are compared in any letter case: a wrong checksum misleads nobody here.
    const given = readAs(challengeQuerySchema, Object.fromEntries(query)).wallet;
    const wallet = getAddress(lowerCase(given));
    const { hostname: host } = new URL(`http://${headers.host ?? "localhost"}`);
    const challenge = { wallet, nonce: token(), issuedAt: this.#seconds, host };
    const challengeToken = token();
    this.#challenges.set(challengeToken, challenge);
    dropOldest(this.#challenges, MAX_OPEN);
    const { nonce, issuedAt } = challenge;
    return jsonReply({
      challengeToken,
      nonce,
      issuedAt,
      expiresAt: issuedAt + CHALLENGE_SECONDS,
      statement: STATEMENT,
      eip712: loginTypedData(challenge),
    });
  }

  public async session({ json }: Request): Promise<Reply> {
    const { challengeToken, signature, wallet } = readAs(sessionRequestSchema, json);
    const challenge = this.#challenges.get(challengeToken);
    // A challenge is of one use, whatever comes of it.
    this.#challenges.delete(challengeToken);
    const now = this.#seconds;
    if (challenge === undefined || challenge.issuedAt + CHALLENGE_SECONDS <= now)
      throw refused("the challenge is not known or has expired");
    const hash = hashTypedData(loginTypedData(challenge));
    const signer = await recoverAddress({ hash, signature }).catch(() => "");
    const isSigned = [signer, wallet].every(
      (address) => address.toLowerCase() === challenge.wallet.toLowerCase(),
    );
    if (!isSigned) throw refused("the signature is not the wallet's");
    const accessToken = token();
    const expiresAt = now + SESSION_SECONDS;
    const project = `project-${challenge.wallet.slice(2, 10).toLowerCase()}`;
    this.#sessions.set(accessToken, { project, expiresAt });
    dropOldest(this.#sessions, MAX_OPEN);
    return jsonReply({ accessToken, refreshToken: token(), expiresAt, selectedProject: project });
  }

  public keys({ query, headers }: Request): Reply {
    const accessToken = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    const session = this.#sessions.get(accessToken);
    if (session === undefined || session.expiresAt <= this.#seconds)
      throw refused("there is no session of this token");
    if (query.get("projectId") !== session.project)
      throw refused("the project is another wallet's");
    // Without a key of its own the server takes any.
    return jsonReply({ data: [{ apiKey: `key-of-${session.project}` }] });
  }
}

/** Returns the routes of the login by wallet. Refresh tokens and further keys are not served. */
export function loginRoutes(context: LoginContext): readonly Route[] {
  const logins = new Logins(context);
  return publishedRoutes({
    "GET /auth/web3/challenge": {
      summary: "A challenge that a wallet signs to log in",
      query: { wallet: "Address of the account that signs" },
      queryForm: challengeQuerySchema,
      reply: challengeSchema,
      handle: (request) => logins.challenge(request),
    },
    "POST /auth/web3/session": {
      summary: "Tokens in exchange for a signed challenge",
      body: { type: "json", schemas: [sessionRequestSchema], example: {} },
      reply: sessionSchema,
      handle: async (request) => await logins.session(request),
    },
    "GET /api-keys": {
      summary: "Keys of the wallet's project; the access token goes into the header Authorization",
      query: { projectId: "The session's selectedProject" },
      optionalQuery: { limit: "Ignored: a project has one key", offset: "Ignored" },
      reply: keysSchema,
      handle: (request) => logins.keys(request),
    },
  });
}

function token(): string {
  return randomBytes(24).toString("base64url");
}

function refused(reason: string): HttpRefusal {
  return new HttpRefusal(inWords("HDP-4532", { reason }), { status: 401, body: { error: reason } });
}

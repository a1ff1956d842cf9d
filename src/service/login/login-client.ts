import type { Address, Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../../base/collections.js";
import { SECRETS } from "../../errors/secrets.js";
import { hdpError } from "../../errors/hdp-error.js";
import { HttpClient, type HttpCallOptions, keyFault } from "../http/http-client.js";
import type { CallOptions } from "../../request/data-processor.js";
import { open } from "../data-processor/editions.js";
import { BEARER_TOKEN, endpointCall } from "../endpoints.js";
import { type LoginChallenge, loginChallengeSchema } from "./challenge.js";

/** Reply of `POST /auth/web3/session`. The tokens are never stored. */
const sessionSchema = open({
  accessToken: z.string().min(1),
  selectedProject: z.string().min(1),
});

/** Reply of `GET /api-keys`. */
const apiKeysSchema = open({
  data: z.array(
    open({
      apiKey: z.string().superRefine((key, context) => {
        const message = keyFault(key);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }),
    }),
  ),
});

/** Members of the replies that let somebody act for the user. */
const SECRET_MEMBERS = new Set(["accessToken", "refreshToken", "challengeToken", "apiKey"]);

/** Has the secrets of a reply redacted from whatever is printed later, and returns the reply. */
function learned(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(learned);
  if (!isRecord(json)) return json;
  for (const [name, value] of Object.entries(json)) {
    if (SECRET_MEMBERS.has(name) && typeof value === "string") SECRETS.learn(value);
    else learned(value);
  }
  return json;
}

/** A wallet's answer to a challenge. */
export interface SignedChallenge {
  readonly wallet: Address;
  readonly challengeToken: string;
  readonly signature: Hex;
}

/** Client of the service's login by wallet. Tokens live in this object alone. */
export class LoginClient {
  readonly #http: HttpClient;
  readonly #options: HttpCallOptions;

  public constructor(options: HttpCallOptions) {
    this.#options = options;
    this.#http = new HttpClient({ ...options, service: LOGIN_SERVICE });
  }

  /** Returns a challenge for a wallet. It has to pass `requireLogin` before it is signed. */
  public async challenge(wallet: Address, options?: CallOptions): Promise<LoginChallenge> {
    const parts = { ...endpointCall("GET /auth/web3/challenge"), query: { wallet } };
    return await this.#http.call(
      parts,
      (reply) => loginChallengeSchema.parse(learned(reply.jsonWithKeys())),
      options,
    );
  }

  /**
   * Returns the key of the wallet's project in exchange for a signed challenge.
   * @throws HdpError HDP-2101 where the project has no key
   */
  public async apiKey(
    { wallet, challengeToken, signature }: SignedChallenge,
    options?: CallOptions,
  ): Promise<string> {
    SECRETS.learn(signature);
    const json = { wallet, challengeToken, signature, channel: "bearer" };
    const parts = { ...endpointCall("POST /auth/web3/session"), json };
    const session = await this.#http.call(
      parts,
      (reply) => sessionSchema.parse(learned(reply.jsonWithKeys())),
      options,
    );
    const { accessToken, selectedProject: projectId } = session;
    const withToken = new HttpClient({
      ...this.#options,
      service: LOGIN_SERVICE,
      apiKey: async () => await Promise.resolve(accessToken),
    });
    const query = { projectId, limit: "10", offset: "0" };
    const keys = await withToken.call(
      { ...endpointCall("GET /api-keys"), query, key: BEARER_TOKEN },
      (reply) => apiKeysSchema.parse(learned(reply.jsonWithKeys())),
      options,
    );
    const [first] = keys.data;
    if (first === undefined) throw hdpError("HDP-2101", { project: projectId });
    return first.apiKey;
  }
}

const LOGIN_SERVICE = "the login of the service";

import { httpServer, type OddServer, sendJson, type SeenRequest } from "./odd-servers.js";
import type { ServerResponse } from "node:http";

/** The calls of a login, in their order. */
export const LOGIN_CALLS = ["/auth/web3/challenge", "/auth/web3/session", "/api-keys"] as const;

/** What lets somebody act for the user: made by the server, and hidden by its client. */
interface LoginSecrets {
  readonly challengeToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly apiKey: string;
}

/** How a call of the login fails. @param quoted everything that was sent and answered before */
type LoginFailure = (quoted: string, response: ServerResponse, method: string) => void;

export interface LoginServer extends OddServer {
  /** Makes a call fail from now on; undefined lets all succeed. */
  failAt(call: (typeof LOGIN_CALLS)[number] | undefined, failure: LoginFailure): void;
  /** The signatures that it was sent. */
  readonly signatures: string[];
}

/** A login by wallet on 127.0.0.1 below a path, which signs in anybody and quotes in its failures what it knows. */
export async function loginServer(path: string, secrets: LoginSecrets): Promise<LoginServer> {
  const { challengeToken, accessToken, refreshToken, apiKey } = secrets;
  const signatures: string[] = [];
  let known: string[] = [];
  let quotes = 0;
  let failing: string | undefined;
  let fail: LoginFailure = () => undefined;
  const session = { accessToken, refreshToken, expiresAt: 1, selectedProject: "01JPROJECT" };
  const replyTo = (call: string, wallet: string): unknown => {
    if (call === "/api-keys") return { data: [{ apiKey }] };
    return call === "/auth/web3/session" ? session : { challengeToken, ...challengeOf(wallet) };
  };
  const server = await httpServer(({ url, method, headers, body }: SeenRequest, response) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const call = pathname.slice(path.length);
    const signature = /"signature":"(0x\w+)"/.exec(body)?.[1];
    if (signature !== undefined) signatures.push(signature);
    const sent = [url, headers.authorization ?? "", signature ?? "", body];
    if (call === failing) {
      // Errors quote the beginning of an answer: it begins with another part each time.
      const parts = [...known, ...sent].filter((part) => part !== "");
      const first = (quotes += 1) % parts.length;
      fail([...parts.slice(first), ...parts.slice(0, first)].join(" "), response, method);
      return;
    }
    const reply = replyTo(call, searchParams.get("wallet") ?? "");
    known.push(
      ...sent,
      ...(call === LOGIN_CALLS[1] ? [accessToken, refreshToken] : [challengeToken]),
    );
    sendJson(response, 200, reply);
  });
  const failAt: LoginServer["failAt"] = (call, failure) => {
    [failing, fail, known] = [call, failure, []];
  };
  return Object.assign(server, { failAt, signatures });
}

function challengeOf(wallet: string) {
  const [nonce, statement, issuedAt] = ["n-1", "Log in.", Math.floor(Date.now() / 1000)];
  const types = ["address wallet", "string statement", "string nonce"].map((member) => {
    const [type = "", name = ""] = member.split(" ");
    return { name, type };
  });
  return {
    nonce,
    statement,
    issuedAt,
    expiresAt: issuedAt + 60,
    eip712: {
      domain: { name: "Login of 127.0.0.1", version: "1" },
      types: { Login: types },
      primaryType: "Login",
      message: { wallet, statement, nonce },
    },
  };
}

import type { Address, Hex } from "viem";

import { systemClock } from "../base/clock.js";
import { isLoopback } from "../base/loopback.js";
import { requireAddress } from "../base/hex.js";
import { isHardhatError, providerSentence } from "../base/rpc.js";
import { asData } from "../chain/node-rpc.js";
import { hdpError, isHdpError } from "../errors/hdp-error.js";
import { type LoginChallenge, typedDataToSign } from "../service/login/challenge.js";
import { requireLogin } from "../service/login/login-checks.js";
import { LoginClient } from "../service/login/login-client.js";
import { KEY_VARIABLE } from "./config/hosted-services.js";
import { readAddress, variableName } from "./services.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** A challenge that passed every check, and what signs it. */
export interface CheckedChallenge {
  /** Host of the login. */
  readonly host: string;
  readonly wallet: Address;
  readonly challenge: LoginChallenge;
  /** Signs the challenge with the connection's account, and returns the key of the wallet's project. */
  readonly exchange: () => Promise<string>;
}

const LOGIN = "the login of the service";

/**
 * Returns the challenge of the login that is configured for a network, checked but not signed.
 * @param from the account that signs; default the network's first
 * @throws HdpError HDP-2004 where no login is configured, HDP-6016 without an account, HDP-2100 for a challenge that
 * could be more than a login of this account at this service
 */
export async function checkedChallenge(
  network: ConnectedNetwork,
  from?: Address,
): Promise<CheckedChallenge> {
  const { dataProcessor } = network.config;
  const configured = typeof dataProcessor === "object" ? dataProcessor.loginUrl : undefined;
  const path = network.configPath("dataProcessor.loginUrl");
  if (configured === undefined) {
    const example = 'hdp: { dataProcessor: "herodotus-staging" }, or { url, loginUrl, … }';
    const where = ` for network "${network.networkName}"`;
    throw hdpError("HDP-2004", { what: "login", where, example }, { path });
  }
  const url = await readAddress(configured, path, LOGIN);
  const { protocol, hostname: host } = new URL(url);
  if (protocol !== "https:" && !isLoopback(host)) {
    const reason = `${host} is asked over http, where others can read the signature and use it`;
    throw hdpError("HDP-2100", { reason, variable: KEY_VARIABLE }, { path });
  }
  const wallet = from ?? (await firstAccount(network));
  const { request } = network.config.timeouts;
  const client = new LoginClient({
    url,
    settings: { url: path, timeout: network.configPath("timeouts.request") },
    attemptTimeout: request,
    timeout: 3 * request,
  });
  const challenge = await client.challenge(wallet);
  requireLogin(challenge, { wallet, host, now: systemClock.now() });
  const exchange = async (): Promise<string> => {
    const signature = await signed(network, wallet, challenge);
    return await client.apiKey({ wallet, challengeToken: challenge.challengeToken, signature });
  };
  return { host, wallet, challenge, exchange };
}

async function firstAccount(network: ConnectedNetwork): Promise<Address> {
  const [first] = await network.accounts();
  if (first !== undefined) return requireAddress(first);
  const example = "--from 0x…, or accounts of the network in hardhat.config.ts";
  throw hdpError("HDP-6016", { what: "account", example }, { path: "--from" });
}

/**
 * Signs by the account of the connection: Hardhat's own signing, whatever holds the key.
 * @throws HdpError HDP-2102 where the node cannot, or who holds the key does not
 */
async function signed(
  network: ConnectedNetwork,
  wallet: Address,
  challenge: LoginChallenge,
): Promise<Hex> {
  const method = "eth_signTypedData_v4";
  const params = [wallet, JSON.stringify(typedDataToSign(challenge.eip712))];
  const answer = await network.provider.request({ method, params }).catch((cause: unknown) => {
    if (isHdpError(cause) || isHardhatError(cause)) throw cause;
    const reason = providerSentence(cause).replace(/\.$/, "");
    throw hdpError("HDP-2102", { wallet, reason }, { path: "--from", cause });
  });
  return asData(answer, method, "result");
}

/** The configuration variable that a login keeps the key as. */
export interface KeyVariable {
  readonly name: string;
  /** Path of the configuration's key, where that is not this variable. */
  readonly unreadAt: string | undefined;
}

/** Returns the configuration variable of the network's key: the configured one, else that of hosted services. */
export function keyVariable(network: ConnectedNetwork): KeyVariable {
  const { dataProcessor } = network.config;
  const apiKey = typeof dataProcessor === "object" ? dataProcessor.apiKey : undefined;
  const name = apiKey && variableName(apiKey);
  return name === undefined
    ? { name: KEY_VARIABLE, unreadAt: network.configPath("dataProcessor.apiKey") }
    : { name, unreadAt: undefined };
}

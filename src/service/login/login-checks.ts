import type { Address } from "viem";

import { hdpError } from "../../errors/hdp-error.js";
import { HOSTED_DOMAIN } from "../known-services.js";
import {
  challengeTime,
  DOMAIN_MEMBERS,
  type LoginChallenge,
  type LoginTypedData,
} from "./challenge.js";

/** What a challenge is checked against before it is signed. The service chooses none of it. */
export interface LoginCheck {
  /** The account that signs. */
  readonly wallet: Address;
  /** Host of the configured login. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Throws unless a challenge is a login of this wallet at this service, that has not expired, and that nothing else than a
 * login could be done with. Whatever is not known to be harmless is refused.
 *
 * A service may relay the challenge of another one, to use the signature there. What is signed has to name the configured
 * service in the EIP-712 domain, which every verifier compares with its own.
 *
 * @throws HdpError HDP-2100 with the reason
 */
export function requireLogin(challenge: LoginChallenge, check: LoginCheck): void {
  const { eip712 } = challenge;
  const reason =
    expiryFault(challenge, check.now) ??
    domainFault(eip712) ??
    structFault(eip712) ??
    actionFault(eip712) ??
    valueFault(challenge) ??
    contentFault(challenge) ??
    walletFault(eip712, check.wallet) ??
    serviceFault(challenge, check.host);
  if (reason !== undefined) throw hdpError("HDP-2100", { reason, variable: "HDP_API_KEY" });
}

function expiryFault({ expiresAt }: LoginChallenge, now: number): string | undefined {
  const end = challengeTime(expiresAt);
  if (end === undefined) return `its expiry "${expiresAt}" is not a time`;
  return end <= now ? `it expired at ${new Date(end).toISOString()}` : undefined;
}

/** Members of a domain that tie a signature to a contract, which a login never has. */
const CONTRACT_MEMBERS = ["verifyingContract", "salt"];

function domainFault({ domain, types }: LoginTypedData): string | undefined {
  const ofContract = CONTRACT_MEMBERS.find((member) => member in domain);
  if (ofContract !== undefined)
    return `its domain names a contract (${ofContract}), which would act on the signature`;
  const known = new Map<string, string>(DOMAIN_MEMBERS.map(({ name, type }) => [name, type]));
  const other = Object.entries(domain).find(([name, value]) => !isReadable(known.get(name), value));
  if (other !== undefined) return `its domain has the member "${other[0]}"`;
  const given = types["EIP712Domain"];
  if (given === undefined) return undefined;
  // What the domain's own type leaves out is shown, and not signed.
  const isWhole = given.length === Object.keys(domain).length;
  const isTrue = given.every(({ name, type }) => name in domain && known.get(name) === type);
  return isWhole && isTrue ? undefined : "the type of its domain is another than its members'";
}

/** Types of the members of a login: texts, accounts, times and nonces. */
const LOGIN_MEMBER_TYPES = /^(?:string|address|bytes32|uint(?:8|16|32|64|128|256)?)$/;
/** Everything else would be read as part of the type that is hashed. */
const IDENTIFIER = /^[a-z_]\w*$/i;

/** Returns why typed data is not one flat struct, as a login is. */
function structFault({ types, primaryType, message }: LoginTypedData): string | undefined {
  const structs = Object.keys(types).filter((name) => name !== "EIP712Domain");
  if (structs.length !== 1 || structs[0] !== primaryType)
    return `it holds the structs ${structs.join(", ")}; a login is one, its primary type`;
  const members = types[primaryType] ?? [];
  const other = members.find(({ type }) => !LOGIN_MEMBER_TYPES.test(type));
  if (other !== undefined) return `its member "${other.name}" is of type ${other.type}`;
  const names = members.map(({ name }) => name);
  const unreadable = [primaryType, ...names].find((name) => !IDENTIFIER.test(name));
  if (unreadable !== undefined) return `"${unreadable}" is not a name`;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `it has the member "${repeated}" twice`;
  const unsigned = Object.keys(message).find((name) => !names.includes(name));
  return unsigned === undefined ? undefined : `its member "${unsigned}" has no type`;
}

/** Words in the names of structs and members by which contracts and exchanges act on a signature. */
const ACTING_WORDS =
  /permit|approv|allow|transfer|spend|order|trade|swap|bid|offer|sell|buy|amount|token(?!$)|asset|collection|recipient|delegat|vote|safetx|userop|forward|relay|withdraw|deposit|mint|burn|execut|calldata|callback|claim|redeem|stake|grant|agent|guardian|apikey|sessionkey|^(?:to|from|value|data|gas|fee|deadline|salt|owner|operator)$/i;

/** The members of a challenge's own reply that its message may repeat, whatever they are called. */
const LOGIN_WORDS = /^(?:challengeToken|token)$/;

/** Returns why a name is refused: permits, transfers, orders and the like are, whatever they hold. */
function actionFault({ types, primaryType }: LoginTypedData): string | undefined {
  const names = [primaryType, ...(types[primaryType] ?? []).map(({ name }) => name)];
  const acting = names.find((name) => ACTING_WORDS.test(name) && !LOGIN_WORDS.test(name));
  return acting === undefined ? undefined : `"${acting}" could be more than a login`;
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** A time, a version or a chain. Longer numbers and `bytes32` could hold an account, an amount or the hash of anything. */
const SMALL_NUMBER = /^\d{1,15}$/;

/** Returns whether a value is one that a person can read, by its type. */
function isReadable(type: string | undefined, value: unknown): boolean {
  if (type === "string") return typeof value === "string";
  if (type === "address") return ADDRESS.test(String(value));
  return type?.startsWith("uint") === true && SMALL_NUMBER.test(String(value));
}

function valueFault({ nonce, eip712 }: LoginChallenge): string | undefined {
  const { types, primaryType, message } = eip712;
  const unreadable = (types[primaryType] ?? []).find(
    ({ name, type }) => message[name] !== nonce && !isReadable(type, message[name]),
  );
  return unreadable && `its member "${unreadable.name}" (${unreadable.type}) is not readable`;
}

/**
 * Returns why a challenge is not what the user is shown: what is signed has to contain the nonce and the sentence that the
 * user is shown.
 */
function contentFault({ nonce, statement, eip712 }: LoginChallenge): string | undefined {
  const values = Object.values(eip712.message).map(String);
  if (!values.includes(nonce)) return "the nonce of the challenge is not in it";
  return values.includes(statement) ? undefined : "its statement is not what would be signed";
}

const ADDRESSES = /0x[0-9a-f]{40}(?![0-9a-f])/gi;

function walletFault({ message }: LoginTypedData, wallet: Address): string | undefined {
  const isWallet = (text: string): boolean => text.toLowerCase() === wallet.toLowerCase();
  const values = Object.values(message).map(String);
  const other = values.flatMap((text) => text.match(ADDRESSES) ?? []).find((one) => !isWallet(one));
  if (other !== undefined) return `it is for the account ${other}, not for ${wallet}`;
  return values.some(isWallet) ? undefined : `it does not name the account ${wallet}`;
}

/** A name of a host wherever it stands: after a scheme, a user name, or within a sentence. */
const HOSTS =
  /(?<![\p{L}\p{N}-])(?:[\p{L}\p{N}-]+\.)+(?:xn--[a-z0-9-]+|\p{L}{2,})(?![\p{L}\p{N}-])/giu;

/**
 * Returns why a challenge may be of another service: the EIP-712 domain has to name the service, and nothing may name
 * another one.
 */
function serviceFault({ eip712, statement }: LoginChallenge, host: string): string | undefined {
  const domain = serviceDomain(host);
  const [label = domain] = isHosted(host) ? domain.split(".") : [domain];
  const { name = "" } = eip712.domain;
  if (typeof name !== "string" || !name.toLowerCase().includes(label))
    return `its domain "${String(name)}" is not one of ${label}, so that another service could take the signature`;
  const texts = [...Object.values(eip712.domain), ...Object.values(eip712.message), statement];
  const foreign = texts
    .flatMap((text) => String(text).toLowerCase().match(HOSTS) ?? [])
    .find((one) => one !== domain && !one.endsWith(`.${domain}`));
  return foreign === undefined ? undefined : `it names ${foreign}, which is not of ${domain}`;
}

/**
 * Returns the domain of a service: hosts of the hosted service are one service; of another service only the configured
 * host is known.
 */
function serviceDomain(host: string): string {
  return isHosted(host) ? HOSTED_DOMAIN : host.toLowerCase();
}

function isHosted(host: string): boolean {
  return host.toLowerCase().endsWith(`.${HOSTED_DOMAIN}`);
}

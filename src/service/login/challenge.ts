import type { Address } from "viem";
import { z } from "zod";

import { hdpError, type HdpError } from "../../errors/hdp-error.js";
import { isRecord } from "../../base/collections.js";

/** A member of a struct in EIP-712 typed data. */
const memberSchema = z.object({ name: z.string(), type: z.string() });

/** The typed data of a challenge, signed as it comes: its members are not published and may change. */
const typedDataSchema = z.object({
  domain: z.record(z.unknown()),
  types: z.record(z.array(memberSchema)),
  primaryType: z.string(),
  message: z.record(z.unknown()),
});

/** Reply of `GET /auth/web3/challenge`. */
export const loginChallengeSchema = z.object({
  challengeToken: z.string().min(1),
  nonce: z.string().min(1),
  issuedAt: z.union([z.string(), z.number()]),
  expiresAt: z.union([z.string(), z.number()]),
  statement: z.string().min(1),
  eip712: typedDataSchema,
});

/** A challenge as the service sends it. */
export type LoginChallenge = z.infer<typeof loginChallengeSchema>;
/** The typed data of a challenge. */
export type LoginTypedData = LoginChallenge["eip712"];

/** What a signature of a challenge is checked against before it is made. */
export interface LoginCheck {
  /** The account that signs. */
  readonly wallet: Address;
  /** Host of the service that sent the challenge. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Types of the members of a login: texts, an account, times and a nonce. */
const LOGIN_MEMBER_TYPES = /^(?:string|address|bytes32|uint(?:8|16|32|64|128|256)?|string\[\])$/;

/** Members of a domain that tie a signature to a contract, which a login never has. */
const CONTRACT_MEMBERS = ["verifyingContract", "salt"];

/** Words in the names of structs and members by which contracts and exchanges act on a signature. */
const ACTING_WORDS =
  /permit|approv|allow|transfer|spend|order|trade|swap|bid|offer|sell|buy|amount|token(?!$)|asset|collection|recipient|delegat|vote|safetx|userop|forward|relay|withdraw|deposit|mint|burn|execut|calldata|callback|^(?:to|from|value|data|gas|fee|deadline|salt|owner|operator)$/i;

/** The members of a challenge's own reply that its message may repeat, whatever they are called. */
const LOGIN_WORDS = /^(?:challengeToken|token)$/;

/**
 * Throws unless a challenge is a login of this wallet at this service, that has not expired, and that nothing else than a
 * login could be done with. Everything that is not known to be harmless is refused.
 *
 * @throws HdpError HDP-2100 with the reason
 */
export function requireLogin(challenge: LoginChallenge, check: LoginCheck): void {
  const fault =
    expiryFault(challenge, check.now) ??
    shapeFault(challenge.eip712) ??
    actionFault(challenge.eip712) ??
    contentFault(challenge) ??
    walletFault(challenge.eip712, check.wallet) ??
    domainFault(challenge, check.host);
  if (fault !== undefined) throw refused(fault);
}

/** Returns a time of a challenge, unix seconds or ISO 8601, in milliseconds; undefined for another text. */
export function challengeTime(time: string | number): number | undefined {
  const text = String(time);
  const milliseconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}

/** Returns the typed data as JSON-RPC's `eth_signTypedData_v4` takes it: with the domain's own type. */
export function typedDataToSign({ domain, types, ...rest }: LoginTypedData): LoginTypedData {
  return { ...rest, domain, types: { EIP712Domain: domainType(domain), ...types } };
}

/** Members of an EIP-712 domain in the order of the standard, with their types. */
const DOMAIN_MEMBERS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
] as const;

function domainType(domain: LoginTypedData["domain"]): z.infer<typeof memberSchema>[] {
  return DOMAIN_MEMBERS.filter(({ name }) => domain[name] !== undefined);
}

function expiryFault({ expiresAt }: LoginChallenge, now: number): string | undefined {
  const end = challengeTime(expiresAt);
  if (end === undefined) return `its expiry "${expiresAt}" is not a time`;
  return end <= now ? `it expired at ${new Date(end).toISOString()}` : undefined;
}

/** A login is one flat struct in a domain without a contract. */
function shapeFault({ domain, types, primaryType, message }: LoginTypedData): string | undefined {
  const ofContract = CONTRACT_MEMBERS.find((member) => member in domain);
  if (ofContract !== undefined)
    return `its domain names a contract (${ofContract}), which would act on the signature`;
  const unknownMember = Object.keys(domain).find(
    (member) => !DOMAIN_MEMBERS.some(({ name }) => name === member),
  );
  if (unknownMember !== undefined) return `its domain has the member "${unknownMember}"`;
  const structs = Object.keys(types).filter((name) => name !== "EIP712Domain");
  if (structs.length !== 1 || structs[0] !== primaryType)
    return `it holds the structs ${structs.join(", ")}; a login is one, its primary type`;
  const members = types[primaryType] ?? [];
  const other = members.find(({ type }) => !LOGIN_MEMBER_TYPES.test(type));
  if (other !== undefined) return `its member "${other.name}" is of type ${other.type}`;
  const unsigned = Object.keys(message).find((name) => !members.some((one) => one.name === name));
  return unsigned === undefined ? undefined : `its member "${unsigned}" has no type`;
}

/** Names of permits, transfers, orders and the like are refused whatever they hold. */
function actionFault({ types, primaryType }: LoginTypedData): string | undefined {
  const names = [primaryType, ...(types[primaryType] ?? []).map(({ name }) => name)];
  const acting = names.find((name) => ACTING_WORDS.test(name) && !LOGIN_WORDS.test(name));
  return acting === undefined ? undefined : `"${acting}" could be more than a login`;
}

/** What is signed has to contain the nonce and the sentence that the user is shown. */
function contentFault({ nonce, statement, eip712 }: LoginChallenge): string | undefined {
  const values = Object.values(eip712.message).map(String);
  if (!values.includes(nonce)) return "the nonce of the challenge is not in it";
  return values.includes(statement) ? undefined : "its statement is not what would be signed";
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;

function walletFault({ message }: LoginTypedData, wallet: Address): string | undefined {
  const addresses = Object.values(message).filter(
    (value): value is string => typeof value === "string" && ADDRESS.test(value),
  );
  const other = addresses.find((address) => address.toLowerCase() !== wallet.toLowerCase());
  if (other !== undefined) return `it is for the account ${other}, not for ${wallet}`;
  return addresses.length === 0 ? `it does not name the account ${wallet}` : undefined;
}

/** Every host that a challenge names has to be the service's: the same registered domain. */
function domainFault({ eip712, statement }: LoginChallenge, host: string): string | undefined {
  const texts = [...Object.values(eip712.domain), ...Object.values(eip712.message), statement];
  const named = texts.flatMap((text) => (typeof text === "string" ? hostsIn(text) : []));
  const foreign = named.find((one) => registeredDomain(one) !== registeredDomain(host));
  return foreign === undefined ? undefined : `it names ${foreign}, which is not ${host}`;
}

/** Matches the host of an address with a scheme, or a text that is nothing but a host. */
const HOST =
  /(?<=^|[a-z]:\/\/)(?:[a-z0-9-]+\.)+[a-z]{2,}(?=[/:?#\s]|$)|(?<=\s)(?:[a-z0-9-]+\.)+[a-z]{2,}(?=[/:?#\s]|$)/gi;

function hostsIn(text: string): readonly string[] {
  return text.match(HOST) ?? [];
}

/** The last two labels; addresses of this machine, which have none, are compared whole. */
function registeredDomain(host: string): string {
  const name = host.toLowerCase();
  return /^[\d.]+$/.test(name) ? name : name.split(".").slice(-2).join(".");
}

function refused(reason: string): HdpError {
  return hdpError("HDP-2100", { reason, variable: "HDP_API_KEY" });
}

/** Returns the members of a message for the screen, in the order in which they are signed. */
export function signedMembers({ types, primaryType, message }: LoginTypedData): readonly {
  readonly name: string;
  readonly value: string;
}[] {
  return (types[primaryType] ?? []).map(({ name }) => ({ name, value: shown(message[name]) }));
}

function shown(value: unknown): string {
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}

import { z } from "zod";

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

/** Members that the domain of a login may have, in the order of EIP-712, with their types. */
export const DOMAIN_MEMBERS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
] as const;

function domainType(domain: LoginTypedData["domain"]): z.infer<typeof memberSchema>[] {
  return DOMAIN_MEMBERS.filter(({ name }) => domain[name] !== undefined);
}

/** Returns the members of a message for the screen, in the order in which they are signed. */
export function signedMembers({ types, primaryType, message }: LoginTypedData): readonly {
  readonly name: string;
  readonly value: string;
}[] {
  return (types[primaryType] ?? []).map(({ name }) => ({ name, value: String(message[name]) }));
}

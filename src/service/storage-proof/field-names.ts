import { FIELDS } from "../../request/field-table.js";

type Names<K extends "header" | "account"> = {
  readonly [F in keyof (typeof FIELDS)[K]]: (typeof FIELDS)[K][F] extends { readonly proof: infer N extends string }
    ? N
    : never;
}[keyof (typeof FIELDS)[K]];

/** Account properties that the published clients ask for. */
export type StorageProofAccountProp = Names<"account">;

/** Header fields that the published clients ask for; PROPOSER is a second name of COINBASE. */
export type StorageProofHeaderField = Names<"header"> | "PROPOSER";

/** Names of account properties. */
export const ACCOUNT_PROPS: readonly string[] = Object.values(FIELDS.account).map(({ proof }) => proof);

/** Names of header fields by their position in the header's RLP list. */
const HEADER_NAMES: readonly string[] = Object.values(FIELDS.header).map(({ proof }) => proof);

/** Position of a header field's published name in the header's RLP list; -1 for a name that is not published. */
export function headerPosition(name: string): number {
  return HEADER_NAMES.indexOf(name === "PROPOSER" ? FIELDS.header.beneficiary.proof : name);
}

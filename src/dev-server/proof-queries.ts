import { z } from "zod";

import type { Row } from "../base/sqlite.js";
import type { JsonForm } from "../request/reader.js";
import { ACCOUNT_PROPS, HEADER_FIELDS } from "../service/storage-proof.js";
import { textIn } from "./database.js";
import { chainIdSchema, chainSchema, describedAs, choiceSchema, textSchema } from "./described.js";

/** A request names up to 19,000 of them: checks and transformations of zod would take 3 kB of memory for each. */
const slotSchema = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, "not a slot of 32 bytes");
const addressSchema = textSchema(
  /^0x[0-9a-fA-F]{40}$/,
  "not an address (names are not resolved here)",
);
const headerFieldSchema = choiceSchema(HEADER_FIELDS, "not a header field");
const accountPropSchema = choiceSchema(ACCOUNT_PROPS, `not one of ${ACCOUNT_PROPS.join(", ")}`);
const timeSchema = textSchema(
  /^(?:block|timestamp):\d+$/,
  "neither block:<number> nor timestamp:<unix seconds>",
);

/** JSON Schema of an object of which one of two members is there and not empty. */
const eitherForm = (first: JsonForm, second: JsonForm): JsonForm => ({
  anyOf: [first, second].map((properties) => ({ required: Object.keys(properties), properties })),
});

const accountSchema = describedAs(
  z
    .object({
      slots: z.array(slotSchema).default([]),
      props: z.array(accountPropSchema).default([]),
    })
    .refine(
      ({ slots, props }) => slots.length + props.length > 0,
      "neither slots nor props are given",
    ),
  eitherForm({ slots: { minItems: 1 } }, { props: { minItems: 1 } }),
);
const selectionSchema = describedAs(
  z
    .object({
      header: z.array(headerFieldSchema).default([]),
      accounts: z.record(addressSchema, accountSchema).default({}),
    })
    .refine(
      ({ header, accounts }) => header.length + Object.keys(accounts).length > 0,
      "neither header fields nor accounts are given",
    ),
  eitherForm({ header: { minItems: 1 } }, { accounts: { minProperties: 1 } }),
);

const blocksSchema = describedAs(
  z
    .record(timeSchema, selectionSchema)
    .refine((blocks) => Object.keys(blocks).length > 0, "no block is named"),
  { minProperties: 1 },
);

/** Body of `POST /submit-request`: origin chain id to time key to selection. */
export const proofRequestSchema = z.object({
  destination_chain_id: chainSchema,
  data: describedAs(
    z
      .record(chainIdSchema, blocksSchema)
      .refine((data) => Object.keys(data).length > 0, "no block is named"),
    { minProperties: 1 },
  ),
});

/** The values to prove of one block of one chain. */
const proofQuerySchema = z.object({
  /** Decimal. */
  chainId: z.string(),
  /** `block:<number>` or `timestamp:<unix seconds>`. */
  time: timeSchema,
  selection: selectionSchema,
});
/** One block of one chain, and what is wanted of it. */
export type ProofQuery = z.infer<typeof proofQuerySchema>;

/** What is wanted of one account. */
export type ProofAccount = z.output<typeof accountSchema>;

/** Returns the queries of a request, one for each block of each origin chain. */
export function proofQueries({ data }: z.output<typeof proofRequestSchema>): readonly ProofQuery[] {
  return Object.entries(data).flatMap(([chainId, blocks]) =>
    Object.entries(blocks).map(([time, selection]) => ({ chainId, time, selection })),
  );
}

/** Returns the query of a row of `proof_query`. */
export function queryIn(row: Row): ProofQuery {
  return proofQuerySchema.parse(JSON.parse(textIn(row, "query")));
}

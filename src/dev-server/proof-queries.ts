import { z } from "zod";

import type { Row } from "../base/sqlite.js";
import { ACCOUNT_PROPS, headerPosition } from "../service/storage-proof.js";
import { textIn } from "./database.js";
import { chainNamed } from "./server-task.js";

/** Returns a schema of text that passes a test. The error quotes the text. */
function textThat(passes: (text: string) => boolean, words: string): z.ZodEffects<z.ZodString> {
  return z.string().refine(passes, (text) => ({ message: `"${text.slice(0, 80)}" is ${words}` }));
}

const chainSchema = textThat((text) => chainNamed(text) !== undefined, "not a known chain");
const isChainId = (text: string): boolean => /^\d+$/.test(text) && chainNamed(text) !== undefined;
const chainIdSchema = textThat(isChainId, "not the id of a known chain");
/** A request names up to 19,000 of them: checks and transformations of zod would take 3 kB of memory for each. */
const slotSchema = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, "not a slot of 32 bytes");
const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
const addressSchema = textThat(isAddress, "not an address (names are not resolved here)");
const headerFieldSchema = textThat((text) => headerPosition(text) >= 0, "not a header field");
const accountPropSchema = textThat(
  (text) => ACCOUNT_PROPS.includes(text),
  `not one of ${ACCOUNT_PROPS.join(", ")}`,
);
const isTime = (text: string): boolean => /^(block|timestamp):\d+$/.test(text);
const timeSchema = textThat(isTime, "neither block:<number> nor timestamp:<unix seconds>");
const accountSchema = z
  .object({ slots: z.array(slotSchema).default([]), props: z.array(accountPropSchema).default([]) })
  .refine(
    ({ slots, props }) => slots.length + props.length > 0,
    "neither slots nor props are given",
  );
const selectionSchema = z
  .object({
    header: z.array(headerFieldSchema).default([]),
    accounts: z.record(addressSchema, accountSchema).default({}),
  })
  .refine(
    ({ header, accounts }) => header.length + Object.keys(accounts).length > 0,
    "neither header fields nor accounts are given",
  );

/** Body of `POST /submit-request`: origin chain id to time key to selection. */
export const proofRequestSchema = z.object({
  destination_chain_id: chainSchema,
  data: z
    .record(chainIdSchema, z.record(timeSchema, selectionSchema))
    .refine(
      (data) => Object.values(data).some((blocks) => Object.keys(blocks).length > 0),
      "no block is named",
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

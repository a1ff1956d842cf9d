import { z } from "zod";

import type { BlockRange } from "../request/provability.js";
import { endpointCall } from "./endpoints.js";
import type { HttpClient, ServiceCallOptions } from "./http/http-client.js";

const rangeSchema = z.tuple([z.number().int().min(0), z.number().int().min(0)]);
const functionsSchema = z
  .object({ keccak: z.array(rangeSchema).default([]), poseidon: z.array(rangeSchema).default([]) })
  .passthrough();

/** `GET /block-ranges/get-all-ranges-accumulated-per-chain`: by source chain, then by the accumulator's chain. */
export const blockRangesSchema = z.record(
  z.string().regex(/^\d{1,77}$/),
  z.record(z.string().regex(/^\d{1,77}$/), functionsSchema),
);

/** Returns the ranges of a source chain's blocks in accumulators of a chain; undefined where there is no accumulator. */
export type BlockRanges = (source: bigint, deployedOn: bigint) => readonly BlockRange[] | undefined;

/** Client of the indexer, which knows what the accumulators of each chain hold. Needs no key. */
export class IndexerClient {
  readonly #http: HttpClient;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Returns the ranges of all accumulators, of both hash functions. */
  public async ranges(options?: ServiceCallOptions): Promise<BlockRanges> {
    const table = await this.#http.call(
      endpointCall("GET /block-ranges/get-all-ranges-accumulated-per-chain"),
      (reply) => blockRangesSchema.parse(reply.json()),
      options,
    );
    return (source, deployedOn) => {
      const found = table[source.toString()]?.[deployedOn.toString()];
      const pairs = found && [...found.poseidon, ...found.keccak];
      return pairs?.map(([first, last]) => ({ first: BigInt(first), last: BigInt(last) }));
    };
  }
}

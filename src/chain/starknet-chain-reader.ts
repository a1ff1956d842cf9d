import { z } from "zod";

import { BoundedCache } from "../base/collections.js";
import { formatFelt, isFelt, shortStringFelt } from "../base/felt.js";
import { firstIssue } from "../base/text.js";
import type { StarknetHeaderField } from "../request/starknet-fields.js";
import { hdpError } from "../errors/hdp-error.js";
import type { Read, StarknetReader } from "./chain-reader.js";

/** Sends one JSON-RPC call and returns its `result`; throws for the node's `error`. */
type StarknetRequest = (
  method: string,
  params: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

const felt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)
  .refine(isFelt, "expected a felt");
const price = z.object({ price_in_wei: felt, price_in_fri: felt });

const blockSchema = z.object({
  block_number: z.number().int().nonnegative(),
  new_root: felt,
  sequencer_address: felt,
  timestamp: z.number().int().nonnegative(),
  parent_hash: felt,
  starknet_version: z.string(),
  l1_gas_price: price,
  l1_data_gas_price: price.optional(),
  l1_da_mode: z.enum(["BLOB", "CALLDATA"]).optional(),
  transactions: z.array(z.unknown()).transform(({ length }) => length),
});
type Block = z.output<typeof blockSchema>;

/** Number of blocks and of slots that are kept: twice those that a module's run reads ahead. */
const WINDOW = 2_048;

/** Functions that return a field from a block's answer; RPC answers lack the commitments and counts in between. */
const FIELDS: Readonly<Partial<Record<StarknetHeaderField, (block: Block) => bigint | undefined>>> =
  {
    blockNumber: (block) => BigInt(block.block_number),
    stateRoot: (block) => block.new_root,
    sequencerAddress: (block) => block.sequencer_address,
    blockTimestamp: (block) => BigInt(block.timestamp),
    transactionCount: (block) => BigInt(block.transactions),
    parentBlockHash: (block) => block.parent_hash,
    l1GasPriceInWei: (block) => block.l1_gas_price.price_in_wei,
    l1GasPriceInFri: (block) => block.l1_gas_price.price_in_fri,
    l1DataGasPriceInWei: (block) => block.l1_data_gas_price?.price_in_wei,
    l1DataGasPriceInFri: (block) => block.l1_data_gas_price?.price_in_fri,
    l1DataMode: ({ l1_da_mode: mode }) => mode && BigInt(mode === "BLOB"),
    protocolVersion: (block) => shortStringFelt(block.starknet_version),
  };

/**
 * Returns a Starknet reader over JSON-RPC, without proofs. It keeps some values: create one for each run. Reading a field
 * that RPC answers lack is an error.
 */
export function createStarknetRpcReader(request: StarknetRequest): StarknetReader {
  const blocks = new BoundedCache<bigint, Block>(WINDOW);
  const slots = new BoundedCache<string, bigint>(WINDOW);
  const readBlock = (number: bigint): Promise<Block> =>
    blocks.get(number, async () => {
      const answer = await request("starknet_getBlockWithTxHashes", blockId(number));
      return parsed(blockSchema, answer, `block ${number}`);
    });
  const reads: StarknetReader = {
    async header(number, field): Promise<Read<bigint>> {
      const value = FIELDS[field]?.(await readBlock(number));
      if (value !== undefined) return { value, proven: false };
      const allowed = Object.keys(FIELDS).join(", ");
      throw hdpError("HDP-7119", { field, block: number, allowed });
    },
    async storage(number, address, key): Promise<Read<bigint>> {
      const [contract_address, felt_key] = [address, key].map((hex) => formatFelt(BigInt(hex)));
      const value = await slots.get([number, contract_address, felt_key].join(), async () => {
        const place = { contract_address, key: felt_key, ...blockId(number) };
        return parsed(felt, await request("starknet_getStorageAt", place), `storage of ${address}`);
      });
      return { value, proven: false };
    },
  };
  // Unproven reads leave no trace.
  return { ...reads, ahead: reads };
}

function blockId(block: bigint): { readonly block_id: { readonly block_number: number } } {
  return { block_id: { block_number: Number(block) } };
}

function parsed<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, answer: unknown, what: string): T {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const { path, message: problem } = firstIssue(result.error);
  throw hdpError("HDP-4102", { place: path === "" ? what : `field "${path}" of ${what}`, problem });
}

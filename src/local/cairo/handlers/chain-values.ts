import type { Hex } from "viem";

import type { ChainReader, Read } from "../../chain-reader.js";
import { HEADER_FIELDS, STARKNET_HEADER_FIELDS } from "../generations.js";
import { describeRead, type ModuleRead } from "../module-read.js";
import type { StarknetHeaderField, StarknetReader } from "../starknet-reader.js";
import { CairoVmError, inconsistent } from "../vm-error.js";
import { receiptField, logField } from "./receipt-field.js";
import { bytesAt, integer, notReturned, words } from "./rlp-fields.js";
import { transactionField } from "./transaction-field.js";

/** Readers by chain; undefined or an error for a chain that is not configured. */
export interface ChainReaders {
  readonly reader: (chainId: bigint) => ChainReader | undefined;
  readonly starknetReader?: ((chainId: bigint) => StarknetReader | undefined) | undefined;
}

type Value = bigint | readonly bigint[];

/** Answers module reads from chain readers: takes the field out of the form that was proven. */
export async function readChainValue(readers: ChainReaders, read: ModuleRead): Promise<Read<Value>> {
  if (read.kind === "starknetHeader" || read.kind === "starknetStorage") {
    const reader = readers.starknetReader?.(read.chainId);
    if (reader === undefined) throw notConfigured(read);
    return read.kind === "starknetStorage"
      ? await reader.storage(read.block, read.address, read.slot)
      : await reader.header(read.block, starknetField(read.field));
  }
  const reader = readers.reader(read.chainId);
  if (reader === undefined) throw notConfigured(read);
  if (read.kind === "storage") return await reader.storage(read.block, read.address, read.slot);
  const what = describeRead(read);
  switch (read.kind) {
    case "header": {
      const { value, proven } = await reader.header(read.block);
      const bytes = bytesAt(value, HEADER_FIELDS.indexOf(read.field), what);
      if (read.field === "logsBloom") return { value: words(bytes, what), proven };
      if (read.field === "extraData") throw notReturned(what, "is of any length");
      return { value: integer(bytes), proven };
    }
    case "account": {
      const { value, proven } = await reader.account(read.block, read.address);
      const fields = new Map<string, bigint | Hex>(Object.entries({ ...value } satisfies Record<string, bigint | Hex>));
      const field = fields.get(read.field);
      if (field === undefined) throw inconsistent(`an account has no ${read.field}`);
      return { value: BigInt(field), proven };
    }
    case "transaction": {
      const { value, proven } = await reader.transaction(read.block, read.index);
      return { value: await transactionField(value, read.field, what), proven };
    }
    case "receipt": {
      const { value, proven } = await reader.receipt(read.block, read.index);
      return { value: receiptField(value, read.field, what), proven };
    }
    case "log": {
      const { value, proven } = await reader.receipt(read.block, read.index);
      return { value: logField(value, read.logIndex, read.field, what), proven };
    }
  }
}

function starknetField(name: string): StarknetHeaderField {
  const field = STARKNET_HEADER_FIELDS.find((known) => known === name);
  if (field === undefined) throw inconsistent(`a Starknet header has no ${name}`);
  return field;
}

function notConfigured(read: ModuleRead): CairoVmError {
  const starknet = read.kind.startsWith("starknet");
  return new CairoVmError({
    code: "HDP-7114",
    message: `the module reads ${describeRead(read)}, and no ${starknet ? "Starknet RPC" : "node"} is configured for that chain`,
    hints: ["Configure an RPC URL for the chain, or run the module on blocks of a configured one."],
  });
}

import type { Address, Hex } from "viem";

import { ServiceValidationError } from "../http/service-errors.js";
import type { StorageProofAccountProp, StorageProofHeaderField } from "./field-names.js";
import type { StorageProofSubmit } from "./storage-proof.js";

export interface StorageProofAccount {
  readonly slots?: readonly (Hex | bigint)[];
  readonly props?: readonly StorageProofAccountProp[];
}

/** What is to be proven of one block, given by number or by time (unix seconds). */
export type StorageProofBlock = ({ readonly block: bigint } | { readonly timestamp: bigint }) & {
  readonly header?: readonly StorageProofHeaderField[];
  readonly accounts?: Readonly<Record<Address, StorageProofAccount>>;
};

export interface StorageProofRequest {
  /** As the service names it: `SN_SEPOLIA`; other accepted forms are not published, so it is passed on as given. */
  readonly destinationChainId: string;
  /** By origin chain id. */
  readonly origins: readonly { readonly chainId: bigint; readonly blocks: readonly StorageProofBlock[] }[];
}

/**
 * The body of a storage proof request from its known fields. For fields that are not known here, give
 * `StorageProof.submitRequest` the JSON itself.
 *
 * @example
 * storageProofRequest({
 *   destinationChainId: "SN_SEPOLIA",
 *   origins: [{ chainId: 11155111n, blocks: [{ block: 5150551n, accounts: { "0x17C2…": { slots: [0n] } } }] }],
 * })
 */
export function storageProofRequest(request: StorageProofRequest): StorageProofSubmit {
  const data: StorageProofSubmit["data"] = {};
  for (const [index, origin] of request.origins.entries()) {
    const path = `origins[${index}]`;
    const blocks = (data[origin.chainId.toString()] ??= {});
    if (origin.blocks.length === 0) throw refused(`${path}.blocks`, "no block is given");
    for (const [position, block] of origin.blocks.entries()) {
      const key = "block" in block ? `block:${block.block}` : `timestamp:${block.timestamp}`;
      const place = `${path}.blocks[${position}]`;
      if (key.includes("-")) throw refused(place, `${key} is negative`);
      if (key in blocks) throw refused(place, `${key} of chain ${origin.chainId} is given twice`);
      blocks[key] = selection(block, place);
    }
  }
  if (Object.keys(data).length === 0) throw refused("origins", "nothing is asked for");
  return { destination_chain_id: request.destinationChainId, data };
}

function selection(block: StorageProofBlock, place: string): StorageProofSubmit["data"][string][string] {
  const accounts = Object.entries(block.accounts ?? {}).map(([address, account]) => {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw refused(`${place}.accounts`, `"${address}" is no address`);
    const slots = account.slots?.map((slot) => slotText(slot, `${place}.accounts.${address}.slots`));
    if ((slots ?? []).length === 0 && (account.props ?? []).length === 0) {
      throw refused(`${place}.accounts.${address}`, "neither slots nor props are given");
    }
    return [
      address,
      {
        ...(slots === undefined ? {} : { slots }),
        ...(account.props === undefined ? {} : { props: [...account.props] }),
      },
    ] as const;
  });
  if (accounts.length === 0 && (block.header ?? []).length === 0) {
    throw refused(place, "neither header fields nor accounts are given");
  }
  return {
    ...(block.header === undefined ? {} : { header: [...block.header] }),
    ...(block.accounts === undefined ? {} : { accounts: Object.fromEntries(accounts) }),
  };
}

function slotText(slot: Hex | bigint, place: string): string {
  if (typeof slot === "bigint") {
    if (slot < 0n || slot >= 1n << 256n) throw refused(place, `${slot} is no slot of 32 bytes`);
    return `0x${slot.toString(16)}`;
  }
  if (!/^0x[0-9a-fA-F]{1,64}$/.test(slot)) throw refused(place, `"${slot}" is no slot of 32 bytes`);
  return slot;
}

function refused(path: string, fault: string): ServiceValidationError {
  return new ServiceValidationError({
    code: "HDP-2024",
    path,
    message: `${fault}.`,
    hints: [
      "A storage proof request names header fields, or accounts with slots or props, per block. Nothing was sent.",
    ],
  });
}

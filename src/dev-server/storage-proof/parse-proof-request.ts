import type { z } from "zod";

import { chainIdentifierOf, findChainIdentifier } from "../../request/chains.js";
import { ACCOUNT_PROPS, headerPosition, type storageProofSubmitSchema } from "../../service/storage-proof.js";
import { FrontProblem } from "../front-problem.js";
import { FRONT_LIMITS, listed } from "../limits.js";
import type { ProofQuery } from "./proof-record.js";

const MOST_FAULTS = FRONT_LIMITS.mistakes;
type Body = z.output<typeof storageProofSubmitSchema>;
type Selection = Body["data"][string][string];

/**
 * The queries of a storage proof request: one for each block of each origin chain.
 *
 * @throws FrontProblem HDP-4531 (400) that names all parts which cannot be served.
 */
export function proofQueries(body: Body, newId: () => string): readonly ProofQuery[] {
  const faults: string[] = [];
  if (!isKnownChain(body.destination_chain_id)) {
    faults.push(`destination_chain_id: "${body.destination_chain_id}" is no known chain`);
  }
  const queries = Object.entries(body.data).flatMap(([chain, blocks]) => {
    if (!/^\d+$/.test(chain) || !isKnownChain(chain)) faults.push(`data.${chain}: no known chain id`);
    return Object.entries(blocks).map(([key, selection]) => {
      const path = `data.${chain}.${key}`;
      const [kind, number = ""] = key.split(":");
      return {
        id: newId(),
        chainId: chain,
        ...(kind === "block" ? { block: number } : { timestamp: number }),
        ...readSelection(selection, path, faults),
      };
    });
  });
  if (queries.length === 0) faults.push("data: nothing is asked for");
  if (faults.length === 0) return queries;
  throw new FrontProblem({
    code: "HDP-4531",
    status: 400,
    message: "the storage proof request cannot be served.",
    hints: listed(faults.slice(0, MOST_FAULTS), faults.length),
  });
}

function readSelection(selection: Selection, path: string, faults: string[]): Pick<ProofQuery, "header" | "accounts"> {
  const { header } = selection;
  for (const name of header ?? [])
    if (headerPosition(name) < 0) faults.push(`${path}.header: "${name}" is no header field`);
  const accounts = Object.entries(selection.accounts ?? {}).map(([address, { slots = [], props = [] }]) => {
    const place = `${path}.accounts.${address}`;
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) faults.push(`${place}: not an address (names are not resolved here)`);
    if (slots.length + props.length === 0) faults.push(`${place}: neither slots nor props are given`);
    for (const name of props)
      if (!ACCOUNT_PROPS.includes(name))
        faults.push(`${place}.props: "${name}" is none of ${ACCOUNT_PROPS.join(", ")}`);
    return { address: lowerHex(address), slots: slots.map((slot) => slotWord(slot, place, faults)), props };
  });
  if (accounts.length + (header?.length ?? 0) === 0)
    faults.push(`${path}: neither header fields nor accounts are given`);
  return header === undefined ? { accounts } : { header, accounts };
}

/** 32 bytes, as nodes take slots. */
function slotWord(slot: string, place: string, faults: string[]): `0x${string}` {
  if (/^0x[0-9a-fA-F]{1,64}$/.test(slot)) return `0x${slot.slice(2).toLowerCase().padStart(64, "0")}`;
  faults.push(`${place}.slots: "${slot.slice(0, 80)}" is no slot of 32 bytes`);
  return "0x";
}

function lowerHex(address: string): `0x${string}` {
  return `0x${address.slice(2).toLowerCase()}`;
}

function isKnownChain(chain: string): boolean {
  const isNumber = /^(0x[0-9a-fA-F]+|\d+)$/.test(chain);
  return (isNumber ? chainIdentifierOf(BigInt(chain)) : findChainIdentifier(chain)) !== undefined;
}

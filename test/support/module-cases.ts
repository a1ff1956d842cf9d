import { readFileSync } from "node:fs";
import { join } from "node:path";

import { fromRlp, type Hex } from "viem";
import { z } from "zod";

import type { ChainReader, Read, StarknetReader } from "../../src/chain/chain-reader.js";
import { GENERATION_NAMES } from "../../src/cairo/module-read.js";
import { readVectors, VECTORS } from "./vectors.js";

/** Folder of the module cases. */
export const MODULE_VECTORS = join(VECTORS, "modules");

const hex = z.string().transform((text): Hex => `0x${text.slice(2)}`);
const place = { chainId: z.string(), blockNumber: z.string() };

const readsSchema = z.object({
  headers: z.array(z.object({ ...place, rlp: hex })).default([]),
  accounts: z
    .array(
      z.object({
        ...place,
        address: hex,
        fields: z.object({
          nonce: z.string(),
          balance: z.string(),
          storageRoot: hex,
          codeHash: hex,
        }),
      }),
    )
    .default([]),
  storages: z.array(z.object({ ...place, address: hex, slot: hex, value: hex })).default([]),
  transactions: z.array(z.object({ ...place, index: z.string(), raw: hex })).default([]),
  receipts: z.array(z.object({ ...place, index: z.string(), raw: hex })).default([]),
  starknetHeaders: z.array(z.object({ ...place, fields: z.record(z.string()) })).default([]),
  starknetStorages: z
    .array(z.object({ ...place, address: hex, slot: hex, value: hex }))
    .default([]),
});

const caseSchema = z.object({
  id: z.string(),
  programHash: z.string(),
  convention: z.enum(GENERATION_NAMES),
  inputs: z.array(z.object({ visibility: z.enum(["public", "private"]), value: hex })),
  reads: readsSchema,
  expected: z.object({
    result: z.object({ decimal: z.string(), hex: z.string() }).optional(),
    retdata: z.array(z.string()),
    failed: z.boolean().optional(),
  }),
  whenSlotIsOneHigher: z.object({ retdata: z.array(z.string()) }).optional(),
});
export type ModuleCase = z.output<typeof caseSchema>;

/** The published cases, or undefined where the vectors are not at hand. */
export function moduleCases(file: string): readonly ModuleCase[] | undefined {
  const json = readVectors(join("modules", file));
  return json === undefined
    ? undefined
    : z.object({ cases: z.array(caseSchema) }).parse(json).cases;
}

/** The compiled class of a case, parsed JSON. */
export function moduleClass(folder: string, programHash: string): unknown {
  const json: unknown = JSON.parse(
    readFileSync(join(MODULE_VECTORS, folder, `${programHash}.json`), "utf8"),
  );
  return json;
}

/** A chain that has exactly what a case recorded; everything asked is noted in `touched`, anything else throws. */
export class RecordedChain {
  public readonly touched = new Set<string>();
  readonly #values = new Map<string, unknown>();

  readonly #onRead: () => void;

  public constructor(reads: ModuleCase["reads"], onRead: () => void = () => undefined) {
    this.#onRead = onRead;
    for (const r of reads.headers) this.#values.set(this.#key("header", r), fromRlp(r.rlp, "hex"));
    for (const r of reads.accounts) {
      const { nonce, balance, storageRoot, codeHash } = r.fields;
      const value = { nonce: BigInt(nonce), balance: BigInt(balance), storageRoot, codeHash };
      this.#values.set(this.#key("account", r, r.address), value);
    }
    for (const r of reads.storages)
      this.#values.set(this.#key("storage", r, r.address, r.slot), BigInt(r.value));
    for (const r of reads.transactions)
      this.#values.set(this.#key("transaction", r, r.index), r.raw);
    for (const r of reads.receipts) this.#values.set(this.#key("receipt", r, r.index), r.raw);
    for (const r of reads.starknetHeaders)
      this.#values.set(this.#key("starknetHeader", r), r.fields);
    for (const r of reads.starknetStorages) {
      this.#values.set(
        this.#key("starknetStorage", r, felt(r.address), felt(r.slot)),
        BigInt(r.value),
      );
    }
  }

  /** Keys of everything recorded. */
  public get recorded(): readonly string[] {
    return [...this.#values.keys()];
  }

  public readonly reader = (chainId: bigint): ChainReader => {
    const at = (block: bigint): { chainId: string; blockNumber: string } => place_(chainId, block);
    return {
      header: (block) => this.#take(this.#key("header", at(block))),
      account: (block, address) => this.#take(this.#key("account", at(block), address)),
      storage: (block, address, slot) => this.#take(this.#key("storage", at(block), address, slot)),
      transaction: (block, index) => this.#take(this.#key("transaction", at(block), String(index))),
      receipt: (block, index) => this.#take(this.#key("receipt", at(block), String(index))),
    };
  };

  public readonly starknetReader = (chainId: bigint): StarknetReader => ({
    header: async (block, field) => {
      const key = this.#key("starknetHeader", place_(chainId, block));
      const { value } = await this.#take<Record<string, string>>(key);
      const text = value[field] ?? "";
      const modes: Record<string, bigint> = { CALLDATA: 0n, BLOB: 1n };
      return { value: modes[text] ?? BigInt(text), proven: true };
    },
    storage: (block, address, slot) =>
      this.#take(this.#key("starknetStorage", place_(chainId, block), felt(address), felt(slot))),
  });

  #key(kind: string, at: { chainId: string; blockNumber: string }, ...rest: string[]): string {
    return [kind, at.chainId, at.blockNumber, ...rest].join(" ").toLowerCase();
  }

  async #take<T>(key: string): Promise<Read<T>> {
    this.touched.add(key);
    this.#onRead();
    if (!this.#values.has(key)) throw new Error(`not recorded: ${key}`);
    // The constructor stored the value under a key of its kind.
    return await Promise.resolve({ value: this.#values.get(key) as T, proven: true });
  }
}

function place_(chainId: bigint, block: bigint): { chainId: string; blockNumber: string } {
  return { chainId: String(chainId), blockNumber: String(block) };
}

function felt(text: string): string {
  return BigInt(text).toString();
}

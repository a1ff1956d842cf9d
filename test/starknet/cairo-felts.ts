import { type Address, type Hex, toHex } from "viem";

import { joinWord, splitWord } from "../../src/base/hex.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "../../src/request/fields.js";
import { identifyChain, numericChainId } from "../../src/request/chains.js";
import {
  type BlockProperty,
  type Compute,
  type Datalake,
  OPERATORS,
  type SampledProperty,
  type TransactionProperty,
} from "../../src/request/task.js";

/** A u256 as Cairo's `Serde` writes it. */
export function wordFelts(word: Hex): bigint[] {
  const { low, high } = splitWord(word);
  return [low, high];
}

/** A `hardhat_hdp::datalake::Datalake` as Cairo's `Serde` writes it. */
export function datalakeFelts(datalake: Datalake): bigint[] {
  const number = (value: bigint): bigint[] => wordFelts(toHex(value));
  const chain = number(numericChainId(datalake.chainId));
  const property = propertyFelts(datalake.sampledProperty);
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd, increment } = datalake;
    return [
      0n,
      ...chain,
      ...[blockRangeStart, blockRangeEnd, increment].flatMap(number),
      ...property,
    ];
  }
  const { targetBlock, startIndex, endIndex, increment, includedTypes } = datalake;
  const types = TRANSACTION_TYPES.map((type) => (includedTypes[type] ? 1n : 0n));
  return [
    1n,
    ...chain,
    ...[targetBlock, startIndex, endIndex, increment].flatMap(number),
    ...types,
    ...property,
  ];
}

/** A `hardhat_hdp::datalake::Compute` as Cairo's `Serde` writes it. */
export function computeFelts({ aggregateFnId, aggregateFnCtx }: Compute): bigint[] {
  const operator =
    aggregateFnCtx === undefined ? 0 : OPERATORS.indexOf(aggregateFnCtx.operator) + 1;
  const value = wordFelts(toHex(aggregateFnCtx?.valueToCompare ?? 0n));
  return [BigInt(AGGREGATE_FUNCTIONS.indexOf(aggregateFnId)), BigInt(operator), ...value];
}

function propertyFelts(property: SampledProperty): bigint[] {
  switch (property.kind) {
    case "header":
      return [0n, BigInt(FIELD_NAMES.header.indexOf(property.field))];
    case "account":
      return [1n, BigInt(property.address), BigInt(FIELD_NAMES.account.indexOf(property.field))];
    case "storage":
      return [2n, BigInt(property.address), ...wordFelts(property.slot)];
    case "tx":
      return [3n, BigInt(FIELD_NAMES.tx.indexOf(property.field))];
    case "tx_receipt":
      return [4n, BigInt(FIELD_NAMES.tx_receipt.indexOf(property.field))];
  }
}

/** Reads what Cairo's `Serde` wrote, front to back. */
export class FeltReader {
  readonly #felts: readonly bigint[];
  #at = 0;

  public constructor(felts: readonly bigint[]) {
    this.#felts = felts;
  }

  public felt(): bigint {
    const felt = this.#felts[this.#at++];
    if (felt === undefined)
      throw new Error(`There are only ${this.#felts.length.toString()} felts.`);
    return felt;
  }

  public word(): Hex {
    const joined = joinWord([this.felt(), this.felt()].map(String));
    if (joined === undefined) throw new Error("No u256.");
    return joined.word;
  }

  public number(): bigint {
    return BigInt(this.word());
  }

  /** A length and as many felts. */
  public list(): bigint[] {
    return Array.from({ length: Number(this.felt()) }, () => this.felt());
  }

  public datalake(): Datalake {
    const variant = this.felt();
    const chainId = identifyChain(this.number());
    if (chainId === undefined) throw new Error("No chain of ours.");
    if (variant === 0n) {
      const [blockRangeStart, blockRangeEnd, increment] = [
        this.number(),
        this.number(),
        this.number(),
      ];
      const sampledProperty = this.#blockProperty();
      return {
        type: "BlockSampled",
        chainId,
        blockRangeStart,
        blockRangeEnd,
        increment,
        sampledProperty,
      };
    }
    const [targetBlock, startIndex, endIndex] = [this.number(), this.number(), this.number()];
    const increment = this.number();
    const flag = (): boolean => this.felt() === 1n;
    const includedTypes = { legacy: flag(), eip2930: flag(), eip1559: flag(), eip4844: flag() };
    const sampledProperty = this.#transactionProperty();
    return {
      type: "TransactionsInBlock",
      chainId,
      targetBlock,
      startIndex,
      endIndex,
      increment,
      includedTypes,
      sampledProperty,
    };
  }

  public compute(): Compute {
    const aggregateFnId = this.#name(AGGREGATE_FUNCTIONS);
    const operator = OPERATORS[Number(this.felt()) - 1];
    const valueToCompare = this.number();
    return operator === undefined
      ? { aggregateFnId }
      : { aggregateFnId, aggregateFnCtx: { operator, valueToCompare } };
  }

  public end(): void {
    if (this.#at !== this.#felts.length)
      throw new Error(`${(this.#felts.length - this.#at).toString()} felts left.`);
  }

  #blockProperty(): BlockProperty {
    const variant = this.felt();
    if (variant === 0n) return { kind: "header", field: this.#name(FIELD_NAMES.header) };
    const address: Address = toHex(this.felt(), { size: 20 });
    return variant === 1n
      ? { kind: "account", address, field: this.#name(FIELD_NAMES.account) }
      : { kind: "storage", address, slot: this.word() };
  }

  #transactionProperty(): TransactionProperty {
    return this.felt() === 3n
      ? { kind: "tx", field: this.#name(FIELD_NAMES.tx) }
      : { kind: "tx_receipt", field: this.#name(FIELD_NAMES.tx_receipt) };
  }

  #name<T extends string>(names: readonly T[]): T {
    const id = this.felt();
    const name = names[Number(id)];
    if (name === undefined) throw new Error(`No name for ${id.toString()}.`);
    return name;
  }
}

import type { Hex } from "viem";
import { concatHex, encodeAbiParameters, keccak256, numberToHex } from "viem/utils";

import { lowerCase } from "../base/hex.js";
import { HdpError } from "../errors/hdp-error.js";
import { isFelt } from "../base/felt.js";
import { chainIdOf } from "./chains.js";
import {
  ACCOUNT_FIELDS,
  AGGREGATE_FUNCTIONS,
  HEADER_FIELDS,
  RECEIPT_FIELDS,
  TRANSACTION_FIELDS,
  TRANSACTION_TYPES,
} from "./fields.js";
import {
  type Compute,
  type Datalake,
  type IncludedTypes,
  type ModuleTask,
  OPERATORS,
  type SampledProperty,
  type Task,
} from "./task.js";

/** Which generation of execution stores the hash is for; stores since July 2024 hash the chain id. */
export type DatalakeEncoding = "with-chain-id" | "without-chain-id";

export interface EncodeOptions {
  /** Default `with-chain-id`. */
  readonly datalakeEncoding?: DatalakeEncoding | undefined;
}

/**
 * Bytes of a sampled property: kind byte, operands, field id. 2 bytes for `header`, `tx` and `tx_receipt`, 22 for
 * `account`, 53 for `storage`.
 *
 * @example encodeSampledProperty({ kind: "header", field: "base_fee_per_gas" }) // "0x010f"
 */
export function encodeSampledProperty(property: SampledProperty): Hex {
  switch (property.kind) {
    case "header":
      return concatHex(["0x01", fieldId(HEADER_FIELDS, property.field)]);
    case "account":
      return concatHex(["0x02", lowerCase(property.address), fieldId(ACCOUNT_FIELDS, property.field)]);
    case "storage":
      return concatHex(["0x03", lowerCase(property.address), lowerCase(property.slot)]);
    case "tx":
      return concatHex(["0x01", fieldId(TRANSACTION_FIELDS, property.field)]);
    case "tx_receipt":
      return concatHex(["0x02", fieldId(RECEIPT_FIELDS, property.field)]);
  }
}

/** The included types as the uint256 that is hashed: one byte each, legacy the most significant of four. */
export function encodeIncludedTypes(includedTypes: IncludedTypes): bigint {
  return TRANSACTION_TYPES.reduce((word, type) => word * 256n + (includedTypes[type] ? 1n : 0n), 0n);
}

/**
 * `abi.encode` of a datalake: type code (0 or 1), chain id unless left out, numbers, property bytes.
 *
 * Formula: hdp-solidity's datalake codecs; both encodings are covered by published vectors.
 */
export function encodeDatalake(datalake: Datalake, options: EncodeOptions = {}): Hex {
  const chain = options.datalakeEncoding === "without-chain-id" ? [] : [chainIdOf(datalake.chainId)];
  const property = encodeSampledProperty(datalake.sampledProperty);
  return datalake.type === "BlockSampled"
    ? encodeWords([0n, ...chain, datalake.blockRangeStart, datalake.blockRangeEnd, datalake.increment], property)
    : encodeWords(
        [
          1n,
          ...chain,
          datalake.targetBlock,
          datalake.startIndex,
          datalake.endIndex,
          datalake.increment,
          encodeIncludedTypes(datalake.includedTypes),
        ],
        property,
      );
}

/** keccak256 of the encoded datalake. */
export function datalakeCommitment(datalake: Datalake, options?: EncodeOptions): Hex {
  return keccak256(encodeDatalake(datalake, options));
}

/** `abi.encode(uint8 function, uint8 operator, uint256 value)`; without a context operator and value are 0. */
export function encodeCompute(compute: Compute): Hex {
  const context = compute.aggregateFnCtx;
  return encodeWords([
    BigInt(AGGREGATE_FUNCTIONS.indexOf(compute.aggregateFnId)),
    context === undefined ? 0n : BigInt(OPERATORS.indexOf(context.operator) + 1),
    context?.valueToCompare ?? 0n,
  ]);
}

/**
 * The preimage of a task hash: datalake commitment and encoded compute, or
 * `abi.encode(bytes32 programHash, bytes32[] publicInputs)`.
 *
 * @throws HDP-1118 when a module's program hash or input is not a felt
 */
export function encodeTask(task: Task, options?: EncodeOptions): Hex {
  return task.type === "Module"
    ? encodeModule(task)
    : concatHex([datalakeCommitment(task.datalake, options), encodeCompute(task.compute)]);
}

function encodeModule({ programHash, inputs }: ModuleTask): Hex {
  const words = inputs.map(({ visibility, value }, index) => ({
    visibility,
    word: feltWord(value, `inputs[${index}].value`),
  }));
  return encodeAbiParameters(
    [{ type: "bytes32" }, { type: "bytes32[]" }],
    [
      feltWord(programHash, "programHash"),
      words.filter(({ visibility }) => visibility === "public").map(({ word }) => word),
    ],
  );
}

function feltWord(value: Hex, path: string): Hex {
  const number = /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : undefined;
  if (number === undefined || !isFelt(number)) {
    throw new HdpError({
      code: "HDP-1118",
      path,
      message: `"${value}" is not a felt.`,
      hints: ["A felt is 0x-prefixed hex, smaller than 2^251 + 17 * 2^192 + 1."],
    });
  }
  return numberToHex(number, { size: 32 });
}

/** uint256 words, followed by one dynamic `bytes` where given. */
function encodeWords(words: readonly bigint[], bytes?: Hex): Hex {
  const types = words.map(() => ({ type: "uint256" }));
  return bytes === undefined
    ? encodeAbiParameters(types, [...words])
    : encodeAbiParameters([...types, { type: "bytes" }], [...words, bytes]);
}

function fieldId(fields: readonly string[], field: string): Hex {
  return numberToHex(fields.indexOf(field), { size: 1 });
}

/**
 * The hash under which an execution store keeps the result of a task, 32 bytes. The destination chain and a module's
 * private inputs are no part of it.
 *
 * @throws HDP-1118 when a module's program hash or input is not a felt
 * @example taskHash(blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg())
 */
export function taskHash(task: Task, options?: EncodeOptions): Hex {
  return keccak256(encodeTask(task, options));
}

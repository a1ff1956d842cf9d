import type { Address, Hex } from "viem";
import { size, sliceHex } from "viem/utils";

import { toWord } from "../base/hex.js";
import { CHAIN_IDENTIFIERS, identifyChain } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES } from "../request/fields.js";
import { asDatalake, decodeIncludedTypes, standardProgram } from "../request/standard-programs.js";
import { type DatalakeEncoding, encodeIncludedTypes, KIND_CODES } from "../request/task-hash.js";
import {
  type BlockProperty,
  type Compute,
  type Datalake,
  type DatalakeComputeTask,
  type ModuleInput,
  type ModuleTask,
  OPERATORS,
  type TransactionProperty,
} from "../request/task.js";
import { hashBytes, type HashedTask } from "./asked-task.js";

/** What a contract hashed, by the hashes. */
export type HashedBytes = ReadonlyMap<Hex, Hex>;

/** Returns bytes by their hashes. */
export function byHash(hashed: Iterable<Hex>): HashedBytes {
  return new Map([...new Set(hashed)].map((bytes) => [hashBytes(bytes), bytes]));
}

/** Returns the task of a hash, decoded from what a contract hashed; undefined where that encodes no task. */
export function decodeHashed(hash: Hex, hashed: HashedBytes): HashedTask | undefined {
  const bytes = hashed.get(hash);
  const words = bytes === undefined ? undefined : wordsOf(bytes);
  if (words === undefined) return undefined;
  const module = decodeModule(words);
  return module === undefined ? ofDatalake(hash, words, hashed) : ofModule(hash, module);
}

/** Returns the words of bytes; undefined where they are no whole words. */
export function wordsOf(bytes: Hex): readonly bigint[] | undefined {
  const count = size(bytes) / 32;
  if (!Number.isInteger(count)) return undefined;
  return Array.from({ length: count }, (_, at) => wordAt(bytes, at));
}

function wordAt(bytes: Hex, at: number): bigint {
  return BigInt(sliceHex(bytes, at * 32, at * 32 + 32));
}

/** Decodes `abi.encode(bytes32 programHash, bytes32[] publicInputs)`. */
function decodeModule([program, offset, count, ...inputs]: readonly bigint[]):
  ModuleTask | undefined {
  if (program === undefined || offset !== 64n || count !== BigInt(inputs.length)) return undefined;
  return { type: "Module", programHash: shortHex(program), inputs: inputs.map(publicInput) };
}

/** Returns a number as tasks have felts, also one that is none: a contract may hash any word. */
function shortHex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

function publicInput(value: bigint): ModuleInput {
  return { visibility: "public", value: shortHex(value) };
}

function ofModule(hash: Hex, module: ModuleTask): HashedTask {
  const common = { hash, form: "module", encoding: "with-chain-id" } as const;
  const datalake = asDatalake(module);
  if (datalake !== undefined) return { ...common, task: datalake };
  const onOtherChain = ofUnknownChain(module);
  return { ...common, ...(onOtherChain ?? { task: module }) };
}

/** Returns the datalake task of a module that has a chain without identifier as an input, and that chain. */
function ofUnknownChain(module: ModuleTask): Pick<HashedTask, "task" | "chainId"> | undefined {
  const at = standardProgram(module.programHash)?.inputs.indexOf("chain_id");
  const given = at === undefined ? undefined : module.inputs[at];
  if (at === undefined || given === undefined) return undefined;
  const inputs = module.inputs.with(at, publicInput(STAND_IN.id));
  const task = asDatalake({ ...module, inputs });
  return task && { task, chainId: BigInt(given.value) };
}

/** The chain of a task whose own has no identifier. */
const STAND_IN = { name: CHAIN_IDENTIFIERS[0], id: 1n } as const;

/** Decodes the hash of a datalake with the words of a function behind it. */
function ofDatalake(
  hash: Hex,
  words: readonly bigint[],
  hashed: HashedBytes,
): HashedTask | undefined {
  const [commitment, ...ofCompute] = words;
  const bytes = commitment === undefined ? undefined : hashed.get(toWord(commitment));
  const compute = decodeCompute(ofCompute);
  if (bytes === undefined || compute === undefined) return undefined;
  for (const encoding of ["with-chain-id", "without-chain-id"] as const) {
    const found = decodeDatalake(bytes, encoding);
    if (found === undefined) continue;
    const { datalake, chainId } = found;
    const task: DatalakeComputeTask = { type: "DatalakeCompute", datalake, compute };
    const isOfAnyChain = encoding === "without-chain-id";
    return { hash, task, form: "datalake", encoding, chainId, isOfAnyChain };
  }
  return undefined;
}

/** Decodes `abi.encode(uint8 function, uint8 operator, uint256 value)`. */
function decodeCompute([id, operatorId, value, ...more]: readonly bigint[]): Compute | undefined {
  const aggregateFnId = AGGREGATE_FUNCTIONS[Number(id)];
  if (aggregateFnId === undefined || value === undefined || more.length > 0) return undefined;
  if (operatorId === 0n) return value === 0n ? { aggregateFnId } : undefined;
  const operator = OPERATORS[Number(operatorId) - 1];
  return operator && { aggregateFnId, aggregateFnCtx: { operator, valueToCompare: value } };
}

interface DecodedDatalake {
  readonly datalake: Datalake;
  /** The chain, where it has no identifier. */
  readonly chainId?: bigint | undefined;
}

/** Decodes a datalake: its type, its chain, its numbers, and the bytes of its property. */
function decodeDatalake(bytes: Hex, encoding: DatalakeEncoding): DecodedDatalake | undefined {
  const hasChain = encoding === "with-chain-id";
  const isOfBlocks = size(bytes) >= 32 && wordAt(bytes, 0) === 0n;
  const numbers = (hasChain ? 2 : 1) + (isOfBlocks ? 3 : 5);
  const property = trailingBytes(bytes, numbers);
  if (property === undefined) return undefined;
  const words = Array.from({ length: numbers }, (_, at) => wordAt(bytes, at));
  const chainId = hasChain ? wordAt(bytes, 1) : STAND_IN.id;
  const identifier = identifyChain(chainId);
  const common = { chainId: identifier ?? STAND_IN.name };
  const rest = words.slice(hasChain ? 2 : 1);
  const datalake = decoderOf(words[0])?.(common, rest, property);
  return datalake && { datalake, chainId: identifier === undefined ? chainId : undefined };
}

/** Returns the bytes behind a number of words, as `abi.encode` has them; undefined where there are none. */
function trailingBytes(bytes: Hex, words: number): Hex | undefined {
  const start = (words + 2) * 32;
  if (size(bytes) < start || wordAt(bytes, words) !== BigInt((words + 1) * 32)) return undefined;
  const length = Number(wordAt(bytes, words + 1));
  const padded = Math.ceil(length / 32) * 32;
  if (size(bytes) !== start + padded || length === 0) return undefined;
  const end = start + length;
  // Other padding than zeros is of no task.
  return /^0*$/.test(bytes.slice(2 + end * 2)) ? sliceHex(bytes, start, end) : undefined;
}

type Numbers = readonly bigint[];
type Common = Pick<Datalake, "chainId">;
type Decoder = (common: Common, numbers: Numbers, property: Hex) => Datalake | undefined;

/** Returns what decodes a datalake of a type. */
function decoderOf(type: bigint | undefined): Decoder | undefined {
  if (type === 0n) return blockDatalake;
  return type === 1n ? transactionDatalake : undefined;
}

function blockDatalake(
  common: Common,
  [blockRangeStart = 0n, blockRangeEnd = 0n, increment = 0n]: Numbers,
  bytes: Hex,
): Datalake | undefined {
  const sampledProperty = blockProperty(bytes);
  if (sampledProperty === undefined) return undefined;
  const range = { blockRangeStart, blockRangeEnd, increment };
  return { type: "BlockSampled", ...common, ...range, sampledProperty };
}

function transactionDatalake(
  common: Common,
  [targetBlock = 0n, startIndex = 0n, endIndex = 0n, increment = 0n, types = 0n]: Numbers,
  bytes: Hex,
): Datalake | undefined {
  const sampledProperty = transactionProperty(bytes);
  const includedTypes = decodeIncludedTypes(types);
  // Bytes other than 0 and 1 are of no task.
  if (sampledProperty === undefined || encodeIncludedTypes(includedTypes) !== types)
    return undefined;
  const range = { targetBlock, startIndex, endIndex, increment, includedTypes };
  return { type: "TransactionsInBlock", ...common, ...range, sampledProperty };
}

/** Bytes of a kind, of an address and of a field. */
const SIZES = { header: 2, account: 22, storage: 53 } as const;

function blockProperty(bytes: Hex): BlockProperty | undefined {
  const kind = Number(sliceHex(bytes, 0, 1));
  const last = Number(sliceHex(bytes, -1));
  if (kind === KIND_CODES.header && size(bytes) === SIZES.header) {
    const field = FIELD_NAMES.header[last];
    return field && { kind: "header", field };
  }
  if (kind === KIND_CODES.account && size(bytes) === SIZES.account) {
    const field = FIELD_NAMES.account[last];
    return field && { kind: "account", address: addressIn(bytes), field };
  }
  if (kind !== KIND_CODES.storage || size(bytes) !== SIZES.storage) return undefined;
  return { kind: "storage", address: addressIn(bytes), slot: sliceHex(bytes, 21) };
}

function addressIn(bytes: Hex): Address {
  return sliceHex(bytes, 1, 21);
}

function transactionProperty(bytes: Hex): TransactionProperty | undefined {
  if (size(bytes) !== SIZES.header) return undefined;
  const [kind, id] = [Number(sliceHex(bytes, 0, 1)), Number(sliceHex(bytes, 1))];
  if (kind === KIND_CODES.tx) {
    const field = FIELD_NAMES.tx[id];
    return field && { kind: "tx", field };
  }
  const field = kind === KIND_CODES.tx_receipt ? FIELD_NAMES.tx_receipt[id] : undefined;
  return field && { kind: "tx_receipt", field };
}

import type { Address, Hex } from "viem";
import { concatHex, keccak256, numberToHex } from "viem/utils";

import { lowerCase, requireAddress, toWord } from "../base/hex.js";
import { BLOCK_KEYS, parseBlockReference } from "./block-reference.js";
import { hdpError } from "../errors/hdp-error.js";
import { CHAIN_IDENTIFIERS, numericChainId } from "./chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "./fields.js";
import { rootsByLabel } from "./injected-state.js";
import { quote } from "./reader.js";
import type {
  AggregateContext,
  Compute,
  Datalake,
  IncludedTypes,
  ModuleTask,
  SampledProperty,
  Task,
} from "./task.js";
import { OPERATORS } from "./task.js";
import { MAX_UINT256, toFelt } from "./value-readers.js";

/** Which generation of execution stores the hash is for; stores since July 2024 hash the chain id. */
export type DatalakeEncoding = "with-chain-id" | "without-chain-id";

/** How a task is encoded. */
export interface EncodeOptions {
  /** Default `with-chain-id`. */
  readonly datalakeEncoding?: DatalakeEncoding | undefined;
}

/**
 * Returns the bytes of a sampled property: kind byte, operands, field id. 22 for `account`, 53 for `storage`, else 2.
 * @throws HDP-1108 for an unknown field, HDP-1110 for an address, HDP-1111 for a slot of other bytes
 * @example encodeSampledProperty({ kind: "header", field: "base_fee_per_gas" }) // "0x010f"
 */
export function encodeSampledProperty(property: SampledProperty): Hex {
  const kind = numberToHex(KIND_CODES[property.kind], { size: 1 });
  if (property.kind === "storage")
    return concatHex([kind, addressBytes(property), slotBytes(property.slot)]);
  const id = nameId<string>(property.field, FIELD_NAMES[property.kind], "a field", "field");
  const field = numberToHex(id, { size: 1 });
  return property.kind === "account"
    ? concatHex([kind, addressBytes(property), field])
    : concatHex([kind, field]);
}

function addressBytes({ address }: { readonly address: Address }): Hex {
  return lowerCase(requireAddress(address, "datalake.sampledProperty.address"));
}

function slotBytes(slot: Hex): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(slot)) return lowerCase(slot);
  const path = "datalake.sampledProperty.slot";
  throw hdpError("HDP-1111", { value: quote(slot) }, { path });
}

/** Returns the position of a name. Plain JavaScript may have written any. @throws HDP-1108 */
function nameId<T extends string>(
  name: T,
  names: readonly T[],
  what: string,
  path: string,
): number {
  const id = names.indexOf(name);
  if (id >= 0) return id;
  const values = { value: quote(name), what, words: names.join(", "), inSolidity: undefined };
  throw hdpError("HDP-1108", values, { path });
}

/** Encoded kinds of properties; each datalake numbers its kinds separately. */
export const KIND_CODES = {
  header: 1,
  account: 2,
  storage: 3,
  tx: 1,
  tx_receipt: 2,
} as const;

/** Returns the included types as the uint256 that is hashed: one byte each, legacy the most significant of four. */
export function encodeIncludedTypes(includedTypes: IncludedTypes): bigint {
  return TRANSACTION_TYPES.reduce(
    (word, type) => word * 256n + (includedTypes[type] ? 1n : 0n),
    0n,
  );
}

/**
 * Returns the `abi.encode` of a datalake: type code (0 or 1), chain id unless left out, numbers, property bytes.
 * Formula: hdp-solidity's datalake codecs; both encodings are covered by published vectors.
 */
export function encodeDatalake(datalake: Datalake, options: EncodeOptions = {}): Hex {
  refuseReferences(datalake);
  refuseUnknownNames(datalake);
  const chain =
    options.datalakeEncoding === "without-chain-id" ? [] : [numericChainId(datalake.chainId)];
  const property = encodeSampledProperty(datalake.sampledProperty);
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd, increment } = datalake;
    const words = [0n, ...chain, blockRangeStart, blockRangeEnd, increment];
    return encodeWords("datalake", words, property);
  }
  const { targetBlock, startIndex, endIndex, increment, includedTypes } = datalake;
  const types = encodeIncludedTypes(includedTypes);
  const words = [1n, ...chain, targetBlock, startIndex, endIndex, increment, types];
  return encodeWords("datalake", words, property);
}

const DATALAKE_TYPES = ["BlockSampled", "TransactionsInBlock"] as const;
/** Kinds of properties that each datalake has. A kind of the other one has the code of a kind of this one. */
const BLOCK_KINDS = ["header", "account", "storage"] as const;
const TRANSACTION_KINDS = ["tx", "tx_receipt"] as const;

/** Throws HDP-1108 for a type, a chain or a kind of property that the datalake does not have. */
function refuseUnknownNames({ type, chainId, sampledProperty }: Datalake): void {
  nameId(type, DATALAKE_TYPES, "the type of a datalake", "datalake.type");
  nameId(chainId, CHAIN_IDENTIFIERS, "a chain identifier", "datalake.chainId");
  const isOfBlocks = type === "BlockSampled";
  const kinds = isOfBlocks ? BLOCK_KINDS : TRANSACTION_KINDS;
  const what = `a property of ${isOfBlocks ? "blocks" : "transactions"}`;
  nameId<string>(sampledProperty.kind, kinds, what, "datalake.sampledProperty.kind");
}

/** Throws HDP-1130 for a block that a chain has to look up: builders take such blocks, and a hash needs their numbers. */
function refuseReferences(datalake: object): void {
  for (const key of BLOCK_KEYS) {
    const value: unknown = Reflect.get(datalake, key);
    if (parseBlockReference(value) !== undefined)
      throw hdpError("HDP-1130", { value: quote(value) }, { path: `datalake.${key}` });
  }
}

/** Returns the commitment of a datalake: keccak256 of its ABI encoding. */
export function datalakeCommitment(datalake: Datalake, options?: EncodeOptions): Hex {
  return keccak256(encodeDatalake(datalake, options));
}

/** Returns `abi.encode(uint8 function, uint8 operator, uint256 value)`; without a context operator and value are 0. */
export function encodeCompute(compute: Compute): Hex {
  const context = compute.aggregateFnCtx;
  const { aggregateFnId } = compute;
  const aggregateFn = nameId(
    aggregateFnId,
    AGGREGATE_FUNCTIONS,
    "an aggregate function",
    "compute",
  );
  const operator = context === undefined ? 0 : 1 + operatorId(context);
  const words = [BigInt(aggregateFn), BigInt(operator), context?.valueToCompare ?? 0n];
  return encodeWords("compute", words);
}

function operatorId({ operator }: AggregateContext): number {
  return nameId(operator, OPERATORS, "an operator", "compute.aggregateFnCtx.operator");
}

/**
 * Returns the preimage of a task hash: datalake commitment and encoded compute, or
 * `abi.encode(bytes32 programHash, bytes32[] publicInputs)`.
 * @throws HDP-1118 when a module's program hash or input is not a felt, and HDP-1108, HDP-1110, HDP-1111 or HDP-1113 for a
 * name, an address, a slot or a number that is none: plain JavaScript may have written any
 */
export function encodeTask(task: Task, options?: EncodeOptions): Hex {
  nameId(task.type, TASK_TYPES, "the type of a task", "type");
  return task.type === "Module"
    ? encodeModule(task)
    : concatHex([datalakeCommitment(task.datalake, options), encodeCompute(task.compute)]);
}

const TASK_TYPES = ["DatalakeCompute", "Module"] as const;
const VISIBILITIES = ["public", "private"] as const;

function encodeModule({ programHash, inputs }: ModuleTask): Hex {
  const publicWords = inputs.flatMap(({ visibility, value }, index) => {
    const word = feltWord(value, `inputs[${index}].value`);
    nameId(visibility, VISIBILITIES, "a visibility", `inputs[${index}].visibility`);
    return visibility === "public" ? [word] : [];
  });
  return modulePreimage(feltWord(programHash, "programHash"), publicWords);
}

/** Returns the preimage of the hash of a module task from words: its program hash and its public inputs. */
export function modulePreimage(programHash: Hex, publicInputs: readonly Hex[]): Hex {
  const length = word(BigInt(publicInputs.length));
  return concatHex([programHash, word(64n), length, ...publicInputs]);
}

function feltWord(value: Hex, path: string): Hex {
  const felt = toFelt(value);
  if (felt === undefined) throw hdpError("HDP-1118", { value: quote(value) }, { path });
  return word(felt);
}

/**
 * Returns `abi.encode` of numbers, and of bytes after them: in a third of the time of viem's encoder.
 * @throws HDP-1113 with the path of the numbers for one that does not fit
 */
function encodeWords(path: string, words: readonly bigint[], bytes?: Hex): Hex {
  for (const value of words) {
    if (value >= 0n && value <= MAX_UINT256) continue;
    const values = { value, min: 0n, max: "2^256 - 1" };
    throw hdpError("HDP-1113", values, { path });
  }
  const head = words.map(word);
  if (bytes === undefined) return concatHex(head);
  const size = (bytes.length - 2) / 2;
  const tail = bytes.padEnd(2 + Math.ceil(size / 32) * 64, "0");
  return concatHex([
    ...head,
    word(BigInt(words.length + 1) * 32n),
    word(BigInt(size)),
    lowerCase(tail),
  ]);
}

/** Returns a number as 32 bytes. Plain JavaScript may have written it as text. @throws for one that is no integer */
function word(value: bigint | string): Hex {
  return toWord(BigInt(value));
}

/**
 * Returns the hash under which an execution store keeps the result of a task, 32 bytes. The destination chain and a module's
 * private inputs are not part of it.
 * @throws what {@link encodeTask} throws for words that cannot be encoded
 * @example taskHash(blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg())
 */
export function taskHash(task: Task, options?: EncodeOptions): Hex {
  return keccak256(encodeTask(task, options));
}

/** The parts of a task that its hash does not cover: private inputs with their indices, roots of injected state. */
export type Uncovered = Readonly<Record<"inputs" | "injected_state", string>>;

/** Returns what a task hash does not cover, as text to compare: private inputs and injected state. */
export function uncovered(task: Task | undefined): Uncovered {
  if (task?.type !== "Module") return { inputs: "", injected_state: "" };
  const isPrivate = task.inputs.some(({ visibility }) => visibility === "private");
  const inputs = task.inputs
    .map(({ visibility, value }) => `${visibility} ${BigInt(value)}`)
    .join(",");
  const roots = [...rootsByLabel(task.injectedState)]
    .map(([label, root]) => `${label}=${root}`)
    .join(",");
  return { inputs: isPrivate ? inputs : "", injected_state: roots };
}

/** Returns each task that has the task hash of an earlier one, `other`, and differs from it in a field. */
export function findConflicts(
  tasks: readonly Task[],
): { index: number; other: number; field: keyof Uncovered }[] {
  // Keeps the first task of each hash and the first that differs from it: any later task differs from one of them.
  const seen = new Map<string, readonly (Uncovered & { readonly index: number })[]>();
  return tasks.flatMap((task, index) => {
    if (task.type !== "Module") return [];
    const publicInputs = task.inputs
      .filter(({ visibility }) => visibility === "public")
      .map(({ value }) => value);
    const hashed = `${task.programHash} ${publicInputs.join()}`;
    const own = { ...uncovered(task), index };
    const known = seen.get(hashed) ?? [];
    const other = known.find(
      (one) => one.inputs !== own.inputs || one.injected_state !== own.injected_state,
    );
    if (known.length === 0 || (known.length === 1 && other !== undefined))
      seen.set(hashed, [...known, own]);
    if (other === undefined) return [];
    const field = other.injected_state === own.injected_state ? "inputs" : "injected_state";
    return [{ index, other: other.index, field }];
  });
}

/** Throws HDP-1125 where two tasks have one hash and differ in what the hash does not cover. */
export function refuseConflicts(tasks: readonly Task[]): void {
  const [conflict] = findConflicts(tasks);
  if (conflict === undefined) return;
  const { index, other, field } = conflict;
  throw hdpError("HDP-1125", { other: `tasks[${other}]` }, { path: `tasks[${index}].${field}` });
}

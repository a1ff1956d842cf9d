import type { Address, Hex } from "viem";
import { numberToHex } from "viem/utils";

import { formatFelt, shortStringFelt } from "../base/felt.js";
import { splitHalves, toWord } from "../base/hex.js";
import { hdpError, isHdpError } from "../errors/hdp-error.js";
import { identifyChain, numericChainId } from "./chains.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "./fields.js";
import { moduleFormRefusals, unprovableError } from "./module-form.js";
import { parseTask } from "./parse.js";
import { toTaskJson } from "./task-json.js";
import { PROGRAM_FACTS } from "./program-facts.js";
import { encodeIncludedTypes, encodeTask, KIND_CODES } from "./task-hash.js";
import {
  type BlockProperty,
  type Compute,
  type Datalake,
  type DatalakeComputeTask,
  type IncludedTypes,
  type ModuleInput,
  type ModuleTask,
  OPERATORS,
  type TransactionProperty,
} from "./task.js";
import { toFelt } from "./value-readers.js";

/** One of the shipped module programs: it computes what datalake tasks of one kind do. */
export interface StandardProgram {
  readonly name: "blocks" | "transactions";
  /** Felt, lower-case hex without leading zeros. Both published ways of hashing a class give it. */
  readonly programHash: Hex;
  /** Names of the inputs in order, all public, one felt each. The first is the format, a fixed word. */
  readonly inputs: readonly string[];
}

const COMPUTE_INPUTS = ["function", "operator", "value_low", "value_high"] as const;
const BLOCKS_INPUTS = [
  ...(["format", "chain_id", "first", "last", "step"] as const),
  ...(["kind", "field", "address", "slot_low", "slot_high"] as const),
  ...COMPUTE_INPUTS,
] as const;
const TRANSACTIONS_INPUTS = [
  ...(["format", "chain_id", "block", "start", "end", "step"] as const),
  ...(["types", "kind", "field"] as const),
  ...COMPUTE_INPUTS,
] as const;

/** The standard programs. Sources: `contracts/starknet/programs/`. */
export const STANDARD_PROGRAMS: readonly StandardProgram[] = [
  { name: "blocks", programHash: PROGRAM_FACTS.blocks.programHash, inputs: BLOCKS_INPUTS },
  {
    name: "transactions",
    programHash: PROGRAM_FACTS.transactions.programHash,
    inputs: TRANSACTIONS_INPUTS,
  },
];

/** Returns the standard program of a hash, whatever its zeros and letter case; undefined for other programs. */
export function standardProgram(programHash: Hex): StandardProgram | undefined {
  const felt = toFelt(programHash);
  return felt === undefined
    ? undefined
    : STANDARD_PROGRAMS.find((program) => BigInt(program.programHash) === felt);
}

/**
 * Returns the module form of a datalake task: a standard program with the task as public inputs. `taskHash` of it is the
 * hash under which satellites keep the result, and the word there is the root over the value's two marked halves.
 * A context of other functions than `count` has no effect and is left out.
 * @throws HdpError HDP-1129 for a field that is no integer, HDP-1107 for a count without operator and value
 * @example taskHash(asModule(blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg()))
 */
export function asModule(task: DatalakeComputeTask): ModuleTask {
  return moduleAt("", task);
}

/** Returns {@link asModule} of the task at a path, which errors name: `tasks[0].`. */
export function moduleAt(place: string, task: DatalakeComputeTask): ModuleTask {
  // Refuses names, addresses and slots of plain JavaScript that are none: as felts they would be others.
  encodeTask(task);
  const impossible = moduleFormRefusals(task).find(({ isComputable }) => !isComputable);
  if (impossible !== undefined) throw unprovableError(impossible, place);
  const { programHash, felts } = standardCall(task);
  return { type: "Module", programHash, inputs: felts.map(publicInput) };
}

/** Returns the standard program of a datalake task that can be encoded, and the task as its inputs. */
export function standardCall({ datalake, compute }: DatalakeComputeTask): {
  readonly programHash: Hex;
  readonly felts: readonly bigint[];
} {
  const { programHash, format } =
    datalake.type === "BlockSampled" ? PROGRAM_FACTS.blocks : PROGRAM_FACTS.transactions;
  const felts = [
    shortStringFelt(format),
    numericChainId(datalake.chainId),
    ...datalakeFelts(datalake),
    ...computeFelts(compute),
  ];
  return { programHash, felts };
}

function publicInput(felt: bigint): ModuleInput {
  return { visibility: "public", value: formatFelt(felt) };
}

function datalakeFelts(datalake: Datalake): readonly bigint[] {
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd, increment, sampledProperty } = datalake;
    return [blockRangeStart, blockRangeEnd, increment, ...blockPropertyFelts(sampledProperty)];
  }
  const { targetBlock, startIndex, endIndex, increment, sampledProperty } = datalake;
  const types = encodeIncludedTypes(datalake.includedTypes);
  const property = [BigInt(KIND_CODES[sampledProperty.kind]), fieldFelt(sampledProperty)];
  return [targetBlock, startIndex, endIndex, increment, types, ...property];
}

/** Returns kind, field, address, and the slot's halves. */
function blockPropertyFelts(property: BlockProperty): readonly bigint[] {
  const kind = BigInt(KIND_CODES[property.kind]);
  if (property.kind === "header") return [kind, fieldFelt(property), 0n, 0n, 0n];
  const address = BigInt(property.address);
  if (property.kind === "account") return [kind, fieldFelt(property), address, 0n, 0n];
  return [kind, 0n, address, ...splitHalves(property.slot)];
}

function fieldFelt({
  kind,
  field,
}: Exclude<BlockProperty, { kind: "storage" }> | TransactionProperty) {
  const names: readonly string[] = FIELD_NAMES[kind];
  return BigInt(names.indexOf(field));
}

function computeFelts({ aggregateFnId, aggregateFnCtx }: Compute): readonly bigint[] {
  const aggregateFn = BigInt(AGGREGATE_FUNCTIONS.indexOf(aggregateFnId));
  if (aggregateFnId !== "count") return [aggregateFn, 0n, 0n, 0n];
  if (aggregateFnCtx === undefined) throw hdpError("HDP-1107");
  const { operator, valueToCompare } = aggregateFnCtx;
  return [
    aggregateFn,
    BigInt(OPERATORS.indexOf(operator) + 1),
    ...splitHalves(toWord(valueToCompare)),
  ];
}

/**
 * Returns the datalake task of a module task: {@link asModule} of it is the task. Undefined where the program is no
 * standard one, or where its inputs are those of no datalake task, so that it has no result.
 */
export function asDatalake(task: ModuleTask): DatalakeComputeTask | undefined {
  const program = standardProgram(task.programHash);
  if (program === undefined) return undefined;
  const input: Input = (name) => toFelt(task.inputs[program.inputs.indexOf(name)]?.value) ?? 0n;
  const datalake = program.name === "blocks" ? blockDatalake(input) : transactionDatalake(input);
  const compute = decodeCompute(input);
  if (datalake === undefined || compute === undefined) return undefined;
  try {
    const found = parseTask(toTaskJson({ type: "DatalakeCompute", datalake, compute }));
    return found.type === "DatalakeCompute" && isSame(asModule(found), task) ? found : undefined;
  } catch (error) {
    if (isHdpError(error)) return undefined;
    throw error;
  }
}

/** Returns whether two module tasks are one: the second may write its felts otherwise. */
function isSame(canonical: ModuleTask, task: ModuleTask): boolean {
  return (
    Object.keys(task.injectedState ?? {}).length === 0 &&
    canonical.inputs.length === task.inputs.length &&
    canonical.inputs.every(({ visibility, value }, index) => {
      const other = task.inputs[index];
      return visibility === other?.visibility && BigInt(value) === toFelt(other.value);
    })
  );
}

/** Returns an input of a module task by name, 0 where it has none. */
type Input = (name: (typeof BLOCKS_INPUTS | typeof TRANSACTIONS_INPUTS)[number]) => bigint;

function blockDatalake(input: Input): Datalake | undefined {
  const chainId = identifyChain(input("chain_id"));
  const sampledProperty = blockProperty(input);
  if (chainId === undefined || sampledProperty === undefined) return undefined;
  return {
    type: "BlockSampled",
    chainId,
    blockRangeStart: input("first"),
    blockRangeEnd: input("last"),
    increment: input("step"),
    sampledProperty,
  };
}

function blockProperty(input: Input): BlockProperty | undefined {
  const address: Address = numberToHex(BigInt.asUintN(160, input("address")), { size: 20 });
  switch (Number(input("kind"))) {
    case KIND_CODES.header: {
      const field = FIELD_NAMES.header[Number(input("field"))];
      return field && { kind: "header", field };
    }
    case KIND_CODES.account: {
      const field = FIELD_NAMES.account[Number(input("field"))];
      return field && { kind: "account", address, field };
    }
    case KIND_CODES.storage:
      return { kind: "storage", address, slot: joinHalves(input("slot_low"), input("slot_high")) };
    default:
      return undefined;
  }
}

function transactionDatalake(input: Input): Datalake | undefined {
  const chainId = identifyChain(input("chain_id"));
  const sampledProperty = transactionProperty(input);
  if (chainId === undefined || sampledProperty === undefined) return undefined;
  return {
    type: "TransactionsInBlock",
    chainId,
    targetBlock: input("block"),
    startIndex: input("start"),
    endIndex: input("end"),
    increment: input("step"),
    includedTypes: decodeIncludedTypes(input("types")),
    sampledProperty,
  };
}

function transactionProperty(input: Input): TransactionProperty | undefined {
  const number = Number(input("field"));
  if (input("kind") === BigInt(KIND_CODES.tx)) {
    const field = FIELD_NAMES.tx[number];
    return field && { kind: "tx", field };
  }
  const field = FIELD_NAMES.tx_receipt[number];
  return field && { kind: "tx_receipt", field };
}

/** Returns the included types of their uint256. */
export function decodeIncludedTypes(types: bigint): IncludedTypes {
  const [legacy = false, eip2930 = false, eip1559 = false, eip4844 = false] = TRANSACTION_TYPES.map(
    (_, index) => BigInt.asUintN(8, types >> BigInt(8 * (3 - index))) === 1n,
  );
  return { legacy, eip2930, eip1559, eip4844 };
}

function decodeCompute(input: Input): Compute | undefined {
  const aggregateFnId = AGGREGATE_FUNCTIONS[Number(input("function"))];
  if (aggregateFnId === undefined) return undefined;
  if (aggregateFnId !== "count") return { aggregateFnId };
  const operator = OPERATORS[Number(input("operator")) - 1];
  const valueToCompare = BigInt(joinHalves(input("value_low"), input("value_high")));
  return operator && { aggregateFnId, aggregateFnCtx: { operator, valueToCompare } };
}

function joinHalves(low: bigint, high: bigint): Hex {
  return toWord(BigInt.asUintN(128, low) + (BigInt.asUintN(128, high) << 128n));
}

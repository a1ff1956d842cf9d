import { panicText } from "../base/felt.js";
import { hdpError, isHdpError } from "../errors/hdp-error.js";
import type { ModuleInput } from "../request/task.js";
import { toFelt } from "../request/value-readers.js";
import type { Generation, GenerationName, HandlerTable } from "./module-read.js";
import { runContract, type PreparedClass } from "./run-contract.js";

// Compiled modules name a field by its position in these lists, so that a list never changes: a field that a later module
// library adds goes into the lists of a new generation.

const HEADER_TO_CANCUN = [
  "parentHash",
  "ommersHash",
  "beneficiary",
  "stateRoot",
  "transactionsRoot",
  "receiptsRoot",
  "logsBloom",
  "difficulty",
  "number",
  "gasLimit",
  "gasUsed",
  "timestamp",
  "extraData",
  "mixHash",
  "nonce",
  "baseFeePerGas",
  "withdrawalsRoot",
  "blobGasUsed",
  "excessBlobGas",
  "parentBeaconBlockRoot",
];
const HEADER_TO_PRAGUE = [...HEADER_TO_CANCUN, "requestsHash"];

const HEADER: HandlerTable = { kind: "header", fields: HEADER_TO_CANCUN };
const ACCOUNT: HandlerTable = {
  kind: "account",
  fields: ["nonce", "balance", "storageRoot", "codeHash"],
};
const STORAGE: HandlerTable = { kind: "storage", fields: ["slot"] };
const LOG: HandlerTable = {
  kind: "log",
  fields: ["address", "topic0", "topic1", "topic2", "topic3", "topic4", "data"],
};

const TRANSACTION_CORE = [
  "nonce",
  "gasPrice",
  "gasLimit",
  "to",
  "value",
  "input",
  "v",
  "r",
  "s",
  "chainId",
  "accessList",
  "maxFeePerGas",
  "maxPriorityFeePerGas",
];

function transactions(...rest: string[]): HandlerTable {
  return { kind: "transaction", fields: [...TRANSACTION_CORE, ...rest] };
}

const TX_2024 = transactions("maxFeePerBlobGas", "blobVersionedHashes", "type", "sender");
const TX_2025 = transactions("maxFeePerBlobGas", "blobVersionedHashes", "type", "sender", "hash");
const TX_HEAD = transactions(
  "maxFeePerBlobGas",
  "blobVersionedHashes",
  "authorizationList",
  "type",
  "sender",
  "hash",
);
const RECEIPT: HandlerTable = {
  kind: "receipt",
  fields: ["status", "cumulativeGasUsed", "logsBloom", "logs"],
};

const STARKNET_HEADER = [
  "blockNumber",
  "stateRoot",
  "sequencerAddress",
  "blockTimestamp",
  "transactionCount",
  "transactionCommitment",
  "eventCount",
  "eventCommitment",
  "parentBlockHash",
  "stateDiffCommitment",
  "stateDiffLength",
  "l1GasPriceInWei",
  "l1GasPriceInFri",
  "l1DataGasPriceInWei",
  "l1DataGasPriceInFri",
  "receiptsCommitment",
  "l1DataMode",
  "protocolVersion",
];

const RECEIPT_WITH_BLOOM: HandlerTable = {
  kind: "receipt",
  fields: ["status", "cumulativeGasUsed", "logsBloom"],
};

const STARKNET: HandlerTable[] = [
  { kind: "starknetHeader", fields: STARKNET_HEADER },
  { kind: "starknetStorage", fields: ["slot"] },
];

const BLOB_FIELDS_FIRST = transactions("blobVersionedHashes", "maxFeePerBlobGas", "type", "sender");
const LABELLED = [
  { ...TX_2025, label: "block_tx" },
  { ...RECEIPT, label: "block_receipt" },
];
const WITH_LOGS = [HEADER, ACCOUNT, STORAGE, TX_2025, RECEIPT_WITH_BLOOM, LOG];

/** What the generations before output roots share. */
const RAW = {
  handle: 4,
  result: "value",
  inputOrder: "given",
  starknet: [],
  longValues: [],
  injectedState: false,
  unconstrained: false,
} as const satisfies Partial<Generation>;

/** What the generations with output roots share: v1.0.10 of hdp-cairo (2025-03-17) was the first. */
const ROOTED = {
  handle: 4,
  result: "output-root",
  evm: WITH_LOGS,
  starknet: STARKNET,
  longValues: ["header", "receipt", "log"],
  injectedState: false,
  unconstrained: false,
} as const satisfies Partial<Generation>;

/** Layout of calls, inputs and results by generation of the module library. A released generation never changes. */
export const GENERATIONS: Readonly<Record<GenerationName, Generation>> = {
  "2024-06": {
    ...RAW,
    name: "2024-06",
    evm: [
      { kind: "header", fields: ["parentHash"] },
      { kind: "account", fields: ["balance"] },
    ],
  },
  "2024-07-16": { ...RAW, name: "2024-07-16", evm: [HEADER, ACCOUNT] },
  "2024-07-17": { ...RAW, name: "2024-07-17", handle: 6, evm: [HEADER, ACCOUNT, STORAGE] },
  "2024-10-17": {
    ...RAW,
    name: "2024-10-17",
    evm: [HEADER, ACCOUNT, STORAGE, BLOB_FIELDS_FIRST],
  },
  "2024-10-24": {
    ...RAW,
    name: "2024-10-24",
    evm: [HEADER, ACCOUNT, STORAGE, TX_2024, RECEIPT],
    starknet: STARKNET,
  },
  // Tags v1.0.0 to v1.0.8.
  "2025-02": {
    ...RAW,
    name: "2025-02",
    evm: [HEADER, ACCOUNT, STORAGE, ...LABELLED],
    starknet: STARKNET,
  },
  // v1.0.9: its receipts return 32 bytes of the bloom.
  "2025-03-04": {
    ...RAW,
    name: "2025-03-04",
    evm: WITH_LOGS,
    starknet: STARKNET,
    longValues: ["log"],
  },
  // v1.0.10.
  "2025-03-17": { ...ROOTED, name: "2025-03-17", inputOrder: "given" },
  // v1.0.11.
  "2025-04": { ...ROOTED, name: "2025-04", inputOrder: "publicFirst" },
  // v1.0.12, the last tag.
  "2025-09": {
    ...ROOTED,
    name: "2025-09",
    handle: 6,
    inputOrder: "publicFirst",
    injectedState: true,
  },
  head: {
    ...ROOTED,
    name: "head",
    handle: 8,
    inputOrder: "publicFirst",
    evm: [
      { kind: "header", fields: HEADER_TO_PRAGUE },
      ACCOUNT,
      STORAGE,
      TX_HEAD,
      RECEIPT_WITH_BLOOM,
      LOG,
    ],
    injectedState: true,
    unconstrained: true,
  },
};

/**
 * Returns the generation of a class that names none, by the felts of its data handle; the newest for a number that no
 * generation has. @throws HdpError HDP-7121 where several have it: their calls, input orders or results differ
 */
export function generationFor(leadingFelts: number): Generation {
  const fitting = generationsWith(leadingFelts);
  const [only = GENERATIONS.head, ...others] = fitting;
  if (others.length === 0) return only;
  throw hdpError("HDP-7121", { felts: leadingFelts, ...choice(fitting) });
}

/**
 * Throws where a module takes another data handle than the generation that was named for it, and other generations have
 * that one: they number fields in other ways, so that one value would be read for another. @throws HdpError HDP-7123
 */
export function requireHandle({ name, handle }: Generation, leadingFelts: number): void {
  if (handle === leadingFelts) return;
  const fitting = generationsWith(leadingFelts);
  if (fitting.length === 0) return;
  const values = { felts: leadingFelts, generation: name, handle };
  throw hdpError("HDP-7123", { ...values, ...choice(fitting) });
}

/** Returns the generations whose data handle has so many felts, the newest last. */
function generationsWith(leadingFelts: number): readonly Generation[] {
  return Object.values(GENERATIONS).filter(({ handle }) => handle === leadingFelts);
}

/** Returns what an error says of the generations that a user may name. */
function choice(generations: readonly Generation[]) {
  const names = generations.map(({ name }) => name);
  return { names: names.join(", "), newest: names.at(-1) };
}

/** One felt passed to the module; only public ones are part of the task hash. */
export interface ModuleInputFelt {
  readonly visibility: ModuleInput["visibility"];
  readonly value: bigint | string;
}

/** Returns the felts of the inputs in the order in which modules of a generation take them. */
export function orderedInputs(
  inputs: readonly ModuleInputFelt[],
  order: Generation["inputOrder"],
): bigint[] {
  const felts = inputs.map(({ value }, index) => {
    const felt = toFelt(value);
    if (felt === undefined)
      throw hdpError("HDP-1118", { value: String(value) }, { path: `inputs[${index}].value` });
    return felt;
  });
  if (order === "given") return felts;
  const isPublic = (_: bigint, index: number): boolean => inputs[index]?.visibility === "public";
  return [...felts.filter(isPublic), ...felts.filter((felt, index) => !isPublic(felt, index))];
}

const CANDIDATES = [8, 6, 4, 2, 10, 0];
/** A module reads its arguments in some hundred steps; one that takes more, or 8 MiB of memory, has accepted them. */
const PROBE_LIMITS = { maxSteps: 200_000, maxMemoryCells: 2 ** 20 };

/** Stops a probe at the first system call: the arguments were accepted. */
class Accepted extends Error {}

/** Finds how many felts the module expects before its inputs, by starting it: it panics on a wrong count by name. */
export async function acceptedLeadingFelts(
  program: PreparedClass,
  inputs: readonly ModuleInputFelt[],
  generation: Generation | undefined,
): Promise<number> {
  const accepted: number[] = [];
  const refusals: string[] = [];
  for (const count of generation === undefined ? CANDIDATES : [generation.handle]) {
    const refusal = await refusalOfHandle(program, inputs, {
      count,
      orders: generation === undefined ? inputOrders(count) : [generation.inputOrder],
    });
    if (refusal === undefined) accepted.push(count);
    else refusals.push(`${count}: ${refusal}`);
  }
  const [only, ...others] = accepted;
  if (only !== undefined && others.length === 0) return only;
  const numbers = accepted.length === 0 ? "no number of" : accepted.join(" and ");
  const tried = refusals.length === 0 ? undefined : refusals.join("; ");
  throw hdpError("HDP-7117", { inputs: inputs.length, accepted: numbers, tried });
}

/** Returns the orders of inputs of the generations with so many felts in front. */
function inputOrders(count: number): readonly Generation["inputOrder"][] {
  const fitting = Object.values(GENERATIONS).filter(({ handle }) => handle === count);
  const orders = new Set(fitting.map(({ inputOrder }) => inputOrder));
  return orders.size === 0 ? [GENERATIONS.head.inputOrder] : [...orders];
}

/** Returns the panic for so many felts in front of the inputs; undefined if the module accepts one of the orders. */
async function refusalOfHandle(
  program: PreparedClass,
  inputs: readonly ModuleInputFelt[],
  { count, orders }: Readonly<{ count: number; orders: readonly Generation["inputOrder"][] }>,
): Promise<string | undefined> {
  const handle = new Array<bigint>(count).fill(0n);
  let refusal: string | undefined;
  for (const order of orders) {
    refusal = await probe(program, [...handle, ...orderedInputs(inputs, order)]);
    if (refusal === undefined) return undefined;
  }
  return refusal;
}

/** Returns the panic for a wrong calldata length, or undefined if the module accepts the length. */
async function probe(
  program: PreparedClass,
  calldata: readonly bigint[],
): Promise<string | undefined> {
  const syscall = (): never => {
    throw new Accepted();
  };
  try {
    const { panicked, retdata } = await runContract({
      program,
      calldata,
      syscall,
      limits: PROBE_LIMITS,
    });
    const message = panicText(retdata);
    const isRefusal = /^(Failed to deserialize param #|Input too long for arguments)/.test(message);
    return panicked && isRefusal ? message : undefined;
  } catch (error) {
    if (error instanceof Accepted || isHdpError(error, "HDP-7109") || isHdpError(error, "HDP-7110"))
      return undefined;
    throw error;
  }
}

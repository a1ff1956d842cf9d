import type { Hex } from "viem";

import { shortString } from "../base/felt.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { isStarknetId } from "../request/chains.js";

interface ReadBase {
  readonly chainId: bigint;
  readonly block: bigint;
  readonly field: string;
}

/** A value that a module asks for, by its kind: the field of a header, account, slot, transaction, receipt or log. */
export type ModuleRead =
  | (ReadBase & { readonly kind: "header" })
  | (ReadBase & { readonly kind: "account"; readonly address: Hex })
  | (ReadBase & { readonly kind: "storage"; readonly address: Hex; readonly slot: Hex })
  | (ReadBase & { readonly kind: "transaction"; readonly index: number })
  | (ReadBase & { readonly kind: "receipt"; readonly index: number })
  | (ReadBase & { readonly kind: "log"; readonly index: number; readonly logIndex: number })
  /** The account's code, `field` "code". */
  | (ReadBase & { readonly kind: "bytecode"; readonly address: Hex })
  | (ReadBase & { readonly kind: "starknetHeader" })
  | (ReadBase & { readonly kind: "starknetStorage"; readonly address: Hex; readonly slot: Hex });

/** The answer to a read: an integer (a felt on Starknet), the 32-byte words of a longer value, or an account's code. */
export type ModuleValue = bigint | readonly bigint[] | Hex;
/** Returns the value of a read, from whatever chain the caller has. */
export type ReadModuleValue = (read: ModuleRead) => Promise<ModuleValue> | ModuleValue;

/** What a run has used when it reads: steps, and cells of memory. */
export interface RunUse {
  readonly steps: number;
  readonly cells: number;
}
/** Answers the reads of a run. */
export type AnswerRead = (read: ModuleRead, use: RunUse) => Promise<ModuleValue> | ModuleValue;

/** Returns a read as words for messages: its kind, field, place, block and chain. */
export function describeRead(read: ModuleRead): string {
  const address = "address" in read ? ` of ${read.address}` : "";
  const slot = "slot" in read ? ` slot ${read.slot}` : "";
  const index = "index" in read ? ` ${read.index}` : "";
  const log = "logIndex" in read ? ` log ${read.logIndex}` : "";
  return `${read.kind}.${read.field}${address}${slot}${index}${log} in block ${read.block} of chain ${read.chainId}`;
}

/** Names of the generations, oldest first: apart from what they are, so that configuration is read without loading it. */
export const GENERATION_NAMES = [
  "2024-06",
  "2024-07-16",
  "2024-07-17",
  "2024-10-17",
  "2024-10-24",
  "2025-02",
  "2025-03-04",
  "2025-03-17",
  "2025-04",
  "2025-09",
  "head",
] as const;
/** Name of a generation of the module library. */
export type GenerationName = (typeof GENERATION_NAMES)[number];

/** Meaning of a handler's address. */
export interface HandlerTable {
  readonly kind: ModuleRead["kind"];
  /** Field by selector. */
  readonly fields: readonly string[];
  /** Felt expected between chain id and block, in the months that had one. */
  readonly label?: string;
}

/** How modules compiled in a period call the data processor. Addresses are the indices of the tables. */
export interface Generation {
  readonly name: GenerationName;
  /** Felts of the data handle in front of the inputs. */
  readonly handle: number;
  /** The stored value: the root over the returned felts or, until March 2025, one felt or a u256. */
  readonly result: "output-root" | "value";
  /** "given" hands inputs over as listed; "publicFirst" moves the private ones behind the public ones. */
  readonly inputOrder: "given" | "publicFirst";
  readonly evm: readonly HandlerTable[];
  readonly starknet: readonly HandlerTable[];
  /** Handlers that return values of several words (bloom, log data); before, the service had no rule for them. */
  readonly longValues: readonly ModuleRead["kind"][];
  /** Whether modules may read and write injected state. */
  readonly injectedState: boolean;
  /** Whether modules may ask for the code of an account. */
  readonly unconstrained: boolean;
}

/** A call of a module to a data handler, as felts. */
export interface HandlerCall {
  /** The handler's address. */
  readonly contract: bigint;
  /** The field's number. */
  readonly selector: bigint;
  /** Data handle (two felts), chain id, block and what the handler needs further. */
  readonly calldata: readonly bigint[];
}

/** Arguments of a read, behind the data handle and the chain's id. */
const ARGUMENTS: Readonly<Record<ModuleRead["kind"], readonly string[]>> = {
  header: ["block"],
  account: ["block", "address"],
  // High half first, unlike everything returned.
  storage: ["block", "address", "slot high", "slot low"],
  transaction: ["block", "index"],
  receipt: ["block", "index"],
  log: ["block", "index", "log index"],
  bytecode: ["block", "address"],
  starknetHeader: ["block"],
  starknetStorage: ["block", "address", "key"],
};

/** Handlers without a number are named by a short string, which is far above the numbers. */
const FIRST_NAME = 256n;
/** A handle is a pair that a module passes back unchanged. */
const HANDLE_FELTS = 2;

/** Decodes a module's call to a data handler by the layout of a generation. */
export function decodeCall(call: HandlerCall, generation: Generation): ModuleRead {
  const name = call.contract < FIRST_NAME ? undefined : shortString(call.contract);
  const isBytecode = name === "unconstrained" && generation.unconstrained;
  if (name === "arbitrary_type") {
    throw hdpError("HDP-7116", { handler: name });
  }
  if (!isBytecode && (name === "unconstrained" || name === "injected_state")) {
    throw notInGeneration(`calls the handler "${name}"`, generation);
  }
  if (isBytecode && call.selector !== 0n) {
    throw notInGeneration(
      `asks for field ${call.selector} of unconstrained data`,
      generation,
      "0 bytecode",
    );
  }
  const [chainId, ...rest] = call.calldata.slice(HANDLE_FELTS);
  if (chainId === undefined) throw badForm("it names no chain");
  if (isBytecode) return makeRead("bytecode", "code", chainId, rest);
  const { table, field } = lookUp(call, generation, isStarknetId(chainId) ? "Starknet" : "EVM");
  return makeRead(table.kind, field, chainId, takeLabel(table, rest));
}

/** Returns the error of a call that the data handlers of a generation do not have. */
function notInGeneration(call: string, generation: Generation, known?: string): HdpError {
  return hdpError("HDP-7114", { call, generation: generation.name, known });
}

/** Returns the error of a call whose arguments are not those of its handler. */
function badForm(reason: string, expected?: string): HdpError {
  return hdpError("HDP-7115", { reason, expected });
}

function lookUp(call: HandlerCall, generation: Generation, world: "Starknet" | "EVM") {
  const tables = world === "EVM" ? generation.evm : generation.starknet;
  const table = call.contract < BigInt(tables.length) ? tables[Number(call.contract)] : undefined;
  if (table === undefined) {
    const known = tables.map(({ kind }, address) => `${address} ${kind}`).join(", ");
    const called = `calls the ${world} handler ${call.contract}`;
    throw notInGeneration(called, generation, known === "" ? "none" : known);
  }
  const field =
    call.selector < BigInt(table.fields.length) ? table.fields[Number(call.selector)] : undefined;
  if (field === undefined) {
    const known = table.fields.map((name, selector) => `${selector} ${name}`).join(", ");
    throw notInGeneration(`asks for field ${call.selector} of ${table.kind}`, generation, known);
  }
  return { table, field };
}

function takeLabel(table: HandlerTable, args: readonly bigint[]): readonly bigint[] {
  if (table.label === undefined) return args;
  const [label, ...rest] = args;
  if (label !== undefined && shortString(label) === table.label) return rest;
  throw badForm(`that of ${table.kind} lacks the label "${table.label}"`);
}

/** Returns a read from the arguments of its call. @throws HdpError where they are not those of its kind */
function makeRead(
  kind: ModuleRead["kind"],
  field: string,
  chainId: bigint,
  args: readonly bigint[],
): ModuleRead {
  if (args.length !== ARGUMENTS[kind].length) {
    const reason = `that of ${kind} has ${args.length} arguments after the chain id`;
    throw badForm(reason, ARGUMENTS[kind].join(", "));
  }
  const [block = 0n, second = 0n, third = 0n, low = 0n] = args;
  switch (kind) {
    case "header":
    case "starknetHeader":
      return { kind, chainId, block, field };
    case "account":
    case "bytecode":
      return { kind, chainId, block, field, address: hex(second, 20) };
    case "storage":
      if (third >> 128n !== 0n || low >> 128n !== 0n)
        throw badForm("a half of a storage slot exceeds 128 bits");
      return {
        kind,
        chainId,
        block,
        field,
        address: hex(second, 20),
        slot: hex((third << 128n) + low, 32),
      };
    case "starknetStorage":
      return { kind, chainId, block, field, address: hex(second, 32), slot: hex(third, 32) };
    case "transaction":
    case "receipt":
      return { kind, chainId, block, field, index: position(second) };
    case "log":
      return { kind, chainId, block, field, index: position(second), logIndex: position(third) };
  }
}

function hex(value: bigint, bytes: number): Hex {
  const digits = value.toString(16);
  if (digits.length > bytes * 2) throw badForm(`0x${digits} does not fit ${bytes} bytes`);
  return `0x${digits.padStart(bytes * 2, "0")}`;
}

function position(value: bigint): number {
  if (value > 2n ** 32n) throw badForm(`the index ${value} is out of range`);
  return Number(value);
}

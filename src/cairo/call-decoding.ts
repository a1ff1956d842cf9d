import type { Hex } from "viem";

import { CHAIN_IDS } from "../request/chains.js";
import type { EvmKind, Generation, HandlerTable, StarknetKind } from "./generations.js";
import type { ModuleRead } from "./module-read.js";
import { shortString } from "../base/felt.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";

/** A module's call to a data handler. */
export interface HandlerCall {
  /** The handler's address. */
  readonly contract: bigint;
  /** The field's number. */
  readonly selector: bigint;
  /** Data handle (two felts), chain id, block and what the handler needs further. */
  readonly calldata: readonly bigint[];
}

const STARKNET_CHAINS: readonly bigint[] = [CHAIN_IDS.STARKNET_MAINNET, CHAIN_IDS.STARKNET_SEPOLIA];

const NAMED: Readonly<Record<string, string>> = {
  arbitrary_type: "Arbitrary type conversion needs a run by the service.",
};

/** Handlers without a number are named by a short string, which is far above the numbers. */
const FIRST_NAME = 256n;
/** A handle is a pair that a module only hands back. */
const HANDLE_FELTS = 2;

/**
 * What a call asks for.
 *
 * @param spell from `rememberingHex` where many calls are decoded
 * @throws HdpError HDP-7112 for a handler, field or argument list that the generation does not have.
 */
export function decodeCall(call: HandlerCall, generation: Generation, spell: SpellHex = hex): ModuleRead {
  if (call.contract >= FIRST_NAME) {
    const name = shortString(call.contract);
    if (name === "unconstrained" && generation.unconstrained) return bytecodeRead(call, spell);
    const known = [...Object.keys(NAMED), "unconstrained", "injected_state"].includes(name);
    if (known) {
      const reason = NAMED[name] ?? `Generation ${generation.name} does not have it: choose head, which does.`;
      throw refused(`the module calls the handler "${name}"`, reason);
    }
  }
  const [chainId, ...rest] = call.calldata.slice(HANDLE_FELTS);
  if (chainId === undefined) throw refused("the module's call names no chain");
  return STARKNET_CHAINS.includes(chainId)
    ? starknetRead(call, generation, chainId, rest, spell)
    : evmRead(call, generation, chainId, rest, spell);
}

/** Selector 0 is the only one of unconstrained data. */
function bytecodeRead(call: HandlerCall, spell: SpellHex): ModuleRead {
  if (call.selector !== 0n) {
    throw refused(`the module asks for field ${call.selector} of unconstrained data`, "It has: 0 bytecode.");
  }
  const [chainId, ...rest] = call.calldata.slice(HANDLE_FELTS);
  if (chainId === undefined) throw refused("the module's call names no chain");
  const [block, address] = expect("bytecode", rest, ["block", "address"]);
  return { kind: "bytecode", chainId, block, field: "code", address: spell(address, 20) };
}

function refused(problem: string, allowed?: string): HdpError {
  return hdpError("HDP-7112", { problem, allowed });
}

/** The handler and field a call names, in a generation's tables. */
function lookUp<Kind extends string>(
  call: HandlerCall,
  generation: Generation,
  tables: readonly HandlerTable<Kind>[],
  world: string,
): { readonly table: HandlerTable<Kind>; readonly field: string } {
  const table = call.contract < BigInt(tables.length) ? tables[Number(call.contract)] : undefined;
  if (table === undefined) {
    throw refused(
      `the module calls the ${world} handler ${call.contract}, which generation ${generation.name} does not have`,
      `It has: ${tables.map(({ kind }, address) => `${address} ${kind}`).join(", ") || "none"}. Choose the generation that the module was compiled for.`,
    );
  }
  const field = call.selector < BigInt(table.fields.length) ? table.fields[Number(call.selector)] : undefined;
  if (field === undefined) {
    throw refused(
      `the module asks for field ${call.selector} of ${table.kind}, which generation ${generation.name} does not have`,
      `It has: ${table.fields.map((known, selector) => `${selector} ${known}`).join(", ")}.`,
    );
  }
  return { table, field };
}

function evmRead(
  call: HandlerCall,
  generation: Generation,
  chainId: bigint,
  rest: readonly bigint[],
  spell: SpellHex,
): ModuleRead {
  const { table, field } = lookUp<EvmKind>(call, generation, generation.evm, "EVM");
  const args = takeLabel(table, rest);
  const { kind } = table;
  switch (kind) {
    case "header": {
      const [block] = expect(kind, args, ["block"]);
      return { kind, chainId, block, field };
    }
    case "account": {
      const [block, address] = expect(kind, args, ["block", "address"]);
      return { kind, chainId, block, field, address: spell(address, 20) };
    }
    case "storage": {
      // Slots are given high half first, unlike everything returned.
      const [block, address, high, low] = expect(kind, args, ["block", "address", "slot high", "slot low"]);
      if (high >> 128n !== 0n || low >> 128n !== 0n) throw refused("a half of a storage slot exceeds 128 bits");
      return { kind, chainId, block, field, address: spell(address, 20), slot: spell((high << 128n) + low, 32) };
    }
    case "transaction":
    case "receipt": {
      const [block, index] = expect(kind, args, ["block", "index"]);
      return { kind, chainId, block, field, index: position(index) };
    }
    case "log": {
      const [block, index, logIndex] = expect(kind, args, ["block", "index", "log index"]);
      return { kind, chainId, block, field, index: position(index), logIndex: position(logIndex) };
    }
  }
}

function starknetRead(
  call: HandlerCall,
  generation: Generation,
  chainId: bigint,
  rest: readonly bigint[],
  spell: SpellHex,
): ModuleRead {
  const { table, field } = lookUp<StarknetKind>(call, generation, generation.starknet, "Starknet");
  if (table.kind === "starknetHeader") {
    const [block] = expect(table.kind, rest, ["block"]);
    return { kind: table.kind, chainId, block, field };
  }
  const [block, address, slot] = expect(table.kind, rest, ["block", "address", "key"]);
  return { kind: table.kind, chainId, block, field, address: spell(address, 32), slot: spell(slot, 32) };
}

function takeLabel(table: HandlerTable<EvmKind>, args: readonly bigint[]): readonly bigint[] {
  if (table.label === undefined) return args;
  const [label, ...rest] = args;
  if (label !== undefined && shortString(label) === table.label) return rest;
  throw refused(`the module's call of ${table.kind} lacks the label "${table.label}"`);
}

function expect<const Names extends readonly string[]>(
  kind: string,
  args: readonly bigint[],
  names: Names,
): { readonly [Index in keyof Names]: bigint } & readonly bigint[] {
  if (hasLength(args, names)) return args;
  throw refused(
    `the module's call of ${kind} has ${args.length} arguments after the chain id`,
    `Expected: ${names.join(", ")}. A call of another form belongs to another generation.`,
  );
}

function hasLength<Names extends readonly string[]>(
  args: readonly bigint[],
  names: Names,
): args is { readonly [Index in keyof Names]: bigint } & readonly bigint[] {
  return args.length === names.length;
}

/** Spells an integer as so many bytes. */
export type SpellHex = (value: bigint, bytes: number) => Hex;

/** Spells, and keeps the last spelling of each width: most modules read one place over and over. */
export function rememberingHex(): SpellHex {
  const last = new Map<number, { readonly value: bigint; readonly text: Hex }>();
  return (value, bytes) => {
    const known = last.get(bytes);
    if (known?.value === value) return known.text;
    const text = hex(value, bytes);
    last.set(bytes, { value, text });
    return text;
  };
}

function hex(value: bigint, bytes: number): Hex {
  const digits = value.toString(16);
  if (digits.length > bytes * 2) throw refused(`0x${digits} does not fit ${bytes} bytes`);
  return `0x${digits.padStart(bytes * 2, "0")}`;
}

function position(value: bigint): number {
  if (value > 2n ** 32n) throw refused(`the index ${value} is out of range`);
  return Number(value);
}

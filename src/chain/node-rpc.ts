import type { Hex } from "viem";

import { isRecord } from "../base/collections.js";
import { shownJson } from "../base/json.js";
import { type BoundedProvider, boundedReads, type BoundOptions } from "../base/node-reads.js";
import { integerItem } from "../base/rlp.js";
import { askNode, callFailure, type Eip1193Provider, providerSentence } from "../base/rpc.js";
import { HdpError, hdpError } from "../errors/hdp-error.js";

/** A JSON object in a node's answer, with its name for errors ("block 12"). */
export interface RpcObject {
  readonly what: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns a node's answer as an object whose fields can be read. `what` names the answer in errors. */
export function rpcObject(value: unknown, what: string): RpcObject {
  if (!isRecord(value)) throw malformed(what, undefined, value, "a JSON object");
  return { what, fields: value };
}

/** Returns a field that is a list. */
export function listField(object: RpcObject, field: string): readonly unknown[] {
  const value = object.fields[field];
  if (!Array.isArray(value)) throw malformed(object.what, field, value, "a list");
  return value;
}

/** Returns a field that is hex of whole bytes, in lower case; of `bytes` bytes where they are given. */
export function data(object: RpcObject, field: string, bytes?: number): Hex {
  return asData(object.fields[field], object.what, field, bytes);
}

/** Returns a value as hex of whole bytes, in lower case; of `bytes` bytes where they are given. */
export function asData(value: unknown, what: string, field: string, bytes?: number): Hex {
  if (isEvenHex(value) && (bytes === undefined || value.length === 2 + 2 * bytes)) return value;
  if (typeof value === "string" && value !== value.toLowerCase()) {
    return asData(value.toLowerCase(), what, field, bytes);
  }
  throw malformed(what, field, value, bytes === undefined ? "hex bytes" : `${bytes} bytes of hex`);
}

/** Returns a list of 32-byte words. */
export function words(object: RpcObject, field: string): Hex[] {
  return listField(object, field).map((item) => asData(item, object.what, field, 32));
}

/** Returns the code at an address, by default at the latest block. @throws HdpError HDP-4103, HDP-4102 */
export async function codeAt(
  provider: Eip1193Provider,
  address: Hex,
  block = "latest",
): Promise<Hex> {
  return asData(await askNode(provider, "eth_getCode", [address, block]), "eth_getCode", "result");
}

/** Returns an integer field in RLP's form: minimal big-endian, zero as `0x`. */
export function rlpInteger(object: RpcObject, field: string): Hex {
  return integerItem(bigIntField(object, field));
}

/** Returns an integer in the hex form of JSON-RPC, without leading zeros. */
export function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

/** Returns a field that is a hex integer. */
export function bigIntField(object: RpcObject, field: string): bigint {
  return asInteger(object.fields[field], object.what, field);
}

/** Returns a value as an integer, from hex of at most 64 digits. */
export function asInteger(value: unknown, what: string, field: string): bigint {
  if (typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
  throw malformed(what, field, value, "a hex integer of at most 64 digits");
}

/** Returns whether a field is neither absent nor null. */
export function has(object: RpcObject, field: string): boolean {
  return object.fields[field] !== undefined && object.fields[field] !== null;
}

/** Returns whether text is lower-case hex of whole bytes, the form that nodes send and that needs no conversion. */
function isEvenHex(value: unknown): value is Hex {
  return typeof value === "string" && value.length % 2 === 0 && /^0x[0-9a-f]*$/.test(value);
}

function malformed(
  what: string,
  field: string | undefined,
  value: unknown,
  expected: string,
): HdpError {
  const place = field === undefined ? what : `field "${field}" of ${what}`;
  const short = typeof value === "string" ? value.slice(0, 80) : value;
  const shown = short === undefined ? "missing" : shownJson(short).slice(0, 80);
  return hdpError("HDP-4102", { place, problem: `${shown}, expected ${expected}` });
}

/** HDP-4103: the node does not support the method, or not for that block. Callers with a fallback catch it. */
export class UnsupportedReadError extends HdpError {
  public constructor(
    { code, shortMessage: message, hints, cause }: HdpError,
    /** The node's message. */
    public readonly words: string,
    /** Whether the node supports the method, but lacks the block's state or its proofs. */
    public readonly isOfState: boolean,
  ) {
    super({ code, message, hints, cause });
  }
}

const UNSUPPORTED_CODES: readonly unknown[] = [-32601, -32004, 4200];
const UNSUPPORTED_TEXT =
  /method.*(?:does not exist|not (?:found|available))|unsupported|not supported|not implemented/i;

/** Bounds of the calls to a node, and a signal that ends them. */
export type RpcClientOptions = BoundOptions & { readonly signal?: AbortSignal | undefined };

/** Reads from a node until a signal aborts. Errors name the call. */
export class RpcClient {
  public readonly readAhead: number;
  readonly #reads: BoundedProvider;
  readonly #signal: AbortSignal | undefined;
  /** Functions that reject waiting calls, so that one listener on the signal serves thousands of calls. */
  readonly #waiting = new Set<(reason: unknown) => void>();

  public constructor(provider: Eip1193Provider, { signal, ...bounds }: RpcClientOptions = {}) {
    this.#reads = boundedReads(provider, bounds);
    this.readAhead = this.#reads.readAhead;
    this.#signal = signal;
  }

  /**
   * Calls the node. @throws HdpError HDP-4103 with the call, {@link UnsupportedReadError} for a method that the node does not
   * support; the signal's reason
   */
  public call(method: string, params: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#signal?.throwIfAborted();
      this.#begin(reject);
      this.#reads.request({ method, params }).then(
        (result) => {
          this.#end(reject);
          resolve(result);
        },
        (error: unknown) => {
          this.#end(reject);
          reject(readFailure(method, params, error));
        },
      );
    });
  }

  #begin(reject: (reason: unknown) => void): void {
    if (this.#waiting.size === 0) this.#signal?.addEventListener("abort", this.#abort);
    this.#waiting.add(reject);
  }

  #end(reject: (reason: unknown) => void): void {
    this.#waiting.delete(reject);
    if (this.#waiting.size === 0) this.#signal?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => {
    for (const reject of this.#waiting) reject(this.#signal?.reason);
  };
}

/** Messages of nodes that lack a block's state, or its proof, and their sources: a thread on GitHub, or a test. */
export const STATE_WORDINGS: readonly (readonly [node: string, words: RegExp, source: string])[] = [
  [
    "geth, path scheme",
    /historical state (?:\S+ )?is not available/i,
    "NomicFoundation/edr/pull/1721",
  ],
  [
    "geth, path scheme",
    /historical state not available in path scheme/i,
    "drpcorg/nodecore/pull/222",
  ],
  ["geth, path scheme", /state histories haven't been fully indexed/i, "drpcorg/nodecore/pull/222"],
  ["geth, hash scheme", /missing trie node/i, "ethereum/go-ethereum/issues/20874"],
  ["geth 1.16, hash scheme", /^not supported$/i, "test/chain/geth-limits.tools.test.ts"],
  ["geth", /required historical state unavailable/i, "blockscout/blockscout/issues/2219"],
  [
    "anvil with --state",
    /BlockOutOfRangeError: block height is \d+ but/,
    "test/conformance/anvil.tools.test.ts",
  ],
  [
    "erigon",
    /block is too old, block must be within \d+ blocks of the head/i,
    "erigontech/erigon/issues/7748",
  ],
  ["erigon 3", /old data not available due to pruning/i, "drpcorg/nodecore/pull/222"],
  ["nethermind", /no state available for block/i, "NethermindEth/nethermind/issues/8174"],
  ["nethermind", /MissingTrieNodeException/, "NethermindEth/nethermind/issues/9408"],
  ["besu", /world state (?:unavailable|(?:is )?not available)/i, "besu-eth/besu/issues/9040"],
  ["reth", /exceeds maximum proof window/i, "paradigmxyz/reth/issues/14952"],
  ["reth", /state at block #?\d+ is pruned/i, "drpcorg/nodecore/pull/222"],
  ["OpenEthereum", /node is running with state pruning/i, "openethereum/openethereum/issues/178"],
  ["Infura", /access (?:to )?archive state/i, "ethers-io/ethers.js/issues/715"],
  [
    "Chainstack and others",
    /access to archival, debug, or trace data is not included/i,
    "drpcorg/nodecore/pull/222",
  ],
];

/** Returns whether a node's error, its message with its data, says that state or its proof is missing. */
export function isMissingState(text: string): boolean {
  return STATE_WORDINGS.some(([, words]) => words.test(text));
}

function readFailure(method: string, params: readonly unknown[], cause: unknown): Error {
  const failure = callFailure(method, params, cause);
  if (failure === cause || !(failure instanceof HdpError)) return failure;
  const words = providerSentence(cause);
  const { code, data } = isRecord(cause) ? cause : {};
  const isOfState = isMissingState(typeof data === "string" ? `${words} ${data}` : words);
  const isUnsupported = UNSUPPORTED_CODES.includes(code) || UNSUPPORTED_TEXT.test(words);
  return isOfState || isUnsupported ? new UnsupportedReadError(failure, words, isOfState) : failure;
}

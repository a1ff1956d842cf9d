import type { Address } from "viem";
import { hexToString } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { askNode, callProvider, type Eip1193Provider, providerSentence } from "../base/rpc.js";
import { asData, asInteger, codeAt, quantity } from "../chain/node-rpc.js";
import type { CallAnswer, EthCall, NodeCall } from "../compute/proven-call.js";
import { revertData } from "../store/reverts.js";

/** Outcome of a call: its return data, its revert data, or why there is neither. */
export type CallOutcome = CallAnswer | { readonly failure: string };

/** Sender of calls where none is given. */
export const NO_SENDER: Address = "0x0000000000000000000000000000000000000000";

/** Asks a node for the answer of an `eth_call` at a block: returned data, or a revert with its data. */
export async function nodeAnswer(
  provider: Eip1193Provider,
  { from, to, data, block }: NodeCall,
): Promise<CallOutcome> {
  try {
    const answer = await callProvider(provider, "eth_call", [{ from, to, data }, quantity(block)]);
    return { success: true, data: asData(answer, "eth_call", "result") };
  } catch (error) {
    const reverted = revertData(error);
    return reverted === undefined
      ? { failure: providerSentence(error) }
      : { success: false, data: reverted };
  }
}

/** Gas of a call whose access list is asked for: nodes refuse a sender that cannot pay it. */
const LIST_GAS = "0xe00000";

/** Returns a node's answer to eth_createAccessList for a call at a block; undefined where it has none. */
export async function accessList(
  provider: Eip1193Provider,
  { from, to, data, block }: NodeCall,
): Promise<unknown> {
  const params = [{ from, to, data, gas: LIST_GAS }, quantity(block)];
  return await callProvider(provider, "eth_createAccessList", params).catch(() => undefined);
}

/** The library's EVM accepts offsets, lengths and jump targets below 2^32. */
const FAR = 2n ** 32n;
/** Precompiles 1 to 17 that the library computes as nodes do. */
const EQUAL_PRECOMPILES: readonly bigint[] = [4n, 9n];
const LACKING_PRECOMPILE = "a precompile that the module lacks";
const isLackingPrecompile = (to: bigint): boolean =>
  to > 0n && to <= 17n && !EQUAL_PRECOMPILES.includes(to);
const CALLS = ["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"];
const ACCOUNT = 2n ** 160n;

type Differs = (top: bigint, second: bigint, third: bigint, caller: bigint) => boolean;
const always = (): boolean => true;
const isEmptyAndFar: Differs = (offset, length) => length === 0n && offset >= FAR;

/** Differences of the data processor's EVM (docs/proven-calls.md): instructions, triggering stack items, words. */
const DIFFERENCES: readonly (readonly [
  ops: readonly string[],
  differs: Differs,
  difference: string,
])[] = [
  [["CLZ", "opcode 0x1e not defined"], always, "CLZ, which the module does not have"],
  [["BLOBHASH"], always, "BLOBHASH, which leaves its index on the module's stack"],
  [["BLOBBASEFEE"], always, "BLOBBASEFEE, which is always 1 in the module"],
  [
    ["BASEFEE", "GASPRICE"],
    always,
    "BASEFEE or GASPRICE: 0 in a node's call, the block's in the module",
  ],
  [["BLOCKHASH"], always, "BLOCKHASH, which the module does not answer"],
  [
    ["BALANCE"],
    (top, _, __, caller) => top === caller,
    "BALANCE of the caller, less the gas of the module's call",
  ],
  [
    ["EXTCODEHASH"],
    (top) => (top > 0n && top <= 10n) || top === 256n,
    "EXTCODEHASH of a precompile, 0 in the module",
  ],
  [CALLS, (_, to) => isLackingPrecompile(to), LACKING_PRECOMPILE],
  [["CREATE", "CREATE2"], always, "CREATE: the new account does not exist at the block"],
  [["CALLDATALOAD"], (top) => top >= FAR, "CALLDATALOAD at 2^32 or above"],
  [["SHA3", "KECCAK256"], isEmptyAndFar, "SHA3 of length 0 at 2^32 or above"],
  [
    ["MCOPY"],
    (_, from, length) => isEmptyAndFar(from, length, 0n, 0n),
    "MCOPY of length 0 from 2^32 or above",
  ],
  [
    ["JUMPI"],
    (to, condition) => isEmptyAndFar(to, condition, 0n, 0n),
    "JUMPI to 2^32 or above that is not taken",
  ],
  [
    ["MSTORE"],
    (top) => top % 16n !== 0n,
    "MSTORE at an offset that is no multiple of 16: the module loses bytes behind it",
  ],
  [["GAS"], always, "GAS, of which the module's call has 50,000,000"],
];

const MISMATCH = "Account: code hash mismatch";
/** Panics of the module whose texts do not explain themselves. */
const PANICS: Readonly<Record<string, string>> = {
  [MISMATCH]:
    "an account that does not exist at that block is called, read or created, or is the caller; on anvil a precompile is such an account, since it has no balance",
  "u256_sub Overflow":
    "the caller cannot afford 50,000,000 gas at the block's price (base fee plus 500,000 wei, at most 1 gwei)",
  "u256_mul Overflow": "MULMOD whose factors' remainders multiply to 2^256 or more",
  "mul Overflow": "SAR by 256",
  "Option::unwrap failed.": "MSTORE at an offset that is no multiple of 16",
};

/** Panics that have one cause: the node is not asked for what the call did. */
const EXPLAINED = new Set(Object.keys(PANICS).filter((text) => text !== MISMATCH));

/** Prefix of an account's code that EIP-7702 delegates. */
const DELEGATION = "0xef0100";
/** Gas of the traced call. It bounds the length of the trace; the beginning of the trace is enough. */
const TRACED_GAS = 500_000n;

interface Step {
  readonly op: string;
  /** Stack items, top first. */
  readonly stack: readonly bigint[];
}

/** Returns possible reasons for differing answers, by the node's trace. @throws HdpError HDP-4103, HDP-4102 */
export async function likelyCause(
  provider: Eip1193Provider,
  call: EthCall,
  { ours, theirs }: { readonly ours: CallOutcome; readonly theirs: CallOutcome },
): Promise<string> {
  const isExplained = "failure" in ours && EXPLAINED.has(ours.failure);
  const steps = isExplained ? [] : await tracedSteps(provider, call).catch(() => []);
  if ("failure" in ours) return panicCause(ours.failure, lacksPrecompile(steps));
  const causes = DIFFERENCES.filter(([ops, differs]) =>
    steps.some(
      ({ op, stack: [top = 0n, second = 0n, third = 0n] }) =>
        ops.includes(op) && differs(top, second, third, BigInt(call.from)),
    ),
  ).map(([, , difference]) => difference);
  const called = steps
    .filter(({ op }) => CALLS.includes(op))
    .map(({ stack }) => (stack[1] ?? 0n) % ACCOUNT);
  for (const account of new Set([BigInt(call.to), ...called])) {
    const code = await codeAt(
      provider,
      `0x${account.toString(16).padStart(40, "0")}`,
      quantity(call.block),
    );
    if (code.startsWith(DELEGATION))
      causes.unshift("an account delegated by EIP-7702, whose code the module does not follow");
  }
  const chainId = asInteger(await askNode(provider, "eth_chainId"), "eth_chainId", "result");
  if (chainId !== call.chainId && steps.some(({ op }) => op === "CHAINID"))
    causes.push("CHAINID of a stand-in chain");
  if (!ours.success && /^[ -~]+$/.test(hexToString(ours.data)))
    causes.push("an end of all gas, named in the data");
  if (causes.length > 0) return causes.join("; ");
  return "failure" in theirs
    ? "the node lacks the state of that block, or allows a call less gas"
    : "a difference that is not listed";
}

/** Returns why the module panicked: by its text, by what the node's trace calls, or both. */
function panicCause(failure: string, lacks: boolean): string {
  const known = PANICS[failure];
  if (!lacks) return known ?? "the module cannot compute this call";
  return known === undefined ? LACKING_PRECOMPILE : `${LACKING_PRECOMPILE}; or ${known}`;
}

function lacksPrecompile(steps: readonly Step[]): boolean {
  return steps.some(
    ({ op, stack }) => CALLS.includes(op) && isLackingPrecompile((stack[1] ?? 0n) % ACCOUNT),
  );
}

async function tracedSteps(
  provider: Eip1193Provider,
  { from, to, data, block }: EthCall,
): Promise<readonly Step[]> {
  const options = { disableStorage: true, disableMemory: true };
  const params = [{ from, to, data, gas: quantity(TRACED_GAS) }, quantity(block), options];
  const traced = await callProvider(provider, "debug_traceCall", params);
  const logs: readonly unknown[] =
    isRecord(traced) && Array.isArray(traced["structLogs"]) ? traced["structLogs"] : [];
  return logs.filter(isRecord).map(({ op, stack }) => ({
    op: String(op),
    stack: (Array.isArray(stack) ? stack : [])
      .map((item) => BigInt(`0x${String(item).replace(/^0x/, "")}`))
      .reverse(),
  }));
}

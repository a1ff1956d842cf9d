import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  stringToHex,
  toHex,
} from "viem";
import type { NetworkConnection } from "hardhat/types/network";

import type { Eip1193Provider } from "../../../src/base/rpc.js";
import { isHdpError } from "../../../src/errors/hdp-error.js";
import { revertData } from "../../../src/store/reverts.js";
import { compiledContract } from "../../support/compiled-contract.js";
import { deployment, DIFFERING_OPCODES, DIFFERING_PRECOMPILES } from "./opcodes.js";

/** A call to make, under a name that says how its contract was compiled. */
export interface FourWaysCall {
  readonly name: string;
  readonly to: Address;
  readonly data: Hex;
}

export const WAYS = ["paris/legacy", "paris/viaIR", "cancun/legacy", "cancun/viaIR"] as const;

const LENGTHS = [0, 1, 4, 15, 16, 20, 31, 32, 33, 47, 64];
const NUMBERS = [
  0n,
  1n,
  7n,
  255n,
  2n ** 64n - 1n,
  2n ** 127n,
  2n ** 128n + 1n,
  2n ** 255n,
  2n ** 256n - 1n,
];
const text = (length: number, from = 97): string =>
  String.fromCharCode(...Array.from({ length }, (_, at) => from + (at % 24)));
const bytes = (length: number): Hex =>
  toHex(Uint8Array.from({ length }, (_, at) => (at * 37 + 11) % 256));
const address = (seed: number): Address => `0x${keccak256(numberToHex(seed)).slice(-40)}`;

async function create(provider: Eip1193Provider, from: Address, data: Hex): Promise<Address> {
  const hash = await provider.request({
    method: "eth_sendTransaction",
    params: [{ from, data, gas: "0xa00000" }],
  });
  for (;;) {
    const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    if (receipt !== null) return (receipt as { readonly contractAddress: Address }).contractAddress;
  }
}

/** Deploys a contract of that code from the node's first account. */
export async function deployed(provider: Eip1193Provider, code: Hex): Promise<Address> {
  const [owner] = (await provider.request({ method: "eth_accounts" })) as readonly Address[];
  return await create(provider, owner ?? "0x", deployment(code));
}

/** Deploys the contracts of FourWays.sol in all ways, and those of single instructions, and lists the calls of them. */
export async function fourWays(
  provider: Eip1193Provider,
  owner: Address,
): Promise<readonly FourWaysCall[]> {
  const all: FourWaysCall[] = [];
  for (const way of WAYS) {
    const deploy = async (
      name: string,
      args: readonly unknown[],
      library?: Address,
    ): Promise<Address> => {
      const { abi, bytecode } = compiledContract(`${name}/${way}`);
      const linked: Hex = `0x${bytecode.slice(2).replaceAll(/__\$[0-9a-f]{34}\$__/g, library?.slice(2) ?? "")}`;
      return await create(provider, owner, encodeDeployData({ abi, bytecode: linked, args }));
    };
    const coin = await deploy("Coin", [owner]);
    const to = await deploy("FourWays", [coin], await deploy("Slices", []));
    const { abi } = compiledContract(`FourWays/${way}`);
    const coinAbi = compiledContract(`Coin/${way}`).abi;
    for (const [functionName, ...args] of ordinaryCalls(owner, coin, abi))
      all.push({
        name: `${way} ${functionName}`,
        to,
        data: encodeFunctionData({ abi, functionName, args }),
      });
    for (const [functionName, ...args] of coinCalls(owner, to))
      all.push({
        name: `${way} ${functionName}`,
        to: coin,
        data: encodeFunctionData({ abi: coinAbi, functionName, args }),
      });
  }
  for (const { name, code } of [...DIFFERING_OPCODES, ...DIFFERING_PRECOMPILES])
    all.push({ name, to: await create(provider, owner, deployment(code)), data: "0x" });
  return all;
}

type Arguments = readonly [functionName: string, ...args: readonly unknown[]];

function coinCalls(owner: Address, other: Address): readonly Arguments[] {
  return [
    ...["name", "symbol", "decimals", "totalSupply"].map((name): Arguments => [name]),
    ...[owner, other].map((account): Arguments => ["balanceOf", account]),
    ...[owner, other].map((spender): Arguments => ["allowance", owner, spender]),
    ...[0n, 1n, 10n ** 30n].map((amount): Arguments => ["transfer", other, amount]),
  ];
}

function ordinaryCalls(owner: Address, coin: Address, abi: Abi): readonly Arguments[] {
  const calls: Arguments[] = [];
  const add = (...call: Arguments): void => {
    calls.push(call);
  };
  for (let seed = 0; seed < 10; seed += 1)
    add("pairFor", address(seed), address(seed + 1), address(seed + 2));
  for (const [at, length] of LENGTHS.entries()) {
    const other = LENGTHS[(at * 5 + 3) % LENGTHS.length] ?? 1;
    add("joined", text(length), text(other, 65), text(3));
    add("joinedTwice", text(length), text(other, 65));
    add("packed", 7, "0x010203", 500, text(length));
    add("encoded", BigInt(length), text(other), NUMBERS.slice(0, at));
    add(
      "decoded",
      encodeAbiParameters([{ type: "uint256" }, { type: "string" }], [5n, text(length)]),
    );
    add("part", bytes(64), BigInt(at), BigInt(length));
    add("headOf", bytes(40), BigInt(length));
    add("digests", bytes(length));
    add("notes", [text(length), text(other), ""]);
    add(
      "sorted",
      Array.from({ length: Math.min(length, 16) }, (_, index) => BigInt((index * 7) % 11)),
    );
  }
  for (const [at, number] of NUMBERS.entries()) {
    const other = NUMBERS[(at * 4 + 1) % NUMBERS.length] ?? 1n;
    add("packedAddress", address(at), number);
    add("withSelector", address(at), number);
    add("leaf", address(at), number);
    add("signedHash", keccak256(numberToHex(number)));
    add("decimal", number);
    add("sum", [number, 1n, BigInt(at)]);
    add("amountOut", number % 2n ** 100n, other % 2n ** 100n, 10n ** 18n);
    add("root", number);
    add("mixed", BigInt.asIntN(256, number), BigInt.asIntN(128, other), at * 31);
    add("narrowed", number);
    add("power", number, BigInt(at));
    add("modular", number, other, other === 0n ? 3n : other);
    add("written", number);
    add("tried", address(at), number);
  }
  for (const [rows, columns] of [
    [0n, 0n],
    [1n, 5n],
    [4n, 3n],
  ])
    add("table", rows, columns);
  for (const index of [0n, 1n, 2n]) add("position", index);
  for (const name of ["everything", "stored", "described", "who", "place", "fees", "domain"])
    add(name);
  for (const name of ["one", "two"]) add("named", stringToHex(name, { size: 32 }));
  for (const accounts of [[], [owner], [owner, coin, address(1), owner]]) add("balances", accounts);
  const inner = (functionName: string, ...args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi, functionName, args });
  for (const count of [0, 1, 2, 3])
    add("multicall", [inner("sum", [1n, 2n]), inner("described"), inner("stored")].slice(0, count));
  add("multicall", [inner("refused", 3n)]);
  for (const depth of [0n, 1n, 6n]) add("deep", depth);
  for (const value of [0n, 1n, 2n, 3n, 4n, 10n, 11n]) add("refused", value);
  for (const back of [1n, 5n, 20n, 300n]) add("ancestor", back);
  for (const account of [owner, coin, address(3)]) {
    add("code", account);
    add("worth", account);
  }
  const digest = keccak256("0x01");
  for (const v of [0, 27]) add("recovered", digest, v, digest, digest);
  return calls;
}

export interface FinalizedCalls {
  readonly calls: number;
  readonly finalized: number;
  /** Refused before anything was finalized, by the error's number. */
  readonly refused: Readonly<Record<string, number>>;
  /** Finalized with another answer than the node's own. */
  readonly wrong: readonly string[];
}

/** Makes every `every`th call from the `first`th by `hdp.ethCall`, and compares what was finalized with the node's own `eth_call`. */
export async function finalizeCalls(
  { hdp, provider }: Pick<NetworkConnection<string>, "hdp" | "provider">,
  every: number,
  first = 0,
): Promise<FinalizedCalls> {
  const [owner] = (await provider.request({ method: "eth_accounts" })) as readonly Address[];
  if (owner === undefined) throw new Error("the node has no account");
  // Precompiles exist as accounts on public chains, where somebody sent them dust: a contract may, whatever they answer.
  for (let number = 1; number <= 17; number += 1) {
    const data = `0x73${numberToHex(number, { size: 20 }).slice(2)}ff`;
    const transaction = { from: owner, data, value: "0x1", gas: "0x100000" };
    await provider.request({ method: "eth_sendTransaction", params: [transaction] });
  }
  const calls = (await fourWays(provider, owner)).filter((_, index) => index % every === first);
  const refused: Record<string, number> = {};
  const wrong: string[] = [];
  let finalized = 0;
  for (const { name, to, data } of calls) {
    const block = BigInt((await provider.request({ method: "eth_blockNumber" })) as Hex);
    const theirs = await nodeWords(provider, { from: owner, to, data }, block);
    try {
      const { success, data: ours, result } = await hdp.ethCall({ to, data, block, from: owner });
      finalized += 1;
      const stored = (await hdp.readResult(result.taskHash)).word;
      if (`${String(success)} ${ours}` !== theirs || stored !== result.word)
        wrong.push(`${name}: ${ours}, by the node ${theirs}`);
    } catch (error) {
      if (!isHdpError(error)) throw error;
      refused[error.code] = (refused[error.code] ?? 0) + 1;
    }
  }
  return { calls: calls.length, finalized, refused, wrong };
}

async function nodeWords(provider: Eip1193Provider, call: object, block: bigint): Promise<string> {
  try {
    return `true ${String(await provider.request({ method: "eth_call", params: [call, numberToHex(block)] }))}`;
  } catch (error) {
    return `false ${String(revertData(error))}`;
  }
}

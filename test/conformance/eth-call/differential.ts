import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseEther,
} from "viem";

import type { Eip1193Provider } from "../../../src/base/rpc.js";
import { compiledContract } from "../../support/compiled-contract.js";
import { addStandardCalls, type StandardsSetting } from "./standard-calls.js";

/** A call to compare: by whom, of what, with which data. */
export interface Call {
  readonly name: string;
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

export interface PreparedCalls {
  readonly equal: readonly Call[];
  /** Calls that come out otherwise; docs/proven-calls.md says why. */
  readonly differing: readonly DifferingCall[];
}

/** `ours`: what the proven call answers, `true 0x…`, `false 0x…`, or how it ends. */
export interface DifferingCall extends Call {
  readonly ours: string | RegExp;
}

/** Contracts of both files on a development chain, and calls of every kind over them, the same ones every time. */
export async function preparedCalls(provider: Eip1193Provider): Promise<PreparedCalls> {
  const accounts = (await provider.request({ method: "eth_accounts" })) as readonly Address[];
  const [owner = "0x", friend = "0x"] = accounts;
  const deploy = async (
    name: string,
    args: readonly unknown[] = [],
    libraries: readonly Address[] = [],
  ): Promise<Address> => {
    const { abi, bytecode } = compiledContract(name);
    const data = encodeDeployData({ abi, bytecode: link(bytecode, libraries), args });
    const hash = await provider.request({
      method: "eth_sendTransaction",
      params: [{ from: owner, data, gas: "0xf00000" }],
    });
    const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    return (receipt as { contractAddress: Address }).contractAddress;
  };
  const coin = await deploy("Coin", [owner]);
  const badge = await deploy("Badge", [owner]);
  const library = await deploy("Arithmetic");
  const counter = await deploy("Counter");
  const proxy = await deploy("CounterProxy", [counter]);
  const calls = await deploy("Calls", [proxy], [library]);
  const pool = await deploy("Pool");
  const feed = await deploy("Feed", [await deploy("Aggregator")]);
  await existing(provider);
  const all: Call[] = [];
  const differing: DifferingCall[] = [];
  const addTo =
    (list: Call[]) =>
    (
      name: string,
      to: Address,
      abi: Abi,
      functionName: string,
      args: readonly unknown[],
      from = owner,
    ): void => {
      list.push({
        name: `${name}.${functionName}(${args.map(String).join(", ").slice(0, 60)})`,
        from,
        to,
        data: encodeFunctionData({ abi, functionName, args }),
      });
    };
  const add = addTo(all);
  const coinAbi = compiledContract("Coin").abi;
  for (const functionName of ["name", "symbol", "decimals", "totalSupply"])
    add("Coin", coin, coinAbi, functionName, []);
  for (const account of [owner, friend, coin, badge])
    add("Coin", coin, coinAbi, "balanceOf", [account]);
  add("Coin", coin, coinAbi, "allowance", [owner, friend]);
  for (const amount of [1n, 5n, parseEther("1000000000")])
    add("Coin", coin, coinAbi, "transfer", [friend, amount]);
  add("Coin", coin, coinAbi, "transfer", [friend, 1n], friend);
  const badgeAbi = compiledContract("Badge").abi;
  for (let id = 0n; id < 8n; id += 1n) add("Badge", badge, badgeAbi, "ownerOf", [id]);
  for (const account of [owner, friend]) add("Badge", badge, badgeAbi, "balanceOf", [account]);
  for (const id of ["0x80ac58cd", "0x5b5e139f", "0x01ffc9a7", "0xffffffff"])
    add("Badge", badge, badgeAbi, "supportsInterface", [id]);
  add("Badge", badge, badgeAbi, "tokenURI", [1n]);
  const counterAbi = compiledContract("Counter").abi;
  for (const to of [counter, proxy]) {
    add("Counter", to, counterAbi, "count", []);
    for (let key = 0n; key < 5n; key += 1n) add("Counter", to, counterAbi, "squares", [key]);
  }
  add("Pool", pool, compiledContract("Pool").abi, "slot0", []);
  add("Feed", feed, compiledContract("Feed").abi, "latestRoundData", []);
  const abi = compiledContract("Calls").abi;
  const call = (functionName: string, ...args: readonly unknown[]): void => {
    add("Calls", calls, abi, functionName, args);
  };
  const numbers = [0n, 1n, 2n, 255n, 2n ** 64n - 1n, 2n ** 128n, 2n ** 255n, 2n ** 256n - 1n];
  for (const [index, a] of numbers.entries()) {
    const b = numbers[(index * 3 + 1) % numbers.length] ?? 1n;
    call("add", a, b);
    call("divide", a, b);
    call("bitwise", a, b);
    call("modular", a, b, b === 0n ? 7n : b - 1n);
    call("exponent", a % 1000n, b % 50n);
    call("signed", BigInt.asIntN(256, a), b === 0n ? 1n : BigInt.asIntN(256, b));
  }
  call("divide", 1n, 0n);
  call("signed", -(2n ** 255n), -1n);
  for (const length of [0, 1, 31, 32, 33, 64, 135, 136, 137]) {
    const data: Hex = `0x${Array.from({ length }, (_, index) => ((index * 37) % 256).toString(16).padStart(2, "0")).join("")}`;
    call("hash", data);
    call("reverse", data);
  }
  call("text", "", "");
  call("text", "proven ", "call");
  call("text", "a".repeat(40), "ü".repeat(30));
  call("sorted", []);
  call("sorted", [3n, 1n, 2n]);
  call(
    "sorted",
    Array.from({ length: 12 }, (_, index) => BigInt((index * 7) % 12)),
  );
  for (const name of ["who", "place", "counted"]) call(name);
  for (const account of [friend, coin, calls]) call("balance", account);
  for (const account of [owner, coin, proxy, calls]) call("code", account);
  for (const depth of [0n, 1n, 5n, 10n]) call("deep", depth);
  for (const value of [0n, 1n, 2n, 3n, 4n, 10n, 11n]) {
    call("fail", value);
    call("caught", value);
  }
  for (const turns of [0n, 1n, 10n, 100n]) call("burn", turns);
  for (const [base, exponent] of [
    [2n, 10n],
    [3n, 20n],
    [7n, 3n],
  ])
    call("power", base, exponent);
  for (const value of [0n, 5n, 2n ** 200n]) call("writes", value);
  for (const [number, data] of EQUAL_PRECOMPILES) call("precompile", number, data);
  all.push({ name: "no function of that selector", from: owner, to: calls, data: "0x12345678" });
  all.push({ name: "no data", from: owner, to: calls, data: "0x" });
  all.push({ name: "an account without code", from: owner, to: friend, data: "0x1234" });
  const view = async (to: Address, ofAbi: Abi, functionName: string): Promise<unknown> => {
    const data = encodeFunctionData({ abi: ofAbi, functionName });
    const answer = (await provider.request({
      method: "eth_call",
      params: [{ to, data }, "latest"],
    })) as Hex;
    return decodeFunctionResult({ abi: ofAbi, functionName, data: answer });
  };
  const addDiffering: StandardsSetting["differing"] = (ours, ...added) => {
    const made: Call[] = [];
    addTo(made)(...added);
    differing.push(...made.map((one) => ({ ...one, ours })));
  };
  await addStandardCalls({ owner, friend, coin, deploy, view, add, differing: addDiffering });
  await provider.request({ method: "hardhat_mine", params: ["0x1"] });
  const nobody: Address = `0x${"11".repeat(20)}`;
  const otherwise = (ours: string | RegExp, name: string, ...args: readonly unknown[]): void => {
    addDiffering(ours, "Calls", calls, abi, name, args);
  };
  otherwise(/^true 0x(?!0{128}$)[0-9a-f]{128}$/, "fee");
  otherwise(`true 0x${"0".repeat(64)}`, "ancestor", 1n);
  otherwise(/^true 0x[0-9a-f]{64}$/, "balance", owner);
  // Neither exists, and the code hash that is proven of such an account is 0, not that of no code.
  otherwise(NO_ACCOUNT, "balance", nobody);
  otherwise(NO_ACCOUNT, "code", nobody);
  otherwise(NO_ACCOUNT, "created");
  for (const [ours, ...args] of differingPrecompiles()) otherwise(ours, "precompile", ...args);
  return { equal: all, differing };
}

/** Precompiles exist as accounts on public chains, where somebody sent them dust; here they are given it. */
async function existing(provider: Eip1193Provider): Promise<void> {
  for (let number = 1n; number <= 9n; number += 1n) {
    await provider.request({
      method: "hardhat_setBalance",
      params: [numberToHex(number, { size: 20 }), "0x1"],
    });
  }
  await provider.request({ method: "hardhat_mine", params: ["0x1"] });
}

const NO_ACCOUNT = "Account: code hash mismatch";

const word = (value: bigint): string => numberToHex(value, { size: 32 }).slice(2);
const TEXT: Hex = "0x68656c6c6f";
/** 3 ^ 5 modulo 7, the modulus in `length` bytes. */
const power = (length: number): Hex =>
  `0x${word(1n)}${word(1n)}${word(BigInt(length))}0305${numberToHex(7, { size: length }).slice(2)}`;

/** The identity, BLAKE2's compression, powers of moduli of whole words of 8 bytes, and a recovery of nobody. */
const EQUAL_PRECOMPILES: readonly (readonly [bigint, Hex])[] = [
  [1n, "0x"],
  [4n, TEXT],
  [4n, "0x"],
  [5n, power(8)],
  [5n, power(16)],
  [5n, power(32)],
  [9n, `0x0000000c${"00".repeat(208)}01`],
];

/** The library's EVM has no such precompile, or makes system calls for it that the data processor does not offer. */
function differingPrecompiles(): readonly (readonly [string | RegExp, bigint, Hex])[] {
  const g1 = word(1n) + word(2n);
  return [
    [
      /HDP-7111.* the system call Secp256k1GetPointFromX\./,
      1n,
      `0x${word(1n)}${word(27n)}${word(5n)}${word(6n)}`,
    ],
    [/HDP-7111.* the system call Sha256ProcessBlock\./, 2n, TEXT],
    ["pre-compile at address 3 isn't implemented yet", 3n, TEXT],
    // It answers words of 8 bytes, of which the precompile takes the first bytes, not the last.
    [`true 0x${word(1n)}${word(64n)}${word(1n)}${word(0n)}`, 5n, power(1)],
    ["pre-compile at address 6 is not working yet", 6n, `0x${g1}${g1}`],
    ["pre-compile at address 7 is not working yet", 7n, `0x${g1}${word(9n)}`],
    ["pre-compile at address 8 isn't implemented yet", 8n, "0x"],
  ];
}

function link(bytecode: Hex, libraries: readonly Address[]): Hex {
  const [library] = libraries;
  return library === undefined
    ? bytecode
    : `0x${bytecode.slice(2).replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2))}`;
}

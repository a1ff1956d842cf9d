import type { Abi, AbiFunction, AbiStateMutability, ContractFunctionArgs, ContractFunctionName, Hex } from "viem";
import { concatHex, encodeAbiParameters, toFunctionSelector } from "viem/utils";

/**
 * Calldata of one function of a contract, for calls that are made again and again: its signature is hashed once, where
 * viem's `encodeFunctionData` hashes it at every call.
 */
export function calldataOf<const A extends Abi, N extends ContractFunctionName<A>>(
  abi: A,
  name: N,
): (...args: Extract<ContractFunctionArgs<A, AbiStateMutability, N>, readonly unknown[]>) => Hex {
  let found: { readonly selector: Hex; readonly inputs: AbiFunction["inputs"] } | undefined;
  return (...args) => {
    found ??= functionIn(abi, name);
    return concatHex([found.selector, encodeAbiParameters(found.inputs, args)]);
  };
}

function functionIn(abi: Abi, name: string): { readonly selector: Hex; readonly inputs: AbiFunction["inputs"] } {
  const item = abi.find((entry): entry is AbiFunction => entry.type === "function" && entry.name === name);
  if (item === undefined) throw new TypeError(`the ABI has no function ${name}`);
  return { selector: toFunctionSelector(item), inputs: item.inputs };
}

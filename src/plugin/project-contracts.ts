import type { Artifact, ArtifactManager } from "hardhat/types/artifacts";
import type { Abi, AbiFunction, Address, Hex } from "viem";
import { decodeFunctionData, isHex, toFunctionSelector } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { isSameHex } from "../base/hex.js";
import { printable } from "../errors/printable.js";
import { failedReadOutput } from "../store/failed-read.js";
import type { Session } from "./session.js";

/** Returns the custom errors of all contracts that the project has compiled. */
export async function projectErrors(artifacts: ArtifactManager): Promise<Abi> {
  const names = await artifacts.getAllFullyQualifiedNames();
  const abis = await Promise.all(
    [...names].map(async (name) => {
      const { abi }: { readonly abi: Abi } = await artifacts.readArtifact(name);
      return abi;
    }),
  );
  return abis.flat().filter(({ type }) => type === "error");
}

interface Call {
  readonly to: Address;
  readonly input: Hex;
}

/** Returns the outermost call of the contract that asked a store, of those in which the read failed. */
export function askingCall(frame: unknown, asker: Address): Call | undefined {
  if (!isRecord(frame) || failedReadOutput(frame) === undefined) return undefined;
  const { type, to, input, calls } = frame;
  const isCalled = type !== "DELEGATECALL" && typeof to === "string" && isSameHex(to, asker);
  if (isCalled && isHex(input)) return { to: asker, input };
  if (!Array.isArray(calls)) return undefined;
  return calls.map((one) => askingCall(one, asker)).findLast((found) => found !== undefined);
}

/** Returns the call of the contract that asked in words; undefined as {@link callInWords}, and where it was not called. */
export async function askingCallInWords(
  { project: { artifacts }, provider }: Session,
  asker: Address,
  { frame, isOver }: { readonly frame: unknown; readonly isOver: () => boolean },
): Promise<string | undefined> {
  const call = askingCall(frame, asker);
  if (call === undefined) return undefined;
  const codeOf = async (address: Address): Promise<unknown> =>
    await provider.request({ method: "eth_getCode", params: [address, "latest"] });
  return await callInWords(call, { artifacts, codeOf, isOver }).catch(() => undefined);
}

interface CallInWordsOptions {
  readonly artifacts: ArtifactManager;
  /** Returns the code of an account, for a function that several contracts have. */
  readonly codeOf: (address: Address) => Promise<unknown>;
  /** Returns whether reading the contracts has taken its time. */
  readonly isOver: () => boolean;
}

/**
 * Returns a call by the contracts that the project has compiled: `FeeAverage.update(6511111110, 0)`, without the contract's
 * name where several have the function and the code of none of them is there. Undefined where none has it, or not all were
 * read in time.
 */
export async function callInWords(
  { to, input }: Call,
  { artifacts, codeOf, isOver }: CallInWordsOptions,
): Promise<string | undefined> {
  const having: Artifact[] = [];
  for (const name of await artifacts.getAllFullyQualifiedNames()) {
    const artifact = await artifacts.readArtifact(name);
    if (isOver()) return undefined;
    if (findFunction(artifact, input) !== undefined) having.push(artifact);
  }
  const [called] = having.flatMap((artifact) => findFunction(artifact, input) ?? []);
  if (called === undefined) return undefined;
  const { args } = decodeFunctionData({ abi: [called], data: input });
  // viem returns undefined for a function without parameters, although the type says a list.
  const values = Array.isArray(args) ? args.map(valueText) : [];
  const text = printable(`${called.name}(${values.join(", ")})`);
  const contract = await calledContract(having, async () => await codeOf(to));
  return contract === undefined ? text : `${contract}.${text}`;
}

function findFunction({ abi }: Artifact, input: Hex): AbiFunction | undefined {
  const isFunction = (entry: Abi[number]): entry is AbiFunction => entry.type === "function";
  return abi.filter(isFunction).find((entry) => toFunctionSelector(entry) === input.slice(0, 10));
}

/** Returns the name of the contract that was called, of those that have its function. Interfaces are not called. */
async function calledContract(
  having: readonly Artifact[],
  readCode: () => Promise<unknown>,
): Promise<string | undefined> {
  const deployable = having.filter(({ deployedBytecode }) => deployedBytecode !== "0x");
  const [only, ...others] = deployable;
  if (others.length === 0) return only?.contractName;
  const code = await readCode();
  const fitting = isHex(code) ? deployable.filter((one) => isCodeOf(one, code)) : [];
  const [name, ...further] = new Set(fitting.map(({ contractName }) => contractName));
  return further.length === 0 ? name : undefined;
}

/** Returns whether a contract's code is that of an artifact, wherever immutable values and libraries are filled in. */
function isCodeOf(artifact: Artifact, code: Hex): boolean {
  const { deployedBytecode, deployedLinkReferences, immutableReferences = {} } = artifact;
  const linked = Object.values(deployedLinkReferences).flatMap((file) => Object.values(file));
  const places = [...linked, ...Object.values(immutableReferences)].flat();
  const blank = (text: string): string =>
    places.reduce((left, { start, length }) => {
      const [from, to] = [2 + start * 2, 2 + (start + length) * 2];
      return `${left.slice(0, from)}${"0".repeat(to - from)}${left.slice(to)}`;
    }, text.toLowerCase());
  return deployedBytecode.length === code.length && blank(deployedBytecode) === blank(code);
}

/** Characters that are shown of a value. */
const MAX_VALUE = 80;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (isRecord(value)) return `(${Object.values(value).map(valueText).join(", ")})`;
  const text = String(value);
  const shown = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  return typeof value === "string" && !isHex(value) ? JSON.stringify(shown) : shown;
}

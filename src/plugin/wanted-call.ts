import type { ArtifactManager } from "hardhat/types/artifacts";
import type { Abi, AbiFunction, Address } from "viem";
import { toFunctionSignature } from "viem/utils";

import { requireAddress } from "../base/hex.js";
import { codeAt } from "../chain/node-rpc.js";
import { HdpError, hdpError, inWords, notAllowed } from "../errors/hdp-error.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** The parts of a delivery that are known before its result. */
interface NamedCall {
  readonly contract: string;
  readonly function: string;
  readonly args?: ((value: bigint, types: readonly string[]) => readonly unknown[]) | undefined;
  readonly from?: Address | undefined;
}

/** What is called with a result, as far as it is known before the result. */
export interface WantedCall {
  /** The contract as it was named, with its checksummed address. */
  readonly contract: string;
  readonly abi: Abi;
  readonly called: AbiFunction;
  /** The Solidity types of the arguments. */
  readonly types: readonly string[];
  readonly from: Address;
  readonly to: Address;
}

/**
 * Returns the contract and the function of a delivery.
 * @throws HdpError HDP-6003 for a contract or function that is not the project's, HDP-3010 for a network without accounts
 */
export async function wantedCall(
  network: ConnectedNetwork,
  artifacts: ArtifactManager,
  { contract: named, function: functionName, args, from: given }: NamedCall,
): Promise<WantedCall> {
  const [, name, written] = /^(.+)@(0x[0-9a-f]*)$/i.exec(named) ?? [];
  if (name === undefined || written === undefined)
    throw notAllowed(named, "a contract of the project", {
      path: "contract",
      allowed:
        "<Contract>@<address>, for instance FeeGate@0x5FbDB2315678afecb367f032d93F642f64180aa3",
    });
  const to = requireAddress(written, "contract");
  const { abi }: { readonly abi: unknown } = await artifacts.readArtifact(name);
  if (!isAbi(abi)) throw new TypeError(`the artifact of ${name} has no ABI`);
  const called = findFunction(abi, functionName);
  const types = called.inputs.map(({ type }) => type);
  if (args === undefined) requireCount(["value"], called);
  await requireContract(written, to, network);
  const accounts = await network.accounts();
  const from = given ?? accounts[0];
  if (from === undefined) throw hdpError("HDP-3010", { network: network.networkName });
  const isKnown = accounts.some((account) => account.toLowerCase() === from.toLowerCase());
  // A development chain may send for an account that it impersonates: its node says so when it is asked to.
  if (!isKnown && !(await network.isDevelopment()))
    throw new UnknownSender(from, network.networkName, accounts);
  return { contract: `${name}@${to}`, abi, called, types, from, to };
}

/** Refuses an address without code, before the result is waited for. @throws HdpError HDP-6003 */
async function requireContract(
  written: string,
  to: Address,
  { provider, networkName }: ConnectedNetwork,
): Promise<void> {
  if ((await codeAt(provider, to)) !== "0x") return;
  throw notAllowed(written, `the address of a contract on network "${networkName}"`, {
    path: "contract",
    allowed: "one with code there: deploy it, or name its network with --network",
  });
}

/** Thrown where the account that should send is none of the network's: nothing was sent. */
export class UnknownSender extends HdpError {
  public constructor(
    from: Address,
    network: string,
    accounts: readonly Address[],
    cause?: unknown,
  ) {
    const what = `an account of network "${network}"`;
    const allowed = accounts.length === 0 ? "none: it has no accounts" : accounts.join(", ");
    const [first] = accounts;
    const other = first === undefined ? "" : `leave it out, which takes ${first}, or `;
    const key = `add the account's key to \`accounts\` of network "${network}" in the configuration`;
    const hints = [`Nothing was sent: ${other}${key}.`];
    super(
      inWords(
        "HDP-6003",
        { value: from, what, suggestion: undefined, allowed },
        { path: "from", hints, cause },
      ),
    );
  }
}

/** Refuses arguments of another number than the function has. @throws HdpError HDP-6003 */
export function requireCount(values: readonly unknown[], called: AbiFunction): void {
  const { length } = called.inputs;
  if (values.length === length) return;
  const types = called.inputs.map(({ type }) => type).join(", ");
  throw notAllowed(
    `${values.length} arguments`,
    `the arguments of ${toFunctionSignature(called)}`,
    {
      path: "args",
      allowed: `${length}, of the types ${types}`,
    },
  );
}

/** Returns whether a value is the ABI of an artifact, which Solidity's compiler wrote. */
function isAbi(value: unknown): value is Abi {
  return Array.isArray(value);
}

function findFunction(abi: Abi, wanted: string): AbiFunction {
  const writing = abi.filter(
    (item): item is AbiFunction =>
      item.type === "function" && ["nonpayable", "payable"].includes(item.stateMutability),
  );
  const found = writing.filter(
    (item) => item.name === wanted || toFunctionSignature(item) === wanted,
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const signatures = (found.length > 0 ? found : writing).map((item) => toFunctionSignature(item));
  const allowed = signatures.join(", ");
  throw notAllowed(wanted, "a function that sends a transaction", { path: "function", allowed });
}

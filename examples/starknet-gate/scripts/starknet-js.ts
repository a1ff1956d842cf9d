// Runs the task, declares and deploys the gate with starknet.js, and opens it with the result.
import { readFile } from "node:fs/promises";

import { network } from "hardhat";
import { Account, cairo, type CairoAssembly, type CompiledSierra, RpcProvider } from "starknet";

const TASK = "tasks/fee.json";
const nodeUrl = process.env["STARKNET_RPC_URL"] ?? "http://127.0.0.1:5050";
// A devnet has too few blocks to estimate a tip from.
const noTip = { tip: 0n };

const { hdp } = await network.create();
const { hash, form } = await hdp.task(TASK);
const [result] = await hdp.run(TASK);
console.log(`result ${result.value} in the store ${result.store}`);

const provider = new RpcProvider({ nodeUrl, transactionRetryIntervalFallback: 500 });
const account = await firstAccount();
const contract = await compiled<CompiledSierra>("contract_class");
const casm = await compiled<CairoAssembly>("compiled_contract_class");
const declared = await account.declareIfNot({ contract, casm }, noTip);
if (declared.transaction_hash !== "") await provider.waitForTransaction(declared.transaction_hash);
const { low, high } = cairo.uint256(hash);
const deployed = await account.deployContract(
  { classHash: declared.class_hash, constructorCalldata: [result.store, low, high, form] },
  noTip,
);
const gate = deployed.contract_address;
console.log(`gate ${gate}, open: ${await isOpen()}`);

const { low: valueLow, high: valueHigh } = cairo.uint256(result.value);
const update = { contractAddress: gate, entrypoint: "update", calldata: [valueLow, valueHigh] };
const sent = await account.execute(update, noTip);
await provider.waitForTransaction(sent.transaction_hash);
console.log(`gate ${gate}, open: ${await isOpen()}`);

async function isOpen(): Promise<boolean> {
  const [answer] = await provider.callContract({ contractAddress: gate, entrypoint: "is_open" });
  return answer === "0x1";
}

/** Returns the first account of the devnet; elsewhere make one of your address and key. */
async function firstAccount(): Promise<Account> {
  const reply = await provider.channel.fetch("devnet_getPredeployedAccounts");
  const { result: accounts } = (await reply.json()) as {
    result: { address: string; private_key: string }[];
  };
  const [{ address, private_key: signer } = { address: "", private_key: "" }] = accounts;
  return new Account({ provider, address, signer });
}

async function compiled<T>(kind: string): Promise<T> {
  const file = `cairo/target/release/starknet_gate_FeeGate.${kind}.json`;
  return JSON.parse(await readFile(file, "utf8")) as T;
}

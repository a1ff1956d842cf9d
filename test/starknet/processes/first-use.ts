// One of several processes that use an account of a devnet for the first time: for each line of standard input, a node, it
// deploys the account's mock there and finalizes two tasks, one of which all processes finalize. Arguments: account, number
// of the process.
import { createInterface } from "node:readline";

import { numberToHex } from "viem";

import { finalizeTasksOnStarknet } from "../../../src/entries/store.js";
import { ownStarknetMock } from "../../../src/store/starknet/mock.js";

const [accountAddress = "", number = "0"] = process.argv.slice(2);
const word = (value: bigint): `0x${string}` => numberToHex(value, { size: 32 });
const results = [
  { taskHash: word(1n), word: word(7n) },
  { taskHash: word(100n + BigInt(number)), word: word(8n) },
];
for await (const rpcUrl of createInterface({ input: process.stdin })) {
  const options = { rpcUrl, accountAddress, privateKey: () => process.env["TEST_KEY"] ?? "" };
  const address = await ownStarknetMock(options);
  const { store, transactionHash } = await finalizeTasksOnStarknet({
    ...options,
    address,
    results,
  });
  console.log(JSON.stringify({ store, transactionHash }));
}

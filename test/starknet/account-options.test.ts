import { expect } from "chai";
import { Account, RpcProvider } from "starknet";

import {
  declareStarknetMock,
  deployStarknetMock,
  finalizeTasksOnStarknet,
  openStarknetExecutionStore,
} from "../../src/entries/store.js";
import { hdpFailure } from "../support/failure.js";
import { untyped } from "../support/untyped.js";
import { PlayedNode } from "./played-node.js";

const KEY = "0x5ec7e7";
const parts = { rpcUrl: "http://127.0.0.1:9", accountAddress: "0x1", privateKey: () => KEY };
const HASH = `0x${"1".repeat(64)}`;
const mock = { address: "0x2", results: [{ taskHash: HASH, word: HASH }] };

/** Options of the three functions with one of the wrong type: its name, and what the error says is allowed. */
const WRONG: readonly (readonly [name: string, given: object, allowed: string])[] = [
  ["rpcUrl", { rpcUrl: 5050 }, "the URL of a node"],
  ["rpcUrl", { rpcUrl: undefined }, "the URL of a node"],
  ["accountAddress", { accountAddress: 1n }, "the address of an account, as text"],
  ["privateKey", { privateKey: KEY }, "a function that returns the key"],
  ["signer", { signer: "starknet" }, '"stark" or "ethereum"'],
  ["guardianKey", { guardianKey: KEY }, "a function that returns the guardian's key"],
  ["baseFetch", { baseFetch: "fetch" }, "a function like fetch"],
  ["account", { account: KEY }, "an Account of starknet.js 10"],
  ["account", { account: { address: "0x1" } }, "an Account of starknet.js 10"],
];

/** The same of `finalizeTasksOnStarknet` alone. */
const WRONG_RESULTS: typeof WRONG = [
  ["address", { address: 2n }, "the address of the mock, as text"],
  ["results", { results: {} }, "a list of { taskHash, word }"],
  ["results[0].taskHash", { results: [7n] }, "a task hash"],
  ["results[0].word", { results: [{ taskHash: HASH, word: 7n }] }, "64 hexadecimal digits"],
  ["results[0].word", { results: [{ taskHash: HASH, word: "0x7" }] }, "64 hexadecimal digits"],
];

describe("options of the store functions on Starknet", () => {
  for (const [name, given, allowed] of WRONG) {
    it(`refuse ${name} of the wrong type, without the value: ${JSON.stringify(Object.keys(given))}`, async () => {
      const options = untyped({ ...parts, ...mock, ...given });
      for (const use of [declareStarknetMock, deployStarknetMock, finalizeTasksOnStarknet])
        expectRefused(await hdpFailure(use(options)), name, allowed);
    });
  }

  for (const [name, given, allowed] of WRONG_RESULTS) {
    it(`refuse ${name} of the wrong type before anything is sent`, async () => {
      const options = untyped({ ...parts, ...mock, ...given });
      expectRefused(await hdpFailure(finalizeTasksOnStarknet(options)), name, allowed);
    });
  }

  it("refuse a place of a mock, a URL to read from and no options at all", async () => {
    for (const [name, place] of [
      ["salt", { salt: "mine" }],
      ["unique", { unique: 0 }],
    ] as const)
      expectRefused(await hdpFailure(deployStarknetMock(parts, untyped(place))), name, "");
    expectRefused(await hdpFailure(declareStarknetMock(untyped(undefined))), "options", "");
    const url = openStarknetExecutionStore({ rpcUrl: untyped(5050), address: "0x2" });
    expectRefused(await hdpFailure(url), "rpcUrl", "the URL of a node");
  });

  it("take an Account of starknet.js in place of its parts", async () => {
    const node = new PlayedNode();
    const nodeUrl = await node.listen();
    try {
      const provider = new RpcProvider({ nodeUrl });
      const account = new Account({ provider: untyped(provider), address: "0xacc", signer: KEY });
      const { address } = await deployStarknetMock({ account });
      const results = [{ taskHash: HASH, word: `0x${"0".repeat(63)}7` }] as const;
      const { store } = await finalizeTasksOnStarknet({
        account,
        address,
        results: untyped(results),
      });
      const opened = await openStarknetExecutionStore({ provider, address: store });
      expect((await opened.readResult(untyped(HASH))).value).to.equal(7n);
    } finally {
      await node.close();
    }
  });
});

function expectRefused(
  error: Awaited<ReturnType<typeof hdpFailure>>,
  name: string,
  allowed: string,
): void {
  expect(error.code).to.equal("HDP-8023");
  expect(error.message)
    .to.contain(`the option ${name} is of type `)
    .and.contain(allowed)
    .and.contain(`Write ${name}: `)
    .and.not.contain(KEY.slice(2));
}

import { expect } from "chai";
import fc from "fast-check";
import { type Abi, encodeFunctionData, type Hex, keccak256, toBytes } from "viem";

import { compiledContract } from "../support/compiled-contract.js";
import { type Chain, createChain, deployHarness, send } from "./harness.js";

const ROLES = ["ONE", "TWO", "THREE"].map((name) => keccak256(toBytes(name)));
const IDS = ["0x01ffc9a7", "0x7965db0b", "0xffffffff", "0x00000000"];

describe("the roles of the mock", () => {
  let chain: Chain;

  before(async () => {
    chain = await createChain();
  });
  after(() => chain.close());

  const deploy = async (name: string, args: readonly Hex[]): Promise<Hex> =>
    (await deployHarness(chain, name, args)).address;

  const account = (index: number): Hex => chain.accounts[index] ?? "0x";
  const signatures = (abi: Abi): string[] =>
    abi
      .map((item) => JSON.stringify(item))
      .filter((text) => !text.includes('"constructor"'))
      .sort();

  it("match the ABI of OpenZeppelin's AccessControl", () => {
    const stateMutability = (text: string): string => text.replace('"pure"', '"view"');
    expect(signatures(compiledContract("OwnRoles").abi).map(stateMutability)).to.deep.equal(
      signatures(compiledContract("LibraryRoles").abi),
    );
  });

  it("answer every call and emit every event as OpenZeppelin's AccessControl does", async () => {
    const role = fc.constantFrom(...ROLES);
    const someone = fc.integer({ min: 0, max: 3 });
    const call = fc.oneof(
      fc.tuple(
        fc.constantFrom("grantRole", "revokeRole", "renounceRole", "hasRole"),
        role,
        someone,
      ),
      fc.tuple(fc.constant("getRoleAdmin"), role),
      fc.tuple(fc.constant("supportsInterface"), fc.constantFrom(...IDS)),
    );
    const steps = fc.array(fc.tuple(call, someone), { minLength: 1, maxLength: 12 });
    const run = async (
      own: Hex,
      theirs: Hex,
      taken: [readonly (string | number)[], number][],
    ): Promise<void> => {
      for (const [[functionName = "", ...values], caller] of taken) {
        const args = values.map((value) => (typeof value === "number" ? account(value) : value));
        const data = encodeFunctionData({
          abi: compiledContract("LibraryRoles").abi,
          functionName: String(functionName),
          args,
        });
        const [ours, library] = await Promise.all(
          [own, theirs].map((to) => outcome(to, data, account(caller))),
        );
        expect(ours, `${functionName} ${args.join(" ")} by ${caller}`).to.deep.equal(library);
      }
    };
    const outcome = async (to: Hex, data: Hex, from: Hex): Promise<unknown> => {
      const answer = await chain.provider
        .request({ method: "eth_call", params: [{ from, to, data }, "latest"] })
        .catch((error: unknown) => (error as { data?: unknown }).data);
      const { reverted, logs } = await send(chain, { from, to, data });
      return { answer, reverted, logs: logs.map(({ data: words, topics }) => ({ words, topics })) };
    };
    await fc.assert(
      fc.asyncProperty(role, role, steps, async (one, admin, taken) => {
        await run(
          await deploy("OwnRoles", [one, admin]),
          await deploy("LibraryRoles", [one, admin]),
          taken,
        );
      }),
      { numRuns: 6 },
    );
  });
});

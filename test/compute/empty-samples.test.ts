import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Address, getContractAddress, type Hex } from "viem";

import {
  type Eip1193Provider,
  openRecording,
  ProvenChainReader,
  evaluateWith,
  explainTask,
  recordTasks,
} from "../../src/entries/local.js";
import { lowerCase } from "../../src/base/hex.js";
import { EmptySamples } from "../../src/compute/empty-samples.js";
import {
  account,
  blockSampled,
  storage,
  type DatalakeComputeTask,
} from "../../src/entries/request.js";
import { ALICE } from "../support/simulated-chain.js";
import { fewAccounts } from "../support/few-accounts.js";

const NEVER = "0x00000000000000000000000000000000deadbeef";
const FUNDED = "0x00000000000000000000000000000000000f00d5";
const KEEPER = lowerCase(getContractAddress({ from: ALICE, nonce: 1n }));
const BARE = lowerCase(getContractAddress({ from: ALICE, nonce: 2n }));
/** Deploys a contract that stores the word that it is called with at slot 7. */
const STORES = "666000356007550060005260076019f3";
const slot: Hex = `0x${"7".padStart(64, "0")}`;
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

describe("samples of nothing", () => {
  let provider: Eip1193Provider;

  /** Blocks 1 and 2: nothing. 3: FUNDED has ether. 4 and 5: KEEPER and BARE have code. 6: KEEPER's slot is 9. 8: it is 0. */
  before(async () => {
    const hre = await createHardhatRuntimeEnvironment({ networks: fewAccounts() });
    ({ provider } = await hre.network.create());
    const call = async (method: string, ...params: unknown[]): Promise<unknown> =>
      await provider.request({ method, params });
    const send = async (transaction: object): Promise<unknown> =>
      await call("eth_sendTransaction", { from: ALICE, gas: "0x30d40", ...transaction });
    await call("hardhat_mine", "0x2");
    await send({ to: FUNDED, value: "0x5" });
    await send({ data: `0x6001600155${STORES}` });
    await send({ data: `0x${STORES}` });
    await send({ to: KEEPER, data: word(9n) });
    await call("evm_mine");
    await send({ to: KEEPER, data: word(0n) });
    await call("evm_mine");
  });

  const of = (address: Address, from = 1, to = 9, step = 1): DatalakeComputeTask =>
    blockSampled({ from, to, increment: step, property: storage(address, slot) }).max();
  const never = `slot ${slot} of ${KEEPER} is empty`;
  const advice = {
    address: "check the address and the chain",
    storage: "where it is the implementation behind a proxy, sample the proxy's address",
    slot: "it was never written, or set back to 0; check the slot (hdp.storageOf, hdp.erc20Balance); behind a proxy, storage is at the proxy's address",
  };
  const cases: readonly (readonly [DatalakeComputeTask, ...string[]])[] = [
    [of(NEVER), `there is no account ${NEVER} from block 1 to block 9: ${advice.address}`],
    [of(NEVER, 5, 5), `there is no account ${NEVER} at block 5: ${advice.address}`],
    [
      of(FUNDED),
      `there is no account ${FUNDED} before block 3: ${advice.address}`,
      `${FUNDED} has no code, and no storage, from block 3 to block 9: ${advice.address}`,
    ],
    [of(FUNDED, 4, 4), `${FUNDED} has no code, and no storage, at block 4: ${advice.address}`],
    [
      of(BARE, 5, 9),
      `the contract ${BARE} has nothing in storage from block 5 to block 9: ${advice.storage}`,
    ],
    [
      of(KEEPER),
      `there is no account ${KEEPER} before block 4: ${advice.address}`,
      `${never} from block 4 to block 5: ${advice.slot}`,
    ],
    [of(KEEPER, 4, 9), `${never} before block 6: ${advice.slot}`],
    [
      of(KEEPER, 2, 8, 3),
      `there is no account ${KEEPER} before block 5: ${advice.address}`,
      `${never} from block 5 to block 8: ${advice.slot}`,
    ],
    // A slot that was written and is 0 again is a value.
    [of(KEEPER, 6, 9)],
    [of(KEEPER, 9, 9), `${never} at block 9: ${advice.slot}`],
    [
      blockSampled({ from: 1, to: 4, property: account(FUNDED, "balance") }).sum(),
      `there is no account ${FUNDED} before block 3: ${advice.address}`,
    ],
    [blockSampled({ from: 3, to: 4, property: account(FUNDED, "nonce") }).sum()],
  ];
  cases.forEach(([task, ...warnings], index) => {
    it(`names the blocks of empty samples (${String(index + 1)})`, async () => {
      const explanation = await explainTask(new ProvenChainReader(provider), task);
      expect(explanation.warnings ?? []).to.deep.equal(warnings);
      const { recording, computed } = await recordTasks([task], { providerFor: () => provider });
      expect(computed[0]?.warnings ?? []).to.deep.equal(warnings);
      const { readerOf } = await openRecording(recording);
      const replayed = await evaluateWith(readerOf(task.datalake.chainId), task);
      expect(replayed.warnings ?? []).to.deep.equal(warnings);
    });
  });

  it("gives the reason beside each empty value", async () => {
    const { samples } = await explainTask(new ProvenChainReader(provider), of(KEEPER));
    expect(samples.map(({ empty, value }) => empty ?? value)).to.deep.equal([
      "account",
      "account",
      "account",
      "slot",
      "slot",
      9n,
      9n,
      "slot",
      "slot",
    ]);
  });

  it("knows empty slots where nothing is proven", async () => {
    const reader = new ProvenChainReader(provider, { prove: "never" });
    const { warnings, proven } = await evaluateWith(reader, of(NEVER, 5, 6));
    expect(proven).to.equal(false);
    expect(warnings).to.deep.equal([
      `slot ${slot} of ${NEVER} is empty from block 5 to block 6: ${advice.slot}`,
    ]);
    const balance = blockSampled({ from: 5, to: 5, property: account(NEVER, "balance") }).sum();
    expect(await evaluateWith(reader, balance)).to.not.have.property("warnings");
  });

  it("counts empty samples where they come and go", () => {
    const property = { kind: "storage", address: KEEPER, slot } as const;
    const empty = new EmptySamples(property);
    ["code", undefined, "code", "code", undefined, "slot"].forEach((because, index) => {
      const why = because === undefined ? {} : { empty: because as "code" | "slot" };
      empty.add({ block: BigInt(index), value: 0n, proven: true, ...why });
    });
    expect(empty.warnings().warnings).to.deep.equal([
      `${KEEPER} has no code, and no storage, at 3 of 6 sampled blocks from 0 to 3: ${advice.address}`,
    ]);
  });
});

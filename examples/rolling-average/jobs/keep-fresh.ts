import { network } from "hardhat";
import type { Address } from "viem";
import { blockSampled, header } from "hardhat-hdp/request";

const PERIOD = 10n;
/** Periods before the latest block that a run looks after: one that didn't run for longer leaves a gap. */
const LOOKS_BACK = 3n;

type Connection = Awaited<ReturnType<typeof network.getOrCreate>>;

/**
 * Brings the averages of the latest complete periods to the contract. It keeps nothing itself: `run` sends no task a second
 * time, and `deliver` no call, so it may be killed anywhere and started again.
 * @returns the periods that this run delivered
 */
export async function keepFresh({ hdp, viem }: Connection, contract: Address): Promise<bigint[]> {
  const client = await viem.getPublicClient();
  const end = ((await client.getBlockNumber()) + 1n) / PERIOD;
  const delivered: bigint[] = [];
  for (let period = end > LOOKS_BACK ? end - LOOKS_BACK : 0n; period < end; period += 1n) {
    const from = period * PERIOD;
    const to = from + PERIOD - 1n;
    const task = blockSampled({ from, to, property: header("base_fee_per_gas") }).avg();
    await hdp.run(task);
    const { isEarlier } = await hdp.deliver(task, {
      contract: `RollingAverage@${contract}`,
      function: "update",
      args: (average) => [period, average],
    });
    if (!isEarlier) delivered.push(period);
  }
  return delivered;
}

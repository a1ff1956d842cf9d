// 1,000 account and storage samples against the same reads of headers and proofs, unchecked.
import { evaluate } from "../src/entries/local.js";
import type { BlockProperty, DatalakeComputeTask } from "../src/entries/request.js";
import {
  bounded,
  milliseconds,
  percentile,
  row,
  simulatedChain,
  sampledBlocks,
} from "./measure.js";

const SAMPLES = 1_000;
const WARM_UP = 6;
const ROUNDS = 15;
const provider = await simulatedChain(SAMPLES);
const [account] = (await provider.request({ method: "eth_accounts" })) as `0x${string}`[];
if (account === undefined) throw new Error("no account");
const slot = `0x${"00".repeat(32)}` as const;

const task = (property: BlockProperty): DatalakeComputeTask => sampledBlocks(SAMPLES, property);

const rows = [
  ["1,000 accounts", { kind: "account", address: account, field: "balance" }, []],
  ["1,000 storage slots", { kind: "storage", address: account, slot }, [slot]],
] as const;
for (const [name, property, slots] of rows) {
  const floors: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    floors.push(
      await milliseconds(() =>
        bounded(SAMPLES, 16, async (block) => {
          const number = `0x${block.toString(16)}`;
          await Promise.all([
            provider.request({ method: "eth_getBlockByNumber", params: [number, false] }),
            provider.request({ method: "eth_getProof", params: [account, slots, number] }),
          ]);
        }),
      ),
    );
    ours.push(
      await milliseconds(async () => {
        const { samples, proven } = await evaluate(task(property), { provider, prove: "require" });
        if (samples !== SAMPLES || !proven) throw new Error("not all samples were proven");
      }),
    );
  }
  row({
    name,
    value: percentile(ours.slice(WARM_UP), 0.5),
    floor: percentile(floors.slice(WARM_UP), 0.5),
    aim: 1.4,
  });
}

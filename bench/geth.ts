// 1,000 headers, accounts and slots over geth --dev, proven, against viem's batches of the same calls, unchecked. Needs geth;
// `tsx bench/geth.ts`, not a part of `npm run bench`.
import { createPublicClient, http, numberToHex } from "viem";

import { httpReads } from "../src/base/http-reads.js";
import { evaluate } from "../src/entries/local.js";
import type { BlockProperty } from "../src/entries/request.js";
import { send } from "../test/support/clients.js";
import { startGeth } from "../test/support/geth.js";
import { milliseconds, percentile, row, sampledBlocks } from "./measure.js";

const SAMPLES = 1_000;
const WARM_UP = 2;
const ROUNDS = 7;
const address = `0x${"aa".repeat(20)}` as const;
const slot = `0x${"00".repeat(32)}` as const;

const geth = await startGeth();
try {
  const provider = httpReads({ url: async () => await Promise.resolve(geth.url) });
  for (let sent = 0; sent < SAMPLES; sent += 1) await send(provider, { to: address, value: "0x1" });
  const viem = createPublicClient({ transport: http(geth.url, { batch: { batchSize: 100 } }) });
  const rows: readonly (readonly [string, BlockProperty, readonly `0x${string}`[] | undefined])[] =
    [
      ["1,000 headers over geth", { kind: "header", field: "number" }, undefined],
      ["1,000 accounts over geth", { kind: "account", address, field: "balance" }, []],
      ["1,000 slots over geth", { kind: "storage", address, slot }, [slot]],
    ];
  for (const [name, property, slots] of rows) {
    const floors: number[] = [];
    const ours: number[] = [];
    const bare = async (block: number): Promise<void> => {
      const number = numberToHex(block);
      await Promise.all([
        viem.request({ method: "eth_getBlockByNumber", params: [number, false] }),
        slots && viem.request({ method: "eth_getProof", params: [address, [...slots], number] }),
      ]);
    };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      floors.push(
        await milliseconds(
          async () => await Promise.all(Array.from({ length: SAMPLES }, (_, at) => bare(at))),
        ),
      );
      ours.push(
        await milliseconds(async () => {
          const { samples, proven } = await evaluate(sampledBlocks(SAMPLES, property), {
            provider,
            prove: "require",
          });
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
} finally {
  await geth.stop();
}

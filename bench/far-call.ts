// Round trips of proven calls over a node 50 ms away: of the module alone, without an access list, and of a whole
// hdp.ethCall, whose result is finalized on that node. The node is a process of its own, which counts.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import hardhatHdp from "../src/index.js";
import { httpReads } from "../src/base/http-reads.js";
import { ethCallInputs } from "../src/compute/proven-call.js";
import { ProvenChainReader, runModule } from "../src/entries/local.js";
import { type Call, preparedCalls } from "../test/conformance/eth-call/differential.js";
import { ethCallClass } from "../test/support/eth-call-class.js";
import { serve } from "../test/support/rpc-server.js";
import { row } from "./measure.js";

interface Prepared {
  readonly url: string;
  readonly calls: readonly Call[];
  readonly head: string;
}

if (process.send !== undefined && process.argv[2] === "node") {
  const { network } = await createHardhatRuntimeEnvironment({});
  const { provider } = await network.create();
  const { equal: calls } = await preparedCalls(provider);
  const head: unknown = await provider.request({ method: "eth_blockNumber" });
  const { url, trips } = await serve(provider, { delayMs: 50 });
  process.on("message", () => process.send?.(trips()));
  process.send({ url, calls, head });
  await once(process, "disconnect");
  process.exit(0);
}
const node = fork(import.meta.filename, ["node"]);
const [{ url, calls, head }] = (await once(node, "message")) as [Prepared];

/** Returns how many round trips work takes. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const now = async (): Promise<number> => {
    node.send("trips");
    const [trips] = (await once(node, "message")) as [number];
    return trips;
  };
  const before = await now();
  await work();
  return (await now()) - before;
}

const file = ethCallClass();
const compiledClass: unknown = JSON.parse(readFileSync(file, "utf8"));

async function alone(call: Call): Promise<void> {
  const reader = new ProvenChainReader(httpReads({ url: async () => await Promise.resolve(url) }), {
    prove: "require",
  });
  const inputs = ethCallInputs({ chainId: 31337n, block: BigInt(head), ...call });
  const handle = { generation: "head", leadingFelts: 8 } as const;
  const run = await runModule(compiledClass, { inputs, reader: () => reader, ...handle });
  if (run.status !== "returned" || run.proven !== true) throw new Error("the call was not proven");
}

const folder = mkdtempSync(join(tmpdir(), "hdp-bench-call-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
const hre = await createHardhatRuntimeEnvironment(
  {
    plugins: [hardhatHdp],
    hdp: { local: { ethCallModule: file } },
    networks: { far: { type: "http", url } },
  },
  {},
  folder,
);
const { hdp } = await hre.network.create("far");
await hdp.deployExecutionStore();
/** Calls with the round trips of each, finalized, that docs/proven-calls.md explains. */
const shapes = [
  ["balanceOf", "Coin.balanceOf(", 13],
  ["slot0", "Pool.slot0(", 13],
  ["latestRoundData", "Feed.latestRoundData(", 16],
] as const;
// The first call of a process also asks what kind of node it is.
const [first] = calls;
if (first !== undefined) await hdp.ethCall(first);
for (const [name, start, aim] of shapes) {
  const call = calls.find((one) => one.name.startsWith(start));
  if (call === undefined) throw new Error(`there is no call ${start}`);
  const trips = await tripsOf(async () => await alone(call));
  row({ name: `${name} by proven call, alone`, value: trips, unit: "round trips", aim: 8 });
  const whole = await tripsOf(async () => await hdp.ethCall(call));
  row({ name: `${name} by proven call, finalized`, value: whole, unit: "round trips", aim });
}
rmSync(folder, { recursive: true });
node.disconnect();
process.exit(0);

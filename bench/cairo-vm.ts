// Speed of the Cairo machine: node --import tsx bench/cairo-vm.ts
//
// One row for each kind of program (test/cairo/compiled), with steps per second and the ratio to an empty interpreter
// loop in the same process; the class of 350,000 felts where ../shared/vectors is there; then 50 million steps of each
// kind within the default limit of cells, each with the memory of its process. Times are processor time, best of several runs.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { prepareClass, preparedClass } from "../src/cairo/run-contract.js";
import { ProvenChainReader } from "../src/chain/proven-chain-reader.js";
import { ethCallInputs } from "../src/compute/proven-call.js";
import { preparedCalls } from "../test/conformance/eth-call/differential.js";
import { parseCompiledClass, rememberedClass } from "../src/program/compiled-class.js";
import { best, compiled, emptyTurns, type Long, run } from "./cairo-run.js";
import { line, row, simulatedChain } from "./measure.js";

/** A long run in a process of its own, whose memory nothing else takes part in. */
function inProcess(kind: bigint, count: bigint): Long {
  const args = [
    "--import",
    "tsx",
    fileURLToPath(new URL("cairo-run.ts", import.meta.url)),
    String(kind),
    String(count),
  ];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Long;
}

/** A row whose floor is an empty loop of as many turns. 25 times that is 20 million steps a second where a turn takes 2 ns. */
function report(name: string, steps: number, milliseconds: number, empty: number, aim = 25): void {
  const rate = steps / milliseconds / 1000;
  row({ name: `Cairo: ${name}`, value: milliseconds, floor: steps / empty / 1000, aim });
  line(
    name,
    `${rate.toFixed(1).padStart(5)} M steps/s, ${milliseconds.toFixed(0)} ms for ${steps} steps, empty loop ${(empty / rate).toFixed(1)} times faster`,
  );
}

const empty = await emptyTurns();

line("empty loop", `${empty.toFixed(0)} M turns/s`);

const storage = compiled("../test/cairo/compiled/storage_sum.compiled_contract_class.json");
const blocks = [4n, 1n, 0xabcn, 1_000_000n, 1_010_000n];
report("10,000 reads", await run(storage, blocks), await best(() => run(storage, blocks)), empty);

const loops = compiled("../test/cairo/compiled/builtins_Loops.compiled_contract_class.json");
const kinds: readonly (readonly [string, bigint, bigint])[] = [
  ["small felts", 0n, 200_000n],
  ["large felts", 1n, 200_000n],
  ["u256", 2n, 10_000n],
  ["a dictionary", 3n, 5_000n],
  ["Poseidon hashes", 4n, 2_000n],
];
for (const [name, kind, count] of kinds) {
  const inputs = [kind, count];
  report(name, await run(loops, inputs), await best(() => run(loops, inputs)), empty);
}

const examples = "../../shared/vectors/modules/head/examples/eth_call_any.json";
if (existsSync(new URL(examples, import.meta.url))) {
  const text = readFileSync(new URL(examples, import.meta.url), "utf8");
  line("350,000 felts: JSON.parse", `${(await best(() => void JSON.parse(text))).toFixed(0)} ms`);
  const json: unknown = JSON.parse(text);
  const prepared = await best(() => prepareClass(parseCompiledClass(json)));
  row({ name: "Cairo: a class of 350,000 felts prepared", value: prepared, aim: 150 });
  preparedClass(rememberedClass(json));
  const again: unknown = JSON.parse(text);
  line(
    "350,000 felts: seen before",
    `${(await best(() => preparedClass(rememberedClass(again)))).toFixed(0)} ms`,
  );
}

if (existsSync(new URL(examples, import.meta.url))) {
  const json = compiled(examples);
  const provider = await simulatedChain(1);
  const { equal: calls } = await preparedCalls(provider);
  const call = calls.find(({ name }) => name.startsWith("Calls.deep(5")) ?? calls[0];
  if (call === undefined) throw new Error("no call to make");
  const { from, to, data } = call;
  const block = BigInt(String(await provider.request({ method: "eth_blockNumber" })));
  const inputs = ethCallInputs({ chainId: 31337n, block, from, to, data }).map(({ value }) =>
    BigInt(value),
  );
  const reader = new ProvenChainReader(provider, { prove: "require" });
  const made = (): Promise<number> => run(json, inputs, { read: undefined, reader: () => reader });
  report("a proven eth_call", await made(), await best(made, 3), empty);
}

const fifty = [
  ["small felts", 0n, 3_333_500n],
  ["large felts", 1n, 4_545_000n],
  ["u256", 2n, 243_500n],
  ["a dictionary", 3n, 806_500n],
] as const;
for (const [name, kind, count] of fifty) {
  const { steps, milliseconds, peak, turnsPerSecond } = inProcess(kind, count);
  report(`50 million steps, ${name}`, steps, milliseconds, turnsPerSecond);
  row({
    name: `Cairo: 50 million steps, ${name}, memory`,
    value: peak / 2 ** 10,
    unit: "MiB",
    aim: 1100,
  });
}
if (process.send !== undefined) process.disconnect();

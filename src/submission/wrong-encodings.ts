import type { Hex } from "viem";
import { concatHex, size, sliceHex } from "viem/utils";

import { toWord } from "../base/hex.js";
import { standardCall } from "../request/standard-programs.js";
import { hasModuleForm } from "../request/task-form.js";
import {
  encodeCompute,
  encodeDatalake,
  encodeSampledProperty,
  encodeTask,
} from "../request/task-hash.js";
import type { DatalakeComputeTask, ModuleTask, Task } from "../request/task.js";
import { committed, encodeCall, hashBytes, type HashedTask } from "./asked-task.js";
import { withShiftedInputs } from "./task-numbers.js";

/** Returns the hashes of a task that a contract computes which encodes it by hand in one of the ways that come to mind. */
export function wrongHashes(task: Task): readonly HashedTask[] {
  if (task.type === "Module") return [...ofModule(task, encodeTask(task)), ...withShifted(task)];
  const hashes = ofDatalake(task);
  if (!hasModuleForm(task)) return hashes;
  const { programHash, felts } = standardCall(task);
  return [...hashes, ...ofModule(task, encodeCall(programHash, felts))];
}

/** Returns the hashes of a task with the id of another chain for its own, as where a contract takes `block.chainid` for it. */
export function hashesOnChain(task: Task, chainId: bigint): readonly HashedTask[] {
  if (task.type === "Module") return [];
  const encoded = encodeDatalake(task.datalake);
  const moved = concatHex([sliceHex(encoded, 0, 32), toWord(chainId), sliceHex(encoded, 64)]);
  const preimage = committed(moved, encodeCompute(task.compute));
  const common = { task, encoding: "with-chain-id", chainId, isOnOwnChain: true } as const;
  const ofDatalake = { ...common, hash: hashBytes(preimage), form: "datalake" } as const;
  if (!hasModuleForm(task)) return [ofDatalake];
  const { programHash, felts } = standardCall(task);
  // The format comes first, then the chain.
  const hash = hashBytes(encodeCall(programHash, felts.with(1, chainId)));
  return [ofDatalake, { ...common, hash, form: "module" }];
}

/** Returns the hashes of a module whose right encoding is given: program hash, offset and number of inputs, inputs. */
function ofModule(task: Task, encoded: Hex): readonly HashedTask[] {
  const inputs = size(encoded) > 96 ? sliceHex(encoded, 96) : "0x";
  const packed = concatHex([sliceHex(encoded, 0, 32), inputs]);
  const ofStruct = concatHex([toWord(32n), encoded]);
  return [
    { hash: hashBytes(packed), task, form: "module", encoding: "abi.encodePacked" },
    { hash: hashBytes(ofStruct), task, form: "module", encoding: "abi.encode(task)" },
  ];
}

/** Returns the hashes of a module with a shifted input: most of those are no felts, which only a contract hashes. */
function withShifted(task: ModuleTask): readonly HashedTask[] {
  return [...withShiftedInputs(task)].map((shifted) => {
    const given = shifted.inputs.filter(({ visibility }) => visibility === "public");
    const words = given.map(({ value }) => BigInt(value));
    const hash = hashBytes(encodeCall(task.programHash, words));
    return { hash, task: shifted, form: "module", encoding: "with-chain-id" };
  });
}

/** Returns the hashes of a task whose datalake, function or both are packed. */
function ofDatalake(task: DatalakeComputeTask): readonly HashedTask[] {
  const { datalake, compute } = task;
  const encoded = encodeDatalake(datalake);
  const words = datalake.type === "BlockSampled" ? 5 : 7;
  const property = encodeSampledProperty(datalake.sampledProperty);
  const packedDatalake = concatHex([sliceHex(encoded, 0, 32 * words), property]);
  const encodedCompute = encodeCompute(compute);
  const packedCompute = concatHex([
    sliceHex(encodedCompute, 31, 32),
    sliceHex(encodedCompute, 63, 64),
    sliceHex(encodedCompute, 64),
  ]);
  const pairs = [
    [packedDatalake, encodedCompute],
    [packedDatalake, packedCompute],
    [encoded, packedCompute],
  ] as const;
  return pairs.map(([ofBlocks, ofFunction]) => ({
    hash: hashBytes(committed(ofBlocks, ofFunction)),
    task,
    form: "datalake",
    encoding: "abi.encodePacked",
  }));
}

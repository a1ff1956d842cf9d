import { z } from "zod";

import { parseTask } from "../../src/request/parse.js";
import { asModule } from "../../src/request/standard-programs.js";
import { hasModuleForm } from "../../src/request/task-form.js";
import { taskHash } from "../../src/request/task-hash.js";
import { hex, readFigures } from "../support/vectors.js";
import { computeFelts, datalakeFelts, wordFelts } from "./cairo-felts.js";
import { stateProofs, stateProofFelts } from "./state-proofs.js";

const taskVectors = z.array(
  z.object({
    encodingVersion: z.string().optional(),
    task: z.unknown(),
    expected: z.object({ taskCommitment: hex }),
  }),
);
const rootVectors = z.object({
  moduleResultRoots: z.object({
    items: z.array(z.object({ returns: z.array(z.string()), resultWord: hex })),
  }),
});

/** The published figures, and proofs of injected state, as files that `snforge_std` reads: a number, then each vector's felts, one a line. */
export function cairoVectorFiles(): Readonly<Record<string, string>> {
  return {
    "data/module_tasks.txt": feltFile(moduleVectors()),
    "data/datalake_tasks.txt": feltFile(datalakeVectors()),
    "data/module_form_tasks.txt": feltFile(moduleFormVectors()),
    "data/output_roots.txt": feltFile(
      readFigures("recomputed.json", rootVectors).moduleResultRoots.items.map(
        ({ returns, resultWord }) => {
          return [BigInt(returns.length), ...returns.map(BigInt), ...wordFelts(resultWord)];
        },
      ),
    ),
    "data/state_proofs.txt": feltFile(stateProofs().map(stateProofFelts)),
  };
}

function moduleVectors(): bigint[][] {
  return readFigures("module-tasks.json", taskVectors).flatMap(({ task: text, expected }) => {
    const task = parseTask(text);
    // The first generation of vectors hashed private inputs too.
    if (task.type !== "Module" || task.inputs.some((input) => input.visibility === "private"))
      return [];
    const inputs = task.inputs.map((input) => BigInt(input.value));
    return [
      [
        BigInt(task.programHash),
        BigInt(inputs.length),
        ...inputs,
        ...wordFelts(expected.taskCommitment),
      ],
    ];
  });
}

function datalakeVectors(): bigint[][] {
  return readFigures("datalake-tasks.json", taskVectors).flatMap(
    ({ encodingVersion, task: text, expected }) => {
      if (encodingVersion !== "datalake-with-chainId") return [];
      const task = parseTask(text);
      if (task.type !== "DatalakeCompute") return [];
      return [
        [
          ...datalakeFelts(task.datalake),
          ...computeFelts(task.compute),
          ...wordFelts(expected.taskCommitment),
        ],
      ];
    },
  );
}

/** The published datalake tasks that have a module form, with the hash that they have in it. */
function moduleFormVectors(): bigint[][] {
  return readFigures("datalake-tasks.json", taskVectors).flatMap(({ task: text }) => {
    const task = parseTask(text);
    if (task.type !== "DatalakeCompute" || !hasModuleForm(task)) return [];
    const hash = taskHash(asModule(task));
    return [[...datalakeFelts(task.datalake), ...computeFelts(task.compute), ...wordFelts(hash)]];
  });
}

function feltFile(vectors: readonly (readonly bigint[])[]): string {
  if (vectors.length === 0) throw new Error("No vectors of this kind.");
  return `${[BigInt(vectors.length), ...vectors.flat()].map(String).join("\n")}\n`;
}

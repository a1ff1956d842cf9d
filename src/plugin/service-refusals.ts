import type { Hex } from "viem";

import { type HdpError, hdpError, thrownBy } from "../errors/hdp-error.js";
import { rememberedClass } from "../program/compiled-class.js";
import {
  moduleFormRefusals,
  unprovableError,
  type ModuleFormRefusal,
} from "../request/module-form.js";
import { RESULT_CHAINS, findSatellite } from "../request/satellites.js";
import { standardProgram } from "../request/standard-programs.js";
import { findDatalake } from "../request/task-form.js";
import type { ModuleTask, Task, TaskRequest } from "../request/task.js";
import type { WireEditionName } from "../service/data-processor/edition.js";
import { requireWholeClass } from "../service/data-processor/whole-class.js";

/** Something that services refuse. */
interface ServiceRefusal {
  /** What is refused, a clause. */
  readonly what: string;
  /** The API versions of the services that refuse it. */
  readonly editions: readonly WireEditionName[];
  /** Where this can be read. */
  readonly source: string;
}

/** What a row says of a request: about one task, or about the request as a whole. */
interface Row extends ServiceRefusal {
  readonly ofRequest?: (request: TaskRequest) => HdpError | undefined;
  readonly ofTask?: (
    task: Task,
    given: Given,
  ) => readonly HdpError[] | Promise<readonly HdpError[]>;
}

interface Given {
  /** The task's place: `tasks[0]`. */
  readonly place: string;
  readonly edition: WireEditionName;
  readonly classOf: RefusalOptions["classOf"];
}

/** What the rows look up to decide. */
export interface RefusalOptions {
  /** Returns the compiled class of a program, as JSON; undefined where none is known. */
  readonly classOf: (programHash: Hex) => Promise<unknown>;
}

const ROWS: readonly Row[] = [
  {
    what: "a destination whose satellite takes no results of tasks",
    editions: ["module-tasks"],
    source: "src/request/satellites.ts",
    ofRequest: ({ destinationChainId: destination }) => {
      if (RESULT_CHAINS.includes(destination)) return undefined;
      const reason =
        findSatellite(destination) === undefined
          ? "no satellite is published there"
          : "its published satellite has no data processor module";
      const values = { destination, reason, allowed: RESULT_CHAINS.join(", ") };
      return hdpError("HDP-2027", values, { path: "destinationChainId" });
    },
  },
  {
    what: "a datalake task that the published prover cannot prove in the module form",
    editions: ["module-tasks"],
    source: "src/request/module-form.ts",
    ofTask: (task, { place }) =>
      unprovable(task).map((refusal) => unprovableError(refusal, `${place}.`)),
  },
  {
    what: "a private input before a public one, which the prover passes in another order",
    editions: ["module-tasks"],
    source: "hdp-cairo tags since v1.0.11: public inputs first, then private ones",
    ofTask: (task, { place }) => {
      const { inputs } = moduleInputs(task);
      const hidden = inputs.findIndex(({ visibility }) => visibility === "private");
      const shown = inputs.findLastIndex(({ visibility }) => visibility === "public");
      if (hidden < 0 || hidden > shown) return [];
      const values = { hidden: `inputs[${hidden}]`, shown: `inputs[${shown}]` };
      return [hdpError("HDP-7014", values, { path: `${place}.inputs[${hidden}]` })];
    },
  },
  {
    what: "a program whose whole class is not known here, or cannot be run",
    editions: ["module-tasks"],
    source: "hdp-cairo 1e00936f, crates/types: HDPDryRunInput has no member with a default",
    ofTask: async (task, { place, classOf }) => {
      if (task.type !== "Module" || standardProgram(task.programHash) !== undefined) return [];
      const path = `${place}.programHash`;
      const refusal = await thrownBy(async () => {
        const compiledClass = await classOf(task.programHash);
        rememberedClass(requireWholeClass(task.programHash, compiledClass, path), { file: path });
      });
      return refusal === undefined ? [] : [refusal];
    },
  },
  {
    what: "injected state, which the specification's body of a module task does not have",
    editions: ["tasks", "batch"],
    source: "node_modules/hardhat-hdp/docs/service.md, what works where",
    ofTask: (task, { place, edition }) => {
      if (moduleInputs(task).injectedState === undefined) return [];
      const values = { edition, what: "a module's injected state" };
      return [hdpError("HDP-2021", values, { path: `${place}.injected_state` })];
    },
  },
];

/** What services refuse, by API version: known before anything is sent or run. */
export const SERVICE_REFUSALS: readonly ServiceRefusal[] = ROWS.map(
  ({ what, editions, source }) => ({ what, editions, source }),
);

/** Returns what the published prover cannot prove of a datalake task, or of a task of a standard program. */
function unprovable(task: Task): readonly ModuleFormRefusal[] {
  const datalake = findDatalake(task);
  if (datalake !== undefined) return moduleFormRefusals(datalake);
  const program = task.type === "Module" ? standardProgram(task.programHash) : undefined;
  if (program === undefined) return [];
  return [
    {
      path: "inputs",
      problem: `these inputs of the standard program ${program.name} are those of no datalake task: it panics`,
      advice: "Submit the datalake task itself: it is sent in the form of the connection.",
      source: "node_modules/hardhat-hdp/docs/task-forms.md, the standard programs",
      isComputable: false,
    },
  ];
}

interface InputsOfTask {
  readonly inputs: ModuleTask["inputs"];
  readonly injectedState?: ModuleTask["injectedState"];
}

/** Returns the inputs and injected state of a module; of a datalake task none. */
function moduleInputs(task: Task): InputsOfTask {
  return task.type === "Module" ? task : { inputs: [] };
}

/**
 * Returns why a service of an API version refuses a request, in the order of {@link SERVICE_REFUSALS}, each with its
 * place. Empty for a local data processor that stands for no service (`edition` undefined).
 */
export async function serviceRefusals(
  request: TaskRequest,
  edition: WireEditionName | undefined,
  { classOf }: RefusalOptions,
): Promise<readonly HdpError[]> {
  if (edition === undefined) return [];
  const found: HdpError[] = [];
  for (const { editions, ofRequest, ofTask } of ROWS) {
    if (!editions.includes(edition)) continue;
    found.push(...[ofRequest?.(request) ?? []].flat());
    for (const [at, task] of request.tasks.entries())
      found.push(...((await ofTask?.(task, { place: `tasks[${at}]`, edition, classOf })) ?? []));
  }
  return found;
}

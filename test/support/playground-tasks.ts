import { type DatalakeComputeTask, parseTask } from "../../src/entries/request.js";
import { type Draft, FIRST_DRAFT, draftTask } from "../../dashboard/task-draft.js";

/** Drafts of each kind of property, and of each thing that the code of a task says in its own way. */
const DRAFTS: readonly Partial<Draft>[] = [
  {},
  { kind: "account", field: "balance", chain: "OPTIMISM_MAINNET", fn: "min", step: "3" },
  { kind: "storage", slot: `0x${"ab".repeat(32)}`, fn: "count", operator: "nq", value: "7" },
  { kind: "tx", field: "nonce", block: "5605816", from: "12", to: "53", fn: "sum" },
  { kind: "tx_receipt", field: "success", block: "5605816", to: "9", fn: "count", value: "1" },
];

/** The tasks of these drafts in each form. */
export function playgroundTasks(): readonly {
  readonly task: DatalakeComputeTask;
  readonly form: "datalake" | "module";
}[] {
  return DRAFTS.flatMap((change) => {
    const task = parseTask(draftTask(Object.assign({}, FIRST_DRAFT, change)));
    if (task.type === "Module") throw new Error("a datalake task was drafted");
    return (["datalake", "module"] as const).map((form) => ({ task, form }));
  });
}

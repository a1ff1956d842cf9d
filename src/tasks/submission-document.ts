import { toTaskJson } from "../request/task-json.js";
import { taskForm, writtenTask } from "../request/task-form.js";
import type { StoredSubmission } from "../submission/stored-submission.js";

/** Returns a submission as `--json` prints it: its tasks as a task file, private inputs without values. */
export function submissionDocument(record: StoredSubmission): Record<string, unknown> {
  const { request } = record;
  if (request === undefined) return { ...record };
  const tasks = request.tasks.map((task) => {
    const written = writtenTask(task);
    if (written.type !== "Module") return toTaskJson(written);
    const inputs = written.inputs.map((input) =>
      input.visibility === "private" ? { visibility: "private" } : input,
    );
    return { ...toTaskJson(written), inputs };
  });
  const forms = request.tasks.map((task) => taskForm(task));
  return { ...record, forms, request: { destinationChainId: request.destinationChainId, tasks } };
}

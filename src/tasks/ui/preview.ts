import { describeTask } from "../../request/describe-task.js";
import type { TaskRequest } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import { style, type Screen } from "./screen.js";

/** What each task of a request will compute, before anything happens. */
export function preview(screen: Screen, request: TaskRequest): void {
  screen.line();
  request.tasks.forEach((task, index) => {
    const { title, lines } = describeTask(task);
    screen.line(`  ${style.strong(`Task ${String(index + 1)}`)}  ${title}`);
    lines.forEach((line) => {
      screen.line(`          ${line}`);
    });
    screen.line(`          hash ${taskHash(task)}`);
  });
}

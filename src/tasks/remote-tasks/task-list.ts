import { HdpError } from "../../errors/hdp-error.js";
import { integer, optionalText } from "../shared-options.js";
import { command } from "../command.js";
import { shortHex } from "../ui/format.js";
import { printTable } from "../ui/table.js";

export default command({
  name: "task list",
  aliases: ["tasks"],
  description: "List the tasks a service of edition module-tasks has",
  options: {
    page: integer("Page, from 1", 1),
    perPage: integer("Tasks a page, 1 to 100", 10),
    search: optionalText("Part of an id, a program hash or a program name"),
  },
  run: async ({ page, perPage, search }, { hre, screen }) => {
    checkRange("--page", page, Number.MAX_SAFE_INTEGER);
    checkRange("--per-page", perPage, 100);
    const list = await hre.hdp.moduleTasks.list({ page, perPage, ...(search === undefined ? {} : { search }) });
    const rows = list.tasks.map((task) => [
      ...[task.uuid, task.status, task.programName ?? shortHex(task.programHash ?? ""), task.createdAt],
    ]);
    printTable(screen, ["TASK", "STATE", "PROGRAM", "CREATED"], rows);
    const { pagination } = list;
    screen.line();
    screen.line(
      `  Page ${String(pagination.page)} of ${String(pagination.totalPages)}, ${String(pagination.total)} in all`,
    );
    screen.document(list);
  },
});

function checkRange(option: string, value: number, most: number): void {
  if (value >= 1 && value <= most) return;
  throw new HdpError({
    code: "HDP-6044",
    path: option,
    message: `${String(value)} is out of range.`,
    hints: [most === 100 ? "Allowed: 1 to 100" : "Pages are counted from 1."],
  });
}

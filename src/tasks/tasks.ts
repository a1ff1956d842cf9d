import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { HdpError } from "../base/errors.js";
import { shortHex } from "./ui/format.js";
import { terminalScreen } from "./ui/screen.js";
import { printTable } from "./ui/table.js";

interface TasksArguments {
  readonly page: number;
  readonly perPage: number;
  readonly search: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<TasksArguments> = async ({ page, perPage, search, json }, hre) => {
  await atTheEdge(async () => {
    checkRange("--page", page, Number.MAX_SAFE_INTEGER);
    checkRange("--per-page", perPage, 100);
    const list = await hre.hdp.moduleTasks.list({ page, perPage, ...(search === undefined ? {} : { search }) });
    const screen = terminalScreen(json);
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
  });
};

export default action;

function checkRange(option: string, value: number, most: number): void {
  if (value >= 1 && value <= most) return;
  throw new HdpError({
    code: "HDP-6044",
    path: option,
    message: `${String(value)} is out of range.`,
    hints: [most === 100 ? "Allowed: 1 to 100" : "Pages are counted from 1."],
  });
}

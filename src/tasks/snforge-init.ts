import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import { initSnforgeProject } from "../plugin/snforge-project.js";
import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ dir: string; json: boolean }> = async ({ dir, json }, hre) => {
  await atTheEdge(async () => {
    const files = await initSnforgeProject(dir, hre.config.paths.root);
    const screen = terminalScreen(json);
    screen.line();
    for (const { path, change } of files) screen.line(`  ${change.padEnd(9)}  ${path}`);
    screen.line();
    screen.line(`  Run the test: ${style.command(dir === "." ? "snforge test" : `cd ${dir} && snforge test`)}`);
    screen.document({ dir, files });
  });
};

export default action;

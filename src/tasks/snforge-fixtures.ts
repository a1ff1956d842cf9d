import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { knownPrograms } from "../plugin/known-programs.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { computeFixtures, parseFixtureFormat, writeFixtures } from "../plugin/task-fixtures.js";
import { style, terminalScreen } from "./ui/screen.js";

interface FixturesArguments {
  readonly files: string[];
  readonly format: string;
  readonly out: string | undefined;
}

const action: NewTaskActionFunction<FixturesArguments> = async ({ files, format, out }, hre) => {
  await atTheEdge(async () => {
    const parsed = parseFixtureFormat(format);
    const { root } = hre.config.paths;
    const { hdp } = await hre.network.getOrCreate();
    const fixtures = await computeFixtures(files, { projectRoot: root, programs: knownPrograms(hre.config) }, hdp);
    const text = await writeFixtures(fixtures, parsed, out, root);
    if (out === undefined) {
      process.stdout.write(text);
      return;
    }
    const screen = terminalScreen(false);
    screen.line();
    screen.line(`  ${style.strong("Fixtures")}  ${out}`);
    for (const { name, taskHash } of fixtures) screen.line(`  ${name}  ${taskHash}`);
  });
};

export default action;

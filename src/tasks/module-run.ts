import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { knownPrograms } from "../plugin/known-programs.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { HdpError } from "../base/errors.js";
import { readRequest } from "./command.js";
import { printModuleRun } from "./ui/module-run.js";
import { preview } from "./ui/preview.js";
import { terminalScreen } from "./ui/screen.js";

interface RunArguments {
  readonly file: string;
  readonly generation: string | undefined;
  readonly stepsLimit: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<RunArguments> = async (args, hre) => {
  await atTheEdge(async () => {
    const maxSteps = parseSteps(args.stepsLimit);
    const request = await readRequest(args.file, hre);
    const { parseGeneration } = await import("../plugin/actions/module-runs.js");
    const generation = parseGeneration(args.generation);
    const modules = { ...request, tasks: request.tasks.filter(({ type }) => type === "Module") };
    const screen = terminalScreen(args.json);
    preview(screen, modules, knownPrograms(hre.config));
    const { hdp } = await hre.network.getOrCreate();
    const runs = await hdp.program.run(request, { maxSteps, generation });
    runs.forEach((run, index) => {
      printModuleRun(screen, run, runs.length === 1 ? "Run" : `Run ${String(index + 1)}`);
    });
    screen.line();
    screen.line("  A local run: nothing was submitted, and no proof was made.");
    screen.document(
      // The marked reads take the place of the run's own.
      runs.map(({ run, reads, ...rest }) => ({ ...rest, ...run, reads })),
    );
  });
};

export default action;

function parseSteps(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const steps = Number(text.replaceAll(/[_,]/g, ""));
  if (Number.isSafeInteger(steps) && steps > 0) return steps;
  throw new HdpError({
    code: "HDP-6074",
    path: "--steps-limit",
    message: `"${text}" is not a number of steps.`,
    hints: ["A positive integer, for instance --steps-limit 1000000"],
  });
}

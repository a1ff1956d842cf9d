import { knownPrograms } from "../../plugin/known-programs.js";
import { HdpError } from "../../errors/hdp-error.js";
import { rootsByLabel } from "../../request/injected-state.js";
import { file, optionalText } from "../shared-options.js";
import { command } from "../command.js";
import { readRequest } from "../requests/read-request.js";
import { printModuleRun } from "./print-module-run.js";
import { RunProfiles } from "./run-profiles.js";
import { preview } from "../ui/preview.js";

export default command({
  name: "module run",
  description: "Run the modules of a task file here, without submitting",
  positional: { file },
  options: {
    generation: optionalText("Calling convention, instead of the task's and hdp.local.generation"),
    state: optionalText("JSON file of injected state: labels with their roots, beside or in place of the task's"),
    stateLeaves: optionalText("JSON file of the leaves behind those roots"),
    profile: optionalText("File for a flame graph of the steps by function and by read (speedscope's JSON)"),
    stepsLimit: optionalText("Steps after which the run is stopped; 100,000,000 when left out"),
  },
  run: async (args, { hre, screen }) => {
    const maxSteps = parseSteps(args.stepsLimit);
    const request = await readRequest(args.file, hre, undefined, screen);
    const { parseGeneration } = await import("../../plugin/actions/module-runs.js");
    const generation = parseGeneration(args.generation);
    const { readInjectedState } = await import("../../plugin/state-files.js");
    const modules = { ...request, tasks: request.tasks.filter((task) => task.type === "Module") };
    const named = new Set(modules.tasks.flatMap(({ injectedState }) => [...rootsByLabel(injectedState).keys()]));
    const injectedState = await readInjectedState(args.state, args.stateLeaves, hre.config.paths.root, named);
    preview(screen, modules, knownPrograms(hre.config));
    const { hdp } = await hre.network.getOrCreate();
    const profiles = new RunProfiles(args.profile, args.file, hre.config.paths.root);
    const { onProfile } = profiles;
    const options = { maxSteps, generation, injectedState, onProfile };
    const runs = await hdp.program.run(request, options).catch(async (error: unknown) => {
      await profiles.printStopped(screen);
      throw error;
    });
    const programs = knownPrograms(hre.config);
    runs.forEach((run, index) => {
      const name = runs.length === 1 ? "Run" : `Run ${String(index + 1)}`;
      printModuleRun(screen, run, name, programs.get(run.programHash)?.compiledClassJson);
      profiles.print(screen, index);
    });
    await profiles.write(screen);
    screen.line();
    screen.line("  A local run: nothing was submitted, and no proof was made.");
    screen.document(
      // The marked reads take the place of the run's own. The flat hash is computed where the document is written.
      runs.map((done, index) => ({
        taskHash: done.taskHash,
        programHash: done.programHash,
        get flatProgramHash() {
          return done.flatProgramHash;
        },
        rule: done.rule,
        decoded: done.decoded,
        ...done.run,
        reads: done.reads,
        ...profiles.document(index),
      })),
    );
  },
});

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
